/* One closure of a grid that relaxes, as the host drives it: shared by the C files of this folder. */
#ifndef SEMLA_CUDA_GRID_RELAX_RUN_H
#define SEMLA_CUDA_GRID_RELAX_RUN_H

#include <semla/device_relaxations.h>

#include <string.h>

#include "cuda/links/links.h"
#include "cuda/operations/vector_result.h"
#include "cuda/paths/grid_paths_kernels.h"
#include "cuda/paths/grid_relax_kernels.h"
#include "cuda/paths/lengths.h"
#include "cuda/paths/predecessors_kernels.h"

typedef struct {
    cuda_scratch s;
    sl_device_relaxation *x;
    const sl_closure_options *options;
    cuda_grid_links *links;
    grid_relax g;
    cuda_vector *pi, *level; /* level may be NULL */
    const void *values;      /* of the waiting vertices: q's at first, then pi's */
    struct {
        uint64_t slot,
            middle; /* bytes of a slot of the outbox, and before the middle of its message */
        unsigned fold_sets; /* slots for the candidates of each member */
    } box;
    bool buckets;        /* shortest paths, bucket by bucket: */
    double width, limit; /* the width of a bucket, and the greatest value of this one */
    bool sorted;         /* over sorted lengths: */
    bool mirrored;       /* see grid_paths */
    bool kept;           /* they had been sorted before the closure */
    grid_paths p;
    cuda_vertex_order order; /* of the vertices, if rows are mirrored */
    bool advanced;           /* the limit has grown since the last round */
    uint64_t most;           /* vertices that one process has taken in a round of this bucket */
    bool pulled;
    uint64_t targets; /* of this process, if the options have targets */
    uint64_t number;  /* of the next round, from 1: the number of an iteration unless `buckets` */
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
/* Of that, what describes the processes of the grid row and their vertices. */
sl_status sl_cuda_grid_relax_set_members(cuda_grid_relax *r);

/* The slot of the outbox for the vertices of this round (grid_relax_messages.c). Two rounds use it in turn: it may be
 * written while other processes still read the slot of the last round. */
char *sl_cuda_grid_relax_near(const cuda_grid_relax *r);
/* The vertices that were taken, along the grid column: they become the frontier of the block. Collective
 * over the column. */
void sl_cuda_grid_relax_expand(cuda_grid_relax *r);
/* The candidates of this round, along the grid row to their owners, which merge them. Collective over the
 * row. */
void sl_cuda_grid_relax_fold(cuda_grid_relax *r);

/* The two halves of a fold whose candidates are mapped; neither is collective. What this process
 * has found for others in this round is written; what others had for it in the round before is
 * merged, once all have waited and agreed. */
void sl_cuda_grid_collect_candidates(cuda_grid_relax *r);
void sl_cuda_grid_merge_mapped(cuda_grid_relax *r);

/* Moves the messages links->sent, and counts what arrives in links->received. Collective over the line. */
void sl_cuda_grid_relax_swap(cuda_grid_relax *r, sl_grid_line line, sl_relax_phase phase);

/* Relaxes the edges of the rows that have arrived, and of the rows that continue in a new bucket. Not collective. */
void sl_cuda_grid_relax_push_round(cuda_grid_relax *r);
/* Logs the vertices and edges of the frontier. Collective. */
void sl_cuda_grid_relax_log(cuda_grid_relax *r, double began);

/* The value of an inverted key (ordered_key.cuh). */
static inline double cuda_grid_value_of(uint64_t inverted)
{
    const uint64_t sign = UINT64_C(1) << 63, key = ~inverted,
                   bits = key & sign ? key & ~sign : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- sorted lengths (grid_paths.c) ---- */

/* Whether the closure reads sorted lengths: all processes have them, or room for them. Sets sorted, mirrored and kept.
 * Collective; the ranks agree. */
sl_status sl_cuda_grid_paths_choose(cuda_grid_relax *r);
/* Sorts the lengths if they are not. Collective; the ranks agree. */
sl_status sl_cuda_grid_paths_sort(cuda_grid_relax *r);
/* Sets p, of lengths that are sorted. Not collective. *typical: the typical length of the
 * block, 0 if it has no edges. */
sl_status sl_cuda_grid_paths_prepare(cuda_grid_relax *r, double *typical);
/* Sets the width of the buckets from the greatest typical length of all processes. */
void sl_cuda_grid_paths_set_width(cuda_grid_relax *r, double typical);
/* Whether so few edges of this process belong to rows that have not arrived that the pull can begin. */
bool sl_cuda_grid_paths_are_ready(const cuda_grid_relax *r, const grid_relax_counts *counts);
/* Begins to defer the vertices with few edges, once the rows that have arrived have so many that
 * few shortest paths lead over these vertices. Not collective. */
void sl_cuda_grid_paths_defer(cuda_grid_relax *r, const grid_relax_counts *counts);
/* Shortest paths over mirrored rows whose candidates are mapped (grid_paths_rounds.c). Collective. */
void sl_cuda_grid_paths_run(cuda_grid_relax *r);
/* The values of the own vertices become entries of pi, if they are in an order. Not collective. */
sl_status sl_cuda_grid_paths_finish(cuda_grid_relax *r);
/* Gives the vertices beyond the limit candidates over all edges from the others, and merges them.
 * Collective over the row. */
void sl_cuda_grid_paths_pull_round(cuda_grid_relax *r);

/* ---- what all processes of a grid row know (grid_share.c) ---- */

/* Where a process writes what it shares next: values, numbers or a bitmap of its own vertices. */
char *sl_cuda_grid_relax_slot(const cuda_grid_relax *r);
/* The values of the first `count` own vertices, and one more behind them. `all` receives the values
 * of all vertices from all processes; *least, unless it is NULL, becomes at most the values behind
 * them. Collective over the row, as are the others. */
void sl_cuda_grid_share_values(cuda_grid_relax *r, uint64_t count, void *all, void *least);
/* all: the numbers of the own vertices of all processes, as numbers of all vertices. */
void sl_cuda_grid_share_ids(cuda_grid_relax *r, uint32_t *all);
/* all: the bitmap of all vertices. */
void sl_cuda_grid_share_bits(cuda_grid_relax *r, uint32_t *all);

/* ---- mirror edges (grid_mirrors.c) ---- */

/* Sets `mirrored`: whether every edge of the matrix has a mirror edge of the same length.
 * Collective; the ranks agree. */
sl_status sl_cuda_grid_find_mirrors(cuda_grid_relax *r);
/* See sl_device_relaxations. */
bool sl_cuda_grid_may_use_whole_rows(const sl_call *call, const sl_device_relaxation *x);
sl_status sl_cuda_grid_wants_whole_rows(bool *wants, sl_call *call, sl_device_relaxation *x);
/* Puts the sorted rows in the order of cuda_vertex_order (grid_order.c). Collective; the ranks agree. */
sl_status sl_cuda_grid_order_vertices(cuda_grid_relax *r);

/* ---- predecessors (grid_predecessors.c): see sl_device_relaxations ---- */

bool sl_cuda_grid_has_mirrored_rows(const sl_call *call);
sl_status sl_cuda_grid_predecessors(sl_call *call, sl_device_relaxation *x);
/* The predecessors of shortest paths of one process, after its rounds, as options->parent. */
sl_status sl_cuda_grid_write_parents(cuda_grid_relax *r);
/* Predecessors over edges that do not change the value (grid_flat.c), for some levels; of one process for all. `p`: the
 * columns of the own vertices. Returns how many vertices of all processes may have none. Collective. */
uint64_t sl_cuda_grid_take_flat(cuda_grid_relax *r, const cuda_predecessors *p);

#endif
