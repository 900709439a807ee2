/* Private to the CUDA engine: what operations on vectors have in common. */
#ifndef SEMLA_CUDA_WORKING_H
#define SEMLA_CUDA_WORKING_H

#include "arena.h"
#include "vector.h"
#include "vector_kernels.h"

/* A call and the device memory that it takes until its end. All zero but for `call` at first. */
typedef struct {
    sl_call *call;
    cuda_arena arena;
} cuda_scratch;

/* See sl_cuda_arena_take, sl_cuda_arena_release, sl_cuda_arena_detach. */
static inline sl_status sl_cuda_take(cuda_scratch *s, void *pointer_to_pointer, uint64_t bytes)
{
    return sl_cuda_arena_take(s->call->ctx, &s->arena, pointer_to_pointer, bytes);
}
static inline void sl_cuda_done(cuda_scratch *s)
{
    sl_cuda_arena_release(&s->arena);
}
static inline bool sl_cuda_keep(cuda_scratch *s, const void *block)
{
    return sl_cuda_arena_detach(&s->arena, block);
}

/* The entries of a vector that a call computes, in scratch. */
typedef struct {
    sl_type type;
    uint32_t *bits; /* NULL: everywhere */
    void *values;   /* NULL: the scalar, of out's type */
    sl_scalar scalar;
    bool own;    /* bits and values are the call's alone: the output may have them */
    bool masked; /* there are none where the mask does not let through */
} cuda_entries;

/* New arrays for entries; their contents are unspecified. Full: everywhere, without bits. */
sl_status sl_cuda_new_entries(cuda_scratch *s, cuda_entries *e, uint64_t n, sl_type type);
sl_status sl_cuda_new_full(cuda_scratch *s, cuda_entries *e, uint64_t n, sl_type type);

/* A vector's values in some type: its own, or cast in scratch. */
sl_status sl_cuda_values_as(cuda_scratch *s, const void **values, const cuda_vector *v,
                            const sl_object *object, sl_type type);

/* The bits of the call's mask with its descriptor; NULL: all. */
sl_status sl_cuda_todo(cuda_scratch *s, const uint32_t **todo);

/* out<todo, replace> = out accum t, in the region of an assign (NULL: everywhere). */
sl_status sl_cuda_finish(cuda_scratch *s, const cuda_entries *t, const uint32_t *todo,
                         const uint32_t *region);

/* The vector, of size n, has the entries, which the scratch has no longer, for its own. */
void sl_cuda_hand_over(cuda_scratch *s, cuda_vector *out, const cuda_entries *t, uint64_t n);

/* z = op(a, b) by e, in which arrays, join and n are set; alpha and beta are of the
 * operator's types. */
sl_status sl_cuda_combine(cuda_scratch *s, cuda_ewise *e, sl_binary_op op, sl_scalar alpha,
                          sl_scalar beta);

/* True if the write can accumulate as it goes: all is of one type. */
bool sl_cuda_accumulates_in_place(const sl_call *call, const cuda_entries *t);

/* As `what`, a kernel's name, if it was not launched. */
static inline sl_status cuda_launched(const cuda_scratch *s, const char *what, cudaError_t error)
{
    return sl_cuda_status(s->call->ctx, what, error);
}

static inline cuda_kind cuda_kind_of(sl_binary_op op)
{
    if (op->positional)
        return CUDA_POSITION;
    return op->code >= SL_BINARY_EQ && op->code <= SL_BINARY_GE ? CUDA_COMPARISON : CUDA_VALUES;
}

#endif
