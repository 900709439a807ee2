/*
 * The pseudo-diameter by bounds of eccentricities (Takes and Kosters, CIKM 2011).
 * A vertex's bounds are kept in two vectors, over the component that is measured.
 */
#include <inttypes.h>

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { DEFAULT_SEARCHES = 16 };

typedef struct {
    const sl_matrix *A;
    sl_vector *lower, *upper; /* of the eccentricity of each vertex */
    sl_vector *open;          /* vertices that may be further out than what was found */
    sl_vector *bound;
    sl_diameter *d;
} measure;

/* upper = min(upper, level + ecc); lower = max(lower, level, ecc - level) */
static sl_status tighten(measure *m, const sl_vector *level, uint64_t eccentricity)
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

static sl_status search_from(measure *m, uint64_t source)
{
    sl_vector *level = NULL;
    sl_scalar most;
    sl_status status;
    TRY(sl_bfs(NULL, &level, m->A, source, NULL));
    TRY(sl_vector_reduce(&most, NULL, SL_MAX_MONOID_INT64, level));
    uint64_t eccentricity = (uint64_t)most.as.int64_;
    if (m->d->searches == 0 || eccentricity > m->d->lower) {
        m->d->lower = eccentricity;
        m->d->ends[0] = source;
        TRY(sl_first_of_extreme(&m->d->ends[1], level, SL_MAX_MONOID_INT64));
    }
    m->d->searches++;
    TRY(tighten(m, level, eccentricity));
    TRY(sl_vector_reduce(&most, NULL, SL_MAX_MONOID_INT64, m->upper));
    m->d->upper = (uint64_t)most.as.int64_;
out:
    sl_vector_free(level);
    return status;
}

/* Of what may be further out, the greatest upper bound: likely at the rim; or the
 * least lower one: likely in the middle, where a search tightens the others'. */
static sl_status choose_next(uint64_t *source, measure *m)
{
    bool rim = m->d->searches % 2 == 1;
    sl_status status;
    TRY(sl_vector_select(m->open, NULL, NULL, SL_VALUEGT_INT64, m->upper,
                         sl_scalar_int64((int64_t)m->d->lower), NULL));
    if (!rim)
        TRY(sl_vector_ewise_mult(m->open, NULL, NULL, SL_FIRST_INT64, m->lower, m->open, NULL));
    TRY(sl_first_of_extreme(source, m->open, rim ? SL_MAX_MONOID_INT64 : SL_MIN_MONOID_INT64));
out:
    return status;
}

static sl_status first_source(uint64_t *source, const sl_matrix *A, const sl_diameter_options *o)
{
    uint64_t edges;
    sl_vector *degrees = NULL;
    sl_status status;
    *source = o->has_start ? o->start : 0;
    TRY(sl_require_vertices("pseudo-diameter", o->has_start ? "start" : "vertex", A, source, 1));
    TRY(sl_matrix_nvals(&edges, A));
    if (o->has_start || edges == 0)
        goto out;
    TRY(sl_degrees(&degrees, A));
    TRY(sl_first_of_extreme(source, degrees, SL_MAX_MONOID_INT64));
out:
    sl_vector_free(degrees);
    return status;
}

sl_status sl_pseudo_diameter(sl_diameter *diameter, const sl_matrix *A,
                             const sl_diameter_options *options)
{
    static const sl_diameter_options defaults;
    const sl_diameter_options *o = options ? options : &defaults;
    const uint64_t most = o->max_searches ? o->max_searches : DEFAULT_SEARCHES;
    sl_diameter found = {0};
    measure m = {.A = A, .d = &found};
    uint64_t source;
    sl_status status;
    TRY(sl_require_square("pseudo-diameter", A));
    sl_context *ctx = sl_matrix_context(A);
    if (!diameter)
        TRY(sl_fail(ctx, SL_INVALID, "pseudo-diameter: diameter is NULL"));
    TRY(first_source(&source, A, o));
    TRY(sl_require_symmetric("pseudo-diameter", A));
    TRY(sl_vector_new(&m.lower, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_new(&m.upper, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_new(&m.open, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_new(&m.bound, ctx, SL_INT64, sl_matrix_nrows(A)));
    for (;;) {
        if (o->searched)
            o->searched[found.searches] = source;
        TRY(search_from(&m, source));
        if (found.lower == found.upper || found.searches == most)
            break;
        TRY(choose_next(&source, &m));
    }
    *diameter = found;
out:
    sl_vector_free(m.lower);
    sl_vector_free(m.upper);
    sl_vector_free(m.open);
    sl_vector_free(m.bound);
    return status;
}
