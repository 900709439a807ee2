/*
 * Sets of vertices as messages, written and read on the device: the bytes of dist/codecs/codec.h,
 * so that either side reads what the other wrote. Private to the CUDA engine.
 *
 * A message lies in a slot: what is behind its head begins 16 bytes after the slot, the head
 * stands directly before it. A head's length follows from the count, so who knows a message's
 * codec, count and length knows where it is.
 */
#ifndef SEMLA_CUDA_CODECS_H
#define SEMLA_CUDA_CODECS_H

#include "codec_kernels.h"
#include "device.h"

enum { SLOT_HEAD = 16 };

/* What a message is about: `count` ids below `limit`, at most 2^32 - 1, in so many bytes behind its
 * head. */
typedef struct {
    sl_group_codec codec;
    uint64_t count, limit, bytes;
} cuda_message;

/* Work space, zeroed at first; it grows and is kept. */
typedef struct {
    void *scratch;
    uint64_t scratch_bytes;
    unsigned *failed; /* on the device: whether a message could not be read */
} cuda_coder;

void sl_cuda_coder_free(cuda_coder *c);

/* Bytes of a slot for a message of so many behind its head: a multiple of 16. */
static inline uint64_t sl_cuda_slot(uint64_t bytes)
{
    return SLOT_HEAD + (bytes + 15) / 16 * 16;
}

/* The length of a head. */
unsigned sl_cuda_head_length(uint64_t count);

/*
 * Writes a set to a slot on a line of 16 bytes: message->count bits of `bits`, none of them behind
 * message->limit. Sets message->bytes, which may wait for the stream. SL_NO_MEMORY,
 * SL_ENGINE_FAULT.
 */
sl_status sl_cuda_encode(cuda_coder *c, sl_context *ctx, uint8_t *slot, cuda_message *message,
                         const uint32_t *bits);

/* Begins to read messages. SL_NO_MEMORY, SL_ENGINE_FAULT. */
sl_status sl_cuda_decode_begin(cuda_coder *c, sl_context *ctx);
/* Queues the reading of one, whose bytes may be anything, to a list of room for its count, or into
 * bits, of which the others stay as they are. Not more than the slot is read, and nothing but
 * those is written. The same. */
sl_status sl_cuda_decode(cuda_coder *c, sl_context *ctx, const cuda_ids *to, const uint8_t *slot,
                         const cuda_message *message);
/* Waits for all of them. SL_ENGINE_FAULT too where one was no such message. */
sl_status sl_cuda_decode_end(cuda_coder *c, sl_context *ctx);

#endif
