/* Compares the table's operators with SuiteSparse's operators of the same name, bit for bit. */
#include "suitesparse.h"

static void casts_equal_suitesparse(void **state)
{
    sl_scalar v[SAMPLES_MAX];
    for (int from = 0; from < SL_TYPE_COUNT; from++) {
        int n = samples(from, v);
        GrB_Vector u = grb_vector(from, v, n, NULL);
        for (int to = 0; to < SL_TYPE_COUNT; to++) {
            GrB_Vector w = NULL;
            GRB_OK(GrB_Vector_new(&w, grb_type(to), n));
            GRB_OK(GrB_Vector_apply(w, NULL, NULL, grb_unary(SL_UNARY_IDENTITY, to), u, NULL));
            for (int i = 0; i < n; i++) {
                sl_scalar expected, cast = sl_scalar_cast(v[i], to);
                assert_true(grb_get(&expected, to, w, i));
                if (!sl_scalar_equal(cast, expected))
                    fail_msg("%s of %s to %s: %s, SuiteSparse: %s", show(v[i]), sl_type_name(from),
                             sl_type_name(to), show(cast), show(expected));
            }
            GRB_OK(GrB_Vector_free(&w));
        }
        GRB_OK(GrB_Vector_free(&u));
    }
}

static void unary_operators_equal_suitesparse(void **state)
{
    sl_scalar v[SAMPLES_MAX];
    for (int code = 0; code < SL_UNARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_unary_op op = sl_unary_op_get(code, type);
            if (!op)
                continue;
            int n = samples(type, v);
            GrB_Vector u = grb_vector(type, v, n, NULL), w = NULL;
            GRB_OK(GrB_Vector_new(&w, grb_type(op->result), n));
            GRB_OK(GrB_Vector_apply(w, NULL, NULL, grb_unary(code, type), u, NULL));
            for (int i = 0; i < n; i++) {
                sl_scalar expected, z = {.type = op->result};
                op->eval(&z.as, &v[i].as);
                assert_true(grb_get(&expected, op->result, w, i));
                if (!sl_scalar_equal(z, expected))
                    fail_msg("%s(%s) = %s, SuiteSparse: %s", op->name, show(v[i]), show(z),
                             show(expected));
            }
            GRB_OK(GrB_Vector_free(&u));
            GRB_OK(GrB_Vector_free(&w));
        }
}

static void check_binary(sl_binary_op op)
{
    sl_scalar v[SAMPLES_MAX], x[SAMPLES_MAX * SAMPLES_MAX], y[SAMPLES_MAX * SAMPLES_MAX];
    int n = samples(op->type, v);
    for (int p = 0; p < n * n; p++) {
        x[p] = v[p / n];
        y[p] = v[p % n];
    }
    GrB_Vector a = grb_vector(op->type, x, n * n, NULL), b = grb_vector(op->type, y, n * n, NULL);
    GrB_Vector w = NULL;
    GRB_OK(GrB_Vector_new(&w, grb_type(op->result), n * n));
    GRB_OK(
        GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, grb_binary(op->code, op->type), a, b, NULL));
    for (int p = 0; p < n * n; p++) {
        sl_scalar expected, z = evaluate(op, &x[p], &y[p]);
        assert_true(grb_get(&expected, op->result, w, p));
        bool equal = sl_scalar_equal(z, expected);
        if (op->code == SL_BINARY_ANY) /* SuiteSparse may return the other operand */
            equal = equal || sl_scalar_equal(expected, y[p]);
        if (op->code == SL_BINARY_MIN ||
            op->code == SL_BINARY_MAX) /* C does not define the sign of 0 */
            equal = equal || same_value(z, expected);
        if (!equal)
            fail_msg("%s(%s, %s) = %s, SuiteSparse: %s", op->name, show(x[p]), show(y[p]), show(z),
                     show(expected));
    }
    GRB_OK(GrB_Vector_free(&a));
    GRB_OK(GrB_Vector_free(&b));
    GRB_OK(GrB_Vector_free(&w));
}

static void binary_operators_equal_suitesparse(void **state)
{
    for (int code = 0; code < SL_BINARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_binary_op op = sl_binary_op_get(code, type);
            if (op && !op->positional)
                check_binary(op);
        }
}

