/* The orders of rows and columns for sums over tiles: when they are made, and how. */
#include "cuda/products/sum_order.h"

#include "cuda/data/object_kernels.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/products/make_tiles.h"
#include "cuda/products/make_tiles_kernels.h"
#include "cuda/reorder/degree_order.h"
#include "cuda/reorder/renumber_rows.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/sort_kernels.h"
#include "cuda/runtime/traversal_switches.h"

/* Calls before the order is made. */
enum { SUMS_BEFORE = 1 };

static void free_order(cuda_sum_order *order)
{
    if (!order)
        return;
    sl_cuda_drop_order(order->row_order);
    sl_cuda_drop_order(order->column_order);
    sl_cuda_drop_order(order->own_order);
    sl_cuda_free(order->column_id);
    sl_cuda_free(order->present);
    sl_cuda_free(order->row_place);
    for (int k = 0; k < ELL_SLOTS; k++) {
        sl_cuda_free(order->slot[k]);
        sl_cuda_free(order->slot_value[k]);
    }
    sl_cuda_free(order->classes);
    sl_cuda_free_sum_tiles(order->tiles);
    sl_cuda_drop_all_derived(&order->derived);
    sl_free(order);
}

/* ---- kept with a matrix ------------------------------------------------------------------- */

typedef struct {
    unsigned calls;        /* that could use the order; at most SUMS_BEFORE + 1 */
    unsigned valued_calls; /* the same of sums with the values of the entries */
    cuda_sum_order *order; /* or NULL */
} kept_sums;

static void release(void *data)
{
    free_order(((kept_sums *)data)->order);
    sl_free(data);
}

static void place(sl_placement *placement, const void *data)
{
    const cuda_sum_order *order = ((const kept_sums *)data)->order;
    if (!order)
        return;
    placement->device_bytes += order->bytes + sl_cuda_sum_tiles_bytes(order->tiles);
    if (order->own_order && order->own_order != order->row_order &&
        order->own_order != order->column_order)
        placement->device_bytes += sl_cuda_order_bytes(order->own_order);
    sl_cuda_place_derived(placement, order->derived);
}

static const cuda_derived_kind sums_kind = {
    .name = "order for sums", .release = release, .place = place};

static kept_sums *sums_of(const cuda_matrix *M)
{
    return cuda_find_derived(M->derived, &sums_kind);
}

static sl_status find_sums(kept_sums **sums, sl_context *ctx, cuda_matrix *M)
{
    *sums = sums_of(M);
    if (*sums)
        return SL_OK;
    *sums = sl_calloc(1, sizeof **sums);
    if (!*sums)
        return cuda_no_host_memory(ctx);
    CUDA_TRY(sl_cuda_keep_derived(ctx, &M->derived, &sums_kind, *sums));
    sl_cuda_spare_derived(M->derived, &sums_kind);
    return SL_OK;
}

cuda_sum_order *sl_cuda_kept_sum_order(const cuda_matrix *M)
{
    const kept_sums *sums = sums_of(M);
    return sums ? sums->order : NULL;
}

/* ---- the construction --------------------------------------------------------------------- */

typedef struct {
    cuda_scratch s;
    cuda_sum_order *order;
    cuda_matrix *M;
    cuda_summed_rows what;
    uint64_t used_columns;
    const uint32_t *place; /* the number of each column in the new order */
    /* scratch */
    uint64_t *start;
    uint32_t *index;
    char *values; /* or NULL */
    void *stored; /* values of a segment as they are stored; NULL: in the type of the sums */
} build;

/* Bytes of a value in the order; 0: it has none. */
static size_t value_size(const cuda_summed_rows *what)
{
    return what->valued ? sl_type_size(what->type) : 0;
}

/* Bytes of scratch for each entry of a segment: two keys and a temporary one, and the value if it is cast. */
static size_t segment_bytes(const cuda_summed_rows *what)
{
    const size_t key = sizeof(uint64_t) + (what->valued ? sizeof(uint32_t) : 0);
    return 3 * key + (what->valued && what->stored != what->type ? sl_type_size(what->stored) : 0);
}

/* An array of the order. pointer: the address of a pointer of any type. */
static sl_status keep(build *b, void *pointer, uint64_t bytes)
{
    b->order->bytes += bytes;
    return sl_cuda_alloc(b->s.call->ctx, pointer, bytes);
}

