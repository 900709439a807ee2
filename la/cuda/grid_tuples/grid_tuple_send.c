/*
 * Sends tuples between the devices of a grid: they are sorted by receiver, and each receiver gets one
 * message (grid_tuple_messages.h). Indices with a frame travel as local indices of the receiver's block.
 */
#include "cuda/grid_tuples/grid_tuple_kernels.h"
#include "cuda/grid_tuples/grid_tuple_messages.h"
#include "cuda/grid_tuples/grid_tuples.h"
#include "cuda/operations/entry_kernels.h"
#include "cuda/operations/matrix_rows.h"

/* One exchange on this process. Host arrays are indexed by process. */
typedef struct {
    const sl_device_grid *grid;
    cuda_scratch s;
    const sl_tuples *sent;
    const sl_frame *frame; /* [2] */
    uint32_t members, me;
    uint64_t narrow;  /* bit a: the indices of array a travel with 32 bits */
    uint32_t *sorted; /* receivers of the tuples, ascending; on the device */
    uint64_t *order;  /* the positions of these tuples; on the device */
    uint64_t *begin;  /* members + 1: the first of them for each receiver; and room for find_wide */
    uint64_t *from;   /* members + 1: the first tuple received of each sender */
    uint64_t *at;     /* members: scratch of pack */
    uint64_t bytes;   /* of the messages in the outbox */
    cuda_parcel *out, *in;
} exchange;

/* ---- preparation ---------------------------------------------------------------------------- */

static sl_status open_exchange(exchange *e)
{
    const uint64_t n = (uint64_t)e->members + 1;
    e->begin = sl_calloc(3 * n + CUDA_TUPLE_VALUES, sizeof *e->begin);
    e->out = sl_calloc(2 * n, sizeof *e->out);
    if (!e->begin || !e->out)
        return cuda_no_host_memory(e->s.call->ctx);
    e->from = e->begin + n + CUDA_TUPLE_VALUES;
    e->at = e->from + n;
    e->in = e->out + n;
    return SL_OK;
}

static void close_exchange(exchange *e)
{
    sl_cuda_scratch_release(&e->s);
    sl_free(e->begin);
    sl_free(e->out);
}

static int bits_of(uint32_t members)
{
    int bits = 1;
    while (members > UINT32_C(1) << bits)
        bits++;
    return bits;
}

/* Sorts the tuples by receiver. */
static sl_status sort_by_receiver(exchange *e, const uint32_t *to)
{
    const uint64_t count = e->sent->count;
    uint64_t *positions;
    void *scratch;
    size_t bytes = 0;
    CUDA_TRY(sl_cuda_scratch_take(&e->s, &e->sorted, count * sizeof *e->sorted));
    CUDA_TRY(sl_cuda_scratch_take(&e->s, &e->order, count * sizeof *e->order));
    CUDA_TRY(sl_cuda_scratch_take(&e->s, &positions, count * sizeof *positions));
    CUDA_TRY(cuda_launched(&e->s, "kernel range", sl_cuda_range(positions, 0, 1, count)));
    const cuda_tuple_sort sort = {to, positions, e->sorted, e->order, count, bits_of(e->members)};
    CUDA_TRY(cuda_launched(&e->s, "scratch of a sort", sl_cuda_tuples_sort(NULL, &bytes, &sort)));
    CUDA_TRY(sl_cuda_scratch_take(&e->s, &scratch, bytes));
    return cuda_launched(&e->s, "sort", sl_cuda_tuples_sort(scratch, &bytes, &sort));
}

/* Whether every local index of a frame has 32 bits; the first rank has the longest block. */
static bool is_narrow(const sl_frame *frame)
{
    const sl_local_blocks blocks = sl_frame_blocks(frame, 0);
    return sl_local_blocks_length(&blocks) <= UINT32_MAX;
}

