/*
 * Closeness centrality by one breadth-first search per source (Wasserman and Faust 1994). Exact: the
 * search from a vertex along the mirror edges has its distances from all others. Estimated: the
 * searches from all sources add their levels to one sum per vertex (Eppstein and Wang, "Fast
 * Approximation of Centrality", Journal of Graph Algorithms and Applications 8, 2004).
 *
 * Distances are summed in int64, and the two forms divide the same numbers, so that results do not
 * depend on the engine. O(vertices) memory, besides the transpose of a directed graph.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/* The sums of the searches from the sources, for each vertex v: int64, full, owned. */
typedef struct {
    sl_vector *others;   /* sources other than v */
    sl_vector *reached;  /* those of them from which v was reached */
    sl_vector *distance; /* the sum of the distances from these */
} sums;

static double closeness_of(double others, double reached, double distance)
{
    return distance > 0 ? reached * reached / (others * distance) : 0;
}

/* ---- exact, of the sources ------------------------------------------------ */

/* Computes the closeness of one vertex. At: the transpose. */
static sl_status search_to(double *closeness, const sl_matrix *At, uint64_t vertex)
{
    sl_vector *level = NULL;
    sl_scalar distance;
    uint64_t reached;
    sl_status status;
    TRY(sl_bfs(NULL, &level, At, vertex, NULL));
    TRY(sl_vector_nvals(&reached, level));
    TRY(sl_vector_reduce(&distance, NULL, SL_PLUS_MONOID_INT64, level));
    *closeness = closeness_of((double)(sl_matrix_nrows(At) - 1), (double)(reached - 1),
                              (double)distance.as.int64_);
out:
    sl_vector_free(level);
    return status;
}

static sl_status compute_exactly(sl_vector **closeness, const sl_matrix *A, const uint64_t *sources,
                                 sl_progress *progress)
{
    const sl_matrix *At;
    sl_matrix *owned = NULL;
    double value;
    sl_status status;
    TRY(sl_transpose_of(&At, &owned, A));
    TRY(sl_vector_new(closeness, sl_matrix_context(A), SL_FP64, sl_matrix_nrows(A)));
    for (uint64_t s = 0; s < progress->total; s++) {
        TRY(search_to(&value, At, sources[s]));
        TRY(sl_vector_set(*closeness, sources[s], sl_scalar_fp64(value)));
        progress->done = s + 1;
    }
out:
    sl_matrix_free(owned);
    return status;
}

/* ---- of all vertices, by sums ---------------------------------------------- */

static void free_sums(sums *s)
{
    sl_vector_free(s->others);
    sl_vector_free(s->reached);
    sl_vector_free(s->distance);
}

/* Counts the sources other than each vertex. */
static sl_status count_others(sums *s, const sl_matrix *A, const uint64_t *sources, uint64_t count)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_vector *own = NULL; /* how often each vertex is a source */
    int64_t *ones = NULL;
    uint64_t begin, end;
    sl_status status;
    TRY(sl_vector_filled(&s->others, A, sl_scalar_int64((int64_t)count - (sources ? 0 : 1))));
    if (!sources || count == 0)
        goto out;
    sl_context_local_range(ctx, count, &begin, &end);
    ones = sl_malloc((end - begin + 1) * sizeof *ones);
    for (uint64_t k = 0; ones && k < end - begin; k++)
        ones[k] = 1;
    TRY(sl_agree(ctx, ones ? SL_OK
                           : sl_fail(ctx, SL_NO_MEMORY, "closeness: no memory for the sources")));
    TRY(sl_vector_new(&own, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_build(own, sources + begin, ones, end - begin, SL_PLUS_INT64));
    TRY(sl_vector_apply(s->others, NULL, SL_MINUS_INT64, SL_IDENTITY_INT64, own, NULL));
out:
    sl_free(ones);
    sl_vector_free(own);
    return status;
}

