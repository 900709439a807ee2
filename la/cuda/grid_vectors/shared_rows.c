/* Which rows have entries in the blocks of a matrix that different processes have. */
#include "cuda/data/object_kernels.h"
#include "cuda/grid_vectors/shared_order.h"
#include "cuda/grid_vectors/shared_order_kernels.h"
#include "cuda/grid_vectors/vector_parcel_kernels.h"
#include "cuda/runtime/sorting.h"

/* Where this block's rows with entries are: by number of the row, and as a bitmap. */
typedef struct {
    const uint32_t *place, *present;
} placed_rows;

static sl_status place_rows(placed_rows *at, cuda_scratch *s, const cuda_sum_rows *of,
                            const uint32_t *place)
{
    const uint64_t bytes = cuda_words(of->all_rows) * sizeof *at->present;
    uint32_t *to, *bits;
    CUDA_TRY(sl_cuda_scratch_take(s, &to, of->rows * sizeof *to));
    CUDA_TRY(sl_cuda_scratch_take(s, &bits, bytes));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, bits, bytes));
    CUDA_TRY(cuda_launched(s, "kernel order_values",
                           sl_cuda_order_values(to, place, of->row_id, sizeof *to, of->rows)));
    CUDA_TRY(cuda_launched(s, "kernel join_list",
                           sl_cuda_join_list(bits, NULL, 0, to, NULL, sizeof *to, of->rows)));
    *at = (placed_rows){to, bits};
    return SL_OK;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

/* ends: the inclusive sums of the bits in the words of a bitmap. */
static sl_status sum_words(cuda_scratch *s, uint64_t *ends, const uint32_t *bits, uint64_t words)
{
    CUDA_TRY(cuda_launched(s, "kernel word_lengths", sl_cuda_word_lengths(ends, bits, words)));
    return sl_cuda_sum_ends(s->call->ctx, &s->arena, ends, words);
}

/* begin[m] = the rows with entries before the block of process m. */
static sl_status find_begins(uint64_t *begin, const cuda_line_exchange *e, cuda_scratch *s,
                             const cuda_sum_rows *of, const uint32_t *present, const uint64_t *ends)
{
    sl_context *ctx = s->call->ctx;
    const uint32_t count = e->members + 1;
    uint32_t *index, *place, *host = sl_malloc(count * sizeof *host);
    if (!host)
        return cuda_no_host_memory(ctx);
    for (uint32_t m = 0; m < count; m++)
        host[m] = (uint32_t)sl_local_blocks_begin(e->x->blocks, m);
    sl_status status = sl_cuda_scratch_take(s, &index, count * sizeof *index);
    if (status == SL_OK)
        status = sl_cuda_scratch_take(s, &place, count * sizeof *place);
    if (status == SL_OK)
        status = sl_cuda_upload(ctx, index, host, count * sizeof *index);
    if (status == SL_OK)
        status =
            cuda_launched(s, "kernel find_places",
                          sl_cuda_find_places(place, index, count, present, ends, of->all_rows));
    if (status == SL_OK)
        status = sl_cuda_fetch(ctx, "kernel find_places", host, place, count * sizeof *place);
    for (uint32_t m = 0; m < count; m++)
        begin[m] = host[m];
    sl_free(host);
    return status;
}

/* The rows with entries of this process's block: row_begin, row_place. */
static sl_status number_rows(cuda_shared_order *shared, const cuda_line_exchange *e,
                             cuda_scratch *s, cuda_sum_order *order, const placed_rows *at)
{
    const cuda_sum_rows *of = &order->rows;
    const uint64_t words = cuda_words(of->all_rows);
    uint64_t *ends;
    shared->row_begin = sl_calloc(e->members + 1, sizeof *shared->row_begin);
    if (!shared->row_begin)
        return cuda_no_host_memory(s->call->ctx);
    CUDA_TRY(sl_cuda_scratch_take(s, &ends, words * sizeof *ends));
    CUDA_TRY(sum_words(s, ends, at->present, words));
    CUDA_TRY(find_begins(shared->row_begin, e, s, of, at->present, ends));
    CUDA_TRY(sl_cuda_alloc(s->call->ctx, (void **)&order->row_place,
                           of->rows * sizeof *order->row_place));
    return cuda_launched(s, "kernel find_places",
                         sl_cuda_find_places(order->row_place, at->place, of->rows, at->present,
                                             ends, of->all_rows));
}

