/* The options of a subcommand as argp has them: a table, and the tables of its children. */
#ifndef SEMLA_CLI_OPTION_TABLE_H
#define SEMLA_CLI_OPTION_TABLE_H

#include <argp.h>

/* Calls `visit` for every option with a long name, hidden ones included, in the order of the
 * tables. */
typedef void option_visitor(const struct argp_option *option, void *state);
void option_table_visit(const struct argp *argp, option_visitor *visit, void *state);

/*
 * Reports the first long option of a command line of which no option's name has that beginning: a
 * usage_error with the name that is nearest. argp then reports only what this function accepts:
 * unknown letters, ambiguous beginnings, missing and superfluous values. Returns 0 or EINVAL.
 */
error_t option_table_check(const struct argp *argp, int argc, char **argv);

#endif
