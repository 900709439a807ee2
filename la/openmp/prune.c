/*
 * The trees that hang from a graph's 2-core, which is what is left when vertices of one
 * neighbour are taken out again and again (Seidman, "Network structure and minimum degree",
 * 1983). However a search comes to the vertex that a tree hangs from, its root, parents in the
 * tree are the same, so that searches go through the core alone (trees.c).
 */
#include "search.h"

/* How high trees become: of a longer path the inner part stays. */
enum { ROUNDS = 32 };

#define PRUNE_NOT UINT32_MAX

/* The one neighbour that v has left; v itself, if it has a loop. */
static uint32_t last_neighbour(const pruning *p, uint32_t v)
{
    for (uint64_t e = p->rows->start[v]; e < p->rows->start[v + (uint64_t)1]; e++) {
        const uint64_t w = p->rows->index[e];
        if (__atomic_load_n(&p->up[w], __ATOMIC_RELAXED) == PRUNE_NOT)
            return (uint32_t)w;
    }
    return v;
}

static void enqueue(pruning *p, uint32_t v)
{
    p->queue[__atomic_fetch_add(&p->tail, 1, __ATOMIC_RELAXED)] = v;
}

/* Of two that have only each other neither goes: a component that is a tree keeps an edge, and
 * every row that is left has an entry. A loop is a cycle. */
static void take_out(pruning *p, uint32_t v)
{
    const uint32_t w = last_neighbour(p, v);
    if (w == v)
        return;
    const uint32_t before = __atomic_fetch_sub(&p->left[w], 1, __ATOMIC_RELAXED);
    if (before == 1) {
        __atomic_fetch_add(&p->left[w], 1, __ATOMIC_RELAXED);
        return;
    }
    __atomic_store_n(&p->up[v], w, __ATOMIC_RELAXED);
    __atomic_store_n(&p->left[v], 0, __ATOMIC_RELAXED);
    if (before == 2)
        enqueue(p, w);
}

static void peel(pruning *p, int threads)
{
    const uint64_t n = p->rows->nrows, *start = p->rows->start;
#pragma omp parallel for num_threads(threads) if (n > SERIAL_EDGES)
    for (uint64_t v = 0; v < n; v++) {
        p->up[v] = PRUNE_NOT;
        p->left[v] = (uint32_t)(start[v + 1] - start[v]);
        if (p->left[v] == 1)
            enqueue(p, (uint32_t)v);
    }
    uint64_t head = 0, tail = p->tail;
    for (int round = 0; round < ROUNDS && head < tail; round++) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 256) if (tail - head > SERIAL_EDGES)
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
    p->left = sl_malloc(n * sizeof *p->left);
    p->up = sl_malloc(n * sizeof *p->up);
    p->queue = sl_malloc(n * sizeof *p->queue);
    if (!p->left || !p->up || !p->queue)
        return sl_fail(ctx, SL_NO_MEMORY, "out of memory: trees of %zu vertices", (size_t)n);
    peel(p, sl_context_threads(ctx));
    return SL_OK;
}

void sl_openmp_prune_free(pruning *p)
{
    sl_free(p->left);
    sl_free(p->up);
    sl_free(p->queue);
}

/* ---- their places ------------------------------------------------------------------------ */

static sl_status allocate(sl_trees *t, sl_context *ctx)
{
    t->up = sl_malloc(t->count * sizeof *t->up);
    t->root = sl_malloc(t->count * sizeof *t->root);
    t->height = sl_malloc(t->count * sizeof *t->height);
    return t->up && t->root && t->height
               ? SL_OK
               : sl_fail(ctx, SL_NO_MEMORY, "out of memory: %zu vertices of trees",
                         (size_t)t->count);
}

/* The root's place; *height: how far it is from v. */
static uint32_t find_root(const sl_compact *made, const uint32_t *up, uint64_t v, uint8_t *height)
{
    for (*height = 0; up[v] != PRUNE_NOT; v = up[v])
        ++*height;
    return made->place[v];
}

sl_status sl_openmp_place_trees(sl_compact *made, sl_context *ctx, const pruning *p)
{
    const uint64_t n = p->rows->nrows, base = tree_places(made->count);
    sl_trees *t = &made->tree;
    uint64_t count = 0;
    for (uint64_t v = 0; v < n; v++)
        count += p->up[v] != PRUNE_NOT;
    t->count = count;
    if (count == 0)
        return SL_OK;
    sl_status status = allocate(t, ctx);
    if (status != SL_OK)
        return status;
    for (uint64_t v = 0, k = 0; v < n; v++)
        if (p->up[v] != PRUNE_NOT)
            p->queue[k++] = (uint32_t)v;
#pragma omp parallel for num_threads(sl_context_threads(ctx)) if (count > SERIAL_EDGES)
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t v = p->queue[k];
        t->up[k] = p->up[v];
        t->root[k] = find_root(made, p->up, v, &t->height[k]);
        made->place[v] = (uint32_t)(base + k);
    }
    return SL_OK;
}
