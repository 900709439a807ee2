/*
 * The options that all subcommands share, parsers of option values, and the context that --engine
 * selects.
 */
#include "cli/options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "cli/option_table.h"
#include "cli/suggest.h"
#include "cli/timeout.h"

enum { KEY_ENGINE = 0x100, KEY_GRID, KEY_JSON, KEY_TIMEOUT, KEY_THREADS, KEY_MAX_MEMORY };

/* ---- values of options ---------------------------------------------------- */

bool parse_count(uint64_t *value, const char *text)
{
    if (!isdigit((unsigned char)text[0]))
        return false;
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *end == '\0' && errno == 0;
}

error_t option_count(uint64_t *value, const char *option, const char *text)
{
    if (parse_count(value, text))
        return 0;
    return usage_error("--%s takes a whole number from 0, not '%s'", option, text);
}

error_t option_number(double *value, const char *option, const char *text)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && errno == 0 && *value > 0 && isfinite(*value))
        return 0;
    return usage_error("--%s takes a number above 0, not '%s'", option, text);
}

error_t option_word(int *index, const char *option, const char *text, const char *const *words,
                    int count)
{
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *index = i;
            return 0;
        }
        if (used < sizeof list)
            used +=
                (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    return usage_error("--%s takes one of %s, not '%s'%s", option, list, text,
                       suggest(text, "", words, (size_t)count).text);
}

error_t option_direction(sl_direction *direction, const char *text)
{
    const char *words[] = {sl_direction_name(SL_AUTO), sl_direction_name(SL_PUSH),
                           sl_direction_name(SL_PULL)};
    static const sl_direction directions[] = {SL_AUTO, SL_PUSH, SL_PULL};
    int index = 0;
    error_t error = option_word(&index, "direction", text, words, 3);
    if (!error)
        *direction = directions[index];
    return error;
}

void vertex_list_append(vertex_list *list, uint64_t vertex)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 8;
        uint64_t *at = sl_realloc(list->at, capacity * sizeof *at);
        if (!at)
            out_of_memory();
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = vertex;
}

void vertex_list_free(vertex_list *list)
{
    sl_free(list->at);
    *list = (vertex_list){0};
}

/* ---- engines ------------------------------------------------------------ */

/* Stores the description of the engine called `name`; false if there is none. */
static bool find_engine(sl_engine_info *engine, const char *name)
{
    for (size_t i = 0; sl_engine_describe(i, engine) == SL_OK; i++)
        if (strcmp(engine->name, name) == 0)
            return true;
    return false;
}

int option_engines(const char **names)
{
    int count = 0;
    sl_engine_info engine;
    names[count++] = "auto";
    for (size_t i = 0; count < MOST_ENGINES && sl_engine_describe(i, &engine) == SL_OK; i++)
        names[count++] = engine.name;
    return count;
}

static error_t parse_engine(sl_engine_choice *choice, const char *name)
{
    const char *names[MOST_ENGINES];
    const int count = option_engines(names);
    sl_engine_info engine;
    int index = 0;
    error_t error = option_word(&index, "engine", name, names, count);
    if (!error)
        *choice = index > 0 && find_engine(&engine, name) ? engine.choice : SL_ENGINE_AUTO;
    return error;
}

static void print_unknown_engine(char *text, size_t size, const char *name)
{
    const char *names[MOST_ENGINES];
    const int count = option_engines(names);
    char list[256] = "";
    for (int k = 1, used = 0; k < count && used < (int)sizeof list; k++)
        used +=
            snprintf(list + used, sizeof list - (size_t)used, "%s%s", k > 1 ? ", " : "", names[k]);
    snprintf(text, size, "SEMLA_ENGINE: unknown engine '%s'; the engines are %s%s", name, list,
             suggest(name, "", names + 1, (size_t)count - 1).text);
}

