#include "grid.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

enum { KEY_GRID = 0x200 };

/* Reads "2x3", or "auto". */
static bool parse_grid(grid_options *grid, const char *text)
{
    char *end;
    grid->given = true;
    grid->rows = grid->cols = 0;
    if (strcmp(text, "auto") == 0)
        return true;
    if (!isdigit((unsigned char)text[0]))
        return false;
    const long rows = strtol(text, &end, 10);
    if (*end != 'x' || !isdigit((unsigned char)end[1]))
        return false;
    const long cols = strtol(end + 1, &end, 10);
    const long most = 1 << 20;
    if (*end != '\0' || rows < 1 || cols < 1 || rows > most || cols > most)
        return false;
    grid->rows = (int)rows;
    grid->cols = (int)cols;
    return true;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    if (key != KEY_GRID)
        return ARGP_ERR_UNKNOWN;
    if (parse_grid(state->input, argument))
        return 0;
    return usage_error("--grid takes ROWSxCOLS or auto, not '%s'", argument);
}

const struct argp grid_argp = {
    .options =
        (const struct argp_option[]){
            {"grid", KEY_GRID, "RxC", 0,
             "Work on a grid of MPI ranks, under mpirun: rows x columns, or auto", 3},
            {0}},
    .parser = parse,
};

#ifdef SEMLA_HAS_MPI

#include <semla/dist.h>

static void finish(void)
{
    MPI_Finalize();
}

void grid_begin(int argc, char **argv)
{
    bool asked = false;
    int rank = 0;
    for (int k = 1; k < argc; k++)
        asked |= strncmp(argv[k], "--grid", strlen("--grid")) == 0;
    if (!asked)
        return;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS || atexit(finish) != 0)
        exit(failed("MPI could not be started"));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0 && !output_silence())
        exit(EXIT_FAILED);
}

int grid_context_open(sl_context **ctx, const grid_options *grid, sl_engine_choice engine)
{
    if (!grid->given)
        return context_open(ctx, engine);
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (grid->rows && (long)grid->rows * grid->cols != ranks)
        return failed(
            "a grid of %dx%d takes %ld ranks, but there are %d: run it under mpirun -n %ld",
            grid->rows, grid->cols, (long)grid->rows * grid->cols, ranks,
            (long)grid->rows * grid->cols);
    sl_status status = sl_grid_context_create(ctx, MPI_COMM_WORLD, grid->rows, grid->cols, engine);
    if (status != SL_OK)
        return failed("the grid could not be set up: %s", sl_status_string(status));
    return EXIT_DONE;
}

/* Rank 0's entries as an array with SL_UNREACHED where there is none. */
static sl_status spread(int64_t *array, uint64_t size, const sl_arrays *gathered)
{
    for (uint64_t i = 0; i < size; i++)
        array[i] = SL_UNREACHED;
    for (uint64_t k = 0; k < gathered->nvals; k++)
        array[gathered->rows[k]] = ((const int64_t *)gathered->values)[k];
    return SL_OK;
}

sl_status grid_search_array(int64_t **array, const sl_vector *v)
{
    sl_context *ctx = sl_vector_context(v);
    if (sl_context_processes(ctx) == 1)
        return sl_search_array(array, v);
    enum { AT_ONCE = 1 << 28 }; /* elements that one call of MPI takes */
    const uint64_t size = sl_vector_size(v);
    sl_arrays gathered;
    *array = NULL;
    sl_status status = sl_grid_gather_vector(&gathered, v, 0);
    if (status != SL_OK)
        return status;
    *array = sl_malloc((size + 1) * sizeof **array);
    status = sl_agree(ctx, *array ? spread(*array, size, &gathered)
                                  : sl_fail(ctx, SL_NO_MEMORY, "no memory for %llu vertices",
                                            (unsigned long long)size));
    sl_arrays_free(&gathered);
    for (uint64_t at = 0; status == SL_OK && at < size; at += AT_ONCE)
        MPI_Bcast(*array + at, (int)(size - at < AT_ONCE ? size - at : AT_ONCE), MPI_INT64_T, 0,
                  MPI_COMM_WORLD);
    if (status != SL_OK) {
        sl_free(*array);
        *array = NULL;
    }
    return status;
}

void grid_print_traffic(const sl_context *ctx)
{
    sl_grid_info info;
    sl_grid_traffic t;
    if (sl_grid_describe(&info, ctx) != SL_OK)
        return;
    printf("grid:                       %dx%d\n", info.rows, info.cols);
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++) {
        char name[64];
        if (t.bytes == 0)
            continue;
        snprintf(name, sizeof name, "received_%s_%s:", t.phase, t.codec);
        printf("%-27s %llu\n", name, (unsigned long long)t.bytes);
    }
}

void grid_json_traffic(cJSON *root, const sl_context *ctx)
{
    sl_grid_info info;
    sl_grid_traffic t;
    if (sl_grid_describe(&info, ctx) != SL_OK)
        return;
    cJSON *grid = cJSON_AddObjectToObject(root, "grid");
    cJSON *traffic = cJSON_AddArrayToObject(grid, "received");
    if (!cJSON_AddNumberToObject(grid, "rows", info.rows) ||
        !cJSON_AddNumberToObject(grid, "columns", info.cols))
        out_of_memory();
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++) {
        cJSON *entry = cJSON_CreateObject();
        if (!cJSON_AddStringToObject(entry, "phase", t.phase) ||
            !cJSON_AddStringToObject(entry, "codec", t.codec) ||
            !cJSON_AddNumberToObject(entry, "bytes", (double)t.bytes) ||
            !cJSON_AddNumberToObject(entry, "messages", (double)t.messages) ||
            !cJSON_AddNumberToObject(entry, "seconds", t.seconds) ||
            !cJSON_AddItemToArray(traffic, entry))
            out_of_memory();
    }
}

#else

sl_status grid_search_array(int64_t **array, const sl_vector *v)
{
    return sl_search_array(array, v);
}

void grid_begin(int argc, char **argv)
{
}

int grid_context_open(sl_context **ctx, const grid_options *grid, sl_engine_choice engine)
{
    if (grid->given)
        return failed("this semla was built without MPI, which --grid takes");
    return context_open(ctx, engine);
}

void grid_print_traffic(const sl_context *ctx)
{
}

void grid_json_traffic(cJSON *root, const sl_context *ctx)
{
}

#endif
