/*
 * Betweenness centrality by batches of searches (Brandes 2001; as products of matrices: Buluc and
 * Gilbert 2011). Row s of every matrix belongs to the search from the s-th source of the batch.
 *
 * Forward, level d is an fp64 matrix with the number of shortest paths to each vertex of that
 * level; all levels are kept. Backward, dependencies are summed from the last level to the first.
 * O(sources x edges) time, O(batch x vertices) memory.
 */
#include <inttypes.h>
#include <math.h>

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum {
    MAX_SOURCES = 32,        /* of a batch if options->batch is 0 */
    BATCH_ENTRIES = 1 << 24, /* of a matrix of such a batch */
    BATCH_WORK = 1 << 25     /* multiplications of a product, per thread: a fraction of a second */
};

/* A batch of searches. Matrices are count x n and owned, except A and At. */
typedef struct {
    const sl_matrix *A, *At;
    uint64_t n, count;     /* vertices; sources of this batch */
    sl_matrix *visited;    /* pattern */
    sl_matrix **level;     /* number of shortest paths to each vertex of a level, by level */
    uint64_t levels, room; /* elements of `level` in use and allocated */
} batch;

static void free_batch(batch *b)
{
    for (uint64_t d = 0; d < b->levels; d++)
        sl_matrix_free(b->level[d]);
    sl_free(b->level);
    sl_matrix_free(b->visited);
}

/* Appends a level and marks its vertices as visited. Takes the matrix. */
static sl_status append_level(batch *b, sl_matrix *paths)
{
    sl_context *ctx = sl_matrix_context(b->A);
    sl_scalar most;
    sl_status status;
    if (b->levels == b->room) {
        uint64_t room = b->room ? 2 * b->room : 16;
        sl_matrix **level = sl_realloc(b->level, room * sizeof *level);
        b->level = level ? level : b->level;
        status =
            sl_agree(ctx, level ? SL_OK
                                : sl_fail(ctx, SL_NO_MEMORY,
                                          "betweenness: no memory for %" PRIu64 " levels", room));
        if (status != SL_OK) {
            sl_matrix_free(paths);
            return status;
        }
        b->room = room;
    }
    b->level[b->levels++] = paths;
    TRY(sl_matrix_reduce(&most, NULL, SL_MAX_MONOID_FP64, paths));
    if (most.as.fp64_ == INFINITY)
        TRY(sl_fail(ctx, SL_OUT_OF_RANGE,
                    "betweenness: the number of shortest paths of %" PRIu64
                    " edges between two vertices exceeds the range of fp64",
                    b->levels - 1));
    TRY(sl_matrix_assign_scalar(b->visited, paths, NULL, sl_scalar_bool(true), SL_ALL, 0, SL_ALL, 0,
                                sl_descriptor_get(SL_STRUCTURE)));
out:
    return status;
}

/* Level 0: one path from each source to itself. */
static sl_status begin(batch *b, const uint64_t *sources, uint64_t first)
{
    sl_context *ctx = sl_matrix_context(b->A);
    sl_matrix *paths = NULL;
    sl_status status;
    TRY(sl_matrix_new(&b->visited, ctx, SL_BOOL, b->count, b->n));
    TRY(sl_matrix_new(&paths, ctx, SL_FP64, b->count, b->n));
    for (uint64_t s = 0; s < b->count; s++)
        TRY(sl_matrix_set(paths, s, sources ? sources[first + s] : first + s, sl_scalar_fp64(1)));
    status = append_level(b, paths);
    paths = NULL;
out:
    sl_matrix_free(paths);
    return status;
}

/* Forward: paths to the next level = (paths to the last level) A, masked by the unvisited vertices.
 */
static sl_status search(batch *b)
{
    sl_descriptor unvisited = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    sl_matrix *paths = NULL;
    sl_status status;
    for (;;) {
        uint64_t count;
        TRY(sl_matrix_new(&paths, sl_matrix_context(b->A), SL_FP64, b->count, b->n));
        TRY(sl_mxm(paths, b->visited, NULL, SL_PLUS_FIRST_FP64, b->level[b->levels - 1], b->A,
                   unvisited));
        TRY(sl_matrix_nvals(&count, paths));
        if (count == 0)
            break;
        status = append_level(b, paths);
        paths = NULL;
        if (status != SL_OK)
            break;
    }
out:
    sl_matrix_free(paths);
    return status;
}

/*
 * Backward: computes 1 + dependency of each vertex, from the last level to level 1. For a vertex u
 * with successors v of the next level, dependency(u) = paths(u) * sum of (1 + dependency(v)) /
 * paths(v). `flow` is (1 + dependency) / paths of a level, then its sum over successors.
 */
