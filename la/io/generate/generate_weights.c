/* Random weights of the edges of models: integers or reals of a range. */
#include <inttypes.h>

#include "io/generate/generate.h"

enum { WEIGHT_STREAM = 2 }; /* of the seed; 0 and 1 are those of edges and vertex labels */

/* Integers of a greater absolute value are not exact in sl_generator. */
#define WHOLE_LIMIT 0x1p53

static bool is_whole(double x)
{
    return fabs(x) <= WHOLE_LIMIT && x == floor(x);
}

sl_status generator_weights(sl_edge_weights *weights, sl_context *ctx, const sl_generator *model)
{
    const bool given = model->least_weight != 0 || model->greatest_weight != 0;
    const double least = given ? model->least_weight : 0;
    const double greatest = given ? model->greatest_weight : 1;
    *weights = (sl_edge_weights){.integers = model->integer_weights,
                                 .key = sl_random_stream(model->seed, WEIGHT_STREAM),
                                 .least = least + 0.0, /* of -0 makes 0 */
                                 .span = greatest - least};
    if (!weights->integers) {
        if (isfinite(least) && isfinite(weights->span) && least < greatest)
            return SL_OK;
        return sl_fail(ctx, SL_INVALID,
                       "generate: the weights are from %.17g to %.17g; the second number must be "
                       "above the first, and both finite",
                       least, greatest);
    }
    if (!is_whole(least) || !is_whole(greatest) || least > greatest)
        return sl_fail(ctx, SL_INVALID,
                       "generate: the integer weights are from %.17g to %.17g; both must be whole "
                       "numbers from -2^53 to 2^53, the first not above the second",
                       least, greatest);
    weights->first = (int64_t)least;
    weights->count = (uint64_t)((int64_t)greatest - weights->first) + 1;
    return SL_OK;
}

sl_status generate_weights(sl_edges *edges, sl_context *ctx, const sl_edge_weights *weights,
                           uint64_t first)
{
    edges->type = sl_edge_weights_type(weights);
    edges->values = sl_malloc((edges->count + 1) * 8);
    if (!edges->values)
        return sl_fail(ctx, SL_NO_MEMORY,
                       "generate: no memory for the weights of %" PRIu64 " edges", edges->count);
    double *reals = edges->values;
    int64_t *integers = edges->values;
    edge_blocks b = {.ctx = ctx, .count = edges->count};
    while (edge_blocks_next(&b)) {
#pragma omp parallel for schedule(static)
        for (uint64_t k = b.begin; k < b.end; k++) {
            const uint64_t number =
                first != BY_ENDPOINTS ? first + k : edges->row[k] * edges->nrows + edges->col[k];
            if (weights->integers)
                integers[k] = sl_edge_integer_weight(weights, number);
            else
                reals[k] = sl_edge_real_weight(weights, number);
        }
    }
    return b.status;
}
