/* Options that subcommands share, and the way all of them are parsed. */
#ifndef SEMLA_CLI_OPTIONS_H
#define SEMLA_CLI_OPTIONS_H

#include <argp.h>

#include "command.h"

/* The grid of MPI ranks that is asked for. */
typedef struct {
    bool given;
    int rows, cols; /* 0x0: as near to a square as the ranks allow */
} grid_options;

/* Every subcommand's options; `command` is set before parsing. */
typedef struct {
    const char *command; /* "semla bfs" */
    sl_engine_choice engine;
    grid_options grid;
    bool json;
    bool quiet;
} common_options;

/* An argp child for common_options: --engine, --grid, --json, --quiet and --help. The
 * second is without --engine, for commands that choose engines themselves.
 * Both refuse arguments that no parser before them took. */
extern const struct argp common_argp;
extern const struct argp common_argp_without_engine;

/* A help_filter for every subcommand's argp: drops argp's note on short options. */
char *help_filter(int key, const char *text, void *input);

/*
 * Parses a subcommand's arguments into `input`, of which `common` is a part.
 * Returns EXIT_DONE, or EXIT_USAGE with the message printed; --help exits.
 */
int options_parse(const struct argp *argp, int argc, char **argv, const common_options *common,
                  void *input);

/* Prints "semla: message"; EINVAL, which ends the parsing. */
error_t usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Parsers of option values: 0, or a usage_error that names `option`. */
error_t option_count(uint64_t *value, const char *option, const char *text);
error_t option_number(double *value, const char *option, const char *text);
error_t option_direction(sl_direction *direction, const char *text);

/* The position of `text` in a list of `count` words, or a usage error that lists them. */
error_t option_word(int *position, const char *option, const char *text, const char *const *words,
                    int count);

/* A decimal number without sign; false where `text` is not one or is too large. */
bool parse_count(uint64_t *value, const char *text);

/* Appends a vertex to a growing list, ended by vertex_list_free. */
typedef struct {
    uint64_t *at;
    size_t count;
    size_t room;
} vertex_list;
void vertex_list_append(vertex_list *list, uint64_t vertex);
/* The same of an option that may be given again. */
error_t option_vertex(vertex_list *list, const char *option, const char *text);
void vertex_list_free(vertex_list *list);

/*
 * Makes the context that --engine asks for. EXIT_DONE, or EXIT_FAILED with the
 * reason printed: an engine that is not present, a SEMLA_ENGINE that names none.
 */
int context_open(sl_context **ctx, sl_engine_choice engine);

#endif
