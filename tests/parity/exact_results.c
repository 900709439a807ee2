/*
 * Floating-point results that are equal on every engine, compared with SuiteSparse: functions of the table
 * where their result is an integer, since a cast to an integer would show a missing bit; and min and max
 * over products of which some sums have no term but NaN.
 */
#include "host_and_engine.h"

#include <math.h>

/* ---- results that are integers -------------------------------------------------------- */

enum { MANY = 1024, SOME = MANY / 32 };

/* Integers, halves, cubes, powers of 2 and of 10, their inverses, and arguments at which functions are
 * so near to an integer that they are rounded to it. */
static double argument(uint64_t k)
{
    const int n = (int)k - 60;
    switch (k / 128) {
    case 0:
        return n;
    case 1:
        return (n - 128) * 0.5;
    case 2:
        return pow(n - 256, 3);
    case 3:
        return ldexp(1, n - 384);
    case 4:
        return pow(10, (n - 512) / 4);
    case 5:
        return ldexp(n - 640, -10 - (int)k % 20);
    case 6:
        return 1 - ldexp(1, 768 - (int)k - 1);
    default:
        return (double)(n - 896) * 3.14159265358979323846 / 4;
    }
}

/* Small numbers, and squares and cubes. */
static double small_argument(uint64_t k)
{
    return k < 20 ? (double)k - 6 : k < 26 ? (double)(k * k * k) : ((double)k - 28) * 0.5;
}

static sl_vector *many_of(sl_context *ctx, sl_type type, uint64_t period, uint64_t step)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, MANY));
    OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int8(1), SL_ALL, 0, NULL));
    for (uint64_t k = 0; k < MANY; k++) {
        const double x = period == MANY ? argument(k) : small_argument(k / step % period);
        OK(ctx, sl_vector_set(v, k, sl_scalar_cast(sl_scalar_fp64(x), type)));
    }
    return v;
}

/* Functions whose results are integers only where the arguments are, but for rounding: tgamma(1 -
 * 2^-53) is 1 on the host, and may be the next number on another engine. */
static bool maps_integers(sl_unary_op op)
{
    return op && (op->code == SL_UNARY_SQRT || op->code == SL_UNARY_CBRT ||
                  op->code == SL_UNARY_EXP2 || op->code == SL_UNARY_TGAMMA);
}

/*
 * Functions of which great results are integers because of their arguments. Others come near to an integer
 * by chance, once their results are so great that few fractions fit: there the host is not exact either.
 */
static bool has_great_integers(sl_unary_op op)
{
    return !op || maps_integers(op) || (op->code >= SL_UNARY_CEIL && op->code <= SL_UNARY_FREXPE);
}

/* Where the host's result is an integer, because of the arguments and not by rounding, the engine's is equal. */
static void compare_integers(sl_unary_op unary, sl_binary_op binary, sl_vector *const got[2],
                             const sl_vector *u, const sl_vector *v)
{
    const sl_type type = unary ? unary->type : binary->type;
    const double most = !has_great_integers(unary) ? 512 : type == SL_FP32 ? 0x1p24 : 0x1p53;
    for (uint64_t k = 0; k < MANY; k++) {
        sl_scalar z[2], x, y;
        for (int n = 0; n < 2; n++) {
            OK(NULL, sl_vector_get(&z[n], got[n], k));
            z[n] = sl_scalar_cast(z[n], SL_FP64);
        }
        const double right = z[0].as.fp64_, other = z[1].as.fp64_;
        if (right != rint(right) || fabs(right) > most || right == other)
            continue;
        OK(NULL, sl_vector_get(&x, u, k));
        OK(NULL, sl_vector_get(&y, v, k));
        x = sl_scalar_cast(x, SL_FP64);
        if (maps_integers(unary) && x.as.fp64_ != rint(x.as.fp64_))
            continue;
        fail_msg("%s(%.17g, %.17g) is %.17g, expected %.17g", unary ? unary->name : binary->name,
                 x.as.fp64_, sl_scalar_cast(y, SL_FP64).as.fp64_, other, right);
    }
}

static void check_integers(sl_unary_op unary, sl_binary_op binary)
{
    const sl_type type = unary ? unary->type : binary->type;
    sl_vector *u[2], *v[2], *w[2];
    for (int k = 0; k < 2; k++) {
        sl_context *ctx = k ? engine : host;
        u[k] = many_of(ctx, type, unary ? MANY : SOME, SOME);
        v[k] = many_of(ctx, type, SOME, 1);
        OK(ctx, sl_vector_new(&w[k], ctx, type, MANY));
        OK(ctx, unary ? sl_vector_apply(w[k], NULL, NULL, unary, u[k], NULL)
                      : sl_vector_ewise_mult(w[k], NULL, NULL, binary, u[k], v[k], NULL));
    }
    compare_integers(unary, binary, w, u[0], v[0]);
    for (int k = 0; k < 2; k++) {
        sl_vector_free(u[k]);
        sl_vector_free(v[k]);
        sl_vector_free(w[k]);
    }
}

