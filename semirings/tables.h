/* Private to the room: the descriptors, one array for each kind, by code and type. */
#ifndef SEMLA_SEMIRINGS_TABLES_H
#define SEMLA_SEMIRINGS_TABLES_H

#include <semla/semirings.h>

#define SL_PRIVATE __attribute__((visibility("hidden")))

/* An entry that the table does not have is all zero: its name is NULL. */
extern SL_PRIVATE const struct sl_binary_op_s sl_binary_ops[SL_BINARY_COUNT][SL_TYPE_COUNT];
extern SL_PRIVATE const struct sl_monoid_s sl_monoids[SL_MONOID_COUNT][SL_TYPE_COUNT];

/* The expression for a class of types, of those that the table gives. */
#define SL_EXPRESSION_SIGNED(integer, floating, boolean)   (integer)
#define SL_EXPRESSION_UNSIGNED(integer, floating, boolean) (integer)
#define SL_EXPRESSION_FLOAT(integer, floating, boolean)    (floating)
#define SL_EXPRESSION_BOOL(integer, floating, boolean)     (boolean)

/* The two constants that expressions see; not all look at them. */
#define SL_LIMITS(T, lo, hi)                                                                       \
    const T T_MIN = lo, T_MAX = hi;                                                                \
    (void)T_MIN, (void)T_MAX

/*
 * Body of a look-up in such an array: the descriptor, or NULL for a code out of
 * range (negative ones included) or an entry that the table does not have.
 */
#define SL_LOOK_UP(table, code, code_count, type)                                                  \
    ((unsigned)(code) < (unsigned)(code_count) && (unsigned)(type) < SL_TYPE_COUNT &&              \
             (table)[code][type].name != NULL                                                      \
         ? &(table)[code][type]                                                                    \
         : NULL)

#endif
