/*
 * The functions of the table (SL_UNARY_FUNCTIONS, SL_BINARY_FUNCTIONS) on every engine, compared with
 * SuiteSparse: apply, elementwise operations, accumulators, products, reductions and duplicates. The
 * values include 0, -0, infinities, NaN and the ends of the types. Floating-point results may differ
 * by ULPS units in the last place, all others are equal.
 */
#include "support.h"

#include <float.h>
#include <math.h>

static sl_context *host, *engine;
static bool on_device;

enum { N = 40, ULPS = 16 };

static sl_scalar sample(sl_type type, uint64_t k)
{
    static const double values[] = {0,   1,    -1,  0.5, 2,        -2.25,     3,   7,    10,
                                    0.1, 1e-3, -30, 200, INFINITY, -INFINITY, NAN, -0.0, 1.0 / 3};
    return sl_scalar_cast(sl_scalar_fp64(values[k % (sizeof values / sizeof *values)]), type);
}

/* Form 0: an entry everywhere; form 1: two of three. */
static sl_vector *vector_of(sl_context *ctx, sl_type type, int form, uint64_t shift)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, N));
    if (form == 0)
        OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int8(1), SL_ALL, 0, NULL));
    for (uint64_t k = 0; k < N; k++)
        if (form == 0 || (k + shift) % 3)
            OK(ctx, sl_vector_set(v, k, sample(type, k * (1 + shift) + shift)));
    return v;
}

static sl_matrix *matrix_of(sl_context *ctx, sl_type type, uint64_t shift)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, type, N, N));
    for (uint64_t k = 0; k < 3 * N; k++)
        OK(ctx, sl_matrix_set(A, k % N, (k * k + shift) % N, sample(type, k + shift)));
    return A;
}

static bool close_to(sl_scalar got, sl_scalar right)
{
    if (got.type != SL_FP32 && got.type != SL_FP64)
        return sl_scalar_equal(got, right);
    const double x = sl_scalar_cast(got, SL_FP64).as.fp64_;
    const double y = sl_scalar_cast(right, SL_FP64).as.fp64_;
    const bool narrow = got.type == SL_FP32;
    const double unit = narrow ? (double)FLT_EPSILON : DBL_EPSILON;
    const double least = narrow ? (double)FLT_MIN : DBL_MIN; /* smaller numbers have its unit */
    return x == y || (x != x && y != y) || fabs(x - y) <= ULPS * unit * fmax(fabs(y), least);
}

static void compare_vectors(const char *name, const char *what, const sl_vector *got,
                            const sl_vector *right)
{
    for (uint64_t k = 0; k < N; k++) {
        sl_scalar x, y;
        sl_status a = sl_vector_get(&x, got, k), b = sl_vector_get(&y, right, k);
        if (a != b || (a == SL_OK && !close_to(x, y)))
            fail_msg("%s of %s differs at %d: %g, expected %g", what, name, (int)k,
                     sl_scalar_cast(x, SL_FP64).as.fp64_, sl_scalar_cast(y, SL_FP64).as.fp64_);
    }
}

static void compare_matrices(const char *name, const char *what, const sl_matrix *got,
                             const sl_matrix *right)
{
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t j = 0; j < N; j++) {
            sl_scalar x, y;
            sl_status a = sl_matrix_get(&x, got, i, j), b = sl_matrix_get(&y, right, i, j);
            if (a != b || (a == SL_OK && !close_to(x, y)))
                fail_msg("%s of %s differs at (%d, %d): %g, expected %g", what, name, (int)i,
                         (int)j, sl_scalar_cast(x, SL_FP64).as.fp64_,
                         sl_scalar_cast(y, SL_FP64).as.fp64_);
        }
}

/* The results of one operation on the engine and on the host, and the operands. */
typedef struct {
    sl_vector *u, *v, *w;
    sl_matrix *A, *B, *C;
} objects;

static objects make(sl_context *ctx, sl_type type, sl_type result, int form)
{
    objects o = {.u = vector_of(ctx, type, form, 0),
                 .v = vector_of(ctx, type, form, 4),
                 .w = vector_of(ctx, result, 1, 2),
                 .A = matrix_of(ctx, type, 0),
                 .B = matrix_of(ctx, type, 5)};
    OK(ctx, sl_matrix_new(&o.C, ctx, result, N, N));
    return o;
}

static void release(objects *o)
{
    sl_vector_free(o->u);
    sl_vector_free(o->v);
    sl_vector_free(o->w);
    sl_matrix_free(o->A);
    sl_matrix_free(o->B);
    sl_matrix_free(o->C);
}

