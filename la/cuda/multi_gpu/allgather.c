/* Collective functions on device arrays that are not part of a search: allgather and bitwise or.
 * Data pass through the part of the blocks behind the step counts, in pieces. */
#include "device_group.h"
#include "partition_kernels.h"

/* Offset of the workspace in a block: behind the step counts of the largest group, on a line. */
static uint64_t workspace_offset(void)
{
    const uint64_t counts = 2 * GROUP_MAX_MEMBERS * sizeof(step_counts);
    return (counts + GROUP_LINE / 8 - 1) / (GROUP_LINE / 8) * (GROUP_LINE / 8);
}

uint64_t sl_cuda_group_min_bytes(void)
{
    return workspace_offset() + GROUP_BUFFER_BYTES;
}

char *sl_cuda_group_workspace(const cuda_device_group *t, uint64_t *bytes)
{
    *bytes = (t->bytes - workspace_offset()) / 512 * 512;
    return t->peer[t->processes->rank] + workspace_offset();
}

/* An allgather in progress. */
typedef struct {
    cuda_device_group *t;
    sl_context *ctx;
    char *array;
    const uint64_t *begin;
    char *own;            /* this rank's workspace */
    uint64_t room, piece; /* its size, and the bytes that each rank sends at once */
} gather_state;

/* How many bytes of rank q's part are in the piece that begins at `at`. */
static uint64_t length_at(const gather_state *s, int q, uint64_t at)
{
    const uint64_t length = s->begin[q + 1] - s->begin[q];
    return at >= length ? 0 : length - at < s->piece ? length - at : s->piece;
}

static sl_status agree(const gather_state *s, sl_status status)
{
    return s->t->processes->agree(s->t->processes, status);
}

static sl_status copy(const gather_state *s, void *to, const void *from, uint64_t bytes)
{
    return bytes
               ? sl_cuda_status(s->ctx, "copy between devices",
                                cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cuda_stream()))
               : SL_OK;
}

/* With mapped blocks each rank copies a piece into its own block and then the other ranks' pieces
 * out of theirs. The two halves of the workspace alternate: when a rank overwrites a half, the
 * agreement in between has shown that all ranks have read it. */
static sl_status put(const gather_state *s, uint64_t at, char *half)
{
    const int rank = s->t->processes->rank;
    CUDA_TRY(copy(s, half, s->array + s->begin[rank] + at, length_at(s, rank, at)));
    return sl_cuda_wait(s->ctx, "copy to a block");
}

static sl_status take_others(const gather_state *s, uint64_t at, uint64_t half)
{
    const int size = s->t->processes->size, rank = s->t->processes->rank;
    for (int k = 1; k < size; k++) {
        const int q = (rank + k) % size;
        CUDA_TRY(copy(s, s->array + s->begin[q] + at, s->t->peer[q] + half, length_at(s, q, at)));
    }
    return sl_cuda_wait(s->ctx, "copy from another device");
}

static sl_status by_blocks(gather_state *s, uint64_t longest)
{
    sl_status status = SL_OK;
    s->piece = s->room / 2;
    for (uint64_t at = 0, turn = 0; at < longest; at += s->piece, turn++) {
        const uint64_t half = turn % 2 * s->piece;
        if (status == SL_OK)
            status = put(s, at, s->own + half);
        CUDA_TRY(agree(s, status));
        status = take_others(s, at, workspace_offset() + half);
    }
    return agree(s, status); /* no rank writes to its block before all have read it */
}

/* By the transport's allgather: the own piece, and behind it the pieces of all ranks. */
static sl_status by_gathering(gather_state *s, uint64_t longest)
{
    const int size = s->t->processes->size, rank = s->t->processes->rank;
    s->piece = s->room / (uint64_t)(size + 1) / 256 * 256;
    char *all = s->own + s->piece;
    sl_status status = SL_OK;
    for (uint64_t at = 0; at < longest; at += s->piece) {
        const uint64_t left = longest - at < s->piece ? longest - at : s->piece;
        if (status == SL_OK)
            status = put(s, at, s->own);
        CUDA_TRY(agree(s, status));
        status = s->t->transport->allgather(s->t, s->ctx, s->own, all, left);
        for (int q = 0; q < size && status == SL_OK; q++)
            if (q != rank)
                status = copy(s, s->array + s->begin[q] + at, all + (uint64_t)q * left,
                              length_at(s, q, at));
        if (status == SL_OK)
            status = sl_cuda_wait(s->ctx, "copy from a block");
    }
    return agree(s, status);
}

sl_status sl_cuda_group_allgather(cuda_device_group *t, sl_context *ctx, void *array,
                                  const uint64_t *begin)
{
    gather_state s = {.t = t, .ctx = ctx, .array = array, .begin = begin};
    uint64_t longest = 0;
    s.own = sl_cuda_group_workspace(t, &s.room);
    for (int q = 0; q < t->processes->size; q++)
        longest = begin[q + 1] - begin[q] > longest ? begin[q + 1] - begin[q] : longest;
    return t->transport->maps_peers ? by_blocks(&s, longest) : by_gathering(&s, longest);
}

/* Gathers each rank's bits in an array of its own and combines them. */
static sl_status join(cuda_device_group *t, sl_context *ctx, uint32_t *bits, uint64_t words,
                      uint32_t *all)
{
    uint64_t begin[GROUP_MAX_MEMBERS + 1];
    const uint64_t bytes = words * sizeof *bits;
    for (int q = 0; q <= t->processes->size; q++)
        begin[q] = (uint64_t)q * bytes;
    CUDA_TRY(sl_cuda_copy(ctx, all + (uint64_t)t->processes->rank * words, bits, bytes));
    CUDA_TRY(sl_cuda_group_allgather(t, ctx, all, begin));
    return sl_cuda_status(ctx, "kernel join_bits",
                          sl_cuda_or_bits(bits, all, words, (uint32_t)t->processes->size,
                                          cuda_processors(), cuda_stream()));
}

sl_status sl_cuda_group_or_bits(cuda_device_group *t, sl_context *ctx, uint32_t *bits,
                                uint64_t words)
{
    const uint64_t size = (uint64_t)t->processes->size,
                   most = GROUP_BUFFER_BYTES / sizeof(uint32_t) / size,
                   piece = words < most ? words : most;
    uint32_t *all;
    sl_status status = sl_cuda_alloc(ctx, (void **)&all, size * piece * sizeof *all);
    status = t->processes->agree(t->processes, status);
    for (uint64_t at = 0; at < words && status == SL_OK; at += piece) {
        const uint64_t now = words - at < piece ? words - at : piece;
        status = t->processes->agree(t->processes, join(t, ctx, bits + at, now, all));
    }
    sl_cuda_free(all);
    return status;
}

bool sl_cuda_group_all_true(const cuda_device_group *t, bool yes)
{
    uint8_t mine = yes, all[GROUP_MAX_MEMBERS];
    bool agreed = t->processes->gather(t->processes, &mine, all, sizeof mine) == SL_OK;
    for (int q = 0; agreed && q < t->processes->size; q++)
        agreed = all[q];
    return agreed;
}
