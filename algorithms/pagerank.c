/*
 * PageRank by power iteration: one product over plus_second with the transpose per iteration, and a
 * few operations on vectors. O(edges) per iteration.
 *
 * Memory traffic bounds the products of large graphs, and ranks of fp32 halve it. So the first iterations have ranks of
 * fp32, until these change by no more than fp32 resolves; its rounding only changes where the iterations in fp64 begin.
 * Mixed precision is known from iterative refinement: Buttari and others, "Mixed Precision Iterative Refinement
 * Techniques for the Solution of Dense Linear Systems", IJHPCA 2007.
 */
#include <math.h>

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

static const double default_damping = 0.85, default_tolerance = 1e-6;
enum { DEFAULT_ITERATIONS = 100 };

/* Graphs of so many entries are iterated in fp32 until the ranks change by no more than this in sum: 16 times the
 * rounding error of ranks whose sum is 1. */
enum { NARROW_ENTRIES = 1 << 18 };
static const double narrow_until = 2e-6;

/* The random walk. Vectors are owned. */
typedef struct {
    const sl_matrix *At;
    sl_matrix *owned; /* At if A is not symmetric, otherwise NULL */
    sl_type type;     /* of the vectors: fp64 or fp32 */
    double damping;
    sl_vector *jump;        /* the probability that a jump leads to each vertex; full, of sum 1 */
    double even_jump;       /* the value of all entries of jump, or 0 */
    sl_vector *share;       /* damping / out-degree, 0 at vertices without outgoing edges; full */
    sl_vector *sinks;       /* fp64: an entry at each vertex without outgoing edges; NULL: none */
    bool isolated;          /* the sinks have no incoming edges either */
    double sink_jump;       /* if isolated: the sum of jump over the sinks */
    double sink_rank;       /* the sum of rank over the sinks */
    sl_vector *rank, *next; /* full */
    sl_vector *work;
} walk;

static sl_status check_options(const sl_pagerank_options *o, const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    if (!(o->damping >= 0 && o->damping < 1))
        return sl_fail(ctx, SL_INVALID, "pagerank: damping is %g; it must be from 0 to below 1",
                       o->damping);
    if (!(o->tolerance >= 0))
        return sl_fail(ctx, SL_INVALID, "pagerank: tolerance is %g; it must not be negative",
                       o->tolerance);
    const sl_vector *p = o->personalisation;
    if (p && sl_vector_context(p) != ctx)
        return sl_fail(ctx, SL_MISMATCH,
                       "pagerank: the personalisation belongs to another context");
    if (p && sl_vector_size(p) != sl_matrix_nrows(A))
        return sl_fail(ctx, SL_MISMATCH,
                       "pagerank: the personalisation has %llu elements, the graph %llu vertices",
                       (unsigned long long)sl_vector_size(p),
                       (unsigned long long)sl_matrix_nrows(A));
    return SL_OK;
}

/* jump = the weights, full and divided by their sum. */
static sl_status use_weights(sl_vector *jump, const sl_vector *weights)
{
    sl_scalar least, sum;
    uint64_t entries;
    sl_status status;
    TRY(sl_vector_nvals(&entries, weights));
    if (entries == 0)
        TRY(sl_fail(sl_vector_context(jump), SL_INVALID,
                    "pagerank: the personalisation has no entries; it needs a weight above 0"));
    TRY(sl_vector_reduce(&least, NULL, SL_MIN_MONOID_FP64, weights));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, weights)); /* NaN if one is */
    if (least.as.fp64_ < 0 || !isfinite(sum.as.fp64_) || sum.as.fp64_ <= 0)
        TRY(sl_fail(
            sl_vector_context(jump), SL_INVALID,
            "pagerank: the weights of the personalisation have the sum %g and the least is %g; "
            "they must be finite, not negative, and not all 0",
            sum.as.fp64_, least.as.fp64_));
    TRY(sl_vector_assign_scalar(jump, NULL, NULL, sl_scalar_fp64(0), SL_ALL, 0, NULL));
    TRY(sl_vector_assign(jump, weights, NULL, weights, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_vector_apply_second(jump, NULL, NULL, SL_DIV_FP64, jump, sum, NULL));
out:
    return status;
}

