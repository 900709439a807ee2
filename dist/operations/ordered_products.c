/* Products of full vectors between devices in an order that the ranks share. A rank that fails
 * takes part in all exchanges. */
#include "dist/operations/ordered_products.h"

#include "dist/operations/expand_fold.h"

typedef struct {
    sl_grid *grid;
    const sl_device_vectors *devices;
    sl_call *local; /* with this rank's block of the vector */
    sl_vector_exchange values, sums;
    sl_vector *whole, *partial; /* or NULL */
} running;

static bool exchanges(const running *p, const sl_vector_exchange *x)
{
    return sl_line_members(p->grid, x->line) > 1;
}

static sl_status expand(running *p, sl_status status)
{
    if (!exchanges(p, &p->values))
        return status;
    return sl_note_exchange(p->grid, SL_PHASE_OPERAND,
                            p->devices->expand_in_order(&p->whole, &p->values, p->local, status));
}

static sl_status multiply(running *p)
{
    sl_call local = *p->local;
    SL_TRY_LOCAL(p->grid, sl_vector_new(&p->partial, p->grid->local, p->sums.type,
                                        sl_local_blocks_length(p->sums.blocks)));
    SL_TRY_LOCAL(p->grid, p->devices->open_sums(p->partial, p->local));
    local.out = sl_object_of_vector(p->partial);
    if (p->whole)
        *(local.op == SL_OP_VXM ? &local.a : &local.b) = sl_object_of_vector(p->whole);
    return sl_local_run(p->grid, &local);
}

static sl_status fold(sl_vector **sums, running *p, sl_status status)
{
    if (exchanges(p, &p->sums))
        return sl_note_exchange(
            p->grid, SL_PHASE_RESULT,
            p->devices->fold_in_order(sums, &p->sums, p->local, p->partial, status));
    *sums = status == SL_OK ? p->partial : NULL;
    p->partial = status == SL_OK ? NULL : p->partial;
    return status;
}

sl_status sl_product_in_order(sl_vector **sums, bool *done, const sl_ordered_product *product,
                              sl_status status)
{
    sl_grid *grid = product->grid;
    const sl_type type = product->local->operators.semiring->result;
    running p = {.grid = grid,
                 .devices = grid->device_engine->devices.vectors,
                 .local = product->local,
                 .values = sl_describe_exchange(grid, sl_grid_along(product->over_rows),
                                                product->from, type, SL_SPREAD_VALUES),
                 .sums = sl_describe_exchange(grid, sl_grid_along(!product->over_rows), product->to,
                                              type, SL_SPREAD_VALUES)};
    *sums = NULL;
    *done = false;
    if (!sl_exchanges_by_devices(grid, product->from) ||
        !sl_exchanges_by_devices(grid, product->to))
        return status;
    *done = product->shared;
    if (!*done)
        status = sl_note_exchange(
            grid, SL_PHASE_OPERAND,
            p.devices->share_order(done, &p.values, &p.sums, product->symmetric, p.local, status));
    if (!*done)
        return status;
    status = expand(&p, status);
    if (status == SL_OK)
        status = multiply(&p);
    status = fold(sums, &p, status);
    sl_vector_free(p.whole);
    sl_vector_free(p.partial);
    return status;
}
