/* A search on the device: its graph and scratch, and one launch after another. */
#include "launches.h"

#include <stdatomic.h>

#include "reordered_graph.h"
#include "search.h"

/* ---- the graph ------------------------------------------------------------------ */

/* As it stands in the matrix. */
static cuda_graph rows_as_they_are(const sl_object *object, const cuda_matrix *A)
{
    return (cuda_graph){.n = (uint32_t)object->nrows,
                            .old_n = (uint32_t)object->nrows,
                            .edges = A->nnz,
                            .wide = true,
                            .start = A->start,
                            .index = A->index,
                            .host_begin = UINT64_MAX};
}

static bool takes_layout(const cuda_matrix *A, const cuda_switches *on)
{
    return A->reordered_only || (A->reordered && on->reorder && (on->pruned || !sl_cuda_is_pruned(A->reordered)));
}

bool sl_cuda_takes_graph(const cuda_graph *graph)
{
    return graph->n <= CUDA_SEARCHED_VERTICES && graph->edges <= CUDA_SEARCHED_EDGES;
}

/* In a layout, where hubs come first: more of them in a large graph, of which a search takes
 * longer than to bring them into each block's shared memory. */
static uint32_t hub_words(uint32_t words)
{
    uint32_t share = words / HUB_SHARE < FEWEST_HUB_WORDS ? FEWEST_HUB_WORDS : words / HUB_SHARE;
    share = share < HUB_WORDS ? share : HUB_WORDS;
    return share < words ? share : words;
}

void sl_cuda_launches_of(cuda_launches *l, sl_context *ctx, const sl_object *matrix,
                         const cuda_switches *on)
{
    const cuda_matrix *A = cuda_matrix_of(matrix);
    bfs_params *s = &l->s;
    *l = (cuda_launches){
        .ctx = ctx, .matrix = matrix, .takes_narrow = on->small_frontier && on->persistent};
    s->graph = takes_layout(A, on) ? A->reordered->view : rows_as_they_are(matrix, A);
    if (!on->ell)
        s->graph.slot[0] = NULL;
    s->words = sl_cuda_bfs_words(s->graph.n);
    s->result = &cuda_bfs_pinned()->state;
    s->most = UINT64_MAX;
    s->at_once = on->persistent ? BFS_LEVELS : 1;
    s->hub_words = on->hubs && s->graph.word_degree ? hub_words(s->words) : 0;
    s->policy = on->policy;
    s->by_rows = !on->balance;
    l->notes_first = s->graph.slot[0] && s->graph.numbered_first;
}

void sl_cuda_launches_choose(cuda_launches *l, cuda_choice choice)
{
    l->s.choice = choice;
    l->s.records_parents = false;
    l->s.records_levels = true;
}

void sl_cuda_launches_aim(cuda_launches *l, const uint32_t *targets, uint64_t goal)
{
    l->s.targets = targets;
    l->s.goal = goal;
}

/* The edges in the caller's numbers, where they are there. */
static cuda_graph rows_of_caller(const cuda_launches *l)
{
    const cuda_matrix *A = cuda_matrix_of(l->matrix);
    const cuda_graph *g = &l->s.graph;
    if (A->reordered_only)
        return *g;
    cuda_graph rows = rows_as_they_are(l->matrix, A);
    rows.in_start = g->new_id ? rows.start : g->in_start; /* NULL: there was no pull */
    rows.in_index = g->new_id ? rows.index : g->in_index;
    return rows;
}

/* The in-edges of a matrix without a layout, made and brought to the device on demand. */
static sl_status bring_in_edges(cuda_launches *l)
{
    sl_matrix *At;
    CUDA_TRY(sl_matrix_transpose_pattern(&At, (sl_matrix *)l->matrix, true));
    CUDA_TRY(sl_object_migrate(&At->object, &sl_store_cuda));
    const cuda_matrix *columns = cuda_matrix_of(&At->object);
    l->s.graph.in_start = columns->start;
    l->s.graph.in_index = columns->index;
    return SL_OK;
}

/* ---- scratch ---------------------------------------------------------------------- */

enum { ALIGNMENT = 256 };

