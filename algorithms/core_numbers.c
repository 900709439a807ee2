/*
 * Core numbers by peeling (Seidman, "Network structure and minimum degree", Social Networks 5, 1983):
 * while the least degree of the remaining vertices is k, all vertices of degree k or less are removed;
 * their core number is k. A removal is one product over plus_pair with the frontier of removed
 * vertices, which gives the number of neighbours that each vertex loses.
 *
 * A removed vertex gets a degree that no subtraction lowers to k, so that the next frontier is found
 * among the vertices that lost neighbours, without a search of all. So a round costs the edges of its
 * frontier; the first round of level k also visits the vertices of core number k and above, whose
 * number, summed over k, is at most that of the edges.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/* The degree of a removed vertex. It is lowered by less than 2^60, the greatest size of a matrix. */
static const int64_t REMOVED = INT64_MAX / 2;

/* The state of a call. Vectors are int64 and owned. */
typedef struct {
    const sl_matrix *A;
    uint64_t k;           /* the present level */
    sl_vector *core;      /* full; of a vertex that remains the last level that it has reached */
    sl_vector *degree;    /* full; neighbours that remain; of a removed vertex about REMOVED */
    sl_vector *rest;      /* the vertices that remain after a level, with their degrees */
    sl_vector *frontier;  /* the vertices that were removed last */
    sl_vector *lost;      /* neighbours in the frontier, of each neighbour of it */
    sl_vector *next;      /* the new degrees of these vertices */
    sl_progress progress; /* vertices removed */
} peeling;

static sl_status begin(peeling *p)
{
    sl_context *ctx = sl_matrix_context(p->A);
    const uint64_t n = sl_matrix_nrows(p->A);
    sl_status status;
    TRY(sl_neighbour_counts(&p->degree, p->A));
    TRY(sl_vector_dup(&p->rest, p->degree));
    TRY(sl_vector_filled(&p->core, p->A, sl_scalar_int64(0)));
    TRY(sl_vector_new(&p->frontier, ctx, SL_INT64, n));
    TRY(sl_vector_new(&p->lost, ctx, SL_INT64, n));
    TRY(sl_vector_new(&p->next, ctx, SL_INT64, n));
out:
    return status;
}

static void end(peeling *p)
{
    sl_vector_free(p->core);
    sl_vector_free(p->degree);
    sl_vector_free(p->rest);
    sl_vector_free(p->frontier);
    sl_vector_free(p->lost);
    sl_vector_free(p->next);
}

/* Removes the frontier. The next frontier has the vertices whose degrees fall to k or less. */
static sl_status remove_frontier(peeling *p)
{
    const sl_descriptor pattern = sl_descriptor_get(SL_STRUCTURE);
    const sl_scalar k = sl_scalar_int64((int64_t)p->k);
    sl_status status;
    TRY(sl_vector_assign_scalar(p->degree, p->frontier, NULL, sl_scalar_int64(REMOVED), SL_ALL, 0,
                                pattern));
    TRY(sl_vxm(p->lost, NULL, NULL, SL_PLUS_PAIR_INT64, p->frontier, p->A, NULL));
    TRY(sl_vector_ewise_mult(p->next, NULL, NULL, SL_MINUS_INT64, p->degree, p->lost, NULL));
    TRY(sl_vector_assign(p->degree, p->next, NULL, p->next, SL_ALL, 0, pattern));
    TRY(sl_vector_select(p->frontier, NULL, NULL, SL_VALUELE_INT64, p->next, k, NULL));
out:
    return status;
}

/* Removes the vertices of core number k, the least degree of the vertices that remain. */
static sl_status peel_level(peeling *p)
{
    sl_scalar least;
    uint64_t size;
    sl_status status;
    TRY(sl_vector_reduce(&least, NULL, SL_MIN_MONOID_INT64, p->rest));
    p->k = (uint64_t)least.as.int64_;
    TRY(sl_vector_assign_scalar(p->core, p->rest, NULL, least, SL_ALL, 0,
                                sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_vector_select(p->frontier, NULL, NULL, SL_VALUELE_INT64, p->rest, least, NULL));
    for (;;) {
        TRY(sl_vector_nvals(&size, p->frontier));
        if (size == 0)
            break;
        p->progress.done += size;
        TRY(remove_frontier(p));
    }
    TRY(sl_vector_ewise_mult(p->rest, NULL, NULL, SL_SECOND_INT64, p->rest, p->degree, NULL));
    TRY(sl_vector_select(p->rest, NULL, NULL, SL_VALUELT_INT64, p->rest,
                         sl_scalar_int64(REMOVED / 2), NULL));
out:
    return status;
}

sl_status sl_core_numbers(sl_vector **core, uint64_t *greatest, const sl_matrix *A)
{
    if (core)
        *core = NULL;
    peeling p = {.A = A, .progress.operation = "core_numbers"};
    sl_vector *result = NULL;
    uint64_t remaining;
    sl_status status;
    status = sl_require_output("core_numbers", A, core, "core");
    TRY(AGREE(A, status, "core_numbers", "core %d\n", core != NULL));
    TRY(sl_require_symmetric("core_numbers", A));
    p.progress.total = sl_matrix_nrows(A);
    sl_progress_begin(sl_matrix_context(A), &p.progress);
    TRY(begin(&p));
    for (;;) {
        TRY(sl_vector_nvals(&remaining, p.rest));
        if (remaining == 0)
            break;
        TRY(peel_level(&p));
    }
    if (greatest)
        *greatest = p.k;
    result = p.core;
    p.core = NULL;
out:
    sl_progress_end(sl_matrix_context(A), &p.progress);
    end(&p);
    sl_return_vector(core, result, status);
    return status;
}
