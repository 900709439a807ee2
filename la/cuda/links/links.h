/*
 * Messages between the devices of a grid: along a row, along a column, or between all. Private to the
 * CUDA engine.
 *
 * A process writes its messages to its outbox, a block of device memory, and tells the receivers where
 * they are. The messages received are in the senders' outboxes, if these are mapped, in this
 * process's inbox, or where the receiver wants them.
 *
 * When a place of an outbox may be written again: all receivers must have read it. A search
 * (search/grid/) has its own layout of the outbox. It waits for its stream and has all processes agree before it
 * writes, and has a reduction over all processes, or a meeting of those that read a region, between two writes
 * to it. All other operations use sl_cuda_grid_begin, which divides the beginning of the outbox in two
 * halves that exchanges use in turn, for the first, second, third, ... exchange:
 *
 *     begin (half 0)  pack  announce  deliver  unpack    begin (half 1)  pack  announce  deliver ...
 *
 * sl_cuda_grid_announce waits for the stream, and so for the reads of the previous exchange;
 * sl_cuda_grid_deliver has all processes agree. A process that begins exchange k + 2 has passed the
 * agreement of exchange k + 1, so all processes have read the messages of exchange k. The operations of
 * a grid end with an agreement, so an operation may follow a search and the other way round.
 *
 * Short messages are delivered without an agreement (sl_cuda_grid_begin_short,
 * sl_cuda_grid_deliver_short). They use four parts of the outbox behind the halves in turn. A
 * process that begins short exchange k + 4 must have passed an agreement of all processes that it
 * entered after it announced short exchange k + 1: all processes had announced k + 1 then, and so
 * have read the messages of k. An operation with at most three short exchanges needs no agreement
 * but those at its beginning and end. The grid engine counts the agreements; if there has been
 * none, the processes agree when exchange k + 4 begins. They all have the same counts, so they all
 * do so.
 *
 * An exchange whose messages move while the device does other work has two steps in place of deliver; one
 * such exchange, along one line or several, is under way at a time:
 *
 *     begin  pack  announce  send    (other work in the stream)    complete  unpack    begin ...
 *
 * Copies are queued in a stream of their own, which waits for the work that was in the stream at sl_cuda_grid_send, and
 * for which the stream waits from sl_cuda_grid_complete on. The argument above holds, because an exchange completes
 * before the next one begins.
 */
#ifndef SEMLA_CUDA_LINKS_H
#define SEMLA_CUDA_LINKS_H

#include <semla/device_grid.h>

#include "cuda/runtime/device.h"

struct cuda_grid_links;

/* Offsets of messages in boxes are multiples of this. */
enum { CUDA_GRID_BOX_LINE = 256, CUDA_GRID_PARCEL_WORDS = 4, CUDA_GRID_SHORT_PARTS = 4 };
/* Messages are short if those that a process may receive in an exchange have at most so many bytes. */
enum { CUDA_GRID_SHORT_BYTES = 4 << 20 };
/* Before every outbox: room in which kernels of other devices store, zero at first. It is for the barrier of searches
 * in one dimension (search/row/), whose rounds no other message overwrites. */
enum { CUDA_BARRIER_BYTES = 2048 };

/* A set of vertices as a message: `count` ids below `limit`, in `bytes` bytes. */
typedef struct {
    sl_group_codec form;
    uint64_t count, limit, bytes;
} cuda_set;

/* A message: a set of vertices, or other data, for which set.count is 0. */
typedef struct {
    cuda_set set;
    uint64_t bytes;                         /* of the message, padding included; 0: there is none */
    uint64_t offset;                        /* in the sender's outbox */
    uint64_t words[CUDA_GRID_PARCEL_WORDS]; /* of the sender, also if bytes is 0 */
    void *to;            /* received: where the receiver wants the data, or NULL: anywhere */
    bool stays;          /* received: each byte is read once, so it is not copied if it is mapped */
    const uint8_t *data; /* received: device memory of this process, or mapped */
} cuda_parcel;