/* share = damping / degrees; `sinks` if some vertex has no outgoing edges. */
static sl_status make_shares(walk *w, const sl_matrix *A)
{
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *degrees = NULL;
    uint64_t with_edges;
    sl_status status;
    TRY(sl_degrees(&degrees, A));
    TRY(sl_vector_filled(&w->share, A, sl_scalar_fp64(0)));
    TRY(sl_vector_apply_first(w->share, NULL, SL_PLUS_FP64, SL_DIV_FP64, sl_scalar_fp64(w->damping),
                              degrees, NULL));
    TRY(sl_vector_nvals(&with_edges, degrees));
    if (with_edges == n)
        goto out;
    TRY(sl_vector_new(&w->sinks, sl_matrix_context(A), SL_FP64, n));
    TRY(sl_vector_assign_scalar(w->sinks, degrees, NULL, sl_scalar_fp64(1), SL_ALL, 0,
                                sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
out:
    sl_vector_free(degrees);
    return status;
}

static sl_binary_op of_type(const walk *w, sl_binary_code code)
{
    return sl_binary_op_get(code, w->type);
}

static sl_monoid plus_of(const walk *w)
{
    return sl_monoid_get(SL_MONOID_PLUS, w->type);
}

/* The sum of `of` over the vertices without outgoing edges. */
static sl_status sum_of_sinks(double *sum, walk *w, const sl_vector *of)
{
    sl_scalar value;
    sl_status status;
    TRY(sl_vector_reduce_pair(&value, NULL, plus_of(w), NULL, of_type(w, SL_BINARY_FIRST), of,
                              w->sinks));
    *sum = sl_scalar_cast(value, SL_FP64).as.fp64_;
out:
    return status;
}

static sl_status begin(walk *w, const sl_matrix *A, const sl_pagerank_options *o)
{
    const uint64_t n = sl_matrix_nrows(A);
    sl_status status;
    w->type = SL_FP64;
    w->damping = o->damping > 0 ? o->damping : default_damping;
    TRY(sl_transpose_of(&w->At, &w->owned, A));
    w->even_jump = n && !o->personalisation ? 1.0 / (double)n : 0;
    TRY(sl_vector_filled(&w->jump, A, sl_scalar_fp64(w->even_jump)));
    if (o->personalisation)
        TRY(use_weights(w->jump, o->personalisation));
    TRY(make_shares(w, A));
    TRY(sl_vector_dup(&w->rank, w->jump));
    w->isolated = !w->owned; /* A is symmetric */
    if (w->sinks && w->isolated)
        TRY(sum_of_sinks(&w->sink_jump, w, w->jump));
    w->sink_rank = w->sink_jump;
out:
    return status;
}

/* The vectors that only iterations need. */
static sl_status add_work(walk *w)
{
    sl_status status;
    TRY(sl_vector_dup(&w->next, w->rank));
    TRY(sl_vector_new(&w->work, sl_vector_context(w->rank), w->type, sl_vector_size(w->rank)));
out:
    return status;
}

/* next = jump * scale. */
static sl_status jump_with(walk *w, double scale)
{
    if (w->even_jump > 0)
        return sl_vector_assign_scalar(w->next, NULL, NULL, sl_scalar_fp64(w->even_jump * scale),
                                       SL_ALL, 0, NULL);
    return sl_vector_apply_second(w->next, NULL, NULL, of_type(w, SL_BINARY_TIMES), w->jump,
                                  sl_scalar_fp64(scale), NULL);
}

/*
 * next = jump * jumps + At (rank * share). The ranks have the sum 1, and what edges do not carry
 * jumps: 1 - damping of it, and besides the damping of the vertices without outgoing edges. Isolated
 * vertices receive jumps alone, so that their sum follows without a pass.
 */
static sl_status iterate(walk *w)
{
    sl_status status;
    if (w->sinks && !w->isolated)
        TRY(sum_of_sinks(&w->sink_rank, w, w->rank));
    const double jumps = 1 - w->damping + w->damping * w->sink_rank;
    w->sink_rank = jumps * w->sink_jump; /* of next, if the sinks are isolated */
    TRY(jump_with(w, jumps));
    TRY(sl_vector_ewise_mult(w->work, NULL, NULL, of_type(w, SL_BINARY_TIMES), w->rank, w->share,
                             NULL));
    TRY(sl_mxv(w->next, NULL, of_type(w, SL_BINARY_PLUS),
               sl_semiring_get(SL_SEMIRING_PLUS_SECOND, w->type), w->At, w->work, NULL));
out:
    return status;
}

/* Computes the sum of |next - rank|, then exchanges the two vectors. */
static sl_status accept_next(double *change, walk *w)
{
    sl_scalar sum;
    sl_status status;
    TRY(sl_vector_reduce_pair(&sum, NULL, plus_of(w), sl_unary_op_get(SL_UNARY_ABS, w->type),
                              of_type(w, SL_BINARY_MINUS), w->next, w->rank));
    *change = sl_scalar_cast(sum, SL_FP64).as.fp64_;
    sl_vector *old = w->rank;
    w->rank = w->next;
    w->next = old;
out:
    return status;
}

static void free_vectors(walk *w)
{
    sl_vector_free(w->jump);
    sl_vector_free(w->share);
    sl_vector_free(w->rank);
    sl_vector_free(w->next);
    sl_vector_free(w->work);
}

/* Iterates until the ranks change by no more than `until`; in fp32 also until a change is not less than the one before,
 * as rounding makes it then. */
static sl_status run(walk *w, sl_pagerank_result *r, double until, uint64_t max_iterations,
                     sl_progress *progress)
{
    sl_status status = SL_OK;
    double before = INFINITY;
    r->residual = INFINITY;
    while (r->iterations < max_iterations && !(r->residual <= until)) {
        TRY(iterate(w));
        TRY(accept_next(&r->residual, w));
        progress->done = ++r->iterations;
        if (w->type == SL_FP32 && !(r->residual < before))
            break;
        before = r->residual;
    }
out:
    return status;
}

/* ---- in fp32 ------------------------------------------------------------------------------------ */

static sl_status cast(sl_vector **made, const sl_vector *v, sl_type type)
{
    sl_status status;
    TRY(sl_vector_new(made, sl_vector_context(v), type, sl_vector_size(v)));
    TRY(sl_vector_assign(*made, NULL, NULL, v, SL_ALL, 0, NULL));
out:
    return status;
}

/* Vectors of fp32 where `to` owns vectors; the others belong to w. */
static sl_status narrow(walk *to, const walk *w)
{
    sl_status status;
    *to = *w;
    to->type = SL_FP32;
    to->jump = to->share = to->rank = to->next = to->work = NULL;
    if (w->even_jump == 0)
        TRY(cast(&to->jump, w->jump, to->type));
    TRY(cast(&to->share, w->share, to->type));
    TRY(cast(&to->rank, w->rank, to->type));
    TRY(add_work(to));
out:
    return status;
}

/* w->rank = the ranks of fp32, which are divided by their sum, as that is rounded, too. */
static sl_status widen(walk *w, const sl_vector *ranks)
{
    sl_scalar sum;
    sl_status status;
    TRY(sl_vector_assign(w->rank, NULL, NULL, ranks, SL_ALL, 0, NULL));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, w->rank));
    TRY(sl_vector_apply_second(w->rank, NULL, NULL, SL_DIV_FP64, w->rank, sum, NULL));
    if (w->sinks && w->isolated)
        TRY(sum_of_sinks(&w->sink_rank, w, w->rank));
out:
    return status;
}

