/*
 * Vectors on the device: making, freeing, conversion between their four forms (device_vector.h), counting.
 * A new vector is a host list, which takes no device memory: a search that starts from one vertex
 * needs no kernel to create its source.
 */
#include "cuda/data/device_vector.h"

#include <string.h>

sl_status sl_cuda_new_list(cuda_vector **made, const sl_object *object)
{
    *made = sl_calloc(1, sizeof **made);
    return *made ? SL_OK : cuda_no_host_memory(object->ctx);
}

sl_object sl_cuda_row(const sl_object *vector, cuda_matrix *list)
{
    sl_object row = {.ctx = vector->ctx,
                     .type = vector->type,
                     .nrows = 1,
                     .ncols = vector->nrows,
                     .is_matrix = true};
    row.held[SL_SLOT_CUDA] = list;
    return row;
}

static uint64_t bitmap_bytes(const sl_object *object)
{
    return cuda_words(object->nrows) * sizeof(uint32_t);
}

sl_status sl_cuda_new_bitmap(sl_context *ctx, cuda_bitmap *made, uint64_t n, size_t size)
{
    *made = (cuda_bitmap){NULL, NULL};
    sl_status status = sl_cuda_alloc(ctx, (void **)&made->bits, cuda_words(n) * sizeof *made->bits);
    if (status == SL_OK)
        status = sl_cuda_alloc(ctx, &made->values, n * size);
    if (status != SL_OK)
        sl_cuda_free_bitmap(made);
    return status;
}

void sl_cuda_free_bitmap(cuda_bitmap *b)
{
    sl_cuda_free(b->bits);
    sl_cuda_free(b->values);
    *b = (cuda_bitmap){NULL, NULL};
}

/* The arrays of a bitmap without entries. */
static sl_status empty_bitmap(const sl_object *object, uint32_t **bits, void **values)
{
    cuda_bitmap b;
    CUDA_TRY(sl_cuda_new_bitmap(object->ctx, &b, object->nrows, sl_type_size(object->type)));
    sl_status status = sl_cuda_zero(object->ctx, b.bits, bitmap_bytes(object));
    if (status != SL_OK)
        sl_cuda_free_bitmap(&b);
    *bits = b.bits;
    *values = b.values;
    return status;
}

sl_status sl_cuda_new_vector(cuda_vector **made, const sl_object *object)
{
    CUDA_TRY(sl_cuda_new_list(made, object));
    sl_status status = empty_bitmap(object, &(*made)->bits, &(*made)->values);
    if (status != SL_OK) {
        sl_free(*made);
        *made = NULL;
    }
    return status;
}

/* ---- writes that wait -------------------------------------------------------------------- */

cuda_entry_writes sl_cuda_waiting_writes(const cuda_vector *v)
{
    cuda_entry_writes writes = {.count = v->waiting.count};
    for (unsigned k = 0; k < writes.count; k++) {
        const cuda_waiting_write *w = &v->waiting.write[k];
        const bool in_array = w->values && !v->found && !v->same;
        writes.write[k] = (cuda_entry_write){.bits = w->to->bits,
                                             .to = w->to->values,
                                             .from = in_array ? v->values : NULL,
                                             .place = w->values ? v->found : NULL,
                                             .old_id = v->order ? v->order->old_id : NULL,
                                             .one = w->values && v->same ? v->same_value : w->one,
                                             .size = w->size};
    }
    return writes;
}

/* The write that v waits for. */
static const cuda_waiting_write *awaited_by(const cuda_vector *v)
{
    const cuda_waiting_write *w = v->waits_for->waiting.write;
    while (w->to != v)
        w++;
    return w;
}

void sl_cuda_forget_writes(cuda_vector *v)
{
    for (unsigned k = 0; k < v->waiting.count; k++) {
        const cuda_waiting_write *w = &v->waiting.write[k];
        w->to->waits_for = NULL;
        if (w->entries != CUDA_UNKNOWN && v->nvals != CUDA_UNKNOWN)
            w->to->nvals = w->entries + v->nvals;
    }
    v->waiting.count = 0;
}

