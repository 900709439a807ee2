/*
 * Parameters, state and launch functions of relaxations by push: iterations of advance and of the
 * closures that are not searches (relax.cu). Included by C and CUDA sources.
 */
#ifndef SEMLA_CUDA_RELAX_KERNELS_H
#define SEMLA_CUDA_RELAX_KERNELS_H

#include "cuda/data/frontier_kernels.h"
#include "cuda/paths/paths_tuning.h"
#include "cuda/products/product_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counters in device memory; all 0 at the start. A frontier's counts are packed: its vertices above
 * its edges, edge_bits apart. */
typedef struct {
    unsigned long long next[2]; /* packed counts of the two frontiers, by turns */
    unsigned tall[2];           /* whether they have a row of more than FRONTIER_SHORT_ROW edges */
    unsigned long long added;   /* entries that pi gained */
    unsigned long long targets_met;     /* of these, targets */
    unsigned long long iterations;      /* done by the last launch */
    unsigned long long frontier, edges; /* of the last iteration's frontier */
} relax_state;

/* The log entry of one iteration. */
typedef struct {
    unsigned long long frontier, edges, nanoseconds;
} relax_iteration;

/*
 * Iterations of pi = pi (+) frontier' A. Members of `p` that differ from a product's: `bits` and
 * `t_values` are pi's, u_values is frontier_values or NULL, and todo is not used. Pointers are to
 * device memory.
 */
typedef struct {
    cuda_product p;
    uint64_t n;
    bool settles;         /* entries that pi has are final and never change */
    bool init_values;     /* first set the values that pi lacks to what the addition ignores: */
    bool init_all_values; /* all of them, or only those at the ends of the first frontier's edges */
    bool keep_bits;       /* keep the last iteration's next_bits */
    uint32_t *next_bits;  /* bitmap of the next frontier: all 0 before; 0 again unless keep_bits */
    void *frontier_values; /* n: values of the frontier's entries, or NULL if the product reads none
                            */
    unsigned edge_bits;    /* see relax_state */
    cuda_frontier frontier[2];
    cuda_integers level; /* n, or none: the iteration that last changed the entry */
    uint32_t *level_bits;
    const uint32_t *targets; /* bitmap, or NULL */
    relax_state *state;
} relax_params;

/*
 * Vertices near the source of shortest paths, whose rows together have few edges: a pull leaves these
 * edges out, and ends a row at the first length by which no other vertex can be a predecessor.
 */
typedef struct {
    unsigned long long count; /* the first so many of a list of settled vertices */
    unsigned long long least; /* no other vertex is nearer: a distance in the type of the sums */
} cuda_early_vertices;

/* Makes frontier[0] from a vector's bitmap, and copies its values, `size` bytes each, to
 * frontier_values. */
cudaError_t sl_cuda_relax_begin(const relax_params *x, const uint32_t *bits, const void *values,
                                size_t size);

/* The same for entries that are listed in frontier[0] already. */
cudaError_t sl_cuda_relax_begin_listed(const relax_params *x, const void *values, size_t size,
                                       uint64_t vertices, uint64_t edges, bool tall);

/* state->targets_met: the number of targets that pi has. */
cudaError_t sl_cuda_relax_count_targets(const relax_params *x);

/*
 * Runs iterations from frontier[turn] in one launch, until the frontier is empty, `most` iterations
 * are done or `targets` targets are met (0: there are none). The first iteration has the number
 * `number`. log: one entry per iteration, or NULL.
 */
cudaError_t sl_cuda_relax_iterate(const relax_params *x, unsigned turn, long long number,
                                  uint64_t most, uint64_t targets, relax_iteration *log);

#ifdef __cplusplus
}
#endif
#endif
