/* Where the host carries what ranks found: letters and messages, between launches of a search. */
#include <string.h>

#include "team_run.h"

uint64_t sl_cuda_group_slot_bytes(const group_bfs_run *r)
{
    uint64_t most;
    const sl_device_group *of = r->part->of;
    of->choose_codec(of, r->part->stride, r->part->stride, &most);
    return sl_cuda_slot(most);
}

void sl_cuda_group_keep_failure(group_bfs_run *r, sl_status status)
{
    if (r->status == SL_OK)
        r->status = status;
}

/* What this rank found, as a message; its length goes to the others with the letter. */
static void write_message(group_bfs_run *r)
{
    const sl_device_group *of = r->part->of;
    cuda_message *mine = &r->sent[of->rank];
    uint64_t most;
    *mine =
        (cuda_message){.count = r->s.result->own.part[COUNT_VERTICES], .limit = r->part->stride};
    mine->codec = of->choose_codec(of, mine->count, mine->limit, &most);
    sl_cuda_group_keep_failure(
        r, sl_cuda_encode(&r->part->coder, r->call->ctx, r->part->slots, mine, r->s.own.work.next_frontier));
}

/* Everybody's letters, which go along with the next launch; false: a rank has failed. */
static bool exchange_letters(group_bfs_run *r)
{
    const sl_device_group *of = r->part->of;
    struct {
        step_counts letter;
        cuda_message message;
        bool failed;
    } mine, all[GROUP_MAX_RANKS];
    if (r->s.coded)
        write_message(r);
    memset(&mine, 0, sizeof mine);
    mine.letter = r->s.result->own;
    mine.message = r->sent[of->rank];
    mine.failed = r->status != SL_OK;
    const sl_status status = of->gather(of, &mine, all, sizeof mine);
    bool all_could = status == SL_OK;
    sl_cuda_group_keep_failure(r, status);
    for (int q = 0; q < of->size && status == SL_OK; q++) {
        r->s.come[q] = all[q].letter;
        r->sent[q] = all[q].message;
        all_could = all_could && !all[q].failed;
    }
    return all_could;
}

/* The most that one rank has found; 0: there is no further step. */
static uint64_t most_found(const group_bfs_run *r)
{
    uint64_t most = 0;
    for (uint32_t q = 0; q < r->s.size; q++) {
        const unsigned long long *part = r->s.come[q].part;
        most = part[COUNT_VERTICES] > most ? part[COUNT_VERTICES] : most;
        if (part[COUNT_OUTSIDE])
            return 0;
    }
    return r->s.result->now.level < r->s.own.options.max_levels ? most : 0;
}

/* What came in slots of so many bytes, as lists or bits of `chunk` words for each rank. */
static sl_status read_messages(group_bfs_run *r, const uint8_t *slots, uint64_t slot, bool listed)
{
    sl_context *ctx = r->call->ctx;
    cuda_coder *coder = &r->part->coder;
    uint32_t *to = (uint32_t *)r->s.arrived;
    const uint64_t words = (uint64_t)r->s.size * r->s.chunk;
    CUDA_TRY(sl_cuda_decode_begin(coder, ctx));
    if (!listed)
        CUDA_TRY(sl_cuda_zero(ctx, to, words * sizeof *to));
    for (uint64_t q = 0; q < r->s.size; q++) {
        uint32_t *new_id = to + q * r->s.chunk;
        const cuda_ids ids = {.list = listed ? new_id : NULL, .bits = new_id};
        CUDA_TRY(sl_cuda_decode(coder, ctx, &ids, slots + q * slot, &r->sent[q]));
    }
    return sl_cuda_decode_end(coder, ctx);
}

/* All messages take as many bytes as the longest of them. */
static void exchange_messages(group_bfs_run *r, bool listed)
{
    uint64_t slot = SLOT_HEAD;
    for (uint32_t q = 0; q < r->s.size; q++) {
        const uint64_t bytes = sl_cuda_slot(r->sent[q].bytes);
        slot = slot > bytes ? slot : bytes;
    }
    uint8_t *all = r->part->slots + sl_cuda_group_slot_bytes(r);
    sl_cuda_group_keep_failure(r,
                      r->team->transport->gather(r->team, r->call->ctx, r->part->slots, all, slot));
    for (uint32_t q = 0; q < r->s.size; q++)
        if (q != r->s.rank)
            r->received[r->sent[q].codec] += slot;
    if (r->status == SL_OK)
        sl_cuda_group_keep_failure(r, read_messages(r, all, slot, listed));
}

/* Of which the kernel has the same opinion: whether it travels as a list. */
static void exchange_data(group_bfs_run *r, uint64_t most)
{
    const cuda_transport *by = r->team->transport;
    const bool listed = most <= r->s.most_listed;
    const uint64_t words = listed ? most : r->s.own.work.words, bytes = words * sizeof(uint32_t);
    const void *own = listed ? r->s.mine : r->s.own.work.next_frontier;
    void *all = (void *)r->s.arrived;
    r->s.chunk = (uint32_t)words;
    if (r->s.coded)
        exchange_messages(r, listed);
    else if (r->s.arriving)
        sl_cuda_group_keep_failure(
            r, by->begin(r->team, r->call->ctx, own, all, bytes, r->s.result->round + 1));
    else
        sl_cuda_group_keep_failure(r, by->gather(r->team, r->call->ctx, own, all, bytes));
}

void sl_cuda_group_exchange(group_bfs_run *r)
{
    const double began = sl_seconds();
    r->team->round = r->s.result->round + 1;
    if (exchange_letters(r)) {
        const uint64_t most = most_found(r);
        r->ends = most == 0;
        if (most > 0)
            exchange_data(r, most);
    } else {
        sl_cuda_group_keep_failure(r, r->part->of->agree(r->part->of, r->status));
    }
    r->seconds += sl_seconds() - began;
}