sl_status sl_cuda_finish_writes(sl_context *ctx, cuda_vector *v)
{
    if (v->waits_for)
        CUDA_TRY(sl_cuda_finish_writes(ctx, v->waits_for));
    if (v->waiting.count == 0)
        return SL_OK;
    const cuda_entry_writes writes = sl_cuda_waiting_writes(v);
    const cuda_frontier_list *list = sl_cuda_listed(v);
    const bool few = list && list->counts->vertices < v->waiting.n / LIST_SHARE;
    sl_cuda_forget_writes(v);
    if (few)
        return sl_cuda_status(
            ctx, "kernel write_listed",
            sl_cuda_write_listed(&writes, list->frontier.list, list->counts->vertices));
    return sl_cuda_status(ctx, "kernel write_at_bits",
                          sl_cuda_write_at_bits(&writes, v->bits, v->waiting.n));
}

/* Before v loses its entries: does what waits for v, and forgets what v waits for. */
static void leave_writes(cuda_vector *v)
{
    cuda_vector *f = v->waits_for;
    for (unsigned k = 0; f && k < f->waiting.count; k++)
        if (f->waiting.write[k].to == v)
            f->waiting.write[k] = f->waiting.write[--f->waiting.count];
    v->waits_for = NULL;
    /* Only a broken device fails these launches, and then it fails the context's next operation, too. */
    (void)sl_cuda_finish_writes(NULL, v);
}

/* ---- clearing and freeing ------------------------------------------------------------------ */

void sl_cuda_set_order(cuda_vector *v, cuda_degree_order *order)
{
    cuda_degree_order *before = v->order;
    v->order = sl_cuda_own_order(order);
    sl_cuda_drop_order(before);
}

void sl_cuda_clear_vector(cuda_vector *v)
{
    leave_writes(v);
    sl_cuda_drop_frontier_list(v);
    sl_cuda_free(v->bits);
    sl_cuda_free(v->values);
    sl_cuda_free(v->found);
    sl_cuda_free_matrix(v->list);
    v->bits = v->found = NULL;
    v->values = NULL;
    v->list = NULL;
    v->full = v->same = v->numbered = false;
    v->nvals = 0;
    sl_cuda_set_order(v, NULL);
}

void sl_cuda_free_vector(cuda_vector *v)
{
    if (!v)
        return;
    sl_cuda_clear_vector(v);
    sl_free(v);
}

/* ---- from one form to another ------------------------------------------------------------ */

void sl_cuda_give_value(cuda_vector *v, const void *value)
{
    memcpy(&v->same_value, value, sizeof v->same_value);
    v->same = true;
}

sl_status sl_cuda_make_same(const sl_object *object, cuda_vector *v, const void *value)
{
    CUDA_TRY(sl_cuda_make_full(object, v));
    sl_cuda_drop_frontier_list(v);
    sl_cuda_give_value(v, value);
    return SL_OK;
}

void sl_cuda_number_vector(const sl_object *object, cuda_vector *v, int64_t first)
{
    for (uint64_t k = 0; cuda_is_host_list(v) && k < v->nvals; k++) {
        const uint64_t number = (uint64_t)first + v->host_list.index[k];
        const sl_scalar value = sl_scalar_cast(sl_scalar_int64((int64_t)number), object->type);
        memcpy(&v->host_list.value[k], &value.as, sizeof v->host_list.value[k]);
    }
    sl_cuda_free(v->found);
    v->found = NULL;
    v->numbered = !cuda_is_list(v);
    v->first_number = first;
    v->same = v->lent = false;
}

