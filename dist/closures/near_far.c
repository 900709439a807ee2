/* Shortest paths on a grid, bucket by bucket. */
#include "dist/closures/near_far.h"

#include <string.h>

#include "dist/grid_operations.h"

/* The state on this rank. Vectors are objects of the grid. */
typedef struct {
    sl_grid_traversal *t;
    sl_grid *grid;
    sl_object *waiting; /* vertices whose edges are not relaxed yet */
    sl_object near;     /* the waiting vertices in the bucket; owned */
    sl_type type;
    double width;
    bool begun;            /* there is a bucket: */
    sl_scalar limit;       /* its greatest value */
    sl_progress *progress; /* iterations */
} buckets;

bool sl_grid_suits_near_far(const sl_call *call)
{
    const sl_type type = call->operators.semiring->result;
    return call->traversal->shortest_paths && (type == SL_INT64 || type == SL_FP64) &&
           call->a->type == type && ((const sl_matrix *)call->a)->range_known;
}

/* ---- values as keys of the same order ------------------------------------------------------------ */

static const uint64_t sign = UINT64_C(1) << 63;

static uint64_t key_of(sl_scalar x)
{
    uint64_t bits;
    memcpy(&bits, &x.as, sizeof bits);
    return x.type == SL_FP64 && bits & sign ? ~bits : bits ^ sign;
}

static sl_scalar value_of(uint64_t key, sl_type type)
{
    const uint64_t bits = type == SL_FP64 && !(key & sign) ? ~key : key ^ sign;
    return sl_scalar_load(type, &bits);
}

/* ---- buckets ------------------------------------------------------------------------------------- */

/* Moves the vertices of the bucket from `waiting` to `near`. *least: the key of the least value that
 * is left, or UINT64_MAX. */
static sl_status fill_bucket(uint64_t *products, uint64_t *least, buckets *b)
{
    sl_vector *waiting = sl_block_vector(b->waiting), *near = sl_block_vector(&b->near);
    uint64_t left;
    sl_scalar value;
    if (b->begun) {
        SL_TRY_LOCAL(b->grid,
                     sl_vector_select(near, NULL, NULL, sl_index_op_get(SL_INDEX_VALUELE, b->type),
                                      waiting, b->limit, NULL));
        SL_TRY_LOCAL(b->grid, sl_vector_select(waiting, NULL, NULL,
                                               sl_index_op_get(SL_INDEX_VALUEGT, b->type), waiting,
                                               b->limit, NULL));
        SL_TRY(sl_grid_estimate_iteration(products, b->t, &b->near));
    }
    SL_TRY_LOCAL(b->grid, sl_vector_nvals(&left, waiting));
    if (left == 0)
        return SL_OK;
    SL_TRY_LOCAL(b->grid,
                 sl_vector_reduce(&value, NULL, sl_monoid_get(SL_MONOID_MIN, b->type), waiting));
    *least = key_of(value);
    return SL_OK;
}

/* Relaxes the edges of the bucket's vertices; improved vertices wait. */
static sl_status relax_bucket(buckets *b, uint64_t products)
{
    SL_TRY(sl_grid_iterate(b->t, &b->near, &b->near, products));
    sl_vector *waiting = sl_block_vector(b->waiting);
    SL_TRY_LOCAL(b->grid,
                 sl_vector_ewise_add(waiting, NULL, NULL, sl_binary_op_get(SL_BINARY_MIN, b->type),
                                     waiting, sl_block_vector(&b->near), NULL));
    return SL_OK;
}

static sl_status run_buckets(buckets *b, sl_status status)
{
    for (;;) {
        uint64_t products = 0, least = UINT64_MAX;
        if (status == SL_OK)
            status = sl_interrupted(b->grid->ctx, "closure");
        if (status == SL_OK)
            status = fill_bucket(&products, &least, b);
        SL_TRY(sl_grid_agree_range(b->grid, status, &least, &products));
        if (products > 0) {
            b->progress->done++;
            status = relax_bucket(b, products);
        } else if (least != UINT64_MAX) {
            b->limit = sl_near_limit(b->type, b->width, value_of(least, b->type));
            b->begun = true;
        } else {
            return SL_OK;
        }
    }
}

/* The width of the buckets, from the lengths of all ranks. */
static sl_status choose_width(double *width, const sl_grid_traversal *t)
{
    sl_switches on;
    uint64_t entries;
    SL_TRY(sl_grid_count_entries(&entries, t->A));
    SL_TRY(sl_switches_read(&on, t->grid->ctx));
    const sl_matrix *A = (const sl_matrix *)t->A;
    *width = on.delta * sl_near_width(&A->range, entries, t->A->nrows);
    return SL_OK;
}

sl_status sl_grid_near_far(sl_grid_traversal *t, sl_object *waiting, sl_progress *progress,
                           sl_status status)
{
    buckets b = {
        .t = t, .grid = t->grid, .waiting = waiting, .type = t->pi->type, .progress = progress};
    if (status == SL_OK)
        status = sl_grid_vector_make(&b.near, waiting, b.type, NULL);
    status = sl_grid_agree(b.grid, status);
    if (status == SL_OK)
        status = sl_grid_agree(b.grid, choose_width(&b.width, t));
    if (status == SL_OK)
        status = run_buckets(&b, status);
    sl_grid_vector_free(&b.near);
    return status;
}
