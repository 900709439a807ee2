/* User-defined operators, monoids and semirings for trials. */
#ifndef SEMLA_PARITY_USER_OPERATORS_H
#define SEMLA_PARITY_USER_OPERATORS_H

#include <semla/la.h>

typedef struct {
    sl_unary_op unary[2];
    sl_binary_op binary[7];
    sl_index_op index[2];
    sl_monoid monoid[3];
    sl_semiring semiring[11];
} user_operators;

/* Index functions, also called through operators with other index types. */
void user_operators_by_index(void *z, const void *x, int64_t i, int64_t j, const void *thunk);
void user_operators_third(void *z, const void *x, int64_t i, int64_t j, const void *thunk);

void user_operators_define(user_operators *u, sl_context *ctx);
void user_operators_free(user_operators *u);

#endif
