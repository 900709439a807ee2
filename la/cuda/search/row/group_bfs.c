/* A breadth-first search by a device group, as the host drives it: parameters, launches, results.
 * group_bfs.cu has the algorithm; host_exchange.c has the exchange between launches. */
#include <stdatomic.h>

#include "cuda/runtime/traversal_switches.h"
#include "cuda/search/device/launch.h"
#include "cuda/search/row/group_bfs_run.h"
#include "cuda/search/row/group_pinned.h"
#include "cuda/search/row/multi_gpu_tuning.h"

enum { HOST_TIMEOUT_SECONDS = 60 };
_Static_assert((int)GROUP_BARRIER_BYTES == (int)CUDA_BARRIER_BYTES &&
                   2 * GROUP_MAX_RANKS * sizeof(step_counts) <= GROUP_BARRIER_BYTES,
               "the step counts of two rounds stand before an outbox");

/* Places the arrays of a search in the workspace that the partition keeps; they have the same sizes
 * in every search. */
static sl_status allocate_workspace(group_bfs_run *r)
{
    cuda_part *part = r->partition->part;
    bfs_workspace *w = &r->s.own.work;
    const uint64_t n = part->stride, all = n * r->s.size, bitmap = n / 8;
    const cuda_array arrays[] = {{&r->s.state, sizeof *r->s.state},
                                 {&w->counts, 5 * sizeof *w->counts},
                                 {&w->ticket, sizeof *w->ticket},
                                 {&w->levels, BFS_LEVELS * sizeof *w->levels},
                                 {&w->visited, bitmap},
                                 {&w->prev_visited, bitmap},
                                 {&w->next_frontier, bitmap},
                                 {&w->parent_is_first, bitmap},
                                 {&w->parent, n * sizeof *w->parent},
                                 {&w->depth, n * sizeof *w->depth},
                                 {&w->queue, all * sizeof *w->queue},
                                 {&w->ends, all * sizeof *w->ends}};
    CUDA_TRY(sl_cuda_arena_arrays(r->call->ctx, &part->workspace, arrays,
                                  sizeof arrays / sizeof *arrays));
    w->state = &r->s.state->bfs;
    return SL_OK;
}

static void set_vectors(group_bfs_run *r)
{
    const cuda_search_vectors *v = &r->vectors;
    bfs_options *options = &r->s.own.options;
    options->from_source = v->whole;
    options->source = v->source < UINT64_MAX ? (uint32_t)v->source : CUDA_NO_VERTEX;
    options->source_parent = (uint32_t)r->options->source;
    options->frontier = v->whole ? NULL : v->q->bits;
    r->s.own.result = (bfs_result){.pi = v->to_pi.bits,
                                   .parent = v->parent,
                                   .reached = v->reached,
                                   .level_bits = v->to_level.bits,
                                   .level = v->depth};
}

static sl_status set_params(group_bfs_run *r)
{
    const bool parents = r->call->operators.semiring->result_is_index;
    const cuda_partition *partition = r->partition;
    const cuda_part *part = partition->part;
    group_bfs_params *s = &r->s;
    bfs_params *own = &s->own;
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, r->call->ctx));
    s->rank = partition->row->j;
    s->size = partition->row->cols;
    s->direct = r->ends = r->links->transport->mapped;
    CUDA_TRY(allocate_workspace(r));
    own->graph = partition->view;
    if (!on.ell)
        own->graph.slot[0] = NULL;
    own->work.words = part->words;
    set_vectors(r);
    if (!parents)
        own->work.parent = NULL;
    if (!parents || !own->graph.slot[0])
        own->work.parent_is_first = NULL;
    if (!r->vectors.level)
        own->work.depth = NULL;
    own->options.max_levels = r->options->bounded ? r->options->max_iterations : UINT64_MAX;
    own->options.direction = (int)r->options->direction;
    own->options.hub_words = on.hubs ? sl_cuda_bfs_hub_words(partition->memory.bitmap_words) : 0;
    own->options.policy = on.policy;
    own->options.policy.row = (double)GROUP_ROW_COST * s->size; /* every rank looks up every row */
    s->vertices = part->all.targets;
    s->edges = part->all.edges;
    s->memory = partition->memory;
    s->list_max = s->direct ? partition->memory.list_capacity / GROUP_LIST_SHARE
                            : partition->memory.list_capacity;
    if (s->direct)
        memcpy(s->peer, r->links->peer, s->size * sizeof *s->peer);
    else
        s->peer[s->rank] = r->links->outbox;
    s->timeout_ns = HOST_TIMEOUT_SECONDS * 1000000000ull;
    s->result = &cuda_group_pinned()->state;
    own->result.state = &s->result->bfs;
    own->result.stamp = 1; /* every search ends with this stamp */
    return sl_cuda_status(r->call->ctx, "occupancy of a search",
                          sl_cuda_group_bfs_blocks(&r->blocks, &own->graph));
}

/* ---- the search ------------------------------------------------------------------------------ */

static sl_status log_steps(group_bfs_run *r, uint64_t count)
{
    sl_context *ctx = r->call->ctx;
    bfs_level *steps = cuda_group_pinned()->search.levels;
    if (!r->options->log || count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_download(ctx, steps, r->s.own.work.levels, count * sizeof *steps));
    CUDA_TRY(sl_cuda_wait(ctx, "kernel group_bfs"));
    return sl_cuda_log_levels(ctx, r->options->log, steps, count);
}

/* Waits for the launch. Polls the stamp in pinned memory first, because waiting for the stream
 * takes longer. */
