/*
 * Unary operators z = f(x): descriptors and host functions, expanded from SL_UNARY_OPS and
 * SL_UNARY_FUNCTIONS in table.h.
 */
#include "semirings/descriptors.h"

#include <tgmath.h>

#include <semla/functions.h>

/* The type of a function's result: by its C type, and as an sl_type. */
#define VALUE_SAME(T)     T
#define VALUE_BOOL(T)     bool
#define RESULT_SAME(NAME) SL_##NAME
#define RESULT_BOOL(NAME) SL_BOOL

#define X(NAME, name, T, CLASS, lo, hi, op, integer, floating, boolean)                            \
    static void op##_##name(void *z, const void *px)                                               \
    {                                                                                              \
        SL_LIMITS(T, lo, hi);                                                                      \
        const T x = *(const T *)px;                                                                \
        (void)x;                                                                                   \
        *(T *)z = (T)SL_EXPRESSION_##CLASS(integer, floating, boolean);                            \
    }
#define OP(OPNAME, op, integer, floating, boolean) SL_TYPES_ALL(X, op, integer, floating, boolean)
SL_UNARY_OPS(OP)
#undef OP
#undef X

#define X(NAME, name, T, CLASS, lo, hi, op, RESULT, expression)                                    \
    static void op##_##name(void *z, const void *px)                                               \
    {                                                                                              \
        const T x = *(const T *)px;                                                                \
        *(VALUE_##RESULT(T) *)z = (VALUE_##RESULT(T))(expression);                                 \
    }
#define OP(OPNAME, op, TYPES, RESULT, expression) SL_TYPES_##TYPES(X, op, RESULT, expression)
SL_UNARY_FUNCTIONS(OP)
#undef OP
#undef X

static const struct sl_unary_op_s ops[SL_UNARY_COUNT][SL_TYPE_COUNT] = {
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op, RESULT)                                       \
    [SL_UNARY_##OPNAME][SL_##NAME] = {                                                             \
        .name = #op "_" #name_,                                                                    \
        .code = SL_UNARY_##OPNAME,                                                                 \
        .type = SL_##NAME,                                                                         \
        .result = RESULT_##RESULT(NAME),                                                           \
        .eval = op##_##name_,                                                                      \
    },
#define OP(OPNAME, op, ...) SL_TYPES_ALL(X, OPNAME, op, SAME)
    SL_UNARY_OPS(OP)
#undef OP
#define OP(OPNAME, op, TYPES, RESULT, ...) SL_TYPES_##TYPES(X, OPNAME, op, RESULT)
        SL_UNARY_FUNCTIONS(OP)
#undef OP
#undef X
};

#define X(NAME, name, T, CLASS, lo, hi, OPNAME)                                                    \
    const sl_unary_op SL_##OPNAME##_##NAME = &ops[SL_UNARY_##OPNAME][SL_##NAME];
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
SL_UNARY_OPS(OP)
#undef OP
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
SL_UNARY_FUNCTIONS(OP)
#undef OP
#undef X

sl_unary_op sl_unary_op_get(sl_unary_code code, sl_type type)
{
    return SL_LOOK_UP(ops, code, SL_UNARY_COUNT, type);
}
