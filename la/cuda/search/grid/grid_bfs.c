/*
 * Two-dimensional breadth-first search by the devices of a grid, as the host drives it (Bisson et
 * al. 2014, algorithm 2; Ueno and Suzumura 2013).
 *
 * A level: the frontier of each grid column is on all its processes. Each pushes, or pulls, on its
 * block; the vertices reached are folded along the grid row to their owners, which keep those that
 * are new; the owners share these along their rows, so that no process reaches them again, and
 * expand them along their columns. One sum over all processes decides the next direction and the end.
 * Only sets of vertices travel. Parents are fetched at the end.
 */
#include "cuda/search/grid/grid_bfs_run.h"

/* The sums over all processes after each level. */
typedef struct {
    uint64_t vertices, edges, examined, failed; /* of the new frontier; ranks that failed */
    uint64_t settled, settled_edges, isolated;  /* at first */
} level_sums;
enum { LEVEL_SUMS = sizeof(level_sums) / sizeof(uint64_t) };

/* ---- levels --------------------------------------------------------------------------------------- */

static void wait_for_stream(cuda_grid_run *r)
{
    if (r->status != SL_OK)
        return;
    r->status = r->exchange->encodes ? sl_cuda_decode_end(&r->kept->coder, r->call->ctx)
                                     : sl_cuda_wait(r->call->ctx, "a search");
}

/* Adds up the counts of this process, which are read from the device, and those of the others. */
static level_sums sum_counts(cuda_grid_run *r, bool pulled)
{
    sl_context *ctx = r->call->ctx;
    grid_bfs_counts own = {.vertices = 0};
    GRID_DO(r, sl_cuda_download(ctx, &r->kept->counts->level, r->s.counts, sizeof own));
    wait_for_stream(r);
    GRID_DO(r, r->part->grid->interrupted(r->part->grid));
    if (r->status == SL_OK)
        own = r->kept->counts->level;
    r->own_expanded = own.expanded;
    r->own_settled = own.settled;
    const unsigned long long walked = own.next & (((unsigned long long)1 << r->s.edge_bits) - 1);
    level_sums sums = {.vertices = own.vertices,
                       .edges = own.edges,
                       .examined = pulled ? own.pull.examined : walked,
                       .failed = r->status != SL_OK,
                       .settled = own.settled,
                       .settled_edges = own.settled_edges,
                       .isolated = own.isolated};
    const double began = sl_seconds();
    const sl_status status =
        r->part->grid->reduce(r->part->grid, (uint64_t *)&sums, LEVEL_SUMS, false);
    r->report->counts_seconds += sl_seconds() - began;
    cuda_grid_keep(r, status);
    sums.failed += status != SL_OK;
    return sums;
}

/* Selects the arrays that alternate. Settle of a level zeroes the counts of the next one. */
static void set_level(cuda_grid_run *r, uint64_t level)
{
    r->s.own_next = r->next[level % 2];
    r->s.counts = &r->counts[level % 2];
    r->s.next_counts = &r->counts[(level + 1) % 2];
}

/* own_next, of which ids below `limit` are sent, becomes part of the frontier of the column; with
 * `shared` it also becomes visited on the row. */
static void expand(cuda_grid_run *r, uint32_t limit, bool shared)
{
    const sl_device_grid *grid = r->part->grid;
    shared = shared && grid->cols > 1;
    if (shared || grid->rows > 1)
        r->exchange->expand(r, limit, shared);
    if (grid->rows == 1)
        r->s.frontier = r->s.own_next;
    else
        GRID_LAUNCH(r, "spread", sl_cuda_grid_bfs_spread(&r->s, r->sets, limit / 32));
}

/* Initialises the arrays, and shares the first frontier and the vertices visited before. */
static level_sums begin(cuda_grid_run *r)
{
    set_level(r, 0);
    if (r->exchange->encodes)
        GRID_DO(r, sl_cuda_decode_begin(&r->kept->coder, r->call->ctx));
    GRID_LAUNCH(r, "begin", sl_cuda_grid_bfs_begin(&r->s, &r->to));
    const level_sums sums = sum_counts(r, false);
    if (sums.failed > 0)
        return sums;
    if (r->part->grid->cols > 1)
        r->exchange->share_visited(r);
    expand(r, r->part->stride, false);
    return sums;
}

static bool next_pulls(const cuda_grid_run *r, const sl_level_counts *counts)
{
    if (r->options->direction != SL_AUTO)
        return r->options->direction == SL_PULL;
    return sl_next_level_pulls(counts, &r->policy);
}