/* The rows by length: rows, start. */
static sl_status sort_rows(build *b)
{
    sl_context *ctx = b->s.call->ctx;
    cuda_sum_order *order = b->order;
    CUDA_TRY(sl_cuda_find_order(&order->row_order, ctx, b->M, b->what.rows, false));
    const uint32_t rows = order->row_order->n;
    CUDA_TRY(sl_cuda_scratch_take(&b->s, &b->start, ((uint64_t)rows + 1) * sizeof *b->start));
    return sl_cuda_start_rows(ctx, b->start, order->row_order, b->M->start, rows);
}

/* The columns by their numbers of entries: column_order, unless they have been put in order; place, used_columns. */
static sl_status sort_columns(build *b)
{
    cuda_sum_order *order = b->order;
    sl_context *ctx = b->s.call->ctx;
    uint32_t *place;
    if (!order->column_id) {
        const sl_matrix *matrix = (const sl_matrix *)b->what.matrix;
        const bool symmetric = matrix && matrix->symmetry == SL_SYMMETRIC;
        CUDA_TRY(sl_cuda_find_order(&order->column_order, ctx, b->M, b->what.columns, !symmetric));
        CUDA_TRY(sl_cuda_add_new_ids(ctx, order->column_order));
        b->used_columns = order->column_order->n;
        b->place = order->column_order->new_id;
        /* vectors may be brought into the order */
        return order->column_order == order->row_order
                   ? sl_cuda_number_order(ctx, order->column_order)
                   : SL_OK;
    }
    b->used_columns = order->rows.columns;
    CUDA_TRY(sl_cuda_scratch_take(&b->s, &place, b->what.columns * sizeof *place));
    b->place = place;
    return cuda_launched(&b->s, "kernel invert_order",
                         sl_cuda_invert_order(place, order->column_id, b->used_columns));
}

/* Callbacks of cuda_renumbering: the keys of some rows, and their columns once they are sorted. */
static sl_status fill_segment(void *data, cuda_keys_of_rows to, uint32_t first, uint32_t last,
                              uint64_t count)
{
    const build *b = data;
    return cuda_launched(
        &b->s, "kernel renumber_rows",
        sl_cuda_renumber_rows(to.keys,
                              &(cuda_rows_to_renumber){.start = b->start,
                                                       .old_id = b->order->row_order->old_id,
                                                       .new_id = b->place,
                                                       .from_start = b->M->start,
                                                       .from_index = b->M->index,
                                                       .bits = sl_cuda_bits_for(b->used_columns),
                                                       .items = to.items},
                              first, last, count));
}
static sl_status put_segment(void *data, uint64_t at, cuda_keys_of_rows sorted, uint64_t count,
                             unsigned bits)
{
    const build *b = data;
    const size_t size = value_size(&b->what);
    void *values = b->values + at * size;
    if (size)
        CUDA_TRY(
            cuda_launched(&b->s, "kernel order_values",
                          sl_cuda_order_values(b->stored ? b->stored : values, b->M->values,
                                               sorted.items, sl_type_size(b->what.stored), count)));
    if (b->stored)
        CUDA_TRY(cuda_launched(
            &b->s, "kernel cast",
            sl_cuda_cast(values, b->what.type, b->stored, b->what.stored, NULL, count)));
    return cuda_launched(&b->s, "kernel unpack_edges",
                         sl_cuda_unpack_edges(b->index + at, sorted.keys, count, bits));
}

/* The entries in the order of the rows, ascending in each row: index, values. */
static sl_status renumber(build *b)
{
    const uint64_t nnz = b->M->nnz;
    const cuda_degree_order *rows = b->order->row_order;
    const uint64_t segment =
        sl_cuda_segment(nnz, rows->count_above[ELL_SLOTS + 1], segment_bytes(&b->what));
    CUDA_TRY(sl_cuda_scratch_take(&b->s, &b->index, nnz * sizeof *b->index));
    if (b->what.valued)
        CUDA_TRY(sl_cuda_scratch_take(&b->s, &b->values, nnz * value_size(&b->what)));
    if (b->what.valued && b->what.stored != b->what.type)
        CUDA_TRY(sl_cuda_scratch_take(&b->s, &b->stored, segment * sl_type_size(b->what.stored)));
    return sl_cuda_renumber(&(cuda_renumbering){.ctx = b->s.call->ctx,
                                                .rows = rows->n,
                                                .start = b->start,
                                                .capacity = segment,
                                                .bits = sl_cuda_bits_for(b->used_columns),
                                                .numbered = b->what.valued,
                                                .callback_data = b,
                                                .fill = fill_segment,
                                                .put = put_segment});
}

