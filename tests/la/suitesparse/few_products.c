/*
 * Products of a vector of few entries under masks, on the host, compared with arrays that have an element
 * for each index: vxm and mxv, with and without a transpose, masks that are bitmaps, lists, full or empty,
 * and masks and vectors that are the output. And the same while memory runs out.
 */
#include "objects.h"

enum { SIZE = 3000, LONG_ROW = 7, EMPTY_ROW = 8, LONG = 600 };

/* A vector as an array. */
typedef struct {
    bool present[SIZE];
    int64_t value[SIZE];
} array;

typedef enum { OWN, IS_OUTPUT, IS_VECTOR } alias;

typedef struct {
    sl_semiring ring;
    bool vxm, transposed, accumulates, in_place; /* in_place: the output is the vector */
    unsigned flags;
    alias mask;
    array u, m, w;
} product;

static uint64_t state = 1;
static int64_t dense[SIZE][SIZE]; /* 0: no entry */
static sl_matrix *A;

/* Three entries in each row, 600 in one, none in one. */
static void make_matrix(void)
{
    static uint64_t rows[4 * SIZE], cols[4 * SIZE];
    static int64_t values[4 * SIZE];
    uint64_t count = 0;
    memset(dense, 0, sizeof dense);
    for (uint64_t i = 0; i < SIZE; i++)
        for (uint64_t k = 0; i != EMPTY_ROW && k < (i == LONG_ROW ? LONG : 3); k++)
            dense[i][i == LONG_ROW ? 5 * k : test_random(&state) % SIZE] =
                1 + (int64_t)(test_random(&state) % 9);
    for (uint64_t i = 0; i < SIZE; i++)
        for (uint64_t j = 0; j < SIZE; j++)
            if (dense[i][j]) {
                rows[count] = i;
                cols[count] = j;
                values[count++] = dense[i][j];
            }
    A = new_matrix(SL_INT64, SIZE, SIZE);
    OK(ctx, sl_matrix_build(A, rows, cols, values, count, NULL));
}

static sl_semiring random_ring(void)
{
    const sl_semiring rings[] = {SL_ANY_PAIR_INT64, SL_PLUS_TIMES_INT64, SL_MIN_PLUS_INT64};
    return rings[test_random(&state) % 3];
}

/* About `share` in a thousand of the indices have an entry; one value in four is 0. */
static void fill(array *a, unsigned share)
{
    for (uint64_t k = 0; k < SIZE; k++) {
        a->present[k] = test_random(&state) % 1000 < share;
        a->value[k] = (int64_t)(test_random(&state) % 4);
    }
}

static sl_vector *vector_of(const array *a, sl_type type)
{
    static uint64_t index[SIZE];
    static int64_t value[SIZE];
    uint64_t count = 0;
    for (uint64_t k = 0; k < SIZE; k++)
        if (a->present[k]) {
            index[count] = k;
            value[count++] = a->value[k];
        }
    sl_vector *v = new_vector(SL_INT64, SIZE), *cast = new_vector(type, SIZE);
    OK(ctx, sl_vector_build(v, index, value, count, NULL));
    OK(ctx, sl_vector_assign(cast, NULL, NULL, v, SL_ALL, 0, NULL));
    sl_vector_free(v);
    return cast;
}

/* The entries of the product without mask and accumulator. */
static void multiply(array *t, const product *p)
{
    const bool by_row = p->vxm != p->transposed;
    memset(t, 0, sizeof *t);
    for (uint64_t k = 0; k < SIZE; k++)
        for (uint64_t j = 0; p->u.present[k] && j < SIZE; j++) {
            const int64_t a = by_row ? dense[k][j] : dense[j][k], u = p->u.value[k];
            if (!a)
                continue;
            if (p->ring == SL_ANY_PAIR_INT64)
                t->value[j] = 1;
            else if (p->ring == SL_PLUS_TIMES_INT64)
                t->value[j] += a * u;
            else if (!t->present[j] || a + u < t->value[j])
                t->value[j] = a + u;
            t->present[j] = true;
        }
}

/* The result; the accumulator is plus. */
static void expect(array *w, const product *p)
{
    const array *m = p->mask == IS_OUTPUT ? &p->w : p->mask == IS_VECTOR ? &p->u : &p->m;
    array t;
    multiply(&t, p);
    *w = p->w;
    for (uint64_t j = 0; j < SIZE; j++) {
        const bool there = m->present[j] && (p->flags & SL_STRUCTURE || m->value[j]);
        if (there == !!(p->flags & SL_COMPLEMENT))
            w->present[j] &= !(p->flags & SL_REPLACE);
        else if (p->accumulates && w->present[j])
            w->value[j] += t.present[j] ? t.value[j] : 0;
        else {
            w->present[j] = t.present[j];
            w->value[j] = t.value[j];
        }
    }
}

