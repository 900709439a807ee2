/*
 * For tests of products of a matrix and a full vector over plus: matrices of tuples, with values that are small
 * integers, so that sums are exact in any order; products on an engine and on SuiteSparse, compared; how many of
 * them ran over tiles.
 */
#ifndef SEMLA_TESTS_PARITY_SUM_PRODUCTS_H
#define SEMLA_TESTS_PARITY_SUM_PRODUCTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/engine.h>
#include <semla/io.h>

#include "host_and_engine.h"

/* ---- matrices ------------------------------------------------------------------------------- */

/* The tuples of a matrix, which may be equal. */
typedef struct {
    uint64_t nrows, ncols, count, room;
    uint64_t *row, *col;
    bool symmetric; /* and known to be */
    sl_type type;   /* SL_BOOL: a pattern */
} tuples;

static void add(tuples *t, uint64_t row, uint64_t col)
{
    if (t->count == t->room) {
        t->room = 2 * t->room + 64;
        t->row = realloc(t->row, t->room * sizeof *t->row);
        t->col = realloc(t->col, t->room * sizeof *t->col);
    }
    t->row[t->count] = row;
    t->col[t->count++] = col;
}

static void free_tuples(tuples *t)
{
    free(t->row);
    free(t->col);
    *t = (tuples){0};
}

static sl_matrix *matrix_of(sl_context *ctx, const tuples *t)
{
    const bool valued = t->type != SL_BOOL;
    double *values = malloc((t->count + 1) * sizeof *values);
    sl_matrix *A, *built;
    for (uint64_t k = 0; k < t->count; k++)
        values[k] = (double)((3 * t->row[k] + 5 * t->col[k]) % 7);
    OK(ctx, sl_matrix_new(&built, ctx, valued ? SL_FP64 : SL_BOOL, t->nrows, t->ncols));
    OK(ctx, sl_matrix_build(built, t->row, t->col, valued ? values : NULL, t->count,
                            valued ? SL_MAX_FP64 : SL_LOR_BOOL));
    free(values);
    A = built;
    if (valued && t->type != SL_FP64) {
        OK(ctx, sl_matrix_new(&A, ctx, t->type, t->nrows, t->ncols));
        OK(ctx, sl_matrix_assign(A, NULL, NULL, built, SL_ALL, 0, SL_ALL, 0, NULL));
        sl_matrix_free(built);
    }
    if (t->symmetric)
        OK(ctx, sl_matrix_promise_symmetric(A));
    return A;
}

/* A random number below n; the cube of a uniform one, so that small numbers are frequent, if `hubs`. */
static uint64_t random_below(uint64_t *state, uint64_t n, bool hubs)
{
    const double x = (double)(test_random(state) >> 11) / (double)((uint64_t)1 << 53);
    const uint64_t k = (uint64_t)((hubs ? x * x * x : x) * (double)n);
    return hubs ? k * 7919 % n : k; /* hubs are not the first rows and columns */
}

static void add_random(tuples *t, uint64_t count, bool hubs, uint64_t seed)
{
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t row = random_below(&seed, t->nrows, hubs);
        add(t, row, random_below(&seed, t->ncols, hubs));
    }
}

/* ---- products --------------------------------------------------------------------------------- */

typedef struct {
    sl_semiring ring;
    sl_type type;
    bool vxm, transposed;
    bool full;                   /* u has all entries, otherwise two thirds, but not the last one */
    bool accumulates, onto_same; /* onto a full w, of different values or of one */
    unsigned times;              /* the product is computed so often, each onto a new w */
} product;

/* Entries at all indices below n, or, unless `full`, at two thirds of them. */
static sl_vector *numbers(sl_context *ctx, sl_type type, uint64_t n, bool full)
{
    sl_vector *v, *cast;
    uint64_t *index = malloc((n + 1) * sizeof *index), count = 0;
    double *value = malloc((n + 1) * sizeof *value);
    for (uint64_t k = 0; k < n; k++) {
        if (!full && (k % 3 == 1 || k == n - 1))
            continue;
        index[count] = k;
        value[count++] = (double)(k * 5 % 13);
    }
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, n));
    OK(ctx, sl_vector_build(v, index, value, count, NULL));
    OK(ctx, sl_vector_new(&cast, ctx, type, n));
    OK(ctx, sl_vector_assign(cast, NULL, NULL, v, SL_ALL, 0, NULL));
    sl_vector_free(v);
    free(index);
    free(value);
    return cast;
}

static sl_vector *output(sl_context *ctx, uint64_t n, const product *p)
{
    sl_vector *w;
    if (p->accumulates && !p->onto_same)
        return numbers(ctx, p->type, n, true);
    OK(ctx, sl_vector_new(&w, ctx, p->type, n));
    if (p->onto_same)
        OK(ctx, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_fp64(7), SL_ALL, 0, NULL));
    return w;
}

/* Counts products that ran over tiles. */
static unsigned over_tiles;

static sl_arrays product_of(sl_context *ctx, const sl_matrix *A, const product *p)
{
    const bool over_rows = p->vxm != p->transposed;
    const uint64_t nrows = sl_matrix_nrows(A), ncols = sl_matrix_ncols(A);
    sl_vector *u = numbers(ctx, p->type, over_rows ? nrows : ncols, p->full), *w = NULL;
    const sl_binary_op accum =
        p->accumulates ? sl_binary_op_get(p->ring->add->op->code, p->type) : NULL;
    const sl_descriptor desc = sl_descriptor_get(!p->transposed ? 0
                                                 : p->vxm       ? SL_TRANSPOSE_B
                                                                : SL_TRANSPOSE_A);
    sl_arrays out;
    for (unsigned k = 0; k < (ctx == host ? 1 : p->times); k++) {
        sl_vector_free(w);
        w = output(ctx, over_rows ? ncols : nrows, p);
        OK(ctx, p->vxm ? sl_vxm(w, NULL, accum, p->ring, u, A, desc)
                       : sl_mxv(w, NULL, accum, p->ring, A, u, desc));
        over_tiles += ctx == engine && ctx->library && strcmp(ctx->library, "tiles") == 0;
    }
    OK(ctx, sl_vector_copy_out(&out, w, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &out));
    sl_vector_free(u);
    sl_vector_free(w);
    return out;
}

static void compare(const char *name, const sl_matrix *A, const sl_matrix *right, const product *p)
{
    sl_arrays expected = product_of(host, right, p), got = product_of(engine, A, p);
    const size_t count = expected.nvals;
    if (got.nvals != count || memcmp(got.rows, expected.rows, count * sizeof *got.rows) != 0 ||
        memcmp(got.values, expected.values, count * sl_type_size(p->type)) != 0)
        fail_msg("%s: %s by %s%s%s differs: %d entries, expected %d", name, p->ring->name,
                 p->vxm ? "vxm" : "mxv", p->transposed ? " of the transpose" : "",
                 p->accumulates ? " with an accumulator" : "", (int)got.nvals, (int)count);
    sl_arrays_free(&expected);
    sl_arrays_free(&got);
}

static bool counts_tiles(void)
{
    return tested.choice == SL_ENGINE_CUDA;
}

#endif
