/*
 * Transports: a table of functions that move bytes between ranks, so that exchanges are independent
 * of them. There is one transport, host memory through MPI.
 *
 * A link connects this rank with the peers of a communicator for one purpose. The transport owns
 * its buffers; senders write to them and receivers read from them in place. Two receives are posted
 * for every peer, one for the current round and one for the next (Bisson et al. 2014, section 3.3),
 * so that no message waits for its receiver.
 */
#ifndef SEMLA_DIST_TRANSPORT_H
#define SEMLA_DIST_TRANSPORT_H

#include "dist/grid/grid.h"

typedef struct {
    MPI_Comm comm;
    int tag;       /* unique among the links of the communicator */
    uint64_t room; /* bytes of the longest message */
    bool posted;   /* receives are posted; else only `swap` may be used */
    bool shared;   /* all peers are sent the contents of one buffer; else each has a buffer */
} sl_link_options;

typedef struct sl_link sl_link;

typedef struct {
    const char *name; /* as sl_grid_info.transport */

    /* Creates a link and posts its receives, on this rank alone; nothing is received until the
     * peers have done the same. Errors: SL_NO_MEMORY, SL_UNSUPPORTED (messages of more than
     * INT_MAX bytes), SL_ENGINE_FAULT. */
    sl_status (*open)(sl_link **link, sl_grid *grid, const sl_link_options *options);
    /* Closes a link and cancels its posted receives. No send may be incomplete. NULL is allowed. */
    void (*close)(sl_link *link);

    /* The send buffer of a peer, of `room` bytes. Waits until the previous send from it is
     * complete. NULL: that send failed. */
    uint8_t *(*buffer)(sl_link *link, int peer);
    /* Begins to send the first `bytes` bytes of the send buffer. */
    sl_status (*send)(sl_link *link, int peer, uint64_t bytes);

    /* Waits for the next message of one of the peers p with expected[p] (an array of the size of
     * the communicator). *in is valid until `release`. */
    sl_status (*receive)(sl_link *link, const bool *expected, int *peer, const uint8_t **in,
                         uint64_t *bytes);
    /* Releases the message that was received from a peer and posts its receive again. */
    sl_status (*release)(sl_link *link, int peer);

    /* Sends the first bytes of the send buffer to one peer while it receives a message of another.
     * *in is valid until the next swap. */
    sl_status (*swap)(sl_link *link, int to, uint64_t bytes, int from, const uint8_t **in,
                      uint64_t *received);
} sl_transport;

extern const sl_transport sl_transport_mpi;

#endif