static sl_status run_narrow(walk *w, sl_pagerank_result *r, double until, uint64_t max_iterations,
                            sl_progress *progress)
{
    walk n;
    sl_status status;
    TRY(narrow(&n, w));
    TRY(run(&n, r, until, max_iterations, progress));
    TRY(widen(w, n.rank));
out:
    free_vectors(&n);
    return status;
}

/* ---- both ---------------------------------------------------------------------------------------- */

static sl_status run_all(walk *w, sl_pagerank_result *r, double tolerance, uint64_t max_iterations,
                         sl_progress *progress)
{
    uint64_t entries;
    sl_status status;
    TRY(sl_matrix_nvals(&entries, w->At));
    if (entries >= NARROW_ENTRIES)
        TRY(run_narrow(w, r, tolerance > narrow_until ? tolerance : narrow_until, max_iterations,
                       progress));
    if (r->iterations == max_iterations)
        goto out;
    TRY(add_work(w));
    TRY(run(w, r, tolerance, max_iterations, progress));
    r->converged = r->residual <= tolerance;
out:
    return status;
}

sl_status sl_pagerank(sl_vector **rank, const sl_matrix *A, const sl_pagerank_options *options,
                      sl_pagerank_result *result)
{
    static const sl_pagerank_options defaults;
    const sl_pagerank_options *o = options ? options : &defaults;
    const double tolerance = o->tolerance > 0 ? o->tolerance : default_tolerance;
    const uint64_t max_iterations = o->max_iterations ? o->max_iterations : DEFAULT_ITERATIONS;
    if (rank)
        *rank = NULL;
    walk w = {0};
    sl_pagerank_result r = {.residual = INFINITY};
    sl_progress progress = {.operation = "pagerank", .total = max_iterations};
    sl_status status;
    status = sl_require_output("pagerank", A, rank, "rank");
    if (status == SL_OK)
        status = check_options(o, A);
    TRY(AGREE(A, status, "pagerank",
              "damping %.17g\ntolerance %.17g\nmax_iterations %llu\npersonalisation %d\n",
              o->damping, tolerance, (unsigned long long)max_iterations,
              o->personalisation != NULL));
    sl_progress_begin(sl_matrix_context(A), &progress);
    TRY(begin(&w, A, o));
    TRY(run_all(&w, &r, tolerance, max_iterations, &progress));
    if (result)
        *result = r;
out:
    sl_progress_end(sl_matrix_context(A), &progress);
    sl_return_vector(rank, w.rank, status);
    w.rank = NULL;
    sl_matrix_free(w.owned);
    sl_vector_free(w.sinks);
    free_vectors(&w);
    return status;
}
