/* One iteration of a traversal on the grid: a product, then operations on blocks. */
#include "dist/closures/advance.h"

#include "dist/grid/user_operators.h"
#include "dist/grid_operations.h"

sl_status sl_grid_vector_make(sl_object *v, const sl_object *like, sl_type type, sl_vector *block)
{
    sl_object *made = sl_object_of_vector(block);
    *v = (sl_object){.ctx = like->ctx, .type = type, .nrows = like->nrows, .ncols = 1};
    if (!made)
        SL_TRY(sl_grid_block_new(&made, sl_grid_of(like->ctx), v));
    v->held[SL_SLOT_GRID] = made;
    return SL_OK;
}

void sl_grid_vector_free(sl_object *v)
{
    sl_grid_block_replace(v, NULL);
}

sl_status sl_grid_traversal_open(sl_grid_traversal *t, sl_object *pi, const sl_call *call)
{
    *t = (sl_grid_traversal){.grid = sl_grid_of(call->ctx),
                             .semiring = call->operators.semiring,
                             .A = call->a,
                             .pi = pi};
    /* pi is read for every product; a bitmap is the fastest form, if it stays small. */
    uint64_t entries;
    SL_TRY_LOCAL(t->grid, sl_matrix_nvals(&entries, (const sl_matrix *)sl_grid_block(call->a)));
    const bool few = sl_has_few_entries(sl_grid_block(pi)->nrows, entries);
    SL_TRY_LOCAL(t->grid, sl_object_prefer(sl_grid_block(pi), few ? SL_FORM_ANY : SL_FORM_BITMAP));
    return sl_grid_vector_make(&t->product, pi, pi->type, NULL);
}

void sl_grid_traversal_close(sl_grid_traversal *t)
{
    sl_grid_vector_free(&t->product);
    sl_object_prefer(sl_grid_block(t->pi), SL_FORM_ANY);
}

/* product = q' A; for a semiring that settles under the mask !pi. */
static sl_status multiply(sl_grid_traversal *t, sl_object *q, uint64_t products)
{
    const bool settles = sl_semiring_settles(t->semiring);
    sl_call call = {.op = SL_OP_VXM,
                    .ctx = t->grid->ctx,
                    .out = &t->product,
                    .mask = settles ? t->pi : NULL,
                    .a = q,
                    .b = t->A,
                    .operators.semiring = t->semiring,
                    .flags = settles ? SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT : 0};
    return sl_grid_multiply(&call, products);
}

sl_status sl_grid_estimate_iteration(uint64_t *products, const sl_grid_traversal *t,
                                     const sl_object *q)
{
    return sl_grid_estimate_products(products, t->grid, t->A, q, true);
}

/* pi<product> = product, and delta is the product, which gets the old block of delta. */
static sl_status settle(sl_grid_traversal *t, sl_object *delta)
{
    sl_object *block = sl_grid_block(&t->product);
    SL_TRY_LOCAL(t->grid,
                 sl_vector_assign(sl_block_vector(t->pi), (sl_vector *)block, NULL,
                                  (sl_vector *)block, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    t->product.held[SL_SLOT_GRID] = sl_grid_block(delta);
    delta->held[SL_SLOT_GRID] = block;
    return SL_OK;
}

sl_status sl_grid_iterate(sl_grid_traversal *t, sl_object *delta, sl_object *q, uint64_t products)
{
    SL_TRY(multiply(t, q, products));
    if (sl_semiring_settles(t->semiring))
        return settle(t, delta);
    SL_TRY_LOCAL(t->grid,
                 sl_keep_improved(sl_block_vector(delta), sl_block_vector(t->pi),
                                  sl_block_vector(&t->product), sl_local_monoid(t->semiring->add)));
    return SL_OK;
}

sl_status sl_grid_count_frontier(sl_iteration *iteration, const sl_grid_traversal *t,
                                 const sl_object *q)
{
    uint64_t entries = 0;
    sl_call call = {.op = SL_OP_ROW_ENTRIES, .ctx = t->grid->ctx, .a = t->A, .b = (sl_object *)q};
    sl_status status = sl_grid_row_entries(&call);
    if (status == SL_OK && sl_vector_nvals(&entries, sl_block_vector(q)) < 0)
        status = sl_grid_local_failed(t->grid, SL_ENGINE_FAULT);
    const sl_status summed = sl_grid_check(
        t->grid, "MPI_Allreduce",
        MPI_Allreduce(MPI_IN_PLACE, &entries, 1, MPI_UINT64_T, MPI_SUM, t->grid->all));
    iteration->frontier = entries;
    iteration->edges = call.count;
    iteration->edges_exact = true;
    iteration->direction = SL_PUSH;
    return status != SL_OK ? status : summed;
}

/* ---- the operation -------------------------------------------------------------------------- */

const char *sl_grid_advance_declined(const sl_call *call, sl_direction direction)
{
    return sl_semiring_pulls(call->operators.semiring) && direction != SL_PUSH
               ? "operations choose between push and pull"
               : NULL;
}

sl_status sl_grid_advance(sl_call *call)
{
    const sl_traversal *a = call->traversal;
    sl_grid_traversal t;
    const double started = sl_seconds();
    uint64_t products = 0;
    sl_status status = sl_grid_traversal_open(&t, a->pi, call);
    if (status == SL_OK)
        status = sl_grid_estimate_iteration(&products, &t, a->q);
    status = sl_grid_agree_most(t.grid, status, &products);
    if (status == SL_OK && a->iteration)
        status = sl_grid_agree(t.grid, sl_grid_count_frontier(a->iteration, &t, a->q));
    if (status == SL_OK)
        status = sl_grid_iterate(&t, a->delta, a->q, products);
    if (a->iteration)
        a->iteration->seconds = sl_seconds() - started;
    sl_grid_traversal_close(&t);
    return status;
}