/* Messages along one line that move while the stream does other work (sl_cuda_grid_send). */
typedef struct {
    sl_grid_line line;
    const cuda_parcel *sent; /* as announced */
    cuda_parcel *received;
    sl_parcel *parcels; /* of the transport: two for each process of the line */
    uint64_t landing;   /* where the messages begin in the links' pinned memory */
    void *pending;      /* of the transport */
    bool begun;         /* they are on their way, and sl_cuda_grid_complete waits for them */
} cuda_grid_transfer;

/* A way to move messages. links.c lists them by preference; the first that works on all ranks is used, or the one
 * that sl_device_group.forced_transport names. */
typedef struct {
    const char *name;
    bool mapped; /* messages stay in device memory of this host; all processes know the places */
    bool stages; /* messages pass through pinned host memory */
    /* Whether it works on this rank; otherwise l->why_not. Collective. */
    bool (*open)(struct cuda_grid_links *l);
    /* Moves the messages, whose sizes are known, to received[m].data, or sets it to where they are. Copies are
     * queued in `stream`. A rank that has failed takes part. Collective over the line. */
    sl_status (*deliver)(struct cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                         const cuda_parcel *sent, cuda_parcel *received, cudaStream_t stream);
    /* The same in two steps, of transports whose `deliver` waits for the messages; else NULL. `begin` is
     * collective over all processes. */
    sl_status (*begin)(struct cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                       cudaStream_t stream);
    sl_status (*end)(struct cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                     cudaStream_t stream);
} cuda_grid_transport;

extern const cuda_grid_transport sl_cuda_peers, sl_cuda_nccl, sl_cuda_hosts;

/* What is sent before a message. */
typedef struct {
    cuda_set set;
    uint64_t bytes, offset, words[CUDA_GRID_PARCEL_WORDS];
    bool failed;
} cuda_grid_head;

/* Which places of the outbox the next exchanges of operations use. */
typedef struct {
    /* Sizes that exchanges asked for so far, the same on every process: a half of the outbox, one of the
     * CUDA_GRID_SHORT_PARTS parts behind the halves, and the room for short messages that every inbox has. */
    uint64_t half_bytes, part_bytes, short_bytes;
    unsigned exchanges;       /* begun by sl_cuda_grid_begin */
    unsigned short_exchanges; /* delivered by sl_cuda_grid_deliver_short */
    /* The agreements that there had been at the last four of them: of exchange k, at k modulo 4. */
    uint64_t agreements[CUDA_GRID_SHORT_PARTS];
    bool unread; /* the stream may still have to read messages in the outboxes of other processes */
} cuda_grid_turns;

/* A process's connections; kept in *sl_device_grid.engine_state. */
typedef struct cuda_grid_links {
    const sl_device_grid *grid;
    const cuda_grid_transport *transport; /* NULL: not chosen yet */
    const char *chosen_by;                /* the value of `forced_transport` when it was chosen */
    const char *why_not;                  /* static: why the transport tried last does not work */
    char *outbox;                         /* device memory, outbox_bytes */
    char *inbox;                          /* device memory, inbox_bytes */
    char *staging;                        /* pinned host memory like the outbox, or NULL */
    char *landing;                        /* pinned host memory, landing_bytes, or NULL */
    uint64_t outbox_bytes, inbox_bytes, landing_bytes;
    char **peer;     /* the outboxes of all processes, mapped by CUDA IPC; or NULL */
    bool mapped;     /* all of them are mapped, on every rank */
    uint64_t rounds; /* of the barrier before the outboxes so far; a number is never used again */
    bool lost;       /* a rank did not answer at the barrier, which cannot be used again */
    struct cuda_nccl *nccl; /* of transport `nccl`, or NULL */
    cudaStream_t moving;    /* for messages beside other work; NULL: not made yet */
    cudaEvent_t reached;    /* by one of both streams, for which the other one or the host waits */
    bool complete;          /* of the last swap or meeting: no rank of the line had failed */
    cuda_grid_turns turns;
    cuda_grid_head *head;         /* scratch: heads sent, then heads received */
    bool *failed;                 /* scratch of a meeting: failures sent, then failures received */
    sl_parcel *parcel;            /* scratch: parcels sent, then parcels received */
    cuda_parcel *sent, *received; /* for the caller of an exchange: one for each process */
} cuda_grid_links;

