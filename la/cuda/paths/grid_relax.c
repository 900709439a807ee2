/*
 * Closures of a grid that relax, as the host drives them: shortest paths bucket by bucket (near and far:
 * Davidson et al., IPDPS 2014), all others by iterations (Bellman 1958, Ford 1956).
 *
 * The values of a vertex are at its owner. Each process has a block of the matrix, keeps the best
 * candidate for each column of the block, and sends a candidate only if it is better. The candidates of
 * its own columns are the values themselves. A round:
 *
 *     take     owners list the waiting vertices whose values are within the limit
 *     agree    a reduction over all processes: whether there are any, failures, the end
 *     expand   the lists go along grid columns, where they become the frontier of the blocks
 *     push     each process relaxes the edges of its block
 *     fold     the candidates of other processes that were improved go along grid rows to their owners
 *     merge    owners take those that improve their values: these vertices wait
 *
 * Every step is one kernel. The host waits twice, for the numbers of vertices in messages. O(rounds) of
 * messages, O(edges relaxed) of work. Shortest paths over mirrored rows have other rounds (grid_paths_rounds.c).
 */
#include "cuda/paths/grid_relax.h"

#include <inttypes.h>
#include <string.h>

#include "cuda/generate/generated_block.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/paths/grid_relax_run.h"
#include "cuda/paths/lengths.h"

/* ---- agreement ---------------------------------------------------------------------------------- */

/* The maxima over all processes. */
typedef struct {
    uint64_t failed;
    uint64_t taken;   /* vertices in the next frontier */
    uint64_t nearest; /* if there are none: the best value that waits, an inverted key */
    uint64_t met;     /* SL_UNTIL_ANY: some process has a target; _ALL: some process lacks one */
    /* sorted lengths: some process has many edges of rows that have not arrived; some process defers vertices until the
     * pull */
    uint64_t unready, defers;
} agreed;
enum { AGREED = sizeof(agreed) / sizeof(uint64_t) };

/* The next frontier of this process, or more of it; `counts` are not read if it has failed. */
static void take(cuda_grid_relax *r, grid_relax_counts *counts, bool more)
{
    r->p.limit = r->limit;
    RELAX_LAUNCH(
        r, "take",
        sl_cuda_grid_relax_take(&r->g, r->values, r->limit, more, sl_cuda_grid_relax_near(r)));
    RELAX_DO(r, sl_cuda_fetch(r->s.call->ctx, "kernel take", counts, r->g.counts, sizeof *counts));
    r->taken = r->status == SL_OK ? counts->taken : 0;
}

static agreed agree(cuda_grid_relax *r)
{
    const sl_device_grid *grid = r->x->grid;
    grid_relax_counts counts = {.taken = 0};
    take(r, &counts, false);
    if (r->status == SL_OK)
        sl_cuda_grid_paths_defer(r, &counts);
    RELAX_DO(r, grid->interrupted(grid));
    agreed all = {.failed = r->status != SL_OK,
                  .taken = counts.taken,
                  .nearest =
                      r->sorted && counts.open > counts.nearest ? counts.open : counts.nearest,
                  .unready = r->sorted && !sl_cuda_grid_paths_are_ready(r, &counts),
                  .defers = r->p.defers,
                  .met = r->options->until == SL_UNTIL_ALL ? counts.targets < r->targets
                                                           : counts.targets > 0};
    const sl_status status = grid->reduce(grid, (uint64_t *)&all, AGREED, true);
    RELAX_DO(r, status);
    all.failed |= status != SL_OK;
    return all;
}

static bool targets_are_met(const cuda_grid_relax *r, const agreed *all)
{
    return r->options->targets && (all->met > 0) == (r->options->until == SL_UNTIL_ANY);
}

/* Raises the limit to the end of the next bucket, whose vertices are added to the frontier. */
static void raise_limit(cuda_grid_relax *r, const agreed *all)
{
    grid_relax_counts counts;
    r->limit = cuda_grid_value_of(all->nearest) + r->width;
    r->advanced = true;
    r->most = 0;
    take(r, &counts, true);
}

