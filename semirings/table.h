/*
 * The table of types, operators, monoids and semirings.
 *
 * Every list is an X-macro. The C code expands it to descriptors and host functions, the
 * SuiteSparse engine to handles, the CUDA engine to device functions. To add a semiring, add one
 * line here.
 *
 * Expressions may use `x` and `y` of type T (the operator's type) and the constants T_MIN and T_MAX
 * (the least and greatest value of T). The value of an expression is converted to the result's
 * type. Integer arithmetic uses uint64_t, so that it wraps as in SuiteSparse without undefined
 * behaviour. Booleans follow the rules of SuiteSparse: plus and max are lor, times and min are
 * land, minus is lxor, div is first.
 */
#ifndef SEMLA_SEMIRINGS_TABLE_H
#define SEMLA_SEMIRINGS_TABLE_H

/* ---- tables: not formatted, since clang-format takes operators for pointers ---- */
/* clang-format off */

/* X(NAME, name, C type, class, least value, greatest value, ...) */
#define SL_TYPES_BOOL(X, ...)  X(BOOL, bool, bool, BOOL, false, true, __VA_ARGS__)
#define SL_TYPES_INDEX(X, ...)                                                                     \
    X(INT32, int32, int32_t, SIGNED, INT32_MIN, INT32_MAX, __VA_ARGS__)                            \
    X(INT64, int64, int64_t, SIGNED, INT64_MIN, INT64_MAX, __VA_ARGS__)
#define SL_TYPES_INTEGER(X, ...)                                                                   \
    X(INT8, int8, int8_t, SIGNED, INT8_MIN, INT8_MAX, __VA_ARGS__)                                 \
    X(INT16, int16, int16_t, SIGNED, INT16_MIN, INT16_MAX, __VA_ARGS__)                            \
    X(INT32, int32, int32_t, SIGNED, INT32_MIN, INT32_MAX, __VA_ARGS__)                            \
    X(INT64, int64, int64_t, SIGNED, INT64_MIN, INT64_MAX, __VA_ARGS__)                            \
    X(UINT8, uint8, uint8_t, UNSIGNED, 0, UINT8_MAX, __VA_ARGS__)                                  \
    X(UINT16, uint16, uint16_t, UNSIGNED, 0, UINT16_MAX, __VA_ARGS__)                              \
    X(UINT32, uint32, uint32_t, UNSIGNED, 0, UINT32_MAX, __VA_ARGS__)                              \
    X(UINT64, uint64, uint64_t, UNSIGNED, 0, UINT64_MAX, __VA_ARGS__)
#define SL_TYPES_FLOAT(X, ...)                                                                     \
    X(FP32, fp32, float, FLOAT, -INFINITY, INFINITY, __VA_ARGS__)                                  \
    X(FP64, fp64, double, FLOAT, -INFINITY, INFINITY, __VA_ARGS__)
#define SL_TYPES_NUM(X, ...)                                                                       \
    SL_TYPES_INTEGER(X, __VA_ARGS__)                                                               \
    SL_TYPES_FLOAT(X, __VA_ARGS__)
#define SL_TYPES_ALL(X, ...)                                                                       \
    SL_TYPES_BOOL(X, __VA_ARGS__)                                                                  \
    SL_TYPES_NUM(X, __VA_ARGS__)

/*
 * Helpers of the expressions, for C and device code. T_MIN != 0 identifies signed types; their sign
 * bit is tested because compilers warn about x < 0 for unsigned types. Integer division by 0 gives
 * the greatest or least value, by the sign of x, and 0/0 gives 0; x / -1 wraps. SL_FMIN and SL_FMAX
 * are fmin and fmax: they ignore a NaN if the other operand is a number. C does not define their
 * result for 0 and -0; here it is y on every device. Conversion of a float to double and back in
 * fabs is exact.
 */
#define SL_NEGATIVE(x) (T_MIN != 0 && (uint64_t)(x) >> 63 != 0)
#define SL_ABS(x)      (SL_NEGATIVE(x) ? 0 - (uint64_t)(x) : (uint64_t)(x))
#define SL_DIV_BY_0(x) ((x) == 0 ? 0 : SL_NEGATIVE(x) ? T_MIN : T_MAX)
#define SL_DIV(x, y)                                                                               \
    ((y) == 0                         ? (uint64_t)SL_DIV_BY_0(x)                                   \
     : SL_NEGATIVE(y) && (y) + 1 == 0 ? 0 - (uint64_t)(x)                                          \
                                      : (uint64_t)((x) / (y)))
