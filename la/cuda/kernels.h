/*
 * The kernels, as the host's side in C sees them: each function launches on a
 * stream and returns. None allocates, waits or throws; what it returns is the
 * launch's error, cudaSuccess if there was none. Pointers are the device's.
 *
 * Bit v of a bitmap is bit v % 32 of word v / 32; bits past the last vertex are 0.
 */
#ifndef SEMLA_CUDA_KERNELS_H
#define SEMLA_CUDA_KERNELS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels that were compiled while the program runs, as cudaLaunchKernel takes them: they
 * do what this library's own would; NULL: those do it. The host's pointers. */
typedef struct {
    const void *kernel[5];
} cuda_made;

/* Sums that a pass leaves; set to 0 before it. */
typedef struct {
    unsigned long long vertices; /* found, or counted */
    unsigned long long edges;    /* the sum of their rows' lengths */
    unsigned long long seen;     /* edges looked at */
    unsigned long long targets;  /* of the vertices, how many are targets */
} cuda_counts;

typedef enum { CUDA_ANY, CUDA_MIN, CUDA_MAX } cuda_choice;

/* What the steps of a search read and write. Vertices settle once each, so that
 * one queue serves all steps. */
typedef struct {
    uint32_t n, words;     /* vertices; words of a bitmap of them */
    const uint64_t *start; /* rows: out-edges */
    const uint32_t *index;
    const uint64_t *in_start; /* columns: in-edges, ascending; NULL until a pull needs them */
    const uint32_t *in_index;
    uint32_t *visited;       /* bits */
    const uint32_t *targets; /* bits, or NULL */
    long long *parent;       /* n, or NULL. With min or max: -1 where not visited */
    uint8_t *truth;          /* n: becomes 1 where a vertex is found; or NULL */
    long long *level;        /* n, or NULL */
    uint32_t *queue;         /* each vertex once, and the first frontier */
    cuda_counts *counts;     /* of the step */
    cuda_choice choice;      /* among the candidates for a parent */
    unsigned multiprocessors;
} cuda_search;

/* One of the steps that a block took by itself. */
typedef struct {
    unsigned long long frontier, edges, nanoseconds;
} cuda_small_step;

/* What the steps of one launch left behind. */
typedef struct {
    unsigned long long steps;
    unsigned long long tail;        /* the queue's end; the frontier is what the last step found */
    unsigned long long frontier;    /* its size */
    unsigned long long edges;       /* the sum of its rows' lengths */
    unsigned long long found_edges; /* the same of all that the steps found */
    unsigned long long targets;     /* met */
} cuda_small_result;

/* ---- objects (objects.cu) --------------------------------------------------- */

/* to[k] = from[k], which is below 2^32. */
cudaError_t sl_cuda_narrow(uint32_t *to, const uint64_t *from, uint64_t count, cudaStream_t stream);

/* to[k] = from[k]. */
cudaError_t sl_cuda_widen(uint64_t *to, const uint32_t *from, uint64_t count, cudaStream_t stream);

/* Puts `count` entries into a vector: bits and values at index[k]. No index twice. from
 * NULL: the value on the host. `size`: bytes of a value, 1, 2, 4 or 8. */
cudaError_t sl_cuda_scatter(uint32_t *bits, void *values, const uint32_t *index, const void *from,
                            const void *value, uint64_t count, size_t size, cudaStream_t stream);

/* A few entries, which come as the kernel's own arguments: `count` of at most CUDA_FEW. */
enum { CUDA_FEW = 8 };
typedef struct {
    uint64_t index[CUDA_FEW];
    unsigned long long value[CUDA_FEW]; /* 8 bytes that begin with it */
} cuda_few;
cudaError_t sl_cuda_scatter_few(uint32_t *bits, void *values, const cuda_few *few, uint64_t count,
                                size_t size, cudaStream_t stream);
/* The same as a matrix of one row. */
cudaError_t sl_cuda_list_few(uint64_t *start, uint32_t *index, void *values, const cuda_few *few,
                             uint64_t count, size_t size, cudaStream_t stream);

/* ---- passes over bitmaps (bits.cu) ------------------------------------------- */

/* Writes the vertices of `bits` to queue[base ...], in no order; counts them in
 * counts->vertices. */
cudaError_t sl_cuda_bits_to_queue(const cuda_search *s, cuda_counts *counts, const uint32_t *bits,
                                  uint64_t base, cudaStream_t stream);

/* bits, all 0 before, becomes those of queue[head .. head + count). */
cudaError_t sl_cuda_queue_to_bits(const cuda_search *s, uint32_t *bits, uint64_t head,
                                  uint64_t count, cudaStream_t stream);

/* Counts the vertices of `bits`, and of `both` where that is not NULL, and their edges. */
cudaError_t sl_cuda_count(const cuda_search *s, cuda_counts *counts, const uint32_t *bits,
                          const uint32_t *both, cudaStream_t stream);

/* parent = -1 where not visited. */
cudaError_t sl_cuda_clear_parents(const cuda_search *s, cudaStream_t stream);

/* to |= visited & ~before; counts in counts->vertices the bits that are new in `to`. */
cudaError_t sl_cuda_add_found(const cuda_search *s, uint32_t *to, const uint32_t *before,
                              cuda_counts *counts, cudaStream_t stream);

/* ---- steps (push.cu, pull.cu, small.cu) --------------------------------------- */

/* Bytes of scratch that a push wants for frontiers of up to `most` vertices. */
cudaError_t sl_cuda_push_scratch(size_t *bytes, uint64_t most);

/*
 * One step along the rows of queue[head .. head + count), which have `edges`
 * edges. What it finds is written from queue[head + count] on. `scan` has room for
 * `count` numbers; `number` is the step's.
 */
cudaError_t sl_cuda_push(const cuda_search *s, uint64_t head, uint64_t count, uint64_t edges,
                         long long number, uint64_t *scan, void *scratch, size_t scratch_bytes,
                         cudaStream_t stream);

/* The same along in-edges from the frontier's bits; found: bits, wholly written. */
cudaError_t sl_cuda_pull(const cuda_search *s, const uint32_t *frontier, uint32_t *found,
                         long long number, cudaStream_t stream);

/*
 * Steps of push by one block, from queue[head .. tail) with `edges` edges, until
 * the frontier is empty or too large for one block, `most` steps are done (up to
 * SMALL_LEVELS), or `targets` of the targets are met. steps: SMALL_LEVELS.
 */
cudaError_t sl_cuda_small(const cuda_search *s, uint64_t head, uint64_t tail, uint64_t edges,
                          long long number, uint64_t most, uint64_t targets, cuda_small_step *steps,
                          cuda_small_result *result, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