/* Whether so few vertices of a bucket are left that the next one begins with them. Not before the pull, which needs a
 * bucket that has ended. */
static bool is_tail(cuda_grid_relax *r, const agreed *all)
{
    r->most = all->taken > r->most ? all->taken : r->most;
    return r->sorted && all->unready && all->nearest > 0 && all->taken > 0 &&
           all->taken < r->most / GRID_PATHS_TAIL;
}

/* The next bucket, if this one has no more vertices; before that the pull, once it pays, or if only
 * deferred vertices are left. */
static void begin_bucket(cuda_grid_relax *r, agreed *all)
{
    if (r->sorted && !r->pulled && (!all->unready || all->nearest == 0)) {
        sl_cuda_grid_paths_pull_round(r);
        *all = agree(r);
    }
    if (!all->failed && all->taken == 0 && all->nearest > 0)
        raise_limit(r, all);
}

/* Agrees on the next frontier. False: the closure ends, or a rank has failed. */
static bool begin_round(cuda_grid_relax *r)
{
    agreed all = agree(r);
    const sl_closure_options *o = r->options;
    if (!all.failed && all.taken == 0 && (all.nearest > 0 || all.defers))
        begin_bucket(r, &all);
    if (all.failed)
        return false;
    if (is_tail(r, &all))
        raise_limit(r, &all);
    if ((all.taken == 0 && all.nearest == 0) || targets_are_met(r, &all) ||
        (o->bounded && r->number > o->max_iterations))
        return false;
    /* A path of as many edges as vertices visits a vertex twice: a cycle improves its vertices. */
    if (!r->buckets && r->number > r->x->vertices)
        RELAX_DO(r, sl_fail(r->s.call->ctx, SL_INVALID,
                            "closure: %s does not converge: entries still improve after %" PRIu64
                            " iterations; the graph has a cycle that improves its own vertices",
                            r->s.call->operators.semiring->name, r->x->vertices));
    return r->buckets || r->number <= r->x->vertices;
}

/* ---- rounds ------------------------------------------------------------------------------------- */

static void run_rounds(cuda_grid_relax *r)
{
    while (begin_round(r)) {
        const double began = sl_seconds();
        sl_cuda_grid_relax_expand(r);
        sl_cuda_grid_relax_push_round(r);
        sl_cuda_grid_relax_fold(r);
        sl_cuda_grid_relax_log(r, began);
        r->values = r->g.own.p.t_values;
        r->number++;
    }
}

/* How many entries the outputs have is counted when it is asked for. */
static void finish_outputs(cuda_grid_relax *r)
{
    cuda_vector *const written[] = {r->pi, r->level};
    for (size_t k = 0; k < 2; k++)
        if (written[k]) {
            sl_cuda_drop_frontier_list(written[k]);
            written[k]->nvals = CUDA_UNKNOWN;
        }
}

/* Sorts the lengths if the closure reads them so. Collective; the ranks agree. */
static sl_status sort_lengths(cuda_grid_relax *r)
{
    const sl_device_grid *grid = r->x->grid;
    double typical = 0;
    uint64_t bits;
    CUDA_TRY(sl_cuda_grid_paths_choose(r));
    if (!r->sorted)
        return SL_OK;
    CUDA_TRY(sl_cuda_grid_paths_sort(r));
    CUDA_TRY(cuda_grid_agree(grid, sl_cuda_grid_paths_prepare(r, &typical)));
    /* Numbers that are not negative have the order of their bits. */
    memcpy(&bits, &typical, sizeof bits);
    CUDA_TRY(cuda_grid_agree(grid, grid->reduce(grid, &bits, 1, true)));
    memcpy(&typical, &bits, sizeof bits);
    sl_cuda_grid_paths_set_width(r, typical);
    return SL_OK;
}

static sl_status open_relaxation(cuda_grid_relax *r, sl_call *call, sl_device_relaxation *x)
{
    uint64_t outbox, inbox;
    *r = (cuda_grid_relax){.s = {.call = call},
                           .x = x,
                           .options = call->traversal->options,
                           .buckets = call->traversal->shortest_paths && x->edges > 0,
                           .number = 1};
    sl_cuda_grid_relax_size(r, &outbox, &inbox);
    return sl_cuda_grid_links_open(&r->links, x->grid, call->ctx, outbox, inbox);
}

