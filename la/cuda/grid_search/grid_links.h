/*
 * Messages between the devices of one grid row or one grid column. Private to the CUDA engine.
 *
 * A process writes its messages to its outbox, a block of device memory. `sl_cuda_grid_swap` sends
 * one to each process of a line and tells the caller where the messages received are: in the sender's
 * outbox, if it is mapped, otherwise in this process's inbox. The regions of an outbox:
 *
 *     | set A | set B | fold 0 | ... | fold cols - 1 | values |
 *
 * Each region is written once a level, or once a search. Between a swap and the next write to the
 * same region all processes have taken part in a reduction after they had read the messages, so a
 * region needs no second copy.
 */
#ifndef SEMLA_CUDA_GRID_LINKS_H
#define SEMLA_CUDA_GRID_LINKS_H

#include <semla/device_grid.h>

#include "codecs.h"
#include "nccl.h"

struct cuda_grid_links;

/* A message: a set of vertices (codecs.h), or values of 4 bytes, which have no codec. */
typedef struct {
    cuda_message message;
    uint64_t bytes;      /* of the slot or of the values; 0: there is no message */
    uint64_t offset;     /* in the sender's outbox, a multiple of 256 */
    const uint8_t *data; /* received: device memory of this process, or mapped */
} cuda_parcel;

/* A way to move messages. sl_cuda_grid_transports lists them by preference; the first that works on
 * all ranks is used, or the one that sl_device_group.forced_transport names. */
typedef struct {
    const char *name;
    bool
        mapped; /* messages stay in device memory of this host: bitmaps need no head and no check */
    bool stages; /* messages pass through pinned host memory */
    /* Whether it works on this rank; otherwise l->why_not. Collective. */
    bool (*open)(struct cuda_grid_links *l);
    /* Moves the messages, whose sizes are known, and sets received[m].data. A rank that has failed
     * takes part. Collective over the line. */
    sl_status (*deliver)(struct cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                         const cuda_parcel *sent, cuda_parcel *received);
} cuda_grid_transport;

extern const cuda_grid_transport *const sl_cuda_grid_transports[]; /* ends with NULL */

/* What is sent before a message. */
typedef struct {
    cuda_message message;
    uint64_t bytes, offset;
    bool failed;
} cuda_grid_head;

/* A process's connections; kept in *sl_device_grid.engine_state. */
typedef struct cuda_grid_links {
    const sl_device_grid *grid;
    const cuda_grid_transport *transport; /* NULL: not chosen yet */
    const char *chosen_by;                /* the value of `forced_transport` when it was chosen */
    const char *why_not;                  /* static: why the transport tried last does not work */
    char *outbox;                         /* device memory, outbox_bytes */
    char *inbox;                          /* device memory, inbox_bytes */
    char *staging;                        /* pinned host memory for both, or NULL */
    uint64_t outbox_bytes, inbox_bytes;
    char **peer[SL_GRID_LINES]; /* the outboxes of the line, mapped by CUDA IPC; or NULL */
    bool mapped;                /* all of them are mapped, on every rank */
    struct cuda_nccl *nccl;     /* of transport `nccl`, or NULL */
    bool complete;              /* of the last swap: no rank of the line had failed */
    cuda_grid_head *head;       /* scratch: heads sent, then heads received */
    sl_parcel *parcel;          /* scratch: parcels sent, then parcels received */
} cuda_grid_links;

/* The processes of a line, and this process's place among them. */
static inline uint32_t cuda_grid_members(const sl_device_grid *grid, sl_grid_line line)
{
    return line == SL_ALONG_ROW ? grid->cols : grid->rows;
}
static inline uint32_t cuda_grid_place(const sl_device_grid *grid, sl_grid_line line)
{
    return line == SL_ALONG_ROW ? grid->j : grid->i;
}

static inline uint32_t cuda_grid_longest_line(const sl_device_grid *grid)
{
    return grid->rows > grid->cols ? grid->rows : grid->cols;
}
/* Whether `yes` is true on every rank. Collective. */
static inline bool cuda_grid_all_true(const cuda_grid_links *l, bool yes)
{
    uint64_t no = !yes;
    return l->grid->reduce(l->grid, &no, 1, true) == SL_OK && no == 0;
}

/* Replaces the boxes by larger ones, and maps the outboxes of both lines (grid_boxes.c). Collective; the
 * ranks agree. */
sl_status sl_cuda_grid_grow_boxes(cuda_grid_links *l, sl_context *ctx, uint64_t outbox_bytes,
                                  uint64_t inbox_bytes);
void sl_cuda_grid_unmap(cuda_grid_links *l);
/* The outboxes of all ranks must have been unmapped. */
void sl_cuda_grid_free_boxes(cuda_grid_links *l);

/*
 * *links: the links of the grid, made if there are none, with boxes of at least these sizes, which
 * are the same on every rank. Collective. Errors, the same on every rank: SL_NO_MEMORY,
 * SL_ENGINE_FAULT; SL_UNSUPPORTED if the transport that was asked for does not work.
 */
sl_status sl_cuda_grid_links_open(cuda_grid_links **links, const sl_device_grid *grid,
                                  sl_context *ctx, uint64_t outbox_bytes, uint64_t inbox_bytes);
/* Chooses the transport again if another one is asked for now. Collective. */
sl_status sl_cuda_grid_links_choose(cuda_grid_links *l, sl_context *ctx);
/* Frees the links of a grid. Collective. */
void sl_cuda_grid_links_close(const sl_device_grid *grid);

/* `status` of the failing rank of least number, on every rank. Collective. */
static inline sl_status cuda_grid_agree(const sl_device_grid *grid, sl_status status)
{
    return grid->group->agree(grid->group, status);
}

/*
 * Sends sent[m] to process m of the line, for all m but this one, and receives received[m]. Waits
 * for the stream first. With a status that is a failure this rank sends nothing, and no rank of the
 * line receives anything. Returns `status` or this rank's own failure. Collective over the line.
 */
sl_status sl_cuda_grid_swap(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                            const cuda_parcel *sent, cuda_parcel *received, sl_status status);

#endif
