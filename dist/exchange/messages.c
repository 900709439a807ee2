/* Messages of any length between all members of a communicator, by point-to-point messages of at
 * most ROUND_BYTES. */
#include "dist/exchange/messages.h"

#include <string.h>

enum {
    ROUND_BYTES = 1 << 30, /* MPI's counts have 31 bits */
    INBOX_BYTES = 4 << 20, /* the most that short messages take */
    TAG = 1                /* less than the tags of searches (exchange.c) */
};

void sl_messages_open(sl_messages *x, sl_grid *grid, MPI_Comm comm)
{
    *x = (sl_messages){.grid = grid, .comm = comm};
    MPI_Comm_size(comm, &x->members);
    MPI_Comm_rank(comm, &x->me);
    const size_t members = (size_t)x->members;
    x->out_begin = grid->messages.lengths;
    x->out_bytes = x->out_begin + members;
    x->in_begin = x->out_bytes + members;
    x->in_bytes = x->in_begin + members;
    memset(grid->messages.lengths, 0, 4 * members * sizeof *grid->messages.lengths);
}

void sl_messages_close(sl_messages *x)
{
    sl_free(x->out);
    if (x->in != x->grid->messages.inbox)
        sl_free(x->in);
}

sl_status sl_messages_exchange_lengths(sl_messages *x, sl_status status)
{
    uint64_t all = 0;
    if (status != SL_OK)
        memset(x->out_bytes, 0, (size_t)x->members * sizeof *x->out_bytes);
    if (x->members == 1)
        x->in_bytes[0] = x->out_bytes[0];
    else
        SL_TRY(sl_grid_check(
            x->grid, "MPI_Alltoall",
            MPI_Alltoall(x->out_bytes, 1, MPI_UINT64_T, x->in_bytes, 1, MPI_UINT64_T, x->comm)));
    for (int m = 0; m < x->members; m++) {
        x->in_begin[m] = all;
        all += x->in_bytes[m];
    }
    if (status != SL_OK)
        return status;
    x->in = sl_malloc(all + 1);
    return x->in ? SL_OK
                 : sl_fail(x->grid->ctx, SL_NO_MEMORY, "out of memory: %zu bytes of messages",
                           (size_t)all);
}

/* The part of a message of `bytes` bytes that begins at `at`. */
static int piece(uint64_t bytes, uint64_t at)
{
    const uint64_t left = bytes > at ? bytes - at : 0;
    return (int)(left < ROUND_BYTES ? left : ROUND_BYTES);
}

