/*
 * Triangles by products of the upper triangle U of the matrix, masked by U (Azad, Buluc, Gilbert,
 * IPDPSW 2015). A triangle u < v < w contributes 1 to (U U')(u, v), and 1 to (U' U)(v, w). If
 * degrees are skewed, vertices are first sorted by degree, so that the rows of U are short (Schank
 * and Wagner, WEA 2005).
 *
 * A product cannot be interrupted, so one process multiplies blocks of rows of U that take a
 * fraction of a second each.
 */
#include <time.h>

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum {
    SKEWED = 16,          /* degrees are skewed if the greatest is this multiple of the average */
    BLOCK_WORK = 1 << 25, /* entries that the first block reads, per thread */
    BLOCK_GROWTH = 4,     /* of the entries of the next block after a short one */
};
static const double SHORT_BLOCK = 0.05; /* seconds */

/* A count in progress. The array and the matrices except A are owned. */
typedef struct {
    const sl_matrix *A;
    uint64_t n;               /* vertices */
    uint64_t *order;          /* vertices by rising degree; NULL: not sorted */
    sl_matrix *upper, *lower; /* of A in that order, without the diagonal */
    uint64_t triangles;       /* in the blocks done */
    sl_vector *sum;       /* int64, full: triangles of each vertex in the blocks done; or NULL */
    sl_progress progress; /* rows done */
} counting;

/* Rows `begin` to `end` - 1. The matrices are those rows of the halves; they are owned unless the
 * block has all rows. */
typedef struct {
    uint64_t begin, end;
    const sl_matrix *upper, *lower;
    sl_matrix *own_upper, *own_lower;
} row_block;

/* Sorts the vertices by `degree`, which is at most `most`, by a stable counting sort. */
static sl_status sort_by_degree(counting *c, const int64_t *degree, uint64_t most)
{
    uint64_t *position = sl_calloc(most + 2, sizeof *position);
    c->order = sl_malloc(c->n * sizeof *c->order);
    if (!position || !c->order) {
        sl_free(position);
        return sl_fail(sl_matrix_context(c->A), SL_NO_MEMORY,
                       "triangles: no memory to sort the vertices");
    }
    for (uint64_t v = 0; v < c->n; v++)
        position[degree[v] + 1]++;
    for (uint64_t d = 1; d <= most; d++)
        position[d] += position[d - 1];
    for (uint64_t v = 0; v < c->n; v++)
        c->order[position[degree[v]]++] = v;
    sl_free(position);
    return SL_OK;
}

/* Sorts the vertices by degree if degrees are skewed; not on a grid, where each process would need
 * all degrees. */
static sl_status sort_if_skewed(counting *c)
{
    sl_vector *degrees = NULL;
    int64_t *degree = NULL;
    uint64_t edges;
    sl_scalar most;
    sl_status status;
    if (sl_context_processes(sl_matrix_context(c->A)) > 1)
        return SL_OK;
    TRY(sl_matrix_nvals(&edges, c->A));
    TRY(sl_degrees(&degrees, c->A));
    TRY(sl_vector_reduce(&most, NULL, SL_MAX_MONOID_INT64, degrees));
    if (edges == 0 || (double)most.as.int64_ * (double)c->n <= SKEWED * (double)edges)
        goto out;
    TRY(sl_search_array(&degree, degrees));
    for (uint64_t v = 0; v < c->n; v++)
        degree[v] = degree[v] == SL_UNREACHED ? 0 : degree[v];
    TRY(sort_by_degree(c, degree, (uint64_t)most.as.int64_));
out:
    sl_vector_free(degrees);
    sl_free(degree);
    return status;
}

