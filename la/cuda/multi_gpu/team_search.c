/* A search of several processes, as the host goes along with it. */
#include <stdatomic.h>

#include "launch.h"
#include "switches.h"
#include "team_run.h"

enum { ALIGNMENT = 256, HOST_PATIENCE = 60 /* seconds */ };

/* The next `bytes` of the scratch, which begins at `base` or is only measured. */
static void *take(char *base, uint64_t *used, uint64_t bytes)
{
    void *at = base ? base + *used : NULL;
    *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

static uint64_t lay_out(group_bfs_params *s, char *base, const cuda_part *part)
{
    bfs_params *own = &s->own;
    const uint64_t n = part->stride, all = n * s->size, bits = n / 8;
    uint64_t used = 0;
    s->standing = take(base, &used, sizeof *s->standing);
    own->work.state = &s->standing->now;
    own->work.counts = take(base, &used, 5 * sizeof *own->work.counts);
    own->work.ticket = take(base, &used, sizeof *own->work.ticket);
    own->work.levels = take(base, &used, BFS_LEVELS * sizeof *own->work.levels);
    own->work.visited = take(base, &used, bits);
    own->work.prev_visited = take(base, &used, bits);
    own->work.next_frontier = take(base, &used, bits);
    own->work.parent_is_first = take(base, &used, bits);
    own->work.parent = take(base, &used, n * sizeof *own->work.parent);
    own->work.depth = take(base, &used, n * sizeof *own->work.depth);
    own->work.queue = take(base, &used, all * sizeof *own->work.queue);
    own->work.ends = take(base, &used, all * sizeof *own->work.ends);
    s->mine = take(base, &used, bits);
    return used;
}

/* A part keeps its scratch, which is as large for every search. */
static sl_status take_scratch(group_bfs_run *r)
{
    cuda_part *part = r->part;
    const uint64_t bytes = lay_out(&r->s, NULL, part);
    if (part->scratch_bytes < bytes) {
        sl_cuda_free(part->scratch);
        part->scratch_bytes = 0;
        CUDA_TRY(sl_cuda_alloc(r->call->ctx, &part->scratch, bytes));
        part->scratch_bytes = bytes;
    }
    lay_out(&r->s, part->scratch, part);
    return SL_OK;
}

static sl_status take_slots(group_bfs_run *r)
{
    cuda_part *part = r->part;
    const uint64_t bytes = (uint64_t)(part->of->size + 1) * sl_cuda_group_slot_bytes(r);
    if (part->slots_bytes < bytes) {
        sl_cuda_free(part->slots);
        part->slots_bytes = 0;
        CUDA_TRY(sl_cuda_alloc(r->call->ctx, (void **)&part->slots, bytes));
        part->slots_bytes = bytes;
    }
    return sl_cuda_decode_begin(&part->coder, r->call->ctx);
}

static uint32_t hub_words(uint32_t words)
{
    uint32_t share = words / HUB_SHARE < FEWEST_HUB_WORDS ? FEWEST_HUB_WORDS : words / HUB_SHARE;
    share = share < HUB_WORDS ? share : HUB_WORDS;
    return share < words ? share : words;
}

static sl_status describe(group_bfs_run *r)
{
    const sl_traversal *t = r->call->traversal;
    const bool parents = r->call->semiring->result_is_index;
    cuda_part *part = r->part;
    group_bfs_params *s = &r->s;
    bfs_params *own = &s->own;
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, r->call->ctx));
    s->rank = (uint32_t)part->of->rank;
    s->size = (uint32_t)part->of->size;
    s->arriving = r->team->transport->begin != NULL;
    s->direct = r->ends = !s->arriving && !r->team->transport->gather;
    s->coded = r->team->transport->codes && part->of->compresses;
    if (s->coded)
        CUDA_TRY(take_slots(r));
    CUDA_TRY(take_scratch(r));
    own->graph = part->layout->graph;
    if (!on.ell)
        own->graph.slot[0] = NULL;
    own->work.words = part->stride / 32;
    own->options.frontier = cuda_vector_of(t->q)->bits;
    own->result.pi = r->pi->bits;
    own->result.parent = (cuda_integers){parents ? r->pi->values : NULL, t->pi->type == SL_INT32};
    own->result.reached = parents ? NULL : r->pi->values;
    if (!parents)
        own->work.parent = NULL;
    if (!parents || !own->graph.slot[0])
        own->work.parent_is_first = NULL;
    if (r->level) {
        own->result.level_bits = r->level->bits;
        own->result.level = (cuda_integers){r->level->values,
                                     sl_object_of_vector(r->options->level)->type == SL_INT32};
    } else {
        own->work.depth = NULL;
    }
    own->options.max_levels = r->options->bounded ? r->options->max_iterations : UINT64_MAX;
    own->options.direction = (int)r->options->direction;
    own->options.hub_words = on.hubs ? hub_words(part->block.words) : 0;
    own->options.policy = on.policy;
    own->options.policy.row = (double)GROUP_ROW_COST * s->size; /* every rank looks up every row */
    s->id = part->id;
    s->vertices = part->all_vertices;
    s->edges = part->all_edges;
    s->block = part->block;
    s->most_listed = s->direct ? part->block.room / GROUP_LIST_SHARE : part->block.room;
    memcpy(s->peer, r->team->peer, sizeof s->peer);
    /* Which nobody else needs then, and the others may write to. */
    s->arrived = (const uint32_t *)(s->peer[s->rank] + s->block.lists);
    s->patience = HOST_PATIENCE * 1000000000ull;
    s->result = &cuda_group_pinned()->state;
    own->result.state = &s->result->now;
    own->result.stamp = 1; /* of its end */
    return sl_cuda_status(
        r->call->ctx, "occupancy of a search",
        sl_cuda_group_bfs_blocks(&r->blocks, &own->graph, sl_cuda_device()->multiprocessors));
}

