/* Sums of products that are the index of the result: they are computed from the numbers of the products. */
#include "dist/grid_operations.h"

#include "dist/operations/rank_tuples.h"

/* The sum of `count` terms x, in O(log count) additions. */
static sl_scalar multiple(sl_monoid add, sl_scalar x, uint64_t count)
{
    sl_scalar sum = x, z = x;
    for (uint64_t bit = count ? (uint64_t)1 << (63 - __builtin_clzll(count)) : 0; bit > 1;) {
        bit >>= 1;
        add->op->eval(&z.as, &sum.as, &sum.as);
        sum = z;
        if (count & bit) {
            add->op->eval(&z.as, &sum.as, &x.as);
            sum = z;
        }
    }
    return sum;
}

/* Whether devices can compute the sums from the counts: by the monoid's laws, without its operator. */
static bool has_law(sl_monoid add)
{
    return add->idempotent || add->op == sl_binary_op_get(SL_BINARY_PLUS, add->type);
}

/* sums = add of `sums` terms each, which are the entry's index; index is a new vector. The sum is the
 * index if the monoid is idempotent, else the number of terms times the index. */
static sl_status scale_indices(sl_vector *sums, sl_vector **index, const sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    const sl_local_blocks own = sl_grid_own(grid, call->out->nrows);
    const uint64_t size = sl_local_blocks_length(&own);
    const int64_t first = size ? (int64_t)sl_global_index(&own, 0) : 0;
    const sl_monoid add = call->operators.semiring->add;
    SL_TRY_LOCAL(grid, sl_vector_new(index, grid->local, add->type, size));
    SL_TRY_LOCAL(grid, sl_vector_apply_index(*index, NULL, NULL, SL_ROWINDEX_INT64, sums,
                                             sl_scalar_int64(first), NULL));
    if (!add->idempotent)
        SL_TRY_LOCAL(grid, sl_vector_ewise_mult(*index, NULL, NULL,
                                                sl_binary_op_get(SL_BINARY_TIMES, add->type),
                                                *index, sums, NULL));
    return SL_OK;
}

static sl_status sum_indices_by_law(sl_vector **sums, const sl_call *call)
{
    sl_vector *index = NULL;
    const sl_status status = scale_indices(*sums, &index, call);
    if (status != SL_OK) {
        sl_vector_free(index);
        return status;
    }
    sl_vector_free(*sums);
    *sums = index;
    return SL_OK;
}

/* Computes the sums of products that are the index of the result from their counts, with any monoid, on
 * the host. */
static sl_status sum_indices(sl_vector **sums, const sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_tuples t;
    sl_vector *made = NULL;
    SL_TRY(sl_tuples_of(&t, grid, sl_object_of_vector(*sums)));
    sl_local_blocks own = sl_grid_own(grid, call->out->nrows);
    int64_t *values = t.values;
    const sl_monoid add = call->operators.semiring->add;
    for (uint64_t k = 0; k < t.count; k++) {
        const sl_scalar index = sl_scalar_uint64(sl_global_index(&own, t.rows[k]));
        const sl_scalar sum = multiple(add, sl_scalar_cast(index, add->type), (uint64_t)values[k]);
        values[k] = sl_scalar_cast(sum, SL_INT64).as.int64_;
    }
    sl_status status = sl_vector_new(&made, grid->local, SL_INT64, sl_local_blocks_length(&own));
    if (status == SL_OK)
        status = sl_vector_build(made, t.rows, values, t.count, NULL);
    sl_tuples_free(&t);
    if (status != SL_OK) {
        sl_vector_free(made);
        return sl_grid_local_failed(grid, status);
    }
    sl_vector_free(*sums);
    *sums = made;
    return SL_OK;
}

sl_status sl_grid_sum_indices(sl_vector **sums, const sl_call *call)
{
    return (has_law(call->operators.semiring->add) ? sum_indices_by_law : sum_indices)(sums, call);
}