/* Makes `upper` and, if `both`, `lower`. */
static sl_status make_halves(counting *c, bool both)
{
    sl_context *ctx = sl_matrix_context(c->A);
    sl_matrix *sorted = NULL;
    const sl_matrix *edges = c->A;
    sl_status status;
    if (c->order) {
        TRY(sl_matrix_new(&sorted, ctx, SL_BOOL, c->n, c->n));
        TRY(sl_matrix_extract(sorted, NULL, NULL, c->A, c->order, c->n, c->order, c->n, NULL));
        edges = sorted;
    }
    TRY(sl_matrix_new(&c->upper, ctx, SL_BOOL, c->n, c->n));
    TRY(sl_matrix_select(c->upper, NULL, NULL, SL_TRIU_BOOL, edges, sl_scalar_int64(1), NULL));
    if (both) {
        TRY(sl_matrix_new(&c->lower, ctx, SL_BOOL, c->n, c->n));
        TRY(sl_matrix_select(c->lower, NULL, NULL, SL_TRIL_BOOL, edges, sl_scalar_int64(-1), NULL));
    }
out:
    sl_matrix_free(sorted);
    return status;
}

/* *rows = the rows of M of a block, also stored in *own unless they are all of M. */
static sl_status take_rows(const sl_matrix **rows, sl_matrix **own, const counting *c,
                           const row_block *b, const sl_matrix *M)
{
    const uint64_t range[] = {b->begin, b->end, 1};
    sl_status status;
    *rows = M;
    if (b->end - b->begin == c->n)
        return SL_OK;
    TRY(sl_matrix_new(own, sl_matrix_context(M), SL_BOOL, b->end - b->begin, c->n));
    TRY(sl_matrix_extract(*own, NULL, NULL, M, range, SL_RANGE, SL_ALL, 0, NULL));
    *rows = *own;
out:
    return status;
}

/* Adds the triangles of a block to those of each vertex: as the first or the middle one, of which
 * `firsts` has the number for each edge (u, v), and as the last one. */
static sl_status add_per_vertex(counting *c, const row_block *b, const sl_matrix *firsts)
{
    const uint64_t range[] = {b->begin, b->end, 1};
    sl_context *ctx = sl_matrix_context(c->A);
    sl_matrix *lasts = NULL; /* for each edge (v, w) the number of triangles u < v < w */
    sl_vector *rows = NULL;
    sl_status status;
    TRY(sl_matrix_new(&lasts, ctx, SL_INT64, b->end - b->begin, c->n));
    TRY(sl_mxm(lasts, b->upper, NULL, SL_PLUS_PAIR_INT64, b->lower, c->upper,
               sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_vector_new(&rows, ctx, SL_INT64, b->end - b->begin));
    TRY(sl_matrix_reduce_rows(rows, NULL, NULL, SL_PLUS_MONOID_INT64, firsts, NULL));
    TRY(sl_vector_assign(c->sum, NULL, SL_PLUS_INT64, rows, range, SL_RANGE, NULL));
    TRY(sl_matrix_reduce_rows(c->sum, NULL, SL_PLUS_INT64, SL_PLUS_MONOID_INT64, firsts,
                              sl_descriptor_get(SL_TRANSPOSE_A)));
    TRY(sl_matrix_reduce_rows(c->sum, NULL, SL_PLUS_INT64, SL_PLUS_MONOID_INT64, lasts,
                              sl_descriptor_get(SL_TRANSPOSE_A)));
out:
    sl_matrix_free(lasts);
    sl_vector_free(rows);
    return status;
}

/* Counts the triangles u < v < w of which u is in the rows from `begin` to `end` - 1. */
static sl_status count_block(counting *c, uint64_t begin, uint64_t end)
{
    row_block b = {.begin = begin, .end = end};
    sl_matrix *firsts = NULL; /* for each edge (u, v) the number of triangles u < v < w */
    sl_scalar sum;
    sl_status status;
    TRY(take_rows(&b.upper, &b.own_upper, c, &b, c->upper));
    if (c->sum)
        TRY(take_rows(&b.lower, &b.own_lower, c, &b, c->lower));
    TRY(sl_matrix_new(&firsts, sl_matrix_context(c->A), SL_INT64, end - begin, c->n));
    TRY(sl_mxm(firsts, b.upper, NULL, SL_PLUS_PAIR_INT64, b.upper, c->upper,
               sl_descriptor_get(SL_STRUCTURE | SL_TRANSPOSE_B)));
    TRY(sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, firsts));
    c->triangles += (uint64_t)sum.as.int64_;
    if (c->sum)
        TRY(add_per_vertex(c, &b, firsts));
    c->progress.done = end;
out:
    sl_matrix_free(firsts);
    sl_matrix_free(b.own_upper);
    sl_matrix_free(b.own_lower);
    return status;
}

