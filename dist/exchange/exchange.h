/*
 * Exchanges: rounds in which each rank of a communicator sends sets of vertices to its
 * peers. What is done between a round's begin and its end goes on while messages travel.
 *
 *     sl_exchange_begin(x);
 *     sl_exchange_send_all(x, &mine);
 *     ... work on what is here ...
 *     while (sl_exchange_receive(x, &message))       until the round has ended
 *         ... work on what arrived, in the order of message ...
 *
 * Sets may carry a value for each of their ids. An exchange that failed keeps its first
 * failure in `status` and goes on as well as it can, so that its peers do not wait.
 */
#ifndef SEMLA_DIST_EXCHANGE_H
#define SEMLA_DIST_EXCHANGE_H

#include "pack.h"
#include "traffic.h"
#include "transport.h"

typedef struct {
    const sl_transport *transport;
    sl_phase phase;
    MPI_Comm comm;
    uint64_t limit;   /* ids are below */
    unsigned allowed; /* codecs */
    bool posted;      /* rounds; else only `swap` */
    bool shared;      /* every peer gets the same set */
    bool values;      /* every set carries values */
    unsigned width;   /* of so many bits, 0 to 32 */
} sl_exchange_options;

typedef struct {
    sl_exchange_options options;
    sl_grid *grid;
    sl_link *link;
    int size, rank;
    bool *expected; /* peers whose message of this round was not taken yet */
    int left;       /* how many */
    int held;       /* the peer whose message is being read, or -1 */
    uint32_t *scratch;
    sl_traffic *traffic;
    sl_status status;
} sl_exchange;

/* What one peer sent. */
typedef struct {
    int peer;
    sl_codec_code code;
    sl_encoded coded;
    const uint8_t *values; /* packed, one for each id, where the exchange has values */
} sl_message;

/* Each rank by itself; the ranks agree on what it returns before the first round. On
 * failure x is closed. traffic is borrowed. SL_NO_MEMORY, SL_UNSUPPORTED,
 * SL_ENGINE_FAULT. */
sl_status sl_exchange_open(sl_exchange *x, sl_grid *grid, sl_traffic *traffic,
                           const sl_exchange_options *options);
void sl_exchange_close(sl_exchange *x);

/* Begins a round, in which every peer has to be sent one set. */
void sl_exchange_begin(sl_exchange *x);

/* Sends a set to one peer. Where the exchange has values, id v's is values[v]. May sort the
 * list. */
void sl_exchange_send(sl_exchange *x, int peer, sl_ids *ids, const uint32_t *values);

/* Sends a set to all peers. */
void sl_exchange_send_all(sl_exchange *x, sl_ids *ids);

/* The next message of this round, from any peer; false once received was one from each.
 * What it points to is valid until the next call. */
bool sl_exchange_receive(sl_exchange *x, sl_message *message);

/* The next message of that peer, outside rounds. */
bool sl_exchange_receive_from(sl_exchange *x, int peer, sl_message *message);
/* Has read it. */
void sl_exchange_release(sl_exchange *x);

/* Sends a set to one peer while taking one from another. */
bool sl_exchange_swap(sl_exchange *x, int to, sl_ids *ids, const uint32_t *values, int from,
                      sl_message *message);
/* The same with the values alone, of ids that the other knows: `expected` of them come. */
void sl_exchange_swap_values(sl_exchange *x, int to, const sl_ids *ids, const uint32_t *values,
                             int from, uint32_t *received, uint64_t expected);

/* What arrived, as list (with room for coded.count) or into bits; and its values, in the
 * order of the list. A message that cannot be
 * read fails the exchange, and counts as an empty set. Returns the number of ids. */
uint64_t sl_exchange_list(sl_exchange *x, const sl_message *message, uint32_t *list);
uint64_t sl_exchange_bits(sl_exchange *x, const sl_message *message, uint64_t *bits);
void sl_exchange_values(const sl_exchange *x, const sl_message *message, uint32_t *values);

#endif
