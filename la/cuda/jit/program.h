/*
 * Programs compiled at run time: kernels of this library, from the same sources that were compiled
 * ahead, for user-defined operators given as C source text or for built-in operators without a
 * precompiled kernel.
 */
#ifndef SEMLA_CUDA_PROGRAM_H
#define SEMLA_CUDA_PROGRAM_H

#include <semla/engine.h>

enum { CUDA_PROGRAM_KERNELS = 5 };

/* The kernels that a program contains. */
typedef enum {
    CUDA_PROGRAM_EWISE,         /* ewise */
    CUDA_PROGRAM_APPLY,         /* apply */
    CUDA_PROGRAM_INDEX,         /* apply_index */
    CUDA_PROGRAM_INDEX_ENTRIES, /* index_entries */
    CUDA_PROGRAM_REDUCE,        /* reduce_all */
    CUDA_PROGRAM_JOIN,          /* join */
    CUDA_PROGRAM_PULL,          /* pull_rows, pull_tiles, pull_long_rows */
    CUDA_PROGRAM_PUSH,          /* push_rows */
    CUDA_PROGRAM_DOTS,          /* dots */
    CUDA_PROGRAM_SUMS,          /* sums_of_lanes and sums_by_hash, two each; sum_giants */
    CUDA_PROGRAM_FULL           /* full_rows, full_pieces */
} cuda_program_kind;

/* The operators: the members that the kind needs. A product is given by its two parts, as row
 * sums have no semiring. */
typedef struct {
    cuda_program_kind kind;
    sl_unary_op unary;
    sl_binary_op binary; /* ewise; join; the multiplicative operator */
    sl_index_op index;
    sl_monoid monoid; /* reduce; the additive monoid */
} cuda_wanted;

/* True for functions of the table: no kernel for them is compiled with the library. */
static inline bool cuda_is_unary_function(sl_unary_op op)
{
    return op->code > SL_UNARY_ONE && op->code < SL_UNARY_COUNT;
}
static inline bool cuda_is_function(sl_binary_op op)
{
    return op->code > SL_BINARY_SECONDJ && op->code < SL_BINARY_COUNT;
}

typedef struct {
    char *text; /* for NVRTC; from sl_malloc */
    size_t length, room;
    const char *kernels[CUDA_PROGRAM_KERNELS]; /* names, as template instances */
    size_t count;
    bool foreign;     /* contains user text */
    const char *name; /* of the operator or semiring, for messages; owned by it */
} cuda_program;

/* Writes the program; sl_cuda_program_free is needed in any case. SL_NO_MEMORY. */
sl_status sl_cuda_program_write(sl_context *ctx, cuda_program *program, const cuda_wanted *wanted);
void sl_cuda_program_free(cuda_program *program);

#endif
