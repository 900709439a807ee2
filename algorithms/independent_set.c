/*
 * A maximal independent set by Luby's algorithm ("A Simple Parallel Algorithm for the Maximal
 * Independent Set Problem", SIAM Journal on Computing 15, 1986) with priorities that stay the same in
 * all rounds (Blelloch, Fineman, Shun, "Greedy Sequential Maximal Independent Set and Matching are
 * Parallel on Average", SPAA 2012). The priority of a vertex is its degree times a random number; the
 * least comes first, so that vertices of small degree, of which a set can have many, are preferred
 * (Burtscher, Devale, Azimi, Jaiganesh, Powers, "A High-Quality and Fast Maximal Independent Set
 * Implementation for GPUs", ACM TOPC 5, 2018). Of equal priorities the lesser vertex comes first. The
 * set is the one that a loop over the vertices in this order finds, so it depends on neither engine
 * nor number of threads.
 *
 * A round is two products, in which each candidate looks at its neighbours: the least priority
 * among the neighbours that are candidates, and the neighbours of the vertices that join. Cost:
 * O(edges of the candidates) per round, O(log(vertices)) rounds in practice.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>
#include <semla/random.h>

enum { RANDOM_BITS = 16 }; /* equal priorities are rare, but common enough to be tested */

/* A set in progress. Vectors have an element per vertex; all but A are owned. */
typedef struct {
    const sl_matrix *A;
    sl_matrix *own_edges;   /* A's pattern without self-loops, or NULL */
    const sl_matrix *edges; /* A if it has no self-loops, or own_edges */
    sl_vector *priority;    /* int64, of the candidates only */
    sl_vector *set;         /* bool: true at the vertices that have joined */
    sl_progress progress;   /* vertices that are no candidates any more */
} selection;

/* The edges without self-loops. */
static sl_status drop_loops(selection *s)
{
    const uint64_t n = sl_matrix_nrows(s->A);
    sl_vector *diagonal = NULL;
    uint64_t loops;
    sl_status status;
    s->edges = s->A;
    TRY(sl_vector_diag(&diagonal, s->A, 0));
    TRY(sl_vector_nvals(&loops, diagonal));
    if (loops == 0)
        goto out;
    TRY(sl_matrix_new(&s->own_edges, sl_matrix_context(s->A), sl_matrix_type(s->A), n, n));
    TRY(sl_matrix_select(s->own_edges, NULL, NULL, SL_OFFDIAG_BOOL, s->A, sl_scalar_int64(0),
                         NULL));
    s->edges = s->own_edges;
out:
    sl_vector_free(diagonal);
    return status;
}

/* Random numbers from 1 to 2^RANDOM_BITS. Each process of a grid makes those of its range. */
static sl_status draw(sl_vector *random, uint64_t seed)
{
    sl_context *ctx = sl_vector_context(random);
    uint64_t begin, end;
    sl_status status = SL_OK;
    sl_context_local_range(ctx, sl_vector_size(random), &begin, &end);
    const uint64_t count = end - begin;
    uint64_t *index = sl_malloc((count + 1) * sizeof *index);
    int64_t *values = sl_malloc((count + 1) * sizeof *values);
    if (!index || !values)
        status = sl_fail(ctx, SL_NO_MEMORY, "independent_set: no memory for random numbers");
    TRY(sl_agree(ctx, status));
    for (uint64_t k = 0; k < count; k++) {
        index[k] = begin + k;
        values[k] = (int64_t)(sl_random(seed, begin + k) >> (64 - RANDOM_BITS)) + 1;
    }
    TRY(sl_vector_build(random, index, values, count, NULL));
out:
    sl_free(index);
    sl_free(values);
    return status;
}

static sl_status begin(selection *s, uint64_t seed)
{
    sl_context *ctx = sl_matrix_context(s->A);
    const uint64_t n = sl_matrix_nrows(s->A);
    sl_vector *degrees = NULL;
    sl_status status;
    TRY(drop_loops(s));
    TRY(sl_vector_new(&s->set, ctx, SL_BOOL, n));
    TRY(sl_vector_new(&s->priority, ctx, SL_INT64, n));
    TRY(draw(s->priority, seed));
    TRY(sl_degrees(&degrees, s->edges));
    TRY(sl_vector_apply(s->priority, NULL, SL_TIMES_INT64, SL_IDENTITY_INT64, degrees, NULL));
out:
    sl_vector_free(degrees);
    return status;
}