/* wide[a] becomes 0, or not 0 if indices of array a travel with 64 bits; on the device. */
static sl_status find_wide(exchange *e, uint64_t *wide)
{
    CUDA_TRY(sl_cuda_zero(e->s.call->ctx, wide, CUDA_TUPLE_VALUES * sizeof *wide));
    for (int a = CUDA_TUPLE_ROWS; a < CUDA_TUPLE_VALUES; a++)
        if (e->frame[a].kind == SL_FRAME_NONE)
            CUDA_TRY(sl_cuda_find_wide_tuples(e->s.call->ctx, &wide[a], e->sent, a));
    return SL_OK;
}

/* Finds where the tuples of each receiver begin, and which indices have 32 bits. */
static sl_status count(exchange *e)
{
    sl_context *ctx = e->s.call->ctx;
    uint64_t *begin;
    const uint64_t ends = (uint64_t)e->members + 1,
                   bytes = (ends + CUDA_TUPLE_VALUES) * sizeof *begin;
    CUDA_TRY(sl_cuda_scratch_take(&e->s, &begin, bytes));
    CUDA_TRY(find_wide(e, begin + ends));
    CUDA_TRY(cuda_launched(&e->s, "kernel find_begins",
                           sl_cuda_tuples_begin(begin, e->sorted, e->sent->count, e->members)));
    CUDA_TRY(sl_cuda_download(ctx, e->begin, begin, bytes));
    CUDA_TRY(sl_cuda_wait(ctx, "kernel find_begins"));
    for (int a = CUDA_TUPLE_ROWS; a < CUDA_TUPLE_VALUES; a++)
        if (e->frame[a].kind == SL_FRAME_NONE ? !e->begin[ends + (uint64_t)a]
                                              : is_narrow(&e->frame[a]))
            e->narrow |= UINT64_C(1) << a;
    return SL_OK;
}

static uint64_t count_for(const exchange *e, uint32_t m)
{
    return e->begin[m + 1] - e->begin[m];
}

/* Describes the messages, which begin at 0. */
static void describe(exchange *e)
{
    for (uint32_t m = 0; m < e->members; m++) {
        if (m == e->me)
            continue;
        e->out[m] = (cuda_parcel){
            .bytes = cuda_tuple_offset(e->sent, CUDA_TUPLE_ARRAYS, count_for(e, m), e->narrow),
            .offset = e->bytes,
            .words = {count_for(e, m), e->narrow}};
        e->bytes += cuda_grid_aligned(e->out[m].bytes);
    }
}

static sl_status prepare(exchange *e, const uint32_t *to)
{
    CUDA_TRY(open_exchange(e));
    if (e->sent->count > 0) {
        CUDA_TRY(sort_by_receiver(e, to));
        CUDA_TRY(count(e));
    }
    describe(e);
    return SL_OK;
}

/* ---- packing --------------------------------------------------------------------------------- */

/* Writes the elements of one array, of `size` bytes, for tuples first to last - 1 in sorted order, to box + e->at. */
static sl_status pack(exchange *e, char *box, int array, size_t size, uint64_t first, uint64_t last)
{
    uint64_t *at;
    const uint64_t bytes = e->members * sizeof *at;
    if (first == last)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&e->s, &at, bytes));
    CUDA_TRY(sl_cuda_upload(e->s.call->ctx, at, e->at, bytes));
    const void *from = cuda_tuple_array(e->sent, array);
    const cuda_tuple_packing p = {
        .box = box, .at = at, .sorted = e->sorted, .order = e->order, .first = first, .last = last};
    if (array == CUDA_TUPLE_VALUES)
        return cuda_launched(&e->s, "kernel pack", sl_cuda_tuples_pack(&p, from, size));
    return cuda_launched(&e->s, "kernel pack_indices",
                         sl_cuda_tuples_pack_indices(&p, from, size, &e->frame[array]));
}