/* One level; its sums. */
static level_sums run_level(cuda_grid_run *r, uint64_t level, bool pulls)
{
    set_level(r, level);
    if (pulls)
        GRID_LAUNCH(r, "pull", sl_cuda_grid_bfs_pull(&r->s));
    else
        GRID_LAUNCH(r, "push", sl_cuda_grid_bfs_push(&r->s));
    if (r->part->grid->cols > 1)
        r->exchange->fold(r, SL_GRID_FOLD);
    GRID_LAUNCH(r, "settle", sl_cuda_grid_bfs_settle(&r->s, r->sets, (uint32_t)level));
    return sum_counts(r, pulls);
}

static void log_level(cuda_grid_run *r, const sl_iteration *level)
{
    if (r->options->log && sl_iteration_log_append(r->options->log, level) != SL_OK)
        cuda_grid_keep(r, sl_fail(r->call->ctx, SL_NO_MEMORY,
                                  "closure: out of memory for the log of iterations"));
}

static double less(double a, double b)
{
    return a > b ? a - b : 0;
}

/* Runs the levels; false if a rank has failed. */
static bool all_levels(cuda_grid_run *r)
{
    double began = sl_seconds();
    level_sums now = begin(r);
    const uint64_t most = r->options->bounded ? r->options->max_iterations : UINT64_MAX;
    sl_level_counts counts = {.vertices = (double)r->part->all.vertices,
                              .edges = (double)r->part->all.edges,
                              .unvisited = (double)(r->part->all.vertices - now.settled),
                              .unvisited_edges =
                                  less((double)r->part->all.edges, (double)now.settled_edges)};
    now.vertices += now.isolated;
    for (uint64_t level = 1; level <= most && now.vertices > 0 && now.failed == 0; level++) {
        counts.frontier = (double)now.vertices;
        counts.frontier_edges = (double)now.edges;
        const bool pulls = next_pulls(r, &counts);
        sl_iteration done = {
            .direction = pulls ? SL_PULL : SL_PUSH, .edges_exact = true, .frontier = now.vertices};
        now = run_level(r, level, pulls);
        if (now.failed == 0 && now.vertices > 0 && level < most)
            expand(r, r->part->expanded, true);
        done.edges = now.examined;
        done.seconds = sl_seconds() - began;
        began += done.seconds;
        log_level(r, &done);
        counts.last_frontier = counts.frontier;
        counts.last_edges = counts.frontier_edges;
        counts.pulling = pulls;
        counts.unvisited = less(counts.unvisited, (double)now.vertices);
        counts.unvisited_edges = less(counts.unvisited_edges, (double)now.edges);
    }
    return now.failed == 0;
}

/* ---- the end ------------------------------------------------------------------------------------- */

static void write_results(cuda_grid_run *r)
{
    if (r->to.parent.values)
        sl_cuda_grid_fetch_parents(r);
    GRID_LAUNCH(r, "results", sl_cuda_grid_bfs_results(&r->s, &r->to));
    wait_for_stream(r);
}

sl_status sl_cuda_grid_part_search(void *made, sl_call *call, sl_device_search_report *report)
{
    cuda_grid_part *kept = made;
    cuda_part *part = kept->part;
    const uint32_t R = part->grid->rows, C = part->grid->cols;
    cuda_grid_run r = {.kept = kept,
                       .part = part,
                       .call = call,
                       .options = call->traversal->options,
                       .sent = kept->parcels,
                       .received = kept->parcels + (R > C ? R : C),
                       .sets = kept->sets,
                       .report = report};
    const cuda_grid_boxes boxes = sl_cuda_grid_boxes(part);
    CUDA_TRY(sl_cuda_grid_links_reopen(part->links, call->ctx, boxes.outbox, boxes.inbox));
    report->transport = part->links->transport->name;
    sl_status status = sl_cuda_search_vectors_open(&r.vectors, call);
    const bool opened = status == SL_OK;
    if (status == SL_OK)
        status = sl_cuda_grid_prepare(&r);
    if (status == SL_OK)
        status = sl_cuda_wait(call->ctx, "work before a search");
    /* From here on all outboxes may be written: no process still reads messages of operations. */
    r.status = cuda_grid_agree(part->grid, status);
    if (r.status == SL_OK) {
        if (all_levels(&r))
            write_results(&r);
        r.status = cuda_grid_agree(part->grid, r.status);
    }
    if (opened) /* how many entries there are is counted when it is asked for */
        sl_cuda_search_vectors_close(&r.vectors, r.status, CUDA_UNKNOWN, CUDA_UNKNOWN);
    return r.status;
}
