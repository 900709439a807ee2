/* The lengths of a matrix's edges, for shortest paths. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_LENGTHS_H
#define SEMLA_CUDA_LENGTHS_H

#include "matrix.h"

/*
 * The rows of a matrix, each sorted by length and then by column. Derived from the matrix at the
 * first closure that needs it; owned by the matrix. The rows begin where the matrix's begin.
 */
typedef struct cuda_lengths {
    sl_type type;     /* of the sums: int32, int64, fp32 or fp64 */
    bool narrow;      /* the lengths have 32 bits: uint32 or fp32; otherwise 64: int64 or fp64 */
    bool mirrored;    /* every edge (u, v) has an edge (v, u) of the same length */
    double typical;   /* see sl_typical_length */
    uint64_t longest; /* row */
    uint64_t *start;  /* of columns: where each begins; NULL: where the matrix's rows begin */
    uint32_t *index;  /* nnz columns */
    void *length;     /* nnz lengths, none of them negative */
} cuda_lengths;

/* True if a closure is computed from such rows: shortest paths in one of the four types. If the
 * matrix is in pinned memory, only if parents are asked for. */
bool sl_cuda_uses_lengths(const sl_call *call);

/* The rows of call->a for the type of the call's result, made at first use. */
sl_status sl_cuda_lengths(const cuda_lengths **lengths, const sl_call *call);
/* The same for a block of a matrix, of any shape, and its columns: the edges that lead to each of them,
 * sorted likewise. Neither is `mirrored`. */
sl_status sl_cuda_block_lengths(const cuda_lengths **rows, const cuda_lengths **columns,
                                const sl_call *call);
/* Frees both. */
void sl_cuda_drop_block_lengths(const sl_call *call);
/* Whether the device has room for both, or has them. */
sl_status sl_cuda_has_room_for_block_lengths(bool *has, const sl_call *call);

/* The width of a bucket of shortest paths in a graph of high degree with so many edges on each process, in the type of the
 * sums: a typical length or half of it, times `factor`. */
double sl_cuda_bucket_width(sl_type type, double typical, uint64_t edges, double factor);

#endif
