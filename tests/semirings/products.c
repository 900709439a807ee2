/*
 * Compares the monoids and semirings of the table with those of SuiteSparse: sums of vectors, and
 * products of a vector and a matrix computed from the definition with the table's operators.
 */
#include "suitesparse.h"

#include <string.h>

/*
 * A random value of an integer type; for floating point 0 to 7 and sometimes infinity, so that sums
 * are exact in any order.
 */
static sl_scalar random_value(sl_type type, uint64_t *state)
{
    uint64_t r = test_random(state);
    if (type == SL_BOOL)
        return sl_scalar_bool(r & 1);
    if (type == SL_FP32 || type == SL_FP64)
        return sl_scalar_cast(r % 32 == 0 ? sl_scalar_fp64(INFINITY) : sl_scalar_uint64(r >> 61),
                              type);
    return sl_scalar_cast(sl_scalar_uint64(r), type);
}

/* ---- monoids: the sum of a vector --------------------------------------- */

static sl_scalar grb_reduce(sl_monoid m, GrB_Vector u)
{
    sl_scalar sum = {.type = m->type};
    switch (m->type) {
#define X(NAME, name, ...)                                                                         \
    case SL_##NAME:                                                                                \
        GRB_OK(GrB_Vector_reduce_##NAME(&sum.as.name##_, NULL, grb_monoid(m), u, NULL));           \
        break;
        SL_TYPES_ALL(X, )
#undef X
    default:
        fail_msg("no type %d", m->type);
    }
    return sum;
}

static void check_sum(sl_monoid m, int n, uint64_t *state)
{
    enum { MAX = 40 };
    sl_scalar v[MAX], sum = m->identity;
    bool present = n == 0;
    for (int i = 0; i < n; i++) {
        v[i] = random_value(m->type, state);
        sum = evaluate(m->op, &sum, &v[i]);
    }
    GrB_Vector u = NULL;
    if (n > 0)
        u = grb_vector(m->type, v, n, NULL);
    else
        GRB_OK(GrB_Vector_new(&u, grb_type(m->type), 5));
    sl_scalar expected = grb_reduce(m, u);
    for (int i = 0; i < n; i++)
        present = present || sl_scalar_equal(expected, v[i]);
    /* the result of any is any of the values */
    if (m->any ? !present : !sl_scalar_equal(sum, expected))
        fail_msg("%s over %d values: %s, SuiteSparse: %s", m->name, n, show(sum), show(expected));
    GRB_OK(GrB_Vector_free(&u));
}

static void sums_equal_suitesparse(void **state)
{
    static const int sizes[] = {0, 1, 2, 7, 40};
    uint64_t random = 7;
    for (int code = 0; code < SL_MONOID_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_monoid m = sl_monoid_get(code, type);
            for (size_t i = 0; m && i < sizeof sizes / sizeof *sizes; i++)
                /* floating-point products of many values round */
                if (sizes[i] < 10 || m->code != SL_MONOID_TIMES || m->type < SL_FP32)
                    check_sum(m, sizes[i], &random);
        }
}

/* ---- semirings: w' = u' A ----------------------------------------------- */

enum { ROWS = 11, COLS = 9 };

struct operands {
    sl_scalar u[ROWS], A[ROWS * COLS];
    bool in_u[ROWS], in_A[ROWS * COLS];
};

static void random_operands(struct operands *o, sl_type type, int percent, uint64_t *state)
{
    for (int k = 0; k < ROWS; k++) {
        o->u[k] = random_value(type, state);
        o->in_u[k] = test_random(state) % 100 < (uint64_t)percent;
    }
    for (int p = 0; p < ROWS * COLS; p++) {
        o->A[p] = random_value(type, state);
        o->in_A[p] = test_random(state) % 100 < (uint64_t)percent;
    }
}

/* u(k) A(k,j); u is a row, so its entry is (0,k). */
static sl_scalar multiply(sl_binary_op op, const struct operands *o, int k, int j)
{
    switch (op->code) {
    case SL_BINARY_FIRSTI:
        return sl_scalar_cast(sl_scalar_int64(0), op->result);
    case SL_BINARY_FIRSTJ:
    case SL_BINARY_SECONDI:
        return sl_scalar_cast(sl_scalar_int64(k), op->result);
    case SL_BINARY_SECONDJ:
        return sl_scalar_cast(sl_scalar_int64(j), op->result);
    default:
        return evaluate(op, op->reads_x ? &o->u[k] : NULL,
                        op->reads_y ? &o->A[k * COLS + j] : NULL);
    }
}

/* Entry j of the product: none, the sum, or for `any` one of the products. */
static void check_entry(sl_semiring s, const struct operands *o, int j, GrB_Vector w)
{
    sl_scalar sum = s->add->identity, expected;
    bool there = grb_get(&expected, s->result, w, j), any = false, found = false;
    for (int k = 0; k < ROWS; k++) {
        if (!o->in_u[k] || !o->in_A[k * COLS + j])
            continue;
        sl_scalar product = multiply(s->multiply, o, k, j);
        sum = any ? evaluate(s->add->op, &sum, &product) : product;
        any = true;
        found = found || (there && sl_scalar_equal(product, expected));
    }
    assert_int_equal(there, any);
    if (there && (s->add->any ? !found : !sl_scalar_equal(sum, expected)))
        fail_msg("%s, entry %d: %s, SuiteSparse: %s", s->name, j, show(sum), show(expected));
}

static void check_product(sl_semiring s, int percent, uint64_t *state)
{
    struct operands o;
    sl_type type = s->multiply->type;
    random_operands(&o, type, percent, state);
    GrB_Vector u = grb_vector(type, o.u, ROWS, o.in_u), w = NULL;
    GrB_Matrix A = grb_matrix(type, o.A, ROWS, COLS, o.in_A);
    GRB_OK(GrB_Vector_new(&w, grb_type(s->result), COLS));
    GRB_OK(GrB_vxm(w, NULL, NULL, grb_semiring(s), u, A, NULL));
    for (int j = 0; j < COLS; j++)
        check_entry(s, &o, j, w);
    GRB_OK(GrB_Vector_free(&u));
    GRB_OK(GrB_Vector_free(&w));
    GRB_OK(GrB_Matrix_free(&A));
}

static void products_equal_suitesparse(void **state)
{
    static const int densities[] = {0, 15, 50, 100};
    uint64_t random = 11;
    for (int code = 0; code < SL_SEMIRING_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_semiring s = sl_semiring_get(code, type);
            for (int trial = 0; s && trial < 8; trial++)
                check_product(s, densities[trial % 4], &random);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_equal_suitesparse),
        cmocka_unit_test(products_equal_suitesparse),
    };
    return cmocka_run_group_tests(tests, grb_start, grb_end);
}