static sl_status fill_slots(build *b)
{
    const cuda_degree_order *rows = b->order->row_order;
    const cuda_graph columns = {
        .n = rows->n, .wide = true, .start = b->start, .index = b->index, .host_begin = UINT64_MAX};
    for (int k = 0; k < ELL_SLOTS; k++)
        CUDA_TRY(keep(b, &b->order->slot[k], rows->count_above[k] * sizeof *b->order->slot[k]));
    return cuda_launched(&b->s, "kernel fill_slots",
                         sl_cuda_fill_slots(b->order->slot, rows->count_above, &columns));
}

static sl_status mark_present(build *b)
{
    CUDA_TRY(keep(b, &b->order->present, cuda_words(b->what.rows) * sizeof *b->order->present));
    return cuda_launched(&b->s, "kernel nonempty_rows",
                         sl_cuda_nonempty_rows(b->order->present, b->M->start, b->what.rows));
}

/* Sets order->rows, but for slot_value, once all other arrays exist. */
static void set_rows(const build *b)
{
    cuda_sum_order *order = b->order;
    order->rows = (cuda_sum_rows){.rows = order->row_order->n,
                                  .columns = (uint32_t)b->used_columns,
                                  .all_rows = (uint32_t)b->what.rows,
                                  .row_id = order->row_order->old_id,
                                  .column_id = order->column_order ? order->column_order->old_id
                                                                   : order->column_id,
                                  .present = order->present,
                                  .present_stride = 1,
                                  .wide = true,
                                  .start = b->start,
                                  .index = b->index,
                                  .listed = order->row_order->count_above[ELL_SLOTS],
                                  .value_size = value_size(&b->what),
                                  .values = b->values};
    order->type = b->what.type;
    for (int k = 0; k < ELL_SLOTS; k++) {
        order->rows.slot[k] = order->slot[k];
        order->rows.slot_count[k] = order->row_order->count_above[k];
    }
}

/* Makes order->rows.slot_value, once the other rows are set. */
static sl_status fill_slot_values(build *b)
{
    cuda_sum_order *order = b->order;
    cuda_sum_rows *rows = &order->rows;
    if (!b->what.valued)
        return SL_OK;
    for (int k = 0; k < ELL_SLOTS; k++) {
        const uint64_t count = rows->slot_count[k] - rows->listed;
        CUDA_TRY(keep(b, &order->slot_value[k], count * rows->value_size));
        rows->slot_value[k] = order->slot_value[k];
    }
    return cuda_launched(&b->s, "kernel slot_values", sl_cuda_slot_values(order->slot_value, rows));
}

static sl_status classify(build *b)
{
    CUDA_TRY(keep(b, &b->order->classes, sizeof *b->order->classes));
    return cuda_launched(&b->s, "kernel classify_rows",
                         sl_cuda_classify_rows(b->order->classes, &b->order->rows));
}

static sl_status fill(build *b, const cuda_switches *on)
{
    CUDA_TRY(sort_rows(b));
    CUDA_TRY(sort_columns(b));
    CUDA_TRY(renumber(b));
    CUDA_TRY(fill_slots(b));
    CUDA_TRY(mark_present(b));
    set_rows(b);
    CUDA_TRY(fill_slot_values(b));
    CUDA_TRY(classify(b));
    CUDA_TRY(sl_cuda_make_tiles(b->s.call, &b->order->tiles, &b->order->rows,
                                b->M->nnz * (sizeof *b->index + value_size(&b->what)), on));
    b->order->rows.start = NULL; /* belong to the scratch */
    b->order->rows.index = NULL;
    b->order->rows.values = NULL;
    return SL_OK;
}

/* Completes `order`, which is new and may have the order of the columns, as the order of M, in place of the one that
 * it has; frees it if the tiles do not pay. */
