/* What the devices of a team tell each other besides the finds of searches. */
#include "team.h"

/* Where data may stand in a block: behind all letters of the largest team. */
static uint64_t room_begins(void)
{
    const uint64_t letters = 2 * GROUP_MAX_RANKS * sizeof(step_counts);
    return (letters + GROUP_LINE / 8 - 1) / (GROUP_LINE / 8) * (GROUP_LINE / 8);
}

uint64_t sl_cuda_group_min_bytes(void)
{
    return room_begins() + GROUP_SHARED;
}

char *sl_cuda_group_workspace(const cuda_device_group *t, uint64_t *bytes)
{
    *bytes = (t->bytes - room_begins()) / 512 * 512;
    return t->peer[t->of->rank] + room_begins();
}

/* An array of which each rank has a part, on its way to all. */
typedef struct {
    cuda_device_group *t;
    sl_context *ctx;
    char *array;
    const uint64_t *begin;
    char *own;            /* of this rank's block, */
    uint64_t room, piece; /* so many bytes; those that each rank sends at once */
} sharing;

/* Bytes of rank q's part from its number `at` on, of a piece. */
static uint64_t length_at(const sharing *s, int q, uint64_t at)
{
    const uint64_t length = s->begin[q + 1] - s->begin[q];
    return at >= length ? 0 : length - at < s->piece ? length - at : s->piece;
}

static sl_status agree(const sharing *s, sl_status status)
{
    return s->t->of->agree(s->t->of, status);
}

static sl_status copy(const sharing *s, void *to, const void *from, uint64_t bytes)
{
    return bytes
               ? sl_cuda_status(s->ctx, "copy between devices",
                                cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cuda_stream()))
               : SL_OK;
}

/* Each puts a piece into its own block, and takes the others' from theirs, in turns of two halves:
 * who writes one again knows by then that all have read it. */
static sl_status put(const sharing *s, uint64_t at, char *half)
{
    const int rank = s->t->of->rank;
    CUDA_TRY(copy(s, half, s->array + s->begin[rank] + at, length_at(s, rank, at)));
    return sl_cuda_wait(s->ctx, "copy to a block");
}

static sl_status take_others(const sharing *s, uint64_t at, uint64_t half)
{
    const int size = s->t->of->size, rank = s->t->of->rank;
    for (int k = 1; k < size; k++) {
        const int q = (rank + k) % size;
        CUDA_TRY(copy(s, s->array + s->begin[q] + at, s->t->peer[q] + half, length_at(s, q, at)));
    }
    return sl_cuda_wait(s->ctx, "copy from another device");
}

static sl_status by_blocks(sharing *s, uint64_t longest)
{
    sl_status status = SL_OK;
    s->piece = s->room / 2;
    for (uint64_t at = 0, turn = 0; at < longest; at += s->piece, turn++) {
        const uint64_t half = turn % 2 * s->piece;
        if (status == SL_OK)
            status = put(s, at, s->own + half);
        CUDA_TRY(agree(s, status));
        status = take_others(s, at, room_begins() + half);
    }
    return agree(s, status); /* and nobody writes to its block before all have read it */
}

/* By the transport: own pieces in front of what comes. */
static sl_status by_gathering(sharing *s, uint64_t longest)
{
    const int size = s->t->of->size, rank = s->t->of->rank;
    s->piece = s->room / (uint64_t)(size + 1) / 256 * 256;
    char *all = s->own + s->piece;
    sl_status status = SL_OK;
    for (uint64_t at = 0; at < longest; at += s->piece) {
        const uint64_t left = longest - at < s->piece ? longest - at : s->piece;
        if (status == SL_OK)
            status = put(s, at, s->own);
        CUDA_TRY(agree(s, status));
        status = s->t->transport->gather(s->t, s->ctx, s->own, all, left);
        for (int q = 0; q < size && status == SL_OK; q++)
            if (q != rank)
                status = copy(s, s->array + s->begin[q] + at, all + (uint64_t)q * left,
                              length_at(s, q, at));
        if (status == SL_OK)
            status = sl_cuda_wait(s->ctx, "copy from a block");
    }
    return agree(s, status);
}

sl_status sl_cuda_group_allgather(cuda_device_group *t, sl_context *ctx, void *array, const uint64_t *begin)
{
    sharing s = {.t = t, .ctx = ctx, .array = array, .begin = begin};
    uint64_t longest = 0;
    s.own = sl_cuda_group_workspace(t, &s.room);
    for (int q = 0; q < t->of->size; q++)
        longest = begin[q + 1] - begin[q] > longest ? begin[q + 1] - begin[q] : longest;
    return t->transport->by_blocks ? by_blocks(&s, longest) : by_gathering(&s, longest);
}

/* Each rank's bits in a room of their own, and then what all of them have. */
static sl_status join(cuda_device_group *t, sl_context *ctx, uint32_t *bits, uint64_t words, uint32_t *all)
{
    uint64_t begin[GROUP_MAX_RANKS + 1];
    const uint64_t bytes = words * sizeof *bits;
    for (int q = 0; q <= t->of->size; q++)
        begin[q] = (uint64_t)q * bytes;
    CUDA_TRY(sl_cuda_copy(ctx, all + (uint64_t)t->of->rank * words, bits, bytes));
    CUDA_TRY(sl_cuda_group_allgather(t, ctx, all, begin));
    return sl_cuda_status(ctx, "kernel join_bits",
                          sl_cuda_or_bits(bits, all, words, (uint32_t)t->of->size,
                                                 cuda_processors(), cuda_stream()));
}

sl_status sl_cuda_group_or_bits(cuda_device_group *t, sl_context *ctx, uint32_t *bits, uint64_t words)
{
    uint32_t *all;
    sl_status status =
        sl_cuda_alloc(ctx, (void **)&all, (uint64_t)t->of->size * words * sizeof *all);
    status = t->of->agree(t->of, status);
    if (status == SL_OK)
        status = join(t, ctx, bits, words, all);
    sl_cuda_free(all);
    return t->of->agree(t->of, status);
}
