/*
 * Dependencies by products of matrices (Brandes 2001; Buluc and Gilbert, "The Combinatorial BLAS",
 * IJHPCA 2011), on any engine. Row s of every matrix belongs to the s-th source of a batch.
 *
 * Forward, a level is the number of shortest paths to each of its vertices; all levels are kept.
 * Numbers of paths may exceed fp64: a number is value x 2^(512 exponent) with 1 <= value < 2^512, and
 * each exponent of a level has an fp64 matrix of its own, a part. A product of a part is exact to
 * fp64's precision, and so is the sum of parts: what an exponent less than the greatest minus 1 would
 * add is below rounding. Almost always a level is one part, of exponent 0.
 *
 * Backward, dependencies are summed from the last level to the first. O(sources x edges) time,
 * O(batch x vertices) memory.
 */
#include "la/traversal/traverse.h"

#include <inttypes.h>
#include <string.h>

/* Returns from the function by way of `out`. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

enum {
    MAX_SOURCES = 32,        /* of a batch */
    BATCH_ENTRIES = 1 << 24, /* of a matrix of a batch */
    BATCH_WORK = 1 << 25     /* multiplications of a product, per thread: a fraction of a second */
};

/* The vertices of one level whose numbers of paths have the same exponent. */
typedef struct {
    uint64_t level, exponent;
    sl_matrix *paths; /* values of their numbers of paths; owned */
} part;

/* A batch of searches. Matrices are count x n and owned, except A and At. */
typedef struct {
    sl_context *ctx;
    const sl_matrix *A, *At;
    uint64_t n, count;         /* vertices; sources of this batch */
    sl_matrix *visited;        /* pattern */
    sl_matrix *dependency;     /* full */
    part *parts;               /* in ascending order of levels, then of exponents */
    uint64_t part_count, room; /* elements of `parts` in use and allocated */
} batch;

/* The limit of values, and its inverse. */
static const double limit = 0x1p512, inverse_limit = 0x1p-512;

static void free_batch(batch *b)
{
    for (uint64_t k = 0; k < b->part_count; k++)
        sl_matrix_free(b->parts[k].paths);
    sl_free(b->parts);
    sl_matrix_free(b->visited);
    sl_matrix_free(b->dependency);
}

/* ---- parts -------------------------------------------------------------------------------- */

/* Inserts a part before the one at `position`. Takes the matrix. */
static sl_status insert_part(batch *b, uint64_t position, part inserted)
{
    if (b->part_count == b->room) {
        const uint64_t room = b->room ? 2 * b->room : 16;
        part *parts = sl_realloc(b->parts, room * sizeof *parts);
        sl_status status = SL_OK;
        if (!parts)
            status = sl_fail(b->ctx, SL_NO_MEMORY, "dependencies: no memory for %" PRIu64 " levels",
                             room);
        b->parts = parts ? parts : b->parts;
        status = sl_agree(b->ctx, status);
        if (status != SL_OK) {
            sl_matrix_free(inserted.paths);
            return status;
        }
        b->room = room;
    }
    memmove(&b->parts[position + 1], &b->parts[position],
            (b->part_count - position) * sizeof *b->parts);
    b->parts[position] = inserted;
    b->part_count++;
    return SL_OK;
}

static void remove_part(batch *b, uint64_t position)
{
    sl_matrix_free(b->parts[position].paths);
    b->part_count--;
    memmove(&b->parts[position], &b->parts[position + 1],
            (b->part_count - position) * sizeof *b->parts);
}

/* Removes the parts from `first` on that have no entries. */
static sl_status remove_empty_parts(batch *b, uint64_t first)
{
    for (uint64_t k = b->part_count; k-- > first;) {
        uint64_t entries;
        SL_TRY(sl_matrix_nvals(&entries, b->parts[k].paths));
        if (entries == 0)
            remove_part(b, k);
    }
    return SL_OK;
}

/* Adds the paths of the parts from `first` on, which may have a vertex in common: to the part of the
 * greatest exponent that has it. */
static sl_status join_parts(batch *b, uint64_t first)
{
    for (uint64_t high = b->part_count; high-- > first;)
        for (uint64_t low = high; low-- > first;) {
            const part *h = &b->parts[high], *l = &b->parts[low];
            if (l->exponent + 1 == h->exponent)
                SL_TRY(sl_matrix_apply_second(h->paths, h->paths, SL_PLUS_FP64, SL_TIMES_FP64,
                                              l->paths, sl_scalar_fp64(inverse_limit),
                                              sl_descriptor_get(SL_STRUCTURE)));
            SL_TRY(sl_matrix_apply(l->paths, h->paths, NULL, SL_IDENTITY_FP64, l->paths,
                                   sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT)));
        }
    return SL_OK;
}

