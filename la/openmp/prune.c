/*
 * Pruning: removes vertices with one neighbour repeatedly, which leaves the 2-core (Seidman,
 * "Network structure and minimum degree", 1983). The parents of the vertices removed are the same
 * in every search that enters their tree at its root, so searches run on the rest alone
 * (pruned_trees.c). O(entries) time.
 */
#include "openmp/reorder.h"

/* The greatest height of a tree: of longer paths the inner part is not pruned. */
enum { ROUNDS = 32 };

/* The only neighbour of v that is not pruned; v itself if it has a loop. */
static uint32_t last_neighbour(const pruning *p, uint32_t v)
{
    for (uint64_t e = p->rows->start[v]; e < p->rows->start[v + (uint64_t)1]; e++) {
        const uint64_t w = p->rows->index[e];
        if (__atomic_load_n(&p->tree_parent[w], __ATOMIC_RELAXED) == NOT_PRUNED)
            return (uint32_t)w;
    }
    return v;
}

static void enqueue(pruning *p, uint32_t v)
{
    p->queue[__atomic_fetch_add(&p->tail, 1, __ATOMIC_RELAXED)] = v;
}

/* Prunes v unless its neighbour has only v: a component that is a tree keeps one edge, so that
 * every row that is left has an entry. A loop is a cycle. */
static void take_out(pruning *p, uint32_t v)
{
    const uint32_t w = last_neighbour(p, v);
    if (w == v)
        return;
    const uint32_t before = __atomic_fetch_sub(&p->degree_left[w], 1, __ATOMIC_RELAXED);
    if (before == 1) {
        __atomic_fetch_add(&p->degree_left[w], 1, __ATOMIC_RELAXED);
        return;
    }
    __atomic_store_n(&p->tree_parent[v], w, __ATOMIC_RELAXED);
    __atomic_store_n(&p->degree_left[v], 0, __ATOMIC_RELAXED);
    if (before == 2)
        enqueue(p, w);
}

static void peel(pruning *p, int threads)
{
    const uint64_t n = p->rows->nrows, *start = p->rows->start;
#pragma omp parallel for num_threads(threads) if (n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < n; v++) {
        p->tree_parent[v] = NOT_PRUNED;
        p->degree_left[v] = (uint32_t)(start[v + 1] - start[v]);
        if (p->degree_left[v] == 1)
            enqueue(p, (uint32_t)v);
    }
    uint64_t head = 0, tail = p->tail;
    for (int round = 0; round < ROUNDS && head < tail; round++) {
#pragma omp parallel for num_threads(threads)                                                      \
    schedule(dynamic, 256) if (tail - head > SL_SERIAL_EDGES)
        for (uint64_t k = head; k < tail; k++)
            take_out(p, p->queue[k]);
        head = tail;
        tail = p->tail;
    }
}

sl_status sl_openmp_prune(pruning *p, sl_context *ctx, const sl_csr *rows)
{
    const uint64_t n = rows->nrows;
    p->rows = rows;
    p->degree_left = sl_malloc(n * sizeof *p->degree_left);
    p->tree_parent = sl_malloc(n * sizeof *p->tree_parent);
    p->queue = sl_malloc(n * sizeof *p->queue);
    if (!p->degree_left || !p->tree_parent || !p->queue)
        return sl_fail(ctx, SL_NO_MEMORY, "matrix_optimize: out of memory to prune %zu vertices",
                       (size_t)n);
    peel(p, sl_context_threads(ctx));
    return SL_OK;
}

void sl_openmp_prune_free(pruning *p)
{
    sl_free(p->degree_left);
    sl_free(p->tree_parent);
    sl_free(p->queue);
}

/* ---- trees ------------------------------------------------------------------------------- */

static sl_status allocate(sl_openmp_trees *t, sl_context *ctx)
{
    t->tree_parent = sl_malloc(t->count * sizeof *t->tree_parent);
    t->root = sl_malloc(t->count * sizeof *t->root);
    t->height = sl_malloc(t->count * sizeof *t->height);
    return t->tree_parent && t->root && t->height
               ? SL_OK
               : sl_fail(ctx, SL_NO_MEMORY,
                         "matrix_optimize: out of memory for %zu pruned vertices",
                         (size_t)t->count);
}

/* Returns the new id of the root of v's tree; *height is its distance from v. */
static uint32_t find_root(const sl_openmp_graph *made, const uint32_t *tree_parent, uint64_t v,
                          uint8_t *height)
{
    for (*height = 0; tree_parent[v] != NOT_PRUNED; v = tree_parent[v])
        ++*height;
    return made->new_id[v];
}

sl_status sl_openmp_make_trees(sl_openmp_graph *made, sl_context *ctx, const pruning *p)
{
    const uint64_t n = p->rows->nrows, base = tree_ids_begin(made->count);
    sl_openmp_trees *t = &made->trees;
    uint64_t count = 0;
    for (uint64_t v = 0; v < n; v++)
        count += p->tree_parent[v] != NOT_PRUNED;
    t->count = count;
    if (count == 0)
        return SL_OK;
    sl_status status = allocate(t, ctx);
    if (status != SL_OK)
        return status;
    for (uint64_t v = 0, k = 0; v < n; v++)
        if (p->tree_parent[v] != NOT_PRUNED)
            p->queue[k++] = (uint32_t)v;
#pragma omp parallel for num_threads(sl_context_threads(ctx)) if (count > SL_SERIAL_EDGES)
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t v = p->queue[k];
        t->tree_parent[k] = p->tree_parent[v];
        t->root[k] = find_root(made, p->tree_parent, v, &t->height[k]);
        made->new_id[v] = (uint32_t)(base + k);
    }
    return SL_OK;
}
