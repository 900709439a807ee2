/*
 * Functions that expressions of table.h call, the same text for C and for device code, which defines
 * SL_FUNCTION. In C they are included after <tgmath.h>. Sums of products are written as fma, so that a
 * compiler that contracts products and sums does not change a result.
 */
#ifndef SEMLA_FUNCTIONS_H
#define SEMLA_FUNCTIONS_H

#ifndef SL_FUNCTION
#define SL_FUNCTION static inline
#endif

/* The integer z, which may be NaN or infinite, as an integer from lo to hi; NaN is 0. */
SL_FUNCTION uint64_t sl_saturate(double z, int64_t lo, uint64_t hi)
{
    if (z <= (double)lo)
        return (uint64_t)lo;
    if (z >= (double)hi)
        return hi;
    return z != z ? 0 : z < 0 ? (uint64_t)(int64_t)z : (uint64_t)z;
}

SL_FUNCTION double sl_fraction(double x)
{
    int exponent;
    return frexp(x, &exponent);
}

SL_FUNCTION double sl_exponent(double x)
{
    int exponent = 0; /* frexp sets it for finite numbers only */
    (void)frexp(x, &exponent);
    return x - x == 0 ? exponent : 0;
}

/* The quotient rounded down, as // of Python and floor_divide of numpy: a quotient of 0 has the sign of
 * x / y. */
#define SL_FLOORDIV_OF(NAME, T)                                                                    \
    SL_FUNCTION T NAME(T x, T y)                                                                   \
    {                                                                                              \
        if (y == 0)                                                                                \
            return x / y;                                                                          \
        const T rest = fmod(x, y);                                                                 \
        const T quotient = (x - rest) / y - (rest != 0 && (rest < 0) != (y < 0));                  \
        if (quotient == 0)                                                                         \
            return copysign((T)0, x / y);                                                          \
        const T whole = floor(quotient);                                                           \
        return quotient - whole > (T)0.5 ? whole + 1 : whole;                                      \
    }
#ifdef __cplusplus
SL_FLOORDIV_OF(sl_float_floordiv, float)
SL_FLOORDIV_OF(sl_float_floordiv, double)
#else
SL_FLOORDIV_OF(sl_floordiv_fp32, float)
SL_FLOORDIV_OF(sl_floordiv_fp64, double)
#define sl_float_floordiv(x, y)                                                                    \
    _Generic((x), float : sl_floordiv_fp32, default : sl_floordiv_fp64)(x, y)
#endif

/* cbrt, improved by a step of Newton's method whose residual is exact to twice the precision: libraries'
 * own miss cubes of integers by a bit. */
SL_FUNCTION double sl_cbrt(double x)
{
    const double root = cbrt(x), size = root < 0 ? -root : root;
    if (!(size > 1e-97 && size < 1e103)) /* 0, infinity and NaN; or terms could underflow */
        return root;
    const double square = root * root, error = fma(root, root, -square);
    return root - fma(error, root, fma(square, root, -x)) / (3 * square);
}

/* tgamma: of an integer, the factorial, which libraries' own miss by a bit. It is computed in twice the
 * precision. */
SL_FUNCTION double sl_tgamma(double x)
{
    if (!(x >= 1 && x <= 171 && x == floor(x)))
        return tgamma(x);
    double product = 1, rest = 0;
    for (int k = 2; k < (int)x; k++) {
        const double next = fma(product, (double)k, rest * k);
        rest = fma(rest, (double)k, fma(product, (double)k, -next));
        product = next;
    }
    return product;
}

#endif