static void compare(const sl_vector *got, const array *expected)
{
    sl_arrays list;
    uint64_t at = 0;
    OK(ctx, sl_vector_copy_out(&list, got, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &list));
    for (uint64_t j = 0; j < SIZE; j++)
        if (expected->present[j]) {
            assert_true(at < list.nvals);
            assert_int_equal(list.rows[at], j);
            const int64_t value = list.type == SL_FP64 ? (int64_t)((double *)list.values)[at]
                                                       : ((int64_t *)list.values)[at];
            assert_int_equal(value, expected->value[j]);
            at++;
        }
    assert_int_equal(at, list.nvals);
    sl_arrays_free(&list);
}

static sl_status run(const product *p, sl_vector *w, const sl_vector *mask, const sl_vector *u)
{
    const sl_binary_op accum = p->accumulates ? SL_PLUS_INT64 : NULL;
    const unsigned transpose = p->vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A;
    sl_descriptor desc = sl_descriptor_get(p->flags | (p->transposed ? transpose : 0));
    return p->vxm ? sl_vxm(w, mask, accum, p->ring, u, A, desc)
                  : sl_mxv(w, mask, accum, p->ring, A, u, desc);
}

/* Runs the product, and before that with each of its allocations failing, if `fails`. */
static void check(product *p, bool fails)
{
    static array expected;
    if (p->in_place)
        p->w = p->u;
    expect(&expected, p);
    const sl_type type = test_random(&state) % 3 ? SL_INT64 : SL_FP64;
    sl_vector *u = vector_of(&p->u, SL_INT64), *own = vector_of(&p->m, SL_INT64);
    sl_vector *w = p->in_place ? u : vector_of(&p->w, type);
    const sl_vector *mask = p->mask == IS_OUTPUT ? w : p->mask == IS_VECTOR ? u : own;
    sl_status status = fails ? SL_NO_MEMORY : run(p, w, mask, u);
    for (long n = 0; status == SL_NO_MEMORY; n++) {
        allocator_fail_after(n);
        status = run(p, w, mask, u);
        allocator_fail_after(-1);
        if (status != SL_OK)
            compare(w, &p->w);
    }
    OK(ctx, status);
    compare(w, &expected);
    if (w != u) {
        compare(u, &p->u);
        sl_vector_free(w);
    }
    sl_vector_free(u);
    sl_vector_free(own);
}

/* Checks products with these operands. */
static void check_ways(product *p)
{
    for (unsigned way = 0; way < 4; way++)
        for (unsigned flags = 0; flags < 8; flags++)
            for (unsigned how = 0; how < 12; how++) {
                p->ring = random_ring();
                p->vxm = way & 1;
                p->transposed = way & 2;
                p->flags = (flags & 1 ? SL_REPLACE : 0) | (flags & 2 ? SL_STRUCTURE : 0) |
                           (flags & 4 ? SL_COMPLEMENT : 0);
                p->accumulates = how & 1;
                p->in_place = how & 2;
                p->mask = (alias)(how / 4);
                check(p, false);
            }
}

/* Without entries, with few, and with those of the long and the empty row. */
static void fill_vector(array *u, unsigned number)
{
    fill(u, number == 0 ? 0 : 3);
    u->present[LONG_ROW] = u->present[EMPTY_ROW] = number == 2;
}

static void same_as_arrays(void **unused)
{
    static product p;
    static const unsigned masks[] = {0, 10, 500, 1000}, outputs[] = {3, 500};
    (void)unused;
    make_matrix();
    for (unsigned v = 0; v < 3; v++)
        for (unsigned k = 0; k < 8; k++) {
            fill_vector(&p.u, v);
            fill(&p.m, masks[k / 2]);
            fill(&p.w, outputs[k % 2]);
            check_ways(&p);
        }
    sl_matrix_free(A);
}

/* If nothing of the output is kept, it is unchanged by a product that fails. The mask is a bitmap. */
static void without_memory(void **unused)
{
    static product p;
    (void)unused;
    const long before = allocator_alive();
    make_matrix();
    for (unsigned k = 0; k < 16; k++) {
        fill_vector(&p.u, 1);
        fill(&p.m, 500);
        fill(&p.w, 500);
        p.ring = random_ring();
        p.vxm = k & 1;
        p.transposed = !p.vxm;
        p.in_place = k & 2;
        p.mask = k & 4 && !p.in_place ? IS_OUTPUT : OWN;
        p.flags = SL_REPLACE | SL_STRUCTURE;
        check(&p, true);
    }
    sl_matrix_free(A); /* with the rows that the engine keeps */
    assert_int_equal(allocator_alive(), before);
}

int main(void)
{
    static const sl_engine_choice engines[] = {SL_ENGINE_SUITESPARSE, SL_ENGINE_OPENMP};
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_arrays),
                                       cmocka_unit_test(without_memory)};
    int failed = 0;
    allocator_install();
    for (size_t k = 0; k < 2; k++) {
        OK(NULL, sl_context_create(&ctx, engines[k]));
        failed += cmocka_run_group_tests(tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
