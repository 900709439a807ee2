/*
 * Passes over whole vectors, on the terms of kernels.h. A vector of n entries is a
 * bitmap and an array of values, unspecified where there is no entry; a NULL bitmap
 * of an input is one of all ones.
 */
#ifndef SEMLA_CUDA_VECTOR_KERNELS_H
#define SEMLA_CUDA_VECTOR_KERNELS_H

#include <semla/semirings.h>

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* to[v] = from[v] in another type, where there is an entry. */
cudaError_t sl_cuda_cast(void *to, sl_type to_type, const void *from, sl_type from_type,
                         const uint32_t *bits, uint64_t n, unsigned multiprocessors,
                         cudaStream_t stream);

/* The bits of a mask: of its entries, those of which values (if not NULL) are not 0. */
cudaError_t sl_cuda_mask(uint32_t *to, const uint32_t *bits, const void *values, sl_type type,
                         bool complement, uint64_t n, unsigned multiprocessors,
                         cudaStream_t stream);

/* What an operator's result is: of the operands' type, a bool, or an index (int64). */
typedef enum { CUDA_VALUES, CUDA_COMPARISON, CUDA_POSITION } cuda_kind;
typedef enum { CUDA_INTERSECTION, CUDA_UNION, CUDA_FILLED_UNION } cuda_join;

typedef struct {
    uint64_t n;
    uint32_t *bits; /* NULL: not wanted */
    void *values;
    const uint32_t *a_bits, *b_bits;
    const void *a_values, *b_values; /* NULL: alpha, beta everywhere */
    cuda_join join;                  /* filled: alpha and beta stand where one lacks an entry */
    cuda_kind kind;
    int code; /* sl_binary_code */
    cuda_made made;
} cuda_ewise;

/* z = op(a, b), operands of `type`, or of a made kernel's own; alpha and beta point to
 * values of these on the host. */
cudaError_t sl_cuda_ewise(const cuda_ewise *e, sl_type type, const void *alpha, const void *beta,
                          unsigned multiprocessors, cudaStream_t stream);

/* to = op(from), where there is an entry. */
cudaError_t sl_cuda_apply(void *to, const void *from, const uint32_t *bits, sl_type type, int code,
                          const cuda_made *made, uint64_t n, unsigned multiprocessors,
                          cudaStream_t stream);

/* to = op(from, v, 0, thunk), of bool, int64 or what a made kernel has; kept: the bits where that is true.
 * Either may be NULL. The thunk is on the host, of the operator's type. */
cudaError_t sl_cuda_apply_index(void *to, bool to_bool, uint32_t *kept, const void *from,
                                const uint32_t *bits, sl_type type, int code, bool positional,
                                const void *thunk, const cuda_made *made, uint64_t n,
                                unsigned multiprocessors, cudaStream_t stream);

/* to(k) = from(list[k]), n of them. */
cudaError_t sl_cuda_gather(uint32_t *to_bits, void *to, const uint32_t *bits, const void *from,
                           sl_type type, const uint64_t *list, uint64_t n, unsigned multiprocessors,
                           cudaStream_t stream);

/* to(list[k]) = from(k), and bit list[k] of the region; both bitmaps are 0 before. to
 * NULL: the region alone. */
cudaError_t sl_cuda_spread(uint32_t *region, uint32_t *to_bits, void *to, const uint32_t *bits,
                           const void *from, sl_type type, const uint64_t *list, uint64_t n,
                           unsigned multiprocessors, cudaStream_t stream);

/* The end of an operation: out<todo, replace> = out accum t, values of out's type. */
typedef struct {
    uint64_t n;
    uint32_t *bits; /* NULL: all entries are there, before and after */
    void *values;
    const uint32_t *t_bits;
    const void *t_values;   /* NULL: the scalar */
    const void *both;       /* values where out and t both have an entry, or NULL */
    const uint32_t *todo;   /* the mask's bits; NULL: all */
    const uint32_t *region; /* of an assign; NULL: all */
    bool replace, accumulates;
    int accum; /* sl_binary_code of an accumulator of out's type; -1: there is `both`, or none */
} cuda_write;
cudaError_t sl_cuda_write(const cuda_write *o, sl_type type, const void *scalar,
                          unsigned multiprocessors, cudaStream_t stream);

/* The sum of values where bits (NULL: all n) are set, by a monoid's operator: a value of
 * `type` in result[0] and 1 in result[1] if there was any. values NULL: all 1. partial:
 * CUDA_REDUCE_BLOCKS times 16 bytes. */
cudaError_t sl_cuda_reduce(unsigned long long *result, void *partial, const uint32_t *bits,
                           const void *values, sl_type type, int code, const cuda_made *made,
                           uint64_t n, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
