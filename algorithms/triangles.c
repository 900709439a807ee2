/*
 * Triangles by products of the upper triangle U of the matrix, masked by the lower triangle L (Azad,
 * Buluc, Gilbert, IPDPSW 2015). A triangle u < v < w contributes 1 to (U U')(v, u), and 1 to
 * (L L')(w, v). If degrees are skewed, vertices are first sorted by degree, so that the rows of U are
 * short (Schank and Wagner, WEA 2005); a row v of the first product then looks only at neighbours
 * of u that come after v.
 *
 * Some engines cannot interrupt a product, so one process multiplies blocks of rows if the products
 * could take longer than about a second.
 */
#include <time.h>

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum {
    SKEWED = 16,          /* degrees are skewed if the greatest is this multiple of the average */
    BLOCK_WORK = 1 << 26, /* entries that the first block reads at most, per thread */
    BLOCK_GROWTH = 1 << 8 /* of the entries of a block after a short one, at most */
};
static const double BLOCK_SECONDS = 0.5;

/* A count in progress. The vectors and the matrices except A are owned. */
typedef struct {
    const sl_matrix *A;
    uint64_t n;               /* vertices */
    sl_vector *order;         /* vertices by rising degree; NULL: not sorted */
    double bound;             /* entries of rows that a product reads at most; one process only */
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

/* The degrees of all vertices, int64. */
static sl_status all_degrees(sl_vector **degrees, const sl_matrix *A)
{
    sl_vector *some = NULL;
    sl_status status;
    TRY(sl_vector_filled(degrees, A, sl_scalar_int64(0)));
    TRY(sl_degrees(&some, A));
    TRY(sl_vector_ewise_add(*degrees, NULL, NULL, SL_PLUS_INT64, *degrees, some, NULL));
out:
    sl_vector_free(some);
    return status;
}

/* Sorts the vertices by degree if degrees are skewed; not on a grid, where sl_vector_sort does not
 * work. */
static sl_status sort_if_skewed(counting *c)
{
    sl_vector *degrees = NULL;
    uint64_t edges;
    sl_scalar most;
    sl_status status;
    if (sl_context_processes(sl_matrix_context(c->A)) > 1)
        return SL_OK;
    TRY(sl_matrix_nvals(&edges, c->A));
    TRY(all_degrees(&degrees, c->A));
    TRY(sl_vector_reduce(&most, NULL, SL_MAX_MONOID_INT64, degrees));
    c->bound = (double)edges * (double)most.as.int64_;
    if (edges == 0 || (double)most.as.int64_ * (double)c->n <= SKEWED * (double)edges)
        goto out;
    TRY(sl_vector_new(&c->order, sl_matrix_context(c->A), SL_INT64, c->n));
    TRY(sl_vector_sort(NULL, c->order, SL_LT_INT64, degrees));
out:
    sl_vector_free(degrees);
    return status;
}

/* Makes both halves. */
static sl_status make_halves(counting *c)
{
    sl_context *ctx = sl_matrix_context(c->A);
    sl_matrix *pattern = NULL, *sorted = NULL;
    const sl_matrix *edges = c->A;
    bool is_pattern;
    sl_status status;
    TRY(sl_matrix_is_pattern(&is_pattern, c->A));
    if (!is_pattern) { /* the products read no values */
        TRY(sl_matrix_new(&pattern, ctx, SL_BOOL, c->n, c->n));
        TRY(sl_matrix_apply(pattern, NULL, NULL, SL_ONE_BOOL, c->A, NULL));
        edges = pattern;
    }
    if (c->order) {
        TRY(sl_matrix_new(&sorted, ctx, SL_BOOL, c->n, c->n));
        TRY(sl_matrix_gather(sorted, NULL, NULL, edges, c->order, NULL));
        edges = sorted;
    }
    TRY(sl_matrix_new(&c->upper, ctx, SL_BOOL, c->n, c->n));
    TRY(sl_matrix_select(c->upper, NULL, NULL, SL_TRIU_BOOL, edges, sl_scalar_int64(1), NULL));
    TRY(sl_matrix_new(&c->lower, ctx, SL_BOOL, c->n, c->n));
    TRY(sl_matrix_select(c->lower, NULL, NULL, SL_TRIL_BOOL, edges, sl_scalar_int64(-1), NULL));
out:
    sl_matrix_free(sorted);
    sl_matrix_free(pattern);
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

/* *counts = P Q', masked by the block's rows of the lower half. */
static sl_status multiply(sl_matrix **counts, const counting *c, const row_block *b,
                          const sl_matrix *P, const sl_matrix *Q)
{
    sl_status status =
        sl_matrix_new(counts, sl_matrix_context(c->A), SL_INT64, b->end - b->begin, c->n);
    if (status == SL_OK)
        status = sl_mxm(*counts, b->lower, NULL, SL_PLUS_PAIR_INT64, P, Q,
                        sl_descriptor_get(SL_STRUCTURE | SL_TRANSPOSE_B));
    return status;
}

/* sum(block) += the sums of the rows of `counts`. */
static sl_status add_rows(counting *c, const row_block *b, const sl_matrix *counts)
{
    const uint64_t range[] = {b->begin, b->end, 1};
    sl_vector *rows = NULL;
    sl_status status;
    TRY(sl_vector_new(&rows, sl_matrix_context(c->A), SL_INT64, b->end - b->begin));
    TRY(sl_matrix_reduce_rows(rows, NULL, NULL, SL_PLUS_MONOID_INT64, counts, NULL));
    TRY(sl_vector_assign(c->sum, NULL, SL_PLUS_INT64, rows, range, SL_RANGE, NULL));
out:
    sl_vector_free(rows);
    return status;
}

/* Adds the triangles of a block to the counts of their vertices: as the middle or the first vertex,
 * whose number `middles` has for each edge (v, u), and as the last vertex. */
static sl_status add_per_vertex(counting *c, const row_block *b, const sl_matrix *middles)
{
    sl_matrix *lasts = NULL; /* for each edge (w, v) the number of triangles u < v < w */
    sl_status status;
    TRY(multiply(&lasts, c, b, b->lower, c->lower));
    TRY(add_rows(c, b, middles));
    TRY(add_rows(c, b, lasts));
    TRY(sl_matrix_reduce_rows(c->sum, NULL, SL_PLUS_INT64, SL_PLUS_MONOID_INT64, middles,
                              sl_descriptor_get(SL_TRANSPOSE_A)));
out:
    sl_matrix_free(lasts);
    return status;
}

/* Counts the triangles u < v < w of which v is in the rows from `begin` to `end` - 1; and for each
 * vertex those as first and middle one with such a v, and those as last one with w in these rows. */
static sl_status count_block(counting *c, uint64_t begin, uint64_t end)
{
    row_block b = {.begin = begin, .end = end};
    sl_matrix *middles = NULL; /* for each edge (v, u) the number of triangles u < v < w */
    sl_scalar sum;
    sl_status status;
    TRY(take_rows(&b.upper, &b.own_upper, c, &b, c->upper));
    TRY(take_rows(&b.lower, &b.own_lower, c, &b, c->lower));
    TRY(multiply(&middles, c, &b, b.upper, c->upper));
    TRY(sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, middles));
    c->triangles += (uint64_t)sum.as.int64_;
    if (c->sum)
        TRY(add_per_vertex(c, &b, middles));
    c->progress.done = end;
out:
    sl_matrix_free(middles);
    sl_matrix_free(b.own_upper);
    sl_matrix_free(b.own_lower);
    return status;
}

/* ---- blocks ------------------------------------------------------------------------ */

/* *total = the sum of the squares of the rows' lengths: the entries of rows of M that a product M M'
 * reads for the entries of M. */
static sl_status add_squares(uint64_t *total, const sl_matrix *M)
{
    sl_vector *degrees = NULL;
    sl_scalar sum;
    sl_status status;
    TRY(sl_degrees(&degrees, M));
    TRY(sl_vector_ewise_mult(degrees, NULL, NULL, SL_TIMES_INT64, degrees, degrees, NULL));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, degrees));
    *total += (uint64_t)sum.as.int64_;
