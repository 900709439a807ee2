/* Messages of any length between all members of a communicator, by point-to-point messages of at
 * most ROUND_BYTES. */
#include "messages.h"

#include <string.h>

enum {
    ROUND_BYTES = 1 << 30, /* MPI's counts have 31 bits */
    TAG = 1                /* less than those of searches (exchange.c) */
};

void sl_messages_open(sl_messages *x, sl_grid *grid, MPI_Comm comm)
{
    *x = (sl_messages){.grid = grid, .comm = comm};
    MPI_Comm_size(comm, &x->members);
    MPI_Comm_rank(comm, &x->me);
    const size_t members = (size_t)x->members;
    x->out_begin = grid->lengths;
    x->out_bytes = x->out_begin + members;
    x->in_begin = x->out_bytes + members;
    x->in_bytes = x->in_begin + members;
    memset(grid->lengths, 0, 4 * members * sizeof *grid->lengths);
}

void sl_messages_close(sl_messages *x)
{
    sl_free(x->out);
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
    MPI_Request *requests = x->grid->requests;
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
