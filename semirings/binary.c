/*
 * Binary operators z = f(x, y): descriptors and host functions, expanded from the lists in table.h.
 * Positional operators have a descriptor but no function.
 */
#include "semirings/descriptors.h"

#include <tgmath.h>

#include <semla/functions.h>

/* An operand that is not read may be a null pointer, since a pattern has no values. */
#define LOAD(T, reads, p) ((reads) ? *(const T *)(p) : (T)0)

#define X(NAME, name, T, CLASS, lo, hi, op, integer, floating, boolean, reads_x, reads_y)          \
    static void op##_##name(void *z, const void *px, const void *py)                               \
    {                                                                                              \
        SL_LIMITS(T, lo, hi);                                                                      \
        const T x = LOAD(T, reads_x, px), y = LOAD(T, reads_y, py);                                \
        (void)x, (void)y;                                                                          \
        *(T *)z = (T)SL_EXPRESSION_##CLASS(integer, floating, boolean);                            \
    }
#define OP(OPNAME, op, integer, floating, boolean, commutative, reads_x, reads_y)                  \
    SL_TYPES_ALL(X, op, integer, floating, boolean, reads_x, reads_y)
SL_BINARY_OPS(OP)
#undef OP
#define OP(OPNAME, op, integer, floating, boolean, commutative, reads_x, reads_y)                  \
    SL_TYPES_BOOL(X, op, integer, floating, boolean, reads_x, reads_y)
SL_BINARY_OPS_BOOL(OP)
#undef OP
#define OP(OPNAME, op, TYPES, integer, floating, boolean, commutative, reads_x, reads_y)           \
    SL_TYPES_##TYPES(X, op, integer, floating, boolean, reads_x, reads_y)
SL_BINARY_FUNCTIONS(OP)
#undef OP
#undef X

#define X(NAME, name, T, CLASS, lo, hi, op, expression)                                            \
    static void op##_##name(void *z, const void *px, const void *py)                               \
    {                                                                                              \
        const T x = *(const T *)px, y = *(const T *)py;                                            \
        *(bool *)z = (expression);                                                                 \
    }
#define OP(OPNAME, op, expression, commutative) SL_TYPES_ALL(X, op, expression)
SL_COMPARISONS(OP)
#undef OP
#undef X

const struct sl_binary_op_s sl_binary_ops[SL_BINARY_COUNT][SL_TYPE_COUNT] = {
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op, result_, commutative_, reads_x_, reads_y_)    \
    [SL_BINARY_##OPNAME][SL_##NAME] = {                                                            \
        .name = #op "_" #name_,                                                                    \
        .code = SL_BINARY_##OPNAME,                                                                \
        .type = SL_##NAME,                                                                         \
        .type_y = SL_##NAME,                                                                       \
        .result = result_(NAME),                                                                   \
        .commutative = commutative_,                                                               \
        .reads_x = reads_x_,                                                                       \
        .reads_y = reads_y_,                                                                       \
        .eval = op##_##name_,                                                                      \
    },
#define RESULT_SAME(NAME) SL_##NAME
#define RESULT_BOOL(NAME) SL_BOOL
#define OP(OPNAME, op, integer, floating, boolean, ...)                                            \
    SL_TYPES_ALL(X, OPNAME, op, RESULT_SAME, __VA_ARGS__)
    SL_BINARY_OPS(OP)
#undef OP
#define OP(OPNAME, op, integer, floating, boolean, ...)                                            \
    SL_TYPES_BOOL(X, OPNAME, op, RESULT_SAME, __VA_ARGS__)
        SL_BINARY_OPS_BOOL(OP)
#undef OP
#define OP(OPNAME, op, TYPES, integer, floating, boolean, ...)                                     \
    SL_TYPES_##TYPES(X, OPNAME, op, RESULT_SAME, __VA_ARGS__)
            SL_BINARY_FUNCTIONS(OP)
#undef OP
#define OP(OPNAME, op, expression, commutative)                                                    \
    SL_TYPES_ALL(X, OPNAME, op, RESULT_BOOL, commutative, true, true)
                SL_COMPARISONS(OP)
#undef OP
#undef X
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op)                                               \
    [SL_BINARY_##OPNAME][SL_##NAME] = {                                                            \
        .name = #op "_" #name_,                                                                    \
        .code = SL_BINARY_##OPNAME,                                                                \
        .type = SL_##NAME,                                                                         \
        .type_y = SL_##NAME,                                                                       \
        .result = SL_##NAME,                                                                       \
        .positional = true,                                                                        \
    },
#define OP(OPNAME, op) SL_TYPES_INDEX(X, OPNAME, op)
                    SL_POSITIONAL_OPS(OP)
#undef OP
#undef X
};

#define X(NAME, name, T, CLASS, lo, hi, OPNAME)                                                    \
    const sl_binary_op SL_##OPNAME##_##NAME = &sl_binary_ops[SL_BINARY_##OPNAME][SL_##NAME];
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
SL_BINARY_OPS(OP)
SL_COMPARISONS(OP)
#undef OP
#define OP(OPNAME, ...) SL_TYPES_BOOL(X, OPNAME)
SL_BINARY_OPS_BOOL(OP)
#undef OP
#define OP(OPNAME, ...) SL_TYPES_INDEX(X, OPNAME)
SL_POSITIONAL_OPS(OP)
#undef OP
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
SL_BINARY_FUNCTIONS(OP)
#undef OP
#undef X

sl_binary_op sl_binary_op_get(sl_binary_code code, sl_type type)
{
    return SL_LOOK_UP(sl_binary_ops, code, SL_BINARY_COUNT, type);
}
