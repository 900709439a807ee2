/*
 * Steps of advance and of the closures that are not searches, on the terms of
 * kernels.h: an entry of pi is set, or bettered, and what is new is the next frontier.
 */
#ifndef SEMLA_CUDA_RELAX_KERNELS_H
#define SEMLA_CUDA_RELAX_KERNELS_H

#include "frontier_kernels.h"
#include "product_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the device counts while steps are taken; all 0 at the start. */
typedef struct {
    unsigned long long next[2];         /* vertices of a frontier, above its edges: see edge_bits */
    unsigned tall[2];                   /* it has a row of more than RELAX_ALONE edges */
    unsigned long long added;           /* entries that pi gained */
    unsigned long long targets;         /* of these, targets */
    unsigned long long steps;           /* done by the last launch */
    unsigned long long frontier, edges; /* that the last step began with */
} relax_state;

/* A step as it was done. */
typedef struct {
    unsigned long long frontier, edges, nanoseconds;
} relax_params;

/*
 * pi (+)= q' A, step after step. In p: `bits` and `t_values` are pi's, u_values is `news`
 * or NULL, allowed is not looked at.
 */
typedef struct {
    cuda_product p;
    uint64_t n;
    bool settles;       /* what pi has an entry for is left alone */
    bool prepares;      /* first of all, the values that pi lacks become what sums pass over: */
    bool prepares_all;  /* not only those that the first step may come to */
    bool keeps;         /* the bits of the last step's news stay */
    uint32_t *fresh;    /* bits of the next frontier: all 0 before; 0 again unless `keeps` */
    void *news;         /* n: the values of the frontier, or NULL */
    unsigned edge_bits; /* a count of vertices stands so far above that of edges */
    cuda_frontier frontier[2];
    cuda_integers level; /* n, or none: the number of the step that set or bettered it */
    uint32_t *level_bits;
    const uint32_t *targets; /* bits, or NULL */
    relax_state *state;
} cuda_relax;

/* The first frontier, of a vector's entries; its values become news. Those are `size`
 * bytes each. */
cudaError_t sl_cuda_relax_begin(const cuda_relax *x, const uint32_t *bits, const void *values,
                                size_t size, cudaStream_t stream);

/* The same of entries that are listed along the same rows, in frontier[0]. */
cudaError_t sl_cuda_relax_begin_listed(const cuda_relax *x, const void *values, size_t size,
                                       uint64_t vertices, uint64_t edges, bool tall,
                                       cudaStream_t stream);

/* state->targets: how many targets pi has already. */
cudaError_t sl_cuda_relax_met(const cuda_relax *x, cudaStream_t stream);

/*
 * Up to `most` steps, of which the first has that number, from frontier[turn], in one
 * launch: until the frontier is empty or `targets` targets are met (0: none are asked
 * for). steps: what was done, `most` of them, or NULL.
 */
cudaError_t sl_cuda_relax_steps(const cuda_relax *x, unsigned turn, long long number, uint64_t most,
                                uint64_t targets, relax_params *steps, cudaStream_t stream);

/* What is known of so many values: those where `bits` (NULL: all) has one; 0 at first. */
typedef struct {
    unsigned long long least, greatest; /* in an order of numbers: see below */
    double sum;                         /* of their sizes */
} cuda_weights;

/* The type is none of bool. */
cudaError_t sl_cuda_weigh(cuda_weights *weights, const uint32_t *bits, const void *values,
                          sl_type type, uint64_t n, unsigned multiprocessors, cudaStream_t stream);
double sl_cuda_least_weight(const cuda_weights *weights); /* NaN: there are none */
double sl_cuda_greatest_weight(const cuda_weights *weights);

/* What waits for its turn. */
typedef struct {
    unsigned long long count;
    unsigned long long first; /* the best value since it was last gone through, or one before it */
} cuda_waiting;

typedef struct {
    unsigned long long found[2]; /* in turns */
    cuda_waiting waiting[3];
} delta_stepping_state;

typedef struct {
    double width;         /* how far apart values may be that are taken together */
    uint32_t *found;      /* n: who has a new or better value */
    uint32_t *waiting[2]; /* n each, in turns: whose value is further off; */
    uint32_t *waits;      /* their bits: 0 before and after */
    delta_stepping_state *state; /* 0 before */
} delta_stepping_params;

/* All steps of a closure over min or max by plus, no term of which betters what it is added
 * to: in the order of values, from frontier[0]. No levels, targets and bounds. */
cudaError_t sl_cuda_delta_stepping_launch(const cuda_relax *x, const delta_stepping_params *b, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