/* Adds the search from one source. */
static sl_status add_search(sums *s, const sl_matrix *A, uint64_t source)
{
    sl_vector *level = NULL;
    sl_status status;
    TRY(sl_bfs(NULL, &level, A, source, NULL));
    TRY(sl_vector_remove(level, source));
    TRY(sl_vector_apply(s->distance, NULL, SL_PLUS_INT64, SL_IDENTITY_INT64, level, NULL));
    TRY(sl_vector_apply(s->reached, NULL, SL_PLUS_INT64, SL_ONE_INT64, level, NULL));
out:
    sl_vector_free(level);
    return status;
}

/* closeness = reached^2 / (others distance) where the distance is not 0, otherwise 0. */
static sl_status divide(sl_vector **closeness, const sums *s, const sl_matrix *A)
{
    const sl_descriptor pattern = sl_descriptor_get(SL_STRUCTURE);
    sl_vector *dividend = NULL, *divisor = NULL;
    sl_status status;
    TRY(sl_vector_new(&dividend, sl_matrix_context(A), SL_FP64, sl_matrix_nrows(A)));
    TRY(sl_vector_new(&divisor, sl_matrix_context(A), SL_FP64, sl_matrix_nrows(A)));
    TRY(sl_vector_ewise_mult(dividend, NULL, NULL, SL_TIMES_FP64, s->reached, s->reached, NULL));
    TRY(sl_vector_ewise_mult(divisor, NULL, NULL, SL_TIMES_FP64, s->others, s->distance, NULL));
    TRY(sl_vector_select(divisor, NULL, NULL, SL_VALUEGT_FP64, divisor, sl_scalar_fp64(0), NULL));
    TRY(sl_vector_filled(closeness, A, sl_scalar_fp64(0)));
    TRY(sl_vector_ewise_mult(*closeness, divisor, NULL, SL_DIV_FP64, dividend, divisor, pattern));
out:
    sl_vector_free(dividend);
    sl_vector_free(divisor);
    return status;
}

static sl_status compute_all(sl_vector **closeness, const sl_matrix *A, const uint64_t *sources,
                             sl_progress *progress)
{
    sums s = {0};
    sl_status status;
    TRY(count_others(&s, A, sources, progress->total));
    TRY(sl_vector_filled(&s.reached, A, sl_scalar_int64(0)));
    TRY(sl_vector_filled(&s.distance, A, sl_scalar_int64(0)));
    for (uint64_t k = 0; k < progress->total; k++) {
        TRY(add_search(&s, A, sources ? sources[k] : k));
        progress->done = k + 1;
    }
    TRY(divide(closeness, &s, A));
out:
    free_sums(&s);
    return status;
}

sl_status sl_closeness(sl_vector **closeness, const sl_matrix *A, const uint64_t *sources,
                       uint64_t count, const sl_closeness_options *options)
{
    static const sl_closeness_options defaults;
    const sl_closeness_options *o = options ? options : &defaults;
    if (closeness)
        *closeness = NULL;
    sl_context *ctx = sl_matrix_context(A);
    sl_progress progress = {.operation = "closeness"};
    sl_vector *result = NULL;
    sl_status status = sl_require_output("closeness", A, closeness, "closeness");
    progress.total = sources ? count : sl_matrix_nrows(A);
    if (status == SL_OK && sources)
        status = sl_require_vertices("closeness", "source", A, sources, count);
    TRY(AGREE(A, status, "closeness", "sources #%llx\ncount %llu\nestimate %d\n",
              sl_list_hash(ctx, sources, progress.total), (unsigned long long)progress.total,
              o->estimate));
    sl_progress_begin(ctx, &progress);
    TRY(sources && !o->estimate ? compute_exactly(&result, A, sources, &progress)
                                : compute_all(&result, A, sources, &progress));
out:
    sl_progress_end(ctx, &progress);
    sl_return_vector(closeness, result, status);
    return status;
}
