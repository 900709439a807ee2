/* The exchange between the launches of a search, where kernels cannot write to the other devices:
 * the host exchanges step counts, and then frontiers by the group's transport,
 * encoded as messages where that is worth it. */
#include <string.h>

#include "group_bfs_run.h"

uint64_t sl_cuda_group_slot_bytes(const group_bfs_run *r)
{
    uint64_t most;
    const sl_device_group *processes = r->partition->processes;
    processes->choose_codec(processes, r->partition->ids_per_rank, r->partition->ids_per_rank,
                            &most);
    return sl_cuda_message_slot_bytes(most);
}

void sl_cuda_group_keep_failure(group_bfs_run *r, sl_status status)
{
    if (r->status == SL_OK)
        r->status = status;
}

/* Encodes this rank's frontier as a message. Its length is sent with the step counts. */
static void write_message(group_bfs_run *r)
{
    const sl_device_group *processes = r->partition->processes;
    cuda_message *mine = &r->sent[processes->rank];
    uint64_t most;
    *mine = (cuda_message){.count = r->s.result->own_counts.count[COUNT_VERTICES],
                           .limit = r->partition->ids_per_rank};
    mine->codec = processes->choose_codec(processes, mine->count, mine->limit, &most);
    sl_cuda_group_keep_failure(r, sl_cuda_encode(&r->partition->codec, r->call->ctx,
                                                 r->partition->message_slots, mine,
                                                 r->s.own.work.next_frontier));
}

/* Exchanges step counts and the heads of messages. False: a rank has failed. */
static bool exchange_counts(group_bfs_run *r)
{
    const sl_device_group *processes = r->partition->processes;
    struct {
        step_counts counts;
        cuda_message message;
        bool failed;
    } mine, all[GROUP_MAX_RANKS];
    if (r->s.encoded)
        write_message(r);
    memset(&mine, 0, sizeof mine);
    mine.counts = r->s.result->own_counts;
    mine.message = r->sent[processes->rank];
    mine.failed = r->status != SL_OK;
    const sl_status status = processes->gather(processes, &mine, all, sizeof mine);
    bool all_could = status == SL_OK;
    sl_cuda_group_keep_failure(r, status);
    for (int q = 0; q < processes->size && status == SL_OK; q++) {
        r->s.received_counts[q] = all[q].counts;
        r->sent[q] = all[q].message;
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

/* Decodes the ranks' messages, in slots of so many bytes, to lists or bitmaps of received_stride
 * words per rank. */
static sl_status read_messages(group_bfs_run *r, const uint8_t *slots, uint64_t slot, bool listed)
{
    sl_context *ctx = r->call->ctx;
    cuda_codec_workspace *codec = &r->partition->codec;
    uint32_t *to = (uint32_t *)r->s.received;
    const uint64_t words = (uint64_t)r->s.size * r->s.received_stride;
    CUDA_TRY(sl_cuda_decode_begin(codec, ctx));
    if (!listed)
        CUDA_TRY(sl_cuda_zero(ctx, to, words * sizeof *to));
    for (uint64_t q = 0; q < r->s.size; q++) {
        uint32_t *part = to + q * r->s.received_stride;
        const cuda_decode_target ids = {.list = listed ? part : NULL, .bits = part};
        CUDA_TRY(sl_cuda_decode(codec, ctx, &ids, slots + q * slot, &r->sent[q]));
    }
    return sl_cuda_decode_end(codec, ctx);
}

/* Exchanges messages. All slots are as large as the longest message. */
static void exchange_messages(group_bfs_run *r, bool listed)
{
    uint64_t slot = SLOT_HEAD;
    for (uint32_t q = 0; q < r->s.size; q++) {
        const uint64_t bytes = sl_cuda_message_slot_bytes(r->sent[q].bytes);
        slot = slot > bytes ? slot : bytes;
    }
    uint8_t *all = r->partition->message_slots + sl_cuda_group_slot_bytes(r);
    sl_cuda_group_keep_failure(r, r->group->transport->allgather(r->group, r->call->ctx,
                                                                 r->partition->message_slots, all,
                                                                 slot));
    for (uint32_t q = 0; q < r->s.size; q++)
        if (q != r->s.rank)
            r->received[r->sent[q].codec] += slot;
    if (r->status == SL_OK)
        sl_cuda_group_keep_failure(r, read_messages(r, all, slot, listed));
}

/*
 * Exchanges frontiers, as lists or bitmaps; the next launch derives the form from the same counts.
 */
static void exchange_data(group_bfs_run *r, uint64_t most)
{
    const cuda_transport *by = r->group->transport;
    const bool listed = most <= r->s.list_max;
    const uint64_t words = listed ? most : r->s.own.work.words, bytes = words * sizeof(uint32_t);
    const void *own = listed ? r->s.own_list : r->s.own.work.next_frontier;
    void *all = (void *)r->s.received;
    r->s.received_stride = (uint32_t)words;
    if (r->s.encoded)
        exchange_messages(r, listed);
    else if (r->s.copies_in_flight)
        sl_cuda_group_keep_failure(
            r, by->start_copies(r->group, r->call->ctx, own, all, bytes, r->s.result->round + 1));
    else
        sl_cuda_group_keep_failure(r, by->allgather(r->group, r->call->ctx, own, all, bytes));
}

void sl_cuda_group_exchange(group_bfs_run *r)
{
    const double began = sl_seconds();
    r->group->round = r->s.result->round + 1;
    if (exchange_counts(r)) {
        const uint64_t most = most_found(r);
        r->ends = most == 0;
        if (most > 0)
            exchange_data(r, most);
    } else {
        sl_cuda_group_keep_failure(
            r, r->partition->processes->agree(r->partition->processes, r->status));
    }
    r->seconds += sl_seconds() - began;
}
