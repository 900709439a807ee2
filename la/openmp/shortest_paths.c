/*
 * Shortest paths on the host: delta-stepping (Meyer, Sanders, "Delta-stepping: a parallelizable
 * shortest path algorithm", Journal of Algorithms 49, 2003) with buckets of each thread's own. A
 * thread that lowers a value adds the vertex to its own bucket; threads share their parts of the
 * least bucket, relax it together and meet. Vertices that a thread adds to that bucket meanwhile it
 * relaxes itself if they are few (bucket fusion: Zhang et al., "Optimizing Ordered Graph Algorithms
 * with GraphIt", CGO 2020); a thread that has relaxed a small frontier alone continues with its next
 * buckets without a meeting, so that long paths cost no barriers.
 *
 * Buckets cover a window of BUCKETS widths. Values beyond it are kept in a list; when the window is
 * done, the list is sifted into the next one, which is wider if the values are far apart. The width
 * follows the typical length (sl_typical_length), so that a few long edges do not matter. Then the
 * predecessors are found from the values, in one pass over the edges.
 *
 * Memory: a copy of the edges, kept with the matrix (make_length_rows.c), 8 to 20 bytes for each vertex, and
 * the buckets.
 */
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "openmp/paths.h"
#include "openmp/prepared_graph.h"

enum {
    FRONTIER_PIECE = 64, /* vertices that a thread takes at once */
    FUSED_CHUNKS = 16,   /* of its own bucket that a thread relaxes before a meeting */
    ALONE_CHUNKS = 4     /* chunks of a bucket that one thread relaxes while the others wait */
};

/* The width of a bucket, in typical lengths per degree: less means more steps, more that more
 * vertices are relaxed several times, which costs as many edges as they have. */
static const double width_factor = 16;

#define NAME  int32
#define SUM   int32_t
#define EDGE  sl_edge_uint32
#define UNSET INT32_MAX
#include "openmp/paths_template.h"
#define NAME  int64_uint32
#define SUM   int64_t
#define EDGE  sl_edge_uint32
#define UNSET INT64_MAX
#include "openmp/paths_template.h"
#define NAME  int64
#define SUM   int64_t
#define EDGE  sl_edge_int64
#define UNSET INT64_MAX
#include "openmp/paths_template.h"
#define NAME  fp32
#define SUM   float
#define EDGE  sl_edge_fp32
#define UNSET INFINITY
#include "openmp/paths_template.h"
#define NAME  fp64_fp32
#define SUM   double
#define EDGE  sl_edge_fp32
#define UNSET ((double)INFINITY)
#include "openmp/paths_template.h"
#define NAME  fp64
#define SUM   double
#define EDGE  sl_edge_fp64
#define UNSET ((double)INFINITY)
#include "openmp/paths_template.h"

typedef struct {
    sl_status (*run)(sl_paths *p, sl_scalar initial);
    uint64_t (*mark_present)(const sl_paths *p, int8_t *present);
} kernels;

static kernels kernels_of(const sl_openmp_lengths *lengths)
{
    switch (lengths->type) {
    case SL_INT32:
        return (kernels){run_int32, mark_present_int32};
    case SL_FP32:
        return (kernels){run_fp32, mark_present_fp32};
    case SL_INT64:
        return lengths->narrow ? (kernels){run_int64_uint32, mark_present_int64_uint32}
                               : (kernels){run_int64, mark_present_int64};
    default:
        return lengths->narrow ? (kernels){run_fp64_fp32, mark_present_fp64_fp32}
                               : (kernels){run_fp64, mark_present_fp64};
    }
}

/* ---- windows ------------------------------------------------------------------------------ */

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The window has about an eighth of the vertices or more, so that each vertex is sifted a few
 * times. */
