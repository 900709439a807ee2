/* User-defined types and operators in the local context of a rank: definition, release and look-up. */
#include "dist/grid/user_operators.h"

#include "dist/grid/grid.h"

/* The descriptor of the local definition, which is kept by the number of the grid's store. */
#define LOCAL(op) ((op) && (op)->user ? (op)->user->held[SL_SLOT_GRID] : (void *)(op))

sl_unary_op sl_local_unary(sl_unary_op op)
{
    return LOCAL(op);
}

sl_binary_op sl_local_binary(sl_binary_op op)
{
    return LOCAL(op);
}

sl_index_op sl_local_index_op(sl_index_op op)
{
    return LOCAL(op);
}

sl_monoid sl_local_monoid(sl_monoid monoid)
{
    return LOCAL(monoid);
}

sl_semiring sl_local_semiring(sl_semiring semiring)
{
    return LOCAL(semiring);
}

/* ---- types ------------------------------------------------------------------- */

static void forget_by_local_engines(sl_user *user)
{
    const sl_context *local = sl_grid_of(user->ctx)->local;
    for (size_t k = 0; k < SL_MAX_ENGINES && local->chain[k]; k++)
        if (local->chain[k]->forget)
            local->chain[k]->forget(user);
}

static sl_status define_by_local_engines(sl_user *user)
{
    const sl_context *local = sl_grid_of(user->ctx)->local;
    sl_status status = SL_OK;
    for (size_t k = 0; k < SL_MAX_ENGINES && local->chain[k] && status == SL_OK; k++)
        if (local->chain[k]->define)
            status = local->chain[k]->define(user);
    return status;
}

/* ---- definitions ------------------------------------------------------------- */

sl_status sl_grid_define(sl_user *user)
{
    sl_grid *grid = sl_grid_of(user->ctx);
    sl_context *local = grid->local;
    const char *name = user->name, *source = user->source;
    sl_status status = SL_OK;
    void **local_op = &user->held[SL_SLOT_GRID];
    switch (user->kind) {
    case SL_USER_TYPE: /* one definition for both contexts */
        return define_by_local_engines(user);
    case SL_USER_UNARY_OP: {
        sl_unary_op op = &user->as.unary, made = NULL;
        status = sl_unary_op_new(&made, local, name, op->result, op->type, op->eval, source);
        *local_op = (void *)made;
        break;
    }
    case SL_USER_BINARY_OP: {
        sl_binary_op op = &user->as.binary, made = NULL;
        status = sl_binary_op_new(&made, local, name, op->result, op->type, op->type_y, op->eval,
                                  source);
        *local_op = (void *)made;
        break;
    }
    case SL_USER_INDEX_OP: {
        sl_index_op op = &user->as.index, made = NULL;
        status = sl_index_op_new(&made, local, name, op->result, op->type, op->type_thunk, op->eval,
                                 source);
        *local_op = (void *)made;
        break;
    }
    case SL_USER_MONOID: {
        sl_monoid m = &user->as.monoid, made = NULL;
        status = sl_monoid_new(&made, local, name, sl_local_binary(m->op), m->identity,
                               m->has_terminal && m->code == SL_MONOID_COUNT ? &m->terminal : NULL);
        *local_op = (void *)made;
        break;
    }
    case SL_USER_SEMIRING: {
        sl_semiring s = &user->as.semiring, made = NULL;
        status = sl_semiring_new(&made, local, name, sl_local_monoid(s->add),
                                 sl_local_binary(s->multiply));
        *local_op = (void *)made;
        break;
    }
    }
    return status == SL_OK ? SL_OK : sl_grid_local_failed(grid, status);
}

void sl_grid_forget(sl_user *user)
{
    void *local_op = user->held[SL_SLOT_GRID];
    user->held[SL_SLOT_GRID] = NULL;
    switch (user->kind) {
    case SL_USER_TYPE:
        forget_by_local_engines(user);
        break;
    case SL_USER_UNARY_OP:
        sl_unary_op_free(local_op);
        break;
    case SL_USER_BINARY_OP:
        sl_binary_op_free(local_op);
        break;
    case SL_USER_INDEX_OP:
        sl_index_op_free(local_op);
        break;
    case SL_USER_MONOID:
        sl_monoid_free(local_op);
        break;
    case SL_USER_SEMIRING:
        sl_semiring_free(local_op);
        break;
    }
}
