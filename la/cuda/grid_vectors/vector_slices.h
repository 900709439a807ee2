/*
 * Slices of a vector as messages between devices. Private to the CUDA engine.
 *
 * A message has the entries of one slice of a vector's indices, in one of three forms:
 *
 *     full     an entry at every index: the values
 *     bitmap   a bit for each index, padded to CUDA_GRID_BOX_LINE bytes; a value for each index
 *     list     the indices, from 0 in the slice, 32 bits each, padded likewise; their values
 *
 * The values are left out where the receiver knows them. Words of a parcel: the form, the number of
 * entries. A slice without entries has no message. Short slices of a bitmap are bitmaps if they have no values, or if
 * the receivers read the values of the entries alone in the sender's outbox: so they are written and counted without a
 * wait in between.
 */
#ifndef SEMLA_CUDA_VECTOR_SLICES_H
#define SEMLA_CUDA_VECTOR_SLICES_H

#include <semla/device_vectors.h>

#include "cuda/data/device_vector.h"
#include "cuda/grid_vectors/vector_parcel_kernels.h"
#include "cuda/links/links.h"

enum { SLICE_FORM, SLICE_ENTRIES };                         /* words of a parcel */
enum { SLICE_EMPTY, SLICE_FULL, SLICE_BITMAP, SLICE_LIST }; /* forms */

/* Where the values begin in a message that has a bitmap of `length` bits. */
static inline uint64_t cuda_slice_bits_bytes(uint64_t length)
{
    return cuda_grid_aligned(cuda_words(length) * sizeof(uint32_t));
}

/* The bytes of the longest message of a slice of `length` indices with values of `size` bytes; 0: without
 * values. */
static inline uint64_t cuda_slice_bytes(uint64_t length, size_t size)
{
    return cuda_slice_bits_bytes(length) + cuda_grid_aligned(length * size);
}

/* A vector that is cut in slices. All zero but the first five members at first. */
typedef struct {
    sl_object *object;
    uint32_t count;
    const uint64_t
        *begin;  /* host, count + 1: slice k has the indices begin[k] to begin[k + 1] - 1 */
    bool values; /* whether values are sent */
    bool mapped; /* the receivers read messages in the sender's outbox */
    cuda_vector *vector;
    unsigned long long *first, *entries; /* host, [count + 1], by slice; `first`: of a list */
    bool at_once; /* the slices are written and counted by sl_cuda_slices_complete */
    cuda_slices_at_once places;
    cuda_arena arena;
} cuda_slices;

/* Migrates the vector. Counts the entries of its slices, and waits for the stream, if it is a list of several
 * slices, or a bitmap with slices that are not written at once. */
sl_status sl_cuda_slices_open(cuda_slices *s);
void sl_cuda_slices_close(cuda_slices *s);
/* Queues the writing of slice k at `to`, which has room for its longest message, and describes it by
 * data of *parcel. to NULL: in memory of the arena, or of the vector itself; data stays NULL if the slice has values
 * and is a bitmap that is counted at once. */
sl_status sl_cuda_slices_pack(cuda_slices *s, uint32_t k, char *to, cuda_parcel *parcel);
/* After all slices were packed: waits for the stream, and so for the slices. */
sl_status sl_cuda_slices_complete(cuda_slices *s);
/* After that: queues the writing of a bitmap whose data is NULL, in memory of the arena. */
sl_status sl_cuda_slices_keep(cuda_slices *s, uint32_t k, cuda_parcel *parcel);
/* Describes slice k, which is complete, by bytes and words of *parcel. */
void sl_cuda_slices_describe(const cuda_slices *s, uint32_t k, cuda_parcel *parcel);

/* A vector that is made of messages. */
typedef struct {
    sl_object like; /* its context, type and size */
    uint32_t count;
    cuda_parcel *parcel;   /* one for each slice */
    const uint64_t *begin; /* count + 1: slice k has the indices begin[k] to begin[k + 1] - 1 */
    /* Parts of a pattern, which are united: each slice has the indices 0 to begin[1] - 1 instead. */
    bool overlap;
    const sl_local_blocks *numbers; /* SL_SPREAD_INDICES: slice k is their k-th block */
    sl_spread spread;
    bool at_once;         /* one kernel joins all slices */
    const uint32_t *mask; /* a bitmap of the result's size that at_once applies, or NULL */
    bool complement;
    cuda_vector *vector; /* the result; or NULL */
} cuda_joined;

/* Allocates the vector in the form that suits the messages, whose bytes and words are known, and sets parcel[k].to
 * where the data may be moved to its place in the vector at once. */
sl_status sl_cuda_joined_open(cuda_joined *j);
/* Queues the reading of the messages. */
sl_status sl_cuda_joined_fill(cuda_joined *j);
/* A new object like another, with a vector, which is freed after a failure. */
sl_status sl_cuda_make_object(sl_vector **made, const sl_object *like, cuda_vector *v,
                              sl_status status);
/* The same with the vector of the messages. */
sl_status sl_cuda_joined_close(sl_vector **made, cuda_joined *j, sl_status status);

#endif