#define SL_FABS(x)    fabs(x)
#define SL_FMIN(x, y) ((x) < (y) || (y) != (y) ? (x) : (y))
#define SL_FMAX(x, y) ((x) > (y) || (y) != (y) ? (x) : (y))

/*
 * Unary operators: X(NAME, name, integer, float, bool expression). z = f(x) has the type of x. minv
 * of an integer is 1 div x.
 */
#define SL_UNARY_OPS(X)                                                                            \
    X(IDENTITY, identity, x, x, x)                                                                 \
    X(AINV, ainv, 0 - (uint64_t)x, -x, x)                                                          \
    X(MINV, minv, SL_DIV(1, x), 1 / x, true)                                                       \
    X(ABS, abs, SL_ABS(x), SL_FABS(x), x)                                                          \
    X(LNOT, lnot, x == 0, x == 0, !x)                                                              \
    X(ONE, one, 1, 1, true)

/*
 * Binary operators on values: X(NAME, name, integer, float, bool expression, commutative, reads x,
 * reads y). For all types; z has the type of the operands.
 */
#define SL_BINARY_OPS(X)                                                                           \
    X(ANY, any, x, x, x, 1, 1, 1)                                                                  \
    X(FIRST, first, x, x, x, 0, 1, 0)                                                              \
    X(SECOND, second, y, y, y, 0, 0, 1)                                                            \
    X(PAIR, pair, 1, 1, true, 1, 0, 0)                                                             \
    X(PLUS, plus, (uint64_t)x + (uint64_t)y, x + y, x || y, 1, 1, 1)                               \
    X(MINUS, minus, (uint64_t)x - (uint64_t)y, x - y, x != y, 0, 1, 1)                             \
    X(TIMES, times, (uint64_t)x * (uint64_t)y, x * y, x && y, 1, 1, 1)                                \
    X(DIV, div, SL_DIV(x, y), x / y, x, 0, 1, 1)                                                   \
    X(MIN, min, x < y ? x : y, SL_FMIN(x, y), x && y, 1, 1, 1)                                     \
    X(MAX, max, x > y ? x : y, SL_FMAX(x, y), x || y, 1, 1, 1)                                     \
    X(LOR, lor, x != 0 || y != 0, x != 0 || y != 0, x || y, 1, 1, 1)                               \
    X(LAND, land, x != 0 && y != 0, x != 0 && y != 0, x && y, 1, 1, 1)                             \
    X(LXOR, lxor, (x != 0) != (y != 0), (x != 0) != (y != 0), x != y, 1, 1, 1)

/* lxnor exists only for bool, like its monoid. The same columns. */
#define SL_BINARY_OPS_BOOL(X) X(LXNOR, lxnor, x == y, x == y, x == y, 1, 1, 1)

/*
 * Functions: operators that no semiring or algorithm of the table needs. The CUDA engine compiles a
 * kernel for one when it is used. In C, <tgmath.h> has the names, so that a function of a float
 * is computed in float; functions.h defines the others. SL_POW is NaN if an operand is;
 * integer powers are rounded to an integer and saturate. SL_EXPONENT limits y to exponents that all
 * overflow or underflow.
 */
#define SL_SIGNUM(x)   ((x) < 0 ? -1 : (x) > 0 ? 1 : (x) == 0 ? 0 : (x))
#define SL_POW(x, y)   ((x) != (x) || (y) != (y) ? (x) + (y) : pow(x, y))
#define SL_EXPONENT(y) ((int)((y) > 100000 ? 100000 : (y) > -100000 ? (y) : (y) == (y) ? -100000 : 0))
#define SL_INTEGER_POW(x, y)                                                                       \
    sl_saturate(rint(pow((double)(x), (double)(y))), (int64_t)T_MIN, (uint64_t)T_MAX)

