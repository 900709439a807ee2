/*
 * Closeness centrality by breadth-first searches from all sources, BATCH at a time as the closures of a
 * matrix of frontiers (Wasserman and Faust 1994). Exact: the search from a vertex along the mirror edges
 * has its distances from all others, which are a row of levels. Estimated: the levels of all sources are
 * summed for each vertex, which is a column (Eppstein and Wang, "Fast
 * Approximation of Centrality", Journal of Graph Algorithms and Applications 8, 2004).
 *
 * Distances are summed in int64, and the two forms divide the same numbers, so that results do not
 * depend on the engine. O(BATCH x vertices) memory, besides the transpose of a directed graph.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

#include "algorithms/frontiers.h"

enum { BATCH = 64 };

/* The sums of the searches from the sources, for each vertex v: int64, full, owned. */
typedef struct {
    sl_vector *others;   /* sources other than v */
    sl_vector *reached;  /* sources from which v was reached; in the end those other than v */
    sl_vector *distance; /* the sum of the distances from these */
} sums;

static double closeness_of(double others, double reached, double distance)
{
    return distance > 0 ? reached * reached / (others * distance) : 0;
}

/* The number of sources of the batch that begins at number `first`. */
static uint64_t batch_size(uint64_t first, uint64_t count)
{
    return count - first < BATCH ? count - first : BATCH;
}

/* *level becomes the levels of the searches from `count` sources, a row for each: see
 * sl_frontiers_of. */
static sl_status search(sl_matrix **level, const sl_matrix *A, const uint64_t *sources,
                        uint64_t first, uint64_t count)
{
    const uint64_t n = sl_matrix_nrows(A);
    sl_matrix *q = NULL, *made = NULL;
    sl_status status;
    TRY(sl_frontiers_of(&q, "closeness", A, sources, first, count));
    TRY(sl_matrix_new(&made, sl_matrix_context(A), SL_INT64, count, n));
    const sl_closures_options options = {.level = made};
    TRY(sl_closures(NULL, q, A, SL_ANY_PAIR_BOOL, &options));
out:
    sl_matrix_free(q);
    sl_return_matrix(level, made, status);
    return status;
}

/* A full int64 vector of ones. */
static sl_status make_ones(sl_vector **ones, sl_context *ctx, uint64_t size)
{
    const sl_status status = sl_vector_new(ones, ctx, SL_INT64, size);
    return status == SL_OK
               ? sl_vector_assign_scalar(*ones, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL)
               : status;
}

/* ---- exact, of the sources ------------------------------------------------ */

/* Writes the closeness of `count` sources, of which row s of the levels has the distances. Every row has
 * an entry, for the source itself. */
static sl_status write_closeness(sl_vector *closeness, const sl_matrix *level,
                                 const sl_vector *ones, const uint64_t *sources, uint64_t count)
{
    sl_context *ctx = sl_matrix_context(level);
    const double others = (double)(sl_matrix_ncols(level) - 1);
    sl_vector *distance = NULL, *reached = NULL;
    sl_arrays distances = {0}, counts = {0};
    sl_status status;
    TRY(sl_vector_new(&distance, ctx, SL_INT64, count));
    TRY(sl_vector_new(&reached, ctx, SL_INT64, count));
    TRY(sl_mxv(distance, NULL, NULL, SL_PLUS_FIRST_INT64, level, ones, NULL));
    TRY(sl_mxv(reached, NULL, NULL, SL_PLUS_PAIR_INT64, level, ones, NULL));
    TRY(sl_vector_copy_whole(&distances, distance));
    TRY(sl_vector_copy_whole(&counts, reached));
    TRY(sl_agree(ctx, sl_arrays_expand(ctx, &distances)));
    TRY(sl_agree(ctx, sl_arrays_expand(ctx, &counts)));
    for (uint64_t s = 0; s < count; s++) {
        const double sum = (double)((const int64_t *)distances.values)[s],
                     number = (double)((const int64_t *)counts.values)[s];
        TRY(sl_vector_set(closeness, sources[s],
                          sl_scalar_fp64(closeness_of(others, number - 1, sum))));
    }
out:
    sl_arrays_free(&distances);
    sl_arrays_free(&counts);
    sl_vector_free(distance);
    sl_vector_free(reached);
    return status;
}

static sl_status compute_exactly(sl_vector **closeness, const sl_matrix *A, const uint64_t *sources,
                                 sl_progress *progress)
{
    const uint64_t n = sl_matrix_nrows(A);
    const sl_matrix *At;
    sl_matrix *owned = NULL, *level = NULL;
    sl_vector *ones = NULL;
    sl_status status;
    TRY(sl_transpose_of(&At, &owned, A));
    TRY(sl_vector_new(closeness, sl_matrix_context(A), SL_FP64, n));
    TRY(make_ones(&ones, sl_matrix_context(A), n));
    for (uint64_t size; progress->done < progress->total; progress->done += size) {
        const uint64_t *here = sources + progress->done;
        size = batch_size(progress->done, progress->total);
        sl_matrix_free(level);
        TRY(search(&level, At, here, 0, size));
        TRY(write_closeness(*closeness, level, ones, here, size));
    }
out:
    sl_matrix_free(owned);
    sl_matrix_free(level);
    sl_vector_free(ones);
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

/* Adds the searches from `count` sources: see sl_frontiers_of. */
static sl_status add_searches(sums *s, const sl_matrix *A, const uint64_t *sources, uint64_t first,
                              uint64_t count)
{
    sl_matrix *level = NULL;
    sl_vector *ones = NULL;
    sl_status status;
    TRY(search(&level, A, sources, first, count));
    TRY(make_ones(&ones, sl_matrix_context(A), count));
    TRY(sl_vxm(s->distance, NULL, SL_PLUS_INT64, SL_PLUS_SECOND_INT64, ones, level, NULL));
    TRY(sl_vxm(s->reached, NULL, SL_PLUS_INT64, SL_PLUS_PAIR_INT64, ones, level, NULL));
out:
    sl_matrix_free(level);
    sl_vector_free(ones);
    return status;
}

/* A source is reached by its own searches, which do not count. */
static sl_status leave_out_own(sums *s, uint64_t count)
{
    sl_status status;
    TRY(sl_vector_ewise_add(s->reached, NULL, NULL, SL_PLUS_INT64, s->reached, s->others, NULL));
    TRY(sl_vector_apply_second(s->reached, NULL, NULL, SL_MINUS_INT64, s->reached,
                               sl_scalar_int64((int64_t)count), NULL));
out:
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
    for (uint64_t size; progress->done < progress->total; progress->done += size) {
        size = batch_size(progress->done, progress->total);
        TRY(add_searches(&s, A, sources ? sources + progress->done : NULL, progress->done, size));
    }
    TRY(leave_out_own(&s, progress->total));
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
