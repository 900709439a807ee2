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
#include <string.h>

#include "generator.h"
#include "grid_bfs_run.h"
#include "group_search.h"
#include "launch.h"
#include "multi_gpu_tuning.h"
#include "switches.h"

/* The sums over all processes after each level. */
typedef struct {
    uint64_t vertices, edges, examined, failed; /* of the new frontier; ranks that failed */
    uint64_t settled, settled_edges, isolated;  /* at first */
} level_sums;
enum { LEVEL_SUMS = sizeof(level_sums) / sizeof(uint64_t) };

/* ---- preparation -------------------------------------------------------------------------------- */

static sl_status allocate(cuda_grid_run *r)
{
    cuda_grid_part *part = r->part;
    grid_bfs *s = &r->s;
    const uint64_t R = part->grid->rows, C = part->grid->cols, longest = R > C ? R : C;
    const uint64_t targets = part->targets / 8, sources = part->sources / 8, own = part->stride / 8;
    const uint64_t listed = part->sources > part->stride ? part->sources : part->stride;
    const cuda_array arrays[] = {{&s->frontier, sources},
                                 {&s->visited, targets},
                                 {&s->previous, targets},
                                 {&s->found, targets},
                                 {&s->arrived, longest * own},
                                 {&s->parent, part->targets * sizeof *s->parent},
                                 {&s->own_visited, own},
                                 {&s->own_next, own},
                                 {&s->own_reached, own},
                                 {&s->own_depth, part->stride * sizeof *s->own_depth},
                                 {&s->own_column, part->stride * sizeof *s->own_column},
                                 {&s->list, listed * sizeof *s->list},
                                 {&s->ends, part->sources * sizeof *s->ends},
                                 {&s->counts, sizeof *s->counts},
                                 {&s->slice_counts, C * sizeof *s->slice_counts}};
    return sl_cuda_arena_arrays(r->call->ctx, &part->workspace, arrays,
                                sizeof arrays / sizeof *arrays);
}

static void set_graph(cuda_grid_run *r)
{
    const cuda_grid_part *part = r->part;
    r->s = (grid_bfs){.rows = part->grid->rows,
                      .cols = part->grid->cols,
                      .i = part->grid->i,
                      .j = part->grid->j,
                      .stride = part->stride,
                      .words = part->words,
                      .own_n = part->own_n,
                      .own_with_edges = part->own_with_edges,
                      .out_start = part->out_start,
                      .in_start = part->in_start,
                      .out_index = part->out_index,
                      .in_index = part->in_index,
                      .no_in_edges = part->no_in_edges,
                      .row_of_source = part->row_of_source,
                      .own_id = part->own_id,
                      .own_degree = part->own_degree,
                      .first_vertex = part->first_vertex,
                      .word_degree = part->word_degree,
                      .edge_bits = sl_cuda_bits_for(part->edges + 1)};
}

/* Costs of a level as one device has them, times the processes that do the same work: every row of
 * the frontier is looked up by the R processes of a column; a target is searched by the C of a row. */
static void set_policy(cuda_grid_run *r, const cuda_switches *on)
{
    const double columns = r->part->grid->cols;
    r->policy = on->policy;
    r->policy.row = (double)GROUP_ROW_COST * r->part->grid->rows;
    r->policy.edge *= columns;
    r->policy.vertex *= columns;
    r->policy.bit *= columns;
}

static void set_vectors(cuda_grid_run *r)
{
    const sl_traversal *t = r->call->traversal;
    const bool parents = r->call->semiring->result_is_index;
    r->pi = cuda_vector_of(t->pi);
    r->vectors = (grid_bfs_vectors){
        .pi = r->pi->bits,
        .q = cuda_vector_of(t->q)->bits,
        .parent = {parents ? r->pi->values : NULL, t->pi->type == SL_INT32},
        .reached = parents ? NULL : r->pi->values,
    };
    if (!r->options->level)
        return;
    sl_object *level = sl_object_of_vector(r->options->level);
    r->level = cuda_vector_of(level);
    r->vectors.level_bits = r->level->bits;
    r->vectors.level = (cuda_integers){r->level->values, level->type == SL_INT32};
}

static sl_status migrate_vectors(const sl_traversal *t)
{
    sl_object *const vectors[] = {t->pi, t->q, sl_object_of_vector(t->options->level)};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (vectors[k])
            CUDA_TRY(sl_cuda_group_migrate_vector(vectors[k]));
    return SL_OK;
}

static sl_status prepare(cuda_grid_run *r)
{
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, r->call->ctx));
    CUDA_TRY(migrate_vectors(r->call->traversal));
    set_graph(r);
    set_policy(r, &on);
    set_vectors(r);
    r->s.hub_words = on.hubs ? sl_cuda_bfs_hub_words(r->part->sources / 32) : 0;
    for (int k = 0; k < ELL_SLOTS && on.ell; k++)
        r->s.slot[k] = r->part->slot[k];
    r->boxes = sl_cuda_grid_boxes(r->part);
    CUDA_TRY(allocate(r));
    if (!r->call->semiring->result_is_index)
        r->s.parent = NULL;
    if (r->part->grid->cols == 1 || !r->s.parent)
        r->s.own_column = NULL;
    if (!r->level)
        r->s.own_depth = NULL;
    return SL_OK;
}

/* ---- levels --------------------------------------------------------------------------------------- */

