/*
 * Encoding and decoding of vertex sets as messages, on the device. The bytes are those of
 * dist/codecs/codec.h, so that the host reads what the device wrote and the other way round.
 * Private to the CUDA engine.
 *
 * A message consists of a head of up to 6 bytes (the codec and the number of ids) and the payload.
 * It is stored in a slot: the payload begins SLOT_HEAD bytes after the slot, and the head ends
 * there:
 *
 *     slot + 0           16 - length      16                     16 + bytes
 *          | unused      | head           | payload              | padding to 16 bytes
 *
 * The length of the head follows from the number of ids, so a receiver that knows a message's
 * codec, count and size can locate it.
 */
#ifndef SEMLA_CUDA_CODECS_H
#define SEMLA_CUDA_CODECS_H

#include "arena.h"
#include "codec_kernels.h"

enum { SLOT_HEAD = 16 };

/* Describes a message: `count` ids below `limit` (at most 2^32 - 1), with a payload of `bytes`
 * bytes. */
typedef struct {
    sl_group_codec codec;
    uint64_t count, limit, bytes;
} cuda_message;

/* Scratch of encoding and decoding, zeroed at first. It grows, and is kept for later messages. */
typedef struct {
    cuda_arena arena;
    unsigned *failed; /* device: 1 if a message is invalid */
} cuda_codec_workspace;

void sl_cuda_codec_workspace_free(cuda_codec_workspace *c);

/* The size of a slot for a payload of `bytes` bytes: a multiple of 16. */
static inline uint64_t sl_cuda_message_slot_bytes(uint64_t bytes)
{
    return SLOT_HEAD + (bytes + 15) / 16 * 16;
}

/* The length of the head of a message of `count` ids. */
unsigned sl_cuda_head_length(uint64_t count);

/*
 * Encodes a bitmap.
 *
 * slot     device, aligned to 16 bytes, large enough for the codec's longest payload
 * message  in: codec, count and limit; out: bytes
 * bits     device: a bitmap with exactly message->count bits, all below message->limit
 *
 * Waits for the stream where the payload's size depends on the ids (VLQ). SL_NO_MEMORY,
 * SL_ENGINE_FAULT.
 */
sl_status sl_cuda_encode(cuda_codec_workspace *c, sl_context *ctx, uint8_t *slot,
                         cuda_message *message, const uint32_t *bits);

/* Begins a batch of messages to decode. SL_NO_MEMORY, SL_ENGINE_FAULT. */
sl_status sl_cuda_decode_begin(cuda_codec_workspace *c, sl_context *ctx);
/*
 * Queues the decoding of one message with arbitrary bytes: to a list with room for
 * message->count ids, or into a bitmap; its other bits stay. Reads nothing outside the slot and
 * writes nothing else. SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_cuda_decode(cuda_codec_workspace *c, sl_context *ctx, const cuda_decode_target *to,
                         const uint8_t *slot, const cuda_message *message);
/* Waits for the batch. SL_ENGINE_FAULT if a message was invalid; the targets' contents are then
 * undefined. */
sl_status sl_cuda_decode_end(cuda_codec_workspace *c, sl_context *ctx);

#endif
