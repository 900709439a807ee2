/* Sets of vertices as messages, by kernels: the bytes of dist/codecs/. As kernels.h. */
#ifndef SEMLA_CUDA_CODEC_KERNELS_H
#define SEMLA_CUDA_CODEC_KERNELS_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words of a bitmap whose ids one warp writes; the bytes of a group of differences at most. */
enum { IDS_TILE = 32, VLQ_LANES = 32, VLQ_GROUP_MOST = 5 * VLQ_LANES };

/*
 * A message behind its head. `bytes` of it are at `in`, on a line of 16 bytes, and may be
 * anything; it should have `count` ids below `limit`. *failed becomes 1 where it has not.
 */
typedef struct {
    const uint8_t *in;
    uint64_t bytes, count, limit;
    unsigned *failed;
} cuda_coded;

/* Where the ids of a message go: to a list of room for `count` or, where that is NULL, into bits,
 * of which the others stay as they are. Nothing else is written, whatever the message is. */
typedef struct {
    uint32_t *list, *bits;
} cuda_ids;

/* Sums of `count` numbers before each, in new_id; scratch NULL: only says how much it takes. */
cudaError_t sl_cuda_sums_before(void *scratch, size_t *bytes, unsigned long long *numbers,
                                uint64_t count, cudaStream_t stream);

/* ---- heads: up to 6 bytes, that of lowest new_id first ---------------------------------- */

cudaError_t sl_cuda_put_head(uint8_t *out, uint64_t head, unsigned length, cudaStream_t stream);
cudaError_t sl_cuda_check_head(const uint8_t *in, uint64_t head, unsigned length, unsigned *failed,
                               cudaStream_t stream);

/* ---- bits and lists (codec_plain.cu) --------------------------------------------------- */

/* counts[t]: bits of tile t, of IDS_TILE words; 0 behind the last. Bits behind the limit are left
 * out, and in its byte a failure, unless `failed` is NULL. */
cudaError_t sl_cuda_count_ids(unsigned long long *counts, const uint32_t *bits, uint64_t limit,
                              unsigned *failed, unsigned multiprocessors, cudaStream_t stream);
/* The ids of the bits, ascending: those of tile t from before[t] on, none at `room` or behind. */
cudaError_t sl_cuda_write_ids(uint32_t *list, const uint32_t *bits, uint64_t limit,
                              const unsigned long long *before, uint64_t room,
                              unsigned multiprocessors, cudaStream_t stream);
/* *counted is what a message has to have. */
cudaError_t sl_cuda_check_count(const unsigned long long *counted, uint64_t count, unsigned *failed,
                                cudaStream_t stream);
/* bits |= from. */
cudaError_t sl_cuda_join_bits(uint32_t *bits, const uint32_t *from, uint64_t limit,
                              unsigned multiprocessors, cudaStream_t stream);
cudaError_t sl_cuda_read_list(const cuda_ids *to, const cuda_coded *coded, unsigned multiprocessors,
                              cudaStream_t stream);

/* ---- differences (codec_vlq.cu) -------------------------------------------------------- */

/* length[g]: the bytes of group g of the ascending ids; 0 behind the last. */
cudaError_t sl_cuda_vlq_lengths(unsigned long long *length, const uint32_t *ids, uint64_t count,
                                unsigned multiprocessors, cudaStream_t stream);
/* Group g, from before[g] on. */
cudaError_t sl_cuda_vlq_write(uint8_t *out, const unsigned long long *before, const uint32_t *ids,
                              uint64_t count, unsigned multiprocessors, cudaStream_t stream);

/*
 * Where groups begin, which no group says of the next but by its bytes: each tile of VLQ_TILE
 * bytes is gone through from wherever a group of the tile before may end; `ways` then has where
 * that leads and over how many groups, first for each tile, so that one pass over the tiles finds
 * the way from the message's beginning.
 */
typedef struct {
    uint8_t end, groups;
} cuda_vlq_way;
typedef struct {
    uint32_t group; /* the first that begins in the tile */
    uint32_t entry; /* where */
} cuda_vlq_entry;

static inline uint64_t sl_cuda_vlq_tiles(uint64_t bytes)
{
    return (bytes + VLQ_TILE - 1) / VLQ_TILE;
}
static inline uint64_t sl_cuda_vlq_groups(uint64_t count)
{
    return (count + VLQ_LANES - 1) / VLQ_LANES;
}

/* way: VLQ_GROUP_MOST of each tile. */
cudaError_t sl_cuda_vlq_ways(cuda_vlq_way *way, const cuda_coded *coded, cudaStream_t stream);
/* entry: one of each tile. */
cudaError_t sl_cuda_vlq_entries(cuda_vlq_entry *entry, const cuda_vlq_way *way,
                                const cuda_coded *coded, cudaStream_t stream);
/* start: of each group, UINT32_MAX where it is not found. */
cudaError_t sl_cuda_vlq_starts(uint32_t *start, const cuda_vlq_entry *entry,
                               const cuda_coded *coded, cudaStream_t stream);
/* sum[g]: how far the ids of group g are from the last before it; 0 behind the last. */
cudaError_t sl_cuda_vlq_sums(unsigned long long *sum, const uint32_t *start,
                             const cuda_coded *coded, unsigned multiprocessors,
                             cudaStream_t stream);
/* before: the sums of all before each. */
cudaError_t sl_cuda_vlq_read(const cuda_ids *to, const unsigned long long *before,
                             const uint32_t *start, const cuda_coded *coded,
                             unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
