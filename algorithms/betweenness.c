/*
 * Betweenness centrality: the scaled sum of the dependencies of the sources (sl_dependencies), a
 * batch of sources at a time.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { DEFAULT_BATCH = 64 };

/* sum *= scale, for a sum that is not normalised. */
static sl_status scale_sum(sl_vector *sum, const sl_matrix *A, uint64_t count,
                           const sl_betweenness_options *o)
{
    const bool undirected = o->edges == SL_EDGES_UNDIRECTED || (o->edges == SL_EDGES_AS_DECLARED &&
                                                                sl_matrix_is_declared_symmetric(A));
    double scale = undirected ? 0.5 : 1;
    if (o->sampled && count > 0)
        scale *= (double)sl_matrix_nrows(A) / (double)count;
    return sl_vector_apply_second(sum, NULL, NULL, SL_TIMES_FP64, sum, sl_scalar_fp64(scale), NULL);
}

/* *times has an entry for each source: how often it is in the list. */
static sl_status count_sources(sl_vector **times, const sl_matrix *A, const uint64_t *sources,
                               uint64_t count)
{
    sl_context *ctx = sl_matrix_context(A);
    uint64_t first, last; /* each process passes a part of the list */
    double *ones = NULL;
    sl_status status = sl_vector_new(times, ctx, SL_FP64, sl_matrix_nrows(A));
    sl_context_local_range(ctx, count, &first, &last);
    if (status == SL_OK && !(ones = sl_malloc((last - first + 1) * sizeof *ones)))
        status = sl_fail(ctx, SL_NO_MEMORY, "betweenness: out of memory");
    TRY(sl_agree(ctx, status));
    for (uint64_t k = 0; k < last - first; k++)
        ones[k] = 1;
    TRY(sl_vector_build(*times, sources + first, ones, last - first, SL_PLUS_FP64));
out:
    sl_free(ones);
    return status;
}

/* Divides the sum of each vertex by the number of its pairs. */
static sl_status normalise(sl_vector *sum, const sl_matrix *A, const uint64_t *sources,
                           uint64_t count)
{
    const double n = (double)sl_matrix_nrows(A);
    sl_vector *pairs = NULL, *times = NULL;
    sl_status status;
    if (n <= 2)
        return SL_OK;
    TRY(sl_vector_filled(&pairs, A, sl_scalar_fp64(sources ? (double)count : n - 1)));
    if (sources) {
        TRY(count_sources(&times, A, sources, count));
        TRY(sl_vector_apply(pairs, NULL, SL_MINUS_FP64, SL_IDENTITY_FP64, times, NULL));
        /* the sum of a vertex without pairs is 0 */
        TRY(sl_vector_apply_second(pairs, NULL, NULL, SL_MAX_FP64, pairs, sl_scalar_fp64(1), NULL));
    }
    TRY(sl_vector_apply_second(pairs, NULL, NULL, SL_TIMES_FP64, pairs, sl_scalar_fp64(n - 2),
                               NULL));
    TRY(sl_vector_ewise_mult(sum, NULL, NULL, SL_DIV_FP64, sum, pairs, NULL));
out:
    sl_vector_free(pairs);
    sl_vector_free(times);
    return status;
}

/* Adds the dependencies of the sources number `first` to `next` - 1; without a list, these are the
 * vertices themselves. */
static sl_status add_batch(sl_vector *sum, const sl_matrix *A, const uint64_t *sources,
                           uint64_t first, uint64_t next)
{
    uint64_t *vertices = NULL;
    sl_status status = SL_OK;
    if (sources)
        return sl_dependencies(sum, A, sources + first, next - first);
    vertices = sl_malloc((next - first) * sizeof *vertices);
    if (!vertices)
        status = sl_fail(sl_matrix_context(A), SL_NO_MEMORY, "betweenness: out of memory");
    status = sl_agree(sl_matrix_context(A), status);
    for (uint64_t v = first; status == SL_OK && v < next; v++)
        vertices[v - first] = v;
    if (status == SL_OK)
        status = sl_dependencies(sum, A, vertices, next - first);
    sl_free(vertices);
    return status;
}

sl_status sl_betweenness(sl_vector **centrality, const sl_matrix *A, const uint64_t *sources,
                         uint64_t count, const sl_betweenness_options *options)
{
    static const sl_betweenness_options defaults;
    const sl_betweenness_options *o = options ? options : &defaults;
    if (centrality)
        *centrality = NULL;
    sl_progress progress = {.operation = "betweenness"};
    sl_vector *sum = NULL;
    sl_status status;
    const uint64_t n = sl_matrix_nrows(A);
    if (!sources)
        count = n;
    status = sl_require_output("betweenness", A, centrality, "centrality");
    if (status == SL_OK && sources)
        status = sl_require_vertices("betweenness", "source", A, sources, count);
    if (status == SL_OK && (unsigned)o->edges > SL_EDGES_UNDIRECTED)
        status = sl_fail(sl_matrix_context(A), SL_INVALID,
                         "betweenness: there is no kind of edges number %d", (int)o->edges);
    TRY(AGREE(A, status, "betweenness",
              "sources #%llx\ncount %llu\nbatch %llu\nnormalised %d\nsampled %d\nedges %d\n",
              sl_list_hash(sl_matrix_context(A), sources, count), (unsigned long long)count,
              (unsigned long long)o->batch, o->normalised, o->sampled, (int)o->edges));
    if (o->edges == SL_EDGES_UNDIRECTED)
        TRY(sl_require_symmetric("betweenness", A));
    const uint64_t size = o->batch ? o->batch : DEFAULT_BATCH;
    progress.total = count;
    sl_progress_begin(sl_matrix_context(A), &progress);

    TRY(sl_vector_filled(&sum, A, sl_scalar_fp64(0)));
    for (uint64_t next; progress.done < count; progress.done = next) {
        next = count - progress.done < size ? count : progress.done + size;
        TRY(add_batch(sum, A, sources, progress.done, next));
    }
    TRY(o->normalised ? normalise(sum, A, sources, count) : scale_sum(sum, A, count, o));
out:
    sl_progress_end(sl_matrix_context(A), &progress);
    sl_return_vector(centrality, sum, status);
    return status;
}
