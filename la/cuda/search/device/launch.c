/*
 * The host's side of a search: chooses the graph (the reordered one or the matrix as it is), lays
 * out the workspace in one block of device memory, launches the kernels and polls a stamp in pinned
 * memory for the end of each launch, which is faster than waiting for the stream.
 */
#include "cuda/search/device/launch.h"

#include <stdatomic.h>

#include "cuda/reorder/reordered_graph.h"

/* ---- the graph ------------------------------------------------------------------ */

/* The matrix's own rows, with the caller's ids. */
static cuda_graph graph_of_matrix(const sl_object *object, const cuda_matrix *A)
{
    return (cuda_graph){.n = (uint32_t)object->nrows,
                        .old_n = (uint32_t)object->nrows,
                        .edges = A->nnz,
                        .wide = true,
                        .start = A->start,
                        .index = A->index,
                        .host_begin = UINT64_MAX};
}

static bool uses_reordered(const cuda_matrix *A, const cuda_switches *on)
{
    const cuda_reordered_graph *reordered = cuda_reordered_of(A);
    return !cuda_has_rows(A) ||
           (reordered && on->reorder && (on->pruned || !sl_cuda_is_pruned(reordered)));
}

bool sl_cuda_bfs_supports(const cuda_graph *graph)
{
    return graph->n <= CUDA_SEARCHED_VERTICES && graph->edges <= CUDA_SEARCHED_EDGES;
}

uint32_t sl_cuda_bfs_hub_words(uint32_t words)
{
    uint32_t hubs = words / HUB_SHARE < HUB_WORDS_MIN ? HUB_WORDS_MIN : words / HUB_SHARE;
    hubs = hubs < HUB_WORDS_MAX ? hubs : HUB_WORDS_MAX;
    return hubs < words ? hubs : words;
}

void sl_cuda_bfs_init(cuda_bfs *b, sl_context *ctx, const sl_object *matrix,
                      const cuda_switches *on)
{
    const cuda_matrix *A = cuda_matrix_of(matrix);
    bfs_params *s = &b->s;
    *b = (cuda_bfs){
        .ctx = ctx, .matrix = matrix, .uses_small_frontier = on->small_frontier && on->persistent};
    s->graph = uses_reordered(A, on) ? cuda_reordered_of(A)->view : graph_of_matrix(matrix, A);
    if (!on->ell)
        s->graph.slot[0] = NULL;
    s->work.words = sl_cuda_bfs_words(s->graph.n);
    s->result.state = &cuda_bfs_pinned()->state;
    s->options.max_levels = UINT64_MAX;
    s->options.levels_per_launch = on->persistent ? BFS_LEVELS : 1;
    s->options.hub_words =
        on->hubs && s->graph.word_degree ? sl_cuda_bfs_hub_words(s->work.words) : 0;
    s->options.policy = on->policy;
    s->options.by_rows = !on->balance;
    b->records_first = s->graph.slot[0] && s->graph.numbered_first;
}

void sl_cuda_bfs_set_choice(cuda_bfs *b, cuda_choice choice)
{
    b->s.options.choice = choice;
    b->s.options.records_parents = false;
    b->s.options.records_levels = true;
}

void sl_cuda_bfs_set_targets(cuda_bfs *b, const uint32_t *targets, uint64_t wanted)
{
    b->s.options.targets = targets;
    b->s.options.targets_wanted = wanted;
}

/* The edges in the caller's ids if they are on the device, else the graph that was searched. */
static cuda_graph graph_for_choice(const cuda_bfs *b)
{
    const cuda_matrix *A = cuda_matrix_of(b->matrix);
    const cuda_graph *g = &b->s.graph;
    if (!cuda_has_rows(A))
        return *g;
    cuda_graph rows = graph_of_matrix(b->matrix, A);
    rows.in_start = g->new_id ? rows.start : g->in_start; /* NULL: no level was a pull */
    rows.in_index = g->new_id ? rows.index : g->in_index;
    return rows;
}

