/*
 * Closures that relax, by the devices of a grid: shortest paths, widest paths, least labels. Every process
 * keeps the values of its own vertices, and the best candidate of each column of its block, on its
 * device for the whole closure. The CUDA engine offers them to the grid engine by an
 * sl_device_relaxations.
 */
#ifndef SEMLA_DEVICE_RELAXATIONS_H
#define SEMLA_DEVICE_RELAXATIONS_H

#include <semla/call.h>
#include <semla/device_grid.h>
#include <semla/distribution.h>

/* The exchanges of a closure. */
typedef enum {
    SL_RELAX_EXPAND, /* vertices with their values, along grid columns to the rows of the blocks */
    SL_RELAX_FOLD,   /* candidates, along grid rows to their owners */
    SL_RELAX_PHASES
} sl_relax_phase;

/* One closure. */
typedef struct {
    const sl_device_grid *grid;
    sl_local_blocks rows, cols; /* of this process's block of the matrix */
    uint64_t vertices;
    uint64_t edges;                             /* of the whole matrix; of shortest paths: */
    double mean_length;                         /* of all edges; */
    double delta;                               /* a factor of the width of buckets, usually 1 */
    sl_device_traffic traffic[SL_RELAX_PHASES]; /* out */
} sl_device_relaxation;

/*
 * What an engine offers. `call` is a closure of the local context on the blocks of this process; its
 * vectors have the own vertices only. options->parent must be NULL.
 */
typedef struct sl_device_relaxations {
    /* Why the engine does not run the closure with the block of this process, in a few words, or NULL.
     * Not collective; the answers of processes may differ. */
    const char *(*declines)(const sl_call *call);
    /* Whether shortest paths may be faster on a grid of one row, where each process has all edges
     * of its vertices. Depends on what is the same on every process; not collective. */
    bool (*may_use_whole_rows)(const sl_call *call, const sl_device_relaxation *relaxation);
    /* Whether they are, on a grid of several rows: the graph is undirected, and there is room for
     * these edges. O(edges). Collective over all processes, which return the same. */
    sl_status (*wants_whole_rows)(bool *wants, sl_call *call, sl_device_relaxation *relaxation);
    /* Runs the closure. The operands migrate to the engine's store. Collective over all processes, which
     * return the same status. */
    sl_status (*closure)(sl_call *call, sl_device_relaxation *relaxation);
    /* Makes what the first closure of shortest paths keeps with the block and with the grid. `call` is
     * such a closure without vectors. Likewise collective. */
    sl_status (*prepare_paths)(sl_call *call, sl_device_relaxation *relaxation);
    /* Whether this process can take part in the operation `predecessors` of a grid of one row, because a closure of
     * shortest paths has kept what it reads. Not collective; the answers of processes may differ. */
    bool (*has_predecessors)(const sl_call *call);
    /* Runs the operation. The vectors of `call` have the own vertices only; the predecessors are indices of the whole
     * matrix. Collective over all processes, which return the same status. */
    sl_status (*predecessors)(sl_call *call, sl_device_relaxation *relaxation);
} sl_device_relaxations;

#endif