static sl_status write_numbers(const sl_object *object, cuda_vector *v)
{
    const cuda_order_view order = v->order ? cuda_view_of_order(v->order) : (cuda_order_view){0};
    CUDA_TRY(sl_cuda_finish_writes(object->ctx, v));
    const cuda_integers to = {v->values, object->type == SL_INT32};
    CUDA_TRY(sl_cuda_status(object->ctx, "kernel fill_indices",
                            sl_cuda_fill_indices(to, object->nrows, v->first_number, &order)));
    if (v->frontier_list)
        v->frontier_list->rest_ones = false;
    v->numbered = false;
    return SL_OK;
}

static sl_status write_found(const sl_object *object, cuda_vector *v)
{
    const cuda_entry_write write = {.bits = v->bits,
                                    .to = v->values,
                                    .place = v->found,
                                    .old_id = v->order->old_id,
                                    .size = sl_type_size(object->type)};
    const cuda_entry_writes writes = {.count = 1, .write = {write}};
    CUDA_TRY(sl_cuda_status(object->ctx, "kernel write_at_bits",
                            sl_cuda_write_at_bits(&writes, v->bits, object->nrows)));
    sl_cuda_free(v->found);
    v->found = NULL;
    return SL_OK;
}

sl_status sl_cuda_write_values(const sl_object *object, cuda_vector *v)
{
    if (v->numbered)
        return write_numbers(object, v);
    if (v->found)
        return write_found(object, v);
    if (!v->same)
        return SL_OK;
    CUDA_TRY(sl_cuda_status(
        object->ctx, "kernel fill",
        sl_cuda_fill(v->values, &v->same_value, sl_type_size(object->type), object->nrows)));
    if (v->frontier_list)
        v->frontier_list->rest_ones = false;
    v->same = false;
    return SL_OK;
}

/* Makes a full vector a bitmap: sets all bits of *bits, which belongs to the vector afterwards. */
static sl_status add_bits(const sl_object *object, cuda_vector *v, uint32_t **bits)
{
    CUDA_TRY(sl_cuda_write_values(object, v));
    CUDA_TRY(
        sl_cuda_status(object->ctx, "kernel set_bits", sl_cuda_set_bits(*bits, object->nrows)));
    v->bits = *bits;
    v->full = false;
    *bits = NULL;
    return SL_OK;
}

sl_status sl_cuda_make_full(const sl_object *object, cuda_vector *v)
{
    if (v->full)
        return SL_OK;
    CUDA_TRY(sl_cuda_finish_writes(object->ctx, v));
    if (v->found || v->same)
        CUDA_TRY(sl_cuda_write_values(object, v));
    void *values = v->values;
    if (!v->bits)
        CUDA_TRY(sl_cuda_alloc(object->ctx, &values, object->nrows * sl_type_size(object->type)));
    cuda_degree_order *order = sl_cuda_own_order(v->order);
    const bool numbered = v->numbered;
    v->values = NULL;
    sl_cuda_clear_vector(v);
    v->numbered = numbered;
    sl_cuda_set_order(v, order);
    sl_cuda_drop_order(order);
    v->values = values;
    v->full = true;
    v->nvals = object->nrows;
    return SL_OK;
}

/* Converts to a bitmap in the arrays of `in`, which then belong to the vector. */
static sl_status make_bitmap_in(const sl_object *object, cuda_vector *v, cuda_bitmap *in)
{
    if (v->bits)
        return SL_OK;
    if (v->full)
        return add_bits(object, v, &in->bits);
    CUDA_TRY(sl_cuda_scatter_entries(object, v, &(cuda_order_view){0}, in));
    sl_cuda_free_matrix(v->list);
    v->list = NULL;
    v->bits = in->bits;
    v->values = in->values;
    *in = (cuda_bitmap){NULL, NULL};
    return SL_OK;
}