/* Writes the messages to the outbox. */
static sl_status pack_messages(exchange *e, char *outbox)
{
    for (int a = 0; a < CUDA_TUPLE_ARRAYS; a++) {
        const size_t size = cuda_tuple_size(e->sent, a, e->narrow);
        if (!cuda_tuple_array(e->sent, a))
            continue;
        for (uint32_t m = 0; m < e->members; m++)
            e->at[m] = e->out[m].offset +
                       cuda_tuple_offset(e->sent, a, count_for(e, m), e->narrow) -
                       size * e->begin[m];
        CUDA_TRY(pack(e, outbox, a, size, 0, e->begin[e->me]));
        CUDA_TRY(pack(e, outbox, a, size, e->begin[e->me + 1], e->sent->count));
    }
    return SL_OK;
}

/* ---- receiving ------------------------------------------------------------------------------- */

static sl_status make_room(exchange *e, sl_tuples *received)
{
    for (uint32_t m = 0; m < e->members; m++)
        e->from[m + 1] = e->from[m] + (m == e->me ? count_for(e, m) : e->in[m].words[0]);
    received->count = e->from[e->members];
    return sl_cuda_allocate_tuples(received, e->s.call->ctx, e->sent);
}

/* Copies the messages, and this process's own tuples, to the arrays. */
static sl_status unpack(exchange *e, const sl_tuples *received)
{
    for (int a = 0; a < CUDA_TUPLE_ARRAYS; a++) {
        const size_t size = cuda_tuple_size(e->sent, a, 0);
        char *array = cuda_tuple_array(received, a);
        if (!array)
            continue;
        for (uint32_t m = 0; m < e->members; m++)
            if (m != e->me)
                CUDA_TRY(sl_cuda_unpack_tuples(e->s.call->ctx, array + e->from[m] * size, e->sent,
                                               a, &e->in[m]));
        e->at[e->me] = (e->from[e->me] - e->begin[e->me]) * size;
        CUDA_TRY(pack(e, array, a, size, e->begin[e->me], e->begin[e->me + 1]));
    }
    return SL_OK;
}

static sl_status send_tuples(exchange *e, sl_tuples *received)
{
    sl_context *ctx = e->s.call->ctx;
    cuda_grid_links *links;
    uint64_t most = e->bytes, offset;
    CUDA_TRY(cuda_grid_agree(e->grid, e->grid->reduce(e->grid, &most, 1, true)));
    CUDA_TRY(sl_cuda_grid_begin(&links, e->grid, ctx, most, &offset, SL_OK));
    for (uint32_t m = 0; m < e->members; m++)
        e->out[m].offset += offset;
    sl_status status = pack_messages(e, links->outbox);
    status = sl_cuda_grid_announce(links, ctx, SL_ALONG_ALL, e->out, e->in, status);
    if (status == SL_OK)
        status = make_room(e, received);
    CUDA_TRY(sl_cuda_grid_deliver(links, ctx, SL_ALONG_ALL, e->out, e->in, status));
    return unpack(e, received);
}

sl_status sl_cuda_send_tuples(sl_tuples *received, const sl_device_grid *grid, sl_context *ctx,
                              const sl_tuples *sent, const uint32_t *to, const sl_frame frames[2],
                              sl_status status)
{
    sl_call call = {.ctx = ctx};
    exchange e = {.grid = grid,
                  .s = {.call = &call},
                  .sent = sent,
                  .frame = frames,
                  .members = sl_device_grid_members(grid, SL_ALONG_ALL),
                  .me = sl_device_grid_place(grid, SL_ALONG_ALL)};
    *received = (sl_tuples){.type = sent->type, .memory = sent->memory};
    if (status == SL_OK)
        status = prepare(&e, to);
    status = cuda_grid_agree(grid, status);
    if (status == SL_OK)
        status = send_tuples(&e, received);
    close_exchange(&e);
    if (status != SL_OK)
        sl_cuda_release_tuples(received);
    return status;
}
