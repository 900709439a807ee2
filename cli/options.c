#include "options.h"
#include "grid.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_ENGINE = 0x100, KEY_GRID, KEY_JSON };

error_t usage_error(const char *format, ...)
{
    va_list list;
    fputs("semla: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return EINVAL;
}

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
    return usage_error("--%s takes a number from 0, not '%s'", option, text);
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

error_t option_word(int *position, const char *option, const char *text, const char *const *words,
                    int count)
{
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *position = i;
            return 0;
        }
        if (used < sizeof list)
            used +=
                (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    return usage_error("--%s is one of %s, not '%s'", option, list, text);
}

error_t option_direction(sl_direction *direction, const char *text)
{
    const char *words[] = {sl_direction_name(SL_AUTO), sl_direction_name(SL_PUSH),
                           sl_direction_name(SL_PULL)};
    static const sl_direction directions[] = {SL_AUTO, SL_PUSH, SL_PULL};
    int position = 0;
    error_t error = option_word(&position, "direction", text, words, 3);
    if (!error)
        *direction = directions[position];
    return error;
}

void vertex_list_append(vertex_list *list, uint64_t vertex)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 8;
        uint64_t *at = sl_realloc(list->at, room * sizeof *at);
        if (!at)
            out_of_memory();
        list->at = at;
        list->room = room;
    }
    list->at[list->count++] = vertex;
}

error_t option_vertex(vertex_list *list, const char *option, const char *text)
{
    uint64_t vertex = 0;
    error_t error = option_count(&vertex, option, text);
    if (!error)
        vertex_list_append(list, vertex);
    return error;
}

void vertex_list_free(vertex_list *list)
{
    sl_free(list->at);
    *list = (vertex_list){0};
}

/* ---- engines ------------------------------------------------------------ */

/* True if `name` is an engine's, which is then in *engine. */
static bool find_engine(sl_engine_info *engine, const char *name)
{
    for (size_t i = 0; sl_engine_describe(i, engine) == SL_OK; i++)
        if (strcmp(engine->name, name) == 0)
            return true;
    return false;
}

static const char *engine_names(char *names, size_t size)
{
    size_t used = (size_t)snprintf(names, size, "auto");
    sl_engine_info engine;
    for (size_t i = 0; sl_engine_describe(i, &engine) == SL_OK && used < size; i++)
        used += (size_t)snprintf(names + used, size - used, ", %s", engine.name);
    return names;
}

static error_t parse_engine(sl_engine_choice *choice, const char *name)
{
    sl_engine_info engine;
    char names[256];
    *choice = SL_ENGINE_AUTO;
    if (strcmp(name, "auto") == 0)
        return 0;
    if (!find_engine(&engine, name))
        return usage_error("there is no engine '%s' (engines: %s)", name,
                           engine_names(names, sizeof names));
    *choice = engine.choice;
    return 0;
}

int context_open(sl_context **ctx, sl_engine_choice choice)
{
    sl_engine_info engine;
    for (size_t i = 0; sl_engine_describe(i, &engine) == SL_OK; i++)
        if (engine.choice == choice && !engine.present)
            return failed("the engine '%s' is not present: %s", engine.name, engine.unavailable_reason);

    /* A context that was not made has no message: say here what it would have said. */
    const char *forced = getenv("SEMLA_ENGINE");
    char names[256];
    const bool is_forced = forced && *forced;
    if (is_forced && !find_engine(&engine, forced))
        return failed("SEMLA_ENGINE names no engine: '%s' (engines: %s)", forced,
                      engine_names(names, sizeof names));
    if (is_forced && !engine.present)
        return failed("SEMLA_ENGINE: the engine '%s' is not present: %s", forced, engine.unavailable_reason);
    sl_status status = sl_context_create(ctx, choice);
    if (status != SL_OK)
        return failed("the library could not be set up: %s", sl_status_string(status));
    return EXIT_DONE;
}

/* ---- the common child --------------------------------------------------- */

static error_t parse_common(int key, char *argument, struct argp_state *state)
{
    common_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL; /* options_parse says where help is to be had */
        return 0;
    case KEY_ENGINE:
        return parse_engine(&o->engine, argument);
    case KEY_GRID:
        return grid_parse(&o->grid, argument);
    case KEY_JSON:
        o->json = true;
        return 0;
    case 'q':
        o->quiet = true;
        return 0;
    case 'h': {
        char name[64];
        snprintf(name, sizeof name, "%s", o->command);
        state->name = name;
        argp_state_help(state, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_DOC | ARGP_HELP_LONG);
        exit(EXIT_DONE);
    }
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
    {"grid",                                                                                       \
     KEY_GRID,                                                                                     \
     "RxC",                                                                                        \
     0,                                                                                            \
     "Work on a grid of MPI ranks, under mpirun: rows x columns, or auto",                         \
     0},                                                                                           \
        {"json", KEY_JSON, NULL, 0, "Print the result as JSON", 0},                                \
        {"quiet", 'q', NULL, 0, "Show no progress on the terminal", 0},                            \
        {"help", 'h', NULL, 0, "Show this help", 0},                                               \
    {                                                                                              \
        0                                                                                          \
    }

const struct argp common_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "General:", 4},
            {"engine", KEY_ENGINE, "NAME", 0,
             "What to work on: auto (default), or an engine that 'semla engines' lists", 0},
            COMMON_OPTIONS},
    .parser = parse_common,
};

const struct argp common_argp_without_engine = {
    .options = (const struct argp_option[]){{NULL, 0, NULL, 0, "General:", 4}, COMMON_OPTIONS},
    .parser = parse_common,
};

int options_parse(const struct argp *argp, int argc, char **argv, const common_options *common,
                  void *input)
{
    static char name[] = "semla"; /* what getopt puts before its messages */
    argv[0] = name;
    if (argp_parse(argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, input) == 0)
        return EXIT_DONE;
    fprintf(stderr, "Try '%s --help' for more information.\n", common->command);
    return EXIT_USAGE;
}
