/*
 * A shortest path between two vertices by two searches that meet (Pohl, "Bi-directional
 * Search", 1971). Before a step nothing is reached from both ends, so that the
 * first meeting is on a shortest path: levels are complete when they are looked at.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

typedef struct {
    const sl_matrix *A;
    sl_vector *parent, *frontier;
    uint64_t width; /* vertices of the frontier */
    uint64_t depth;
} half;

static sl_status begin(half *h, const sl_matrix *A, uint64_t source)
{
    *h = (half){.A = A, .width = 1};
    sl_status status = sl_vector_with_entry(&h->parent, A, SL_INT64, source, (int64_t)source);
    return status == SL_OK ? sl_vector_dup(&h->frontier, h->parent) : status;
}

/* One step of the half with the narrower frontier; `meeting` is what it found
 * that the other half has reached. */
static sl_status step(sl_vector *meeting, half *h, const half *other)
{
    sl_status status;
    TRY(sl_advance(h->frontier, h->parent, h->frontier, h->A, SL_MIN_SECONDI_INT64, SL_PUSH, NULL));
    TRY(sl_vector_nvals(&h->width, h->frontier));
    h->depth++;
    TRY(sl_vector_ewise_mult(meeting, NULL, NULL, SL_FIRST_INT64, h->frontier, other->parent,
                             NULL));
out:
    return status;
}

/* path(at), path(at + by), ...: the vertices from `vertex` to the root of its half. */
static sl_status write_path(sl_vector *path, const half *h, uint64_t vertex, uint64_t at, int by)
{
    sl_scalar up = sl_scalar_int64((int64_t)vertex);
    sl_status status;
    for (uint64_t k = 0; k <= h->depth; k++) {
        TRY(sl_vector_set(path, by > 0 ? at + k : at - k, up));
        TRY(sl_vector_get(&up, h->parent, (uint64_t)up.as.int64_));
    }
out:
    return status;
}

static sl_status make_path(sl_vector **path, const half *from, const half *to, uint64_t middle)
{
    sl_context *ctx = sl_matrix_context(from->A);
    sl_status status;
    TRY(sl_vector_new(path, ctx, SL_INT64, from->depth + to->depth + 1));
    TRY(write_path(*path, from, middle, from->depth, -1));
    TRY(write_path(*path, to, middle, from->depth, 1));
out:
    return status;
}

sl_status sl_st_connected(bool *connected, uint64_t *distance, sl_vector **path, const sl_matrix *A,
                          uint64_t s, uint64_t t)
{
    if (path)
        *path = NULL;
    half from = {0}, to = {0};
    sl_matrix *owned = NULL;
    sl_vector *meeting = NULL, *way = NULL;
    uint64_t met = s == t, middle = s;
    sl_status status;
    TRY(sl_require_square("st-connectivity", A));
    if (!connected)
        TRY(sl_fail(sl_matrix_context(A), SL_INVALID, "st-connectivity: connected is NULL"));
    TRY(sl_require_vertices("st-connectivity", "vertex", A, (uint64_t[]){s, t}, 2));

    const sl_matrix *At;
    TRY(sl_transpose_of(&At, &owned, A));
    TRY(sl_vector_new(&meeting, sl_matrix_context(A), SL_INT64, sl_matrix_nrows(A)));
    TRY(begin(&from, A, s));
    TRY(begin(&to, At, t));
    while (!met && from.width > 0 && to.width > 0) {
        bool forwards = from.width <= to.width;
        TRY(step(meeting, forwards ? &from : &to, forwards ? &to : &from));
        TRY(sl_vector_nvals(&met, meeting));
        if (met)
            TRY(sl_first_index(&middle, meeting));
    }
    if (met && path)
        TRY(make_path(&way, &from, &to, middle));
    *connected = met > 0;
    if (distance)
        *distance = met ? from.depth + to.depth : UINT64_MAX;
out:
    sl_vector_free(from.parent);
    sl_vector_free(from.frontier);
    sl_vector_free(to.parent);
    sl_vector_free(to.frontier);
    sl_vector_free(meeting);
    sl_matrix_free(owned);
    sl_return_vector(path, way, status);
    return status;
}
