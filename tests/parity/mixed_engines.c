/*
 * Random programs in a context of SL_ENGINE_AUTO of which the operands are moved between the memory
 * of the host and of the GPU before each operation, so that host and GPU take turns within a
 * program. All results are compared with those of SuiteSparse alone. Values are integers. The sizes
 * are on both sides of those from which the GPU is faster. Needs a GPU.
 */
#include <semla/engine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { PROGRAMS = 60, STEPS = 60, VECTORS = 4, MATRICES = 3, AUTO = 0, HOST = 1 };

typedef struct {
    sl_context *ctx;
    sl_vector *v[VECTORS], *index;
    sl_matrix *A[MATRICES];
    sl_scalar sum;
    uint64_t n, reached;
} world;

static sl_context *contexts[2];

/* ---- objects ----------------------------------------------------------------------- */

static void fill(world *w, uint64_t n, uint64_t seed)
{
    const uint64_t count = 4 * n;
    uint64_t *rows = malloc(count * sizeof *rows), *cols = malloc(count * sizeof *cols);
    int64_t *values = malloc(count * sizeof *values);
    w->n = n;
    for (int m = 0; m < MATRICES; m++) {
        for (uint64_t k = 0; k < count; k++) {
            rows[k] = test_random(&seed) % n;
            cols[k] = test_random(&seed) % n;
            values[k] = (int64_t)(test_random(&seed) % 5) - 2;
        }
        OK(w->ctx, sl_matrix_new(&w->A[m], w->ctx, SL_INT64, n, n));
        OK(w->ctx, sl_matrix_build(w->A[m], rows, cols, values, count, SL_PLUS_INT64));
    }
    for (uint64_t k = 0; k < n; k++) {
        rows[k] = k;
        values[k] = (int64_t)(test_random(&seed) % n);
    }
    OK(w->ctx, sl_vector_new(&w->index, w->ctx, SL_INT64, n));
    OK(w->ctx, sl_vector_build(w->index, rows, values, n, NULL));
    for (int k = 0; k < VECTORS; k++) { /* full, half full, short, empty */
        const uint64_t step = k == 0 ? 1 : k == 1 ? 2 : n / 3 + 1, entries = k < 3 ? n / step : 0;
        for (uint64_t i = 0; i < entries; i++)
            rows[i] = i * step;
        OK(w->ctx, sl_vector_new(&w->v[k], w->ctx, SL_INT64, n));
        if (entries)
            OK(w->ctx, sl_vector_build(w->v[k], rows, values, entries, NULL));
    }
    free(rows);
    free(cols);
    free(values);
}

static void free_world(world *w)
{
    for (int k = 0; k < VECTORS; k++)
        sl_vector_free(w->v[k]);
    for (int m = 0; m < MATRICES; m++)
        sl_matrix_free(w->A[m]);
    sl_vector_free(w->index);
}

/* Leaves the object where it is, copies it to the host or the device, or moves it there. */
static void move(world *w, sl_object *object, uint64_t how)
{
    const sl_store *stores[2] = {w->ctx->chain[0]->store, &sl_store_host};
    if (how % 5 == 0 || !sl_object_has_contents(object))
        return;
    const sl_store *to = stores[how % 2], *from = stores[1 - how % 2];
    OK(w->ctx, sl_object_migrate(object, to));
    if (how % 3 != 0)
        sl_object_drop(object, from);
}

static void move_all(world *w, uint64_t *random)
{
    for (int k = 0; k < VECTORS; k++)
        move(w, sl_object_of_vector(w->v[k]), test_random(random));
    for (int m = 0; m < MATRICES; m++)
        move(w, sl_object_of_matrix(w->A[m]), test_random(random));
    move(w, sl_object_of_vector(w->index), test_random(random));
}

/* ---- operations -------------------------------------------------------------------- */

static const unsigned flags[] = {0, SL_REPLACE, SL_COMPLEMENT, SL_STRUCTURE,
                                 SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE};

/* The operands of one step: indices of vectors and matrices, and choices. */
typedef struct {
    uint64_t operation, w, u, v, m, a, b, c, mask, accum, flag;
} step;

static step draw_step(uint64_t *random)
{
    uint64_t r[11];
    for (int k = 0; k < 11; k++)
        r[k] = test_random(random);
    return (step){r[0] % 14,      r[1] % VECTORS,  r[2] % VECTORS,  r[3] % VECTORS,
                  r[4] % VECTORS, r[5] % MATRICES, r[6] % MATRICES, r[7] % MATRICES,
                  r[8] % 3,       r[9] % 3,        r[10] % 5};
}

static sl_status search(world *x, sl_vector *w, const sl_matrix *A)
{
    sl_closure_options o = {.from_source = true, .source = 0};
    const sl_status status = sl_vector_clear(w);
    return status == SL_OK ? sl_closure(w, NULL, A, SL_MIN_SECONDI_INT64, &o) : status;
}

