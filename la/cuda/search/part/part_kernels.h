/* Launch functions, as kernels.h, of part.cu: passes that build a part (part.h). */
#ifndef SEMLA_CUDA_PART_KERNELS_H
#define SEMLA_CUDA_PART_KERNELS_H

#include "cuda/reorder/graph_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ids that are consecutive in one block: 1,024 bits, a line of the frontier's bitmap. Lines of all
 * blocks alternate, so that the hubs of all blocks have the lowest source ids. */
enum { GROUP_LINE = 1024 };

/* ---- degrees ---- */

/* bits[w] = all[w] | all[words + w] | ... over `ranks` arrays. */
cudaError_t sl_cuda_or_bits(uint32_t *bits, const uint32_t *all, uint64_t words, uint32_t ranks);

/* The degrees of own vertices. Without `out` and `out_bits` the graph is undirected. */
typedef struct {
    const uint32_t *in, *out;
    const uint32_t *out_bits; /* own vertex v is bit first + v */
    uint64_t first;
} cuda_part_degrees;

/* key[v] = in-degree + 1 for a vertex v with in- or out-edges, 0 for one without edges. */
cudaError_t sl_cuda_part_degree_keys(uint32_t *key, const cuda_part_degrees *degrees, uint32_t n);
/* key[k] = key[k] - 1. */
cudaError_t sl_cuda_part_degrees_of_keys(uint32_t *key, uint32_t n);
/* length[v] = start[v + 1] - start[v], at most `most`. */
cudaError_t sl_cuda_part_row_lengths(uint32_t *length, const uint64_t *start, uint64_t n,
                                     uint32_t most);
/* count[v] = min(count[v], most). */
cudaError_t sl_cuda_part_limit(uint32_t *count, uint64_t n, uint32_t most);
/* to[id[v]] = count[v] for all v that have an id. */
cudaError_t sl_cuda_part_scatter(uint32_t *to, const uint32_t *count, const uint32_t *id,
                                 uint64_t n);

/* ---- ids ---- */

/* mean[w]: the mean, rounded up, of degree[order[k]] for the ids k of bitmap word w, below n. */
cudaError_t sl_cuda_part_word_degrees(uint32_t *mean, const uint32_t *degree, const uint32_t *order,
                                      uint64_t n);
/* row[k]: the local row of the source slot[k], or CUDA_NO_VERTEX. */
cudaError_t sl_cuda_part_first_rows(uint32_t *row, const uint32_t *slot,
                                    const uint32_t *row_of_source, uint64_t n);
/* Replaces ids of a block by those of sources, in block `part` of `parts`, or of targets, by adding
 * `first`. CUDA_NO_VERTEX stays. */
cudaError_t sl_cuda_part_source_ids(uint32_t *id, uint64_t n, uint32_t part, uint32_t parts);
cudaError_t sl_cuda_part_target_ids(uint32_t *id, uint64_t n, uint32_t first);
/* to[v] = id[v] if it is below `most`, else CUDA_NO_VERTEX. */
cudaError_t sl_cuda_part_limit_ids(uint32_t *to, const uint32_t *id, uint64_t n, uint32_t most);
/* row[id[v]] = v for all v that have an id. */
cudaError_t sl_cuda_part_set_rows(uint32_t *row, const uint32_t *id, uint64_t n);

/* ---- edges ---- */

/* slot[k][v], for v below slot_count[k]: neighbour k of row v, CUDA_NO_VERTEX if it has fewer; word_degree[w]: the
 * length of row 32 w. n is a multiple of 32. */
cudaError_t sl_cuda_part_fill_slots(uint32_t *const slot[ELL_SLOTS],
                                    const uint32_t slot_count[ELL_SLOTS], uint32_t *word_degree,
                                    const uint64_t *start, const uint32_t *index, uint64_t n);

/* Entries in rows, to be transposed. */
typedef struct {
    const uint64_t *start; /* rows + 1 */
    const uint32_t *index;
    uint64_t rows, entries;
    const uint32_t *row_id, *column_id; /* new ids of rows and columns; NULL: ids do not change */
} cuda_transpose_source;

/* Appends the keys (column - first) << bits | row of all entries with first <= column < last (new
 * ids) to keys, from keys[*count] on; at most `room` keys are written. */
cudaError_t sl_cuda_part_transpose_keys(uint64_t *keys, unsigned long long *count, uint64_t room,
                                        const cuda_transpose_source *source, uint32_t first,
                                        uint32_t last, unsigned bits);

#ifdef __cplusplus
}
#endif
#endif