/* Bit k of an integer, counted from 1; shifts by y; quotients rounded down and their remainders. */
#define SL_HAS_BIT(x, k)     ((uint64_t)(k) - 1 < 8 * sizeof(x))
#define SL_BIT(x, k)         (SL_HAS_BIT(x, k) ? (uint64_t)1 << ((uint64_t)(k) - 1) : 0)
#define SL_GET_BIT(x, k)     (((uint64_t)(x) & SL_BIT(x, k)) != 0)
#define SL_UP_TO_63(k)       ((k) < 63 ? (k) : 63)
#define SL_SHIFT_RIGHT(x, k) (SL_NEGATIVE(x) ? ~(~(uint64_t)(x) >> (k)) : (uint64_t)(x) >> (k))
#define SL_SHIFT(x, y)                                                                             \
    (SL_NEGATIVE(y)                  ? SL_SHIFT_RIGHT(x, SL_UP_TO_63(0 - (uint64_t)(y)))           \
     : (uint64_t)(y) < 8 * sizeof(x) ? (uint64_t)(x) << (y)                                        \
                                     : 0)
#define SL_ROUNDED_UP(x, y)                                                                        \
    ((y) != 0 && SL_NEGATIVE(x) != SL_NEGATIVE(y) && SL_DIV(x, y) * (uint64_t)(y) != (uint64_t)(x))
#define SL_FLOORDIV(x, y) (SL_DIV(x, y) - SL_ROUNDED_UP(x, y))
#define SL_MOD(x, y)      ((y) == 0 ? 0 : (uint64_t)(x) - SL_FLOORDIV(x, y) * (uint64_t)(y))
#define SL_FLOAT_MOD(x, y)                                                                         \
    (fmod(x, y) == 0                 ? copysign(fmod(x, y), y)                                     \
     : (fmod(x, y) < 0) != ((y) < 0) ? fmod(x, y) + (y)                                            \
                                     : fmod(x, y))

/* Unary functions: X(NAME, name, types, result, expression). The result is SAME, the type of x, or
 * BOOL. frexpx and frexpe are the fraction and the exponent that frexp gives; of an infinity and of
 * NaN the exponent is 0. */
#define SL_UNARY_FUNCTIONS(X)                                                                      \
    X(SQRT, sqrt, FLOAT, SAME, sqrt(x))                                                            \
    X(CBRT, cbrt, FLOAT, SAME, sl_cbrt(x))                                                            \
    X(EXP, exp, FLOAT, SAME, exp(x))                                                               \
    X(EXP2, exp2, FLOAT, SAME, exp2(x))                                                            \
    X(EXPM1, expm1, FLOAT, SAME, expm1(x))                                                         \
    X(LOG, log, FLOAT, SAME, log(x))                                                               \
    X(LOG2, log2, FLOAT, SAME, log2(x))                                                            \
    X(LOG10, log10, FLOAT, SAME, log10(x))                                                         \
    X(LOG1P, log1p, FLOAT, SAME, log1p(x))                                                         \
    X(SIN, sin, FLOAT, SAME, sin(x))                                                               \
    X(COS, cos, FLOAT, SAME, cos(x))                                                               \
    X(TAN, tan, FLOAT, SAME, tan(x))                                                               \
    X(ASIN, asin, FLOAT, SAME, asin(x))                                                            \
    X(ACOS, acos, FLOAT, SAME, acos(x))                                                            \
    X(ATAN, atan, FLOAT, SAME, atan(x))                                                            \
    X(SINH, sinh, FLOAT, SAME, sinh(x))                                                            \
    X(COSH, cosh, FLOAT, SAME, cosh(x))                                                            \
    X(TANH, tanh, FLOAT, SAME, tanh(x))                                                            \
    X(ASINH, asinh, FLOAT, SAME, asinh(x))                                                         \
    X(ACOSH, acosh, FLOAT, SAME, acosh(x))                                                         \
    X(ATANH, atanh, FLOAT, SAME, atanh(x))                                                         \
    X(ERF, erf, FLOAT, SAME, erf(x))                                                               \
    X(ERFC, erfc, FLOAT, SAME, erfc(x))                                                            \
    X(LGAMMA, lgamma, FLOAT, SAME, lgamma(x))                                                      \
    X(TGAMMA, tgamma, FLOAT, SAME, sl_tgamma(x))                                                      \
    X(CEIL, ceil, FLOAT, SAME, ceil(x))                                                            \
    X(FLOOR, floor, FLOAT, SAME, floor(x))                                                         \
    X(ROUND, round, FLOAT, SAME, round(x))                                                         \
    X(TRUNC, trunc, FLOAT, SAME, trunc(x))                                                         \
    X(SIGNUM, signum, FLOAT, SAME, SL_SIGNUM(x))                                                   \
    X(FREXPX, frexpx, FLOAT, SAME, sl_fraction(x))                                                 \
    X(FREXPE, frexpe, FLOAT, SAME, sl_exponent(x))                                                 \
    X(ISINF, isinf, FLOAT, BOOL, x == INFINITY || x == -INFINITY)                                  \
    X(ISNAN, isnan, FLOAT, BOOL, x != x)                                                           \
    X(ISFINITE, isfinite, FLOAT, BOOL, x - x == 0)                                                 \
    X(BNOT, bnot, INTEGER, SAME, ~(uint64_t)x)