sl_status sl_cuda_make_bitmap(const sl_object *object, cuda_vector *v)
{
    cuda_bitmap b = {NULL, NULL};
    if (v->bits)
        return SL_OK;
    if (v->full)
        CUDA_TRY(sl_cuda_alloc(object->ctx, (void **)&b.bits, bitmap_bytes(object)));
    else
        CUDA_TRY(sl_cuda_new_bitmap(object->ctx, &b, object->nrows, sl_type_size(object->type)));
    sl_status status = make_bitmap_in(object, v, &b);
    sl_cuda_free_bitmap(&b);
    return status;
}

sl_status sl_cuda_make_list(const sl_object *object, cuda_vector *v)
{
    sl_object row = sl_cuda_row(object, NULL);
    cuda_matrix *list;
    if (!cuda_is_host_list(v))
        return SL_OK;
    CUDA_TRY(sl_cuda_new_matrix(&list, &row, v->nvals, true));
    sl_status status = sl_cuda_status(object->ctx, "kernel write_host_list",
                                      sl_cuda_write_host_list(list->start, list->index,
                                                              list->values, &v->host_list, v->nvals,
                                                              sl_type_size(object->type)));
    if (status == SL_OK)
        v->list = list;
    else
        sl_cuda_free_matrix(list);
    return status;
}

bool sl_cuda_fits_list(const sl_object *object, uint64_t nvals)
{
    return nvals <= CUDA_HOST_LIST_MAX || nvals < object->nrows / LIST_SHARE;
}

sl_status sl_cuda_become_list(const sl_object *object, cuda_vector *v, cuda_matrix *list)
{
    sl_cuda_clear_vector(v);
    v->list = list;
    v->nvals = list->nnz;
    return sl_cuda_fits_list(object, v->nvals) ? SL_OK : sl_cuda_make_bitmap(object, v);
}

void sl_cuda_become_bitmap(cuda_vector *v, cuda_bitmap made, uint64_t nvals)
{
    sl_cuda_clear_vector(v);
    v->bits = made.bits;
    v->values = made.values;
    v->nvals = nvals;
}

/* ---- the few ----------------------------------------------------------------------------- */

/* Position of an index in the host list, or where it would be inserted. */
static unsigned place_of(const cuda_vector *v, uint64_t index)
{
    unsigned k = 0;
    while (k < v->nvals && v->host_list.index[k] < index)
        k++;
    return k;
}

bool sl_cuda_host_list_set(cuda_vector *v, uint64_t index, const void *value)
{
    unsigned at = place_of(v, index);
    bool there = at < v->nvals && v->host_list.index[at] == index;
    if (!there && v->nvals == CUDA_HOST_LIST_MAX)
        return false;
    for (uint64_t k = v->nvals; !there && k > at; k--) {
        v->host_list.index[k] = v->host_list.index[k - 1];
        v->host_list.value[k] = v->host_list.value[k - 1];
    }
    v->nvals += !there;
    v->host_list.index[at] = index;
    memcpy(&v->host_list.value[at], value, sizeof v->host_list.value[at]);
    return true;
}

void sl_cuda_host_list_remove(cuda_vector *v, uint64_t index)
{
    unsigned at = place_of(v, index);
    if (at == v->nvals || v->host_list.index[at] != index)
        return;
    v->nvals--;
    for (uint64_t k = at; k < v->nvals; k++) {
        v->host_list.index[k] = v->host_list.index[k + 1];
        v->host_list.value[k] = v->host_list.value[k + 1];
    }
}

bool sl_cuda_host_list_get(const cuda_vector *v, uint64_t index, void *value)
{
    unsigned at = place_of(v, index);
    if (at == v->nvals || v->host_list.index[at] != index)
        return false;
    memcpy(value, &v->host_list.value[at], sizeof v->host_list.value[at]);
    return true;
}

/* ---- copies ------------------------------------------------------------------------------ */

