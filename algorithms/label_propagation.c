/*
 * Communities by label propagation (Raghavan, Albert, Kumara, "Near linear time algorithm to detect
 * community structures in large-scale networks", Physical Review E 76, 2007), as LDBC Graphalytics
 * defines it (CDLP; Iosup et al., "LDBC Graphalytics", VLDB 2016): all vertices change at once, and of
 * the most frequent labels the least is taken, so that the result is determined.
 *
 * With a matrix L that has the entry (v, label of v) for each vertex, the product A L counts how often
 * each label occurs among the neighbours of each vertex. The greatest count of a row is a reduction,
 * the least label with this count a product over min_secondi with the entries that are equal to it.
 *
 * Cost of an iteration: the product has O(edges) multiplications and at most as many entries as A.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { DEFAULT_ITERATIONS = 10 };

/* Labels in progress. Vectors are int64 with an element per vertex; all but A and At are owned. */
typedef struct {
    const sl_matrix *A;
    const sl_matrix *At; /* NULL if A is symmetric */
    sl_matrix *owned;    /* At, or NULL */
    uint64_t n;
    sl_vector *label; /* full */
    sl_vector *next;  /* full */
} propagation;

/* *has(v, label of v) is an entry for each vertex. New, owned by the caller. Each process passes the
 * labels of its slice. */
static sl_status make_label_matrix(sl_matrix **has, const propagation *p)
{
    sl_context *ctx = sl_matrix_context(p->A);
    sl_arrays labels = {0};
    sl_status status;
    TRY(sl_vector_copy_slice(&labels, p->label));
    TRY(sl_agree(ctx, sl_arrays_expand(ctx, &labels)));
    TRY(sl_matrix_new(has, ctx, SL_BOOL, p->n, p->n));
    TRY(sl_matrix_build(*has, labels.rows, labels.values, NULL, labels.nvals, NULL));
out:
    sl_arrays_free(&labels);
    return status;
}

/* *count(v, l): the number of neighbours of v with the label l. New, owned by the caller. */
static sl_status count_labels(sl_matrix **count, const propagation *p)
{
    sl_matrix *has = NULL;
    sl_status status;
    TRY(make_label_matrix(&has, p));
    TRY(sl_matrix_new(count, sl_matrix_context(p->A), SL_INT64, p->n, p->n));
    TRY(sl_mxm(*count, NULL, NULL, SL_PLUS_PAIR_INT64, p->A, has, NULL));
    if (p->At)
        TRY(sl_mxm(*count, NULL, SL_PLUS_INT64, SL_PLUS_PAIR_INT64, p->At, has, NULL));
out:
    sl_matrix_free(has);
    return status;
}

/* best(v) = the least l of the greatest count(v, l); no entry without neighbours. */
static sl_status most_frequent(sl_vector *best, const sl_matrix *count, const propagation *p)
{
    sl_context *ctx = sl_matrix_context(p->A);
    sl_vector *most = NULL;
    sl_matrix *diagonal = NULL, *equal = NULL;
    sl_status status;
    TRY(sl_vector_new(&most, ctx, SL_INT64, p->n));
    TRY(sl_matrix_reduce_rows(most, NULL, NULL, SL_MAX_MONOID_INT64, count, NULL));
    TRY(sl_matrix_diag(&diagonal, most, 0));
    TRY(sl_matrix_new(&equal, ctx, SL_INT64, p->n, p->n));
    TRY(sl_mxm(equal, NULL, NULL, SL_MIN_FIRST_INT64, diagonal, count, NULL));
    TRY(sl_matrix_ewise_mult(equal, NULL, NULL, SL_EQ_INT64, equal, count, NULL));
    TRY(sl_matrix_select(equal, NULL, NULL, SL_VALUENE_INT64, equal, sl_scalar_int64(0), NULL));
    TRY(sl_mxv(best, NULL, NULL, SL_MIN_SECONDI_INT64, equal, p->label, NULL));
out:
    sl_vector_free(most);
    sl_matrix_free(diagonal);
    sl_matrix_free(equal);
    return status;
}

/* One iteration. *changed: the number of vertices with another label. */
static sl_status iterate(uint64_t *changed, propagation *p)
{
    sl_context *ctx = sl_matrix_context(p->A);
    sl_matrix *count = NULL;
    sl_vector *best = NULL, *differs = NULL;
    sl_scalar sum;
    sl_status status;
    TRY(count_labels(&count, p));
    TRY(sl_vector_new(&best, ctx, SL_INT64, p->n));
    TRY(most_frequent(best, count, p));
    TRY(sl_vector_assign(p->next, NULL, NULL, p->label, SL_ALL, 0, NULL));
    TRY(sl_vector_assign(p->next, best, NULL, best, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_vector_new(&differs, ctx, SL_BOOL, p->n));
    TRY(sl_vector_ewise_mult(differs, NULL, NULL, SL_NE_INT64, p->label, p->next, NULL));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, differs));
    *changed = (uint64_t)sum.as.int64_;
    sl_vector *old = p->label;
    p->label = p->next;
    p->next = old;
out:
    sl_matrix_free(count);
    sl_vector_free(best);
    sl_vector_free(differs);
    return status;
}

/* *communities: the number of different labels. */
static sl_status count_communities(uint64_t *communities, const propagation *p)
{
    sl_vector *used = NULL;
    sl_status status;
    TRY(sl_vector_new(&used, sl_matrix_context(p->A), SL_INT64, p->n));
    TRY(sl_vector_scatter(used, NULL, NULL, SL_MIN_MONOID_INT64, p->label, p->label, NULL));
    TRY(sl_vector_nvals(communities, used));
out:
    sl_vector_free(used);
    return status;
}

static sl_status begin(propagation *p)
{
    const sl_matrix *At;
    sl_status status;
    p->n = sl_matrix_nrows(p->A);
    TRY(sl_transpose_of(&At, &p->owned, p->A));
    p->At = p->owned;
    TRY(sl_vector_indices(&p->label, p->A));
    TRY(sl_vector_dup(&p->next, p->label));
out:
    return status;
}

sl_status sl_label_propagation(sl_vector **label, const sl_matrix *A, uint64_t max_iterations,
                               sl_communities *result)
{
    if (label)
        *label = NULL;
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t most = max_iterations ? max_iterations : DEFAULT_ITERATIONS;
    propagation p = {.A = A};
    sl_communities r = {0};
    sl_progress progress = {.operation = "label_propagation", .total = most};
    uint64_t changed;
    sl_status status = sl_require_output("label_propagation", A, label, "label");
    status = AGREE(A, status, "label_propagation", "max_iterations %llu\nresult %d\n",
                   (unsigned long long)most, result != NULL);
    if (status != SL_OK)
        return status;
    sl_progress_begin(ctx, &progress);
    TRY(begin(&p));
    while (r.iterations < most && !r.converged) {
        TRY(iterate(&changed, &p));
        progress.done = ++r.iterations;
        r.converged = changed == 0;
    }
    if (result) {
        TRY(count_communities(&r.communities, &p));
        *result = r;
    }
out:
    sl_progress_end(ctx, &progress);
    sl_matrix_free(p.owned);
    sl_vector_free(p.next);
    sl_return_vector(label, p.label, status);
    return status;
}
