/* Operators, monoids and semirings as a user defines them, for trials. */
#ifndef SEMLA_PARITY_USERS_H
#define SEMLA_PARITY_USERS_H

#include <semla/la.h>

typedef struct {
    sl_unary_op unary[2];
    sl_binary_op binary[7];
    sl_index_op index[2];
    sl_monoid monoid[3];
    sl_semiring semiring[11];
} users;

/* Functions of indices, for whoever has to call them by indices of another type. */
void users_place(void *z, const void *x, int64_t i, int64_t j, const void *thunk);
void users_third(void *z, const void *x, int64_t i, int64_t j, const void *thunk);

void users_define(users *u, sl_context *ctx);
void users_free(users *u);

#endif