static sl_status wait_for_end(const group_bfs_run *r)
{
    const volatile unsigned long long *stamp = &r->s.own.result.state->stamp;
    for (int k = 0; r->ends && k < BFS_POLLS && *stamp != r->s.own.result.stamp; k++)
        ;
    if (*stamp != r->s.own.result.stamp)
        return sl_cuda_wait(r->call->ctx, "kernel group_bfs");
    atomic_thread_fence(memory_order_acquire);
    return SL_OK;
}

static sl_status launch(group_bfs_run *r)
{
    sl_context *ctx = r->call->ctx;
    CUDA_TRY(sl_cuda_status(ctx, "kernel group_bfs", sl_cuda_group_bfs_launch(&r->s, r->blocks)));
    if (r->ends)
        CUDA_TRY(sl_cuda_status(ctx, "kernel finish", sl_cuda_bfs_write_results(&r->s.own)));
    CUDA_TRY(wait_for_end(r));
    return log_steps(r, r->s.result->bfs.recorded);
}

/* Launches until the search is over. Where the host exchanges data, the ranks agree on errors
 * before each exchange, so that all of them stop together. */
static void all_launches(group_bfs_run *r)
{
    const group_bfs_state *now = r->s.result;
    bool over = false;
    while (!over) {
        if (r->status == SL_OK)
            sl_cuda_group_keep_failure(r, launch(r));
        if (!r->s.direct)
            sl_cuda_group_keep_failure(r, cuda_grid_agree(r->partition->row, r->status));
        if (r->status != SL_OK)
            return;
        if (now->stage == GROUP_EXCHANGES)
            sl_cuda_group_exchange(r);
        over = now->stage == GROUP_TIMED_OUT ||
               (now->stage == GROUP_DECIDES && now->bfs.stop != BFS_LOG_FULL);
    }
}

/* Initialises the state before the first launch. */
static sl_status begin(group_bfs_run *r)
{
    sl_context *ctx = r->call->ctx;
    group_bfs_state *now = r->s.result;
    *now = (group_bfs_state){
        .bfs.stop = BFS_CONTINUES, .stage = GROUP_BEGINS, .round = r->links->rounds};
    CUDA_TRY(sl_cuda_upload(ctx, r->s.state, now, sizeof *now));
    return sl_cuda_zero(ctx, r->s.own.work.counts, 5 * sizeof *r->s.own.work.counts);
}

static void report_on(const group_bfs_run *r, sl_device_search_report *report)
{
    const group_bfs_state *now = r->s.result;
    report->transport = r->links->transport->name;
    report->bytes[SL_GRID_EXPAND][SL_GROUP_BITMAP] = now->bytes[0];
    report->bytes[SL_GRID_EXPAND][SL_GROUP_LIST] = now->bytes[1];
    report->counts_messages = now->counts_received;
    report->counts_bytes = now->counts_received * sizeof(step_counts);
    report->seconds[SL_GRID_EXPAND] = r->seconds + 1e-9 * (double)now->exchange_ns;
}

/* Room in pinned memory for the frontiers of all ranks, if the transport needs it. Messages of operations before have
 * been read when the ranks agree: kernels of all ranks then write to the outboxes. */
static sl_status prepare_boxes(const group_bfs_run *r)
{
    if (r->links->turns.unread)
        CUDA_TRY(sl_cuda_wait(r->call->ctx, "messages of a grid"));
    r->links->turns.unread = false;
    const uint64_t bytes = r->partition->memory.list_capacity * sizeof(uint32_t);
    return sl_cuda_grid_grow_inbox(r->links, r->call->ctx, 0,
                                   r->partition->row->cols * cuda_grid_aligned(bytes));
}

sl_status sl_cuda_partition_search(void *partition, sl_call *call, sl_device_search_report *report)
{
    const sl_traversal *t = call->traversal;
    group_bfs_run r = {.partition = partition, .call = call, .options = t->options};
    const sl_device_grid *row = r.partition->row;
    r.links = r.partition->part->links;
    /* after a failure of another preparation there may be no outbox */
    CUDA_TRY(sl_cuda_grid_links_reopen(r.links, call->ctx, r.partition->memory.bytes, 0));
    sl_status status = r.links->lost ? sl_fail(call->ctx, SL_ENGINE_FAULT,
                                               "the devices of other processes were lost")
                                     : sl_cuda_search_vectors_open(&r.vectors, call);
    const bool opened = status == SL_OK;
    if (status == SL_OK)
        status = prepare_boxes(&r);
    sl_cuda_lock();
    if (status == SL_OK)
        status = set_params(&r);
    if (status == SL_OK)
        status = begin(&r);
    status = cuda_grid_agree(row, status);
    if (status == SL_OK) {
        all_launches(&r);
        if (r.status == SL_OK && r.s.result->stage == GROUP_TIMED_OUT) {
            r.links->lost = true;
            sl_cuda_group_keep_failure(
                &r, sl_fail(call->ctx, SL_ENGINE_FAULT,
                            "search: the devices of other processes did not answer for %d s",
                            HOST_TIMEOUT_SECONDS));
        }
        status = cuda_grid_agree(row, r.status);
    }
    if (status == SL_OK) {
        r.links->rounds = r.s.result->round;
        report_on(&r, report);
    }
    const bfs_state end = status == SL_OK ? r.s.result->bfs : (bfs_state){.entries = 0};
    if (opened)
        sl_cuda_search_vectors_close(&r.vectors, status, end.entries, end.new_levels);
    sl_cuda_unlock();
    return status;
}
