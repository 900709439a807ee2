/* The exchange between the launches of a search, where kernels cannot write to the other devices:
 * the host exchanges step counts, and then frontiers by the links' transport. */
#include <string.h>

#include "cuda/search/row/group_bfs_run.h"

void sl_cuda_group_keep_failure(group_bfs_run *r, sl_status status)
{
    if (r->status == SL_OK)
        r->status = status;
}

/* Exchanges step counts. False: a rank has failed. */
static bool exchange_counts(group_bfs_run *r)
{
    const sl_device_group *processes = r->partition->row->group;
    struct {
        step_counts counts;
        bool failed;
    } mine, all[GROUP_MAX_RANKS];
    memset(&mine, 0, sizeof mine);
    mine.counts = r->s.result->own_counts;
    mine.failed = r->status != SL_OK;
    const sl_status status = processes->gather(processes, &mine, all, sizeof mine);
    bool all_could = status == SL_OK;
    sl_cuda_group_keep_failure(r, status);
    for (int q = 0; q < processes->size && status == SL_OK; q++) {
        r->s.received_counts[q] = all[q].counts;
        all_could = all_could && !all[q].failed;
    }
    return all_could;
}

/* The most vertices that one rank visited; 0 if there is no further level. */
static uint64_t most_found(const group_bfs_run *r)
{
    uint64_t most = 0;
    for (uint32_t q = 0; q < r->s.size; q++) {
        const unsigned long long *count = r->s.received_counts[q].count;
        most = count[COUNT_VERTICES] > most ? count[COUNT_VERTICES] : most;
    }
    return r->s.result->bfs.level < r->s.own.options.max_levels ? most : 0;
}

/* Where the outbox has the frontier of rank q in the round: behind the lists of the ranks before it. */
static uint64_t place_of(const group_bfs_params *s, uint64_t round, uint32_t q)
{
    return s->memory.lists +
           (round % 2 * s->size + q) * (uint64_t)s->memory.list_capacity * sizeof(uint32_t);
}

/*
 * Exchanges frontiers, as lists or bitmaps; the next launch derives the form from the same counts. Each rank has them
 * at the same places of its outbox.
 */
static void exchange_data(group_bfs_run *r, uint64_t most)
{
    sl_context *ctx = r->call->ctx;
    const group_bfs_params *s = &r->s;
    cuda_grid_links *l = r->links;
    const bool listed = most <= s->list_max;
    const uint64_t words = listed ? most : s->own.work.words, bytes = words * sizeof(uint32_t),
                   round = s->result->round, own = place_of(s, round, s->rank);
    if (!listed)
        sl_cuda_group_keep_failure(
            r, sl_cuda_copy(ctx, l->outbox + own, s->own.work.next_frontier, bytes));
    for (uint32_t q = 0; q < s->size; q++) {
        l->sent[q] = (cuda_parcel){.bytes = bytes, .offset = own};
        l->received[q] = (cuda_parcel){.bytes = q == s->rank ? 0 : bytes,
                                       .to = l->outbox + place_of(s, round, q)};
    }
    sl_cuda_group_keep_failure(r, sl_cuda_grid_take(l, ctx, SL_ALONG_ALL, l->sent, l->received));
}

void sl_cuda_group_exchange(group_bfs_run *r)
{
    const double began = sl_seconds();
    r->links->rounds = r->s.result->round + 1;
    if (exchange_counts(r)) {
        const uint64_t most = most_found(r);
        r->ends = most == 0;
        if (most > 0)
            exchange_data(r, most);
    } else {
        sl_cuda_group_keep_failure(r, cuda_grid_agree(r->partition->row, r->status));
    }
    r->seconds += sl_seconds() - began;
}
