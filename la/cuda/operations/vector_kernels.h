/*
 * Kernels over whole vectors (as kernels.h). A vector of n indices is a bitmap and an array of
 * values, unspecified where there is no entry. A NULL bitmap of an input means that every entry is
 * present.
 */
#ifndef SEMLA_CUDA_VECTOR_KERNELS_H
#define SEMLA_CUDA_VECTOR_KERNELS_H

#include <semla/semirings.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* to[v] = from[v] in another type, at the entries. */
cudaError_t sl_cuda_cast(void *to, sl_type to_type, const void *from, sl_type from_type,
                         const uint32_t *bits, uint64_t n);

/* The indices that a mask allows: entries with a value other than 0 (values NULL: all entries), or
 * the complement. */
cudaError_t sl_cuda_mask(uint32_t *to, const uint32_t *bits, const void *values, sl_type type,
                         bool complement, uint64_t n);

/* Type of an operator's result: that of the operands, bool, or an index (int64). The result of a
 * function of the table has the type of its operands; its kernels are compiled at run time. */
typedef enum { CUDA_VALUES, CUDA_COMPARISON, CUDA_POSITION, CUDA_FUNCTION } cuda_kind;
typedef enum { CUDA_INTERSECTION, CUDA_UNION, CUDA_FILLED_UNION } cuda_join;

typedef struct {
    uint64_t n;
    uint32_t *bits; /* NULL: not written */
    void *values;
    const uint32_t *a_bits, *b_bits;
    const void *a_values, *b_values; /* NULL: alpha, beta for every index */
    cuda_join join;                  /* CUDA_FILLED_UNION: alpha and beta replace missing entries */
    cuda_kind kind;
    int code; /* sl_binary_code */
    cuda_compiled made;
} cuda_ewise;

/* z = op(a, b), operands of `type` or of the types of a compiled kernel; alpha and beta point to
 * such values on the host. */
cudaError_t sl_cuda_ewise(const cuda_ewise *e, sl_type type, const void *alpha, const void *beta);

/* to = op(from) at the entries. */
cudaError_t sl_cuda_apply(void *to, const void *from, const uint32_t *bits, sl_type type, int code,
                          const cuda_compiled *made, uint64_t n);

/* to = op(from, v, 0, thunk) for v < n, where the bit is set (NULL: all are). */
typedef struct {
    uint64_t n;
    void *to;       /* or NULL */
    uint32_t *kept; /* bits where the result is true; or NULL */
    sl_type result; /* of `to`: bool, int32, int64 or the type of a compiled kernel */
    const void *from;
    const uint32_t *bits;
    sl_type type;      /* of `from` */
    int code;          /* of the operator */
    bool positional;   /* it does not read `from` */
    const void *thunk; /* on the host, of the operator's type */
    cuda_compiled made;
} cuda_index_apply;
cudaError_t sl_cuda_apply_index(const cuda_index_apply *a);

/* to[k] = from[list[k]] for n indices. */
cudaError_t sl_cuda_gather(uint32_t *to_bits, void *to, const uint32_t *bits, const void *from,
                           sl_type type, const uint64_t *list, uint64_t n);

/* Elements 0 to n - 1 of a vector, present where the bit is set (NULL: all are). */
typedef struct {
    const uint32_t *bits;
    const void *values;
    sl_type type;
    uint64_t n;
} cuda_elements;

/* to[list[k]] = from[k], and bit list[k] of the region is set. Both bitmaps are 0 before. to
 * NULL: the region alone. */
cudaError_t sl_cuda_spread(uint32_t *region, uint32_t *to_bits, void *to, const cuda_elements *from,
                           const uint64_t *list);

/* The write at the end of an operation: out<allowed, replace> = out accum t. Values have out's
 * type. */
typedef struct {
    uint64_t n;
    uint32_t *bits; /* NULL: out is full before and after */
    void *values;
    const uint32_t *t_bits;
    const void *t_values;    /* NULL: the scalar */
    const void *both;        /* out accum t where both have an entry, or NULL */
    const uint32_t *allowed; /* indices that the mask allows; NULL: all */
    const uint32_t *region;  /* indices that an assign covers; NULL: all */
    bool replace, accumulates;
    /* sl_binary_code of an accumulator of out's type; -1: use `both`, or there is none */
    int accum;
} cuda_write;
cudaError_t sl_cuda_write(const cuda_write *o, sl_type type, const void *scalar);

/*
 * Reduces the elements by a monoid's operator: result[0] begins with the
 * value, result[1] is 1 if there was one. values NULL: all 1. result: pinned memory of the host.
 * partial: CUDA_REDUCE_BLOCKS times 16 bytes.
 */
cudaError_t sl_cuda_reduce(unsigned long long *result, void *partial, const cuda_elements *of,
                           int code, const cuda_compiled *made);

/* The values op(a, b) of table operators at the bits that both have (NULL: all), changed by a unary
 * operator unless that is -1. All values are of `type`, SL_FP32 or SL_FP64; codes are sl_binary_code and sl_unary_code.
 * Their sum is written as by sl_cuda_reduce. */
typedef struct {
    uint64_t n;
    const uint32_t *a_bits, *b_bits;
    const void *a_values, *b_values;
    sl_type type;
    int multiply, unary, add;
} cuda_pairs;
cudaError_t sl_cuda_reduce_pairs(unsigned long long *result, void *partial, const cuda_pairs *p);

/* ---- gather and scatter by an index vector ---- */

/* The index vector: n values of an integer type. */
typedef struct {
    uint64_t n;
    const uint32_t *bits; /* NULL: all n are present */
    const void *values;
    sl_type type;
} cuda_index_vector;

/* *first becomes the least position of an index that is not below `bound`, if it is less than
 * *first. */
cudaError_t sl_cuda_first_outside(unsigned long long *first, const cuda_index_vector *indices,
                                  uint64_t bound);

/* to(i) = from(index(i)), values of `size` bytes. to_bits NULL: all are present. */
cudaError_t sl_cuda_gather_by_vector(uint32_t *to_bits, void *to, const uint32_t *bits,
                                     const void *from, size_t size,
                                     const cuda_index_vector *indices);

/* to(index(i)) = to(index(i)) op from(i), for values of `type`. */
typedef struct {
    uint32_t *to_bits; /* receives the bits of the entries that are written; NULL: not written */
    void *to;
    uint32_t *given;      /* receives the bits of all indices; NULL: not written */
    const uint32_t *bits; /* of from; NULL: all are present */
    const void *from;
    sl_type type;
    int code; /* sl_binary_code; SL_BINARY_ANY: from(i) replaces the value */
} cuda_scatter;
cudaError_t sl_cuda_scatter_by_vector(const cuda_scatter *s, const cuda_index_vector *indices);

/* ---- keys for a radix sort ---- */

/* key[k] is a number that orders values[k] among the values of its type, in as many bits as the type
 * has; falling if `descending`. 0.0 and -0.0 have the same key. */
cudaError_t sl_cuda_value_keys(uint64_t *key, const void *values, sl_type type, bool descending,
                               uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
