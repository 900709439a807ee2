/* Options that all subcommands share, and the parsers of option values. */
#ifndef SEMLA_CLI_OPTIONS_H
#define SEMLA_CLI_OPTIONS_H

#include <argp.h>

#include "cli/command.h"

/* The value of --grid: the shape of the grid of MPI ranks. */
typedef struct {
    bool given;     /* run on a grid */
    int rows, cols; /* 0 x 0 stands for `auto`: the default shape of sl_grid_context_create */
} grid_options;

/* The options of every subcommand. The caller sets `command` before parsing. */
typedef struct common_options {
    const char *command; /* "semla bfs" */
    bool (*print_help)(
        const struct common_options *o); /* prints another text for --help than argp's; false,
                                                           or NULL: there is none */
    sl_engine_choice engine;
    grid_options grid;
    bool json;
    bool quiet;
    uint64_t max_memory; /* bytes; 0: no limit */
} common_options;

/*
 * Argp children with a common_options as input: --engine, --grid, --json, --quiet and --help. The
 * second has no --engine; it is for commands that select engines themselves. Both report arguments
 * that no earlier parser accepted as errors.
 */
extern const struct argp common_argp;
extern const struct argp common_argp_without_engine;

/* Makes commands without --grid run on a grid of the default shape, as with --grid auto. */
void options_default_to_grid(bool on);

/* Prints --help and exits. */
_Noreturn void options_help(struct argp_state *state, const common_options *o);

/* The help_filter of every subcommand's argp. It removes argp's note about short options. */
char *help_filter(int key, const char *text, void *input);

/*
 * Parses the arguments of a subcommand into `input`, which contains `common`. Sets the name that
 * messages start with. Returns EXIT_DONE, or EXIT_USAGE with the message printed; --help exits.
 */
int options_parse(const struct argp *argp, int argc, char **argv, const common_options *common,
                  void *input);

/*
 * Calls `visit` with the argp of a subcommand instead of running it; the subcommand is entered with
 * its name alone. For completion.
 */
typedef void argp_visitor(const struct argp *argp, void *state);
void options_visit(const subcommand *c, argp_visitor *visit, void *state);

/* Parsers of option values. They return 0, or a usage_error that names `option`. */
error_t option_count(uint64_t *value, const char *option, const char *text);
error_t option_number(double *value, const char *option, const char *text);
error_t option_direction(sl_direction *direction, const char *text);

/* Finds `text` in a list of `count` words and stores its index. If it is not there, the usage
 * error lists the words and suggests the nearest. */
error_t option_word(int *index, const char *option, const char *text, const char *const *words,
                    int count);

/* Stores the values of --engine, "auto" first, in `names`, which has MOST_ENGINES elements; returns
 * their number. */
enum { MOST_ENGINES = 16 };
int option_engines(const char **names);

/* Parses a decimal number without a sign; false if `text` is not one or exceeds 64 bits. */
bool parse_count(uint64_t *value, const char *text);

/* A growing array of vertices. Start with {0}; free with vertex_list_free. */
typedef struct {
    uint64_t *at;
    size_t count;
    size_t capacity;
} vertex_list;
void vertex_list_append(vertex_list *list, uint64_t vertex);
void vertex_list_free(vertex_list *list);

/*
 * Writes to `text` why no context of the engine can be created in this process: the engine is not available,
 * or SEMLA_ENGINE or SEMLA_TRACE has an unknown word. The functions that create contexts return no message.
 * False, and an empty text, if nothing is wrong.
 */
enum { CONTEXT_OBSTACLE = 600 };
bool context_obstacle(char *text, size_t size, sl_engine_choice engine);

/* Creates the context that --engine selects. EXIT_DONE, or EXIT_FAILED with the reason printed. */
int context_open(sl_context **ctx, sl_engine_choice engine);

/* Applies --max-memory to a context, which is freed if that fails. Returns an exit status. */
int context_limit(sl_context **ctx, const common_options *o);

#endif