static sl_status closure(sl_call *call, sl_device_relaxation *x)
{
    cuda_grid_relax r;
    CUDA_TRY(open_relaxation(&r, call, x));
    r.status = cuda_grid_agree(x->grid, sl_cuda_grid_relax_prepare(&r));
    if (r.status == SL_OK)
        r.status = sort_lengths(&r);
    if (r.status == SL_OK) {
        if (r.mirrored && x->grid->cols > 1 && r.links->transport->mapped)
            sl_cuda_grid_paths_run(&r);
        else
            run_rounds(&r);
        const sl_status written = sl_cuda_grid_paths_finish(&r);
        r.status = cuda_grid_agree(x->grid, r.status == SL_OK ? written : r.status);
    }
    finish_outputs(&r);
    sl_cuda_scratch_release(&r.s);
    return r.status;
}

/* Collective; the ranks agree. */
static sl_status choose_and_sort(cuda_grid_relax *r)
{
    const sl_call *call = r->s.call;
    CUDA_TRY(cuda_grid_agree(r->x->grid, sl_object_migrate(call->a, &sl_store_cuda)));
    CUDA_TRY(sl_cuda_grid_paths_choose(r));
    if (!r->sorted)
        return SL_OK;
    CUDA_TRY(sl_cuda_grid_paths_sort(r));
    /* The first search must not wait for the sort. */
    return cuda_grid_agree(r->x->grid, sl_cuda_wait(call->ctx, "preparation for shortest paths"));
}

/* Frees the entries of generated blocks whose ordered rows leave no room for a search on some rank: closures read the
 * rows, searches generate their graphs. Collective. */
static sl_status save_memory(const cuda_grid_relax *r)
{
    cuda_matrix *A = cuda_matrix_of(r->s.call->a);
    const cuda_generated_block *m = cuda_generated_of(A);
    const bool may = r->sorted && r->mirrored && m && cuda_has_rows(A);
    uint64_t figures[] = {!may, may && !sl_cuda_fits_with_search(m)};
    CUDA_TRY(cuda_grid_agree(r->x->grid, r->x->grid->reduce(r->x->grid, figures, 2, true)));
    if (!figures[0] && figures[1])
        sl_cuda_keep_description(A);
    return SL_OK;
}

static sl_status prepare_paths(sl_call *call, sl_device_relaxation *x)
{
    cuda_grid_relax r;
    CUDA_TRY(open_relaxation(&r, call, x));
    sl_status status = choose_and_sort(&r);
    if (status == SL_OK)
        status = save_memory(&r);
    sl_cuda_scratch_release(&r.s);
    if (status != SL_OK)
        sl_cuda_drop_block_lengths(call);
    return status;
}

/* ---- the table ---------------------------------------------------------------------------------- */

static const char *declines(const sl_call *call)
{
    const sl_semiring semiring = call->operators.semiring;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    if (sl_semiring_is_user_defined(semiring))
        return "user-defined operator";
    if (sl_semiring_settles(semiring))
        return "a semiring that settles";
    if (cuda_kind_of(semiring->multiply) != CUDA_VALUES ||
        cuda_kind_of(semiring->add->op) != CUDA_VALUES)
        return "a function, a comparison or a position multiplies";
    if (call->a->nrows > UINT32_MAX || call->a->ncols > UINT32_MAX)
        return "2^32 rows or columns, or more";
    return A && !cuda_has_rows(A) && !sl_cuda_kept_block_lengths(call)
               ? "the device does not have the entries of the matrix"
               : NULL;
}

const sl_device_relaxations sl_cuda_device_relaxations = {
    .declines = declines,
    .may_use_whole_rows = sl_cuda_grid_may_use_whole_rows,
    .wants_whole_rows = sl_cuda_grid_wants_whole_rows,
    .closure = closure,
    .prepare_paths = prepare_paths,
    .has_predecessors = sl_cuda_grid_has_mirrored_rows,
    .predecessors = sl_cuda_grid_predecessors};