static sl_status copy_bitmap(const sl_object *object, cuda_vector *to, const cuda_vector *from)
{
    CUDA_TRY(empty_bitmap(object, &to->bits, &to->values));
    CUDA_TRY(sl_cuda_copy(object->ctx, to->bits, from->bits, bitmap_bytes(object)));
    return sl_cuda_status(object->ctx, "kernel copy_entries",
                          sl_cuda_copy_entries(to->values, from->values, from->bits,
                                               sl_type_size(object->type), object->nrows));
}

static sl_status copy_full(const sl_object *object, cuda_vector *to, const cuda_vector *from)
{
    CUDA_TRY(sl_cuda_make_full(object, to));
    return sl_cuda_copy(object->ctx, to->values, from->values,
                        object->nrows * sl_type_size(object->type));
}

sl_status sl_cuda_copy_vector(cuda_vector **made, const sl_object *object, const cuda_vector *from)
{
    sl_object row = sl_cuda_row(object, NULL);
    CUDA_TRY(sl_cuda_new_list(made, object));
    (*made)->nvals = from->nvals;
    (*made)->host_list = from->host_list;
    sl_status status = from->bits   ? copy_bitmap(object, *made, from)
                       : from->full ? copy_full(object, *made, from)
                       : from->list ? sl_cuda_copy_matrix(&(*made)->list, &row, from->list)
                                    : SL_OK;
    sl_cuda_set_order(*made, from->order);
    if (status != SL_OK) {
        sl_cuda_free_vector(*made);
        *made = NULL;
    }
    return status;
}

uint64_t sl_cuda_vector_bytes(const sl_object *object, const cuda_vector *v)
{
    uint64_t size = sl_type_size(object->type);
    return v->bits ? bitmap_bytes(object) + object->nrows * size +
                         (v->found ? v->order->n * sizeof *v->found : 0)
           : v->full ? object->nrows * size
                     : v->nvals * (sizeof(uint32_t) + size);
}

/* ---- counting ------------------------------------------------------------------------------ */

sl_status sl_cuda_count_entries(const sl_object *object, cuda_vector *v)
{
    cuda_frontier_list *list;
    if (v->nvals != CUDA_UNKNOWN)
        return SL_OK;
    if (v->waits_for && awaited_by(v)->entries != CUDA_UNKNOWN) {
        CUDA_TRY(sl_cuda_count_entries(object, v->waits_for));
        v->nvals = awaited_by(v)->entries + v->waits_for->nvals;
        return SL_OK;
    }
    if (v->waits_for)
        CUDA_TRY(sl_cuda_finish_writes(object->ctx, v));
    CUDA_TRY(sl_cuda_get_frontier_list(object->ctx, &list, v, NULL));
    if (list) {
        v->nvals = list->counts->vertices;
        return SL_OK;
    }
    return sl_cuda_count_bitmap(object->ctx, &v->nvals, v->bits, cuda_words(object->nrows));
}

/* ---- the frontier list ------------------------------------------------------------------- */

void sl_cuda_forget_list(cuda_vector *v)
{
    sl_cuda_free_frontier_list(v->frontier_list);
    v->frontier_list = NULL;
}

void sl_cuda_drop_frontier_list(cuda_vector *v)
{
    sl_cuda_forget_list(v);
    v->pattern = v->disjoint_from = 0;
    v->lent = false;
}

sl_status sl_cuda_get_frontier_list(sl_context *ctx, cuda_frontier_list **list, cuda_vector *v,
                                    const cuda_matrix *M)
{
    *list = NULL;
    if (!v->frontier_list || (M && v->frontier_list->serial != M->serial))
        return SL_OK;
    CUDA_TRY(sl_cuda_frontier_list_wait(ctx, v->frontier_list));
    *list = v->frontier_list;
    return SL_OK;
}

const cuda_frontier_list *sl_cuda_listed(const cuda_vector *v)
{
    const cuda_frontier_list *list = v->frontier_list;
    return list && list->frontier.list && list->there ? list : NULL;
}
