/* vxm and mxv: the vector is expanded, each rank multiplies its block, and the sums are folded. */
#include "operations.h"

#include "expand_fold.h"
#include "user_operators.h"

#include <string.h>

/* One product of a matrix and a vector. */
typedef struct {
    sl_grid *grid;
    const sl_call *call;
    bool vxm;
    bool over_rows; /* vxm: sums over the rows of the matrix; else over its columns */
    sl_object *matrix, *vector;
    sl_semiring semiring; /* in the local context */
    sl_semiring made;     /* the same if it was created here, else NULL */
    sl_spread spread;
    bool of_output; /* positional: each product is the index of the result's entry */
} product;

static product describe(const sl_call *call)
{
    product p = {.grid = sl_grid_of(call->ctx), .call = call, .vxm = call->op == SL_OP_VXM};
    bool transposed = call->flags & (p.vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A);
    p.over_rows = p.vxm != transposed;
    p.matrix = p.vxm ? call->b : call->a;
    p.vector = p.vxm ? call->a : call->b;
    p.semiring = sl_local_semiring(call->semiring);
    return p;
}

/*
 * A positional product is a global index, which blocks do not have. If it is the index of the
 * vector, the vector is expanded with its indices as values. If it is the index of the result, the
 * products are counted, and the sums are computed from the counts at the end.
 */
static sl_status settle_semiring(product *p)
{
    sl_binary_op multiply = p->call->semiring->multiply;
    bool reads = p->vxm ? multiply->reads_x : multiply->reads_y;
    p->spread = reads ? SL_SPREAD_VALUES : SL_SPREAD_PATTERN;
    if (!multiply->positional)
        return SL_OK;
    p->of_output = multiply->code == (p->vxm ? SL_BINARY_SECONDJ : SL_BINARY_FIRSTI);
    if (p->of_output) {
        p->spread = SL_SPREAD_PATTERN;
        p->semiring = SL_PLUS_PAIR_INT64;
        return SL_OK;
    }
    bool none = multiply->code == (p->vxm ? SL_BINARY_FIRSTI : SL_BINARY_SECONDJ);
    p->spread = none ? SL_SPREAD_ZEROS : SL_SPREAD_INDICES;
    SL_TRY_LOCAL(p->grid,
                 sl_semiring_new(&p->made, p->grid->local, p->call->semiring->name,
                                 sl_local_monoid(p->call->semiring->add),
                                 sl_binary_op_get(p->vxm ? SL_BINARY_FIRST : SL_BINARY_SECOND,
                                                  p->call->semiring->result)));
    p->semiring = p->made;
    return SL_OK;
}

static uint64_t size_of_side(const product *p, bool rows)
{
    return rows ? p->matrix->nrows : p->matrix->ncols;
}

/* Multiplies this rank's block; the result has a part of each sum. */
static sl_status multiply_blocks(sl_vector **sums, const product *p, sl_vector *whole)
{
    sl_local_blocks side = sl_grid_side(p->grid, !p->over_rows, size_of_side(p, !p->over_rows));
    SL_TRY_LOCAL(p->grid, sl_vector_new(sums, p->grid->local, p->semiring->result,
                                        sl_local_blocks_length(&side)));
    sl_call local = {.op = p->call->op,
                     .ctx = p->grid->local,
                     .out = sl_object_of_vector(*sums),
                     .semiring = p->semiring,
                     .a = p->vxm ? sl_object_of_vector(whole) : sl_grid_block(p->matrix),
                     .b = p->vxm ? sl_grid_block(p->matrix) : sl_object_of_vector(whole),
                     .flags = p->call->flags & (SL_TRANSPOSE_A | SL_TRANSPOSE_B)};
    return sl_local_run(p->grid, &local);
}

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

/* Computes the sums of products that are the index of the result from their counts. */
static sl_status sum_indices(sl_vector **sums, const product *p)
{
    sl_tuples t;
    sl_vector *made = NULL;
    SL_TRY(sl_tuples_of(&t, p->grid, sl_object_of_vector(*sums)));
    sl_local_blocks own = sl_grid_own(p->grid, p->call->out->nrows);
    int64_t *values = t.values;
    const sl_monoid add = p->call->semiring->add;
    for (uint64_t k = 0; k < t.count; k++) {
        const sl_scalar index = sl_scalar_uint64(sl_global_index(&own, t.rows[k]));
        const sl_scalar sum = multiple(add, sl_scalar_cast(index, add->type), (uint64_t)values[k]);
        values[k] = sl_scalar_cast(sum, SL_INT64).as.int64_;
    }
    sl_status status = sl_vector_new(&made, p->grid->local, SL_INT64, sl_local_blocks_length(&own));
    if (status == SL_OK)
        status = sl_vector_build(made, t.rows, values, t.count, NULL);
    sl_tuples_free(&t);
    if (status != SL_OK) {
        sl_vector_free(made);
        return sl_grid_local_failed(p->grid, status);
    }
    sl_vector_free(*sums);
    *sums = made;
    return SL_OK;
}

static sl_status run(product *p, sl_vector **whole, sl_vector **partial, sl_vector **sums)
{
    sl_local_blocks from = sl_grid_side(p->grid, p->over_rows, size_of_side(p, p->over_rows));
    sl_local_blocks to = sl_grid_side(p->grid, !p->over_rows, size_of_side(p, !p->over_rows));
    sl_status status = settle_semiring(p);
    status = sl_vector_expand(whole, p->grid, sl_grid_along(p->grid, p->over_rows), &from,
                              sl_grid_block(p->vector), p->spread, status);
    if (status == SL_OK)
        status = multiply_blocks(partial, p, *whole);
    SL_TRY(sl_vector_fold(sums, p->grid, sl_grid_along(p->grid, !p->over_rows), &to, *partial,
                          p->semiring->add->op, status));
    if (p->of_output)
        SL_TRY(sum_indices(sums, p));
    return sl_grid_block_write(p->call, sl_object_of_vector(*sums));
}

sl_status sl_grid_product(sl_call *call)
{
    product p = describe(call);
    sl_vector *whole = NULL, *partial = NULL, *sums = NULL;
    sl_status status = run(&p, &whole, &partial, &sums);
    sl_vector_free(whole);
    sl_vector_free(partial);
    sl_vector_free(sums);
    sl_semiring_free(p.made);
    return status;
}

sl_status sl_grid_row_entries(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_local_blocks rows = sl_grid_rows(grid, call->a->nrows);
    sl_vector *whole;
    sl_status status = sl_vector_expand(&whole, grid, grid->column, &rows, sl_grid_block(call->b),
                                        SL_SPREAD_PATTERN, SL_OK);
    if (status == SL_OK) {
        sl_call local = {.op = SL_OP_ROW_ENTRIES,
                         .ctx = grid->local,
                         .a = sl_grid_block(call->a),
                         .b = sl_object_of_vector(whole)};
        status = sl_local_run(grid, &local);
        call->count = local.count;
    }
    sl_vector_free(whole);
    sl_status summed = sl_grid_check(
        grid, "MPI_Allreduce",
        MPI_Allreduce(MPI_IN_PLACE, &call->count, 1, MPI_UINT64_T, MPI_SUM, grid->all));
    return status != SL_OK ? status : summed;
}
