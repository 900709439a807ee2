/* One closure of a grid that relaxes, as the host drives it: shared by grid_relax.c,
 * grid_relax_prepare.c and grid_relax_messages.c. */
#ifndef SEMLA_CUDA_GRID_RELAX_RUN_H
#define SEMLA_CUDA_GRID_RELAX_RUN_H

#include <semla/device_relaxations.h>

#include "grid_links.h"
#include "grid_paths_kernels.h"
#include "grid_relax_kernels.h"
#include "vector_result.h"

typedef struct {
    cuda_scratch s;
    sl_device_relaxation *x;
    const sl_closure_options *options;
    cuda_grid_links *links;
    grid_relax g;
    cuda_vector *pi, *level; /* level may be NULL */
    const void *values;      /* of the waiting vertices: those of q at first, then those of pi */
    uint64_t slot, middle; /* bytes of a slot of the outbox, and before the middle of its message */
    bool buckets;          /* shortest paths, bucket by bucket: */
    double width, limit;   /* the width of a bucket, and the greatest value of this one */
    bool sorted;           /* over sorted lengths: */
    grid_paths p;
    bool advanced; /* the limit has grown since the last round */
    uint64_t most; /* vertices that one process has taken in a round of this bucket */
    bool pulled;
    uint64_t targets; /* of this process, if the options have targets */
    uint64_t number;  /* of the next round, from 1: that of an iteration unless `buckets` */
    uint64_t taken;   /* vertices of this process in the next frontier */
    sl_status status; /* this rank's first failure; it goes on with the exchanges until all know */
} cuda_grid_relax;

/* Records the error of a launch, or runs a call, unless this rank has failed. */
#define RELAX_DO(r, call)                                                                          \
    do {                                                                                           \
        if ((r)->status == SL_OK)                                                                  \
            (r)->status = (call);                                                                  \
    } while (0)
#define RELAX_LAUNCH(r, name, launch) RELAX_DO(r, cuda_launched(&(r)->s, "kernel " name, launch))

/* Sets slot and middle, for messages of a block, and the bytes of outbox and inbox
 * (grid_relax_prepare.c). */
void sl_cuda_grid_relax_size(cuda_grid_relax *r, uint64_t *outbox, uint64_t *inbox);
/* Moves the operands to the device and fills g. Not collective. */
sl_status sl_cuda_grid_relax_prepare(cuda_grid_relax *r);

/* The slot of the outbox for the vertices of this round (grid_relax_messages.c). Two rounds use it in
 * turn: it may be written while other processes still read that of the last round. */
char *sl_cuda_grid_relax_near(const cuda_grid_relax *r);
/* The vertices that were taken, along the grid column: they become the frontier of the block. Collective
 * over the column. */
void sl_cuda_grid_relax_expand(cuda_grid_relax *r);
/* The candidates of this round, along the grid row to their owners, which merge them. Collective over the
 * row. */
void sl_cuda_grid_relax_fold(cuda_grid_relax *r);

/* Moves the messages links->sent, and counts what arrives in links->received. Collective over the line. */
void sl_cuda_grid_relax_swap(cuda_grid_relax *r, sl_grid_line line, sl_relax_phase phase);

/* ---- sorted lengths (grid_paths.c) ---- */

/* *suit: whether this process can sort the lengths of its block. Not collective. */
sl_status sl_cuda_grid_paths_suit(bool *suit, const cuda_grid_relax *r);
/* Sorts the lengths if they are not. Not collective. */
sl_status sl_cuda_grid_paths_sort(const cuda_grid_relax *r);
/* The same, and sets p. Not collective. *typical: the typical length of the
 * block, 0 if it has no edges. */
sl_status sl_cuda_grid_paths_prepare(cuda_grid_relax *r, double *typical);
/* Sets the width of the buckets from the greatest typical length of all processes. */
void sl_cuda_grid_paths_set_width(cuda_grid_relax *r, double typical);
/* Gives the vertices beyond the limit candidates over all edges from the others, and merges them.
 * Collective over the row. */
void sl_cuda_grid_paths_pull_round(cuda_grid_relax *r);

#endif
