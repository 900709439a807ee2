/*
 * The one table of types, operators, monoids and semirings.
 *
 * Every list is an X-macro: C expands it to descriptors and host functions, the
 * SuiteSparse engine to its handles, a GPU engine to device functors. A new
 * semiring is one line here.
 *
 * Expressions see `x`, `y` of type T (the operator's type) and the constants
 * T_MIN and T_MAX of type T (its least and greatest value); the value of an
 * expression is cast to the result's type. Integer arithmetic goes through
 * uint64_t so that it wraps, as it does in SuiteSparse, without undefined
 * behaviour. Booleans follow SuiteSparse's rules: plus and max are lor, times
 * and min are land, minus is lxor, div is first.
 */
#ifndef SEMLA_SEMIRINGS_TABLE_H
#define SEMLA_SEMIRINGS_TABLE_H

/* ---- the tables: the formatter would take their operators for pointers ---- */
/* clang-format off */

/* X(NAME, name, C type, class, least value, greatest value, ...) */
#define SL_TYPES_BOOL(X, ...)  X(BOOL, bool, bool, BOOL, false, true, __VA_ARGS__)
#define SL_TYPES_INDEX(X, ...)                                                                     \
    X(INT32, int32, int32_t, SIGNED, INT32_MIN, INT32_MAX, __VA_ARGS__)                            \
    X(INT64, int64, int64_t, SIGNED, INT64_MIN, INT64_MAX, __VA_ARGS__)
#define SL_TYPES_NUM(X, ...)                                                                       \
    X(INT8, int8, int8_t, SIGNED, INT8_MIN, INT8_MAX, __VA_ARGS__)                                 \
    X(INT16, int16, int16_t, SIGNED, INT16_MIN, INT16_MAX, __VA_ARGS__)                            \
    X(INT32, int32, int32_t, SIGNED, INT32_MIN, INT32_MAX, __VA_ARGS__)                            \
    X(INT64, int64, int64_t, SIGNED, INT64_MIN, INT64_MAX, __VA_ARGS__)                            \
    X(UINT8, uint8, uint8_t, UNSIGNED, 0, UINT8_MAX, __VA_ARGS__)                                  \
    X(UINT16, uint16, uint16_t, UNSIGNED, 0, UINT16_MAX, __VA_ARGS__)                              \
    X(UINT32, uint32, uint32_t, UNSIGNED, 0, UINT32_MAX, __VA_ARGS__)                              \
    X(UINT64, uint64, uint64_t, UNSIGNED, 0, UINT64_MAX, __VA_ARGS__)                              \
    X(FP32, fp32, float, FLOAT, -INFINITY, INFINITY, __VA_ARGS__)                                  \
    X(FP64, fp64, double, FLOAT, -INFINITY, INFINITY, __VA_ARGS__)
#define SL_TYPES_ALL(X, ...)                                                                       \
    SL_TYPES_BOOL(X, __VA_ARGS__)                                                                  \
    SL_TYPES_NUM(X, __VA_ARGS__)

/*
 * Helpers of the expressions, for C and for device code alike. T_MIN != 0 tells
 * a signed type, whose sign bit is looked at because compilers warn of an
 * unsigned x < 0. An integer divided by 0 is the greatest or least value by the
 * sign of x, and 0/0 is 0; x / -1 wraps. SL_FMIN and SL_FMAX are fmin and fmax:
 * they pass over a NaN where the other is a number; C leaves open which of 0 and
 * -0 they give, here it is y on every device. A float survives the way through
 * fabs unchanged.
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
 * Unary operators: X(NAME, name, integer, float, bool expression). `z = f(x)`,
 * z of x's type. minv of an integer is 1 div x.
 */
#define SL_UNARY_OPS(X)                                                                            \
    X(IDENTITY, identity, x, x, x)                                                                 \
    X(AINV, ainv, 0 - (uint64_t)x, -x, x)                                                          \
    X(MINV, minv, SL_DIV(1, x), 1 / x, true)                                                       \
    X(ABS, abs, SL_ABS(x), SL_FABS(x), x)                                                          \
    X(LNOT, lnot, x == 0, x == 0, !x)                                                              \
    X(ONE, one, 1, 1, true)

/*
 * Binary operators with values: X(NAME, name, integer, float, bool expression,
 * commutative, reads x, reads y). All types; z is of the operands' type.
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

/* lxnor exists on bool alone, as the monoid does. Same columns. */
#define SL_BINARY_OPS_BOOL(X) X(LXNOR, lxnor, x == y, x == y, x == y, 1, 1, 1)

/* Comparisons: X(NAME, name, expression, commutative). All types; z is bool. */
#define SL_COMPARISONS(X)                                                                          \
    X(EQ, eq, x == y, 1)                                                                           \
    X(NE, ne, x != y, 1)                                                                           \
    X(LT, lt, x < y, 0)                                                                            \
    X(LE, le, x <= y, 0)                                                                           \
    X(GT, gt, x > y, 0)                                                                            \
    X(GE, ge, x >= y, 0)

/*
 * Positional operators: X(NAME, name). z is an index of the entry, never of its
 * value: for a product of A(i,k) and B(k,j), firsti is i, firstj and secondi are
 * k, secondj is j. It is an int64 or, for objects of up to 2^31 rows and columns,
 * an int32, in which greater numbers wrap.
 */
#define SL_POSITIONAL_OPS(X)                                                                       \
    X(FIRSTI, firsti)                                                                              \
    X(FIRSTJ, firstj)                                                                              \
    X(SECONDI, secondi)                                                                            \
    X(SECONDJ, secondj)

/*
 * Index-unary operators: z = f(a(i,j), i, j, thunk). X(NAME, name, expression,
 * result). Positional ones see int64_t i, j, k (the thunk); a vector is one
 * column, j = 0. Sums with the thunk wrap, comparisons are exact. diagindex is
 * j - (i + k), as SuiteSparse has it (the C API: j - i + k). Value ones see `x`
 * and thunk `y`, of the operator's type, and exist for all types.
 */
#define SL_INDEX_OPS_POSITION(X)                                                                   \
    X(ROWINDEX, rowindex, (uint64_t)i + (uint64_t)k, INT64)                                        \
    X(COLINDEX, colindex, (uint64_t)j + (uint64_t)k, INT64)                                        \
    X(DIAGINDEX, diagindex, (uint64_t)(j - i) - (uint64_t)k, INT64)                                \
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
 * Monoids: X(NAME, name, types, identity, has terminal, terminal, idempotent).
 * Identity and terminal are one of 0, 1, T_MIN and T_MAX, the type's least and
 * greatest value. The operator is the binary one of the same name. All are
 * commutative. `any` may return either operand: every value is terminal, and
 * any value is its identity (0 is kept). times has no terminal here even for
 * integers: a 0 ends a product early in theory, but to test for it costs more
 * than it saves. On floating types min and max pass over NaN, so that their
 * identity keeps every number but turns NaN into itself.
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
    X(LXNOR, lxnor, BOOL, 1, 0, 0, 0)

/*
 * Semirings: X(NAME, name, monoid, multiplicative operator, types). The type
 * is that of the operator's operands and of the monoid, save for positional
 * operators, whose monoid is over the index.
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
    X(MAX_MIN, max_min, MAX, MIN, NUM)

/* clang-format on */
#endif
