/* The table of options of `semla run`, and the options of algorithms on the command line. */
#ifndef SEMLA_CLI_RUN_TABLE_H
#define SEMLA_CLI_RUN_TABLE_H

#include "cli/run.h"

/* Keys and groups of the table. */
enum {
    KEY_LIST = 0x300,
    KEY_TOP,
    KEY_CHECK,
    KEY_REPEAT,
    KEY_OPTION = 0x1000, /* of an algorithm, and its number */
    GROUP = 10,          /* of the first algorithm's options in the help */
    GROUP_OUTPUT = 90,
    GROUP_GRAPH = 95,
    GROUP_COMMON = 100
};

/* Makes the table for a command line of `argc` arguments; its help shows the options of all
 * algorithms. There is one table at a time, which run_table_free frees. */
const struct argp_option *run_table_make(int argc);
void run_table_free(void);

/* The text of an argument in the help: what it is, whether it can be repeated, its default. */
void run_help_text(char *text, size_t room, const sl_argument *a);

/* Prints the help of one algorithm. */
void run_print_help(const sl_algorithm *algorithm);

/* Keeps an option of an algorithm with its value; ARGP_ERR_UNKNOWN if the key is that of none. */
error_t run_table_keep(int key, const char *text);

/* The name and the value of kept option number `position`; NULL if there are fewer. */
const char *run_table_given(int position, const char **text);

#endif