static inline uint64_t cuda_grid_aligned(uint64_t bytes)
{
    return (bytes + CUDA_GRID_BOX_LINE - 1) / CUDA_GRID_BOX_LINE * CUDA_GRID_BOX_LINE;
}
/* Whether `yes` is true on every rank. Collective. */
static inline bool cuda_grid_all_true(const cuda_grid_links *l, bool yes)
{
    uint64_t no = !yes;
    return l->grid->reduce(l->grid, &no, 1, true) == SL_OK && no == 0;
}
/* `status` of the failing rank of least number, on every rank. Collective. */
static inline sl_status cuda_grid_agree(const sl_device_grid *grid, sl_status status)
{
    return grid->group->agree(grid->group, status);
}

/* ---- memory (boxes.c) ---- */

/* Replaces outbox and inbox by larger ones, and maps the outboxes of all processes. Collective; the
 * ranks agree. */
sl_status sl_cuda_grid_grow_boxes(cuda_grid_links *l, sl_context *ctx, uint64_t outbox_bytes,
                                  uint64_t inbox_bytes);
/* Room for messages received: in the inbox, and, if the transport stages, for those of `landing` bytes in
 * pinned memory. Not collective. */
sl_status sl_cuda_grid_grow_inbox(cuda_grid_links *l, sl_context *ctx, uint64_t inbox,
                                  uint64_t landing);
/* The pinned memory that the transport needs. Not collective. */
sl_status sl_cuda_grid_take_staging(cuda_grid_links *l, sl_context *ctx);
void sl_cuda_grid_unmap(cuda_grid_links *l);
/* The outboxes of all ranks must have been unmapped. */
void sl_cuda_grid_free_boxes(cuda_grid_links *l);

/* ---- opening (links.c) ---- */

/*
 * *links: the links of the grid, made if there are none, with boxes of at least these sizes, which
 * are the same on every rank. Collective. Errors, the same on every rank: SL_NO_MEMORY,
 * SL_ENGINE_FAULT; SL_UNSUPPORTED if the transport that was asked for does not work.
 */
sl_status sl_cuda_grid_links_open(cuda_grid_links **links, const sl_device_grid *grid,
                                  sl_context *ctx, uint64_t outbox_bytes, uint64_t inbox_bytes);
/* Chooses the transport again if another one is asked for now. Collective. */
sl_status sl_cuda_grid_links_choose(cuda_grid_links *l, sl_context *ctx);
/* The same for links that have been open with these boxes, which they may have lost when they could not grow. The ranks
 * exchange nothing while the outbox, which is as large on every rank, has room. */
sl_status sl_cuda_grid_links_reopen(cuda_grid_links *l, sl_context *ctx, uint64_t outbox_bytes,
                                    uint64_t inbox_bytes);
/* Frees the links of a grid. Collective. */
void sl_cuda_grid_links_close(const sl_device_grid *grid);
/* Ends the connection by NCCL, if there is one (nccl.c). */
void sl_cuda_nccl_close(cuda_grid_links *l);

/* ---- exchanges (swap.c) ---- */

/*
 * For searches. Sends sent[m] to process m of the line, for all m but this one, and receives
 * received[m] in the inbox, which must have room, or in the senders' outboxes. Waits for the stream
 * first. With a status that is a failure this rank sends nothing, and no rank of the line receives
 * anything. Returns `status` or this rank's own failure. Collective over the line.
 */
sl_status sl_cuda_grid_swap(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received, sl_status status);

/*
 * Where the receivers know the sizes and places of the messages, no heads travel:
 *
 *     pack  meet  take  unpack
 *
 * sl_cuda_grid_meet waits for the stream, and then for all processes of the line to do so; links->complete says whether
 * none of them has failed. Returns `status` or this rank's own failure. Collective over the line. A reduction
 * over all processes after a wait for the stream has the same effect.
 *
 * sl_cuda_grid_take makes received[m].data valid, of which the caller has set `set`, bytes, offset and, if it wants a
 * copy there, `to`. A transport that is not mapped sends sent[m],
 * and needs room for what is received (sl_cuda_grid_grow_inbox); then the function is collective over the line.
 */
sl_status sl_cuda_grid_meet(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            sl_status status);
sl_status sl_cuda_grid_take(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received);

