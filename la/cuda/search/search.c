/*
 * A search in one launch: what it needs on the device, and what the host does when it
 * stops. Of the semirings that settle it takes those to which any parent is as good.
 */
#include "search.h"

#include "layout.h"
#include "search_kernels.h"
#include "switches.h"

/* A search under way. */
typedef struct {
    sl_call *call;
    const sl_closure_options *options;
    cuda_vector *pi, *level;
    cuda_persistent s;
    unsigned blocks, narrow_blocks;
    bool takes_narrow;
    void *scratch, *own_scratch; /* the same where the matrix has no layout */
} run;

static cudaStream_t stream(void)
{
    return sl_cuda_device()->stream;
}

enum { ALIGNMENT = 256 };

/* The next `bytes` of the scratch, which begins at `base` or is only measured. */
static void *take(char *base, uint64_t *used, uint64_t bytes)
{
    void *at = base ? base + *used : NULL;
    *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

/* Lays the scratch out from r->scratch; returns its bytes. */
static uint64_t lay_out(run *r)
{
    cuda_persistent *s = &r->s;
    uint64_t used = 0, n = s->graph.n, bits = s->words * sizeof(uint32_t);
    char *base = r->scratch;
    s->tally = take(base, &used, 3 * sizeof *s->tally);
    s->standing = take(base, &used, sizeof *s->standing);
    s->steps = take(base, &used, SEARCH_STEPS * sizeof *s->steps);
    s->visited = take(base, &used, bits);
    s->before = take(base, &used, bits);
    s->frontier = take(base, &used, bits);
    s->found = take(base, &used, bits);
    s->queue = take(base, &used, n * sizeof *s->queue);
    s->ends = take(base, &used, n * sizeof *s->ends);
    if (s->parent)
        s->from = take(base, &used, n * sizeof *s->from);
    if (s->level)
        s->depth = take(base, &used, n * sizeof *s->depth);
    return used;
}

/* The graph as it stands in the matrix. */
static cuda_adjacency rows_as_they_are(const sl_object *object, const cuda_matrix *A)
{
    return (cuda_adjacency){.n = (uint32_t)object->nrows,
                            .callers = (uint32_t)object->nrows,
                            .edges = A->nnz,
                            .wide = true,
                            .start = A->start,
                            .index = A->index};
}

/* In a layout, where hubs come first: more of them in a large graph, of which a search takes
 * longer than to bring them into each block's shared memory. */
static uint32_t hub_words(uint32_t words)
{
    uint32_t share = words / HUB_SHARE < FEWEST_HUB_WORDS ? FEWEST_HUB_WORDS : words / HUB_SHARE;
    share = share < HUB_WORDS ? share : HUB_WORDS;
    return share < words ? share : words;
}

static void describe(run *r, const cuda_switches *on)
{
    const sl_traversal *t = r->call->traversal;
    const cuda_matrix *A = cuda_matrix_of(r->call->a);
    const cuda_vector *q = cuda_vector_of(t->q);
    bool parents = r->call->semiring->result_is_index;
    cuda_persistent *s = &r->s;
    s->graph = A->layout && on->layout ? A->layout->graph : rows_as_they_are(r->call->a, A);
    if (!on->slots)
        s->graph.slot[0] = NULL;
    s->words = sl_cuda_search_words(s->graph.n);
    s->q = q->bits;
    s->pi = r->pi->bits;
    s->parent = parents ? r->pi->values : NULL;
    s->truth = parents ? NULL : r->pi->values;
    if (r->level) {
        s->level_bits = r->level->bits;
        s->level = r->level->values;
    }
    s->result = &sl_cuda_device()->mailbox->standing;
    s->most = r->options->bounded ? r->options->max_steps : UINT64_MAX;
    s->direction = (int)r->options->direction;
    s->hub_words = on->hubs && s->graph.label ? hub_words(s->words) : 0;
    r->takes_narrow = on->cluster;
    s->policy = on->policy;
}

/* The in-edges of a matrix without a layout, made and brought to the device on demand. */
static sl_status bring_in_edges(run *r)
{
    sl_matrix *At;
    CUDA_TRY(sl_matrix_pull_side(&At, r->call->traversal->A, true));
    CUDA_TRY(sl_object_reach(&At->object, &sl_store_cuda));
    const cuda_matrix *columns = cuda_matrix_of(&At->object);
    r->s.graph.in_start = columns->start;
    r->s.graph.in_index = columns->index;
    return SL_OK;
}

static sl_status log_steps(run *r, uint64_t count)
{
    sl_context *ctx = r->call->ctx;
    cuda_search_step *steps = sl_cuda_device()->mailbox->search_steps;
    if (!r->options->log || count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_download(ctx, steps, r->s.steps, count * sizeof *steps));
    CUDA_TRY(sl_cuda_wait(ctx, "kernel search"));
    for (uint64_t k = 0; k < count; k++) {
        sl_step step = {.direction = steps[k].pulled ? SL_PULL : SL_PUSH,
                        .edges_exact = true,
                        .frontier = steps[k].frontier,
                        .edges = steps[k].edges,
                        .seconds = 1e-9 * (double)steps[k].nanoseconds};
        if (sl_step_log_append(r->options->log, &step) != SL_OK)
            return sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory");
    }
    return SL_OK;
}

/* One launch after another, until the search is over. */
static sl_status all_launches(run *r)
{
    sl_context *ctx = r->call->ctx;
    const cuda_standing *now = r->s.result;
    bool over = false, narrow = false;
    while (!over) {
        const char *kernel = narrow ? "kernel narrow" : "kernel search";
        CUDA_TRY(sl_cuda_status(ctx, kernel,
                                narrow ? sl_cuda_narrow_steps(&r->s, r->narrow_blocks, stream())
                                       : sl_cuda_persistent_search(&r->s, r->blocks, stream())));
        CUDA_TRY(sl_cuda_wait(ctx, kernel));
        CUDA_TRY(log_steps(r, now->recorded));
        if (now->stop == CUDA_WANTS_IN_EDGES)
            CUDA_TRY(bring_in_edges(r));
        /* What a cluster has searched to its end, the others finish. */
        over = !narrow && (now->stop == CUDA_SEARCHED || now->stop == CUDA_OUTSIDE);
        narrow = now->stop == CUDA_WANTS_CLUSTER || (narrow && now->stop == CUDA_STEPS_RECORDED);
        r->s.resumes = true;
    }
    return SL_OK;
}

/* A layout keeps its scratch: to find so much memory anew takes as long as some steps. */
static sl_status take_scratch(run *r)
{
    cuda_layout *kept = cuda_matrix_of(r->call->a)->layout;
    uint64_t bytes = lay_out(r);
    if (kept && kept->scratch_bytes < bytes) {
        sl_cuda_free(kept->scratch);
        kept->scratch_bytes = 0;
        CUDA_TRY(sl_cuda_alloc(r->call->ctx, &kept->scratch, bytes));
        kept->scratch_bytes = bytes;
    }
    if (!kept)
        CUDA_TRY(sl_cuda_alloc(r->call->ctx, &r->own_scratch, bytes));
    r->scratch = kept ? kept->scratch : r->own_scratch;
    lay_out(r);
    return SL_OK;
}

static sl_status search(run *r, bool *done)
{
    CUDA_TRY(take_scratch(r));
    CUDA_TRY(all_launches(r));
    const cuda_standing *now = r->s.result;
    *done = now->stop == CUDA_SEARCHED;
    if (!*done)
        return SL_OK;
    sl_cuda_drop_survey(r->pi);
    r->pi->nvals = now->entries;
    if (r->level) {
        sl_cuda_drop_survey(r->level);
        if (r->level->nvals != CUDA_UNCOUNTED)
            r->level->nvals += now->new_levels;
    }
    return SL_OK;
}

/* How many blocks fit at once is asked once for each kernel; for who holds the lock. */
static sl_status fit_blocks(run *r)
{
    static unsigned blocks[2][2], narrow_blocks;
    sl_context *ctx = r->call->ctx;
    const cuda_adjacency *g = &r->s.graph;
    unsigned *known = &blocks[g->slot[0] != NULL][g->wide];
    if (!*known)
        CUDA_TRY(
            sl_cuda_status(ctx, "occupancy of a search",
                           sl_cuda_search_blocks(known, g, sl_cuda_device()->multiprocessors)));
    r->blocks = *known;
    if (!g->four || r->options->direction != SL_AUTO || !r->takes_narrow)
        return SL_OK;
    if (!narrow_blocks)
        CUDA_TRY(
            sl_cuda_status(ctx, "occupancy of a cluster", sl_cuda_narrow_blocks(&narrow_blocks)));
    r->narrow_blocks = narrow_blocks;
    r->s.narrow_most = narrow_blocks * NARROW_EACH;
    return SL_OK;
}

sl_status sl_cuda_search(sl_call *call, bool *done)
{
    const sl_traversal *t = call->traversal;
    run r = {.call = call, .options = t->options, .pi = cuda_vector_of(t->pi)};
    cuda_switches on;
    *done = false;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    if (!on.persistent || !sl_cuda_device()->cooperative)
        return SL_OK;
    if (t->options->level)
        r.level = cuda_vector_of(sl_object_of_vector(t->options->level));
    describe(&r, &on);
    sl_cuda_lock();
    sl_status status = fit_blocks(&r);
    if (status == SL_OK)
        status = search(&r, done);
    sl_cuda_free(r.own_scratch);
    sl_cuda_unlock();
    return status;
}
