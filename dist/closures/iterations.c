/*
 * A closure by iterations. The ranks agree once before each iteration: on their status, on whether a
 * frontier has entries on some rank, and on whether targets are reached. An iteration exchanges the
 * frontier along grid columns and the products along grid rows (products.c).
 */
#include "dist/closures/closures.h"

#include "dist/closures/near_far.h"
#include "dist/exchange/transport.h"

#include <inttypes.h>

/* One closure. Vectors are objects of the grid. */
typedef struct {
    sl_grid_traversal traversal;
    const sl_closure_options *options;
    sl_grid *grid;
    uint64_t vertices;
    sl_object frontier;         /* of the next iteration; owned */
    sl_vector *reached_targets; /* scratch, a block; owned */
    uint64_t targets;           /* in this rank's block */
    uint64_t number;            /* of the next iteration, from 1 */
    sl_progress progress;       /* iterations */
    uint64_t products;          /* of the frontier, estimated: on the rank that has the most */
} closure;

static sl_status open_closure(closure *c, sl_call *call)
{
    const sl_traversal *t = call->traversal;
    sl_vector *frontier;
    *c = (closure){.options = t->options,
                   .grid = sl_grid_of(call->ctx),
                   .vertices = call->a->nrows,
                   .number = 1,
                   .progress.operation = "closure"};
    SL_TRY(sl_grid_traversal_open(&c->traversal, t->pi, call));
    SL_TRY_LOCAL(c->grid, sl_vector_dup(&frontier, sl_block_vector(t->q)));
    SL_TRY(sl_grid_vector_make(&c->frontier, t->pi, t->pi->type, frontier));
    if (!c->options->targets)
        return SL_OK;
    const sl_vector *targets = sl_block_vector(sl_object_of_vector(c->options->targets));
    SL_TRY_LOCAL(c->grid, sl_vector_nvals(&c->targets, targets));
    SL_TRY_LOCAL(c->grid, sl_vector_new(&c->reached_targets, c->grid->local, SL_BOOL,
                                        sl_vector_size(targets)));
    return SL_OK;
}

static void close_closure(closure *c)
{
    sl_vector_free(c->reached_targets);
    sl_grid_vector_free(&c->frontier);
    sl_grid_traversal_close(&c->traversal);
}

/* Whether a target of this rank is reached (SL_UNTIL_ANY), or all of them (SL_UNTIL_ALL). */
static sl_status examine_targets(bool *met, closure *c)
{
    const sl_vector *targets = c->options->targets;
    uint64_t reached;
    *met = false;
    if (!targets)
        return SL_OK;
    SL_TRY_LOCAL(c->grid, sl_vector_ewise_mult(c->reached_targets, NULL, NULL,
                                               sl_binary_op_get(SL_BINARY_PAIR, SL_BOOL),
                                               sl_block_vector(sl_object_of_vector(targets)),
                                               sl_block_vector(c->traversal.pi), NULL));
    SL_TRY_LOCAL(c->grid, sl_vector_nvals(&reached, c->reached_targets));
    *met = c->options->until == SL_UNTIL_ALL ? reached == c->targets : reached > 0;
    return SL_OK;
}

/* Agrees on whether there is another iteration. */
static sl_status agree_on_next(bool *next, closure *c, sl_status status)
{
    const bool all = c->options->until == SL_UNTIL_ALL;
    uint64_t products = 0, least;
    bool met = false;
    if (status == SL_OK)
        status = sl_interrupted(c->grid->ctx, "closure");
    if (status == SL_OK)
        status = sl_grid_estimate_iteration(&products, &c->traversal, &c->frontier);
    if (status == SL_OK)
        status = examine_targets(&met, c);
    least = met == all; /* 0: reached, if one rank suffices; not reached, if all ranks have to */
    SL_TRY(sl_grid_agree_range(c->grid, status, &least, &products));
    c->products = products;
    met = c->options->targets && (least == 1) == all;
    *next =
        products > 0 && !met && !(c->options->bounded && c->number > c->options->max_iterations);
    /* A path of as many edges as vertices visits a vertex twice: a cycle improves its vertices. */
    if (*next && c->number > c->vertices && !sl_semiring_settles(c->traversal.semiring))
        return sl_fail(c->grid->ctx, SL_INVALID,
                       "closure: %s does not converge: entries still improve after %" PRIu64
                       " iterations; the graph has a cycle that improves its own vertices",
                       c->traversal.semiring->name, c->vertices);
    return SL_OK;
}

static sl_status run_iteration(closure *c)
{
    const sl_closure_options *o = c->options;
    const double started = sl_seconds();
    sl_iteration iteration;
    if (o->log)
        SL_TRY(sl_grid_agree(c->grid,
                             sl_grid_count_frontier(&iteration, &c->traversal, &c->frontier)));
    const int64_t number = (int64_t)c->number++; /* on a rank that fails, too */
    c->progress.done = (uint64_t)number;
    SL_TRY(sl_grid_iterate(&c->traversal, &c->frontier, &c->frontier, c->products));
    if (o->level)
        SL_TRY_LOCAL(c->grid, sl_vector_assign_scalar(
                                  sl_block_vector(sl_object_of_vector(o->level)),
                                  sl_block_vector(&c->frontier), NULL, sl_scalar_int64(number),
                                  SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    if (o->log)
        iteration.seconds = sl_seconds() - started;
    return sl_log_iteration(c->grid->ctx, o->log, &iteration);
}

/* Names what carried the frontiers. A grid of one rank with a device carries none. */
static void note_transport(sl_grid *grid)
{
    if (!grid->by_devices)
        grid->search.transport = sl_transport_mpi.name;
    else if (grid->device_traffic.transport)
        grid->search.transport = grid->device_traffic.transport;
}

sl_status sl_grid_iterations(sl_call *call)
{
    closure c;
    bool next = false;
    sl_status status = open_closure(&c, call);
    sl_progress_begin(call->ctx, &c.progress);
    status = agree_on_next(&next, &c, status);
    while (status == SL_OK && next) {
        status = run_iteration(&c);
        if (c.number > SL_ITERATIONS_BEFORE_NEAR_FAR && sl_grid_suits_near_far(call)) {
            status = sl_grid_near_far(&c.traversal, &c.frontier, &c.progress, status);
            break;
        }
        status = agree_on_next(&next, &c, status);
    }
    sl_progress_end(call->ctx, &c.progress);
    note_transport(c.grid);
    close_closure(&c);
    return status;
}
