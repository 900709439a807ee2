/* One two-dimensional search, as the host drives it: shared by grid_bfs.c and the files of its steps. */
#ifndef SEMLA_CUDA_GRID_BFS_RUN_H
#define SEMLA_CUDA_GRID_BFS_RUN_H

#include "cuda/search/grid/grid_bfs_kernels.h"
#include "cuda/search/grid/grid_part.h"
#include "cuda/search/part/search_vectors.h"

struct cuda_grid_run;

/* How sets of vertices travel; grid_bfs_prepare.c chooses. The functions are collective over the lines that they name,
 * and called only if the lines have other processes. They fill r->sets. */
typedef struct {
    /* Messages are encoded from arrays of the search, and whether received messages are valid is known after a wait.
     * Else own_next, own_visited and `found` are in the outbox. */
    bool encodes;
    /* The vertices visited before the search become visited on the row. */
    void (*share_visited)(struct cuda_grid_run *r);
    /* Ids of own_next below `limit` are sent to the column, if it has other processes; with `shared` it first becomes
     * visited on the row. */
    void (*expand)(struct cuda_grid_run *r, uint32_t limit, bool shared);
    /* The blocks of `found` to their owners along the row. */
    void (*fold)(struct cuda_grid_run *r, sl_grid_phase phase);
} cuda_grid_exchange;

extern const cuda_grid_exchange sl_cuda_grid_messages, sl_cuda_grid_bitmaps;

typedef struct cuda_grid_run {
    cuda_grid_part *kept;
    cuda_part *part; /* of `kept` */
    sl_call *call;
    const sl_closure_options *options;
    cuda_search_vectors vectors;
    grid_bfs s;
    grid_bfs_vectors to;     /* `vectors`, for kernels */
    uint32_t *next[2];       /* own_next of even and of odd levels */
    grid_bfs_counts *counts; /* two: of even and of odd levels */
    cuda_grid_boxes boxes;
    const cuda_grid_exchange *exchange;
    sl_direction_policy policy;
    cuda_parcel *sent, *received; /* of an exchange; kept->parcels */
    const uint32_t **sets; /* received by the last exchange, as kernels take them; kept->sets */
    sl_device_search_report *report;
    uint64_t own_expanded; /* vertices of the new frontier that this process owns and sends, */
    uint64_t own_settled;  /* and own vertices visited before the search */
    sl_status status; /* this rank's first failure; it goes on with the exchanges until all know */
} cuda_grid_run;

static inline void cuda_grid_keep(cuda_grid_run *r, sl_status status)
{
    if (r->status == SL_OK)
        r->status = status;
}

/* Records the error of a launch, or runs a call, unless this rank has failed. */
#define GRID_DO(r, call)                                                                           \
    do {                                                                                           \
        if ((r)->status == SL_OK)                                                                  \
            (r)->status = (call);                                                                  \
    } while (0)
#define GRID_LAUNCH(r, name, launch)                                                               \
    GRID_DO(r, sl_cuda_status((r)->call->ctx, "kernel " name, launch))

/* Fills the run (grid_bfs_prepare.c). Not collective. */
sl_status sl_cuda_grid_prepare(cuda_grid_run *r);
/* Adds r->received to the report: an exchange since `began` (grid_bfs.c). */
void sl_cuda_grid_count_received(cuda_grid_run *r, sl_grid_line line, sl_grid_phase phase,
                                 bool values, double began);

/* own_parents, and the parents of own vertices that other columns reached (grid_fetch_parents.c). Collective over the
 * row. */
void sl_cuda_grid_fetch_parents(cuda_grid_run *r);
/* Swaps r->sent and r->received along a line, with heads (grid_messages.c). Collective over the line. */
void sl_cuda_grid_swap_messages(cuda_grid_run *r, sl_grid_line line, sl_grid_phase phase,
                                bool values);
/* Copies slice_counts to the host, and waits for them (grid_messages.c). */
void sl_cuda_grid_read_slice_counts(cuda_grid_run *r);

#endif
