/*
 * Operations on objects larger than a block of threads or a tile of a sort, on every engine
 * present, against SuiteSparse. Values are integers, so results must be equal bit for bit.
 * SEMLA_TEST_SEED=n runs seed n alone.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"

enum { SEEDS = 3, MOST_SIDE = 3000, MOST = 120000 };

/* The operands; equal in every context. */
typedef struct {
    sl_context *ctx;
    uint64_t seed, m, n;
    sl_matrix *A, *B, *C, *mask;
    sl_vector *u, *w;                          /* sizes m and n */
    uint64_t rows[MOST_SIDE], cols[MOST_SIDE]; /* every index once, in random order */
} operands;

static uint64_t below(operands *o, uint64_t bound)
{
    return test_random(&o->seed) % bound;
}

/* ---- operands -------------------------------------------------------------------- */

static uint64_t tuple_rows[MOST], tuple_cols[MOST];
static int64_t tuple_values[MOST];

/* Random indices, some of them several times; with `hub`, one full row and one full column. */
static sl_matrix *matrix(operands *o, uint64_t m, uint64_t n, uint64_t count, bool hub)
{
    sl_matrix *A;
    for (uint64_t k = 0; k < count; k++) {
        bool often = below(o, 4) == 0;
        tuple_rows[k] = hub && k < n ? m / 2 : often ? below(o, m) / 16 : below(o, m);
        tuple_cols[k] = hub && k < n ? k : often ? n - 1 : below(o, n);
        tuple_values[k] = (int64_t)below(o, 100) - 50;
    }
    OK(o->ctx, sl_matrix_new(&A, o->ctx, SL_INT64, m, n));
    OK(o->ctx, sl_matrix_build(A, tuple_rows, tuple_cols, tuple_values, count, SL_PLUS_INT64));
    return A;
}

static sl_vector *vector(operands *o, uint64_t n)
{
    sl_vector *v;
    for (uint64_t k = 0; k < n; k++) {
        tuple_rows[k] = below(o, 2) ? below(o, n) : n / 3;
        tuple_values[k] = (int64_t)below(o, 100) - 50;
    }
    OK(o->ctx, sl_vector_new(&v, o->ctx, SL_INT64, n));
    OK(o->ctx, sl_vector_build(v, tuple_rows, tuple_values, n, SL_MINUS_INT64));
    return v;
}

static void shuffled(operands *o, uint64_t *list, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++)
        list[k] = k;
    for (uint64_t k = n; k > 1; k--) {
        uint64_t l = below(o, k), kept = list[k - 1];
        list[k - 1] = list[l];
        list[l] = kept;
    }
}

static void make_operands(operands *o, sl_context *ctx, uint64_t seed)
{
    static const uint64_t sides[] = {33, 257, 1025, MOST_SIDE};
    *o = (operands){.ctx = ctx, .seed = seed};
    o->m = sides[below(o, 4)];
    o->n = sides[below(o, 4)];
    uint64_t most = 8 * (o->m + o->n);
    o->A = matrix(o, o->m, o->n, most, below(o, 2));
    o->B = matrix(o, o->m, o->n, most / 4, below(o, 2));
    o->C = matrix(o, o->m, o->n, most, false);
    o->mask = matrix(o, o->m, o->n, most / 2, true);
    o->u = vector(o, o->m);
    o->w = vector(o, o->n);
    shuffled(o, o->rows, o->m);
    shuffled(o, o->cols, o->n);
}

static void free_operands(operands *o)
{
    sl_matrix_free(o->A);
    sl_matrix_free(o->B);
    sl_matrix_free(o->C);
    sl_matrix_free(o->mask);
    sl_vector_free(o->u);
    sl_vector_free(o->w);
}

/* ---- operations, with output C or another matrix --------------------------------- */

static void no_operation(operands *o)
{
}

static void replace_output(operands *o, uint64_t m, uint64_t n)
{
    sl_matrix_free(o->C);
    OK(o->ctx, sl_matrix_new(&o->C, o->ctx, SL_INT64, m, n));
}