/* Adds up the counts of this process, which are read from the device, and those of the others. */
static level_sums sum_counts(cuda_grid_run *r, bool pulled)
{
    sl_context *ctx = r->call->ctx;
    grid_bfs_counts own = {.vertices = 0};
    GRID_DO(r, sl_cuda_download(ctx, &r->part->counts->level, r->s.counts, sizeof own));
    GRID_DO(r, sl_cuda_decode_end(&r->part->codec, ctx)); /* waits, also for the counts */
    GRID_DO(r, r->part->grid->interrupted(r->part->grid));
    if (r->status == SL_OK)
        own = r->part->counts->level;
    r->own_new = own.vertices;
    r->own_settled = own.settled;
    const unsigned long long walked = own.next & (((unsigned long long)1 << r->s.edge_bits) - 1);
    level_sums sums = {.vertices = own.vertices,
                       .edges = own.edges,
                       .examined = pulled ? own.pull.examined : walked,
                       .failed = r->status != SL_OK,
                       .settled = own.settled,
                       .settled_edges = own.settled_edges,
                       .isolated = own.isolated};
    const sl_status status =
        r->part->grid->reduce(r->part->grid, (uint64_t *)&sums, LEVEL_SUMS, false);
    cuda_grid_keep(r, status);
    sums.failed += status != SL_OK;
    return sums;
}

static void empty_counts(cuda_grid_run *r)
{
    GRID_DO(r, sl_cuda_zero(r->call->ctx, r->s.counts, sizeof *r->s.counts));
}

/* Initialises the arrays, and shares the first frontier and the vertices visited before. */
static level_sums begin(cuda_grid_run *r)
{
    sl_context *ctx = r->call->ctx;
    cuda_grid_part *part = r->part;
    const uint64_t own = part->stride / 8, targets = part->targets / 8;
    GRID_DO(r, sl_cuda_decode_begin(&part->codec, ctx));
    empty_counts(r);
    GRID_DO(r, sl_cuda_zero(ctx, r->s.own_visited, own));
    GRID_DO(r, sl_cuda_zero(ctx, r->s.own_next, own));
    GRID_DO(r, sl_cuda_copy(ctx, r->s.visited, part->no_in_edges, targets));
    GRID_DO(r, sl_cuda_zero(ctx, r->s.own_reached, own));
    GRID_LAUNCH(r, "begin",
                sl_cuda_grid_bfs_begin(&r->s, &r->vectors, cuda_processors(), cuda_stream()));
    GRID_LAUNCH(r, "merge_bits",
                sl_cuda_merge_bits(r->s.visited + (uint64_t)part->grid->j * part->words,
                                   r->s.own_visited, part->stride, cuda_processors(),
                                   cuda_stream()));
    const level_sums sums = sum_counts(r, false);
    sl_cuda_grid_share(r, r->s.own_visited, r->own_settled);
    sl_cuda_grid_expand(r, r->own_new, false);
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
    const cuda_grid_part *part = r->part;
    empty_counts(r);
    if (pulls) {
        GRID_LAUNCH(r, "pull", sl_cuda_grid_bfs_pull(&r->s, cuda_processors(), cuda_stream()));
    } else {
        GRID_DO(r, sl_cuda_zero(r->call->ctx, r->s.found, part->targets / 8));
        GRID_LAUNCH(r, "push", sl_cuda_grid_bfs_push(&r->s, cuda_processors(), cuda_stream()));
    }
    sl_cuda_grid_fold(r);
    GRID_LAUNCH(r, "settle",
                sl_cuda_grid_bfs_settle(&r->s, (uint32_t)level, cuda_processors(), cuda_stream()));
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
    sl_level_counts counts = {.vertices = (double)r->part->all_vertices,
                              .edges = (double)r->part->all_edges,
                              .unvisited = (double)(r->part->all_vertices - now.settled),
                              .unvisited_edges =
                                  less((double)r->part->all_edges, (double)now.settled_edges)};
    now.vertices += now.isolated;
    for (uint64_t level = 1; level <= most && now.vertices > 0 && now.failed == 0; level++) {
        counts.frontier = (double)now.vertices;
        counts.frontier_edges = (double)now.edges;
        const bool pulls = next_pulls(r, &counts);
        sl_iteration done = {
            .direction = pulls ? SL_PULL : SL_PUSH, .edges_exact = true, .frontier = now.vertices};
        now = run_level(r, level, pulls);
        if (now.failed == 0 && now.vertices > 0 && level < most)
            sl_cuda_grid_expand(r, r->own_new, true);
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
    if (r->vectors.parent.values)
        sl_cuda_grid_fetch_parents(r);
    GRID_LAUNCH(r, "results",
                sl_cuda_grid_bfs_results(&r->s, &r->vectors, cuda_processors(), cuda_stream()));
    GRID_DO(r, sl_cuda_decode_end(&r->part->codec, r->call->ctx)); /* waits for the results */
}

/* How many entries the outputs have is counted when it is asked for. */
static void finish_outputs(cuda_grid_run *r)
{
    cuda_vector *const written[] = {r->pi, r->level};
    for (size_t k = 0; k < 2; k++)
        if (written[k]) {
            sl_cuda_drop_frontier_list(written[k]);
            written[k]->nvals = CUDA_UNKNOWN;
        }
}

sl_status sl_cuda_grid_part_search(void *made, sl_call *call, sl_device_grid_report *report)
{
    cuda_grid_part *part = made;
    const uint32_t R = part->grid->rows, C = part->grid->cols;
    cuda_grid_run r = {.part = part,
                       .call = call,
                       .options = call->traversal->options,
                       .sent = part->parcels,
                       .received = part->parcels + (R > C ? R : C),
                       .report = report};
    CUDA_TRY(sl_cuda_grid_links_choose(part->links, call->ctx));
    report->transport = part->links->transport->name;
    sl_cuda_lock();
    r.status = cuda_grid_agree(part->grid, prepare(&r));
    if (r.status == SL_OK) {
        if (all_levels(&r))
            write_results(&r);
        r.status = cuda_grid_agree(part->grid, r.status);
        finish_outputs(&r);
    }
    sl_cuda_unlock();
    return r.status;
}