out:
    sl_vector_free(degrees);
    return status;
}

/* Adds to work(v) the entries of rows of M that a product reads for row v of the lower half. */
static sl_status add_work(sl_vector *work, const counting *c, const sl_matrix *M)
{
    sl_vector *degrees = NULL;
    sl_status status;
    TRY(sl_degrees(&degrees, M));
    TRY(sl_mxv(work, NULL, SL_PLUS_INT64, SL_PLUS_SECOND_INT64, c->lower, degrees, NULL));
out:
    sl_vector_free(degrees);
    return status;
}

/* *sum = the work of rows `begin` to `end` - 1. */
static sl_status work_of(uint64_t *sum, const sl_vector *work, uint64_t begin, uint64_t end)
{
    const uint64_t range[] = {begin, end, 1};
    sl_vector *part = NULL;
    sl_scalar found;
    sl_status status;
    TRY(sl_vector_new(&part, sl_vector_context(work), SL_INT64, end - begin));
    TRY(sl_vector_extract(part, NULL, NULL, work, range, SL_RANGE, NULL));
    TRY(sl_vector_reduce(&found, NULL, SL_PLUS_MONOID_INT64, part));
    *sum = (uint64_t)found.as.int64_;
out:
    sl_vector_free(part);
    return status;
}

/* *end: the rows from `begin` to *end - 1 are the first ones that have at least this work, or all
 * the rest. By bisection. */
