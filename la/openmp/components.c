/*
 * Components of an undirected graph by Afforest (Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph
 * Connectivity Computation via Subgraph Sampling", IPDPS 2018), on all threads.
 *
 * The vertices form trees, in which a parent has a lesser index than its child; an edge joins two
 * trees by making one root the child of a vertex of the other tree. First each vertex uses only its
 * first two edges. Most vertices are then in one tree, which a sample finds. They need no further
 * edges: an edge that leaves the tree is used from its other end. O(edges) in the worst case,
 * usually little more than O(vertices); 12 bytes for each vertex.
 */
#include <string.h>

#include "openmp/ends.h"
#include "openmp/products.h"
#include "openmp/search.h"

enum { SAMPLED_EDGES = 2, SAMPLES = 1024, CHUNK = 1 << 12, SMALL_CHUNK = 256 };

/* While threads join trees, the parent of a root is set by compare-and-swap, and the parent of
 * another vertex is replaced by an ancestor. So a parent that was read earlier is an ancestor
 * still. */
typedef struct {
    const uint64_t *start, *index; /* rows of the matrix */
    uint64_t n;
    uint32_t *parent;
    int threads;
    sl_context *ctx;
    sl_progress
        *progress; /* vertices whose edges were used, in two passes; threads add to `done` */
} forest;

static uint32_t parent_of(const forest *f, uint32_t v)
{
    return __atomic_load_n(&f->parent[v], __ATOMIC_RELAXED);
}

/* The root of v's tree, or a vertex that was the root when it was read. Each vertex on the way
 * becomes a child of its grandparent. */
static uint32_t root_of(const forest *f, uint32_t v)
{
    uint32_t parent = parent_of(f, v), grandparent;
    while ((grandparent = parent_of(f, parent)) != parent) {
        __atomic_store_n(&f->parent[v], grandparent, __ATOMIC_RELAXED);
        v = parent;
        parent = grandparent;
    }
    return parent;
}