/* first(v) = (value(v) < other(v)), or true if there is no other(v). */
static sl_status compare(sl_vector *first, const sl_vector *mask, const sl_vector *value,
                         const sl_vector *other)
{
    const sl_scalar last = sl_scalar_int64(INT64_MAX);
    return sl_vector_ewise_union(first, mask, NULL, SL_LT_INT64, value, last, other, last,
                                 sl_descriptor_get(SL_STRUCTURE));
}

/* Decides between candidates whose neighbours have no lesser priority but an equal one: such
 * neighbours are in the same state, and the lesser vertex comes first. */
static sl_status break_ties(sl_vector *first, const selection *s, const sl_vector *least)
{
    const sl_descriptor within = sl_descriptor_get(SL_STRUCTURE | SL_REPLACE);
    sl_context *ctx = sl_vector_context(first);
    const uint64_t n = sl_vector_size(first);
    sl_vector *tied = NULL, *index = NULL, *other = NULL;
    uint64_t ties;
    sl_status status;
    TRY(sl_vector_new(&tied, ctx, SL_BOOL, n));
    TRY(sl_vector_ewise_mult(tied, NULL, NULL, SL_EQ_INT64, s->priority, least, NULL));
    TRY(sl_vector_select(tied, NULL, NULL, SL_VALUEEQ_BOOL, tied, sl_scalar_bool(true), NULL));
    TRY(sl_vector_nvals(&ties, tied));
    if (ties == 0)
        goto out;
    TRY(sl_vector_new(&index, ctx, SL_INT64, n));
    TRY(sl_vector_apply_index(index, NULL, NULL, SL_ROWINDEX_INT64, tied, sl_scalar_int64(0),
                              NULL));
    TRY(sl_vector_new(&other, ctx, SL_INT64, n));
    TRY(sl_mxv(other, tied, NULL, SL_MIN_SECOND_INT64, s->edges, index, within));
    TRY(compare(first, tied, index, other));
out:
    sl_vector_free(tied);
    sl_vector_free(index);
    sl_vector_free(other);
    return status;
}

/* One round: candidates that come before all their neighbours join, and their neighbours are no
 * candidates any more. */
static sl_status join_first(selection *s)
{
    const sl_descriptor within = sl_descriptor_get(SL_STRUCTURE | SL_REPLACE);
    const sl_descriptor others = sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT | SL_REPLACE);
    sl_context *ctx = sl_matrix_context(s->A);
    const uint64_t n = sl_matrix_nrows(s->A);
    sl_vector *least = NULL, *first = NULL;
    sl_status status;
    TRY(sl_vector_new(&least, ctx, SL_INT64, n));
    TRY(sl_mxv(least, s->priority, NULL, SL_MIN_SECOND_INT64, s->edges, s->priority, within));
    TRY(sl_vector_new(&first, ctx, SL_BOOL, n));
    TRY(compare(first, NULL, s->priority, least));
    TRY(break_ties(first, s, least));
    TRY(sl_vector_select(first, NULL, NULL, SL_VALUEEQ_BOOL, first, sl_scalar_bool(true), NULL));
    TRY(sl_vector_assign(s->set, first, NULL, first, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_vector_apply(s->priority, first, NULL, SL_IDENTITY_INT64, s->priority, others));
    TRY(sl_mxv(first, s->priority, NULL, SL_ANY_PAIR_BOOL, s->edges, first, within));
    TRY(sl_vector_apply(s->priority, first, NULL, SL_IDENTITY_INT64, s->priority, others));
out:
    sl_vector_free(least);
    sl_vector_free(first);
    return status;
}

sl_status sl_independent_set(sl_vector **set, const sl_matrix *A, uint64_t seed)
{
    if (set)
        *set = NULL;
    sl_context *ctx = sl_matrix_context(A);
    selection s = {.A = A,
                   .progress = {.operation = "independent_set", .total = sl_matrix_nrows(A)}};
    uint64_t left;
    sl_status status = sl_require_output("independent_set", A, set, "set");
    status = AGREE(A, status, "independent_set", "seed %llu\n", (unsigned long long)seed);
    if (status != SL_OK)
        return status;
    sl_progress_begin(ctx, &s.progress);
    TRY(sl_require_symmetric("independent_set", A));
    TRY(begin(&s, seed));
    TRY(sl_vector_nvals(&left, s.priority));
    while (left > 0) {
        TRY(join_first(&s));
        TRY(sl_vector_nvals(&left, s.priority));
        s.progress.done = s.progress.total - left;
    }
out:
    sl_progress_end(ctx, &s.progress);
    sl_matrix_free(s.own_edges);
    sl_vector_free(s.priority);
    sl_return_vector(set, s.set, status);
    return status;
}
