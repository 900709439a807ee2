/* Private to the CUDA engine: what operations on vectors share. */
#ifndef SEMLA_CUDA_VECTOR_RESULT_H
#define SEMLA_CUDA_VECTOR_RESULT_H

#include "cuda/data/device_vector.h"
#include "cuda/jit/program.h"
#include "cuda/operations/vector_kernels.h"
#include "cuda/runtime/arena.h"

/* A call and the device memory that it takes until it ends. Initially zero except `call`. */
typedef struct {
    sl_call *call;
    cuda_arena arena;
} cuda_scratch;

/* See sl_cuda_arena_take, sl_cuda_arena_release, sl_cuda_arena_detach. */
static inline sl_status sl_cuda_scratch_take(cuda_scratch *s, void *pointer_to_pointer,
                                             uint64_t bytes)
{
    return sl_cuda_arena_take(s->call->ctx, &s->arena, pointer_to_pointer, bytes);
}
static inline void sl_cuda_scratch_release(cuda_scratch *s)
{
    sl_cuda_arena_release(&s->arena);
}
static inline bool sl_cuda_scratch_detach(cuda_scratch *s, const void *block)
{
    return sl_cuda_arena_detach(&s->arena, block);
}

/* The entries that a call computes, before they are written to the output. */
typedef struct {
    sl_type type;
    uint32_t *bits; /* NULL: all present */
    void *values;   /* NULL: the scalar, of out's type */
    sl_scalar scalar;
    bool own;    /* the arrays belong to the scratch, so the output may take them over */
    bool masked; /* has no entries where the mask does not allow any */
    const cuda_vector *like; /* a vector that has the same entries, or NULL */
} cuda_entries;

/* New arrays with unspecified contents; sl_cuda_new_full: no bits, every entry is present. */
sl_status sl_cuda_new_entries(cuda_scratch *s, cuda_entries *e, uint64_t n, sl_type type);
sl_status sl_cuda_new_full(cuda_scratch *s, cuda_entries *e, uint64_t n, sl_type type);

/* The values of a vector in some type: its own array, or a cast copy in the scratch. */
sl_status sl_cuda_values_as(cuda_scratch *s, const void **values, const cuda_vector *v,
                            const sl_object *object, sl_type type);

/* The indices that the call's mask and descriptor allow; NULL: all. */
sl_status sl_cuda_allowed_bits(cuda_scratch *s, const uint32_t **allowed);

/* out<allowed, replace> = out accum t, inside the region of an assign (NULL: everywhere). */
sl_status sl_cuda_write_output(cuda_scratch *s, const cuda_entries *t, const uint32_t *allowed,
                               const uint32_t *region);

/* Moves the arrays of t from the scratch to the vector, of size n. */
void sl_cuda_move_entries(cuda_scratch *s, cuda_vector *out, const cuda_entries *t, uint64_t n);

/* z = op(a, b), where arrays, join and n of e are set; alpha and beta are of the operator's
 * types. */
sl_status sl_cuda_combine(cuda_scratch *s, cuda_ewise *e, sl_binary_op op, sl_scalar alpha,
                          sl_scalar beta);

/* The value that a sum begins with, so that each term is added to it: the monoid's identity, but NaN for
 * min and max of floating-point numbers. They ignore NaN, while the identity would replace a sum of
 * terms that are all NaN. */
sl_scalar sl_cuda_neutral_value(sl_monoid monoid);

/* True if the kernel that writes can accumulate too: all types are equal. */
bool sl_cuda_accumulates_in_place(const sl_call *call, const cuda_entries *t);

/* The status of a launch; `what` is "kernel NAME". */
static inline sl_status cuda_launched(const cuda_scratch *s, const char *what, cudaError_t error)
{
    return sl_cuda_status(s->call->ctx, what, error);
}

static inline cuda_kind cuda_kind_of(sl_binary_op op)
{
    if (op->positional)
        return CUDA_POSITION;
    if (cuda_is_function(op))
        return CUDA_FUNCTION;
    return op->code >= SL_BINARY_EQ && op->code <= SL_BINARY_GE ? CUDA_COMPARISON : CUDA_VALUES;
}

#endif
