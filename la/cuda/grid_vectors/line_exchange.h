/* Exchanges in which each process of a line sends one message to all others, or one to each.
 * Private to the CUDA engine. */
#ifndef SEMLA_CUDA_LINE_EXCHANGE_H
#define SEMLA_CUDA_LINE_EXCHANGE_H

#include <semla/device_vectors.h>

#include "cuda/links/links.h"

typedef struct {
    const sl_vector_exchange *x;
    uint32_t members, place;
    uint64_t first, length; /* this process's block of the dimension */
    uint64_t longest;       /* the longest block of a process */
    cuda_grid_links *links; /* once it has begun */
    uint64_t offset;        /* of the first message in the outbox */
    uint64_t slot;          /* bytes from one message to the next */
} cuda_line_exchange;

static inline cuda_line_exchange cuda_line_exchange_of(const sl_vector_exchange *x)
{
    const uint32_t place = sl_device_grid_place(x->grid, x->line);
    const uint64_t first = sl_local_blocks_begin(x->blocks, place);
    return (cuda_line_exchange){.x = x,
                                .members = sl_device_grid_members(x->grid, x->line),
                                .place = place,
                                .first = first,
                                .length = sl_local_blocks_begin(x->blocks, place + 1) - first,
                                .longest = sl_distribution_length(&x->blocks->of, 0)};
}

/* Begins, with room for `messages` messages of at most `bytes` bytes, the same on every process. As
 * sl_cuda_grid_begin. */
static inline sl_status cuda_line_begin(cuda_line_exchange *e, uint32_t messages, uint64_t bytes,
                                        sl_status status)
{
    e->slot = cuda_grid_aligned(bytes);
    return sl_cuda_grid_begin(&e->links, e->x->grid, e->x->ctx, messages * e->slot, &e->offset,
                              status);
}

/* Describes a message of `bytes` bytes to process m, which is not this one, and returns its place.
 * `messages` is as at the beginning: 1 if it is the same for all. */
static inline void *cuda_line_message(const cuda_line_exchange *e, uint32_t messages, uint32_t m,
                                      uint64_t bytes)
{
    const uint64_t number = messages == 1 ? 0 : m < e->place ? m : m - 1;
    const uint64_t offset = e->offset + number * e->slot;
    e->links->sent[m] = (cuda_parcel){.offset = offset, .bytes = bytes};
    return e->links->outbox + offset;
}

static inline sl_status cuda_line_announce(const cuda_line_exchange *e, sl_status status)
{
    return sl_cuda_grid_announce(e->links, e->x->ctx, e->x->line, e->links->sent,
                                 e->links->received, status);
}

/* Whether the announced messages come, so that places may be chosen. */
static inline bool cuda_line_goes_on(const cuda_line_exchange *e, sl_status status)
{
    return status == SL_OK && e->links->complete;
}

/* The messages received belong in an array of values of `size` bytes, the message of process m at begin[m]. */
static inline void cuda_line_place(const cuda_line_exchange *e, void *array, const uint64_t *begin,
                                   size_t size)
{
    for (uint32_t m = 0; m < e->members; m++)
        if (m != e->place)
            e->links->received[m].to = (char *)array + begin[m] * size;
}

static inline sl_status cuda_line_deliver(const cuda_line_exchange *e, sl_status status)
{
    return sl_cuda_grid_deliver(e->links, e->x->ctx, e->x->line, e->links->sent, e->links->received,
                                status);
}

#endif
