/*
 * Transports: how bytes get from rank to rank. One interface, so that exchanges do not
 * know what carries them. There is one so far: host memory through MPI, which always works.
 *
 * A link is one transport's connection between this rank and the peers of a communicator,
 * for one purpose. Its buffers are the transport's own, in whatever memory it can reach;
 * senders write into them and readers read from them in place. Two receives are posted
 * for every peer: that of the round under way, and that of the next (Bisson et al. 2014,
 * section 3.3), so that no message waits for its receiver.
 */
#ifndef SEMLA_DIST_TRANSPORT_H
#define SEMLA_DIST_TRANSPORT_H

#include "grid.h"

typedef struct {
    MPI_Comm comm;
    int tag;       /* of its own among the links of the communicator */
    uint64_t room; /* bytes of the longest message */
    bool posted;   /* receives are posted ahead; else only `swap` may be used */
    bool shared;   /* one buffer to send from serves all peers; else each has its own */
} sl_link_options;

typedef struct sl_link sl_link;

typedef struct {
    const char *name;

    /* Makes a link and posts its receives. Each rank by itself, but nothing arrives until
     * the peers have done so. Errors: SL_NO_MEMORY, SL_UNSUPPORTED (too long messages),
     * SL_ENGINE_FAULT. */
    sl_status (*open)(sl_link **link, sl_grid *grid, const sl_link_options *options);
    /* Nothing may be under way but receives, which are taken back. NULL is allowed. */
    void (*close)(sl_link *link);

    /* The buffer from which to send to a peer, room bytes, once it is free: waits for
     * what was sent from it before. NULL: a failure. */
    uint8_t *(*buffer)(sl_link *link, int peer);
    /* Begins to send the buffer's first bytes. */
    sl_status (*send)(sl_link *link, int peer, uint64_t bytes);

    /* Waits for the next message of one of those peers whose place in `expected` (the size of
     * the communicator) is true. *in is valid until `release`. */
    sl_status (*receive)(sl_link *link, const bool *expected, int *peer, const uint8_t **in,
                         uint64_t *bytes);
    /* What was received from the peer has been read: its next receive but one is posted. */
    sl_status (*release)(sl_link *link, int peer);

    /* Sends the buffer's first bytes to one peer while receiving a message from another. *in
     * is valid until the next swap. */
    sl_status (*swap)(sl_link *link, int to, uint64_t bytes, int from, const uint8_t **in,
                      uint64_t *received);
} sl_transport;

extern const sl_transport sl_transport_mpi;

#endif
