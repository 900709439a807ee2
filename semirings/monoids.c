/*
 * Monoids: a commutative operator with its identity and, for some, a terminal value. Descriptors
 * expanded from SL_MONOIDS in table.h.
 */
#include "semirings/descriptors.h"

/* The values that the table uses. They must be constant expressions. */
#define VALUE_0(lo, hi)      0
#define VALUE_1(lo, hi)      1
#define VALUE_T_MIN(lo, hi)  lo
#define VALUE_T_MAX(lo, hi)  hi
#define VALUE_T_BITS(lo, hi) ((lo) < 0 ? (hi) - (hi)-1 : (hi))

const struct sl_monoid_s sl_monoids[SL_MONOID_COUNT][SL_TYPE_COUNT] = {
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op_, IDENTITY, HAS_TERMINAL, TERMINAL,            \
          IDEMPOTENT)                                                                              \
    [SL_MONOID_##OPNAME][SL_##NAME] = {                                                            \
        .name = #op_ "_" #name_,                                                                   \
        .code = SL_MONOID_##OPNAME,                                                                \
        .type = SL_##NAME,                                                                         \
        .op = &sl_binary_ops[SL_BINARY_##OPNAME][SL_##NAME],                                       \
        .identity = {.type = SL_##NAME, .as.name_##_ = VALUE_##IDENTITY(lo, hi)},                  \
        .has_terminal = HAS_TERMINAL,                                                              \
        .terminal = {.type = SL_##NAME, .as.name_##_ = VALUE_##TERMINAL(lo, hi)},                  \
        .any = SL_MONOID_##OPNAME == SL_MONOID_ANY,                                                \
        .idempotent = IDEMPOTENT,                                                                  \
        .commutative = true,                                                                       \
    },
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME, op, __VA_ARGS__)
    SL_MONOIDS(OP)
#undef OP
#undef X
};

#define X(NAME, name, T, CLASS, lo, hi, OPNAME)                                                    \
    const sl_monoid SL_##OPNAME##_MONOID_##NAME = &sl_monoids[SL_MONOID_##OPNAME][SL_##NAME];
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
SL_MONOIDS(OP)
#undef OP
#undef X

sl_monoid sl_monoid_get(sl_monoid_code code, sl_type type)
{
    return SL_LOOK_UP(sl_monoids, code, SL_MONOID_COUNT, type);
}
