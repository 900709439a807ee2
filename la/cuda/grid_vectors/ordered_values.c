/*
 * Full vectors expanded for sums over tiles (products/sum_order.h), which read the values in an order of the columns: each process
 * sends its values in that order, and only those of columns with entries, so that the receivers need not copy all values
 * into the order themselves. The processes of a line agree on it once: each counts the entries of the columns in its block, the
 * owner of the columns adds the counts up, sorts its columns by falling number, and sends the list to all.
 */
#include "ordered_values.h"

#include "column_order.h"
#include "column_order_kernels.h"
#include "grid_links.h"
#include "operations.h"
#include "reordered_products.h"
#include "vector_parcel_kernels.h"

/* One expansion. */
typedef struct {
    const sl_vector_exchange *x;
    cuda_scratch s;
    cuda_matrix *M;
    uint32_t members, place;
    uint64_t rows, columns; /* of M */
    uint64_t first, length; /* of the columns: those that this process owns */
    cuda_grid_links *links;
    uint64_t offset; /* of the messages in the outbox */
} expansion;

static sl_object *matrix_of(const sl_call *product)
{
    return product->op == SL_OP_VXM ? product->b : product->a;
}

static sl_object *vector_of(const sl_call *product)
{
    return product->op == SL_OP_VXM ? product->a : product->b;
}

/* Whether a product sums over the rows of the matrix as it is stored, so that these are the columns of M. */
static bool sums_rows(const sl_call *product)
{
    const bool vxm = product->op == SL_OP_VXM;
    return vxm != ((product->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A)) != 0);
}

static uint64_t size_of(const sl_call *product, bool rows)
{
    return rows ? matrix_of(product)->nrows : matrix_of(product)->ncols;
}

sl_column_state sl_cuda_column_state(const sl_call *product)
{
    bool yes = false;
    const cuda_matrix *M = sl_cuda_summed_matrix((sl_call *)product);
    if (!M || M->reordered || M->pinned)
        return SL_COLUMNS_OTHER;
    if (M->sum_order && M->sum_order->begin &&
        sl_cuda_has_room_for_sums(&yes, product->ctx, M->sum_order, vector_of(product)->type) ==
            SL_OK)
        return yes ? SL_COLUMNS_IN_ORDER : SL_COLUMNS_OTHER;
    const bool over_rows = sums_rows(product);
    return sl_cuda_wants_sum_order(product->ctx, &yes, M, size_of(product, !over_rows),
                                   size_of(product, over_rows)) == SL_OK &&
                   yes
               ? SL_COLUMNS_TO_ORDER
               : SL_COLUMNS_OTHER;
}

/* ---- the order ------------------------------------------------------------------------------------- */

/* The bytes of the longest message with `size` bytes for each column. */
static uint64_t longest_message(const expansion *e, size_t size)
{
    return cuda_grid_aligned(sl_distribution_length(&e->x->blocks->of, 0) * size);
}

/* Begins an exchange of `slots` messages. */
static sl_status begin(expansion *e, uint32_t slots, size_t size, sl_status status)
{
    return sl_cuda_grid_begin(&e->links, e->x->grid, e->x->ctx, slots * longest_message(e, size),
                              &e->offset, status);
}

/* Writes the counts of the other processes' columns to the outbox. */
static sl_status pack_counts(expansion *e, const uint32_t *count)
{
    cuda_parcel *sent = e->links->sent;
    uint64_t offset = e->offset;
    for (uint32_t m = 0; m < e->members; m++) {
        const uint64_t from = sl_local_blocks_begin(e->x->blocks, m);
        const uint64_t bytes = (sl_local_blocks_begin(e->x->blocks, m + 1) - from) * sizeof *count;
        sent[m] = (cuda_parcel){.offset = offset, .bytes = bytes};
        if (m == e->place)
            continue;
        CUDA_TRY(sl_cuda_copy(e->x->ctx, e->links->outbox + offset, count + from, bytes));
        offset += longest_message(e, sizeof *count);
    }
    return SL_OK;
}