bool context_obstacle(char *text, size_t size, sl_engine_choice choice)
{
    sl_engine_info engine;
    const char *forced = getenv("SEMLA_ENGINE"), *trace = getenv("SEMLA_TRACE");
    const bool is_forced = forced && *forced;
    *text = '\0';
    for (size_t i = 0; !*text && sl_engine_describe(i, &engine) == SL_OK; i++)
        if (engine.choice == choice && !engine.present)
            snprintf(text, size, "the engine '%s' is not available: %s", engine.name,
                     engine.unavailable_reason);
    if (!*text && is_forced && !find_engine(&engine, forced))
        print_unknown_engine(text, size, forced);
    else if (!*text && is_forced && !engine.present)
        snprintf(text, size, "SEMLA_ENGINE: the engine '%s' is not available: %s", forced,
                 engine.unavailable_reason);
    if (!*text && trace && *trace && strcmp(trace, "dispatch") != 0 && strcmp(trace, "counts") != 0)
        snprintf(text, size, "SEMLA_TRACE: unknown word '%s'; the words are dispatch, counts",
                 trace);
    return *text;
}

int context_open(sl_context **ctx, sl_engine_choice choice)
{
    char obstacle[CONTEXT_OBSTACLE];
    if (context_obstacle(obstacle, sizeof obstacle, choice))
        return failed("%s", obstacle);
    sl_status status = sl_context_create(ctx, choice);
    if (status != SL_OK)
        return failed("cannot create the context: %s", sl_status_string(status));
    timeout_watch(*ctx);
    return EXIT_DONE;
}

int context_limit(sl_context **ctx, const common_options *o)
{
    sl_status status = o->max_memory ? sl_context_set_memory_limit(*ctx, o->max_memory) : SL_OK;
    if (status == SL_OK)
        return EXIT_DONE;
    failed_status(*ctx, status);
    sl_context_free(*ctx);
    *ctx = NULL;
    return EXIT_FAILED;
}

/* ---- the options that all subcommands share --------------------------------- */

/* Parses "500M", "10G": bytes, with units of powers of 1000. */
static error_t parse_memory(uint64_t *bytes, const char *text)
{
    static const char units[] = "kMGT";
    const char *unit = *text ? strchr(units, text[strlen(text) - 1]) : NULL;
    char digits[24] = "";
    uint64_t factor = 1;
    for (const char *u = units; unit && u <= unit; u++)
        factor *= 1000;
    snprintf(digits, sizeof digits, "%.*s", (int)strlen(text) - (unit != NULL), text);
    if (parse_count(bytes, digits) && *bytes > 0 && !__builtin_mul_overflow(*bytes, factor, bytes))
        return 0;
    return usage_error("--max-memory takes a number of bytes, such as 500M or 10G, not '%s'", text);
}

static bool default_to_grid;

void options_default_to_grid(bool on)
{
    default_to_grid = on;
}

/* Parses "2x3", "auto" or "none". */
static bool read_grid(grid_options *grid, const char *text)
{
    char *end;
    *grid = (grid_options){.given = strcmp(text, "none") != 0};
    if (strcmp(text, "auto") == 0 || !grid->given)
        return true;
    if (!isdigit((unsigned char)text[0]))
        return false;
    const long rows = strtol(text, &end, 10);
    if (*end != 'x' || !isdigit((unsigned char)end[1]))
        return false;
    const long cols = strtol(end + 1, &end, 10);
    const long limit = 1 << 20;
    if (*end != '\0' || rows < 1 || cols < 1 || rows > limit || cols > limit)
        return false;
    grid->rows = (int)rows;
    grid->cols = (int)cols;
    return true;
}

static error_t parse_grid(grid_options *grid, const char *text)
{
    return read_grid(grid, text)
               ? 0
               : usage_error("--grid takes ROWSxCOLUMNS (such as 2x3), auto or none, not '%s'",
                             text);
}

static error_t parse_timeout(const char *text)
{
    double seconds = 0;
    error_t error = option_number(&seconds, "timeout", text);
    if (!error)
        timeout_start(seconds);
    return error;
}

/* Sets the number of threads. SuiteSparse reads it when the first context is created, so it applies
 * to all of its operations, also to those that do not take the number of a context. */
static error_t parse_threads(const char *text)
{
    enum { MOST_THREADS = 4096 };
    uint64_t threads;
    if (!parse_count(&threads, text) || threads < 1 || threads > MOST_THREADS)
        return usage_error("--threads takes a whole number from 1 to %d, not '%s'",
                           (int)MOST_THREADS, text);
    omp_set_num_threads((int)threads);
    return 0;
}

