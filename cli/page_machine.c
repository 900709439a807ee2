/* The machine in a report: its parts, versions, the speed of its memory, and the traffic of a grid. */
#include <math.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/machine.h"
#include "cli/page.h"

#ifdef SEMLA_HAS_MPI
#include <semla/dist.h>
#endif

static void add_version(cJSON *versions, const char *name, const char *version)
{
    cJSON *o = json_object(versions, NULL);
    json_text(o, "name", name);
    json_text(o, "version", version);
}

void page_add_machine(cJSON *root)
{
    const machine m = machine_describe();
    cuda_driver driver;
    library_version libraries[MACHINE_LIBRARIES];
    sl_engine_info engine;
    machine_cuda(&driver);
    cJSON *o = json_object(root, "machine");
    json_text(o, "host", m.host);
    json_text(o, "system", m.system);
    json_text(o, "processor", m.processor);
    json_integer(o, "processors", m.processors);
    json_integer(o, "threads", m.threads);
    json_count(o, "memory", m.memory);
    cJSON *gpus = json_array(o, "gpus");
    for (int k = 0; k < driver.gpus && k < MACHINE_MOST_GPUS; k++) {
        cJSON *gpu = json_object(gpus, NULL);
        json_text(gpu, "name", driver.gpu[k].name);
        json_count(gpu, "memory", driver.gpu[k].memory);
    }

    cJSON *versions = json_array(root, "versions");
    add_version(versions, "semla", sl_version());
    for (size_t k = 0; sl_engine_describe(k, &engine) == SL_OK; k++)
        if (engine.present && *engine.version)
            add_version(versions, engine.name, engine.version);
    if (!grid_describe_mpi().absence)
        add_version(versions, "MPI", grid_describe_mpi().library);
    machine_libraries(libraries);
    for (int k = 0; k < MACHINE_LIBRARIES; k++)
        add_version(versions, libraries[k].name, libraries[k].version);
}

/* ---- the speed of memory ------------------------------------------------- */

enum { VECTOR_SIZE = 1 << 25, RUNS = 5 }; /* 256 MiB of int64 */

/* Makes a vector of different values: its own indices. */
static sl_status make_vector(sl_vector **v, sl_context *ctx)
{
    sl_status status = sl_vector_new(v, ctx, SL_INT64, VECTOR_SIZE);
    if (status == SL_OK)
        status =
            sl_vector_assign_scalar(*v, NULL, NULL, sl_scalar_int64(0), SL_ALL, VECTOR_SIZE, NULL);
    if (status == SL_OK)
        status =
            sl_vector_apply_index(*v, NULL, NULL, SL_ROWINDEX_INT64, *v, sl_scalar_int64(1), NULL);
    return status;
}

sl_status page_add_bandwidth(cJSON *root, double *bytes_per_second, sl_context *ctx)
{
    sl_vector *v = NULL;
    sl_scalar sum;
    double best = INFINITY;
    sl_status status = make_vector(&v, ctx);
    for (int k = 0; status == SL_OK && k < RUNS; k++) {
        const double start = seconds_now();
        status = sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, v);
        best = fmin(best, seconds_now() - start);
    }
    sl_vector_free(v);
    if (status != SL_OK)
        return status;
    *bytes_per_second = 8.0 * VECTOR_SIZE / best;
    cJSON *o = json_object(root, "bandwidth");
    json_number(o, "bytes_per_second", *bytes_per_second);
    json_text(o, "engine", sl_context_engine(ctx, 0));
    return SL_OK;
}

/* ---- the traffic of a grid --------------------------------------------------- */

#ifdef SEMLA_HAS_MPI

enum { MOST_ENTRIES = 64 };

void page_reset_traffic(sl_context *ctx)
{
    sl_grid_reset_traffic(ctx);
}

/* The traffic that one rank sends to the others. The texts of sl_grid_traffic are static, but other
 * processes have theirs elsewhere. */
typedef struct {
    char phase[16], codec[16];
    uint64_t bytes, messages;
    double seconds;
} traffic_entry;
typedef struct {
    uint64_t count;
    traffic_entry entries[MOST_ENTRIES];
} rank_traffic;

static void read_traffic(rank_traffic *r, const sl_context *ctx)
{
    sl_grid_traffic t;
    memset(r, 0, sizeof *r);
    while (r->count < MOST_ENTRIES && sl_grid_get_traffic(&t, ctx, r->count) == SL_OK) {
        traffic_entry *e = &r->entries[r->count++];
        snprintf(e->phase, sizeof e->phase, "%s", t.phase);
        snprintf(e->codec, sizeof e->codec, "%s", t.codec);
        e->bytes = t.bytes;
        e->messages = t.messages;
        e->seconds = t.seconds;
    }
}

static void json_rank(cJSON *ranks, const rank_traffic *r, uint64_t rank, double seconds)
{
    const char *phase = "";
    double exchange = 0;
    cJSON *o = json_object(ranks, NULL);
    json_count(o, "rank", rank);
    cJSON *received = json_array(o, "received");
    for (uint64_t k = 0; k < r->count; k++) {
        const traffic_entry *e = &r->entries[k];
        exchange += strcmp(e->phase, phase) != 0 ? e->seconds : 0; /* of the whole phase */
        phase = e->phase;
        cJSON *entry = json_object(received, NULL);
        json_text(entry, "phase", e->phase);
        json_text(entry, "codec", e->codec);
        json_count(entry, "bytes", e->bytes);
        json_count(entry, "messages", e->messages);
    }
    json_number(o, "exchange_seconds", exchange);
    json_number(o, "kernel_seconds", fmax(seconds - exchange, 0));
}

sl_status page_add_grid(cJSON *root, sl_context *ctx, double seconds)
{
    sl_grid_info info;
    rank_traffic mine, *all = NULL;
    if (sl_grid_describe(&info, ctx) != SL_OK)
        return SL_OK;
    read_traffic(&mine, ctx);
    sl_status status = sl_gather(ctx, SL_OK, (void **)&all, NULL, &mine, sizeof mine);
    if (status != SL_OK)
        return status;
    cJSON *grid = json_object(root, "grid");
    json_integer(grid, "rows", info.rows);
    json_integer(grid, "columns", info.cols);
    json_text(grid, "transport", info.transport);
    cJSON *ranks = json_array(grid, "ranks");
    for (int k = 0; k < info.size; k++)
        json_rank(ranks, &all[k], (uint64_t)k, seconds);
    sl_free(all);
    return SL_OK;
}

#else

void page_reset_traffic(sl_context *ctx)
{
}

sl_status page_add_grid(cJSON *root, sl_context *ctx, double seconds)
{
    return SL_OK;
}

#endif