/* *count: the entries of this process's columns in all blocks of the line. */
static sl_status count_columns(expansion *e, uint32_t **count, sl_status status)
{
    sl_context *ctx = e->x->ctx;
    CUDA_TRY(begin(e, e->members - 1, sizeof **count, status));
    cuda_parcel *received = e->links->received;
    status = sl_cuda_scratch_take(&e->s, count, e->columns * sizeof **count);
    if (status == SL_OK)
        status = sl_cuda_count_column_entries(&e->s, *count, e->M, e->columns);
    if (status == SL_OK)
        status = pack_counts(e, *count);
    status = sl_cuda_grid_announce(e->links, ctx, e->x->line, e->links->sent, received, status);
    CUDA_TRY(sl_cuda_grid_deliver(e->links, ctx, e->x->line, e->links->sent, received, status));
    *count += e->first;
    for (uint32_t m = 0; m < e->members; m++)
        if (m != e->place)
            CUDA_TRY(
                cuda_launched(&e->s, "kernel add_counts",
                              sl_cuda_add_counts(*count, (const uint32_t *)received[m].data,
                                                 e->length, cuda_processors(), cuda_stream())));
    return SL_OK;
}

/* Writes the list of this process's columns to the outbox; *used: their number. */
static sl_status pack_list(expansion *e, const uint32_t *count, uint64_t *used)
{
    uint32_t *old, *numbers;
    CUDA_TRY(sl_cuda_scratch_take(&e->s, &old, e->length * sizeof *old));
    CUDA_TRY(sl_cuda_scratch_take(&e->s, &numbers, e->length * sizeof *numbers));
    CUDA_TRY(sl_cuda_order_by_degree(&e->s, old, used, count, numbers, e->length));
    for (uint32_t m = 0; m < e->members; m++)
        e->links->sent[m] = (cuda_parcel){.offset = e->offset, .bytes = *used * sizeof *old};
    return cuda_launched(&e->s, "kernel shift_indices",
                         sl_cuda_shift_indices((uint32_t *)(e->links->outbox + e->offset), old,
                                               (uint32_t)e->first, *used, cuda_processors(),
                                               cuda_stream()));
}

/* Where the announced messages belong in an array, which begins with the columns of the first process: received[m].to. This
 * process's message is copied there from the outbox. */
static sl_status place_messages(expansion *e, void *array, const uint64_t *begin, size_t size)
{
    char *own = (char *)array + begin[e->place] * size;
    for (uint32_t m = 0; m < e->members; m++)
        if (m != e->place)
            e->links->received[m].to = (char *)array + begin[m] * size;
    return sl_cuda_copy(e->x->ctx, own, e->links->outbox + e->offset,
                        (begin[e->place + 1] - begin[e->place]) * size);
}

/* Makes room for the announced lists. */
static sl_status place_lists(expansion *e, cuda_agreed_columns *agreed, uint64_t used)
{
    const cuda_parcel *received = e->links->received;
    agreed->begin = sl_calloc(e->members + 1, sizeof *agreed->begin);
    if (!agreed->begin)
        return cuda_no_host_memory(e->x->ctx);
    for (uint32_t m = 0; m < e->members; m++)
        agreed->begin[m + 1] =
            agreed->begin[m] +
            (m == e->place ? used : received[m].bytes / sizeof *agreed->column_id);
    CUDA_TRY(sl_cuda_alloc(e->x->ctx, (void **)&agreed->column_id,
                           agreed->begin[e->members] * sizeof *agreed->column_id));
    return place_messages(e, agreed->column_id, agreed->begin, sizeof *agreed->column_id);
}

static sl_status exchange_lists(expansion *e, cuda_agreed_columns *agreed, const uint32_t *count,
                                sl_status status)
{
    sl_context *ctx = e->x->ctx;
    uint64_t used = 0;
    CUDA_TRY(begin(e, 1, sizeof *agreed->column_id, status));
    cuda_parcel *sent = e->links->sent, *received = e->links->received;
    if (status == SL_OK)
        status = pack_list(e, count, &used);
    status = sl_cuda_grid_announce(e->links, ctx, e->x->line, sent, received, status);
    if (status == SL_OK && e->links->complete)
        status = place_lists(e, agreed, used);
    return sl_cuda_grid_deliver(e->links, ctx, e->x->line, sent, received, status);
}

