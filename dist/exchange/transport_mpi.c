/* Transport by MPI from host memory. Posted receives are persistent requests, 2 for each peer. */
#include "dist/exchange/transport.h"

#include <limits.h>

enum { POSTED = 2 };

struct sl_link {
    sl_grid *grid;
    sl_link_options options;
    int size, rank;
    uint8_t *out;           /* one send buffer, or one for each rank */
    MPI_Request *sent;      /* for each rank: the send under way to it */
    uint8_t *in;            /* POSTED receive buffers for each rank; for swaps one in all */
    MPI_Request *posted;    /* POSTED receives for each rank */
    unsigned *next;         /* for each rank: which of its POSTED receives completes next */
    MPI_Request *candidate; /* scratch of a receive */
};

static sl_status check(const sl_link *link, const char *what, int code)
{
    return sl_grid_check(link->grid, what, code);
}

static sl_status allocate(sl_link *link)
{
    const uint64_t ranks = (uint64_t)link->size, room = link->options.room;
    link->out = sl_malloc(room * (link->options.shared ? 1 : ranks));
    link->in = sl_malloc(room * (link->options.posted ? POSTED * ranks : 1));
    link->sent = sl_malloc(ranks * sizeof *link->sent);
    link->posted = sl_malloc(POSTED * ranks * sizeof *link->posted);
    link->next = sl_calloc(ranks, sizeof *link->next);
    link->candidate = sl_malloc(ranks * sizeof *link->candidate);
    for (uint64_t k = 0; link->sent && k < ranks; k++)
        link->sent[k] = MPI_REQUEST_NULL;
    for (uint64_t k = 0; link->posted && k < POSTED * ranks; k++)
        link->posted[k] = MPI_REQUEST_NULL;
    if (!link->out || !link->in || !link->sent || !link->posted || !link->next || !link->candidate)
        return sl_fail(link->grid->ctx, SL_NO_MEMORY, "exchange: out of memory");
    return SL_OK;
}

static sl_status post(sl_link *link)
{
    const sl_link_options *o = &link->options;
    for (int k = 0; o->posted && k < POSTED * link->size; k++) {
        int peer = k / POSTED;
        if (peer == link->rank)
            continue;
        SL_TRY(check(link, "MPI_Recv_init",
                     MPI_Recv_init(link->in + (uint64_t)k * o->room, (int)o->room, MPI_BYTE, peer,
                                   o->tag, o->comm, &link->posted[k])));
        SL_TRY(check(link, "MPI_Start", MPI_Start(&link->posted[k])));
    }
    return SL_OK;
}

static void cancel(MPI_Request *request)
{
    if (*request == MPI_REQUEST_NULL)
        return;
    MPI_Cancel(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    MPI_Request_free(request);
}

static void close_link(sl_link *link)
{
    if (!link)
        return;
    if (link->sent)
        MPI_Waitall(link->size, link->sent, MPI_STATUSES_IGNORE);
    for (int k = 0; link->posted && k < POSTED * link->size; k++)
        cancel(&link->posted[k]);
    sl_free(link->out);
    sl_free(link->in);
    sl_free(link->sent);
    sl_free(link->posted);
    sl_free(link->next);
    sl_free(link->candidate);
    sl_free(link);
}

static sl_status open_link(sl_link **out, sl_grid *grid, const sl_link_options *options)
{
    *out = NULL;
    if (options->room > INT_MAX)
        return sl_fail(grid->ctx, SL_UNSUPPORTED,
                       "exchange: messages of more than %d bytes: the blocks are too large for "
                       "so few ranks",
                       INT_MAX);
    sl_link *link = sl_calloc(1, sizeof *link);
    if (!link)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "exchange: out of memory");
    link->grid = grid;
    link->options = *options;
    MPI_Comm_size(options->comm, &link->size);
    MPI_Comm_rank(options->comm, &link->rank);
    sl_status status = allocate(link);
    if (status == SL_OK)
        status = post(link);
    if (status == SL_OK)
        *out = link;
    else
        close_link(link);
    return status;
}

static uint8_t *out_of(const sl_link *link, int peer)
{
    return link->out + (link->options.shared ? 0 : (uint64_t)peer * link->options.room);
}

static uint8_t *buffer(sl_link *link, int peer)
{
    int code = link->options.shared ? MPI_Waitall(link->size, link->sent, MPI_STATUSES_IGNORE)
                                    : MPI_Wait(&link->sent[peer], MPI_STATUS_IGNORE);
    return check(link, "MPI_Wait", code) == SL_OK ? out_of(link, peer) : NULL;
}

static sl_status send(sl_link *link, int peer, uint64_t bytes)
{
    const sl_link_options *o = &link->options;
    return check(link, "MPI_Isend",
                 MPI_Isend(out_of(link, peer), (int)bytes, MPI_BYTE, peer, o->tag, o->comm,
                           &link->sent[peer]));
}

static sl_status receive(sl_link *link, const bool *expected, int *peer, const uint8_t **in,
                         uint64_t *bytes)
{
    MPI_Status status;
    int count = 0;
    for (int p = 0; p < link->size; p++)
        link->candidate[p] =
            expected[p] ? link->posted[POSTED * p + (int)link->next[p]] : MPI_REQUEST_NULL;
    SL_TRY(check(link, "MPI_Waitany", MPI_Waitany(link->size, link->candidate, peer, &status)));
    if (*peer == MPI_UNDEFINED)
        return sl_fail(link->grid->ctx, SL_ENGINE_FAULT, "MPI_Waitany: no receive is posted");
    SL_TRY(check(link, "MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &count)));
    *bytes = (uint64_t)count;
    *in = link->in + ((uint64_t)*peer * POSTED + link->next[*peer]) * link->options.room;
    return SL_OK;
}

static sl_status release(sl_link *link, int peer)
{
    MPI_Request *request = &link->posted[POSTED * peer + (int)link->next[peer]];
    link->next[peer] = (link->next[peer] + 1) % POSTED;
    return check(link, "MPI_Start", MPI_Start(request));
}

static sl_status swap(sl_link *link, int to, uint64_t bytes, int from, const uint8_t **in,
                      uint64_t *received)
{
    const sl_link_options *o = &link->options;
    MPI_Status status;
    int count = 0;
    SL_TRY(check(link, "MPI_Sendrecv",
                 MPI_Sendrecv(out_of(link, to), (int)bytes, MPI_BYTE, to, o->tag, link->in,
                              (int)o->room, MPI_BYTE, from, o->tag, o->comm, &status)));
    SL_TRY(check(link, "MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &count)));
    *in = link->in;
    *received = (uint64_t)count;
    return SL_OK;
}

const sl_transport sl_transport_mpi = {.name = "processors",
                                       .open = open_link,
                                       .close = close_link,
                                       .buffer = buffer,
                                       .send = send,
                                       .receive = receive,
                                       .release = release,
                                       .swap = swap};
