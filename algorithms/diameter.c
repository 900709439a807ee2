/*
 * The pseudo-diameter by bounds of eccentricities (Takes and Kosters, CIKM 2011). The bounds are
 * two int64 vectors with an entry for each vertex of the component. O(edges) per search.
 */
#include <inttypes.h>

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { DEFAULT_SEARCHES = 16 };

/* A measurement in progress. Vectors are owned. */
typedef struct {
    const sl_matrix *A;
    sl_vector *lower, *upper; /* bounds of the eccentricity of each vertex */
    sl_vector *candidates; /* vertices with an upper bound above the lower bound of the diameter */
    sl_vector *bound;      /* scratch */
    sl_diameter *d;        /* the result so far */
} measurement;

/* upper = min(upper, level + ecc); lower = max(lower, level, ecc - level) */
static sl_status tighten(measurement *m, const sl_vector *level, uint64_t eccentricity)
{
    const sl_scalar ecc = sl_scalar_int64((int64_t)eccentricity);
    sl_status status;
    TRY(sl_vector_ewise_add(m->lower, NULL, NULL, SL_MAX_INT64, m->lower, level, NULL));
    TRY(sl_vector_apply_first(m->bound, NULL, NULL, SL_MINUS_INT64, ecc, level, NULL));
    TRY(sl_vector_ewise_add(m->lower, NULL, NULL, SL_MAX_INT64, m->lower, m->bound, NULL));
    TRY(sl_vector_apply_first(m->bound, NULL, NULL, SL_PLUS_INT64, ecc, level, NULL));
    TRY(sl_vector_ewise_add(m->upper, NULL, NULL, SL_MIN_INT64, m->upper, m->bound, NULL));
out:
    return status;
}

static sl_status search_from(measurement *m, uint64_t source)
{
    sl_vector *level = NULL;
    sl_scalar greatest;
    sl_status status;
    TRY(sl_bfs(NULL, &level, m->A, source, NULL));
    TRY(sl_vector_reduce(&greatest, NULL, SL_MAX_MONOID_INT64, level));
    uint64_t eccentricity = (uint64_t)greatest.as.int64_;
    if (m->d->searches == 0 || eccentricity > m->d->lower) {
        m->d->lower = eccentricity;
        m->d->ends[0] = source;
        TRY(sl_first_of_extreme(&m->d->ends[1], level, SL_MAX_MONOID_INT64));
    }
    m->d->searches++;
    TRY(tighten(m, level, eccentricity));
    TRY(sl_vector_reduce(&greatest, NULL, SL_MAX_MONOID_INT64, m->upper));
    m->d->upper = (uint64_t)greatest.as.int64_;
out:
    sl_vector_free(level);
    return status;
}

/* The next source: alternately the candidate of greatest upper bound, which is likely at the
 * periphery, and that of least lower bound, which is likely central, where a search tightens many
 * bounds. */
static sl_status choose_next(uint64_t *source, measurement *m)
{
    bool peripheral = m->d->searches % 2 == 1;
    sl_status status;
    TRY(sl_vector_select(m->candidates, NULL, NULL, SL_VALUEGT_INT64, m->upper,
                         sl_scalar_int64((int64_t)m->d->lower), NULL));
    if (!peripheral)
        TRY(sl_vector_ewise_mult(m->candidates, NULL, NULL, SL_FIRST_INT64, m->lower, m->candidates,
                                 NULL));
    TRY(sl_first_of_extreme(source, m->candidates,
                            peripheral ? SL_MAX_MONOID_INT64 : SL_MIN_MONOID_INT64));
out:
    return status;
}

static sl_status first_source(uint64_t *source, const sl_matrix *A, const sl_diameter_options *o)
{
    uint64_t edges;
    sl_vector *degrees = NULL;
    sl_status status;
    *source = o->has_start ? o->start : 0;
    TRY(sl_matrix_nvals(&edges, A));
    if (o->has_start || edges == 0)
        goto out;
    TRY(sl_degrees(&degrees, A));
    TRY(sl_first_of_extreme(source, degrees, SL_MAX_MONOID_INT64));
out:
    sl_vector_free(degrees);
    return status;
}

static sl_status check_arguments(const sl_diameter *diameter, const sl_matrix *A,
                                 const sl_diameter_options *o)
{
    const uint64_t start = o->has_start ? o->start : 0;
    sl_status status = sl_require_output("pseudo_diameter", A, diameter, "diameter");
    if (status == SL_OK)
        status =
            sl_require_vertices("pseudo_diameter", o->has_start ? "start" : "vertex", A, &start, 1);
    return AGREE(A, status, "pseudo_diameter", "has_start %d\nstart %llu\nmax_searches %llu\n",
                 o->has_start, (unsigned long long)start, (unsigned long long)o->max_searches);
}

sl_status sl_pseudo_diameter(sl_diameter *diameter, const sl_matrix *A,
                             const sl_diameter_options *options)
{
    static const sl_diameter_options defaults;
    const sl_diameter_options *o = options ? options : &defaults;
    const uint64_t max_searches = o->max_searches ? o->max_searches : DEFAULT_SEARCHES;
    sl_diameter bounds = {0};
    measurement m = {.A = A, .d = &bounds};
    sl_progress progress = {.operation = "pseudo_diameter", .total = max_searches};
    uint64_t source;
    sl_status status;
    TRY(check_arguments(diameter, A, o));
    sl_context *ctx = sl_matrix_context(A);
    sl_progress_begin(ctx, &progress);
    TRY(first_source(&source, A, o));
    TRY(sl_require_symmetric("pseudo_diameter", A));
    TRY(sl_vector_new(&m.lower, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_new(&m.upper, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_new(&m.candidates, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_new(&m.bound, ctx, SL_INT64, sl_matrix_nrows(A)));
    for (;;) {
        if (o->searched)
            o->searched[bounds.searches] = source;
        TRY(search_from(&m, source));
        progress.done = bounds.searches;
        if (bounds.lower == bounds.upper || bounds.searches == max_searches)
            break;
        TRY(choose_next(&source, &m));
    }
    *diameter = bounds;
out:
    sl_progress_end(sl_matrix_context(A), &progress);
    sl_vector_free(m.lower);
    sl_vector_free(m.upper);
    sl_vector_free(m.candidates);
    sl_vector_free(m.bound);
    return status;
}