/* Binary functions: X(NAME, name, types, integer, floating, boolean, commutative, reads x, reads y).
 * z has the type of the operands. iseq to isle compare, and are 1 or 0. Bits are numbered from 1;
 * bget, bset and bclr with another number find no bit. bshift shifts by y to the left, or by -y to
 * the right, and keeps the sign. floordiv rounds down and mod has the sign of y, as // and % of
 * Python; mod of an integer and 0 is 0. GraphBLAS has no floordiv, rfloordiv, mod, rpow, absfirst
 * and abssecond, and its bshift takes an int8. */
#define SL_BINARY_FUNCTIONS(X)                                                                     \
    X(RMINUS, rminus, ALL, (uint64_t)y - (uint64_t)x, y - x, x != y, 0, 1, 1)                      \
    X(RDIV, rdiv, ALL, SL_DIV(y, x), y / x, y, 0, 1, 1)                                            \
    X(POW, pow, ALL, SL_INTEGER_POW(x, y), SL_POW(x, y), x || !y, 0, 1, 1)                         \
    X(ISEQ, iseq, ALL, x == y, x == y, x == y, 1, 1, 1)                                            \
    X(ISNE, isne, ALL, x != y, x != y, x != y, 1, 1, 1)                                            \
    X(ISGT, isgt, ALL, x > y, x > y, x > y, 0, 1, 1)                                               \
    X(ISLT, islt, ALL, x < y, x < y, x < y, 0, 1, 1)                                               \
    X(ISGE, isge, ALL, x >= y, x >= y, x >= y, 0, 1, 1)                                            \
    X(ISLE, isle, ALL, x <= y, x <= y, x <= y, 0, 1, 1)                                            \
    X(ATAN2, atan2, FLOAT, 0, atan2(x, y), 0, 0, 1, 1)                                             \
    X(HYPOT, hypot, FLOAT, 0, hypot(x, y), 0, 1, 1, 1)                                             \
    X(FMOD, fmod, FLOAT, 0, fmod(x, y), 0, 0, 1, 1)                                                \
    X(REMAINDER, remainder, FLOAT, 0, remainder(x, y), 0, 0, 1, 1)                                 \
    X(COPYSIGN, copysign, FLOAT, 0, copysign(x, y), 0, 0, 1, 1)                                    \
    X(LDEXP, ldexp, FLOAT, 0, ldexp(x, SL_EXPONENT(y)), 0, 0, 1, 1)                                \
    X(BOR, bor, INTEGER, (uint64_t)x | (uint64_t)y, 0, 0, 1, 1, 1)                                 \
    X(BAND, band, INTEGER, (uint64_t)x & (uint64_t)y, 0, 0, 1, 1, 1)                               \
    X(BXOR, bxor, INTEGER, (uint64_t)x ^ (uint64_t)y, 0, 0, 1, 1, 1)                               \
    X(BXNOR, bxnor, INTEGER, ~((uint64_t)x ^ (uint64_t)y), 0, 0, 1, 1, 1)                          \
    X(BGET, bget, INTEGER, SL_GET_BIT(x, y), 0, 0, 0, 1, 1)                                        \
    X(BSET, bset, INTEGER, (uint64_t)x | SL_BIT(x, y), 0, 0, 0, 1, 1)                              \
    X(BCLR, bclr, INTEGER, (uint64_t)x & ~SL_BIT(x, y), 0, 0, 0, 1, 1)                             \
    X(BSHIFT, bshift, INTEGER, SL_SHIFT(x, y), 0, 0, 0, 1, 1)                                      \
    X(FLOORDIV, floordiv, ALL, SL_FLOORDIV(x, y), sl_float_floordiv(x, y), x, 0, 1, 1)             \
    X(RFLOORDIV, rfloordiv, ALL, SL_FLOORDIV(y, x), sl_float_floordiv(y, x), y, 0, 1, 1)           \
    X(MOD, mod, ALL, SL_MOD(x, y), SL_FLOAT_MOD(x, y), false, 0, 1, 1)                             \
    X(RPOW, rpow, ALL, SL_INTEGER_POW(y, x), SL_POW(y, x), y || !x, 0, 1, 1)                       \
    X(ABSFIRST, absfirst, ALL, SL_ABS(x), SL_FABS(x), x, 0, 1, 0)                                  \
    X(ABSSECOND, abssecond, ALL, SL_ABS(y), SL_FABS(y), y, 0, 0, 1)