void sl_openmp_next_window(sl_paths *p)
{
    double sample[FAR_SAMPLE], least = INFINITY;
    unsigned count = 0;
    for (int k = 0; k < p->threads; k++) {
        const sl_far_pile *pile = &p->far[k];
        least = fmin(least, pile->least);
        for (unsigned i = 0; i < pile->count && count < FAR_SAMPLE; i += 1 + p->threads / 4)
            sample[count++] = pile->sample[i];
    }
    p->ended = least == INFINITY;
    if (p->ended)
        return;
    qsort(sample, count, sizeof *sample, compare_numbers);
    const double eighth = count ? sample[count / 8] - least : 0;
    p->base = least;
    p->inverse = 1 / fmax(p->delta, eighth / (BUCKETS - 1));
    p->inverse = fmin(p->inverse, 1e300);
}

/* ---- predecessors along edges between equal values ---------------------------------------- */

sl_status sl_openmp_search_flat(sl_paths *p, void (*visit)(sl_flat_search *s, uint32_t u))
{
    sl_flat_search s = {.paths = p,
                        .candidate = sl_malloc(p->n * sizeof *s.candidate),
                        .next = sl_malloc(p->n * sizeof *s.next)};
    uint64_t count = 0;
    if (!s.candidate || !s.next) {
        sl_free(s.candidate);
        sl_free(s.next);
        return sl_fail(p->ctx, SL_NO_MEMORY, "closure: no memory for predecessors");
    }
    for (uint64_t v = 0; v < p->n; v++) {
        s.candidate[v] = NO_VERTEX;
        if (p->best[v] != NO_VERTEX)
            p->frontier[count++] = (uint32_t)v;
    }
    sl_status status = SL_OK;
    while (count > 0 && status == SL_OK) {
        s.reached = 0;
#pragma omp parallel for num_threads(p->threads) schedule(dynamic, 64) if (count > SL_SERIAL_EDGES)
        for (uint64_t k = 0; k < count; k++)
            visit(&s, p->frontier[k]);
        count = s.reached;
        for (uint64_t k = 0; k < count; k++) {
            p->frontier[k] = s.next[k];
            p->best[s.next[k]] = s.candidate[s.next[k]];
        }
        status = sl_interrupted(p->ctx, "closure");
    }
    sl_free(s.candidate);
    sl_free(s.next);
    return status;
}

/* ---- the operation ------------------------------------------------------------------------ */

bool sl_openmp_has_shortest_paths(const sl_call *call)
{
    const sl_type type = call->operators.semiring->result;
    return call->traversal->shortest_paths &&
           (type == SL_INT32 || type == SL_INT64 || type == SL_FP32 || type == SL_FP64);
}

/* The results, as arrays that replace the vectors' arrays. */
typedef struct {
    sl_bitmap pi, parent;
} results;

static void write_parents(const sl_paths *p, const results *r, sl_type type)
{
    const sl_integers parent = {r->parent.values, type == SL_INT32};
#pragma omp parallel for num_threads(p->threads) if (p->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < p->n; v++) {
        r->parent.present[v] = r->pi.present[v];
        sl_integers_set(parent, v, r->pi.present[v] ? (int64_t)p->best[v] : 0);
    }
}

/* Moves the arrays to a vector. */
static sl_status close_result(sl_bitmap *arrays, const sl_object *vector)
{
    const sl_status status = sl_store_host.close(arrays, vector, sl_handle(vector, &sl_store_host));
    *arrays = (sl_bitmap){0};
    return status;
}

static bool allocate(sl_bitmap *arrays, const sl_object *vector)
{
    arrays->size = vector->nrows;
    arrays->present = sl_malloc(vector->nrows);
    arrays->values = sl_malloc(vector->nrows * sl_type_size(vector->type));
    return arrays->present && arrays->values;
}

static bool allocate_threads(sl_paths *p, int threads)
{
    p->buckets = sl_calloc((size_t)threads, sizeof *p->buckets);
    p->least = sl_malloc((size_t)threads * sizeof *p->least);
    p->far = sl_malloc((size_t)threads * sizeof *p->far);
    bool ok = p->buckets && p->least && p->far;
    for (int k = 0; ok && k < threads; k++)
        ok = sl_buckets_open(&p->buckets[k]);
    return ok;
}

