/*
 * User-defined operators on the grid. An operator that is defined in the grid's context is also
 * defined in the rank's local context; operations on blocks use the local definition. A type has one
 * definition and code for both.
 */
#ifndef SEMLA_DIST_USER_OPERATORS_H
#define SEMLA_DIST_USER_OPERATORS_H

#include <semla/engine.h>

/* Create and free the local definition of an operator: `define` and `forget` of sl_engine. */
sl_status sl_grid_define(sl_user *user);
void sl_grid_forget(sl_user *user);

/* The local definition of an operator; a built-in operator is its own. NULL returns NULL. */
sl_unary_op sl_local_unary(sl_unary_op op);
sl_binary_op sl_local_binary(sl_binary_op op);
sl_index_op sl_local_index_op(sl_index_op op);
sl_monoid sl_local_monoid(sl_monoid monoid);
sl_semiring sl_local_semiring(sl_semiring semiring);

#endif
