/*
 * A shortest path between two vertices by bidirectional breadth-first search (Pohl 1971): forward
 * from s along the edges, backward from t against them. The search with the smaller frontier takes
 * the next level, until a vertex is visited by both. As levels are complete and no vertex was
 * visited by both before, every common vertex is on a shortest path; the least is taken. O(edges).
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/* One of the two searches. Vectors are owned. */
typedef struct {
    const sl_matrix *A;           /* the graph or its transpose */
    sl_vector *parent, *frontier; /* int64; the pattern of `parent` is the visited set */
    uint64_t size;                /* vertices of the frontier */
    uint64_t depth;               /* levels so far */
} search;

static sl_status begin(search *h, const sl_matrix *A, uint64_t source)
{
    *h = (search){.A = A, .size = 1};
    sl_status status = sl_vector_with_entry(&h->parent, A, SL_INT64, source, (int64_t)source);
    return status == SL_OK ? sl_vector_dup(&h->frontier, h->parent) : status;
}

/* Takes one level. `meeting` receives the new vertices that the other search has visited. */
static sl_status take_level(sl_vector *meeting, search *h, const search *other)
{
    sl_status status;
    TRY(sl_advance(h->frontier, h->parent, h->frontier, h->A, SL_MIN_SECONDI_INT64, SL_PUSH, NULL));
    TRY(sl_vector_nvals(&h->size, h->frontier));
    h->depth++;
    TRY(sl_vector_ewise_mult(meeting, NULL, NULL, SL_FIRST_INT64, h->frontier, other->parent,
                             NULL));
out:
    return status;
}

/* Stores the vertices from `vertex` to the root of its search at path(at), path(at + by), ... */
static sl_status write_path(sl_vector *path, const search *h, uint64_t vertex, uint64_t at, int by)
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

static sl_status make_path(sl_vector **path, const search *from, const search *to, uint64_t middle)
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
    search from = {0}, to = {0};
    sl_progress progress = {.operation = "st_connected"}; /* vertices reached */
    sl_matrix *owned = NULL;
    sl_vector *meeting = NULL, *result = NULL;
    uint64_t met = s == t, middle = s;
    sl_status status;
    status = sl_require_output("st_connected", A, connected, "connected");
    if (status == SL_OK)
        status = sl_require_vertices("st_connected", "vertex", A, (uint64_t[]){s, t}, 2);
    TRY(AGREE(A, status, "st_connected", "path %d\ns %llu\nt %llu\n", path != NULL,
              (unsigned long long)s, (unsigned long long)t));

    const sl_matrix *At;
    TRY(sl_transpose_of(&At, &owned, A));
    TRY(sl_vector_new(&meeting, sl_matrix_context(A), SL_INT64, sl_matrix_nrows(A)));
    TRY(begin(&from, A, s));
    TRY(begin(&to, At, t));
    progress.total = sl_matrix_nrows(A);
    sl_progress_begin(sl_matrix_context(A), &progress);
    while (!met && from.size > 0 && to.size > 0) {
        bool forward = from.size <= to.size;
        TRY(take_level(meeting, forward ? &from : &to, forward ? &to : &from));
        progress.done +=
            forward ? from.size : to.size; /* the searches may reach the same vertices */
        progress.done = progress.done < progress.total ? progress.done : progress.total;
        TRY(sl_vector_nvals(&met, meeting));
        if (met)
            TRY(sl_first_index(&middle, meeting));
    }
    if (met && path)
        TRY(make_path(&result, &from, &to, middle));
    *connected = met > 0;
    if (distance)
        *distance = met ? from.depth + to.depth : UINT64_MAX;
out:
    sl_progress_end(sl_matrix_context(A), &progress);
    sl_vector_free(from.parent);
    sl_vector_free(from.frontier);
    sl_vector_free(to.parent);
    sl_vector_free(to.frontier);
    sl_vector_free(meeting);
    sl_matrix_free(owned);
    sl_return_vector(path, result, status);
    return status;
}