static sl_status take_bitmaps(cuda_shared_order *shared, const cuda_line_exchange *e)
{
    sl_context *ctx = e->x->ctx;
    const uint64_t words = shared->words = cuda_words(e->length), all = e->members * words;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&shared->bits, all * sizeof *shared->bits));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&shared->ends, all * sizeof *shared->ends));
    return sl_cuda_alloc(ctx, (void **)&shared->any, words * sizeof *shared->any);
}

/* ---- bitmaps --------------------------------------------------------------------------------------- */

/* Sends each process the bitmap of its rows with entries in this process's block. */
static sl_status send_bitmaps(const cuda_shared_order *shared, const cuda_line_exchange *e,
                              cuda_scratch *s, const uint32_t *present)
{
    for (uint32_t m = 0; m < e->members; m++) {
        const uint64_t from = sl_local_blocks_begin(e->x->blocks, m);
        const uint64_t length = sl_local_blocks_begin(e->x->blocks, m + 1) - from;
        uint32_t *to = m == e->place ? shared->bits + m * shared->words
                                     : cuda_line_message(e, e->members - 1, m,
                                                         cuda_words(length) * sizeof *to);
        CUDA_TRY(
            cuda_launched(s, "kernel slice_bits", sl_cuda_slice_bits(to, present, from, length)));
    }
    return SL_OK;
}

static void place_bitmaps(const cuda_shared_order *shared, const cuda_line_exchange *e)
{
    for (uint32_t m = 0; m < e->members; m++)
        if (m != e->place)
            e->links->received[m].to = shared->bits + m * shared->words;
}

/* Counts the bits of the bitmaps, and unites them. */
static sl_status unite(cuda_shared_order *shared, cuda_scratch *s)
{
    unsigned long long *count, counted;
    for (uint32_t m = 0; m < shared->sum_processes; m++)
        CUDA_TRY(sum_words(s, shared->ends + m * shared->words, shared->bits + m * shared->words,
                           shared->words));
    CUDA_TRY(cuda_launched(
        s, "kernel unite_bits",
        sl_cuda_unite_bits(shared->any, shared->bits, shared->sum_processes, shared->words)));
    CUDA_TRY(sl_cuda_scratch_take(s, &count, sizeof *count));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, count, sizeof *count));
    CUDA_TRY(cuda_launched(s, "kernel count_bits",
                           sl_cuda_count_bits(count, shared->any, shared->words)));
    CUDA_TRY(sl_cuda_fetch(s->call->ctx, "kernel count_bits", &counted, count, sizeof counted));
    shared->entries = counted;
    return SL_OK;
}

/* *longest: of this process, then of all. Collective. */
static sl_status agree_on_longest(cuda_shared_order *shared, const cuda_line_exchange *e,
                                  sl_status status)
{
    shared->longest = 0;
    for (uint32_t m = 0; status == SL_OK && m < e->members; m++) {
        const uint64_t rows = shared->row_begin[m + 1] - shared->row_begin[m];
        if (m != e->place && rows > shared->longest)
            shared->longest = rows;
    }
    const sl_status reduced = e->x->grid->reduce(e->x->grid, &shared->longest, 1, true);
    return status == SL_OK ? reduced : status;
}

sl_status sl_cuda_share_rows(cuda_shared_order *shared, const sl_vector_exchange *x,
                             cuda_scratch *s, cuda_sum_order *order, sl_status status)
{
    cuda_line_exchange e = cuda_line_exchange_of(x);
    placed_rows at = {order->rows.row_id, order->present};
    uint32_t *place;
    shared->sum_processes = e.members;
    if (order->own_order) {
        status = sl_cuda_share_places(&place, order, x, s, status);
        if (status == SL_OK)
            status = place_rows(&at, s, &order->rows, place);
    }
    if (status == SL_OK)
        status = number_rows(shared, &e, s, order, &at);
    if (status == SL_OK)
        status = take_bitmaps(shared, &e);
    status = agree_on_longest(shared, &e, status);
    CUDA_TRY(cuda_line_begin(&e, e.members - 1, cuda_words(e.longest) * sizeof(uint32_t), status));
    if (status == SL_OK)
        status = send_bitmaps(shared, &e, s, at.present);
    status = cuda_line_announce(&e, status);
    if (cuda_line_goes_on(&e, status))
        place_bitmaps(shared, &e);
    status = cuda_line_deliver(&e, status);
    return status == SL_OK ? unite(shared, s) : status;
}