/* ---- the search ------------------------------------------------------------------------------ */

static sl_status log_steps(group_bfs_run *r, uint64_t count)
{
    sl_context *ctx = r->call->ctx;
    bfs_level *steps = cuda_group_pinned()->search.levels;
    if (!r->options->log || count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_download(ctx, steps, r->s.own.work.levels, count * sizeof *steps));
    CUDA_TRY(sl_cuda_wait(ctx, "kernel team_search"));
    return sl_cuda_log_levels(ctx, r->options->log, steps, count);
}

/* The end of a search is looked for before the stream is waited for, which takes longer. */
static sl_status wait_for_end(const group_bfs_run *r)
{
    const volatile unsigned long long *stamp = &r->s.own.result.state->stamp;
    for (int k = 0; r->ends && k < SEARCH_LOOKS && *stamp != r->s.own.result.stamp; k++)
        ;
    if (*stamp != r->s.own.result.stamp)
        return sl_cuda_wait(r->call->ctx, "kernel team_search");
    atomic_thread_fence(memory_order_acquire);
    return SL_OK;
}

static sl_status launch(group_bfs_run *r)
{
    sl_context *ctx = r->call->ctx;
    CUDA_TRY(sl_cuda_status(ctx, "kernel team_search",
                            sl_cuda_group_bfs_launch(&r->s, r->blocks, cuda_stream())));
    if (r->ends)
        CUDA_TRY(sl_cuda_status(
            ctx, "kernel finish",
            sl_cuda_bfs_write_results(&r->s.own, sl_cuda_device()->multiprocessors, cuda_stream())));
    CUDA_TRY(wait_for_end(r));
    return log_steps(r, r->s.result->now.recorded);
}

/* Where the host carries data the processes agree before they do, so that all stop together. */
static void all_launches(group_bfs_run *r)
{
    const group_bfs_state *now = r->s.result;
    bool over = false;
    while (!over) {
        if (r->status == SL_OK)
            sl_cuda_group_keep_failure(r, launch(r));
        if (!r->s.direct)
            sl_cuda_group_keep_failure(r, r->part->of->agree(r->part->of, r->status));
        if (r->status != SL_OK)
            return;
        if (now->stage == GROUP_EXCHANGES)
            sl_cuda_group_exchange(r);
        over = now->stage == GROUP_TIMED_OUT ||
               (now->stage == GROUP_DECIDES && now->now.stop != BFS_LOG_FULL);
    }
}

/* Where a search stands before its first launch. */
static sl_status begin(group_bfs_run *r)
{
    sl_context *ctx = r->call->ctx;
    group_bfs_state *now = r->s.result;
    *now = (group_bfs_state){
        .now.stop = BFS_CONTINUES, .stage = GROUP_BEGINS, .round = r->team->round};
    CUDA_TRY(sl_cuda_upload(ctx, r->s.standing, now, sizeof *now));
    return sl_cuda_zero(ctx, r->s.own.work.counts, 5 * sizeof *r->s.own.work.counts);
}

/* A search that ends before it has begun. */
static sl_status rehearse(group_bfs_run *r)
{
    const cuda_device *device = sl_cuda_device();
    bfs_params *own = &r->s.own;
    r->s.size = (uint32_t)r->part->of->size;
    CUDA_TRY(take_scratch(r));
    own->graph = r->part->layout->graph;
    r->s.result = &cuda_group_pinned()->state;
    own->result.state = &r->s.result->now;
    CUDA_TRY(begin(r));
    CUDA_TRY(sl_cuda_status(r->call->ctx, "kernel finish",
                            sl_cuda_bfs_write_results(own, device->multiprocessors, device->stream)));
    CUDA_TRY(sl_cuda_status(r->call->ctx, "occupancy of a search",
                            sl_cuda_group_bfs_blocks(&r->blocks, &own->graph, device->multiprocessors)));
    return sl_cuda_wait(r->call->ctx, "kernel finish");
}

