/*
 * Finds a cycle of negative length among the predecessors of tentative distances (Cherkassky and
 * Goldberg 1999). The predecessors form a graph with at most one edge into each vertex; its cycles
 * are found by following the predecessors from every vertex once, and the lengths of each are added
 * up. O(edges + vertices).
 */
#include "algorithms/sssp_parts.h"

/*
 * The edges (u, v) between vertices with a distance for which distance(u) + length and distance(v)
 * compare as asked for, as the pattern of a new matrix: SL_BINARY_EQ: tight edges, SL_BINARY_LT:
 * edges that improve a distance. Two products with the diagonal matrix of the distances.
 */
static sl_status compare_edges(sl_matrix **edges, sl_binary_code compare, const sl_matrix *lengths,
                               const sl_vector *distance, sl_semiring min_plus)
{
    sl_context *ctx = sl_matrix_context(lengths);
    const uint64_t n = sl_matrix_nrows(lengths);
    const sl_type type = sl_vector_type(distance);
    sl_matrix *D = NULL, *through = NULL, *to = NULL;
    sl_status status;
    TRY(sl_matrix_diag(&D, distance, 0));
    TRY(sl_matrix_new(&through, ctx, type, n, n));
    TRY(sl_matrix_new(&to, ctx, type, n, n));
    TRY(sl_matrix_new(edges, ctx, SL_BOOL, n, n));
    TRY(sl_mxm(through, NULL, NULL, min_plus, D, lengths, NULL));
    TRY(sl_mxm(to, NULL, NULL, sl_semiring_get(SL_SEMIRING_MIN_SECOND, type), through, D, NULL));
    TRY(sl_matrix_ewise_mult(*edges, NULL, NULL, sl_binary_op_get(compare, type), through, to,
                             NULL));
    TRY(sl_matrix_select(*edges, NULL, NULL, SL_VALUEEQ_BOOL, *edges, sl_scalar_bool(true), NULL));
out:
    sl_matrix_free(D);
    sl_matrix_free(through);
    sl_matrix_free(to);
    return status;
}

/* For each vertex the least vertex from which an edge improves its distance, or otherwise from
 * which an edge is tight; SL_UNREACHED if there is none. */
static sl_status find_predecessors(int64_t **predecessor, const sl_matrix *lengths,
                                   const sl_vector *distance, sl_semiring min_plus)
{
    sl_matrix *improving = NULL, *tight = NULL;
    sl_vector *any = NULL, *from = NULL;
    sl_status status;
    TRY(compare_edges(&improving, SL_BINARY_LT, lengths, distance, min_plus));
    TRY(compare_edges(&tight, SL_BINARY_EQ, lengths, distance, min_plus));
    TRY(sl_vector_filled(&any, lengths, sl_scalar_bool(true)));
    TRY(sl_vector_new(&from, sl_matrix_context(lengths), SL_INT64, sl_matrix_nrows(lengths)));
    TRY(sl_vxm(from, NULL, NULL, SL_MIN_SECONDI_INT64, any, improving, NULL));
    TRY(sl_vxm(from, from, NULL, SL_MIN_SECONDI_INT64, any, tight,
               sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    TRY(sl_search_array(predecessor, from));
out:
    sl_matrix_free(improving);
    sl_matrix_free(tight);
    sl_vector_free(any);
    sl_vector_free(from);
    return status;
}

/* Whether the lengths of the cycle of predecessors through `vertex` have a negative sum. */
static sl_status is_negative_cycle(bool *negative, const sl_matrix *lengths,
                                   const int64_t *predecessor, uint64_t vertex)
{
    __int128 whole = 0; /* n lengths of 64 bits */
    double real = 0;
    for (uint64_t v = vertex;;) {
        uint64_t u = (uint64_t)predecessor[v];
        sl_scalar length;
        sl_status status = sl_matrix_get(&length, lengths, u, v);
        if (status != SL_OK)
            return status;
        if (length.type == SL_FP64 || length.type == SL_FP32)
            real += sl_scalar_cast(length, SL_FP64).as.fp64_;
        else
            whole += sl_scalar_cast(length, SL_INT64).as.int64_;
        v = u;
        if (v == vertex)
            break;
    }
    *negative = whole < 0 || real < 0;
    return SL_OK;
}

/* Marks the vertices that are followed with the number of the start, plus 1: a path that reaches a
 * vertex with its own mark has closed a cycle. */
sl_status sl_sssp_find_cycle(uint64_t *vertex, const sl_matrix *lengths, const sl_vector *distance,
                             sl_semiring min_plus)
{
    sl_context *ctx = sl_matrix_context(lengths);
    const uint64_t n = sl_matrix_nrows(lengths);
    int64_t *predecessor = NULL;
    uint64_t *mark = NULL;
    sl_status status;
    TRY(find_predecessors(&predecessor, lengths, distance, min_plus));
    mark = sl_calloc(n, sizeof *mark);
    TRY(sl_agree(ctx,
                 mark ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "sssp: no memory to look for cycles")));
    for (uint64_t start = 0; start < n; start++) {
        uint64_t v = start;
        bool negative = false;
        while (predecessor[v] != SL_UNREACHED && mark[v] == 0) {
            mark[v] = start + 1;
            v = (uint64_t)predecessor[v];
        }
        if (predecessor[v] != SL_UNREACHED && mark[v] == start + 1)
            TRY(is_negative_cycle(&negative, lengths, predecessor, v));
        if (negative) {
            *vertex = v;
            goto out;
        }
    }
    status = SL_NO_VALUE;
out:
    sl_free(predecessor);
    sl_free(mark);
    return status;
}
