/*
 * Semirings: an additive monoid and a multiplicative operator. Descriptors expanded from
 * SL_SEMIRINGS in table.h.
 */
#include "semirings/descriptors.h"

/* The kind of the multiplicative operator determines the type of the additive monoid. */
enum {
    OF_VALUES,
    OF_COMPARISONS,
    OF_POSITIONS,
#define X(NAME, ...) PRODUCT_##NAME = OF_VALUES,
    SL_BINARY_OPS(X) SL_BINARY_OPS_BOOL(X)
#undef X
#define X(NAME, ...) PRODUCT_##NAME = OF_COMPARISONS,
        SL_COMPARISONS(X)
#undef X
#define X(NAME, ...) PRODUCT_##NAME = OF_POSITIONS,
            SL_POSITIONAL_OPS(X)
#undef X
};
#define PRODUCT_TYPE(MULTIPLY, type) (PRODUCT_##MULTIPLY == OF_COMPARISONS ? SL_BOOL : (type))

static const struct sl_semiring_s semirings[SL_SEMIRING_COUNT][SL_TYPE_COUNT] = {
#define X(NAME, name_, T, CLASS, lo, hi, RING, ring, ADD, MULTIPLY)                                \
    [SL_SEMIRING_##RING][SL_##NAME] = {                                                            \
        .name = #ring "_" #name_,                                                                  \
        .code = SL_SEMIRING_##RING,                                                                \
        .add = &sl_monoids[SL_MONOID_##ADD][PRODUCT_TYPE(MULTIPLY, SL_##NAME)],                    \
        .multiply = &sl_binary_ops[SL_BINARY_##MULTIPLY][SL_##NAME],                               \
        .result = PRODUCT_TYPE(MULTIPLY, SL_##NAME),                                               \
        .result_is_index = PRODUCT_##MULTIPLY == OF_POSITIONS,                                     \
    },
#define RING(RING, ring, ADD, MULTIPLY, TYPES) SL_TYPES_##TYPES(X, RING, ring, ADD, MULTIPLY)
    SL_SEMIRINGS(RING)
#undef RING
#undef X
};

#define X(NAME, name, T, CLASS, lo, hi, RING)                                                      \
    const sl_semiring SL_##RING##_##NAME = &semirings[SL_SEMIRING_##RING][SL_##NAME];
#define RING(RING, ring, ADD, MULTIPLY, TYPES) SL_TYPES_##TYPES(X, RING)
SL_SEMIRINGS(RING)
#undef RING
#undef X

sl_semiring sl_semiring_get(sl_semiring_code code, sl_type type)
{
    return SL_LOOK_UP(semirings, code, SL_SEMIRING_COUNT, type);
}
