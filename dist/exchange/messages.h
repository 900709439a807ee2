/*
 * Messages of any length between all members of a communicator, in two steps: lengths, then bytes.
 * No agreement is part of them: a rank that failed sends empty messages, and the ranks agree on
 * their status between the steps. Short messages need one step. For dist/.
 */
#ifndef SEMLA_DIST_MESSAGES_H
#define SEMLA_DIST_MESSAGES_H

#include "dist/grid/grid.h"

/* One exchange. Arrays are indexed by the member of the communicator. */
typedef struct {
    sl_grid *grid;
    MPI_Comm comm;
    int members, me;
    uint64_t *out_begin, *out_bytes; /* the messages in `out`, which may overlap */
    uint64_t *in_begin, *in_bytes;   /* the messages in `in` */
    uint8_t *out, *in;               /* from sl_malloc; owned */
} sl_messages;

/* Begins an exchange with empty messages. The arrays belong to the grid and serve one exchange at a
 * time. */
void sl_messages_open(sl_messages *x, sl_grid *grid, MPI_Comm comm);
void sl_messages_close(sl_messages *x);

/* Exchanges the lengths and allocates `in`. A rank whose status is a failure sends empty messages.
 * Returns the status of this rank: `status`, or SL_NO_MEMORY, or SL_ENGINE_FAULT. Collective over
 * the communicator. */
sl_status sl_messages_exchange_lengths(sl_messages *x, sl_status status);

/* Exchanges the messages, if all ranks succeeded so far. Collective over the communicator. */
sl_status sl_messages_exchange(sl_messages *x);

/* Whether messages of at most `room` bytes are short; `room` must be the same on every rank of the
 * grid. */
bool sl_messages_are_short(const sl_messages *x, uint64_t room);

/*
 * Exchanges short messages, of at most `room` bytes and at least one, in one step without lengths and
 * without an agreement: a rank whose status is a failure sends empty messages, and a rank that
 * receives one fails, too. So the ranks must agree on their status later. Collective over the grid,
 * by all communicators of the same kind.
 */
sl_status sl_messages_exchange_short(sl_messages *x, uint64_t room, sl_status status);

#endif
