/* Compares the operators that SuiteSparse does not have with their definitions in wider types. */
#include "samples.h"

#include <math.h>
#include <string.h>

/* x of an integer type as a number of any sign. */
static __int128 wide(sl_scalar x)
{
    return x.type == SL_UINT64 ? (__int128)x.as.uint64_
                               : (__int128)sl_scalar_cast(x, SL_INT64).as.int64_;
}

/* The value of the type that is equal modulo its size. */
static sl_scalar wrapped(__int128 value, sl_type type)
{
    sl_scalar z = sl_scalar_cast(sl_scalar_bool(false), type);
    const uint64_t bits = (uint64_t)value;
    memcpy(&z.as, &bits, sl_type_size(type));
    return z;
}

static __int128 floor_quotient(__int128 x, __int128 y)
{
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static sl_scalar shifted(sl_scalar x, sl_scalar y)
{
    const __int128 by = wide(y);
    const int far = by > 64 ? 64 : by < -64 ? -64 : (int)by;
    return wrapped(far >= 0 ? wide(x) * ((__int128)1 << far)
                            : floor_quotient(wide(x), (__int128)1 << -far),
                   x.type);
}

static void expect(sl_binary_code code, sl_scalar x, sl_scalar y, sl_scalar expected)
{
    const sl_binary_op op = sl_binary_op_get(code, x.type);
    const sl_scalar z = evaluate(op, &x, &y);
    if (!sl_scalar_equal(z, expected))
        fail_msg("%s(%s, %s) = %s, expected %s", op->name, show(x), show(y), show(z),
                 show(expected));
}

static void for_each_pair(void (*check)(sl_scalar x, sl_scalar y), bool integers)
{
    sl_scalar v[SAMPLES_MAX];
    for (int type = 0; type < SL_TYPE_COUNT; type++) {
        const bool integer = sl_unary_op_get(SL_UNARY_BNOT, type) != NULL;
        const int n = integer || !integers ? samples(type, v) : 0;
        for (int p = 0; p < n * n; p++)
            check(v[p / n], v[p % n]);
    }
}

static void check_integers(sl_scalar x, sl_scalar y)
{
    const sl_binary_op div = sl_binary_op_get(SL_BINARY_DIV, x.type);
    const sl_scalar quotient =
        wide(y) == 0 ? evaluate(div, &x, &y) : wrapped(floor_quotient(wide(x), wide(y)), x.type);
    expect(SL_BINARY_FLOORDIV, x, y, quotient);
    expect(SL_BINARY_RFLOORDIV, y, x, quotient);
    const __int128 rest = wide(y) == 0 ? 0 : wide(x) - floor_quotient(wide(x), wide(y)) * wide(y);
    expect(SL_BINARY_MOD, x, y, wrapped(rest, x.type));
    expect(SL_BINARY_BSHIFT, x, y, shifted(x, y));
}

static void integers_have_their_definitions(void **state)
{
    for_each_pair(check_integers, true);
}

static void check_exchanged(sl_scalar x, sl_scalar y)
{
    const sl_binary_op pow = sl_binary_op_get(SL_BINARY_POW, x.type);
    const sl_unary_op magnitude = sl_unary_op_get(SL_UNARY_ABS, x.type);
    sl_scalar z = sl_scalar_cast(sl_scalar_bool(false), x.type);
    expect(SL_BINARY_RPOW, y, x, evaluate(pow, &x, &y));
    magnitude->eval(&z.as, &x.as);
    expect(SL_BINARY_ABSFIRST, x, y, z);
    expect(SL_BINARY_ABSSECOND, y, x, z);
}

static void variants_equal_their_operators(void **state)
{
    for_each_pair(check_exchanged, false);
}

/* The results of // and % in Python for the same operands, and of / and fmod where it raises an error. */
static void floating_point_division_rounds_down(void **state)
{
    static const double cases[][4] = {{7.0, 2.0, 3.0, 1.0},
                                      {-7.0, 2.0, -4.0, 1.0},
                                      {7.0, -2.0, -4.0, -1.0},
                                      {-7.5, -2.0, 3.0, -1.5},
                                      {1.0, 0.1, 9.0, 0.09999999999999995},
                                      {-1.0, INFINITY, -1.0, INFINITY},
                                      {1.0, INFINITY, 0.0, 1.0},
                                      {0.0, -3.0, -0.0, -0.0},
                                      {-2.0, -3.0, 0.0, -2.0},
                                      {2.0, 3.0, 0.0, 2.0},
                                      {-0.0, -3.0, 0.0, -0.0},
                                      {-0.0, 3.0, -0.0, 0.0},
                                      {-1.0, -INFINITY, 0.0, -1.0},
                                      {1.0, -INFINITY, -1.0, -INFINITY},
                                      {-6.0, 3.0, -2.0, 0.0},
                                      {INFINITY, 2.0, NAN, NAN},
                                      {1e+300, 1e-10, INFINITY, 5.476641984772742e-11},
                                      {3.0, 0.0, INFINITY, NAN},
                                      {-3.0, 0.0, -INFINITY, NAN},
                                      {0.0, 0.0, NAN, NAN},
                                      {NAN, 1.0, NAN, NAN}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sl_scalar x = sl_scalar_fp64(cases[k][0]), y = sl_scalar_fp64(cases[k][1]);
        expect(SL_BINARY_FLOORDIV, x, y, sl_scalar_fp64(cases[k][2]));
        expect(SL_BINARY_RFLOORDIV, y, x, sl_scalar_fp64(cases[k][2]));
        expect(SL_BINARY_MOD, x, y, sl_scalar_fp64(cases[k][3]));
    }
    expect(SL_BINARY_FLOORDIV, sl_scalar_fp32(-9.5F), sl_scalar_fp32(3), sl_scalar_fp32(-4));
    expect(SL_BINARY_FLOORDIV, sl_scalar_fp32(-2), sl_scalar_fp32(-3), sl_scalar_fp32(0));
}

/* Exponents of any size overflow or underflow; a fraction is dropped. */
static void exponents_of_ldexp_have_any_size(void **state)
{
    static const double cases[][3] = {
        {1.5, 4.0, 24.0},         {1.5, -1.9, 0.75},         {1.0, 3e9, INFINITY},
        {-1.0, 1e300, -INFINITY}, {1.0, INFINITY, INFINITY}, {1.0, -3e9, 0.0},
        {-1.0, -INFINITY, -0.0},  {0.0, 1e10, 0.0},          {3.0, NAN, 3.0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sl_scalar x = sl_scalar_fp64(cases[k][0]), y = sl_scalar_fp64(cases[k][1]);
        const sl_scalar z = sl_scalar_fp64(cases[k][2]);
        expect(SL_BINARY_LDEXP, x, y, z);
        expect(SL_BINARY_LDEXP, sl_scalar_cast(x, SL_FP32), sl_scalar_cast(y, SL_FP32),
               sl_scalar_cast(z, SL_FP32));
    }
    for (int e = -1200; e <= 1200; e++)
        expect(SL_BINARY_LDEXP, sl_scalar_fp64(0.7), sl_scalar_fp64(e),
               sl_scalar_fp64(ldexp(0.7, e)));
}

static void expect_result(sl_unary_code code, double x, double right)
{
    for (int type = SL_FP32; type <= SL_FP64; type++) {
        const sl_unary_op op = sl_unary_op_get(code, (sl_type)type);
        const sl_scalar from = sl_scalar_cast(sl_scalar_fp64(x), (sl_type)type);
        const sl_scalar to = sl_scalar_cast(sl_scalar_fp64(right), (sl_type)type);
        sl_scalar z = {.type = (sl_type)type};
        op->eval(&z.as, &from.as);
        if (sl_scalar_cast(from, SL_FP64).as.fp64_ == x && !sl_scalar_equal(z, to))
            fail_msg("%s(%s) = %s, expected %s", op->name, show(from), show(z), show(to));
    }
}

/* cbrt of cubes and tgamma of integers, where libraries' own functions miss by a bit. */
static void integers_are_exact(void **state)
{
    for (int64_t n = 1; n < 208063; n++) {
        expect_result(SL_UNARY_CBRT, (double)(n * n * n), (double)n);
        expect_result(SL_UNARY_CBRT, -(double)(n * n * n), -(double)n);
    }
    double factorial = 1;
    for (int n = 1; n <= 23; n++) {
        expect_result(SL_UNARY_TGAMMA, n, factorial);
        factorial *= n;
    }
    expect_result(SL_UNARY_TGAMMA, 171, 7.257415615307999e306);
    static const double kept[] = {0.0, -0.0, INFINITY, -INFINITY, NAN};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        expect_result(SL_UNARY_CBRT, kept[k], kept[k]);
    for (int e = -320; e <= 341; e++)
        expect_result(SL_UNARY_CBRT, ldexp(1, 3 * e), ldexp(1, e));
    expect_result(SL_UNARY_TGAMMA, 172, INFINITY);
    expect_result(SL_UNARY_TGAMMA, 0, INFINITY);
    expect_result(SL_UNARY_TGAMMA, -3, NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_have_their_definitions),
        cmocka_unit_test(variants_equal_their_operators),
        cmocka_unit_test(floating_point_division_rounds_down),
        cmocka_unit_test(exponents_of_ldexp_have_any_size),
        cmocka_unit_test(integers_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