/* Makes the in-edges of a matrix that was not reordered: its transpose, migrated to the device. */
static sl_status add_in_edges(cuda_bfs *b)
{
    sl_matrix *At;
    CUDA_TRY(sl_matrix_transpose_pattern(&At, (sl_matrix *)b->matrix, true));
    CUDA_TRY(sl_object_migrate(&At->object, &sl_store_cuda));
    const cuda_matrix *columns = cuda_matrix_of(&At->object);
    b->s.graph.in_start = columns->start;
    b->s.graph.in_index = columns->index;
    return SL_OK;
}

/* ---- workspace -------------------------------------------------------------------- */

/* More arrays than a workspace has. */
enum { WORKSPACE_ARRAYS = 24 };

typedef struct {
    cuda_array array[WORKSPACE_ARRAYS];
    int count;
} array_list;

static void add(array_list *list, void *pointer_to_pointer, uint64_t bytes)
{
    list->array[list->count++] = (cuda_array){pointer_to_pointer, bytes};
}

/* The arrays of the workspace that the options need. */
static void list_arrays(array_list *list, cuda_bfs *b)
{
    const cuda_graph *g = &b->s.graph;
    const bfs_options *o = &b->s.options;
    bfs_workspace *w = &b->s.work;
    const uint64_t n = g->n, bitmap = w->words * sizeof(uint32_t);
    add(list, &w->counts, 5 * sizeof *w->counts);
    add(list, &w->ticket, sizeof *w->ticket);
    add(list, &w->state, sizeof *w->state);
    add(list, &w->levels, BFS_LEVELS * sizeof *w->levels);
    add(list, &w->mailbox, 2 * SMALL_BLOCKS * sizeof *w->mailbox);
    add(list, &w->visited, bitmap);
    add(list, &w->prev_visited, bitmap);
    add(list, &w->frontier, bitmap);
    add(list, &w->next_frontier, bitmap);
    add(list, &w->queue, n * sizeof *w->queue);
    add(list, &w->ends, n * sizeof *w->ends);
    if (o->records_parents)
        add(list, &w->parent, n * sizeof *w->parent);
    if (o->records_parents && b->records_first)
        add(list, &w->parent_is_first, bitmap);
    if (o->records_levels)
        add(list, &w->depth, n * sizeof *w->depth);
    if (o->choice != CUDA_ANY)
        add(list, &w->pulled, bitmap + sizeof *w->pulled);
    if (o->choice != CUDA_ANY && g->new_id)
        add(list, &w->caller_depth, g->old_n * sizeof *w->caller_depth);
    if (o->targets)
        add(list, &w->targets, bitmap);
}

/* A reordered graph keeps its workspace: allocating so much memory takes as long as a few levels.
 */
static sl_status allocate_workspace(cuda_bfs *b)
{
    cuda_reordered_graph *kept = cuda_reordered_of(cuda_matrix_of(b->matrix));
    array_list list = {.count = 0};
    list_arrays(&list, b);
    return sl_cuda_arena_arrays(b->ctx, kept ? &kept->workspace : &b->workspace, list.array,
                                list.count);
}

/* Queries the occupancy of each kernel once. */
static sl_status find_blocks(cuda_bfs *b)
{
    static unsigned blocks[2][2], small_blocks;
    const cuda_graph *g = &b->s.graph;
    unsigned *known = &blocks[g->slot[0] != NULL][g->wide];
    if (!*known)
        CUDA_TRY(
            sl_cuda_status(b->ctx, "occupancy of kernel search", sl_cuda_bfs_blocks(known, g)));
    b->blocks = *known;
    if (!g->ell4 || b->s.options.direction != SL_AUTO || !b->uses_small_frontier)
        return SL_OK;
    if (!small_blocks)
        CUDA_TRY(sl_cuda_status(b->ctx, "occupancy of kernel small_frontier",
                                sl_cuda_small_frontier_blocks(&small_blocks)));
    b->small_blocks = small_blocks;
    b->s.options.small_frontier_max = sl_cuda_small_frontier_grid() * SMALL_PER_BLOCK;
    return SL_OK;
}

