/*
 * Kernel 3 of the Graph500 benchmark: shortest paths from a root with distances and parents, the
 * closure of the root over min_plus. The rate counts the same edges as the search from that root.
 */
#include "bfs/graph500.h"

static sl_status shortest_paths(sl_vector **distance, sl_vector **tree, const sl_benchmark *b,
                                uint64_t root)
{
    sl_closure_options options = {
        .from_source = true, .source = root, .source_value = sl_scalar_fp64(0)};
    sl_status status;
    TRY(sl_vector_new(distance, b->ctx, SL_FP64, b->report->vertices));
    TRY(sl_vector_new(tree, b->ctx, SL_INT64, b->report->vertices));
    options.parent = *tree;
    TRY(sl_closure(*distance, NULL, b->A, SL_MIN_PLUS_FP64, &options));
out:
    return status;
}

sl_status sl_benchmark_paths(sl_benchmark *b, unsigned i)
{
    double *seconds = sl_benchmark_quantity(b, PATH_SECONDS),
           *teps = sl_benchmark_quantity(b, PATH_TEPS);
    sl_vector *distance = NULL, *tree = NULL;
    const double start = sl_benchmark_now();
    sl_status status = shortest_paths(&distance, &tree, b, b->roots[i]);
    seconds[i] = sl_benchmark_now() - start;
    teps[i] = sl_benchmark_quantity(b, EDGES)[i] / seconds[i];
    if (status == SL_OK && !b->options->skip_validation)
        status = sl_benchmark_validate_paths(b, b->roots[i], distance, tree);
    sl_vector_free(distance);
    sl_vector_free(tree);
    return status;
}