/* The next `bytes` of the scratch, which begins at `base` or is only measured. */
static void *take(char *base, uint64_t *used, uint64_t bytes)
{
    void *at = base ? base + *used : NULL;
    *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

/* Lays the scratch out from l->scratch; returns its bytes. */
static uint64_t lay_out(cuda_launches *l)
{
    bfs_params *s = &l->s;
    uint64_t used = 0, n = s->graph.n, bits = s->words * sizeof(uint32_t);
    char *base = l->scratch;
    s->tally = take(base, &used, 5 * sizeof *s->tally);
    s->ticket = take(base, &used, sizeof *s->ticket);
    s->standing = take(base, &used, sizeof *s->standing);
    s->steps = take(base, &used, BFS_LEVELS * sizeof *s->steps);
    s->posts = take(base, &used, 2 * SMALL_BLOCKS * sizeof *s->posts);
    s->visited = take(base, &used, bits);
    s->before = take(base, &used, bits);
    s->frontier = take(base, &used, bits);
    s->found = take(base, &used, bits);
    s->queue = take(base, &used, n * sizeof *s->queue);
    s->ends = take(base, &used, n * sizeof *s->ends);
    if (s->records_parents)
        s->from = take(base, &used, n * sizeof *s->from);
    if (s->records_parents && l->notes_first)
        s->by_first = take(base, &used, bits);
    if (s->records_levels)
        s->depth = take(base, &used, n * sizeof *s->depth);
    if (s->choice != CUDA_ANY)
        s->pulled = take(base, &used, bits + sizeof *s->pulled);
    if (s->choice != CUDA_ANY && s->graph.new_id)
        s->own_depth = take(base, &used, s->graph.old_n * sizeof *s->own_depth);
    if (s->targets)
        s->aims = take(base, &used, bits);
    return used;
}

/* A layout keeps its scratch: to find so much memory anew takes as long as some steps. */
static sl_status take_scratch(cuda_launches *l)
{
    cuda_reordered_graph *kept = cuda_matrix_of(l->matrix)->reordered;
    uint64_t bytes = lay_out(l);
    if (kept && kept->scratch_bytes < bytes) {
        sl_cuda_free(kept->scratch);
        kept->scratch = NULL;
        kept->scratch_bytes = 0;
        CUDA_TRY(sl_cuda_alloc(l->ctx, &kept->scratch, bytes));
        kept->scratch_bytes = bytes;
    }
    if (!kept)
        CUDA_TRY(sl_cuda_alloc(l->ctx, &l->own_scratch, bytes));
    l->scratch = kept ? kept->scratch : l->own_scratch;
    lay_out(l);
    return SL_OK;
}

/* How many blocks fit at once is asked once for each kernel. */
static sl_status fit_blocks(cuda_launches *l)
{
    static unsigned blocks[2][2], small_frontier_blocks;
    const cuda_graph *g = &l->s.graph;
    unsigned *known = &blocks[g->slot[0] != NULL][g->wide];
    if (!*known)
        CUDA_TRY(
            sl_cuda_status(l->ctx, "occupancy of a search",
                           sl_cuda_bfs_blocks(known, g, sl_cuda_device()->multiprocessors)));
    l->blocks = *known;
    if (!g->ell4 || l->s.direction != SL_AUTO || !l->takes_narrow)
        return SL_OK;
    if (!small_frontier_blocks)
        CUDA_TRY(sl_cuda_status(l->ctx, "occupancy of a cluster",
                                sl_cuda_small_frontier_blocks(&small_frontier_blocks)));
    l->small_frontier_blocks = small_frontier_blocks;
    l->s.small_frontier_max = sl_cuda_small_frontier_grid(sl_cuda_device()->multiprocessors) * SMALL_PER_BLOCK;
    return SL_OK;
}

sl_status sl_cuda_launches_prepare(cuda_launches *l)
{
    CUDA_TRY(fit_blocks(l));
    return take_scratch(l);
}

void sl_cuda_launches_done(cuda_launches *l)
{
    sl_cuda_free(l->own_scratch);
}

/* ---- launches -------------------------------------------------------------------- */

/* The end of a launch is looked for before the stream is waited for, which takes longer. */
static sl_status wait_for(const cuda_launches *l, const char *kernel)
{
    const volatile unsigned long long *stamp = &l->s.result->stamp;
    for (int k = 0; k < SEARCH_LOOKS && *stamp != l->s.stamp; k++)
        ;
    if (*stamp != l->s.stamp)
        return sl_cuda_wait(l->ctx, kernel);
    atomic_thread_fence(memory_order_acquire);
    return SL_OK;
}

sl_status sl_cuda_launch_steps(cuda_launches *l, bool *over)
{
    const char *kernel = l->narrow ? "kernel narrow" : "kernel search";
    const bfs_state *now = l->s.result;
    l->s.stamp = now->stamp + 1;
    CUDA_TRY(sl_cuda_status(
        l->ctx, kernel,
        l->narrow ? sl_cuda_small_frontier_launch(&l->s, l->frontier, l->small_frontier_blocks,
                                         sl_cuda_device()->multiprocessors, cuda_stream())
                  : sl_cuda_bfs_launch(&l->s, l->blocks, cuda_stream())));
    if (!l->narrow && l->s.choice != CUDA_ANY) {
        const cuda_graph rows = rows_of_caller(l);
        CUDA_TRY(sl_cuda_status(
            l->ctx, "kernel parents",
            sl_cuda_choose_parents(&l->s, &rows, sl_cuda_device()->multiprocessors, cuda_stream())));
    }
    if (!l->narrow && (l->s.parent.values || l->s.truth))
        CUDA_TRY(sl_cuda_status(
            l->ctx, "kernel finish",
            sl_cuda_bfs_write_results(&l->s, sl_cuda_device()->multiprocessors, cuda_stream())));
    CUDA_TRY(wait_for(l, kernel));
    if (now->stop == BFS_NEEDS_IN_EDGES)
        CUDA_TRY(bring_in_edges(l));
    /* What a cluster has searched to its end, the others finish. */
    *over = !l->narrow && (now->stop == BFS_DONE || now->stop == BFS_OUTSIDE);
    l->narrow = now->stop == BFS_SMALL_FRONTIER ||
                (l->narrow && (now->stop == BFS_LOG_FULL || now->stop == BFS_CONTINUES) &&
                 now->count <= l->s.small_frontier_max);
    l->frontier = now->count;
    l->s.resumes = true;
    return SL_OK;
}

sl_status sl_cuda_fetch_steps(const cuda_launches *l)
{
    bfs_level *steps = cuda_bfs_pinned()->levels;
    uint64_t count = l->s.result->recorded;
    if (count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_download(l->ctx, steps, l->s.steps, count * sizeof *steps));
    return sl_cuda_wait(l->ctx, "kernel search");
}

sl_status sl_cuda_log_steps(sl_context *ctx, sl_iteration_log *log, const bfs_level *steps,
                            uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        sl_iteration step = {.direction = steps[k].pulled ? SL_PULL : SL_PUSH,
                        .edges_exact = true,
                        .frontier = steps[k].frontier,
                        .edges = steps[k].edges,
                        .seconds = 1e-9 * (double)steps[k].nanoseconds};
        if (sl_iteration_log_append(log, &step) != SL_OK)
            return sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory");
    }
    return SL_OK;
}
