/* The neighbourhood of several vertices: one bounded closure over any_pair from all of them.
 * O(edges). */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

sl_status sl_khop(sl_vector **level, const sl_matrix *A, const uint64_t *sources, uint64_t count,
                  uint64_t hops)
{
    if (level)
        *level = NULL;
    sl_vector *depth = NULL, *reached = NULL, *q = NULL;
    sl_status status;
    sl_context *ctx = sl_matrix_context(A);
    status = sl_require_output("khop", A, level, "level");
    if (status == SL_OK)
        status = sl_require_vertices("khop", "source", A, sources, count);
    TRY(AGREE(A, status, "khop", "sources #%llx\ncount %llu\nhops %llu\n",
              sl_list_hash(ctx, sources, count), (unsigned long long)count,
              (unsigned long long)hops));

    TRY(sl_vector_new(&reached, ctx, SL_BOOL, sl_matrix_nrows(A)));
    TRY(sl_vector_build(reached, sources, NULL, count, SL_ANY_BOOL));
    TRY(sl_vector_dup(&q, reached));
    TRY(sl_vector_new(&depth, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_assign_scalar(depth, q, NULL, sl_scalar_int64(0), SL_ALL, 0,
                                sl_descriptor_get(SL_STRUCTURE)));
    sl_closure_options options = {.bounded = true, .max_iterations = hops, .level = depth};
    TRY(sl_closure(reached, q, A, SL_ANY_PAIR_BOOL, &options));
out:
    sl_vector_free(q);
    sl_vector_free(reached);
    sl_return_vector(level, depth, status);
    return status;
}
