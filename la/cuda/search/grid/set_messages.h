/*
 * Sets of vertices as messages of the two-dimensional search: a bitmap, or a list of 32-bit ids,
 * the one that is shorter. The receiver learns the form, the number of ids and the size beforehand
 * (cuda_set), and decodes into a bitmap. Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_SET_MESSAGES_H
#define SEMLA_CUDA_SET_MESSAGES_H

#include "cuda/links/links.h"
#include "cuda/runtime/arena.h"
#include "cuda/search/grid/set_message_kernels.h"

/* Scratch of encoding and decoding, zeroed at first. It grows, and is kept for later messages. */
typedef struct {
    cuda_arena arena;
    unsigned *failed; /* device: 1 if a message is invalid */
} cuda_set_workspace;

void sl_cuda_set_workspace_free(cuda_set_workspace *c);

/*
 * Encodes a bitmap with exactly set->count bits, all below set->limit, in set->form, and sets
 * set->bytes. `out` is aligned to 16 bytes and has room for them. Not waited for. SL_NO_MEMORY,
 * SL_ENGINE_FAULT.
 */
sl_status sl_cuda_encode_set(cuda_set_workspace *c, sl_context *ctx, uint8_t *out, cuda_set *set,
                             const uint32_t *bits);

/* Begins a batch of messages to decode. SL_NO_MEMORY, SL_ENGINE_FAULT. */
sl_status sl_cuda_decode_begin(cuda_set_workspace *c, sl_context *ctx);
/*
 * Queues the decoding of one message into a bitmap of set->limit bits, whose other bits stay. The bytes at `in` may be
 * anything: nothing outside the message is read, and nothing outside the bitmap is written. SL_NO_MEMORY,
 * SL_ENGINE_FAULT.
 */
sl_status sl_cuda_decode_set(cuda_set_workspace *c, sl_context *ctx, uint32_t *bits,
                             const uint8_t *in, const cuda_set *set);
/* Waits for the batch. SL_ENGINE_FAULT if a message was invalid; the bitmaps' contents are then undefined. */
sl_status sl_cuda_decode_end(cuda_set_workspace *c, sl_context *ctx);

#endif
