/* Parameters, state and launch functions of the closures of a grid that relax. Included by C and CUDA
 * sources. */
#ifndef SEMLA_CUDA_GRID_RELAX_KERNELS_H
#define SEMLA_CUDA_GRID_RELAX_KERNELS_H

#include "cuda/paths/grid_relax_tuning.h"
#include "cuda/paths/relax_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A message: `count` vertices with their values. The values begin at `middle`, the ids, 32 bits each,
 * end there, in reverse order, so that both may be appended to while the count is not known.
 */
typedef struct {
    const char *middle;
    const unsigned long long *count_at; /* device memory; NULL: `count` is known */
    uint64_t count;
    uint64_t begin; /* is added to the ids */
} grid_relax_message;

typedef struct {
    unsigned count;
    grid_relax_message of[GRID_RELAX_MESSAGES];
} grid_relax_messages;

/* What the kernels count, in device memory. The first members are zeroed by sl_cuda_grid_relax_take; the
 * others are those of grid_paths_kernels.h. */
typedef struct {
    unsigned long long taken;   /* vertices in the message */
    unsigned long long nearest; /* the best value of a vertex that goes on waiting: an inverted key
                                   (ordered_key.cuh); 0: none waits */
    unsigned long long targets; /* that pi has */
    unsigned long long pieces;  /* of rows that are pushed */
    unsigned long long folded;  /* candidates for other processes */
    unsigned long long open;    /* the least sum over edges that are beyond the limit, likewise */
    unsigned long long settled_edges; /* of the rows that have arrived */
} grid_relax_counts;

/*
 * A closure on one process. `block`: members of `p` are the block of the matrix, from its rows to its
 * columns; u_values are the values of the rows that have arrived; for the columns of other processes, t_values are the
 * best candidates that this process has seen, `bits` the columns with a candidate, and next_bits the columns that were
 * improved in this round; frontier[0] and state->next[0] are the rows of this round. `own`: t_values, bits
 * and n belong to pi; next_bits are the vertices that wait: their edges are to be relaxed. Own vertices are the
 * columns from own_begin on.
 */
typedef struct {
    relax_params block, own;
    uint64_t own_begin;
    uint32_t members;          /* processes of the grid row */
    const uint64_t *col_begin; /* members + 1: the first column of each member's block */
    grid_relax_counts *counts;
    unsigned long long *folded; /* members: candidates for each of them */
} grid_relax;

/* Gives the entries that are missing in pi, and all candidates, the value that the addition ignores. */
cudaError_t sl_cuda_grid_relax_begin(const grid_relax *g);

/*
 * Of the waiting vertices those whose value is within the limit (an infinite one takes all) stop
 * waiting and become the message at `middle`, with values of `values`. Sets g->counts. more: they are added to the
 * message of the last call.
 */
cudaError_t sl_cuda_grid_relax_take(const grid_relax *g, const void *values, double limit,
                                    bool more, char *middle);

/* The vertices of messages, whose ids are rows of the block, become the frontier, of which
 * state->next[0] and state->tall[0] must be 0 at first, and their values those of the rows. */
cudaError_t sl_cuda_grid_relax_arrive(const grid_relax *g, const grid_relax_messages *messages);

/* Relaxes the edges of the frontier: improves candidates, and sets their bits; own vertices that are improved wait, and
 * their level is `number`. */
cudaError_t sl_cuda_grid_relax_push(const grid_relax *g, long long number);

/* The improved candidates become messages: that for member m is at middle + m slot. Sets g->folded; the
 * bits are 0 again. */
cudaError_t sl_cuda_grid_relax_collect(const grid_relax *g, char *middle, uint64_t slot);

/* Improves pi by messages of own vertices: those that improve wait, and their level is `number`. */
cudaError_t sl_cuda_grid_relax_merge(const grid_relax *g, const grid_relax_messages *messages,
                                     long long number);

#ifdef __cplusplus
}
#endif
#endif