/* w(i) = op(v(i), i, 0, thunk); the thunk has the type of the operator. */
static void apply_index(GrB_Vector w, sl_index_op op, GrB_Vector v, sl_scalar thunk)
{
    switch (op->type) {
#define X(NAME, name, ...)                                                                         \
    case SL_##NAME:                                                                                \
        GRB_OK(GrB_Vector_apply_IndexOp_##NAME(w, NULL, NULL, grb_index(op->code, op->type), v,    \
                                               thunk.as.name##_, NULL));                           \
        break;
        SL_TYPES_ALL(X, )
#undef X
    default:
        fail_msg("no type %d", op->type);
    }
}

static void value_index_operators_equal_suitesparse(void **state)
{
    sl_scalar v[SAMPLES_MAX];
    for (int code = SL_INDEX_VALUEEQ; code < SL_INDEX_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_index_op op = sl_index_op_get(code, type);
            int n = samples(type, v);
            GrB_Vector u = grb_vector(type, v, n, NULL), w = NULL;
            GRB_OK(GrB_Vector_new(&w, GrB_BOOL, n));
            for (int k = 0; k < n; k++) {
                apply_index(w, op, u, v[k]);
                for (int i = 0; i < n; i++) {
                    sl_scalar expected, z = {.type = SL_BOOL};
                    op->eval(&z.as, &v[i].as, i, 0, &v[k].as);
                    assert_true(grb_get(&expected, SL_BOOL, w, i));
                    if (!sl_scalar_equal(z, expected))
                        fail_msg("%s(%s, %s) = %s", op->name, show(v[i]), show(v[k]), show(z));
                }
            }
            GRB_OK(GrB_Vector_free(&u));
            GRB_OK(GrB_Vector_free(&w));
        }
}

/*
 * All entries of a 6 x 9 matrix and of a vector, with thunks that do not overflow in SuiteSparse.
 */
static void positional_index_operators_equal_suitesparse(void **state)
{
    enum { ROWS = 6, COLS = 9 };
    static const int64_t thunks[] = {
        0, 1, -1, 2, -3, 5, -8, 20, -(1L << 60), 1L << 60, INT64_MAX - 100};
    sl_scalar ones[ROWS * COLS];
    bool keep[ROWS * COLS];
    for (int p = 0; p < ROWS * COLS; p++) {
        ones[p] = sl_scalar_fp64(1);
        keep[p] = true;
    }
    GrB_Matrix A = grb_matrix(SL_FP64, ones, ROWS, COLS, keep);
    GrB_Vector u = grb_vector(SL_FP64, ones, ROWS, NULL);
    for (int code = 0; code <= SL_INDEX_COLGT; code++) {
        sl_index_op op = sl_index_op_get(code, SL_INT64);
        GrB_IndexUnaryOp theirs = grb_index(code, SL_INT64);
        for (size_t t = 0; t < sizeof thunks / sizeof *thunks; t++) {
            GrB_Matrix C = NULL;
            GrB_Vector w = NULL;
            GRB_OK(GrB_Matrix_new(&C, grb_type(op->result), ROWS, COLS));
            GRB_OK(GrB_Vector_new(&w, grb_type(op->result), ROWS));
            GRB_OK(GrB_Matrix_apply_IndexOp_INT64(C, NULL, NULL, theirs, A, thunks[t], NULL));
            GRB_OK(GrB_Vector_apply_IndexOp_INT64(w, NULL, NULL, theirs, u, thunks[t], NULL));
            for (int p = 0; p < ROWS * COLS; p++) {
                sl_scalar expected, z = {.type = op->result};
                op->eval(&z.as, NULL, p / COLS, p % COLS, &thunks[t]);
                assert_true(grb_get2(&expected, op->result, C, p / COLS, p % COLS));
                if (!sl_scalar_equal(z, expected))
                    fail_msg("%s(%d, %d, %ld) = %s, SuiteSparse: %s", op->name, p / COLS, p % COLS,
                             (long)thunks[t], show(z), show(expected));
                if (p % COLS != 0)
                    continue;
                assert_true(grb_get(&expected, op->result, w, p / COLS));
                assert_true(sl_scalar_equal(z, expected));
            }
            GRB_OK(GrB_Matrix_free(&C));
            GRB_OK(GrB_Vector_free(&w));
        }
    }
    GRB_OK(GrB_Matrix_free(&A));
    GRB_OK(GrB_Vector_free(&u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_equal_suitesparse),
        cmocka_unit_test(unary_operators_equal_suitesparse),
        cmocka_unit_test(binary_operators_equal_suitesparse),
        cmocka_unit_test(value_index_operators_equal_suitesparse),
        cmocka_unit_test(positional_index_operators_equal_suitesparse),
    };
    return cmocka_run_group_tests(tests, grb_start, grb_end);
}