static sl_status run(world *x, const step *s)
{
    sl_vector *w = x->v[s->w], *u = x->v[s->u], *v = x->v[s->v];
    sl_vector *mask = s->mask == 0 ? x->v[s->m] : NULL;
    sl_matrix *A = x->A[s->a], *B = x->A[s->b], *C = x->A[s->c];
    sl_binary_op accum = s->accum == 0 ? SL_MAX_INT64 : NULL;
    sl_descriptor d = sl_descriptor_get(mask ? flags[s->flag] : 0);
    const sl_scalar three = sl_scalar_int64(3);
    switch (s->operation) {
    case 0:
        return sl_vxm(w, mask, accum, SL_MIN_PLUS_INT64, u, A, d);
    case 1:
        return sl_mxv(w, mask, accum, SL_MAX_MIN_INT64, A, u, d);
    case 2:
        return sl_vector_ewise_add(w, mask, accum, SL_MIN_INT64, u, v, d);
    case 3:
        return sl_vector_ewise_mult(w, mask, accum, SL_MINUS_INT64, u, v, d);
    case 4:
        return sl_vector_apply_second(w, mask, accum, SL_MIN_INT64, u, sl_scalar_int64(100), d);
    case 5:
        return sl_vector_select(w, mask, accum, SL_VALUEGT_INT64, u, three, d);
    case 6:
        return sl_vector_assign_scalar(w, mask, accum, three, SL_ALL, 0, d);
    case 7:
        return sl_vector_assign(w, mask, accum, u, SL_ALL, 0, d);
    case 8:
        return sl_vector_gather(w, mask, accum, u, x->index, d);
    case 9:
        return sl_vector_reduce(&x->sum, NULL, SL_MAX_MONOID_INT64, u);
    case 10:
        return sl_mxm(C, A, NULL, SL_MAX_MIN_INT64, A, B, sl_descriptor_get(SL_STRUCTURE));
    case 11:
        return sl_matrix_ewise_add(C, NULL, NULL, SL_MAX_INT64, A, B, NULL);
    case 12:
        return sl_transpose(C, NULL, NULL, A, NULL);
    default:
        return search(x, w, A);
    }
}

/* ---- comparison -------------------------------------------------------------------- */

static void expect_equal_vectors(world *x, int k, const char *what)
{
    uint64_t *index[2], count[2];
    int64_t *values[2];
    for (int s = 0; s < 2; s++) {
        count[s] = x[s].n;
        index[s] = malloc(x[s].n * sizeof **index);
        values[s] = malloc(x[s].n * sizeof **values);
        OK(x[s].ctx, sl_vector_extract_tuples(index[s], values[s], &count[s], x[s].v[k]));
    }
    if (count[0] != count[1] || memcmp(index[0], index[1], count[0] * sizeof **index) != 0 ||
        memcmp(values[0], values[1], count[0] * sizeof **values) != 0)
        fail_msg("%s: vector %d differs", what, k);
    for (int s = 0; s < 2; s++) {
        free(index[s]);
        free(values[s]);
    }
}

static void expect_equal_matrices(world *x, int m, const char *what)
{
    sl_csr rows[2];
    for (int s = 0; s < 2; s++)
        OK(x[s].ctx, sl_matrix_copy_csr(&rows[s], x[s].A[m]));
    const uint64_t n = x[0].n, entries = rows[0].start[n];
    bool same = memcmp(rows[0].start, rows[1].start, (n + 1) * sizeof(uint64_t)) == 0 &&
                memcmp(rows[0].index, rows[1].index, entries * sizeof(uint64_t)) == 0;
    for (uint64_t k = 0; same && k < entries; k++) {
        int64_t value[2];
        for (int s = 0; s < 2; s++)
            value[s] = rows[s].values ? ((int64_t *)rows[s].values)[k] : 1;
        same = value[0] == value[1];
    }
    if (!same)
        fail_msg("%s: matrix %d differs", what, m);
    free_rows(&rows[0]);
    free_rows(&rows[1]);
}

static void run_program(uint64_t seed, uint64_t n)
{
    world x[2] = {{.ctx = contexts[AUTO]}, {.ctx = contexts[HOST]}};
    uint64_t random = seed;
    char what[100];
    for (int s = 0; s < 2; s++)
        fill(&x[s], n, seed);
    for (int k = 0; k < STEPS; k++) {
        const step s = draw_step(&random);
        snprintf(what, sizeof what, "program %llu, %llu rows, step %d, operation %llu",
                 (unsigned long long)seed, (unsigned long long)n, k,
                 (unsigned long long)s.operation);
        move_all(&x[AUTO], &random);
        OK(x[AUTO].ctx, run(&x[AUTO], &s));
        OK(x[HOST].ctx, run(&x[HOST], &s));
        if (s.operation == 9)
            assert_int_equal(x[AUTO].sum.as.int64_, x[HOST].sum.as.int64_);
        else if (s.operation >= 10 && s.operation <= 12)
            expect_equal_matrices(x, (int)s.c, what);
        else
            expect_equal_vectors(x, (int)s.w, what);
    }
    for (int k = 0; k < VECTORS; k++)
        expect_equal_vectors(x, k, "at the end");
    for (int m = 0; m < MATRICES; m++)
        expect_equal_matrices(x, m, "at the end");
    free_world(&x[0]);
    free_world(&x[1]);
}

static void test_programs(void **state)
{
    static const uint64_t sizes[] = {1, 5, 40, 300, 3000, 30000};
    (void)state;
    if (!contexts[AUTO]->by_size) {
        printf("engine cuda skipped\n");
        skip();
    }
    sl_context_counts before, after;
    sl_context_get_counts(contexts[AUTO], &before);
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        run_program(seed, sizes[seed % (sizeof sizes / sizeof *sizes)]);
    sl_context_get_counts(contexts[AUTO], &after);
    const uint64_t all = after.operations - before.operations;
    const uint64_t host = after.fallbacks - before.fallbacks;
    printf("%llu of %llu operations ran on the host\n", (unsigned long long)host,
           (unsigned long long)all);
    assert_in_range(host, all / 10, all - all / 10); /* both took part */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    OK(NULL, sl_context_create(&contexts[AUTO], SL_ENGINE_AUTO));
    OK(NULL, sl_context_create(&contexts[HOST], SL_ENGINE_SUITESPARSE));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(contexts[AUTO]);
    sl_context_free(contexts[HOST]);
    return failed;
}
