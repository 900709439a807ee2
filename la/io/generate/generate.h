/* Declarations that the generators share. */
#ifndef SEMLA_IO_GENERATE_H
#define SEMLA_IO_GENERATE_H

#include <semla/edge_generator.h>
#include <semla/io.h>
#include <semla/progress.h>

/* Maximum number of vertices and of edges of a model. */
#define GENERATE_LIMIT (UINT64_C(1) << 60)

/*
 * The range of a model's edges, numbered from 0, that this process generates: all edges, unless
 * several processes share the context.
 */
typedef struct {
    uint64_t first, count;
} edge_range;

/*
 * Makes `edges` a square pattern of `vertices` with uninitialised arrays for this process's range
 * of `count` edges, which is stored in *range. On failure *edges is zeroed. Errors: SL_INVALID (a
 * number is above GENERATE_LIMIT), SL_NO_MEMORY.
 */
sl_status generator_alloc_edges(sl_edges *edges, sl_context *ctx, uint64_t vertices, uint64_t count,
                                edge_range *range);

/*
 * Agrees with the other processes on a model, which may be NULL after a failure, and on a number
 * that stands for the other arguments: sl_agree_arguments. Collective.
 */
sl_status agree_on_model(sl_context *ctx, sl_status status, const char *function,
                         const sl_generator *model, unsigned long long others);

/*
 * A loop over elements in blocks of a fraction of a second, between which the call reports its
 * progress and can be cancelled:
 *
 *     edge_blocks b = {.ctx = ctx, .count = count};
 *     while (edge_blocks_next(&b))
 *         ... elements b.begin to b.end - 1 ...
 *     return b.status;
 */
typedef struct {
    sl_context *ctx;
    uint64_t count;         /* elements */
    uint64_t size;          /* elements of a block; 0: the default */
    uint64_t before, total; /* for the progress: elements of earlier loops, of all; or 0 */
    uint64_t begin, end;    /* out: the block */
    sl_status status;       /* out: SL_OK or SL_CANCELLED */
    sl_progress progress;   /* private */
} edge_blocks;

/* Moves on to the next block; false after the last one, or if the call was cancelled. */
bool edge_blocks_next(edge_blocks *b);

/*
 * The edge generator (edge_generator.h) of a model whose edges are functions of their numbers:
 * KRONECKER or UNIFORM. `flags` are SL_READ_SYMMETRIC and SL_READ_NO_LOOPS. Errors: as sl_generate.
 */
sl_status generator_edges(sl_edge_generator *generator, sl_context *ctx, const sl_generator *model,
                          unsigned flags);

/* The weights of a model that is weighted, from a random stream of the seed. SL_INVALID: no such
 * range of weights. */
sl_status generator_weights(sl_edge_weights *weights, sl_context *ctx, const sl_generator *model);

/*
 * Gives the tuples weights. With `first`, tuple k has weight number first + k. With
 * BY_ENDPOINTS, for models that have at most one edge between two vertices, the number of a weight
 * is row * nrows + col, which depends on no other tuple. Errors: SL_NO_MEMORY, SL_CANCELLED.
 */
#define BY_ENDPOINTS UINT64_MAX
sl_status generate_weights(sl_edges *edges, sl_context *ctx, const sl_edge_weights *weights,
                           uint64_t first);

/*
 * The generators of the models. Each checks the sizes that it reads. On failure *edges is in any
 * state that can be freed. Errors: as sl_generate.
 */
sl_status generate_random(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status generate_path(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status generate_star(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status generate_complete(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status generate_grid(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status generate_road(sl_edges *edges, sl_context *ctx, const sl_generator *model);

#endif
