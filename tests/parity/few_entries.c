/*
 * Products of a matrix and a vector of a few entries, which the GPU adds row by row: every engine
 * compared with SuiteSparse, for tall, wide and square matrices with long and empty rows. Values are
 * small integers, so that sums are exact in any order.
 */
#include <stdlib.h>
#include <string.h>

#include "host_and_engine.h"

enum { MOST_ENTRIES = 12 };

typedef struct {
    uint64_t nrows, ncols;
    sl_type matrix, vector;
    sl_semiring ring;
    bool vxm, transposed, accumulates, in_place; /* in_place: w is u */
    unsigned entries;                            /* of the vector */
} product;

static uint64_t next(uint64_t *state)
{
    return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

/* Row 0 is full, row 1 is empty, and the others have about four entries. */
static sl_matrix *matrix_of(sl_context *ctx, const product *p)
{
    uint64_t state = 7;
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, p->matrix, p->nrows, p->ncols));
    for (uint64_t j = 0; j < p->ncols; j++)
        OK(ctx, sl_matrix_set(A, 0, j, sl_scalar_fp64((double)(j % 3))));
    for (uint64_t k = 0; k < 4 * p->nrows; k++) {
        const uint64_t i = (next(&state) >> 33) % p->nrows, j = (next(&state) >> 33) % p->ncols;
        if (i != 1)
            OK(ctx, sl_matrix_set(A, i, j, sl_scalar_fp64((double)(k % 5))));
    }
    return A;
}

static sl_vector *vector_of(sl_context *ctx, sl_type type, uint64_t n, unsigned entries)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, n));
    for (uint64_t k = 0; k < entries; k++)
        OK(ctx, sl_vector_set(v, k * k % n, sl_scalar_fp64((double)(k % 4))));
    return v;
}

static sl_arrays product_of(sl_context *ctx, const product *p)
{
    const bool by_rows = p->vxm != p->transposed;
    const uint64_t inner = by_rows ? p->nrows : p->ncols, outer = by_rows ? p->ncols : p->nrows;
    sl_matrix *A = matrix_of(ctx, p);
    sl_vector *u = vector_of(ctx, p->vector, inner, p->entries);
    sl_vector *w = p->in_place ? u : vector_of(ctx, p->ring->result, outer, 3);
    sl_binary_op accum = p->accumulates ? p->ring->add->op : NULL;
    sl_descriptor desc =
        sl_descriptor_get(p->transposed ? (p->vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A) : 0);
    sl_arrays out;
    for (int k = 0; k < 2; k++) /* the second product finds what the first one prepared */
        if (p->vxm)
            OK(ctx, sl_vxm(w, NULL, accum, p->ring, u, A, desc));
        else
            OK(ctx, sl_mxv(w, NULL, accum, p->ring, A, u, desc));
    OK(ctx, sl_vector_copy_out(&out, w, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &out));
    if (!p->in_place)
        sl_vector_free(w);
    sl_vector_free(u);
    sl_matrix_free(A);
    return out;
}

static void check(const product *p)
{
    sl_arrays expected = product_of(host, p), got = product_of(engine, p);
    const size_t count = expected.nvals;
    if (got.nvals != count || got.type != expected.type ||
        memcmp(got.rows, expected.rows, count * sizeof *got.rows) != 0 ||
        memcmp(got.values, expected.values, count * sl_type_size(got.type)) != 0)
        fail_msg("%s by %s%s of %u entries and a %d x %d matrix differs: %d entries, expected %d",
                 p->ring->name, p->vxm ? "vxm" : "mxv", p->transposed ? ", transposed," : "",
                 p->entries, (int)p->nrows, (int)p->ncols, (int)got.nvals, (int)count);
    sl_arrays_free(&expected);
    sl_arrays_free(&got);
}

static void check_shape(uint64_t nrows, uint64_t ncols)
{
    const struct {
        sl_semiring ring;
        sl_type matrix, vector;
    } kinds[] = {{SL_PLUS_TIMES_FP64, SL_FP64, SL_FP64}, {SL_PLUS_TIMES_FP64, SL_FP64, SL_INT32},
                 {SL_MIN_PLUS_FP32, SL_FP32, SL_FP32},   {SL_PLUS_SECOND_INT64, SL_INT64, SL_INT8},
                 {SL_PLUS_TIMES_INT8, SL_INT8, SL_INT8}, {SL_PLUS_FIRST_FP64, SL_INT16, SL_FP64},
                 {SL_LOR_LAND_BOOL, SL_BOOL, SL_BOOL},   {SL_PLUS_TIMES_FP64, SL_INT32, SL_INT32}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned how = 0; how < 8; how++)
            for (unsigned entries = 0; entries <= MOST_ENTRIES; entries += entries < 2 ? 1 : 5) {
                product p = {.nrows = nrows,
                             .ncols = ncols,
                             .matrix = kinds[k].matrix,
                             .vector = kinds[k].vector,
                             .ring = kinds[k].ring,
                             .vxm = how & 1,
                             .transposed = how & 2,
                             .accumulates = how & 4,
                             .entries = entries};
                check(&p);
                p.in_place = nrows == ncols && p.vector == p.ring->result;
                if (p.in_place)
                    check(&p);
            }
}

static void square(void **state)
{
    (void)state;
    check_shape(40, 40);
    check_shape(2, 2);
}

static void rectangular(void **state)
{
    (void)state;
    check_shape(9, 300);
    check_shape(130, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(square), cmocka_unit_test(rectangular)};
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