static void integers(void **state)
{
    for (int type = SL_FP32; type <= SL_FP64; type++) {
        for (int code = SL_UNARY_SQRT; code < SL_UNARY_COUNT; code++)
            if (sl_unary_op_get(code, type) && sl_unary_op_get(code, type)->result == (sl_type)type)
                check_integers(sl_unary_op_get(code, type), NULL);
        for (int code = SL_BINARY_RMINUS; code < SL_BINARY_COUNT; code++)
            if (sl_binary_op_get(code, type))
                check_integers(NULL, sl_binary_op_get(code, type));
    }
    check_integers(NULL, SL_POW_INT64);
    check_integers(NULL, SL_RPOW_INT32);
}

/* ---- sums of terms that are all NaN ---------------------------------------------------- */

static bool same(sl_scalar a, sl_scalar b)
{
    const double x = sl_scalar_cast(a, SL_FP64).as.fp64_, y = sl_scalar_cast(b, SL_FP64).as.fp64_;
    return x == y || (x != x && y != y);
}

/* 0/0 in products: a row of one term, rows of several, a row with a number, and long rows. */
static sl_matrix *zeros_of(sl_context *ctx, sl_type type, uint64_t n)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, type, n, n));
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < (i < 3 ? n : 1 + i % 4); k++)
            OK(ctx,
               sl_matrix_set(A, i, (i + k) % n, sl_scalar_int8(i % 5 == 4 && k == 0 && i >= 3)));
    return A;
}

static void check_sums_of_nans(sl_monoid add, sl_binary_op multiply, uint64_t n)
{
    const sl_type type = multiply->type;
    sl_vector *w[2], *t[2];
    sl_matrix *C[2];
    for (int k = 0; k < 2; k++) {
        sl_context *ctx = k ? engine : host;
        sl_matrix *A = zeros_of(ctx, type, n), *B = zeros_of(ctx, type, n);
        sl_vector *u;
        sl_semiring ring;
        OK(ctx, sl_semiring_new(&ring, ctx, "ring", add, multiply));
        OK(ctx, sl_vector_new(&u, ctx, type, n));
        OK(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_int8(0), SL_ALL, 0, NULL));
        OK(ctx, sl_vector_new(&w[k], ctx, type, n));
        OK(ctx, sl_vector_new(&t[k], ctx, type, n));
        OK(ctx, sl_matrix_new(&C[k], ctx, type, n, n));
        OK(ctx, sl_mxv(w[k], NULL, NULL, ring, A, u, NULL));
        OK(ctx, sl_vector_remove(u, 1)); /* a list: a push */
        OK(ctx, sl_vxm(t[k], NULL, NULL, ring, u, A, NULL));
        OK(ctx, sl_mxm(C[k], NULL, NULL, ring, A, B, NULL));
        sl_semiring_free(ring);
        sl_vector_free(u);
        sl_matrix_free(A);
        sl_matrix_free(B);
    }
    for (uint64_t i = 0; i < n; i++) {
        sl_vector *const pairs[][2] = {{w[0], w[1]}, {t[0], t[1]}};
        for (int p = 0; p < 2; p++) {
            sl_scalar x, y;
            const sl_status right = sl_vector_get(&x, pairs[p][0], i);
            const sl_status got = sl_vector_get(&y, pairs[p][1], i);
            if (got != right || (got == SL_OK && !same(y, x)))
                fail_msg("%s over %s of %d vertices differs at %d", add->name, multiply->name,
                         (int)n, (int)i);
        }
        for (uint64_t j = 0; j < n; j += 1 + n / 64) {
            sl_scalar x, y;
            const sl_status right = sl_matrix_get(&x, C[0], i, j);
            const sl_status got = sl_matrix_get(&y, C[1], i, j);
            if (got != right || (got == SL_OK && !same(y, x)))
                fail_msg("%s over %s: entry (%d, %d) of %d vertices differs", add->name,
                         multiply->name, (int)i, (int)j, (int)n);
        }
    }
    for (int k = 0; k < 2; k++) {
        sl_vector_free(w[k]);
        sl_vector_free(t[k]);
        sl_matrix_free(C[k]);
    }
}

/* min and max ignore NaN, but a sum of NaN alone is NaN. */
static void sums_of_nans(void **state)
{
    const uint64_t sizes[] = {5, 40, 1100};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        check_sums_of_nans(SL_MIN_MONOID_FP32, SL_DIV_FP32, sizes[k]);
        check_sums_of_nans(SL_MAX_MONOID_FP64, SL_DIV_FP64, sizes[k]);
        check_sums_of_nans(SL_MAX_MONOID_FP32, SL_RDIV_FP32, sizes[k]);
        check_sums_of_nans(SL_MIN_MONOID_FP64, SL_RDIV_FP64, sizes[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(sums_of_nans),
    };
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
