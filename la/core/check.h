/*
 * Checks of arguments that the public functions of la/ share. Each sets a message on failure.
 *
 * On a grid a process whose arguments are wrong tells the others by one sl_agree (SL_REFUSE), which
 * meets the first agreement of the others: in sl_dispatch, in the creation of an object, or an
 * sl_agree of the function itself. So every public function begins, on all paths without an error,
 * with an agreement, and a failed check must not be agreed on twice.
 */
#ifndef SEMLA_LA_CHECK_H
#define SEMLA_LA_CHECK_H

#include <semla/engine.h>

#define SL_TRY(call)                                                                               \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* Fails before a call was dispatched, and tells the other processes of the context (sl_agree). */
#define SL_REFUSE(ctx, ...) sl_agree(ctx, sl_fail(ctx, __VA_ARGS__))

/* Short names: the object of a matrix and of a vector. */
#define OF_M sl_object_of_matrix
#define OF_V sl_object_of_vector

/* A call without operands and operators. */
static inline sl_call sl_begin_call(sl_operation op, sl_object *out, sl_object *mask,
                                    sl_binary_op accum, sl_descriptor desc)
{
    return (sl_call){
        .op = op, .out = out, .mask = mask, .accum = accum, .flags = sl_descriptor_flags(desc)};
}

/*
 * Sets call->ctx and checks what all operations have in common: the `count` pointers `needed` are
 * not NULL
 * (`names` lists their names, separated by commas), all objects and user-defined operators belong
 * to one context, the mask has the output's shape, and the accumulator is not positional.
 */
sl_status sl_check_call(sl_call *call, const char *names, const void *const *needed, size_t count);
#define SL_CHECK_CALL(call, ...)                                                                   \
    SL_TRY(sl_check_call(call, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                   \
                         sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))

/* SL_INVALID for an invalid type, SL_MISMATCH for a user-defined type of another context. `what` begins the
 * message. */
sl_status sl_check_type(sl_context *ctx, const char *what, sl_type type);

/* A value of one type can be cast to the other. */
static inline bool sl_type_casts(sl_type from, sl_type to)
{
    return from == to || !(sl_type_is_user_defined(from) || sl_type_is_user_defined(to));
}

/* SL_MISMATCH if a value of the call cannot be cast: to or from a user-defined type. Does not tell the other
 * processes. */
sl_status sl_examine_types(const sl_call *call);

/* SL_INVALID if the scalar has no type. `what` names it in the message. */
sl_status sl_check_scalar(const sl_call *call, const char *what, const sl_scalar *scalar);

/* SL_MISMATCH if the lengths differ; the message names both. */
sl_status sl_check_length(const sl_call *call, const char *what, uint64_t got, uint64_t wanted);

/* SL_OUT_OF_RANGE if an index of a list is not below `bound`. A NULL list is valid. */
sl_status sl_check_list(const sl_call *call, const char *what, const uint64_t *list, uint64_t count,
                        uint64_t bound);

/* Checks an index list of a public function, whose items may be SL_ALL and whose count SL_RANGE. Sets the
 * number of indices, and whether the list is a range. */
sl_status sl_check_indices(const sl_call *call, const char *what, sl_index_list *list,
                           uint64_t bound);

/* Numbers of entries up to this one are not compared with the memory. */
#define SL_FEW_ENTRIES (UINT64_C(1) << 32)

/*
 * SL_NO_MEMORY if a result with at least so many entries, more than SL_FEW_ENTRIES, cannot be held
 * by the memory of the context's processes, or its limit, with one byte for each entry. An engine
 * could count such entries for years before it allocates memory. Collective.
 */
sl_status sl_check_room(const sl_call *call, uint64_t entries);

/* SL_OUT_OF_RANGE if the index is not below `bound`. */
sl_status sl_check_index(sl_context *ctx, const char *what, uint64_t index, uint64_t bound);

/* SL_OUT_OF_RANGE for a shape with a dimension above 2^60. sl_examine_size does not tell the other
 * processes: its caller agrees on the status. */
sl_status sl_examine_size(sl_context *ctx, uint64_t nrows, uint64_t ncols);
sl_status sl_check_size(sl_context *ctx, uint64_t nrows, uint64_t ncols);

#endif
