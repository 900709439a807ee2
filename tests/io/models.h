/* Graphs that the tests of generators use. */
#ifndef SEMLA_TEST_MODELS_H
#define SEMLA_TEST_MODELS_H

#include <string.h>

#include <semla/io.h>

#include "library_context.h"

/* A small graph of each model. */
static const sl_generator ALL_MODELS[] = {
    {.model = SL_MODEL_KRONECKER, .seed = 7, .scale = 11, .edge_factor = 5.5},
    {.model = SL_MODEL_KRONECKER, .seed = 7, .scale = 12},
    {.model = SL_MODEL_UNIFORM, .seed = 7, .vertices = 1000, .edges = 10007},
    {.model = SL_MODEL_GRID, .side = {30, 41, 3}},
    {.model = SL_MODEL_PATH, .vertices = 5003},
    {.model = SL_MODEL_STAR, .vertices = 5003},
    {.model = SL_MODEL_COMPLETE, .vertices = 131},
    {.model = SL_MODEL_ROAD, .seed = 7, .side = {300, 200}},
};
enum { MODELS = sizeof ALL_MODELS / sizeof *ALL_MODELS };

/* Generates the edges of a model and checks that they are within the graph. */
static inline sl_edges generated(sl_generator model)
{
    sl_edges edges;
    memset(&edges, 0xff, sizeof edges); /* the previous contents must not matter */
    OK(ctx, sl_generate(&edges, ctx, &model));
    assert_int_equal(edges.nrows, edges.ncols);
    assert_int_equal(edges.type, !model.weighted         ? SL_BOOL
                                 : model.integer_weights ? SL_INT64
                                                         : SL_FP64);
    assert_true((edges.values != NULL) == model.weighted);
    assert_null(edges.ids);
    assert_int_equal(edges.mirror, SL_MIRROR_NONE);
    for (uint64_t e = 0; e < edges.count; e++)
        if (edges.row[e] >= edges.nrows || edges.col[e] >= edges.ncols)
            fail_msg("edge %llu is out of range", (unsigned long long)e);
    return edges;
}

#endif