/* Joins the trees of two vertices. Most vertices are children of roots. */
static void join(const forest *f, uint32_t u, uint32_t v)
{
    if (parent_of(f, u) == parent_of(f, v))
        return;
    uint32_t a = root_of(f, u), b = root_of(f, v);
    while (a != b) {
        const uint32_t high = a > b ? a : b, low = a > b ? b : a;
        uint32_t seen = high;
        if (__atomic_compare_exchange_n(&f->parent[high], &seen, low, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return;
        a = root_of(f, seen); /* high is no root any more */
        b = low;
    }
}

/* The root of v's tree when no thread joins trees. */
static uint32_t final_root_of(const forest *f, uint32_t v)
{
    uint32_t root = parent_of(f, v), parent;
    while ((parent = parent_of(f, root)) != root)
        root = parent;
    return root;
}

/* Makes every vertex the child of its root. A thread changes only the vertex that it visits, and the
 * roots do not change. Vertices are visited in the order of their indices: their parents, which are
 * less, mostly are children of roots already. */
static void flatten(const forest *f)
{
#pragma omp parallel for num_threads(f->threads)                                                   \
    schedule(dynamic, CHUNK) if (f->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < f->n; v++)
        __atomic_store_n(&f->parent[v], final_root_of(f, (uint32_t)v), __ATOMIC_RELAXED);
}

/* Uses some edges of the vertices from begin to end - 1, if they are not in the tree with the root `giant`. */
typedef void (*join_function)(const forest *f, uint64_t begin, uint64_t end, uint32_t giant);

/* Calls a function for all vertices, in chunks, unless the call is cancelled. */
static sl_status join_all(const forest *f, join_function join_edges, uint32_t giant, uint64_t chunk)
{
    const uint64_t chunks = (f->n + chunk - 1) / chunk;
    sl_status status = SL_OK;
#pragma omp parallel for num_threads(f->threads) schedule(dynamic) if (f->n > SL_SERIAL_EDGES)
    for (uint64_t k = 0; k < chunks; k++) {
        const uint64_t begin = k * chunk, end = begin + chunk < f->n ? begin + chunk : f->n;
        if (sl_openmp_ends(f->ctx, &status, "components"))
            continue;
        join_edges(f, begin, end, giant);
        __atomic_fetch_add(&f->progress->done, end - begin, __ATOMIC_RELAXED);
    }
    return status;
}

/* There is no giant tree yet. */
static void join_first_edges(const forest *f, uint64_t begin, uint64_t end, uint32_t giant)
{
    (void)giant;
    for (uint64_t v = begin; v < end; v++)
        for (uint64_t e = f->start[v]; e < f->start[v + 1] && e < f->start[v] + SAMPLED_EDGES; e++)
            join(f, (uint32_t)v, (uint32_t)f->index[e]);
}

static void join_other_edges(const forest *f, uint64_t begin, uint64_t end, uint32_t giant)
{
    for (uint64_t v = begin; v < end; v++)
        if (parent_of(f, (uint32_t)v) != giant)
            for (uint64_t e = f->start[v] + SAMPLED_EDGES; e < f->start[v + 1]; e++)
                join(f, (uint32_t)v, (uint32_t)f->index[e]);
}

/* Every vertex becomes the child of its first neighbour, if that is less; in sorted rows it is the
 * least. Then the first edges of all vertices join trees. */
static sl_status use_first_edges(const forest *f)
{
#pragma omp parallel for num_threads(f->threads) if (f->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < f->n; v++) {
        const uint64_t first = f->start[v] < f->start[v + 1] ? f->index[f->start[v]] : v;
        f->parent[v] = (uint32_t)(first < v ? first : v);
    }
    flatten(f);
    const sl_status status = join_all(f, join_first_edges, UINT32_MAX, CHUNK);
    flatten(f);
    return status;
}

/* The root that most of a sample of SAMPLES vertices, or of n, have. */
static uint32_t most_frequent_root(const forest *f)
{
    const int samples = f->n < SAMPLES ? (int)f->n : SAMPLES;
    uint32_t root[SAMPLES], best = 0;
    int most = 0;
    for (int k = 0; k < samples; k++)
        root[k] = f->parent[((uint64_t)k * 0x9e3779b97f4a7c15u >> 11) % f->n];
    for (int k = 0; most < samples - k; k++) { /* a root that begins later has fewer */
        int count = 0;
        for (int l = k; l < samples; l++)
            count += root[l] == root[k];
        if (count > most) {
            most = count;
            best = root[k];
        }
    }
    return best;
}

/* Writes the roots to the output, which is full: into its own array, because new pages cost as much
 * as a pass over the vertices. */
static sl_status overwrite(const forest *f, const sl_call *call)
{
    sl_vector_view lent;
    const sl_status status =
        sl_store_host.lend(&lent, call->out, sl_handle(call->out, &sl_store_host));
    if (status != SL_OK)
        return status;
    int64_t *values = (int64_t *)lent.values;
#pragma omp parallel for num_threads(f->threads) if (f->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < f->n; v++)
        values[v] = final_root_of(f, (uint32_t)v);
    return SL_OK;
}

/* Writes the roots to the output, with an entry for every vertex. */
static sl_status write_roots(const forest *f, const sl_call *call)
{
    void *out = sl_handle(call->out, &sl_store_host);
    uint64_t entries;
    const sl_status status = sl_openmp_entries(&entries, call->out);
    if (status != SL_OK || entries == f->n)
        return status == SL_OK ? overwrite(f, call) : status;
    sl_bitmap roots = {.size = f->n,
                       .present = sl_malloc(f->n),
                       .values = sl_malloc(f->n * sizeof(int64_t)),
                       .nvals = f->n};
    int64_t *values = roots.values;
    if (!roots.present || !values) {
        sl_free(roots.present);
        sl_free(roots.values);
        return sl_fail(call->ctx, SL_NO_MEMORY, "components: out of memory");
    }
#pragma omp parallel for num_threads(f->threads) if (f->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < f->n; v++) {
        values[v] = final_root_of(f, (uint32_t)v);
        roots.present[v] = 1;
    }
    return sl_store_host.close(&roots, call->out, out);
}

sl_status sl_openmp_components(sl_call *call)
{
    sl_csr rows;
    sl_openmp_prepared *prepared;
    sl_status status = sl_store_host.view(&rows, call->a, sl_handle(call->a, &sl_store_host));
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&prepared, (sl_matrix *)call->a);
    if (status != SL_OK)
        return status;
    const int threads = sl_context_threads(call->ctx);
    sl_progress progress = {.operation = "components", .total = 2 * rows.nrows};
    const forest f = {.start = rows.start,
                      .index = rows.index,
                      .n = rows.nrows,
                      .parent = sl_openmp_scratch(prepared, rows.nrows + 1, threads),
                      .threads = threads,
                      .ctx = call->ctx,
                      .progress = &progress};
    if (!f.parent)
        return sl_fail(call->ctx, SL_NO_MEMORY, "components: out of memory");
    sl_progress_begin(call->ctx, &progress);
    if (f.n > 0)
        status = use_first_edges(&f);
    if (f.n > 0 && status == SL_OK)
        status = join_all(&f, join_other_edges, most_frequent_root(&f), SMALL_CHUNK);
    sl_progress_end(call->ctx, &progress);
    return status == SL_OK ? write_roots(&f, call) : status;
}
