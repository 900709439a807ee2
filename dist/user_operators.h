/*
 * Operators of users on the grid: what was defined in the grid's context has a twin in the
 * rank's local context, which local operations take in its place.
 */
#ifndef SEMLA_DIST_USERS_H
#define SEMLA_DIST_USERS_H

#include <semla/engine.h>

/* Make and free a definition's twin: see sl_engine. */
sl_status sl_grid_define(sl_user *user);
void sl_grid_forget(sl_user *user);

/* The twin; what is not the user's is its own. NULL gives NULL. */
sl_unary_op sl_local_unary(sl_unary_op op);
sl_binary_op sl_local_binary(sl_binary_op op);
sl_index_op sl_local_index_op(sl_index_op op);
sl_monoid sl_local_monoid(sl_monoid monoid);
sl_semiring sl_local_semiring(sl_semiring semiring);

#endif