sl_status sl_cuda_bfs_prepare(cuda_bfs *b)
{
    CUDA_TRY(find_blocks(b));
    return allocate_workspace(b);
}

void sl_cuda_bfs_release(cuda_bfs *b)
{
    sl_cuda_arena_release(&b->workspace);
}

/* ---- launches -------------------------------------------------------------------- */

/* Polls for the stamp of the launch, then waits for the stream. */
static sl_status wait_for(const cuda_bfs *b, const char *kernel)
{
    const volatile unsigned long long *stamp = &b->s.result.state->stamp;
    for (int k = 0; k < BFS_POLLS && *stamp != b->s.result.stamp; k++)
        ;
    if (*stamp != b->s.result.stamp)
        return sl_cuda_wait(b->ctx, kernel);
    atomic_thread_fence(memory_order_acquire);
    return SL_OK;
}

/* A launch of the search kernel, followed by the kernels that do nothing unless the search is done.
 */
static sl_status launch_search(cuda_bfs *b)
{
    const bfs_params *s = &b->s;
    CUDA_TRY(sl_cuda_status(b->ctx, "kernel search", sl_cuda_bfs_launch(s, b->blocks)));
    if (s->options.choice != CUDA_ANY) {
        const cuda_graph rows = graph_for_choice(b);
        CUDA_TRY(sl_cuda_status(b->ctx, "kernel parents", sl_cuda_choose_parents(s, &rows)));
    }
    if (s->result.parent.values || s->result.reached)
        CUDA_TRY(sl_cuda_status(b->ctx, "kernel write_results", sl_cuda_bfs_write_results(s)));
    return wait_for(b, "kernel search");
}

static sl_status launch_small_frontier(cuda_bfs *b)
{
    CUDA_TRY(sl_cuda_status(b->ctx, "kernel small_frontier",
                            sl_cuda_small_frontier_launch(&b->s, b->frontier, b->small_blocks)));
    return wait_for(b, "kernel small_frontier");
}

sl_status sl_cuda_bfs_next_launch(cuda_bfs *b, bool *over)
{
    const bfs_state *now = b->s.result.state;
    const bool small = b->small_next;
    b->s.result.stamp = now->stamp + 1;
    CUDA_TRY(small ? launch_small_frontier(b) : launch_search(b));
    if (now->stop == BFS_NEEDS_IN_EDGES)
        CUDA_TRY(add_in_edges(b));
    /* A search that the small-frontier kernel ends is completed by a launch of the search kernel,
     * which finds no frontier and is followed by write_results. */
    *over = !small && now->stop == BFS_DONE;
    b->small_next = now->stop == BFS_SMALL_FRONTIER ||
                    (small && (now->stop == BFS_LOG_FULL || now->stop == BFS_CONTINUES) &&
                     now->frontier <= b->s.options.small_frontier_max);
    b->frontier = now->frontier;
    b->s.options.resumes = true;
    return SL_OK;
}

/* ---- log ---------------------------------------------------------------------------- */

sl_status sl_cuda_bfs_fetch_levels(const cuda_bfs *b)
{
    bfs_level *levels = cuda_bfs_pinned()->levels;
    uint64_t count = b->s.result.state->recorded;
    if (count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_download(b->ctx, levels, b->s.work.levels, count * sizeof *levels));
    return sl_cuda_wait(b->ctx, "kernel search");
}

sl_status sl_cuda_log_levels(sl_context *ctx, sl_iteration_log *log, const bfs_level *levels,
                             uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        sl_iteration level = {.direction = levels[k].pulled ? SL_PULL : SL_PUSH,
                              .edges_exact = true,
                              .frontier = levels[k].frontier,
                              .edges = levels[k].edges,
                              .seconds = 1e-9 * (double)levels[k].nanoseconds};
        if (sl_iteration_log_append(log, &level) != SL_OK)
            return sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory for the log of iterations");
    }
    return SL_OK;
}
