/*
 * Kernels that convert objects between forms and between host and device (as kernels.h). A value's
 * `size` is 1, 2, 4 or 8 bytes.
 */
#ifndef SEMLA_CUDA_OBJECT_KERNELS_H
#define SEMLA_CUDA_OBJECT_KERNELS_H

#include "cuda/data/order_kernels.h"
#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arrays (objects.cu) ---- */

/* to[k] = from[k], which is below 2^32. */
cudaError_t sl_cuda_to_32_bits(uint32_t *to, const uint64_t *from, uint64_t count);
/* to[k] = from[k]. */
cudaError_t sl_cuda_widen(uint64_t *to, const uint32_t *from, uint64_t count);
/* to[k] = the value on the host, for n values. */
cudaError_t sl_cuda_fill(void *to, const void *value, size_t size, uint64_t n);

/* ---- entries (objects.cu) ---- */

/* Sets `count` entries of a bitmap vector: bit and value at index[k]. No index occurs twice. from
 * NULL: the value on the host. */
cudaError_t sl_cuda_scatter(uint32_t *bits, void *values, const uint32_t *index, const void *from,
                            const void *value, uint64_t count, size_t size);

/* Entries on the host, which are passed as an argument of the kernel. */
enum { CUDA_HOST_LIST_MAX = 8 };
typedef struct {
    uint64_t index[CUDA_HOST_LIST_MAX];
    unsigned long long value[CUDA_HOST_LIST_MAX]; /* 8 bytes that begin with the value */
} cuda_host_list;
/* Writes all words of a bitmap, and the values of its entries, in that order; order->new_id NULL: the caller's. */
cudaError_t sl_cuda_scatter_host_list(uint32_t *bits, uint64_t words, void *values,
                                      const cuda_host_list *entries, uint64_t count, size_t size,
                                      const cuda_order_view *order);
/* Writes them as a matrix of one row. */
cudaError_t sl_cuda_write_host_list(uint64_t *start, uint32_t *index, void *values,
                                    const cuda_host_list *entries, uint64_t count, size_t size);

/* A write of entries: bit v = 1 and to[v] = from[v]; from NULL: old_id[place[v]]; place NULL, too: the value in the
 * first `size` bytes of `one`. */
typedef struct {
    uint32_t *bits;
    void *to;
    const void *from;
    const uint32_t *place, *old_id;
    unsigned long long one;
    size_t size;
} cuda_entry_write;
/* Writes at the same indices. */
enum { CUDA_ENTRY_WRITES = 3 };
typedef struct {
    unsigned count;
    cuda_entry_write write[CUDA_ENTRY_WRITES];
} cuda_entry_writes;
/* At each v of a list; at each of the n bits that is set in a bitmap. */
cudaError_t sl_cuda_write_listed(const cuda_entry_writes *writes, const uint32_t *list,
                                 uint64_t count);
cudaError_t sl_cuda_write_at_bits(const cuda_entry_writes *writes, const uint32_t *bits,
                                  uint64_t n);

/* to[v] = from[v] where bit v is set; other values are neither read nor written. */
cudaError_t sl_cuda_copy_entries(void *to, const void *from, const uint32_t *bits, size_t size,
                                 uint64_t n);

/* ---- bitmaps (bits.cu) ---- */

/* Sets the first n bits and clears the others of the last word. */
cudaError_t sl_cuda_set_bits(uint32_t *bits, uint64_t n);
/* *count += the number of set bits. */
cudaError_t sl_cuda_count_bits(unsigned long long *count, const uint32_t *bits, uint64_t words);
/* *edges += the lengths of the rows whose bits are set. */
cudaError_t sl_cuda_count_edges(unsigned long long *edges, const uint32_t *bits, uint64_t words,
                                const uint64_t *start);
/* lengths[w] = the number of set bits of word w. */
cudaError_t sl_cuda_word_lengths(uint64_t *lengths, const uint32_t *bits, uint64_t words);
/* The indices of set bits, ascending, and their values. ends: inclusive sums of word lengths. */
cudaError_t sl_cuda_compact(uint64_t *index, void *to, const uint64_t *ends, const uint32_t *bits,
                            const void *values, size_t size, uint64_t words);
/* Bit r of bits: row r has entries. */
cudaError_t sl_cuda_nonempty_rows(uint32_t *bits, const uint64_t *start, uint64_t rows);

#ifdef __cplusplus
}
#endif
#endif