static sl_status find_paths(sl_paths *p, results *r, const sl_call *call)
{
    const sl_closure_options *o = call->traversal->options;
    const sl_object *parent = sl_object_of_vector(o->parent), *pi = call->traversal->pi;
    const kernels k = kernels_of(p->lengths);
    sl_progress_begin(p->ctx, &p->progress);
    sl_status status = k.run(p, sl_scalar_cast(o->source_value, call->operators.semiring->result));
    sl_progress_end(p->ctx, &p->progress);
    if (status != SL_OK)
        return status;
    r->pi.nvals = k.mark_present(p, r->pi.present);
    if (parent) {
        write_parents(p, r, parent->type);
        r->parent.nvals = r->pi.nvals;
    }
    status = close_result(&r->pi, pi);
    if (status == SL_OK && parent)
        status = close_result(&r->parent, parent);
    return status;
}

/* The frontier and the predecessors, kept with the matrix; NULL: no memory. */
static uint32_t *scratch_of(sl_openmp_prepared *prepared, const sl_call *call)
{
    return sl_openmp_scratch(prepared, 2 * call->a->nrows, sl_context_threads(call->ctx));
}

sl_status sl_openmp_prepare_paths(sl_call *call)
{
    sl_matrix *A = call->traversal->A;
    const sl_openmp_lengths *lengths;
    const uint64_t *start;
    sl_openmp_prepared *prepared;
    sl_status status = sl_openmp_prepared_of(&prepared, A);
    if (status != SL_OK)
        return status;
    status = sl_openmp_lengths_of(&lengths, &start, A, call->operators.semiring->result);
    if (status == SL_OK && !scratch_of(prepared, call))
        status = sl_fail(call->ctx, SL_NO_MEMORY, "out of memory: scratch of shortest paths");
    if (status != SL_OK) {
        sl_openmp_lengths_free(&prepared->lengths);
        sl_openmp_prepared_drop_empty(A);
    }
    return status;
}

sl_status sl_openmp_shortest_paths(sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_object *parent = sl_object_of_vector(t->options->parent);
    const int threads = sl_context_threads(call->ctx);
    sl_paths p = {.ctx = call->ctx,
                  .n = call->a->nrows,
                  .source = t->options->source,
                  .threads = threads,
                  .progress.operation = "closure",
                  .steps = {{.next = NO_BUCKET}, {.next = NO_BUCKET}}};
    results r = {0};
    sl_openmp_prepared *prepared;
    sl_switches switches;
    sl_status status = sl_switches_read(&switches, call->ctx);
    if (status == SL_OK)
        status = sl_openmp_lengths_of(&p.lengths, &p.start, t->A, call->operators.semiring->result);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&prepared, t->A);
    if (status != SL_OK)
        return status;
    const double degree = fmax(1, (double)p.start[p.n] / (double)p.n);
    p.delta = switches.delta * width_factor * p.lengths->typical / degree;
    p.inverse = fmin(1 / p.delta, 1e300);
    p.room = p.n;
    p.frontier = scratch_of(prepared, call);
    bool ok = p.frontier && allocate(&r.pi, t->pi);
    if (ok && parent) {
        p.best = p.frontier + p.n;
        ok = allocate(&r.parent, parent);
    }
    p.d = r.pi.values;
    if (ok && allocate_threads(&p, threads))
        status = find_paths(&p, &r, call);
    else
        status = sl_fail(call->ctx, SL_NO_MEMORY, "closure: no memory for shortest paths");
    for (int k = 0; p.buckets && k < threads; k++)
        sl_buckets_close(&p.buckets[k]);
    sl_free(p.buckets);
    sl_free(p.least);
    sl_free(p.far);
    sl_free(r.pi.present);
    sl_free(r.pi.values);
    sl_free(r.parent.present);
    sl_free(r.parent.values);
    return status;
}