/* Comparisons: X(NAME, name, expression, commutative). For all types; z is bool. */
#define SL_COMPARISONS(X)                                                                          \
    X(EQ, eq, x == y, 1)                                                                           \
    X(NE, ne, x != y, 1)                                                                           \
    X(LT, lt, x < y, 0)                                                                            \
    X(LE, le, x <= y, 0)                                                                           \
    X(GT, gt, x > y, 0)                                                                            \
    X(GE, ge, x >= y, 0)

/*
 * Positional operators: X(NAME, name). z is an index, independent of the values: for a product of
 * A(i,k) and B(k,j), firsti is i, firstj and secondi are k, secondj is j. The type is int64 or, for
 * objects with up to 2^31 rows and columns, int32; greater numbers wrap.
 */
#define SL_POSITIONAL_OPS(X)                                                                       \
    X(FIRSTI, firsti)                                                                              \
    X(FIRSTJ, firstj)                                                                              \
    X(SECONDI, secondi)                                                                            \
    X(SECONDJ, secondj)

/*
 * Index-unary operators z = f(a(i,j), i, j, thunk): X(NAME, name, expression, result). Positional
 * ones use int64_t i, j and k (the thunk); a vector is a column with j = 0. Sums with the thunk
 * wrap, comparisons are exact. diagindex is j - (i + k) as in SuiteSparse (C API: j - i + k). Those
 * that give an index exist with the result int32, too, which wraps. Those on values use `x` and
 * the thunk `y`, both of the operator's type, and exist for all types.
 */
#define SL_INDEX_OPS_INDEX(X, RESULT)                                                              \
    X(ROWINDEX, rowindex, (uint64_t)i + (uint64_t)k, RESULT)                                       \
    X(COLINDEX, colindex, (uint64_t)j + (uint64_t)k, RESULT)                                       \
    X(DIAGINDEX, diagindex, (uint64_t)(j - i) - (uint64_t)k, RESULT)
#define SL_INDEX_OPS_POSITION(X)                                                                   \
    SL_INDEX_OPS_INDEX(X, INT64)                                                                   \
    X(TRIL, tril, j - i <= k, BOOL)                                                                \
    X(TRIU, triu, j - i >= k, BOOL)                                                                \
    X(DIAG, diag, j - i == k, BOOL)                                                                \
    X(OFFDIAG, offdiag, j - i != k, BOOL)                                                          \
    X(ROWLE, rowle, i <= k, BOOL)                                                                  \
    X(ROWGT, rowgt, i > k, BOOL)                                                                   \
    X(COLLE, colle, j <= k, BOOL)                                                                  \
    X(COLGT, colgt, j > k, BOOL)
#define SL_INDEX_OPS_VALUE(X)                                                                      \
    X(VALUEEQ, valueeq, x == y, BOOL)                                                              \
    X(VALUENE, valuene, x != y, BOOL)                                                              \
    X(VALUELT, valuelt, x < y, BOOL)                                                               \
    X(VALUELE, valuele, x <= y, BOOL)                                                              \
    X(VALUEGT, valuegt, x > y, BOOL)                                                               \
    X(VALUEGE, valuege, x >= y, BOOL)

