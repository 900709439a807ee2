/*
 * The entries of a vector as messages: the set of their indices in the codec that is shortest
 * (codecs/), then their values as they are in memory, in ascending order of the indices. Messages
 * are exchanged by messages.h. For dist/. Not collective.
 *
 * A message: what values follow (1 byte, sl_message_values); the indices, as a message of
 * <codec.h>, or, in a block of more than 2^32 - 1 indices, their number and the indices of 8 bytes
 * each; the values.
 */
#ifndef SEMLA_DIST_VECTOR_MESSAGES_H
#define SEMLA_DIST_VECTOR_MESSAGES_H

#include "dist/exchange/messages.h"
#include "dist/grid/blocks.h"

/* What of a vector is sent. */
typedef enum {
    SL_SEND_ENTRIES, /* indices and values */
    SL_SEND_PATTERN, /* indices; the values become 1 */
    SL_SEND_TRUE     /* the indices of the entries whose value is true, for masks */
} sl_send;

/* Encodes entries of a local vector as the messages to be sent. blocks NULL: one message with all
 * entries, for every member; else message m has the entries of block m, with indices in the block. */
sl_status sl_vector_encode(sl_messages *x, const sl_object *vector, const sl_local_blocks *blocks,
                           sl_send what);

/* The most bytes of a message about a block of `limit` indices, with values of `value_size` bytes, 0 for
 * SL_SEND_PATTERN and SL_SEND_TRUE. UINT64_MAX: the block has more than 2^32 - 1 indices. */
uint64_t sl_vector_message_room(uint64_t limit, size_t value_size);

/* How messages become one vector. */
typedef enum {
    SL_JOIN_BLOCKS, /* message m has the entries of block m of `blocks` */
    SL_JOIN_SUMS    /* every message is of this member's block; entries of equal
                       index are summed in the order of the members */
} sl_join;

/* The values of the new vector. */
typedef enum {
    SL_FILL_RECEIVED, /* the values in the messages */
    SL_FILL_INDICES,  /* the global index of the entry, int64 */
    SL_FILL_ZEROS     /* 0, int64 */
} sl_fill;

typedef struct {
    sl_join join;
    const sl_local_blocks *blocks;
    sl_fill fill;     /* SL_JOIN_SUMS: SL_FILL_RECEIVED */
    sl_type type;     /* of the values */
    sl_binary_op sum; /* SL_JOIN_SUMS: an operator of the local context in that type */
    bool any;         /* SL_JOIN_SUMS: any of the entries of equal index is their sum */
    sl_phase phase;   /* of the traffic */
} sl_decoding;

/* Decodes the received messages to a new vector of the local context. A message that cannot be
 * decoded is SL_ENGINE_FAULT. */
sl_status sl_vector_decode(sl_vector **v, const sl_messages *x, const sl_decoding *decoding);

#endif
