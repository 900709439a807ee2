/* What the generators share. */
#ifndef SEMLA_IO_GENERATE_H
#define SEMLA_IO_GENERATE_H

#include <semla/io.h>
#include <semla/tuples.h>

/* Vertices and edges of a model, each: what a matrix can have, and what an
 * array of indices can hold. */
#define GENERATE_LIMIT (UINT64_C(1) << 60)

/* Of a model's tuples, numbered from 0, those that this process makes: all, but where
 * several share the context. */
typedef struct {
    uint64_t first, count;
} tuple_part;

/*
 * Makes `edges` a square pattern of `vertices`, with room for this process's part of
 * `count` tuples to be filled in. On failure *edges is zeroed. Errors: SL_INVALID (one of the two
 * is beyond GENERATE_LIMIT), SL_NO_MEMORY.
 */
sl_status sl_generate_room(sl_edges *edges, sl_context *ctx, uint64_t vertices, uint64_t count,
                           tuple_part *part);

/* The tuples of a model that are functions of their number, KRONECKER or UNIFORM, as
 * tuples.h has them; `flags` (SL_READ_...) say what they stand for. Errors: as sl_generate. */
sl_status sl_generator_source(sl_tuple_source *source, sl_context *ctx, const sl_generator *model,
                              unsigned flags);

/* Each fills in one family of models, checking the sizes that it reads. On
 * failure *edges is zeroed. Errors: as sl_generate. */
sl_status sl_generate_random(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_path(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_star(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_complete(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_grid(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_road(sl_edges *edges, sl_context *ctx, const sl_generator *model);

#endif
