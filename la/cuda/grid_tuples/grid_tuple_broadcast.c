/*
 * Broadcasts tuples between the devices of a grid: one message for all processes. Also the parts of messages that
 * broadcasts and grid_tuple_send.c share.
 */
#include "cuda/data/object_kernels.h"
#include "cuda/grid_tuples/grid_tuple_kernels.h"
#include "cuda/grid_tuples/grid_tuple_messages.h"
#include "cuda/grid_tuples/grid_tuples.h"
#include "cuda/runtime/arena.h"

/* ---- parts of messages ---------------------------------------------------------------------- */

sl_status sl_cuda_find_wide_tuples(sl_context *ctx, uint64_t *wide, const sl_tuples *t, int array)
{
    const uint64_t *numbers = (const uint64_t *)cuda_tuple_array(t, array);
    if (!numbers || t->count == 0)
        return SL_OK;
    return sl_cuda_status(ctx, "kernel find_wide",
                          sl_cuda_tuples_find_wide(wide, numbers, t->count));
}

sl_status sl_cuda_allocate_tuples(sl_tuples *t, sl_context *ctx, const sl_tuples *like)
{
    const uint64_t bytes = t->count * sizeof *t->rows;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&t->rows, bytes));
    if (like->cols)
        CUDA_TRY(sl_cuda_alloc(ctx, (void **)&t->cols, bytes));
    return like->values ? sl_cuda_alloc(ctx, &t->values, t->count * sl_type_size(t->type)) : SL_OK;
}

void sl_cuda_release_tuples(sl_tuples *t)
{
    for (int a = 0; a < CUDA_TUPLE_ARRAYS; a++)
        sl_cuda_free(cuda_tuple_array(t, a));
    *t = (sl_tuples){.type = t->type, .memory = t->memory};
}

sl_status sl_cuda_unpack_tuples(sl_context *ctx, void *to, const sl_tuples *like, int array,
                                const cuda_parcel *message)
{
    const uint64_t tuples = message->words[0], narrow = message->words[1];
    const void *from = message->data + cuda_tuple_offset(like, array, tuples, narrow);
    if (tuples == 0)
        return SL_OK;
    return array < CUDA_TUPLE_VALUES && narrow >> array & 1
               ? sl_cuda_status(ctx, "kernel widen", sl_cuda_widen(to, from, tuples))
               : sl_cuda_copy(ctx, to, from, tuples * cuda_tuple_size(like, array, narrow));
}

/* ---- broadcasts -------------------------------------------------------------------------------- */

/* One broadcast on this process. */
typedef struct {
    const sl_device_grid *grid;
    sl_context *ctx;
    cuda_arena arena;
    uint32_t root, members;
    bool sends; /* this process is the root */
    const sl_tuples *sent;
    uint64_t narrow;       /* on the root: the arrays with 32 bits */
    cuda_parcel *out, *in; /* [members] */
} broadcast;

/* Allocates; on the root finds the arrays of indices with 32 bits. */
static sl_status open_broadcast(broadcast *b)
{
    uint64_t *wide, found[CUDA_TUPLE_VALUES];
    b->out = sl_calloc(2 * (uint64_t)b->members, sizeof *b->out);
    if (!b->out)
        return cuda_no_host_memory(b->ctx);
    b->in = b->out + b->members;
    if (!b->sends)
        return SL_OK;
    CUDA_TRY(sl_cuda_arena_take(b->ctx, &b->arena, &wide, sizeof found));
    CUDA_TRY(sl_cuda_zero(b->ctx, wide, sizeof found));
    for (int a = CUDA_TUPLE_ROWS; a < CUDA_TUPLE_VALUES; a++)
        CUDA_TRY(sl_cuda_find_wide_tuples(b->ctx, &wide[a], b->sent, a));
    CUDA_TRY(sl_cuda_fetch(b->ctx, "kernel find_wide", found, wide, sizeof found));
    for (int a = CUDA_TUPLE_ROWS; a < CUDA_TUPLE_VALUES; a++)
        b->narrow |= (uint64_t)!found[a] << a;
    return SL_OK;
}

