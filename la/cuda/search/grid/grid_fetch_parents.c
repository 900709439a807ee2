/*
 * Parents are fetched when a search has ended (Bisson et al. 2014, section 3): the owner of a
 * vertex asks the process of its row that reached it, by a set of vertices. The answer is a bit for
 * each id of the block that has its first source as parent, which the owner knows
 * (grid_part_firsts.c), and 32 bits for the parent of each other vertex asked for.
 */
#include <string.h>

#include "cuda/search/grid/grid_bfs_run.h"

/* Whether the bits are sent, if so many parents are asked for: else the parents are no longer than they are. */
static bool sends_bits(uint64_t count, uint32_t words)
{
    return count > words;
}

/* The parts of an answer to `count` requests, of which `bytes` bytes are at `data`. */
static grid_answer answer_at(const cuda_grid_run *r, uint8_t *data, uint64_t count, uint64_t bytes)
{
    const uint32_t words = r->part->words;
    const bool bits = sends_bits(count, words);
    const uint64_t head = sl_cuda_grid_answer_bytes(words, bits, 0);
    uint32_t *at = (uint32_t *)data;
    return (grid_answer){.parent_is_first = bits ? at : NULL,
                         .begin = at + (bits ? words : 0),
                         .parent = (uint32_t *)(data + head),
                         .room = (bytes - head) / sizeof(uint32_t)};
}

static uint64_t requests_of(const cuda_parcel *request)
{
    return request->bytes ? request->set.count : 0;
}

static void empty_slice_counts(cuda_grid_run *r)
{
    GRID_DO(r, sl_cuda_zero(r->call->ctx, r->s.slice_counts,
                            r->part->grid->cols * sizeof *r->s.slice_counts));
}

/* Answers the requests in r->sets: each in a region of the outbox that has room for all ids of a block. */
static void answer(cuda_grid_run *r)
{
    const cuda_part *part = r->part;
    const uint64_t room =
        cuda_grid_aligned(sl_cuda_grid_answer_bytes(part->words, true, part->stride));
    uint64_t at = r->boxes.values;
    empty_slice_counts(r);
    for (uint32_t m = 0; m < part->grid->cols; m++) {
        const uint64_t count = requests_of(&r->received[m]);
        r->sent[m] = (cuda_parcel){.offset = at};
        if (count == 0)
            continue;
        const grid_answer to = answer_at(r, (uint8_t *)part->links->outbox + at, count, room);
        GRID_LAUNCH(r, "answer_requests", sl_cuda_grid_bfs_answer(&r->s, &to, r->sets[m], m));
        at += room;
    }
    sl_cuda_grid_read_slice_counts(r);
    for (uint32_t m = 0; m < part->grid->cols; m++) {
        const uint64_t count = requests_of(&r->received[m]);
        if (count > 0 && r->status == SL_OK)
            r->sent[m].bytes = sl_cuda_grid_answer_bytes(
                part->words, sends_bits(count, part->words), r->kept->counts->slice[m]);
    }
}

/* Takes the answers, unless a rank of the row has failed. */
static void take_answers(cuda_grid_run *r, const cuda_parcel *asked)
{
    const cuda_part *part = r->part;
    for (uint32_t m = 0; m < part->grid->cols; m++) {
        const uint64_t count = requests_of(&asked[m]), bytes = r->received[m].bytes;
        if (count == 0 || r->status != SL_OK || !part->links->complete)
            continue;
        if (bytes < sl_cuda_grid_answer_bytes(part->words, sends_bits(count, part->words), 0)) {
            cuda_grid_keep(r, sl_fail(r->call->ctx, SL_ENGINE_FAULT,
                                      "cuda: grid column %u answers %llu requests for parents by "
                                      "%llu bytes, which are too few",
                                      m, (unsigned long long)count, (unsigned long long)bytes));
            continue;
        }
        const grid_answer from = answer_at(r, (uint8_t *)r->received[m].data, count, bytes);
        GRID_LAUNCH(r, "take_answer", sl_cuda_grid_bfs_take_answer(&r->s, &from, m));
    }
}

/* Asks the other columns, and answers them. */
static void ask(cuda_grid_run *r)
{
    const uint32_t columns = r->part->grid->cols;
    cuda_parcel *asked = r->kept->asked;
    GRID_LAUNCH(r, "requests", sl_cuda_grid_bfs_requests(&r->s));
    r->exchange->fold(r, SL_GRID_PARENTS);
    memcpy(asked, r->sent, columns * sizeof *asked);
    answer(r);
    sl_cuda_grid_swap_messages(r, SL_ALONG_ROW, SL_GRID_PARENTS, true);
    take_answers(r, asked);
}

void sl_cuda_grid_fetch_parents(cuda_grid_run *r)
{
    if (r->part->grid->cols > 1)
        ask(r);
    GRID_LAUNCH(r, "take_own", sl_cuda_grid_bfs_take_own(&r->s));
}