/*
 * Completes an array in device memory, of elements of `size` bytes, of which process m of a line has the elements
 * begin[m] ... begin[m + 1] - 1; begin has one element more than there are processes in the line, and is the same on
 * each of them. *links: the links of the grid, made if there are none. Collective over all processes, which gather
 * along the same kind of line; the ranks agree (gather.c).
 */
sl_status sl_cuda_grid_gather(cuda_grid_links **links, const sl_device_grid *grid, sl_context *ctx,
                              sl_grid_line line, void *array, size_t size, const uint64_t *begin);

/*
 * For operations. Begins an exchange: *links has an outbox in which the caller may write `bytes` bytes
 * at *offset, a multiple of CUDA_GRID_BOX_LINE. `bytes` is the same on every rank, so that nothing is
 * sent unless no exchange had as many; the ranks then agree on `status`, and the outbox grows if it is too small.
 * The caller's messages must lie there. Collective; errors, the same on every rank, are those of
 * sl_cuda_grid_links_open.
 */
sl_status sl_cuda_grid_begin(cuda_grid_links **links, const sl_device_grid *grid, sl_context *ctx,
                             uint64_t bytes, uint64_t *offset, sl_status status);

/*
 * The same for short messages, which sl_cuda_grid_deliver_short delivers: the inbox of every process has room for
 * `inbox` bytes, which is the same on every rank, and of which each message received takes cuda_grid_aligned of its
 * bytes. If the processes must agree before the place in the outbox can be written again, they do so on `status`.
 */
sl_status sl_cuda_grid_begin_short(cuda_grid_links **links, const sl_device_grid *grid,
                                   sl_context *ctx, uint64_t bytes, uint64_t inbox,
                                   uint64_t *offset, sl_status status);

/*
 * Waits for the stream, and tells each process of the line the size and the words of its message:
 * received[m].bytes, .words and .set are the values of process m. The caller may then set
 * received[m].to. sent[m] of this process is ignored, and received[m] of this process is empty.
 * Returns `status` or this rank's own failure. Collective over the line.
 */
sl_status sl_cuda_grid_announce(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                const cuda_parcel *sent, cuda_parcel *received, sl_status status);
/* The same, if the stream was waited for since the messages were packed. */
sl_status sl_cuda_grid_announce_complete(cuda_grid_links *l, sl_grid_line line,
                                         const cuda_parcel *sent, cuda_parcel *received,
                                         sl_status status);

/*
 * Has all ranks of the grid agree on `status` and, unless one has failed, moves the messages that
 * were announced: received[m].data is valid until the next exchange on this line is announced; work on
 * it must be queued in the stream. Counts the bytes received in grid->traffic. Collective over all
 * processes, which deliver along the same kind of line; returns the common failure, or this rank's own.
 */
sl_status sl_cuda_grid_deliver(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                               const cuda_parcel *sent, cuda_parcel *received, sl_status status);

/*
 * In place of sl_cuda_grid_deliver, for short messages: moves the announced messages, unless a rank
 * of the line had failed then, and has no ranks agree. A rank that has failed since takes part; its
 * messages go to the inbox. Returns `status`, or this rank's own failure, or SL_ENGINE_FAULT with
 * *grid->told if only another rank has failed, so the ranks must agree later.
 */
sl_status sl_cuda_grid_deliver_short(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                     const cuda_parcel *sent, cuda_parcel *received,
                                     sl_status status);

/*
 * In place of sl_cuda_grid_deliver, for messages announced along one line or several: has all ranks agree on
 * `status` and, unless one has failed, begins to move the messages. The links choose the places of the
 * messages received. Collective as sl_cuda_grid_deliver; returns the common failure, or this rank's own.
 */
sl_status sl_cuda_grid_send(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                            unsigned transfers, sl_status status);

/*
 * Makes the stream wait for messages that have begun to move: received[m].data is valid until the next
 * exchange is announced. Counts the bytes received in grid->traffic. Every rank of the lines calls it.
 */
sl_status sl_cuda_grid_complete(cuda_grid_links *l, sl_context *ctx, cuda_grid_transfer *t,
                                unsigned transfers);

#endif