static void extract(operands *o)
{
    uint64_t half = o->n / 2;
    for (uint64_t k = 0; k < o->n; k += 3) /* some columns occur several times */
        o->cols[k] = o->cols[k / 2];
    replace_output(o, o->m, half);
    OK(o->ctx, sl_matrix_extract(o->C, NULL, NULL, o->A, o->rows, o->m, o->cols, half, NULL));
}

static void extract_permuted(operands *o)
{
    replace_output(o, o->m, o->n);
    OK(o->ctx, sl_matrix_extract(o->C, NULL, NULL, o->A, o->rows, o->m, o->cols, o->n, NULL));
}

/* The same of a matrix without values. */
static void extract_permuted_pattern(operands *o)
{
    OK(o->ctx, sl_matrix_apply(o->A, NULL, NULL, SL_ONE_INT64, o->A, NULL));
    extract_permuted(o);
}

static void extract_rows(operands *o)
{
    for (uint64_t k = 0; k < o->m; k++)
        o->rows[k] = o->rows[k / 5];
    OK(o->ctx, sl_matrix_extract(o->C, o->mask, SL_PLUS_INT64, o->A, o->rows, o->m, SL_ALL, 0,
                                 sl_descriptor_get(SL_STRUCTURE)));
}

static void extract_backwards(operands *o)
{
    uint64_t rows[] = {o->n - 1, UINT64_MAX, UINT64_MAX}, cols[] = {0, o->m, 2};
    replace_output(o, o->n, (o->m + 1) / 2);
    OK(o->ctx, sl_matrix_extract(o->C, NULL, NULL, o->A, rows, SL_RANGE, cols, SL_RANGE,
                                 sl_descriptor_get(SL_TRANSPOSE_A)));
}

static void assign(operands *o)
{
    OK(o->ctx, sl_matrix_assign(o->C, o->mask, NULL, o->A, o->rows, o->m, o->cols, o->n,
                                sl_descriptor_get(SL_REPLACE)));
}

static void assign_part(operands *o)
{
    uint64_t m = o->m / 3, n = o->n / 2;
    sl_matrix *part = matrix(o, m, n, m + n, true);
    OK(o->ctx, sl_matrix_assign(o->C, o->mask, NULL, part, o->rows, m, o->cols, n,
                                sl_descriptor_get(SL_COMPLEMENT)));
    OK(o->ctx, sl_matrix_assign(o->C, NULL, SL_MINUS_INT64, part, o->rows, m, o->cols, n, NULL));
    sl_matrix_free(part);
}

static void assign_scalar(operands *o)
{
    sl_scalar x = sl_scalar_int64(7);
    OK(o->ctx, sl_matrix_assign_scalar(o->C, o->mask, SL_PLUS_INT64, x, o->rows, o->m / 2, SL_ALL,
                                       0, sl_descriptor_get(SL_STRUCTURE)));
    OK(o->ctx, sl_matrix_assign_scalar(o->C, NULL, NULL, x, o->rows, o->m / 8, o->cols, 20, NULL));
}

static void assign_lines(operands *o)
{
    OK(o->ctx, sl_matrix_assign_row(o->C, o->w, NULL, o->w, o->m / 2, o->cols, o->n, NULL));
    OK(o->ctx, sl_matrix_assign_column(o->C, NULL, SL_PLUS_INT64, o->u, SL_ALL, 0, o->n - 1, NULL));
    sl_vector_free(o->u);
    OK(o->ctx, sl_vector_new(&o->u, o->ctx, SL_INT64, o->m));
    OK(o->ctx, sl_matrix_extract_column(o->u, NULL, NULL, o->C, o->rows, o->m, 3, NULL));
    OK(o->ctx, sl_matrix_extract_column(o->w, NULL, SL_PLUS_INT64, o->C, SL_ALL, 0, 5,
                                        sl_descriptor_get(SL_TRANSPOSE_A)));
}

static void kronecker(operands *o)
{
    sl_matrix *small = matrix(o, 3, 2, 5, false);
    replace_output(o, 3 * o->m, 2 * o->n);
    OK(o->ctx, sl_kronecker(o->C, NULL, NULL, SL_MINUS_INT64, small, o->B, NULL));
    replace_output(o, 3 * o->m, 2 * o->n);
    OK(o->ctx, sl_kronecker(o->C, NULL, NULL, SL_FIRSTJ_INT64, o->B, small, NULL));
    sl_matrix_free(small);
}

