/* One two-dimensional search, as the host drives it: shared by grid_bfs.c and grid_messages.c. */
#ifndef SEMLA_CUDA_GRID_BFS_RUN_H
#define SEMLA_CUDA_GRID_BFS_RUN_H

#include "grid_bfs_kernels.h"
#include "grid_part.h"
#include "search_vectors.h"

typedef struct {
    cuda_grid_part *part;
    sl_call *call;
    const sl_closure_options *options;
    cuda_search_vectors vectors;
    grid_bfs s;
    grid_bfs_vectors to; /* `vectors`, for kernels */
    cuda_grid_boxes boxes;
    sl_direction_policy policy;
    cuda_parcel *sent, *received; /* of a swap; part->parcels */
    sl_device_grid_report *report;
    uint32_t pieces;       /* of a pull (grid_pull.c) */
    uint64_t own_new;      /* vertices of the new frontier that this process owns, */
    uint64_t own_expanded; /* those of them that are no dead ends, */
    uint64_t own_settled;  /* and those visited before the search */
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

/* Fills s, to, boxes and policy (grid_bfs_prepare.c). Not collective. */
sl_status sl_cuda_grid_prepare(cuda_grid_run *r);

/* The following are collective over one line or both. */

/* Visited vertices, a bitmap of own ids with `count` bits, are shared along the row. */
void sl_cuda_grid_share(cuda_grid_run *r, const uint32_t *own, uint64_t count);
/* own_next, with `count` bits below `limit`, becomes part of the frontier of the column. With `shared`, it is
 * also shared along the row. */
void sl_cuda_grid_expand(cuda_grid_run *r, uint64_t count, uint32_t limit, bool shared);
/* The vertices found, to their owners: `arrived`. */
void sl_cuda_grid_fold(cuda_grid_run *r);
/* A pull and its fold (grid_pull.c). */
void sl_cuda_grid_pull(cuda_grid_run *r);
/* own_parents, and the parents of own vertices that other columns reached (grid_fetch_parents.c). */
void sl_cuda_grid_fetch_parents(cuda_grid_run *r);

/* ---- steps of these exchanges (grid_messages.c) ----
 *
 * The blocks of the row, and their owners, are numbered by their distance from this process's column: `many` of
 * them from `first` on. Block 0 is the own one. */

/* These blocks as one range of columns or two; how many ranges. */
typedef struct {
    uint32_t first, count;
} cuda_block_range;
unsigned sl_cuda_grid_ranges(const cuda_grid_run *r, uint32_t first, uint32_t many,
                             cuda_block_range ranges[2]);

/* Empties the first blocks of `arrived`. */
void sl_cuda_grid_empty_arrived(cuda_grid_run *r, uint32_t blocks);
/* Encodes r->sent, a set for each of these members of the row, from blocks of which slice_counts has the counts. */
void sl_cuda_grid_encode_slices(cuda_grid_run *r, const uint32_t *bits, uint32_t first,
                                uint32_t many);
/* Adds the messages received to bitmaps of one block each: that of member m to `to` + m words. */
void sl_cuda_grid_merge(cuda_grid_run *r, sl_grid_line line, uint32_t *to);
/* Copies slice_counts to the host, and waits for them. `exactly` false: takes any
 * that are not 0, which suffice where every set is sent as a bitmap. */
void sl_cuda_grid_read_slice_counts(cuda_grid_run *r, bool exactly);
/* A fold in several exchanges: empties `arrived` and slice_counts; then, for some blocks at a time, encodes what was
 * found in them, and, after sl_cuda_grid_mark, swaps that and adds it to `arrived`. */
void sl_cuda_grid_begin_fold(cuda_grid_run *r);
void sl_cuda_grid_pack_found(cuda_grid_run *r, uint32_t first, uint32_t many);
void sl_cuda_grid_fold_marked(cuda_grid_run *r);
/* Swaps r->sent and r->received along a line, and counts what arrives. */
void sl_cuda_grid_swap_sets(cuda_grid_run *r, sl_grid_line line, sl_grid_phase phase, bool values);

#endif
