/*
 * Index-unary operators z = f(a(i,j), i, j, thunk): descriptors and host functions, expanded from
 * the lists in table.h.
 */
#include "semirings/descriptors.h"

#define RESULT_BOOL  bool
#define RESULT_INT32 int32_t
#define RESULT_INT64 int64_t

#define X(OPNAME, op, expression, RESULT)                                                          \
    static void op##_to_##RESULT(void *z, const void *x, int64_t i, int64_t j, const void *thunk)  \
    {                                                                                              \
        const int64_t k = *(const int64_t *)thunk;                                                 \
        *(RESULT_##RESULT *)z = (RESULT_##RESULT)(expression);                                     \
    }
SL_INDEX_OPS_POSITION(X)
SL_INDEX_OPS_INDEX(X, INT32)
#undef X

#define X(NAME, name, T, CLASS, lo, hi, op, expression)                                            \
    static void op##_##name(void *z, const void *px, int64_t i, int64_t j, const void *thunk)      \
    {                                                                                              \
        const T x = *(const T *)px, y = *(const T *)thunk;                                         \
        *(bool *)z = (expression);                                                                 \
    }
#define OP(OPNAME, op, expression, RESULT) SL_TYPES_ALL(X, op, expression)
SL_INDEX_OPS_VALUE(OP)
#undef OP
#undef X

/* Positional operators are in the column of SL_INT64, the type of their thunk, or of SL_INT32 if they
 * give an int32. */
#define COLUMN_BOOL  SL_INT64
#define COLUMN_INT32 SL_INT32
#define COLUMN_INT64 SL_INT64
static const struct sl_index_op_s ops[SL_INDEX_COUNT][SL_TYPE_COUNT] = {
#define NAME_BOOL  "_bool"
#define NAME_INT32 "_int32"
#define NAME_INT64 "_int64"
#define X(OPNAME, op, expression, RESULT)                                                          \
    [SL_INDEX_##OPNAME][COLUMN_##RESULT] = {                                                       \
        .name = #op NAME_##RESULT,                                                                 \
        .code = SL_INDEX_##OPNAME,                                                                 \
        .type = COLUMN_##RESULT,                                                                   \
        .type_thunk = SL_INT64,                                                                    \
        .result = SL_##RESULT,                                                                     \
        .positional = true,                                                                        \
        .eval = op##_to_##RESULT,                                                                  \
    },
    SL_INDEX_OPS_POSITION(X) SL_INDEX_OPS_INDEX(X, INT32)
#undef X
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op)                                               \
    [SL_INDEX_##OPNAME][SL_##NAME] = {                                                             \
        .name = #op "_" #name_,                                                                    \
        .code = SL_INDEX_##OPNAME,                                                                 \
        .type = SL_##NAME,                                                                         \
        .type_thunk = SL_##NAME,                                                                   \
        .result = SL_BOOL,                                                                         \
        .eval = op##_##name_,                                                                      \
    },
#define OP(OPNAME, op, ...) SL_TYPES_ALL(X, OPNAME, op)
        SL_INDEX_OPS_VALUE(OP)
#undef OP
#undef X
};

#define X(OPNAME, op, expression, RESULT)                                                          \
    const sl_index_op SL_##OPNAME##_##RESULT = &ops[SL_INDEX_##OPNAME][COLUMN_##RESULT];
SL_INDEX_OPS_POSITION(X)
SL_INDEX_OPS_INDEX(X, INT32)
#undef X
#define X(NAME, name, T, CLASS, lo, hi, OPNAME)                                                    \
    const sl_index_op SL_##OPNAME##_##NAME = &ops[SL_INDEX_##OPNAME][SL_##NAME];
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
SL_INDEX_OPS_VALUE(OP)
#undef OP
#undef X

sl_index_op sl_index_op_get(sl_index_code code, sl_type type)
{
    sl_index_op found = SL_LOOK_UP(ops, code, SL_INDEX_COUNT, type);
    sl_index_op positional = SL_LOOK_UP(ops, code, SL_INDEX_COUNT, SL_INT64);
    return found != NULL || positional == NULL || !positional->positional ? found : positional;
}