static sl_status make(sl_call *call, kept_sums *sums, cuda_sum_order *order, cuda_matrix *M,
                      const cuda_summed_rows *what, const cuda_switches *on)
{
    build b = {.s = {.call = call}, .order = order, .M = M, .what = *what};
    if (!order)
        return cuda_no_host_memory(call->ctx);
    const sl_status status = fill(&b, on);
    sl_cuda_scratch_release(&b.s);
    if (status != SL_OK || !sl_cuda_sum_tiles_view(order->tiles)->chunks) {
        free_order(order);
        sl_cuda_drop_unused_orders(M);
        return status;
    }
    free_order(sums->order);
    sums->order = order;
    return SL_OK;
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* Whether the matrix has enough work for three launches, and enough of it for each value that is copied to the
 * order of the columns. */
static bool is_large(const cuda_matrix *M, uint64_t columns)
{
    return M->nnz >= SUM_ORDER_MIN_ENTRIES && M->nnz / SUM_ORDER_MIN_READS >= columns;
}

/* Device bytes of the construction until it makes the tiles, which have a check of their own, and about those of the
 * tiles. The longest row has at most `columns` entries. */
static uint64_t bytes_needed(const cuda_matrix *M, const cuda_summed_rows *what)
{
    return 2 * M->nnz * (sizeof *M->index + value_size(what)) +
           sl_cuda_least_segment(M->nnz, what->columns) * segment_bytes(what) +
           8 * (what->rows + what->columns) * sizeof(uint32_t);
}

/* Whether the order is made for a call after `calls` others. */
static bool is_wanted(const cuda_matrix *M, unsigned calls, const cuda_summed_rows *what,
                      const cuda_switches *on)
{
    if (!on->tiles || calls > SUMS_BEFORE || M->nnz == 0 || (what->valued && M->nnz > UINT32_MAX))
        return false;
    return (on->all_tiles || (calls == SUMS_BEFORE && is_large(M, what->columns))) &&
           bytes_needed(M, what) <= sl_cuda_free_bytes();
}

/* The calls of such sums so far. */
static unsigned *calls_of(kept_sums *sums, const cuda_summed_rows *what)
{
    return what->valued ? &sums->valued_calls : &sums->calls;
}

sl_status sl_cuda_wants_sum_order(sl_context *ctx, bool *wanted, const cuda_matrix *M,
                                  const cuda_summed_rows *what)
{
    kept_sums *sums = sums_of(M);
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, ctx));
    *wanted = is_wanted(M, sums ? *calls_of(sums, what) : 0, what, &on);
    return SL_OK;
}

sl_status sl_cuda_make_sum_order(sl_call *call, cuda_matrix *M, const cuda_summed_rows *what,
                                 uint32_t *column_id, uint64_t count)
{
    cuda_switches on;
    kept_sums *sums;
    sl_status status = find_sums(&sums, call->ctx, M);
    if (status != SL_OK) {
        sl_cuda_free(column_id);
        return status;
    }
    /* Sums that the old order served make theirs again if the new one does not serve them. */
    if (sums->order)
        sums->calls = SUMS_BEFORE;
    if (sums->order && sums->order->rows.value_size)
        sums->valued_calls = SUMS_BEFORE;
    *calls_of(sums, what) = SUMS_BEFORE + 1;
    free_order(sums->order);
    sums->order = NULL;
    cuda_sum_order *order = sl_calloc(1, sizeof *order);
    if (!order) {
        sl_cuda_free(column_id);
        return cuda_no_host_memory(call->ctx);
    }
    order->column_id = column_id;
    order->rows.columns = (uint32_t)count;
    order->bytes = count * sizeof *column_id;
    status = sl_cuda_switches(&on, call->ctx);
    if (status == SL_OK)
        return make(call, sums, order, M, what, &on);
    free_order(order);
    return status;
}

sl_status sl_cuda_find_sum_order(sl_call *call, const cuda_sum_order **order, cuda_matrix *M,
                                 const cuda_summed_rows *what)
{
    cuda_switches on;
    kept_sums *sums;
    *order = NULL;
    CUDA_TRY(find_sums(&sums, call->ctx, M));
    unsigned *const calls = calls_of(sums, what);
    if (cuda_order_serves(sums->order, what)) {
        *order = sums->order;
        return SL_OK;
    }
    if (sums->order && sums->order->rows.value_size) /* values of another type stay */
        return SL_OK;
    if (sums->order && sums->order->derived) { /* the processes that share it replace it together */
        *calls = SUMS_BEFORE;
        return SL_OK;
    }
    if (*calls > SUMS_BEFORE || M->nnz == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    const bool wanted = is_wanted(M, *calls, what, &on);
    *calls += on.tiles;
    if (!wanted)
        return SL_OK;
    CUDA_TRY(sl_cuda_find_symmetry(what->matrix));
    CUDA_TRY(make(call, sums, sl_calloc(1, sizeof(cuda_sum_order)), M, what, &on));
    *order = cuda_order_serves(sums->order, what) ? sums->order : NULL; /* tiles may not pay */
    return SL_OK;
}
