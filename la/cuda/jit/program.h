/*
 * Programs that are compiled while the library runs: some of its own kernels (the same
 * sources that are compiled ahead) for a user's operators, given as C source text, or
 * for operators of the table that no kernel was compiled for.
 */
#ifndef SEMLA_CUDA_PROGRAM_H
#define SEMLA_CUDA_PROGRAM_H

#include <semla/engine.h>

enum { CUDA_PROGRAM_KERNELS = 5 };

/* Of which kernels a program is made. */
typedef enum {
    CUDA_PROGRAM_EWISE,         /* ewise */
    CUDA_PROGRAM_APPLY,         /* apply */
    CUDA_PROGRAM_INDEX,         /* apply_index */
    CUDA_PROGRAM_INDEX_ENTRIES, /* index_entries */
    CUDA_PROGRAM_REDUCE,        /* reduce_shares, reduce_last */
    CUDA_PROGRAM_JOIN,          /* join */
    CUDA_PROGRAM_PULL,          /* pull_rows, pull_tiles, pull_long_rows */
    CUDA_PROGRAM_PUSH,          /* push_rows */
    CUDA_PROGRAM_DOTS,          /* dots */
    CUDA_PROGRAM_SUMS,          /* sums_of_lanes and sums_by_hash, twice, sum_giants */
    CUDA_PROGRAM_FULL           /* full_rows, full_pieces */
} cuda_program_kind;

/* For what: those members that the kind asks for. A product has its two parts apart, as
 * sums of rows are no semiring. */
typedef struct {
    cuda_program_kind kind;
    sl_unary_op unary;
    sl_binary_op binary; /* ewise; join; what multiplies */
    sl_index_op index;
    sl_monoid monoid; /* reduce; what adds */
} cuda_wanted;

typedef struct {
    char *text; /* for NVRTC; sl_malloc'ed */
    size_t length, room;
    const char *kernels[CUDA_PROGRAM_KERNELS]; /* names, as templates' instances */
    size_t count;
    bool foreign;     /* a user's text is in it: */
    const char *name; /* of the operator or semiring, for messages; lives as long as that */
} cuda_program;

/* Writes the program; sl_cuda_program_free in any case. SL_NO_MEMORY. */
sl_status sl_cuda_program_write(sl_context *ctx, cuda_program *program, const cuda_wanted *wanted);
void sl_cuda_program_free(cuda_program *program);

#endif
