/*
 * Betweenness centrality: the scaled sum of the dependencies of the sources (sl_dependencies), a
 * batch of sources at a time.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { DEFAULT_BATCH = 64 };

static double scale_of(const sl_betweenness_options *o, double n, double count, bool symmetric)
{
    if (o->normalised)
        return n > 2 && count > 0 ? n / count / ((n - 1) * (n - 2)) : 1;
    return symmetric ? 0.5 : 1;
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
    TRY(AGREE(A, status, "betweenness", "sources #%llx\ncount %llu\nbatch %llu\nnormalised %d\n",
              sl_list_hash(sl_matrix_context(A), sources, count), (unsigned long long)count,
              (unsigned long long)o->batch, o->normalised));
    const uint64_t size = o->batch ? o->batch : DEFAULT_BATCH;
    progress.total = count;
    sl_progress_begin(sl_matrix_context(A), &progress);

    bool symmetric;
    TRY(sl_matrix_is_symmetric(&symmetric, A));
    TRY(sl_vector_filled(&sum, A, sl_scalar_fp64(0)));
    for (uint64_t next; progress.done < count; progress.done = next) {
        next = count - progress.done < size ? count : progress.done + size;
        TRY(add_batch(sum, A, sources, progress.done, next));
    }
    const double scale = scale_of(o, (double)n, (double)count, symmetric);
    TRY(sl_vector_apply_second(sum, NULL, NULL, SL_TIMES_FP64, sum, sl_scalar_fp64(scale), NULL));
out:
    sl_progress_end(sl_matrix_context(A), &progress);
    sl_return_vector(centrality, sum, status);
    return status;
}
