/*
 * What the completion of shells offers: the subcommands, their options and the values of these, from
 * the tables that the parsers and the help texts use.
 */
#ifndef SEMLA_CLI_COMPLETE_H
#define SEMLA_CLI_COMPLETE_H

#include <semla/registry.h>

#include "cli/command.h"

/* An option: the texts are borrowed or, `values` and `name`, owned by the list. */
typedef struct {
    char *name;       /* without -- */
    char *help;       /* one line */
    char *value_name; /* "FILE"; NULL: the option has no value */
    char *values;     /* possible values, separated by blanks; NULL: any */
    int letter;       /* its short form, or 0 */
    bool file;        /* the value is a file */
    bool repeated;    /* the option may be given several times */
} offered_option;

typedef struct {
    offered_option *at;
    size_t count, room;
} offered_options;

/* The options of a subcommand; without those of single algorithms for `semla run`. */
offered_options options_of_command(const subcommand *c);

/* The options that one algorithm adds to those of `semla run`. */
offered_options options_of_algorithm(const sl_algorithm *algorithm);

void offered_free(offered_options *options);

/* What the first argument of a subcommand that is not an option is. */
typedef enum { NO_ARGUMENT, GRAPHS, MODELS_ALONE, ALGORITHMS, SHELLS } argument_kind;
argument_kind argument_of_command(const subcommand *c);

/* Print the scripts to stdout. */
void complete_print_bash(void);
void complete_print_zsh(void);
void complete_print_fish(void);

#endif
