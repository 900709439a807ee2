/*
 * Runs subcommands on a grid of MPI ranks: creates the context, agrees on exit statuses and prints
 * the traffic. Without MPI in the build, these functions serve one process.
 */
#include "cli/grid_ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/timeout.h"

int grid_exit(sl_context *ctx, int exit_status)
{
    const bool failing = exit_status != EXIT_DONE;
    sl_status all = sl_agree(ctx, failing ? SL_INVALID : SL_OK);
    if (all != SL_OK && !failing)
        return failed("failed on another rank of the grid");
    return all == SL_OK ? EXIT_DONE : exit_status;
}

#ifdef SEMLA_HAS_MPI

#include <semla/mpi_module.h>

/* The number of processes that MPI has started; grid_begin has loaded the module. */
static int count_ranks(void)
{
    int rank, ranks;
    sl_mpi_load(NULL)->place(&rank, &ranks);
    return ranks;
}

/* Reports why the grid was not created, by the first rank that knows a reason. Collective. */
static int explain_failure(sl_status status, sl_engine_choice engine)
{
    const sl_mpi_module *mpi = sl_mpi_load(NULL);
    char obstacle[CONTEXT_OBSTACLE];
    int rank, ranks;
    mpi->place(&rank, &ranks);
    const bool mine = context_obstacle(obstacle, sizeof obstacle, engine);
    const int first = mpi->least(mine ? rank : ranks);
    if (first == ranks)
        return failed("cannot create the grid context: %s", sl_status_string(status));
    mpi->broadcast(obstacle, sizeof obstacle, first);
    return failed("rank %d: %s", first, obstacle);
}

static int open_grid(sl_context **ctx, const grid_options *grid, sl_engine_choice engine)
{
    const int ranks = count_ranks();
    if (grid->rows && (long)grid->rows * grid->cols != ranks)
        return failed("--grid %dx%d needs %ld rank%s, but MPI started %d; use mpirun -n %ld",
                      grid->rows, grid->cols, (long)grid->rows * grid->cols,
                      (long)grid->rows * grid->cols == 1 ? "" : "s", ranks,
                      (long)grid->rows * grid->cols);
    sl_status status = sl_grid_context_create_world(ctx, grid->rows, grid->cols, engine);
    if (status != SL_OK)
        return explain_failure(status, engine);
    timeout_watch(*ctx);
    return EXIT_DONE;
}

bool grid_next(grid_options *grid)
{
    const int ranks = count_ranks();
    do
        grid->rows++;
    while (grid->rows <= ranks && ranks % grid->rows);
    grid->cols = grid->rows <= ranks ? ranks / grid->rows : 0;
    return grid->cols > 0;
}

grid_mpi grid_describe_mpi(void)
{
    sl_mpi_info info;
    sl_mpi_describe(&info);
    return (grid_mpi){.library = info.library, .absence = info.unavailable_reason};
}

/* Entry number *position of the traffic of searches, or the next one; that of other operations is left
 * out: they prepare and check searches. False: there are no more. */
static bool next_traffic(sl_grid_traffic *t, const sl_context *ctx, size_t *position)
{
    static const char *const others[] = {"operand", "mask", "result", "tuples", "blocks"};
    for (;; ++*position) {
        bool of_search = true;
        if (sl_grid_get_traffic(t, ctx, *position) != SL_OK)
            return false;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            of_search &= strcmp(t->phase, others[k]) != 0;
        if (of_search)
            return true;
    }
}

/* Sums over all phases. The library reports one entry per phase and codec, and each entry has the
 * seconds, and the bytes by way of the hosts, of its whole phase. */
typedef struct {
    double seconds, host_bytes;
} phase_sums;

static phase_sums sum_phases(const sl_context *ctx)
{
    sl_grid_traffic t;
    const char *phase = "";
    phase_sums sums = {0, 0};
    for (size_t k = 0; next_traffic(&t, ctx, &k); k++) {
        if (strcmp(t.phase, phase) == 0)
            continue;
        sums.seconds += t.seconds;
        sums.host_bytes += (double)t.host_bytes;
        phase = t.phase;
    }
    return sums;
}

void grid_print_traffic(const sl_context *ctx, double seconds)
{
    sl_grid_info info;
    sl_grid_traffic t;
    const char *phase = "";
    if (sl_grid_describe(&info, ctx) != SL_OK)
        return;
    printf("grid:                       %dx%d\n", info.rows, info.cols);
    printf("transport:                  %s\n", info.transport);
    const phase_sums sums = sum_phases(ctx);
    printf("kernel_time:                %.10g\n", fmax(seconds - sums.seconds, 0));
    printf("exchange_time:              %.10g\n", sums.seconds);
    printf("received_by_hosts:          %.0f\n", sums.host_bytes);
    for (size_t k = 0; next_traffic(&t, ctx, &k); k++) {
        char name[64];
        if (t.seconds > 0 && strcmp(t.phase, phase) != 0) {
            snprintf(name, sizeof name, "exchange_time_%s:", t.phase);
            printf("%-27s %.10g\n", name, t.seconds);
        }
        phase = t.phase;
        if (t.bytes == 0)
            continue;
        snprintf(name, sizeof name, "received_%s_%s:", t.phase, t.codec);
        printf("%-27s %llu\n", name, (unsigned long long)t.bytes);
    }
}

void grid_json_traffic(cJSON *root, const sl_context *ctx, double seconds)
{
    sl_grid_info info;
    sl_grid_traffic t;
    if (sl_grid_describe(&info, ctx) != SL_OK)
        return;
    const phase_sums sums = sum_phases(ctx);
    cJSON *grid = cJSON_AddObjectToObject(root, "grid");
    cJSON *traffic = cJSON_AddArrayToObject(grid, "received");
    if (!cJSON_AddNumberToObject(grid, "rows", info.rows) ||
        !cJSON_AddNumberToObject(grid, "columns", info.cols) ||
        !cJSON_AddStringToObject(grid, "transport", info.transport) ||
        !cJSON_AddNumberToObject(grid, "kernel_time", fmax(seconds - sums.seconds, 0)) ||
        !cJSON_AddNumberToObject(grid, "exchange_time", sums.seconds) ||
        !cJSON_AddNumberToObject(grid, "received_by_hosts", sums.host_bytes))
        out_of_memory();
    for (size_t k = 0; next_traffic(&t, ctx, &k); k++) {
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

static int open_grid(sl_context **ctx, const grid_options *grid, sl_engine_choice engine)
{
    return failed("--grid needs MPI, and this semla was built without it");
}

bool grid_next(grid_options *grid)
{
    return false;
}

grid_mpi grid_describe_mpi(void)
{
    return (grid_mpi){.library = "", .absence = "built without MPI"};
}

void grid_print_traffic(const sl_context *ctx, double seconds)
{
}

void grid_json_traffic(cJSON *root, const sl_context *ctx, double seconds)
{
}

#endif

int grid_context_open(sl_context **ctx, const common_options *o)
{
    const int exit_status =
        o->grid.given ? open_grid(ctx, &o->grid, o->engine) : context_open(ctx, o->engine);
    return exit_status == EXIT_DONE ? context_limit(ctx, o) : exit_status;
}