static sl_status sum_dependencies(sl_matrix *one_plus, const batch *b)
{
    sl_descriptor in_level = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE);
    sl_matrix *flow = NULL;
    sl_status status;
    TRY(sl_matrix_new(&flow, sl_matrix_context(b->A), SL_FP64, b->count, b->n));
    TRY(sl_matrix_assign_scalar(one_plus, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, SL_ALL, 0,
                                NULL));
    for (uint64_t d = b->levels; d-- > 2;) {
        const sl_matrix *paths = b->level[d - 1];
        TRY(sl_matrix_ewise_mult(flow, NULL, NULL, SL_DIV_FP64, one_plus, b->level[d], NULL));
        TRY(sl_mxm(flow, paths, NULL, SL_PLUS_FIRST_FP64, flow, b->At, in_level));
        TRY(sl_matrix_ewise_mult(one_plus, NULL, SL_PLUS_FP64, SL_TIMES_FP64, flow, paths, NULL));
    }
out:
    sl_matrix_free(flow);
    return status;
}

/* Adds the dependencies of the sources of a batch to the centrality. Frees the batch. */
static sl_status add_batch(sl_vector *centrality, batch *b, const uint64_t *sources, uint64_t first)
{
    sl_matrix *one_plus = NULL;
    sl_status status;
    TRY(begin(b, sources, first));
    TRY(search(b));
    TRY(sl_matrix_new(&one_plus, sl_matrix_context(b->A), SL_FP64, b->count, b->n));
    TRY(sum_dependencies(one_plus, b));
    TRY(sl_matrix_reduce_rows(centrality, NULL, SL_PLUS_FP64, SL_PLUS_MONOID_FP64, one_plus,
                              sl_descriptor_get(SL_TRANSPOSE_A)));
    TRY(sl_vector_apply_second(centrality, NULL, NULL, SL_MINUS_FP64, centrality,
                               sl_scalar_fp64((double)b->count), NULL));
out:
    sl_matrix_free(one_plus);
    free_batch(b);
    return status;
}

/* The number of sources of a batch: bounds the memory of a matrix, and the time of a product, which
 * cannot be interrupted. */
static sl_status choose_batch(uint64_t *size, const sl_matrix *A)
{
    const uint64_t n = sl_matrix_nrows(A);
    const uint64_t threads = (uint64_t)sl_context_threads(sl_matrix_context(A));
    uint64_t edges;
    sl_status status = sl_matrix_nvals(&edges, A);
    if (status != SL_OK)
        return status;
    *size = MAX_SOURCES;
    if (n > 0 && *size > BATCH_ENTRIES / n)
        *size = BATCH_ENTRIES / n;
    if (edges > 0 && *size > BATCH_WORK * threads / edges)
        *size = BATCH_WORK * threads / edges;
    *size += *size == 0;
    return SL_OK;
}

static double scale_of(const sl_betweenness_options *o, double n, double count, bool symmetric)
{
    if (o->normalised)
        return n > 2 && count > 0 ? n / count / ((n - 1) * (n - 2)) : 1;
    return symmetric ? 0.5 : 1;
}

sl_status sl_betweenness(sl_vector **centrality, const sl_matrix *A, const uint64_t *sources,
                         uint64_t count, const sl_betweenness_options *options)
{
    static const sl_betweenness_options defaults;
    const sl_betweenness_options *o = options ? options : &defaults;
    if (centrality)
        *centrality = NULL;
    sl_progress progress = {.operation = "betweenness"};
    sl_matrix *owned = NULL;
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
    uint64_t size = o->batch;
    if (size == 0)
        TRY(choose_batch(&size, A));
    progress.total = count;
    sl_progress_begin(sl_matrix_context(A), &progress);

    const sl_matrix *At;
    TRY(sl_transpose_of(&At, &owned, A));
    TRY(sl_vector_filled(&sum, A, sl_scalar_fp64(0)));
    for (uint64_t first = 0, next; first < count; first = next) {
        next = count - first < size ? count : first + size;
        batch b = {.A = A, .At = At, .n = n, .count = next - first};
        TRY(add_batch(sum, &b, sources, first));
        progress.done = next;
    }
    double scale = scale_of(o, (double)n, (double)count, !owned);
    TRY(sl_vector_apply_second(sum, NULL, NULL, SL_TIMES_FP64, sum, sl_scalar_fp64(scale), NULL));
out:
    sl_progress_end(sl_matrix_context(A), &progress);
    sl_matrix_free(owned);
    sl_return_vector(centrality, sum, status);
    return status;
}