static sl_status one_round(sl_messages *x, uint64_t at)
{
    MPI_Request *requests = x->grid->messages.requests;
    int count = 0;
    for (int m = 0; m < x->members; m++)
        if (m != x->me && piece(x->in_bytes[m], at))
            SL_TRY(sl_grid_check(x->grid, "MPI_Irecv",
                                 MPI_Irecv(x->in + x->in_begin[m] + at, piece(x->in_bytes[m], at),
                                           MPI_BYTE, m, TAG, x->comm, &requests[count++])));
    for (int k = 1; k < x->members; k++) { /* every member begins with another receiver */
        const int m = (x->me + k) % x->members;
        if (piece(x->out_bytes[m], at))
            SL_TRY(
                sl_grid_check(x->grid, "MPI_Isend",
                              MPI_Isend(x->out + x->out_begin[m] + at, piece(x->out_bytes[m], at),
                                        MPI_BYTE, m, TAG, x->comm, &requests[count++])));
    }
    return sl_grid_check(x->grid, "MPI_Waitall", MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
}

sl_status sl_messages_exchange(sl_messages *x)
{
    uint64_t most = 0;
    if (x->out_bytes[x->me])
        memcpy(x->in + x->in_begin[x->me], x->out + x->out_begin[x->me], x->out_bytes[x->me]);
    for (int m = 0; m < x->members; m++) {
        most = x->in_bytes[m] > most ? x->in_bytes[m] : most;
        most = x->out_bytes[m] > most ? x->out_bytes[m] : most;
    }
    for (uint64_t at = 0; x->members > 1 && at < most; at += ROUND_BYTES)
        SL_TRY(one_round(x, at));
    return SL_OK;
}

/* ---- short messages -------------------------------------------------------------------------- */

bool sl_messages_are_short(const sl_messages *x, uint64_t room)
{
    return x->members > 1 && room <= INBOX_BYTES / (uint64_t)x->members;
}

/* Makes the inbox large enough on every rank: all ranks come here with the same sizes. */
static sl_status grow_inbox(sl_grid *grid, uint64_t bytes)
{
    if (bytes <= grid->messages.inbox_bytes)
        return SL_OK;
    uint8_t *inbox = sl_malloc(bytes);
    sl_status status =
        sl_grid_agree(grid, inbox ? SL_OK
                                  : sl_fail(grid->ctx, SL_NO_MEMORY,
                                            "out of memory: %zu bytes of messages", (size_t)bytes));
    if (status == SL_OK) {
        sl_free(grid->messages.inbox);
        grid->messages.inbox = inbox;
        grid->messages.inbox_bytes = bytes;
    } else {
        sl_free(inbox);
    }
    return status;
}

/* Sends and receives; every message arrives, so that no rank waits for one that failed. */
static sl_status swap(sl_messages *x, uint64_t room)
{
    sl_grid *grid = x->grid;
    MPI_Request *requests = grid->messages.requests;
    MPI_Status *statuses = grid->messages.statuses;
    int count = 0;
    for (int k = 1; k < x->members; k++) {
        const int m = (x->me + k) % x->members;
        SL_TRY(sl_grid_check(grid, "MPI_Irecv",
                             MPI_Irecv(x->in + x->in_begin[m], (int)room, MPI_BYTE, m, TAG, x->comm,
                                       &requests[count++])));
    }
    for (int k = 1; k < x->members; k++) {
        const int m = (x->me + k) % x->members;
        SL_TRY(
            sl_grid_check(grid, "MPI_Isend",
                          MPI_Isend(x->out ? x->out + x->out_begin[m] : NULL, (int)x->out_bytes[m],
                                    MPI_BYTE, m, TAG, x->comm, &requests[count++])));
    }
    SL_TRY(sl_grid_check(grid, "MPI_Waitall", MPI_Waitall(count, requests, statuses)));
    for (int k = 1; k < x->members; k++) {
        int bytes = 0;
        MPI_Get_count(&statuses[k - 1], MPI_BYTE, &bytes);
        x->in_bytes[(x->me + k) % x->members] = (uint64_t)bytes;
    }
    return SL_OK;
}

sl_status sl_messages_exchange_short(sl_messages *x, uint64_t room, sl_status status)
{
    sl_grid *grid = x->grid;
    const sl_status grown = grow_inbox(grid, room * (uint64_t)x->members);
    if (grown != SL_OK)
        return grown;
    x->in = grid->messages.inbox;
    for (int m = 0; m < x->members; m++) {
        x->in_begin[m] = room * (uint64_t)m;
        x->out_bytes[m] = status == SL_OK ? x->out_bytes[m] : 0;
    }
    x->in_bytes[x->me] = x->out_bytes[x->me];
    if (status == SL_OK)
        memcpy(x->in + x->in_begin[x->me], x->out + x->out_begin[x->me], x->out_bytes[x->me]);
    const sl_status sent = swap(x, room);
    if (status != SL_OK || sent != SL_OK)
        return status != SL_OK ? status : sent;
    for (int m = 0; m < x->members; m++)
        if (x->in_bytes[m] == 0) {
            grid->agreement.told = true;
            return sl_fail(grid->ctx, SL_ENGINE_FAULT, "another rank has failed");
        }
    return SL_OK;
}
