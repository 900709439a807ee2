/* Lifetimes of user-defined types and operators, which hold references to their parts. */
#include <semla/engine.h>

void sl_user_release(sl_user *user)
{
    if (!user || --user->references > 0)
        return;
    for (size_t k = 0; k < SL_MAX_ENGINES && user->ctx->chain[k]; k++)
        if (user->ctx->chain[k]->forget)
            user->ctx->chain[k]->forget(user);
    for (size_t k = 0; k < SL_USER_PARTS; k++)
        sl_user_release(user->parts[k]);
    if (user->kind == SL_USER_TYPE)
        sl_user_type_unregister(user->as.type.code);
    sl_free(user->values);
    sl_free(user);
}

sl_user *sl_user_of_type(sl_type type)
{
    const sl_user_type *user = sl_user_type_of(type);
    return user ? user->user : NULL;
}

void sl_type_hold(sl_type type)
{
    sl_user *user = sl_user_of_type(type);
    if (user)
        user->references++;
}

void sl_type_release(sl_type type)
{
    if (sl_type_is_user_defined(type))
        sl_user_release(sl_user_of_type(type));
}
