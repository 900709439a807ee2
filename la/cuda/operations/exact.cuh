/*
 * Mathematical functions for the table's operators that are rounded as the host's. The device's own are
 * wrong by up to 10 units in the last place, so that pow(-3.0, 1.0) and log10(1000.0) can miss an integer.
 *
 * Functions of float are those of double, rounded. pow, exp, exp2, log, log2, log10 and hypot of double are
 * computed with about 75 bits and rounded once: log by the series of atanh, exp by Taylor's series after
 * the argument has been reduced (Dekker, "A Floating-Point Technique for Extending the Available
 * Precision", 1971, for the arithmetic). Other functions of double are the device's.
 */
#ifndef SEMLA_CUDA_EXACT_CUH
#define SEMLA_CUDA_EXACT_CUH

/* The number hi + lo, where hi is the sum, rounded. */
struct wide {
    double hi, lo;
};

/* |a| >= |b| or a is 0. */
__device__ inline wide ordered_sum(double a, double b)
{
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

__device__ inline wide exact_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
}

/* The product is written as fma, since a compiler may contract a product and a sum. */
__device__ inline wide exact_product(double a, double b)
{
    const double product = fma(a, b, 0.0);
    return {product, fma(a, b, -product)};
}

__device__ inline wide add(wide a, wide b)
{
    const wide sum = exact_sum(a.hi, b.hi);
    return ordered_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

__device__ inline wide multiply(wide a, wide b)
{
    const wide product = exact_product(a.hi, b.hi);
    return ordered_sum(product.hi, fma(a.hi, b.lo, fma(a.lo, b.hi, product.lo)));
}

__device__ inline wide multiply(wide a, double b)
{
    return multiply(a, wide{b, 0});
}

__device__ inline wide divide(wide a, wide b)
{
    const double first = a.hi / b.hi;
    const wide product = multiply(b, -first), rest = add(a, product);
    return ordered_sum(first, rest.hi / b.hi);
}

/* log(x) of a finite x > 0, at least 2^-1022. */
__device__ inline wide wide_log(double x)
{
    const wide ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    const wide s = divide(wide{m - 1, 0}, exact_sum(m, 1)), z = multiply(s, s);
    double tail = 0; /* 1/9 + z/11 + ... + z^10/29 */
    for (int k = 29; k >= 9; k -= 2)
        tail = fma(tail, z.hi, 1.0 / k);
    wide sum = add(wide{1.0 / 7, 0x1.2492492492492p-57}, multiply(z, tail));
    sum = add(wide{1.0 / 5, -0x1.999999999999ap-57}, multiply(z, sum));
    sum = add(wide{1.0 / 3, 0x1.5555555555555p-56}, multiply(z, sum));
    sum = add(wide{1, 0}, multiply(z, sum));
    sum = multiply(s, sum);
    return add(multiply(ln2, (double)exponent), wide{2 * sum.hi, 2 * sum.lo});
}

/* exp(x), rounded, of an x for which it is finite and not 0. */
__device__ inline double exp_of_wide(wide x)
{
    const wide ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
    const double n = rint(x.hi * 1.4426950408889634);
    wide r = add(x, multiply(ln2, -n));
    r = {r.hi / 16, r.lo / 16};
    double tail = 0, inverse = 1.0 / 39916800; /* 1/4! + r/5! + ... + r^7/11! */
    for (int k = 11; k >= 4; k--) {
        tail = fma(tail, r.hi, inverse);
        inverse *= k;
    }
    wide p = add(wide{1.0 / 6, 0x1.5555555555555p-57}, multiply(r, tail));
    p = add(wide{0.5, 0}, multiply(r, p));
    p = add(r, multiply(multiply(r, r), p)); /* exp(r) - 1 */
    for (int k = 0; k < 4; k++)
        p = add(wide{2 * p.hi, 2 * p.lo}, multiply(p, p));
    return ldexp(add(wide{1, 0}, p).hi, (int)n);
}

/* The result of the device's function is returned where it is not a normal number. */
__device__ inline bool is_normal(double x)
{
    return fabs(x) >= 0x1p-1022 && fabs(x) < (double)INFINITY;
}

/* The base of the table's functions, whose expressions find these names. */
struct exact_functions {
#define OF_FLOAT(name)                                                                             \
    __device__ static float name(float x)                                                          \
    {                                                                                              \
        return (float)::name((double)x);                                                           \
    }
#define OF_DEVICE(name)                                                                            \
    __device__ static double name(double x)                                                        \
    {                                                                                              \
        return ::name(x);                                                                          \
    }                                                                                              \
    OF_FLOAT(name)
    OF_DEVICE(expm1)
    OF_DEVICE(log1p)
    OF_DEVICE(sin)
    OF_DEVICE(cos)
    OF_DEVICE(tan)
    OF_DEVICE(asin)
    OF_DEVICE(acos)
    OF_DEVICE(atan)
    OF_DEVICE(sinh)
    OF_DEVICE(cosh)
    OF_DEVICE(tanh)
    OF_DEVICE(asinh)
    OF_DEVICE(acosh)
    OF_DEVICE(atanh)
    OF_DEVICE(erf)
    OF_DEVICE(erfc)
    OF_DEVICE(lgamma)
#undef OF_DEVICE

    __device__ static double exp(double x)
    {
        const double near = ::exp(x);
        return is_normal(near) ? exp_of_wide(wide{x, 0}) : near;
    }
    OF_FLOAT(exp)

    __device__ static double exp2(double x)
    {
        const double near = ::exp2(x);
        const wide ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
        return is_normal(near) ? exp_of_wide(multiply(ln2, x)) : near;
    }
    OF_FLOAT(exp2)

    __device__ static double log(double x)
    {
        return x > 0 && is_normal(x) ? wide_log(x).hi : ::log(x);
    }
    OF_FLOAT(log)

    __device__ static double log2(double x)
    {
        const wide scale = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
        return x > 0 && is_normal(x) ? multiply(wide_log(x), scale).hi : ::log2(x);
    }
    OF_FLOAT(log2)

    __device__ static double log10(double x)
    {
        const wide scale = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
        return x > 0 && is_normal(x) ? multiply(wide_log(x), scale).hi : ::log10(x);
    }
    OF_FLOAT(log10)
#undef OF_FLOAT

    __device__ static double pow(double x, double y)
    {
        const double near = ::pow(x, y);
        if (!is_normal(near) || !is_normal(x) || y - y != 0)
            return near;
        return copysign(exp_of_wide(multiply(wide_log(fabs(x)), y)), near);
    }
    __device__ static float pow(float x, float y)
    {
        return (float)::pow((double)x, (double)y);
    }

    __device__ static double hypot(double x, double y)
    {
        const double near = ::hypot(x, y);
        if (!is_normal(near))
            return near;
        int exponent;
        (void)frexp(near, &exponent); /* scaled, so that squares are in range */
        const double a = ldexp(x, -exponent), b = ldexp(y, -exponent);
        const wide square = add(exact_product(a, a), exact_product(b, b));
        const double root = sqrt(square.hi);
        const wide rest = add(square, multiply(wide{root, 0}, -root));
        return ldexp(root + rest.hi / (2 * root), exponent);
    }
    __device__ static float hypot(float x, float y)
    {
        return (float)::hypot((double)x, (double)y);
    }

    __device__ static double atan2(double x, double y)
    {
        return ::atan2(x, y);
    }
    __device__ static float atan2(float x, float y)
    {
        return (float)::atan2((double)x, (double)y);
    }
};

#endif
