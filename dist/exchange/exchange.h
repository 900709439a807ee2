/*
 * Exchanges of sets of vertices between the ranks of a communicator, in rounds. In a round each
 * rank sends one set to every other rank. Messages travel while the rank works:
 *
 *     sl_exchange_begin(x);
 *     sl_exchange_send_all(x, &own);
 *     ... work on local data ...
 *     while (sl_exchange_receive(x, &message))       until one message of each peer was received
 *         ... work on the message; messages are returned in the order of their arrival ...
 *
 * A set may have a value for each id. After a failure an exchange keeps the first status and
 * continues as far as possible, so that its peers do not wait for messages.
 */
#ifndef SEMLA_DIST_EXCHANGE_H
#define SEMLA_DIST_EXCHANGE_H

#include "dist/codecs/pack.h"
#include "dist/exchange/traffic.h"
#include "dist/exchange/transport.h"

typedef struct {
    const sl_transport *transport;
    sl_phase phase;
    MPI_Comm comm;
    uint64_t limit;   /* ids are below this */
    unsigned allowed; /* set of codecs */
    bool posted;      /* used in rounds, with posted receives; else only for swaps */
    bool shared;      /* every peer is sent the same set */
    bool values;      /* every set has values */
    unsigned width;   /* bits of a value, 0 to 32 */
} sl_exchange_options;

typedef struct {
    sl_exchange_options options;
    sl_grid *grid;
    sl_link *link;
    int size, rank;
    bool *expected; /* for each peer: its message of this round was not received yet */
    int left;       /* number of such peers */
    int held;       /* the peer of the message that is being read, or -1 */
    uint32_t *scratch;
    sl_traffic *traffic;
    sl_status status;
} sl_exchange;

/* A message that was received from one peer. */
typedef struct {
    int peer;
    sl_codec_code code;
    sl_encoded coded;
    const uint8_t *values; /* packed, one for each id, if the exchange has values */
} sl_message;

/* Opens an exchange on this rank alone; the ranks must agree on the status before the first round.
 * `traffic` is borrowed. On failure x is closed. SL_NO_MEMORY, SL_UNSUPPORTED, SL_ENGINE_FAULT. */
sl_status sl_exchange_open(sl_exchange *x, sl_grid *grid, sl_traffic *traffic,
                           const sl_exchange_options *options);
void sl_exchange_close(sl_exchange *x);

/* Begins a round, in which every peer must be sent one set. */
void sl_exchange_begin(sl_exchange *x);

/* Sends a set to one peer. If the exchange has values, values[v] is the value of id v. May sort the
 * list of ids. */
void sl_exchange_send(sl_exchange *x, int peer, sl_ids *ids, const uint32_t *values);

/* Sends the same set to all peers. */
void sl_exchange_send_all(sl_exchange *x, sl_ids *ids);

/* Receives the next message of this round, from any peer. Returns false after one message of each
 * peer. The message is valid until the next call. */
bool sl_exchange_receive(sl_exchange *x, sl_message *message);

/* Receives the next message of one peer, outside a round; it must be released after it was read. */
bool sl_exchange_receive_from(sl_exchange *x, int peer, sl_message *message);
/* Releases the buffer of the message that was received last. */
void sl_exchange_release(sl_exchange *x);

/* Sends a set to rank `to` and receives one from rank `from`. False: it failed. */
bool sl_exchange_swap(sl_exchange *x, int to, sl_ids *ids, const uint32_t *values, int from,
                      sl_message *message);
/* The same with values alone, for ids that the receiver knows: `expected` of them are received. */
void sl_exchange_swap_values(sl_exchange *x, int to, const sl_ids *ids, const uint32_t *values,
                             int from, uint32_t *received, uint64_t expected);

/* Decode a message into a list, with capacity for encoded.count ids, or into a bitmap, and unpack
 * its values in the order of the list. Return the number of ids. A message that cannot be decoded
 * fails the exchange and counts as an empty set. */
uint64_t sl_exchange_list(sl_exchange *x, const sl_message *message, uint32_t *list);
uint64_t sl_exchange_bits(sl_exchange *x, const sl_message *message, uint64_t *bits);
void sl_exchange_values(const sl_exchange *x, const sl_message *message, uint32_t *values);

#endif