/* Runs the call, which uses ctx and o, on both, and compares w or C. */
#define BOTH(name, what, call)                                                                     \
    do {                                                                                           \
        for (int k = 0; k < 2; k++) {                                                              \
            sl_context *ctx = k ? engine : host;                                                   \
            objects *o = k ? &got : &right;                                                        \
            OK(ctx, call);                                                                         \
        }                                                                                          \
        compare_vectors(name, what, got.w, right.w);                                               \
        compare_matrices(name, what, got.C, right.C);                                              \
    } while (0)

static void check_unary(sl_unary_op op)
{
    for (int form = 0; form < 2; form++) {
        objects got = make(engine, op->type, op->result, form);
        objects right = make(host, op->type, op->result, form);
        BOTH(op->name, "apply", sl_vector_apply(o->w, NULL, NULL, op, o->u, NULL));
        BOTH(op->name, "matrix apply", sl_matrix_apply(o->C, NULL, NULL, op, o->A, NULL));
        release(&got);
        release(&right);
    }
}

static void check_binary(sl_binary_op op)
{
    const sl_scalar two = sl_scalar_cast(sl_scalar_int8(2), op->type);
    for (int form = 0; form < 2; form++) {
        objects got = make(engine, op->type, op->result, form);
        objects right = make(host, op->type, op->result, form);
        BOTH(op->name, "accumulation",
             sl_vector_apply(o->w, NULL, op, sl_unary_op_get(SL_UNARY_IDENTITY, op->type), o->u,
                             NULL));
        BOTH(op->name, "sum", sl_vector_ewise_add(o->w, NULL, NULL, op, o->u, o->v, NULL));
        BOTH(op->name, "product", sl_vector_ewise_mult(o->w, NULL, NULL, op, o->u, o->v, NULL));
        BOTH(op->name, "apply first", sl_vector_apply_first(o->w, NULL, NULL, op, two, o->u, NULL));
        BOTH(op->name, "apply second",
             sl_vector_apply_second(o->w, NULL, NULL, op, o->u, two, NULL));
        BOTH(op->name, "matrix sum", sl_matrix_ewise_add(o->C, NULL, NULL, op, o->A, o->B, NULL));
        BOTH(op->name, "matrix accumulation",
             sl_matrix_ewise_mult(o->C, NULL, op, op, o->A, o->B, NULL));
        release(&got);
        release(&right);
    }
}

/* On a device each operator and type is a kernel to compile, so that few types must do. */
static bool is_chosen(sl_type type)
{
    return !on_device || type == SL_FP32 || type == SL_FP64 || type == SL_INT32;
}