/*
 * Monoids: X(NAME, name, types, identity, has terminal, terminal, idempotent). Identity and
 * terminal are 0, 1, T_MIN, T_MAX or T_BITS, all bits of an integer. The operator is the binary
 * operator of the same name. All monoids are commutative. `any` may return either operand: every
 * value is terminal, and any value may serve as identity (0 is stored). times has no terminal even
 * for integers: the test for 0 costs more than the products it saves. For floating-point types min
 * and max ignore NaN, so their identity preserves every number, but NaN + identity is the identity.
 */
#define SL_MONOIDS(X)                                                                              \
    X(ANY, any, ALL, 0, 1, 0, 1)                                                                   \
    X(MIN, min, NUM, T_MAX, 1, T_MIN, 1)                                                           \
    X(MAX, max, NUM, T_MIN, 1, T_MAX, 1)                                                           \
    X(PLUS, plus, NUM, 0, 0, 0, 0)                                                                 \
    X(TIMES, times, NUM, 1, 0, 0, 0)                                                               \
    X(LOR, lor, BOOL, 0, 1, 1, 1)                                                                  \
    X(LAND, land, BOOL, 1, 1, 0, 1)                                                                \
    X(LXOR, lxor, BOOL, 0, 0, 0, 0)                                                                \
    X(LXNOR, lxnor, BOOL, 1, 0, 0, 0)                                                              \
    X(BOR, bor, INTEGER, 0, 1, T_BITS, 1)                                                          \
    X(BAND, band, INTEGER, T_BITS, 1, 0, 1)                                                        \
    X(BXOR, bxor, INTEGER, 0, 0, 0, 0)                                                             \
    X(BXNOR, bxnor, INTEGER, T_BITS, 0, 0, 0)

/*
 * Semirings: X(NAME, name, additive monoid, multiplicative operator, types). The type is that of
 * the operator's operands and of the monoid; for positional operators it is that of the index.
 */
#define SL_SEMIRINGS(X)                                                                            \
    X(ANY_SECONDI, any_secondi, ANY, SECONDI, INDEX)                                               \
    X(MIN_SECONDI, min_secondi, MIN, SECONDI, INDEX)                                               \
    X(MAX_SECONDI, max_secondi, MAX, SECONDI, INDEX)                                               \
    X(ANY_PAIR, any_pair, ANY, PAIR, ALL)                                                          \
    X(LOR_LAND, lor_land, LOR, LAND, BOOL)                                                         \
    X(MIN_PLUS, min_plus, MIN, PLUS, NUM)                                                          \
    X(MAX_PLUS, max_plus, MAX, PLUS, NUM)                                                          \
    X(MIN_FIRST, min_first, MIN, FIRST, NUM)                                                       \
    X(MIN_SECOND, min_second, MIN, SECOND, NUM)                                                    \
    X(PLUS_TIMES, plus_times, PLUS, TIMES, NUM)                                                    \
    X(PLUS_PAIR, plus_pair, PLUS, PAIR, NUM)                                                       \
    X(PLUS_FIRST, plus_first, PLUS, FIRST, NUM)                                                    \
    X(PLUS_SECOND, plus_second, PLUS, SECOND, NUM)                                                 \
    X(MIN_TIMES, min_times, MIN, TIMES, NUM)                                                       \
    X(MAX_MIN, max_min, MAX, MIN, NUM)                                                             \
    X(PLUS_MIN, plus_min, PLUS, MIN, NUM)                                                          \
    X(MIN_MAX, min_max, MIN, MAX, NUM)                                                             \
    X(MAX_TIMES, max_times, MAX, TIMES, NUM)                                                       \
    X(MAX_FIRST, max_first, MAX, FIRST, NUM)                                                       \
    X(MAX_SECOND, max_second, MAX, SECOND, NUM)                                                    \
    X(LAND_LOR, land_lor, LAND, LOR, BOOL)                                                         \
    X(LXOR_LAND, lxor_land, LXOR, LAND, BOOL)                                                      \
    X(LXNOR_LOR, lxnor_lor, LXNOR, LOR, BOOL)                                                      \
    X(LOR_FIRST, lor_first, LOR, FIRST, BOOL)                                                      \
    X(LAND_FIRST, land_first, LAND, FIRST, BOOL)                                                   \
    X(ANY_EQ, any_eq, ANY, EQ, ALL)

/* clang-format on */
#endif
