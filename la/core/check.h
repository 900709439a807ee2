/* Checks of arguments that the public functions of la/ share. */
#ifndef SEMLA_LA_CHECK_H
#define SEMLA_LA_CHECK_H

#include <semla/engine.h>

#define SL_TRY(call)                                                                               \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* Fails before anything was dispatched: the other processes of the context hear of it. */
#define SL_REFUSE(ctx, ...) sl_agree(ctx, sl_fail(ctx, __VA_ARGS__))

/* Shorter names for what every public function does first. */
#define OF_M sl_object_of_matrix
#define OF_V sl_object_of_vector

/*
 * Fills call->ctx from the call's objects and checks what all operations have in
 * common: `needed` pointers (objects and operators, `count` of them; `names` are
 * theirs, with commas) are not NULL, all objects and users' operators are of one context, the mask
 * has the output's shape, the accumulator is not positional.
 */
sl_status sl_check_call(sl_call *call, const char *names, const void *const *needed, size_t count);
#define SL_CHECK_CALL(call, ...)                                                                   \
    SL_TRY(sl_check_call(call, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                   \
                         sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))

/* SL_INVALID unless the scalar has a type. */
sl_status sl_check_scalar(const sl_call *call, const char *what, const sl_scalar *scalar);

/* SL_MISMATCH with a message that names both lengths, unless they are equal. */
sl_status sl_check_length(const sl_call *call, const char *what, uint64_t got, uint64_t wanted);

/* Every index of a list below `bound`; NULL is all. */
sl_status sl_check_list(const sl_call *call, const char *what, const uint64_t *list, uint64_t count,
                        uint64_t bound);

/*
 * An index list, perhaps SL_ALL or a range, of which every index is below `bound`.
 * *count becomes the number of indices; *range tells that the list is a range.
 */
sl_status sl_check_indices(const sl_call *call, const char *what, const uint64_t *list,
                           uint64_t *count, bool *range, uint64_t bound);

/* One index below `bound`. */
sl_status sl_check_index(sl_context *ctx, const char *what, uint64_t index, uint64_t bound);

/* A shape that an object may have: SL_OUT_OF_RANGE above 2^60. */
sl_status sl_check_size(sl_context *ctx, uint64_t nrows, uint64_t ncols);

#endif