/* Makes the order. *done: whether all processes have it. */
static sl_status make_order(expansion *e, bool *done, sl_status status)
{
    cuda_agreed_columns agreed = {.processes = e->members};
    uint32_t *count = NULL;
    status = count_columns(e, &count, status);
    status = exchange_lists(e, &agreed, count, status);
    if (status == SL_OK) {
        status = sl_cuda_make_sum_order(e->s.call, e->M, e->rows, e->columns, &agreed);
    } else {
        sl_cuda_free(agreed.column_id);
        sl_free(agreed.begin);
    }
    uint64_t missing = status != SL_OK || !e->M->sum_order;
    *done = e->x->grid->reduce(e->x->grid, &missing, 1, true) == SL_OK && missing == 0;
    if (!*done && status == SL_OK && e->M->sum_order) {
        sl_free(e->M->sum_order->begin);
        e->M->sum_order->begin = NULL;
    }
    return status;
}

/* ---- the values ------------------------------------------------------------------------------------ */

/* Writes this process's values, in order, to the outbox. */
static sl_status pack_values(expansion *e)
{
    const cuda_sum_order *order = e->M->sum_order;
    const cuda_vector *u = cuda_vector_of(vector_of(e->s.call));
    const size_t size = sl_type_size(e->x->type);
    const uint64_t from = order->begin[e->place], count = order->begin[e->place + 1] - from;
    for (uint32_t m = 0; m < e->members; m++)
        e->links->sent[m] = (cuda_parcel){.offset = e->offset, .bytes = count * size};
    return cuda_launched(&e->s, "kernel order_values",
                         sl_cuda_order_values(e->links->outbox + e->offset,
                                              (const char *)u->values - e->first * size,
                                              order->column_id + from, size, count,
                                              cuda_processors(), cuda_stream()));
}

/* A full vector with room for the values of all columns. */
static sl_status new_values(cuda_vector **made, const expansion *e)
{
    const cuda_sum_order *order = e->M->sum_order;
    const sl_object like = {.ctx = e->x->ctx, .type = e->x->type, .nrows = e->columns, .ncols = 1};
    CUDA_TRY(sl_cuda_new_list(made, &like));
    CUDA_TRY(sl_cuda_alloc(e->x->ctx, &(*made)->values,
                           order->begin[e->members] * sl_type_size(e->x->type)));
    (*made)->full = true;
    (*made)->nvals = e->columns;
    (*made)->in_order = order;
    return SL_OK;
}

static sl_status exchange_values(cuda_vector **made, expansion *e, sl_status status)
{
    const size_t size = sl_type_size(e->x->type);
    sl_context *ctx = e->x->ctx;
    CUDA_TRY(begin(e, 1, size, status));
    cuda_parcel *sent = e->links->sent, *received = e->links->received;
    if (status == SL_OK)
        status = new_values(made, e);
    if (status == SL_OK)
        status = pack_values(e);
    status = sl_cuda_grid_announce(e->links, ctx, e->x->line, sent, received, status);
    if (status == SL_OK && e->links->complete)
        status = place_messages(e, (*made)->values, e->M->sum_order->begin, size);
    return sl_cuda_grid_deliver(e->links, ctx, e->x->line, sent, received, status);
}

static sl_status expand(sl_vector **whole, expansion *e, sl_status status)
{
    cuda_vector *made = NULL;
    status = exchange_values(&made, e, status);
    if (status == SL_OK)
        status = sl_vector_new(whole, e->x->ctx, e->x->type, e->columns);
    if (status == SL_OK)
        sl_object_of_vector(*whole)->held[sl_store_cuda.slot] = made;
    else
        sl_cuda_free_vector(made);
    return status;
}

sl_status sl_cuda_expand_in_order(sl_vector **whole, bool *done, const sl_vector_exchange *x,
                                  sl_call *product, sl_column_state state, sl_status status)
{
    const bool over_rows = sums_rows(product);
    const uint32_t place = sl_device_grid_place(x->grid, x->line);
    const uint64_t first = sl_local_blocks_begin(x->blocks, place);
    expansion e = {.x = x,
                   .s = {.call = product},
                   .M = sl_cuda_summed_matrix(product),
                   .members = sl_device_grid_members(x->grid, x->line),
                   .place = place,
                   .rows = size_of(product, !over_rows),
                   .columns = size_of(product, over_rows),
                   .first = first,
                   .length = sl_local_blocks_begin(x->blocks, place + 1) - first};
    *whole = NULL;
    *done = state == SL_COLUMNS_IN_ORDER;
    if (!*done)
        status = make_order(&e, done, status);
    if (*done)
        status = expand(whole, &e, status);
    sl_cuda_scratch_release(&e.s);
    return status;
}
