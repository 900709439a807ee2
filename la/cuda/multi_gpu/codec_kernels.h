/*
 * Launch functions of the kernels that encode and decode vertex sets (formats: dist/codecs/). Each
 * queues its work on `stream` and returns the launch error. Pointers are to device memory.
 */
#ifndef SEMLA_CUDA_CODEC_KERNELS_H
#define SEMLA_CUDA_CODEC_KERNELS_H

#include "kernels.h"
#include "multi_gpu_tuning.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IDS_TILE = 32,                  /* words of a bitmap that a warp lists together: a tile */
    VLQ_LANES = 32,                 /* differences of a group */
    VLQ_GROUP_MOST = 5 * VLQ_LANES, /* the most bytes of a group */
};

/* The payload of a received message. The bytes may be anything. */
typedef struct {
    const uint8_t *in; /* aligned to 16 bytes */
    uint64_t bytes;
    uint64_t count;   /* ids that it should have */
    uint64_t limit;   /* ids are below this */
    unsigned *failed; /* set to 1 if the payload is invalid */
} cuda_payload;

/* Where decoded ids are written: to `list`, with room for the payload's count, or, if that is NULL,
 * into the bitmap `bits`; its other bits stay. */
typedef struct {
    uint32_t *list, *bits;
} cuda_decode_target;

/* Replaces each of `count` numbers by the sum of those before it. With scratch NULL: only sets
 * *bytes to the size of the scratch that it needs (CUB). */
cudaError_t sl_cuda_exclusive_sum(void *scratch, size_t *bytes, unsigned long long *numbers,
                                  uint64_t count, cudaStream_t stream);

/* ---- heads: `length` <= 6 bytes, the lowest byte of `head` first ---- */

cudaError_t sl_cuda_put_head(uint8_t *out, uint64_t head, unsigned length, cudaStream_t stream);
/* Sets *failed if the bytes differ. */
cudaError_t sl_cuda_check_head(const uint8_t *in, uint64_t head, unsigned length, unsigned *failed,
                               cudaStream_t stream);

/* ---- bitmaps and lists (codec_bitmap_list.cu) ---- */

/* counts[t]: the set bits of tile t of a bitmap of `limit` bits; the element after the last one is
 * 0. Bits beyond the limit are ignored; if `failed` is not NULL, such bits in the last byte set it.
 */
cudaError_t sl_cuda_count_ids(unsigned long long *counts, const uint32_t *bits, uint64_t limit,
                              unsigned *failed, unsigned multiprocessors, cudaStream_t stream);
/* Writes the ids of the set bits, ascending: those of tile t to list[before[t]] and following, none
 * to list[room] or beyond. */
cudaError_t sl_cuda_write_ids(uint32_t *list, const uint32_t *bits, uint64_t limit,
                              const unsigned long long *before, uint64_t room,
                              unsigned multiprocessors, cudaStream_t stream);
/* Sets *failed if *counted is not `count`. */
cudaError_t sl_cuda_check_count(const unsigned long long *counted, uint64_t count, unsigned *failed,
                                cudaStream_t stream);
/* bits |= from, for `limit` bits. */
cudaError_t sl_cuda_merge_bits(uint32_t *bits, const uint32_t *from, uint64_t limit,
                               unsigned multiprocessors, cudaStream_t stream);
/* Decodes a list of 32-bit ids. */
cudaError_t sl_cuda_read_list(const cuda_decode_target *to, const cuda_payload *payload,
                              unsigned multiprocessors, cudaStream_t stream);

/* ---- differences as variable-length quantities (codec_vlq.cu) ---- */

/* length[g]: bytes of group g of the ascending ids; the element after the last one is 0. */
cudaError_t sl_cuda_vlq_lengths(unsigned long long *length, const uint32_t *ids, uint64_t count,
                                unsigned multiprocessors, cudaStream_t stream);
/* Writes group g to out + before[g]. */
cudaError_t sl_cuda_vlq_write(uint8_t *out, const unsigned long long *before, const uint32_t *ids,
                              uint64_t count, unsigned multiprocessors, cudaStream_t stream);

/*
 * To find where groups begin: the end of a group is known only from its bytes. For each tile of
 * VLQ_TILE bytes, and each offset at which a group of the tile before can end in it, one thread
 * follows the groups to the next tile (cuda_vlq_path). One pass over the tiles then finds the path
 * that begins at the message's first byte.
 */
typedef struct {
    uint8_t end;    /* offset in the next tile at which the path enters it */
    uint8_t groups; /* that begin in this tile */
} cuda_vlq_path;
typedef struct {
    uint32_t group; /* the first group that begins in the tile */
    uint32_t entry; /* its offset */
} cuda_vlq_entry;

static inline uint64_t sl_cuda_vlq_tiles(uint64_t bytes)
{
    return (bytes + VLQ_TILE - 1) / VLQ_TILE;
}
static inline uint64_t sl_cuda_vlq_groups(uint64_t count)
{
    return (count + VLQ_LANES - 1) / VLQ_LANES;
}

/* path: VLQ_GROUP_MOST per tile, one for each offset. */
cudaError_t sl_cuda_vlq_paths(cuda_vlq_path *path, const cuda_payload *payload,
                              cudaStream_t stream);
/* entry: one per tile. */
cudaError_t sl_cuda_vlq_entries(cuda_vlq_entry *entry, const cuda_vlq_path *path,
                                const cuda_payload *payload, cudaStream_t stream);
/* start[g]: the offset of group g, UINT32_MAX if it is not found. */
cudaError_t sl_cuda_vlq_starts(uint32_t *start, const cuda_vlq_entry *entry,
                               const cuda_payload *payload, cudaStream_t stream);
/* sum[g]: the difference between the last id of group g and the last id before it; the element
 * after the last one is 0. Checks all groups. */
cudaError_t sl_cuda_vlq_group_sums(unsigned long long *sum, const uint32_t *start,
                                   const cuda_payload *payload, unsigned multiprocessors,
                                   cudaStream_t stream);
/* Writes the ids; before[g]: the sum of sum[0 ... g). Does nothing if *failed is set. */
cudaError_t sl_cuda_vlq_read(const cuda_decode_target *to, const unsigned long long *before,
                             const uint32_t *start, const cuda_payload *payload,
                             unsigned multiprocessors, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