/* Moves the values of a part that reach the limit to the next exponent. */
static sl_status split_part(batch *b, uint64_t position)
{
    const part p = b->parts[position];
    const part *next = position + 1 < b->part_count ? &b->parts[position + 1] : NULL;
    const sl_scalar bound = sl_scalar_fp64(limit);
    part moved = {.level = p.level, .exponent = p.exponent + 1};
    sl_status status;
    TRY(sl_matrix_new(&moved.paths, b->ctx, SL_FP64, b->count, b->n));
    TRY(sl_matrix_select(moved.paths, NULL, NULL, SL_VALUEGE_FP64, p.paths, bound, NULL));
    TRY(sl_matrix_apply_second(moved.paths, NULL, NULL, SL_TIMES_FP64, moved.paths,
                               sl_scalar_fp64(inverse_limit), NULL));
    TRY(sl_matrix_select(p.paths, NULL, NULL, SL_VALUELT_FP64, p.paths, bound, NULL));
    if (!next || next->exponent != moved.exponent)
        return insert_part(b, position + 1, moved);
    TRY(sl_matrix_ewise_add(next->paths, NULL, NULL, SL_PLUS_FP64, next->paths, moved.paths, NULL));
out:
    sl_matrix_free(moved.paths);
    return status;
}

/* Makes a level of products of the parts from `first` on, and marks its vertices as visited. */
static sl_status complete_level(batch *b, uint64_t first)
{
    sl_scalar greatest;
    SL_TRY(join_parts(b, first));
    for (uint64_t k = first; k < b->part_count; k++) {
        SL_TRY(sl_matrix_reduce(&greatest, NULL, SL_MAX_MONOID_FP64, b->parts[k].paths));
        if (greatest.as.fp64_ >= limit)
            SL_TRY(split_part(b, k));
    }
    SL_TRY(remove_empty_parts(b, first));
    for (uint64_t k = first; k < b->part_count; k++)
        SL_TRY(sl_matrix_assign_scalar(b->visited, b->parts[k].paths, NULL, sl_scalar_bool(true),
                                       SL_ALL, 0, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    return SL_OK;
}

/* ---- forward ------------------------------------------------------------------------------ */

/* Level 0: one path from each source to itself. */
static sl_status begin(batch *b, const uint64_t *sources)
{
    part p = {.level = 0};
    sl_status status;
    TRY(sl_matrix_new(&b->visited, b->ctx, SL_BOOL, b->count, b->n));
    TRY(sl_matrix_new(&p.paths, b->ctx, SL_FP64, b->count, b->n));
    for (uint64_t s = 0; s < b->count; s++)
        TRY(sl_matrix_set(p.paths, s, sources[s], sl_scalar_fp64(1)));
    SL_TRY(insert_part(b, 0, p));
    return complete_level(b, 0);
out:
    sl_matrix_free(p.paths);
    return status;
}

/* Appends the paths that lead from the part at `position` to vertices that are not visited. */
static sl_status advance(batch *b, uint64_t position)
{
    const sl_descriptor unvisited = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    const part from = b->parts[position];
    part p = {.level = from.level + 1, .exponent = from.exponent};
    sl_status status;
    TRY(sl_matrix_new(&p.paths, b->ctx, SL_FP64, b->count, b->n));
    TRY(sl_mxm(p.paths, b->visited, NULL, SL_PLUS_FIRST_FP64, from.paths, b->A, unvisited));
    return insert_part(b, b->part_count, p);
out:
    sl_matrix_free(p.paths);
    return status;
}

/* Paths to the next level = (paths to the last level) A, masked by the unvisited vertices. */
static sl_status search(batch *b)
{
    for (uint64_t first = 0, end = b->part_count; first < end; first = end, end = b->part_count) {
        for (uint64_t k = first; k < end; k++)
            SL_TRY(advance(b, k));
        SL_TRY(remove_empty_parts(b, end));
        SL_TRY(complete_level(b, end));
    }
    return SL_OK;
}

/* ---- backward ----------------------------------------------------------------------------- */

/*
 * Adds to the dependencies of the vertices u of a part, for their edges to vertices v of a part of
 * the next level: paths(u) * sum of share(v), where share(v) = (1 + dependency(v)) / paths(v).
 */
static sl_status add_shares(batch *b, const part *u, const part *v, const sl_matrix *share)
{
    uint64_t scalings = v->exponent - u->exponent;
    sl_matrix *flow;
    sl_status status;
    if (scalings > 2) /* the ratio of the numbers of paths is below fp64's least number */
        return SL_OK;
    SL_TRY(sl_matrix_new(&flow, b->ctx, SL_FP64, b->count, b->n));
    TRY(sl_mxm(flow, u->paths, NULL, SL_PLUS_FIRST_FP64, share, b->At,
               sl_descriptor_get(SL_REPLACE | SL_STRUCTURE)));
    if (scalings == 0)
        TRY(sl_matrix_ewise_mult(b->dependency, NULL, SL_PLUS_FP64, SL_TIMES_FP64, flow, u->paths,
                                 NULL));
    else
        TRY(sl_matrix_ewise_mult(flow, NULL, NULL, SL_TIMES_FP64, flow, u->paths, NULL));
    for (; scalings > 0; scalings--) {
        const bool last = scalings == 1;
        TRY(sl_matrix_apply_second(last ? b->dependency : flow, NULL, last ? SL_PLUS_FP64 : NULL,
                                   SL_TIMES_FP64, flow, sl_scalar_fp64(inverse_limit), NULL));
    }
out:
    sl_matrix_free(flow);
    return status;
}

/* From the last level to level 2: dependencies of the level before it. */
static sl_status sum_dependencies(batch *b)
{
    sl_matrix *share = NULL;
    sl_status status;
    TRY(sl_matrix_new(&b->dependency, b->ctx, SL_FP64, b->count, b->n));
    TRY(sl_matrix_assign_scalar(b->dependency, NULL, NULL, sl_scalar_fp64(0), SL_ALL, 0, SL_ALL, 0,
                                NULL));
    TRY(sl_matrix_new(&share, b->ctx, SL_FP64, b->count, b->n));
    for (uint64_t k = b->part_count; k-- > 0 && b->parts[k].level > 1;) {
        const part *v = &b->parts[k];
        TRY(sl_matrix_apply(share, NULL, NULL, SL_MINV_FP64, v->paths, NULL));
        TRY(sl_matrix_ewise_mult(share, NULL, SL_PLUS_FP64, SL_DIV_FP64, b->dependency, v->paths,
                                 NULL));
        for (uint64_t l = k; l-- > 0 && b->parts[l].level + 1 >= v->level;)
            if (b->parts[l].level < v->level && b->parts[l].exponent <= v->exponent)
                TRY(add_shares(b, &b->parts[l], v, share));
    }
out:
    sl_matrix_free(share);
    return status;
}

/* ---- batches ------------------------------------------------------------------------------ */

/* The number of sources of a batch: bounds the memory of a matrix, and the time of a product, which
 * cannot be interrupted. */
static sl_status choose_batch(uint64_t *size, const sl_matrix *A)
{
    const uint64_t n = A->object.nrows, threads = (uint64_t)sl_context_threads(A->object.ctx);
    uint64_t edges;
    SL_TRY(sl_matrix_nvals(&edges, A));
    *size = MAX_SOURCES;
    if (*size > BATCH_ENTRIES / n)
        *size = BATCH_ENTRIES / n;
    if (edges > 0 && *size > BATCH_WORK * threads / edges)
        *size = BATCH_WORK * threads / edges;
    *size += *size == 0;
    return SL_OK;
}

/* Adds the dependencies of a batch to `sum`. */
static sl_status add_batch(sl_vector *sum, batch *b, const uint64_t *sources)
{
    SL_TRY(begin(b, sources));
    SL_TRY(search(b));
    SL_TRY(sum_dependencies(b));
    return sl_matrix_reduce_rows(sum, NULL, SL_PLUS_FP64, SL_PLUS_MONOID_FP64, b->dependency,
                                 sl_descriptor_get(SL_TRANSPOSE_A));
}

sl_status sl_dependencies_by_products(const sl_call *call)
{
    const sl_matrix *A = (const sl_matrix *)call->a, *At = (const sl_matrix *)call->b;
    sl_vector *sum = (sl_vector *)call->out;
    uint64_t size;
    SL_TRY(choose_batch(&size, A));
    for (uint64_t first = 0; first < call->rows.count; first += size) {
        const uint64_t left = call->rows.count - first;
        batch b = {.ctx = call->ctx,
                   .A = A,
                   .At = At,
                   .n = call->a->nrows,
                   .count = left < size ? left : size};
        sl_status status = add_batch(sum, &b, call->rows.items + first);
        free_batch(&b);
        SL_TRY(status);
    }
    return SL_OK;
}