static void unary_functions(void **state)
{
    for (int code = SL_UNARY_SQRT; code < SL_UNARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            if (sl_unary_op_get(code, type) && is_chosen(type))
                check_unary(sl_unary_op_get(code, type));
}

static void binary_functions(void **state)
{
    for (int code = SL_BINARY_RMINUS; code < SL_BINARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            if (sl_binary_op_get(code, type) && is_chosen(type))
                check_binary(sl_binary_op_get(code, type));
}

static void check_product(sl_monoid add, sl_binary_op multiply)
{
    sl_semiring rings[2];
    objects got = make(engine, multiply->type, add->type, 1);
    objects right = make(host, multiply->type, add->type, 1);
    OK(host, sl_semiring_new(&rings[0], host, "ring", add, multiply));
    OK(engine, sl_semiring_new(&rings[1], engine, "ring", add, multiply));
    BOTH(multiply->name, "vxm", sl_vxm(o->w, NULL, NULL, rings[k], o->u, o->A, NULL));
    BOTH(multiply->name, "mxv", sl_mxv(o->w, NULL, NULL, rings[k], o->A, o->u, NULL));
    BOTH(multiply->name, "mxm", sl_mxm(o->C, NULL, NULL, rings[k], o->A, o->B, NULL));
    BOTH(multiply->name, "masked mxm", sl_mxm(o->C, o->A, NULL, rings[k], o->A, o->B, NULL));
    sl_semiring_free(rings[0]);
    sl_semiring_free(rings[1]);
    release(&got);
    release(&right);
}

/* Functions as operators of semirings. The sums choose a product, so that they do not round. */
static void products(void **state)
{
    check_product(SL_MIN_MONOID_FP64, SL_RMINUS_FP64);
    check_product(SL_MAX_MONOID_INT32, SL_RMINUS_INT32);
    check_product(SL_MIN_MONOID_FP32, SL_HYPOT_FP32);
    check_product(SL_PLUS_MONOID_INT64, SL_ISGT_INT64);
    check_product(SL_MAX_MONOID_UINT8, SL_BXOR_UINT8);
    check_product(SL_MIN_MONOID_FP64, SL_ABSFIRST_FP64);
    check_product(SL_PLUS_MONOID_INT32, SL_ABSSECOND_INT32);
    check_product(SL_BOR_MONOID_INT16, SL_BAND_INT16);
    check_product(SL_BXNOR_MONOID_UINT64, SL_BXOR_UINT64);
    check_product(SL_BOR_MONOID_INT64, SL_SECONDI_INT64);
    check_product(SL_BAND_MONOID_INT32, SL_PAIR_INT32);
}

/* A function as the operator of a monoid: all bits of integers, or-ed. */
static void monoids(void **state)
{
    sl_monoid bor[2];
    sl_scalar sums[2];
    objects got = make(engine, SL_INT32, SL_INT32, 1), right = make(host, SL_INT32, SL_INT32, 1);
    OK(host, sl_monoid_new(&bor[0], host, "bor", SL_BOR_INT32, sl_scalar_int32(0), NULL));
    OK(engine, sl_monoid_new(&bor[1], engine, "bor", SL_BOR_INT32, sl_scalar_int32(0), NULL));
    BOTH("bor", "sum of rows", sl_matrix_reduce_rows(o->w, NULL, NULL, bor[k], o->A, NULL));
    BOTH("bor", "reduction", sl_vector_reduce(&sums[k], NULL, bor[k], o->u));
    assert_true(sl_scalar_equal(sums[0], sums[1]));
    BOTH("bor", "pairs",
         sl_vector_reduce_pair(&sums[k], NULL, bor[k], SL_BNOT_INT32, SL_BXOR_INT32, o->u, o->v));
    assert_true(sl_scalar_equal(sums[0], sums[1]));
    const uint64_t rows[] = {1, 1, 1, 2}, cols[] = {3, 3, 3, 0};
    const int32_t values[] = {1, 4, 8, 2};
    BOTH("bor", "duplicates", sl_matrix_build(o->C, rows, cols, values, 4, SL_BOR_INT32));
    sl_scalar both;
    OK(engine, sl_matrix_get(&both, got.C, 1, 3));
    assert_int_equal(both.as.int32_, 13);
    sl_monoid_free(bor[0]);
    sl_monoid_free(bor[1]);
    release(&got);
    release(&right);
}

/* Idempotent, but no search: the labels that reach a vertex, or-ed. */
static void closures(void **state)
{
    const sl_binary_op multiply[] = {SL_SECONDI_INT64, SL_FIRST_INT64, SL_ABSFIRST_INT64};
    for (size_t m = 0; m < sizeof multiply / sizeof *multiply; m++) {
        sl_semiring rings[2];
        objects got = make(engine, SL_INT64, SL_INT64, 1);
        objects right = make(host, SL_INT64, SL_INT64, 1);
        OK(host, sl_semiring_new(&rings[0], host, "ring", SL_BOR_MONOID_INT64, multiply[m]));
        OK(engine, sl_semiring_new(&rings[1], engine, "ring", SL_BOR_MONOID_INT64, multiply[m]));
        BOTH(multiply[m]->name, "start",
             sl_vector_apply(o->w, NULL, NULL, SL_IDENTITY_INT64, o->u, NULL));
        BOTH(multiply[m]->name, "closure", sl_closure(o->w, o->u, o->A, rings[k], NULL));
        sl_semiring_free(rings[0]);
        sl_semiring_free(rings[1]);
        release(&got);
        release(&right);
    }
}

static void pairs_of_floats(void **state)
{
    sl_scalar sums[2];
    objects got = make(engine, SL_FP64, SL_FP64, 1), right = make(host, SL_FP64, SL_FP64, 1);
    BOTH("signum", "pairs",
         sl_vector_reduce_pair(&sums[k], NULL, SL_MAX_MONOID_FP64, SL_SIGNUM_FP64, SL_MINUS_FP64,
                               o->u, o->v));
    assert_true(sl_scalar_equal(sums[0], sums[1]));
    release(&got);
    release(&right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unary_functions), cmocka_unit_test(binary_functions),
        cmocka_unit_test(products),        cmocka_unit_test(monoids),
        cmocka_unit_test(closures),        cmocka_unit_test(pairs_of_floats)};
    int failed = 0;
    size_t position = 0;
    sl_engine_info info;
    OK(NULL, sl_context_create(&host, SL_ENGINE_SUITESPARSE));
    while (next_engine(&info, &position)) {
        on_device = info.choice == SL_ENGINE_CUDA;
        OK(NULL, sl_context_create(&engine, info.choice));
        failed += cmocka_run_group_tests_name(info.name, tests, NULL, NULL);
        sl_context_free(engine);
    }
    sl_context_free(host);
    return failed;
}
