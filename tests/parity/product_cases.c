/*
 * Products w<mask> = w accum u A and A u, in a context under test and by SuiteSparse. Values are
 * small integers, so that sums are exact in any order. Of a product over `any` whose values may
 * differ, the pattern is compared, and each value with the entries of the matrix and the vector. Square matrices are
 * multiplied as they are, and once more after sl_matrix_optimize.
 */
#include "product_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 20000 }; /* entries */

/* A matrix as tuples, and as a dense pattern. */
typedef struct {
    const char *name;
    uint64_t nrows, ncols, count;
    uint64_t row[MOST], col[MOST];
    int64_t value[MOST];
    bool *present;
} matrix;

typedef struct {
    uint64_t size, count;
    uint64_t index[4096];
    int64_t value[4096];
    bool present[4096];
} vector;

/* One product. */
typedef struct {
    const matrix *A;
    const vector *u, *w, *mask;    /* mask NULL: none */
    sl_semiring semiring, of_host; /* of the context under test, and of SuiteSparse's */
    bool vxm, accum, loose;        /* loose: any of several values */
    unsigned flags;
} one_product;

static uint64_t state = 1;
static uint64_t random_below(uint64_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % limit;
}

#define MUST(ctx, call)                                                                            \
    do {                                                                                           \
        if ((call) < 0)                                                                            \
            fail_msg("%s: %s", #call, sl_context_message(ctx));                                    \
    } while (0)

/* ---- operands ------------------------------------------------------------------------------- */

static void add(matrix *A, uint64_t i, uint64_t j)
{
    if (A->count == MOST || A->present[i * A->ncols + j])
        return;
    A->present[i * A->ncols + j] = true;
    A->row[A->count] = i;
    A->col[A->count] = j;
    A->value[A->count++] = (int64_t)random_below(4);
}

static void begin(matrix *A, const char *name, uint64_t nrows, uint64_t ncols)
{
    free(A->present);
    A->name = name;
    A->nrows = nrows;
    A->ncols = ncols;
    A->count = 0;
    A->present = calloc(nrows * ncols + 1, sizeof *A->present);
    assert_non_null(A->present);
}

/* Hostile matrices, the largest of which have more than 8 entries a row; false after the last. */
static bool next_matrix(matrix *A, int number)
{
    switch (number) {
    case 0:
        begin(A, "random", 700, 700);
        break;
    case 1:
        begin(A, "wide", 130, 1500);
        break;
    case 2:
        begin(A, "tall", 1500, 130);
        break;
    case 3: /* a hub joined to all, by a row and a column, and loops */
        begin(A, "hub", 1200, 1200);
        for (uint64_t k = 0; k < 1200; k++) {
            add(A, 5, k);
            add(A, k, 5);
            add(A, k, k);
        }
        return true;
    case 4:
        begin(A, "path", 2100, 2100);
        for (uint64_t k = 0; k + 1 < 2100; k++)
            add(A, k, k + 1);
        return true;
    case 5: /* a core and isolated vertices */
        begin(A, "isolated", 2000, 2000);
        for (int k = 0; k < 9000; k++)
            add(A, random_below(100), random_below(100));
        return true;
    case 6:
        begin(A, "empty", 300, 200);
        return true;
    case 7:
        begin(A, "one", 1, 1);
        add(A, 0, 0);
        return true;
    default:
        return false;
    }
    for (int k = 0; k < 9000; k++)
        add(A, random_below(A->nrows), random_below(A->ncols));
    return true;
}

/* A vector with about `percent` of its entries; one value in four is 0. */
static void fill(vector *v, uint64_t size, unsigned percent)
{
    v->size = size;
    v->count = 0;
    for (uint64_t k = 0; k < size; k++) {
        v->present[k] = random_below(100) < percent;
        v->index[v->count] = k;
        v->value[v->count] = (int64_t)random_below(4);
        v->count += v->present[k];
    }
}

static sl_matrix *make_matrix(sl_context *ctx, const matrix *A, int rank)
{
    sl_matrix *made;
    MUST(ctx, sl_matrix_new(&made, ctx, SL_INT64, A->nrows, A->ncols));
    MUST(ctx, sl_matrix_build(made, A->row, A->col, A->value, rank == 0 ? A->count : 0, NULL));
    return made;
}

static sl_vector *make_vector(sl_context *ctx, const vector *v, int rank, sl_type type)
{
    sl_vector *made, *cast;
    MUST(ctx, sl_vector_new(&made, ctx, SL_INT64, v->size));
    MUST(ctx, sl_vector_build(made, v->index, v->value, rank == 0 ? v->count : 0, NULL));
    MUST(ctx, sl_vector_new(&cast, ctx, type, v->size));
    MUST(ctx, sl_vector_assign(cast, NULL, NULL, made, SL_ALL, 0, NULL));
    sl_vector_free(made);
    return cast;
}

/* ---- products --------------------------------------------------------------------------------- */

/* w in one context; A is that of the context. */
static sl_vector *multiply(const one_product *p, sl_context *ctx, sl_semiring semiring,
                           const sl_matrix *A, int rank)
{
    const sl_type type = semiring->result;
    sl_vector *u = make_vector(ctx, p->u, rank, semiring->result_is_index ? SL_INT64 : type);
    sl_vector *w = make_vector(ctx, p->w, rank, type);
    sl_vector *mask = p->mask ? make_vector(ctx, p->mask, rank, SL_INT64) : NULL;
    const sl_binary_op accum = p->accum ? sl_binary_op_get(SL_BINARY_MAX, type) : NULL;
    const sl_descriptor desc = sl_descriptor_get(p->flags);
    if (p->vxm)
        MUST(ctx, sl_vxm(w, mask, accum, semiring, u, A, desc));
    else
        MUST(ctx, sl_mxv(w, mask, accum, semiring, A, u, desc));
    sl_vector_free(u);
    sl_vector_free(mask);
    return w;
}

/* True if `value` is one of the products of the result's entry v: the indices in the vector, or its values. */
static bool is_product(const one_product *p, uint64_t v, int64_t value)
{
    const bool index = p->semiring->result_is_index;
    const bool transposed = p->flags & (p->vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A);
    const bool rows = p->vxm != transposed; /* the vector has an entry for each row */
    const matrix *A = p->A;
    for (uint64_t k = 0; k < p->u->count; k++)
        if ((index ? (int64_t)p->u->index[k] : p->u->value[k]) == value &&
            A->present[rows ? p->u->index[k] * A->ncols + v : v * A->ncols + p->u->index[k]])
            return true;
    return false;
}

/* A value of a signed type. */
static int64_t integer_at(const void *values, sl_type type, uint64_t k)
{
    return type == SL_INT8    ? ((const int8_t *)values)[k]
           : type == SL_INT16 ? ((const int16_t *)values)[k]
           : type == SL_INT32 ? ((const int32_t *)values)[k]
                              : ((const int64_t *)values)[k];
}

static void describe(char *text, size_t size, const one_product *p)
{
    snprintf(text, size, "%s %s of %s, %d of %d entries, mask %d of %d%s%s%s%s%s%s",
             p->vxm ? "vxm" : "mxv", p->semiring->name, p->A->name, (int)p->u->count,
             (int)p->u->size, p->mask ? (int)p->mask->count : -1, (int)p->w->size,
             p->flags & SL_COMPLEMENT ? " complement" : "",
             p->flags & SL_STRUCTURE ? " structure" : "", p->flags & SL_REPLACE ? " replace" : "",
             p->flags & SL_TRANSPOSE_A ? " transpose_a" : "",
             p->flags & SL_TRANSPOSE_B ? " transpose_b" : "", p->accum ? " accum" : "");
}

static void compare(const product_test *test, const one_product *p, const sl_vector *got,
                    const sl_vector *expected)
{
    sl_arrays mine, theirs;
    char text[256];
    MUST(test->tested, test->fetch(&mine, got));
    MUST(test->host, sl_vector_copy_out(&theirs, expected, SL_FORMAT_LIST));
    describe(text, sizeof text, p);
    if (test->checks) {
        MUST(test->tested, sl_arrays_expand(test->tested, &mine));
        MUST(test->host, sl_arrays_expand(test->host, &theirs));
        const size_t size = sl_type_size(theirs.type);
        if (mine.nvals != theirs.nvals)
            fail_msg("%s: %d entries, not %d", text, (int)mine.nvals, (int)theirs.nvals);
        for (uint64_t k = 0; k < mine.nvals; k++) {
            if (mine.rows[k] != theirs.rows[k])
                fail_msg("%s: an entry at %d, not %d", text, (int)mine.rows[k],
                         (int)theirs.rows[k]);
            const bool same =
                memcmp((char *)mine.values + k * size, (char *)theirs.values + k * size, size) == 0;
            const bool valid =
                p->loose && is_product(p, mine.rows[k], integer_at(mine.values, mine.type, k));
            const bool kept = p->loose && p->w->present[mine.rows[k]];
            if (!same && !valid && !kept)
                fail_msg("%s: the value at %d differs", text, (int)mine.rows[k]);
        }
    }
    sl_arrays_free(&mine);
    sl_arrays_free(&theirs);
}

/* The semiring whose sums are any of the vector's values. */
static sl_semiring any_value(sl_context *ctx, sl_type type, bool vxm)
{
    sl_semiring made;
    MUST(ctx, sl_semiring_new(&made, ctx, "any_value", sl_monoid_get(SL_MONOID_ANY, type),
                              sl_binary_op_get(vxm ? SL_BINARY_FIRST : SL_BINARY_SECOND, type)));
    return made;
}

/* Every semiring and direction for one choice of the operands. */
static void check_operands(const product_test *test, const matrix *A, sl_matrix *tested,
                           sl_matrix *host, unsigned u_percent, int mask_percent, unsigned flags)
{
    static vector u, w, mask;
    const sl_semiring semirings[] = {SL_ANY_PAIR_BOOL,   SL_ANY_SECONDI_INT64, SL_MIN_SECONDI_INT64,
                                     SL_MIN_FIRST_INT64, SL_MIN_SECOND_INT64,  SL_PLUS_TIMES_INT64,
                                     SL_MIN_PLUS_INT64,  SL_PLUS_PAIR_INT64};
    const sl_type types[] = {SL_INT8, SL_INT16, SL_INT32, SL_INT64};
    const size_t count = sizeof semirings / sizeof *semirings;
    for (size_t s = 0; s <= count; s++) {
        const bool vxm = random_below(2);
        sl_semiring semiring = semirings[s % count], of_host = semiring;
        if (s == count) { /* selects values of the vector */
            const sl_type type = types[random_below(4)];
            semiring = any_value(test->tested, type, vxm);
            of_host = any_value(test->host, type, vxm);
        }
        const bool loose = semiring->add->any && semiring != SL_ANY_PAIR_BOOL;
        const bool transposed = random_below(2);
        const bool rows = vxm != transposed;
        unsigned all = flags;
        if (transposed)
            all |= vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A;
        fill(&u, rows ? A->nrows : A->ncols, u_percent);
        fill(&w, rows ? A->ncols : A->nrows, 10);
        fill(&mask, w.size, mask_percent < 0 ? 0 : (unsigned)mask_percent);
        const one_product p = {.A = A,
                               .u = &u,
                               .w = &w,
                               .mask = mask_percent < 0 ? NULL : &mask,
                               .semiring = semiring,
                               .of_host = of_host,
                               .vxm = vxm,
                               .accum = random_below(5) == 0,
                               .loose = loose,
                               .flags = all};
        sl_vector *got = multiply(&p, test->tested, p.semiring, tested, test->rank);
        sl_vector *expected = multiply(&p, test->host, p.of_host, host, 0);
        compare(test, &p, got, expected);
        sl_vector_free(got);
        sl_vector_free(expected);
        sl_semiring_free(semiring);
        sl_semiring_free(of_host);
    }
}

void check_products(const product_test *test)
{
    static const int masks[] = {-1, 0, 2, 50, 100};
    static const unsigned entries[] = {0, 2, 60, 100};
    static matrix A;
    static unsigned choice; /* the next call tests other choices */
    state = 1;
    for (int number = 0; next_matrix(&A, number / 2); number++) {
        const bool prepared = number % 2;
        if (prepared && A.nrows != A.ncols)
            continue;
        sl_matrix *tested = make_matrix(test->tested, &A, test->rank);
        sl_matrix *host = make_matrix(test->host, &A, 0);
        if (prepared)
            MUST(test->tested, sl_matrix_optimize(tested, SL_FOR_TRAVERSAL));
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
            for (size_t e = 0; e < sizeof entries / sizeof *entries; e++)
                for (unsigned how = 0; how < 8; how++)
                    if (choice++ % test->every == 0)
                        check_operands(test, &A, tested, host, entries[e], masks[m],
                                       (how & 1 ? SL_COMPLEMENT : 0) |
                                           (how & 2 ? SL_STRUCTURE : 0) |
                                           (how & 4 ? SL_REPLACE : 0));
        sl_matrix_free(tested);
        sl_matrix_free(host);
    }
    free(A.present);
    A = (matrix){0};
}
