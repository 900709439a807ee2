/* Private to this folder: the arrays of descriptors, indexed by code and type. */
#ifndef SEMLA_SEMIRINGS_DESCRIPTORS_H
#define SEMLA_SEMIRINGS_DESCRIPTORS_H

#include <semla/semirings.h>

#define SL_PRIVATE __attribute__((visibility("hidden")))

/* All members of an entry that does not exist are 0; its name is NULL. */
extern SL_PRIVATE const struct sl_binary_op_s sl_binary_ops[SL_BINARY_COUNT][SL_TYPE_COUNT];
extern SL_PRIVATE const struct sl_monoid_s sl_monoids[SL_MONOID_COUNT][SL_TYPE_COUNT];

/* Selects the expression for a class of types. */
#define SL_EXPRESSION_SIGNED(integer, floating, boolean)   (integer)
#define SL_EXPRESSION_UNSIGNED(integer, floating, boolean) (integer)
#define SL_EXPRESSION_FLOAT(integer, floating, boolean)    (floating)
#define SL_EXPRESSION_BOOL(integer, floating, boolean)     (boolean)

/* Defines the constants T_MIN and T_MAX, which not all expressions use. */
#define SL_LIMITS(T, lo, hi)                                                                       \
    const T T_MIN = lo, T_MAX = hi;                                                                \
    (void)T_MIN, (void)T_MAX

/*
 * Look-up in an array of descriptors: NULL for an invalid code or type (negative ones included) and
 * for an entry that does not exist.
 */
#define SL_LOOK_UP(table, code, code_count, type)                                                  \
    ((unsigned)(code) < (unsigned)(code_count) && (unsigned)(type) < SL_TYPE_COUNT &&              \
             (table)[code][type].name != NULL                                                      \
         ? &(table)[code][type]                                                                    \
         : NULL)

#endif