static void diagonals(operands *o)
{
    sl_vector_free(o->u);
    OK(o->ctx, sl_vector_diag(&o->u, o->A, -3));
    sl_matrix_free(o->C);
    OK(o->ctx, sl_matrix_diag(&o->C, o->w, 5));
}

static void resize(operands *o)
{
    OK(o->ctx, sl_matrix_resize(o->C, o->m / 2 + 1, 2 * o->n));
    OK(o->ctx, sl_matrix_resize(o->C, 2 * o->m, o->n - 1));
    OK(o->ctx, sl_vector_resize(o->u, 3 * o->m));
    OK(o->ctx, sl_vector_resize(o->w, o->n / 2));
}

static const struct {
    const char *name;
    void (*run)(operands *o);
} operations[] = {{"build", no_operation},
                  {"extract", extract},
                  {"extract of a permutation", extract_permuted},
                  {"extract of a permuted pattern", extract_permuted_pattern},
                  {"extract of rows", extract_rows},
                  {"extract backwards", extract_backwards},
                  {"assign", assign},
                  {"assign of a part", assign_part},
                  {"assign_scalar", assign_scalar},
                  {"rows and columns", assign_lines},
                  {"kronecker", kronecker},
                  {"diag", diagonals},
                  {"resize", resize}};

/* ---- comparison ------------------------------------------------------------------ */

/* All entries of C, u and w as numbers, in order; the caller frees the array. */
static uint64_t *read_all(const operands *o, uint64_t *count)
{
    uint64_t of_matrix, of_u, of_w;
    OK(o->ctx, sl_matrix_nvals(&of_matrix, o->C));
    OK(o->ctx, sl_vector_nvals(&of_u, o->u));
    OK(o->ctx, sl_vector_nvals(&of_w, o->w));
    *count = 3 * of_matrix + 2 * of_u + 2 * of_w;
    uint64_t *all = sl_malloc((*count + 1) * sizeof *all);
    assert_non_null(all);
    uint64_t *u = all + 3 * of_matrix, *w = u + 2 * of_u;
    OK(o->ctx,
       sl_matrix_extract_tuples(all, all + of_matrix, all + 2 * of_matrix, &of_matrix, o->C));
    OK(o->ctx, sl_vector_extract_tuples(u, u + of_u, &of_u, o->u));
    OK(o->ctx, sl_vector_extract_tuples(w, w + of_w, &of_w, o->w));
    return all;
}

static uint64_t *outcome(sl_context *ctx, size_t op, uint64_t seed, uint64_t *count)
{
    static operands o;
    make_operands(&o, ctx, seed);
    operations[op].run(&o);
    uint64_t *all = read_all(&o, count);
    free_operands(&o);
    return all;
}

static int differences(sl_context *ctx, sl_context *host, const char *engine, uint64_t seed)
{
    int wrong = 0;
    for (size_t op = 0; op < sizeof operations / sizeof *operations; op++) {
        uint64_t count, wanted_count;
        uint64_t *got = outcome(ctx, op, seed, &count);
        uint64_t *wanted = outcome(host, op, seed, &wanted_count);
        if (count != wanted_count || memcmp(got, wanted, count * sizeof *got) != 0) {
            fprintf(stderr, "SEMLA_TEST_SEED=%d %s: %s differs\n", (int)seed, engine,
                    operations[op].name);
            wrong++;
        }
        sl_free(got);
        sl_free(wanted);
    }
    return wrong;
}

static void test_engines(void **state)
{
    const test_seeds seeds = test_seeds_from(0, SEEDS);
    sl_engine_info info;
    sl_context *host, *ctx;
    int wrong = 0;
    assert_int_equal(sl_context_create(&host, SL_ENGINE_SUITESPARSE), SL_OK);
    for (size_t k = 0; next_engine(&info, &k);) {
        if (info.choice == SL_ENGINE_SUITESPARSE)
            continue;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
            wrong += differences(ctx, host, info.name, seed);
        sl_context_free(ctx);
    }
    sl_context_free(host);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
