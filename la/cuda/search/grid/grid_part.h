/*
 * What searches in two dimensions keep for a matrix: the part of this process (part.h), and memory of searches.
 * Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_GRID_PART_H
#define SEMLA_CUDA_GRID_PART_H

#include "cuda/search/grid/grid_bfs_kernels.h"
#include "cuda/search/grid/set_messages.h"
#include "cuda/search/part/part.h"

/* Counts of a search as the host reads them. */
typedef struct {
    grid_bfs_counts level;
    unsigned long long slice[]; /* C */
} cuda_grid_counts;

typedef struct {
    cuda_part *part;
    uint64_t *first_vertex; /* device, C: the global index of local row 0 of each grid column */
    uint32_t *has_in_edges; /* device, bitmap of targets: with in-edges on this process */
    cuda_set_workspace coder;
    cuda_grid_counts *counts; /* pinned: copies of counts on the device */
    /* In host memory: */
    cuda_parcel *parcels;  /* of a swap: sent, received */
    cuda_parcel *asked;    /* C: requests for parents */
    const uint32_t **sets; /* max(R, C): of a search */
} cuda_grid_part;

/* Offsets of the regions of an outbox, and the bytes of the boxes. Where sets travel as bitmaps,
 * arrays of the search are there (grid_bitmaps.c). */
typedef struct {
    uint64_t slot;    /* bytes for a set */
    uint64_t set[2];  /* messages of expand and share; or own_next of even and of odd levels */
    uint64_t visited; /* own_visited */
    uint64_t fold;    /* C slots: a message to each column; or `found` */
    uint64_t values, outbox, inbox;
} cuda_grid_boxes;

cuda_grid_boxes sl_cuda_grid_boxes(const cuda_part *part);

/* The bytes of an answer to a process that asks for parents (grid_answer), for a block of so many words: with bits or
 * not, and so many parents. */
static inline uint64_t sl_cuda_grid_answer_bytes(uint32_t words, bool bits, uint64_t parents)
{
    return sizeof(uint32_t) * ((bits ? words : 0) + words / 32 + parents);
}

/* Members of sl_device_searches (la/engine). */
sl_status sl_cuda_grid_part_create(void **part, const sl_device_part_request *request);
void sl_cuda_grid_part_free(void *part);
void sl_cuda_grid_part_describe(sl_placement *placement, const void *part);
sl_status sl_cuda_grid_part_search(void *part, sl_call *call, sl_device_search_report *report);

#endif