/* work(v) = the entries that row v of the products reads, in *total those of all rows. Rows without
 * any have no entry. */
static sl_status count_work(sl_vector **work, uint64_t *total, const counting *c)
{
    sl_vector *degrees = NULL;
    sl_scalar sum;
    sl_status status;
    TRY(sl_degrees(&degrees, c->upper));
    TRY(sl_vector_new(work, sl_matrix_context(c->A), SL_INT64, c->n));
    TRY(sl_mxv(*work, NULL, NULL, SL_PLUS_SECOND_INT64, c->upper, degrees, NULL));
    if (c->lower)
        TRY(sl_mxv(*work, NULL, SL_PLUS_INT64, SL_PLUS_SECOND_INT64, c->lower, degrees, NULL));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, *work));
    *total = (uint64_t)sum.as.int64_;
out:
    sl_vector_free(degrees);
    return status;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Counts in blocks of rows; in one block on a grid, where each process would need the work of all
 * rows. Blocks grow as long as they take less than SHORT_BLOCK: an engine that is fast gets few.
 */
static sl_status count_blocks(counting *c)
{
    sl_context *ctx = sl_matrix_context(c->A);
    uint64_t most = (uint64_t)BLOCK_WORK * (uint64_t)sl_context_threads(ctx);
    uint64_t total = 0, begin = 0, done = 0;
    sl_vector *work = NULL;
    int64_t *of_row = NULL;
    sl_status status;
    if (sl_context_processes(ctx) == 1)
        TRY(count_work(&work, &total, c));
    if (total > most)
        TRY(sl_search_array(&of_row, work));
    for (uint64_t v = 0; of_row && v < c->n; v++) {
        done += of_row[v] == SL_UNREACHED ? 0 : (uint64_t)of_row[v];
        if (done < most)
            continue;
        const double started = seconds_now();
        TRY(count_block(c, begin, v + 1));
        if (seconds_now() - started < SHORT_BLOCK)
            most *= BLOCK_GROWTH;
        begin = v + 1;
        done = 0;
    }
    status = begin < c->n ? count_block(c, begin, c->n) : SL_OK;
out:
    sl_vector_free(work);
    sl_free(of_row);
    return status;
}

/* Moves the sums to the caller's order of the vertices. */
static sl_status return_sums(sl_vector **per_vertex, counting *c)
{
    sl_status status;
    if (!c->order) {
        *per_vertex = c->sum;
        c->sum = NULL;
        return SL_OK;
    }
    TRY(sl_vector_new(per_vertex, sl_matrix_context(c->A), SL_INT64, c->n));
    TRY(sl_vector_assign(*per_vertex, NULL, NULL, c->sum, c->order, c->n, NULL));
out:
    return status;
}

sl_status sl_triangles(uint64_t *count, sl_vector **per_vertex, const sl_matrix *A)
{
    if (per_vertex)
        *per_vertex = NULL;
    counting c = {.A = A, .progress.operation = "triangles"};
    sl_vector *result = NULL;
    sl_status status;
    status = sl_require_output("triangles", A, count, "count");
    TRY(AGREE(A, status, "triangles", "per_vertex %d\n", per_vertex != NULL));
    TRY(sl_require_symmetric("triangles", A));
    c.n = c.progress.total = sl_matrix_nrows(A);
    sl_progress_begin(sl_matrix_context(A), &c.progress);
    TRY(sort_if_skewed(&c));
    TRY(make_halves(&c, per_vertex != NULL));
    if (per_vertex)
        TRY(sl_vector_filled(&c.sum, A, sl_scalar_int64(0)));
    TRY(count_blocks(&c));
    if (per_vertex)
        TRY(return_sums(&result, &c));
    *count = c.triangles;
out:
    sl_progress_end(sl_matrix_context(A), &c.progress);
    sl_free(c.order);
    sl_matrix_free(c.upper);
    sl_matrix_free(c.lower);
    sl_vector_free(c.sum);
    sl_return_vector(per_vertex, result, status);
    return status;
}