sl_status sl_cuda_part_warm_up(cuda_part *part, sl_context *ctx)
{
    sl_call call = {.ctx = ctx};
    group_bfs_run r = {.part = part, .team = part->team, .call = &call};
    cuda_bitmap parents;
    sl_cuda_lock();
    sl_status status = rehearse(&r);
    sl_cuda_unlock();
    if (status == SL_OK)
        status = sl_cuda_new_bitmap(ctx, &parents, part->callers, sizeof(int64_t));
    if (status == SL_OK) {
        sl_cuda_free(parents.bits);
        sl_cuda_free(parents.values);
    }
    return status;
}

static void report_on(const group_bfs_run *r, sl_device_group_report *report)
{
    const group_bfs_state *now = r->s.result;
    report->transport = r->team->transport->name;
    report->bytes[SL_GROUP_BITMAP] = now->bytes[0];
    report->bytes[SL_GROUP_LIST] = now->bytes[1];
    for (int c = 0; c < SL_GROUP_CODECS; c++)
        report->bytes[c] += r->received[c];
    report->count_messages = now->letters;
    report->step_count_bytes = sizeof(step_counts);
    report->seconds = r->seconds + 1e-9 * (double)now->exchanging;
}

/* What the search has found is there when all ranks have. */
static void finish(group_bfs_run *r, sl_device_group_report *report, bool *done)
{
    const group_bfs_state *now = r->s.result;
    r->team->round = now->round;
    *done = now->now.stop == BFS_DONE;
    report_on(r, report);
    if (!*done)
        return;
    sl_cuda_drop_frontier_list(r->pi);
    r->pi->nvals = now->now.entries;
    if (r->level) {
        sl_cuda_drop_frontier_list(r->level);
        if (r->level->nvals != CUDA_UNKNOWN)
            r->level->nvals += now->now.new_levels;
    }
}

/* Nobody knows how far a failed search has written. */
static void spoil(group_bfs_run *r)
{
    cuda_vector *const written[] = {r->pi, r->level};
    for (size_t k = 0; k < 2; k++)
        if (written[k]) {
            sl_cuda_drop_frontier_list(written[k]);
            written[k]->nvals = CUDA_UNKNOWN;
        }
}

sl_status sl_cuda_group_migrate_vector(sl_object *object)
{
    CUDA_TRY(sl_object_migrate(object, &sl_store_cuda));
    return sl_cuda_make_bitmap(object, cuda_vector_of(object));
}

static sl_status bring(const sl_traversal *t)
{
    sl_object *vectors[] = {t->pi, t->q, sl_object_of_vector(t->options->level)};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (vectors[k])
            CUDA_TRY(sl_cuda_group_migrate_vector(vectors[k]));
    return SL_OK;
}

sl_status sl_cuda_part_search(void *part, sl_call *call, sl_device_group_report *report, bool *done)
{
    const sl_traversal *t = call->traversal;
    group_bfs_run r = {.part = part, .call = call, .options = t->options};
    const sl_device_group *of = r.part->of;
    r.team = r.part->team;
    *done = false;
    CUDA_TRY(sl_cuda_group_choose_transport(r.team, call->ctx));
    sl_status status = r.team->lost ? sl_fail(call->ctx, SL_ENGINE_FAULT,
                                              "the devices of other processes were lost")
                                    : bring(t);
    sl_cuda_lock();
    if (status == SL_OK) {
        r.pi = cuda_vector_of(t->pi);
        if (t->options->level)
            r.level = cuda_vector_of(sl_object_of_vector(t->options->level));
        status = describe(&r);
    }
    if (status == SL_OK)
        status = begin(&r);
    status = of->agree(of, status);
    if (status == SL_OK) {
        all_launches(&r);
        if (r.status == SL_OK && r.s.result->stage == GROUP_TIMED_OUT) {
            r.team->lost = true;
            sl_cuda_group_keep_failure(
                &r, sl_fail(call->ctx, SL_ENGINE_FAULT,
                            "search: the devices of other processes did not answer for %d s",
                            HOST_PATIENCE));
        }
        status = of->agree(of, r.status);
        if (status == SL_OK)
            finish(&r, report, done);
        else
            spoil(&r);
    }
    sl_cuda_unlock();
    return status;
}