static sl_status end_of_block(uint64_t *end, const counting *c, const sl_vector *work,
                              uint64_t begin, uint64_t least)
{
    uint64_t low = begin + 1, high = c->n, sum;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const sl_status status = work_of(&sum, work, begin, middle);
        if (status != SL_OK)
            return status;
        if (sum < least)
            low = middle + 1;
        else
            high = middle;
    }
    *end = high;
    return SL_OK;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The factor by which the next block may be larger than one that took so long. */
static uint64_t growth(double seconds)
{
    return seconds * BLOCK_GROWTH < BLOCK_SECONDS ? BLOCK_GROWTH
           : seconds > BLOCK_SECONDS              ? 1
                                                  : (uint64_t)(BLOCK_SECONDS / seconds);
}

/* Counts in blocks of rows of which the first has this work. */
static sl_status count_in_blocks(counting *c, uint64_t first)
{
    sl_vector *work = NULL;
    uint64_t least = first, end;
    sl_status status;
    TRY(sl_vector_filled(&work, c->A, sl_scalar_int64(0)));
    TRY(add_work(work, c, c->upper));
    if (c->sum)
        TRY(add_work(work, c, c->lower));
    for (uint64_t begin = 0; begin < c->n; begin = end) {
        const double started = seconds_now();
        TRY(end_of_block(&end, c, work, begin, least));
        TRY(count_block(c, begin, end));
        const uint64_t factor = growth(seconds_now() - started);
        least = least > UINT64_MAX / factor ? UINT64_MAX : least * factor;
    }
out:
    sl_vector_free(work);
    return status;
}

/* Counts in one block if that does not take long, and on a grid. */
static sl_status count_all(counting *c)
{
    sl_context *ctx = sl_matrix_context(c->A);
    const uint64_t most = (uint64_t)BLOCK_WORK * (uint64_t)sl_context_threads(ctx);
    uint64_t total = 0;
    sl_status status;
    if (sl_context_processes(ctx) > 1 || 2 * c->bound <= (double)most)
        return count_block(c, 0, c->n);
    TRY(add_squares(&total, c->upper));
    if (c->sum)
        TRY(add_squares(&total, c->lower));
    status = total > most ? count_in_blocks(c, most) : count_block(c, 0, c->n);
out:
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
    TRY(sl_vector_scatter(*per_vertex, NULL, NULL, NULL, c->sum, c->order, NULL));
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
    TRY(make_halves(&c));
    if (per_vertex)
        TRY(sl_vector_filled(&c.sum, A, sl_scalar_int64(0)));
    TRY(count_all(&c));
    if (per_vertex)
        TRY(return_sums(&result, &c));
    *count = c.triangles;
out:
    sl_progress_end(sl_matrix_context(A), &c.progress);
    sl_vector_free(c.order);
    sl_matrix_free(c.upper);
    sl_matrix_free(c.lower);
    sl_vector_free(c.sum);
    sl_return_vector(per_vertex, result, status);
    return status;
}
