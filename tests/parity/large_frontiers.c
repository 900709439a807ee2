/*
 * Products over a pattern with vectors of many entries, a part of which is counted to choose push or pull. Each engine
 * is compared with SuiteSparse: on graphs in which the entries lead to many vertices, to few, and only from the part
 * that is not counted; under masks that allow most vertices, and none.
 */
#include <stdlib.h>
#include <string.h>

#include <semla/traversal_support.h>

#include "support.h"

enum { N = (1 << 20) + 77, CONTEXTS = 2 };

static sl_context *contexts[CONTEXTS]; /* SuiteSparse, and the engine that is tested */

/* Vertices v with v % step == rest have an edge each to three others. */
static sl_matrix *graph(sl_context *ctx, uint64_t step, uint64_t rest)
{
    const uint64_t most = 3 * (N / step + 1);
    uint64_t *rows = malloc(most * sizeof *rows), *cols = malloc(most * sizeof *cols), count = 0;
    sl_matrix *A, *At;
    for (uint64_t v = rest; v < N; v += step)
        for (uint64_t k = 0; k < 3; k++) {
            rows[count] = v;
            cols[count++] = (v * (2 * k + 1) + k) % N;
        }
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    OK(ctx, sl_matrix_build(A, rows, cols, NULL, count, SL_LOR_BOOL));
    OK(ctx, sl_matrix_transpose_pattern(&At, A, true)); /* for pulls */
    free(rows);
    free(cols);
    return A;
}

/* The vertices v with v % step == rest. */
static sl_vector *every(sl_context *ctx, uint64_t step, uint64_t rest)
{
    uint64_t *index = malloc((N / step + 1) * sizeof *index), count = 0;
    sl_vector *v;
    for (uint64_t k = rest; k < N; k += step)
        index[count++] = k;
    OK(ctx, sl_vector_new(&v, ctx, SL_BOOL, N));
    OK(ctx, sl_vector_build(v, index, NULL, count, NULL));
    free(index);
    return v;
}

/* The indices of w = u A under the complement of a mask, and their number. Some products have u as their output. */
static uint64_t *multiply(uint64_t *count, sl_context *ctx, const sl_matrix *A, uint64_t step,
                          uint64_t mask_step)
{
    const sl_descriptor others = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    sl_vector *u = every(ctx, step, 1 % step), *mask = every(ctx, mask_step, 0), *w = u;
    uint64_t *index;
    if (step != 20)
        OK(ctx, sl_vector_new(&w, ctx, SL_BOOL, N));
    OK(ctx, sl_vector_nvals(count, u));
    OK(ctx, sl_vxm(w, mask, NULL, SL_ANY_PAIR_BOOL, u, A, others));
    OK(ctx, sl_vector_nvals(count, w));
    index = malloc((*count + 1) * sizeof *index);
    OK(ctx, sl_vector_extract_tuples(index, NULL, count, w));
    if (w != u)
        sl_vector_free(w);
    sl_vector_free(u);
    sl_vector_free(mask);
    return index;
}

static void compare(const sl_matrix *const *A, uint64_t step, uint64_t mask_step)
{
    uint64_t *index[CONTEXTS], count[CONTEXTS];
    for (int k = 0; k < CONTEXTS; k++)
        index[k] = multiply(&count[k], contexts[k], A[k], step, mask_step);
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(index[0], index[1], count[0] * sizeof *index[0]);
    for (int k = 0; k < CONTEXTS; k++)
        free(index[k]);
}

static void large_frontiers(void **state)
{
    /* Which rows have entries. The last graph has entries only in rows of vertices that are not counted. */
    static const uint64_t graphs[][2] = {{1, 0}, {1000, 1}, {16384, 16001}};
    (void)state;
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
        sl_matrix *A[CONTEXTS];
        for (int k = 0; k < CONTEXTS; k++)
            A[k] = graph(contexts[k], graphs[g][0], graphs[g][1]);
        for (uint64_t step = 2; step <= 200; step *= 10)
            for (uint64_t mask_step = 1; mask_step <= 1000; mask_step += 999)
                compare((const sl_matrix *const *)A, step, mask_step);
        for (int k = 0; k < CONTEXTS; k++)
            sl_matrix_free(A[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_frontiers)};
    sl_engine_info engine;
    int failed = 0;
    OK(NULL, sl_context_create(&contexts[0], SL_ENGINE_SUITESPARSE));
    for (size_t position = 0; next_engine(&engine, &position);) {
        if (engine.choice == SL_ENGINE_SUITESPARSE)
            continue;
        OK(NULL, sl_context_create(&contexts[1], engine.choice));
        failed +=
            _cmocka_run_group_tests(engine.name, tests, sizeof tests / sizeof *tests, NULL, NULL);
        sl_context_free(contexts[1]);
    }
    sl_context_free(contexts[0]);
    return failed;
}
