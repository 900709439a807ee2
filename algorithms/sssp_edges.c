#include "sssp.h"

#include <inttypes.h>

/* The edges (u, v) between reached vertices for which distance(u) + length compares
 * so with distance(v), as a pattern. */
static sl_status compare_edges(sl_matrix **edges, sl_binary_code compare, const sl_matrix *lengths,
                               const sl_vector *distance)
{
    sl_context *ctx = sl_matrix_context(lengths);
    const uint64_t n = sl_matrix_nrows(lengths);
    const sl_type type = sl_vector_type(distance);
    sl_matrix *D = NULL, *there = NULL, *now = NULL;
    sl_status status;
    TRY(sl_matrix_diag(&D, distance, 0));
    TRY(sl_matrix_new(&there, ctx, type, n, n));
    TRY(sl_matrix_new(&now, ctx, type, n, n));
    TRY(sl_matrix_new(edges, ctx, SL_BOOL, n, n));
    TRY(sl_mxm(there, NULL, NULL, sl_semiring_get(SL_SEMIRING_MIN_PLUS, type), D, lengths, NULL));
    TRY(sl_mxm(now, NULL, NULL, sl_semiring_get(SL_SEMIRING_MIN_SECOND, type), there, D, NULL));
    TRY(sl_matrix_ewise_mult(*edges, NULL, NULL, sl_binary_op_get(compare, type), there, now,
                             NULL));
    TRY(sl_matrix_select(*edges, NULL, NULL, SL_VALUEEQ_BOOL, *edges, sl_scalar_bool(true), NULL));
out:
    sl_matrix_free(D);
    sl_matrix_free(there);
    sl_matrix_free(now);
    return status;
}

sl_status sl_sssp_tree(sl_vector **parent, const sl_matrix *lengths, const sl_vector *distance,
                       uint64_t source)
{
    const sl_bfs_options least = {.deterministic = true};
    sl_matrix *tight = NULL;
    uint64_t reached, spanned;
    sl_status status;
    TRY(compare_edges(&tight, SL_BINARY_EQ, lengths, distance));
    TRY(sl_bfs(parent, NULL, tight, source, &least));
    TRY(sl_vector_nvals(&reached, distance));
    TRY(sl_vector_nvals(&spanned, *parent));
    /* Negative lengths far below the distances' precision may better a vertex
     * after others were reached through it, and these not. */
    if (spanned < reached)
        TRY(sl_fail(sl_matrix_context(lengths), SL_OUT_OF_RANGE,
                    "sssp: lengths are too different in size for %s: %" PRIu64
                    " vertices have no parent",
                    sl_type_name(sl_vector_type(distance)), reached - spanned));
out:
    sl_matrix_free(tight);
    return status;
}

/* For each vertex the least from which an edge betters it, or else confirms it. */
static sl_status find_predecessors(int64_t **before, const sl_matrix *lengths,
                                   const sl_vector *distance)
{
    sl_matrix *better = NULL, *tight = NULL;
    sl_vector *any = NULL, *from = NULL;
    sl_status status;
    TRY(compare_edges(&better, SL_BINARY_LT, lengths, distance));
    TRY(compare_edges(&tight, SL_BINARY_EQ, lengths, distance));
    TRY(sl_vector_filled(&any, lengths, sl_scalar_bool(true)));
    TRY(sl_vector_new(&from, sl_matrix_context(lengths), SL_INT64, sl_matrix_nrows(lengths)));
    TRY(sl_vxm(from, NULL, NULL, SL_MIN_SECONDI_INT64, any, better, NULL));
    TRY(sl_vxm(from, from, NULL, SL_MIN_SECONDI_INT64, any, tight,
               sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    TRY(sl_search_array(before, from));
out:
    sl_matrix_free(better);
    sl_matrix_free(tight);
    sl_vector_free(any);
    sl_vector_free(from);
    return status;
}

/* *negative: whether the lengths of the cycle of predecessors through `vertex` sum up to that. */
static sl_status add_up(bool *negative, const sl_matrix *lengths, const int64_t *before,
                        uint64_t vertex)
{
    int64_t whole = 0;
    double real = 0;
    for (uint64_t v = vertex;;) {
        uint64_t u = (uint64_t)before[v];
        sl_scalar length;
        sl_status status = sl_matrix_get(&length, lengths, u, v);
        if (status != SL_OK)
            return status;
        if (length.type == SL_FP64)
            real += length.as.fp64_;
        else
            whole += length.as.int64_;
        v = u;
        if (v == vertex)
            break;
    }
    *negative = whole < 0 || real < 0;
    return SL_OK;
}

/* Follows predecessors from every vertex once; those on the way are marked with
 * the vertex that the way began at, so that one that meets itself is a cycle. */
sl_status sl_sssp_find_cycle(uint64_t *vertex, const sl_matrix *lengths, const sl_vector *distance)
{
    sl_context *ctx = sl_matrix_context(lengths);
    const uint64_t n = sl_matrix_nrows(lengths);
    int64_t *before = NULL;
    uint64_t *mark = NULL;
    sl_status status;
    TRY(find_predecessors(&before, lengths, distance));
    mark = sl_calloc(n, sizeof *mark);
    TRY(sl_agree(ctx, mark ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "sssp: no memory for marks")));
    for (uint64_t begin = 0; begin < n; begin++) {
        uint64_t v = begin;
        bool negative = false;
        while (before[v] != SL_UNREACHED && mark[v] == 0) {
            mark[v] = begin + 1;
            v = (uint64_t)before[v];
        }
        if (before[v] != SL_UNREACHED && mark[v] == begin + 1)
            TRY(add_up(&negative, lengths, before, v));
        if (negative) {
            *vertex = v;
            goto out;
        }
    }
    status = SL_NO_VALUE;
out:
    sl_free(before);
    sl_free(mark);
    return status;
}