/* The text goes through memory because argp flushes its stream and ignores errors. */
_Noreturn void options_help(struct argp_state *state, const common_options *o)
{
    char name[64], *text = NULL;
    size_t size = 0;
    if (o->print_help && o->print_help(o))
        exit(EXIT_DONE);
    snprintf(name, sizeof name, "%s", o->command);
    state->name = name;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        out_of_memory();
    argp_state_help(state, memory, ARGP_HELP_SHORT_USAGE | ARGP_HELP_DOC | ARGP_HELP_LONG);
    if (fclose(memory) != 0)
        out_of_memory();
    fputs(text, stdout);
    free(text);
    exit(EXIT_DONE);
}

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
    common_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL; /* options_parse prints the hint about --help itself */
        o->grid = (grid_options){.given = default_to_grid};
        return 0;
    case KEY_ENGINE:
        return parse_engine(&o->engine, argument);
    case KEY_GRID:
        return parse_grid(&o->grid, argument);
    case KEY_THREADS:
        return parse_threads(argument);
    case KEY_JSON:
        o->json = true;
        messages_as_json();
        return 0;
    case KEY_TIMEOUT:
        return parse_timeout(argument);
    case KEY_MAX_MEMORY:
        return parse_memory(&o->max_memory, argument);
    case 'q':
        o->quiet = true;
        return 0;
    case 'h':
        options_help(state, o);
    case ARGP_KEY_ARG:
        return usage_error("unexpected argument '%s'", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

char *help_filter(int key, const char *text, void *input)
{
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

#define COMMON_OPTIONS                                                                             \
    {"threads",                                                                                    \
     KEY_THREADS,                                                                                  \
     "N",                                                                                          \
     0,                                                                                            \
     "Use at most N threads; by default OMP_NUM_THREADS, or one per processor",                    \
     0},                                                                                           \
        {"grid",                                                                                   \
         KEY_GRID,                                                                                 \
         "RxC",                                                                                    \
         0,                                                                                        \
         "The shape of the grid of MPI ranks, started by mpirun: ROWSxCOLUMNS, auto (the default " \
         "under mpirun), or none: each process works alone",                                       \
         0},                                                                                       \
        {"max-memory",                                                                             \
         KEY_MAX_MEMORY,                                                                           \
         "BYTES",                                                                                  \
         0,                                                                                        \
         "Fail rather than use more host memory, on each rank; k, M, G and T are powers of 1000 "  \
         "(default: no limit)",                                                                    \
         0},                                                                                       \
        {"json", KEY_JSON, NULL, 0, "Print the result as JSON", 0},                                \
        {"quiet", 'q', NULL, 0, "Print no progress and no warnings", 0},                           \
        {"timeout",                                                                                \
         KEY_TIMEOUT,                                                                              \
         "SECONDS",                                                                                \
         0,                                                                                        \
         "Stop after this time, between two steps of the work, with exit status 124",              \
         0},                                                                                       \
        {"help", 'h', NULL, 0, "Show this help", 0},                                               \
    {                                                                                              \
        0                                                                                          \
    }

const struct argp common_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "General:", 4},
            {"engine", KEY_ENGINE, "NAME", 0,
             "The engine to run on: auto (default), or a name that 'semla engines' lists", 0},
            COMMON_OPTIONS},
    .parser = parse_common,
};

const struct argp common_argp_without_engine = {
    .options = (const struct argp_option[]){{NULL, 0, NULL, 0, "General:", 4}, COMMON_OPTIONS},
    .parser = parse_common,
};

/* Set while options_visit runs. */
static argp_visitor *visitor;
static void *visitor_state;

void options_visit(const subcommand *c, argp_visitor *visit, void *state)
{
    char name[32];
    char *argv[] = {name, NULL};
    snprintf(name, sizeof name, "%s", c->name);
    visitor = visit;
    visitor_state = state;
    c->run(1, argv);
    visitor = NULL;
}

int options_parse(const struct argp *argp, int argc, char **argv, const common_options *common,
                  void *input)
{
    if (visitor) {
        visitor(argp, visitor_state);
        return EXIT_USAGE;
    }
    char name[64]; /* getopt puts it before its messages */
    snprintf(name, sizeof name, "%s", common->command);
    argv[0] = name;
    messages_set_command(common->command);
    if (option_table_check(argp, argc, argv) == 0 &&
        argp_parse(argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, input) == 0)
        return EXIT_DONE;
    fprintf(stderr, "Try '%s --help' for more information.\n", common->command);
    return EXIT_USAGE;
}