/* Writes the message, and describes it to the other processes. */
static sl_status pack(const broadcast *b, cuda_grid_links *l, uint64_t offset, uint64_t bytes)
{
    const uint64_t count = b->sent->count;
    for (uint32_t m = 0; m < b->members; m++)
        if (m != b->root)
            b->out[m] =
                (cuda_parcel){.bytes = bytes, .offset = offset, .words = {count, b->narrow}};
    for (int a = 0; a < CUDA_TUPLE_ARRAYS && count > 0; a++) {
        const char *from = cuda_tuple_array(b->sent, a);
        char *to = l->outbox + offset + cuda_tuple_offset(b->sent, a, count, b->narrow);
        if (from && a < CUDA_TUPLE_VALUES && b->narrow >> a & 1)
            CUDA_TRY(
                sl_cuda_status(b->ctx, "kernel to_32_bits",
                               sl_cuda_to_32_bits((uint32_t *)to, (const uint64_t *)from, count)));
        else if (from)
            CUDA_TRY(
                sl_cuda_copy(b->ctx, to, from, count * cuda_tuple_size(b->sent, a, b->narrow)));
    }
    return SL_OK;
}

/* Copies the message, or on the root the tuples themselves. */
static sl_status unpack(const broadcast *b, const sl_tuples *received)
{
    for (int a = 0; a < CUDA_TUPLE_ARRAYS; a++) {
        char *to = cuda_tuple_array(received, a);
        if (to && b->sends)
            CUDA_TRY(sl_cuda_copy(b->ctx, to, cuda_tuple_array(b->sent, a),
                                  received->count * cuda_tuple_size(b->sent, a, 0)));
        else if (to)
            CUDA_TRY(sl_cuda_unpack_tuples(b->ctx, to, b->sent, a, &b->in[b->root]));
    }
    return SL_OK;
}

static sl_status broadcast_tuples(broadcast *b, sl_tuples *received)
{
    cuda_grid_links *links;
    uint64_t offset,
        bytes =
            b->sends ? cuda_tuple_offset(b->sent, CUDA_TUPLE_ARRAYS, b->sent->count, b->narrow) : 0;
    CUDA_TRY(cuda_grid_agree(b->grid, b->grid->reduce(b->grid, &bytes, 1, true)));
    CUDA_TRY(sl_cuda_grid_begin(&links, b->grid, b->ctx, bytes, &offset, SL_OK));
    sl_status status = b->sends ? pack(b, links, offset, bytes) : SL_OK;
    status = sl_cuda_grid_announce(links, b->ctx, SL_ALONG_ALL, b->out, b->in, status);
    received->count = b->sends ? b->sent->count : b->in[b->root].words[0];
    if (status == SL_OK)
        status = sl_cuda_allocate_tuples(received, b->ctx, b->sent);
    CUDA_TRY(sl_cuda_grid_deliver(links, b->ctx, SL_ALONG_ALL, b->out, b->in, status));
    return unpack(b, received);
}

sl_status sl_cuda_broadcast_tuples(sl_tuples *received, const sl_device_grid *grid, sl_context *ctx,
                                   uint32_t root, const sl_tuples *sent, sl_status status)
{
    broadcast b = {.grid = grid,
                   .ctx = ctx,
                   .root = root,
                   .members = sl_device_grid_members(grid, SL_ALONG_ALL),
                   .sends = sl_device_grid_place(grid, SL_ALONG_ALL) == root,
                   .sent = sent};
    *received = (sl_tuples){.type = sent->type, .memory = sent->memory};
    if (status == SL_OK)
        status = open_broadcast(&b);
    status = cuda_grid_agree(grid, status);
    if (status == SL_OK)
        status = broadcast_tuples(&b, received);
    sl_cuda_arena_release(&b.arena);
    sl_free(b.out);
    if (status != SL_OK)
        sl_cuda_release_tuples(received);
    return status;
}
