/* What gather.c and scatter.c share: the indices as an array, and the write to the output. */
#include "suitesparse/index_entries.h"

/* ---- the index vector ------------------------------------------------------------ */

/* The first index of the list that is out of range, or the list's length. */
static uint64_t first_outside(const uint64_t *index, uint64_t count, uint64_t bound, int threads)
{
    uint64_t first = count;
#pragma omp parallel for reduction(min : first) num_threads(threads) if (count > PARALLEL_MIN)
    for (uint64_t k = 0; k < count; k++)
        if (index[k] >= bound)
            first = k < first ? k : first;
    return first;
}

/* Sets index_bound. */
static sl_status check_range(const sl_call *call, const index_array *list)
{
    sl_object *indices = call->b;
    uint64_t bound = sl_call_index_bound(call);
    if (indices->index_bound && indices->index_bound <= bound)
        return SL_OK;
    uint64_t k = first_outside(list->index, list->count, bound, sl_context_threads(call->ctx));
    if (k < list->count)
        return sl_fail_index(call, list->at ? list->at[k] : k, list->index[k]);
    indices->index_bound = bound;
    return SL_OK;
}

sl_status sl_grb_full_values(void **values, const sl_object *vector)
{
    sl_vector_view view;
    GrB_Index count;
    void *handle = vector->held[SL_SLOT_HOST];
    *values = NULL;
    sl_status status = sl_grb_status(vector->ctx, "nvals", GrB_Vector_nvals(&count, handle));
    if (status != SL_OK || count < vector->nrows || count == 0)
        return status;
    status = sl_store_host.lend(&view, vector, handle);
    if (status == SL_OK)
        *values = (void *)view.values;
    return status;
}

void sl_grb_free_indices(index_array *list)
{
    if (!list->borrowed)
        sl_free(list->index);
    sl_free(list->at);
}

/* Extracts the entries of the index vector. */
static sl_status extract_list(index_array *list, const sl_call *call)
{
    GrB_Vector indices = sl_grb_vector(call->b);
    GrB_Index count;
    GrB_Info info = GrB_Vector_wait(indices, GrB_MATERIALIZE);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_nvals(&count, indices);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    bool full = count == call->b->nrows;
    list->count = count;
    list->index = sl_malloc(count * sizeof *list->index);
    list->at = full ? NULL : sl_malloc(count * sizeof *list->at);
    if (!list->index || !(list->at || full))
        return sl_fail(call->ctx, SL_NO_MEMORY, "%s: out of memory for %zu indices",
                       sl_operation_name(call->op), (size_t)count);
    info = GrB_Vector_extractTuples_UINT64(list->at, list->index, &count, indices);
    return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
}

sl_status sl_grb_read_indices(index_array *list, const sl_call *call, bool may_borrow)
{
    void *own = NULL;
    sl_status status = SL_OK;
    *list = (index_array){0};
    if (may_borrow && sl_type_size(call->b->type) == sizeof *list->index)
        status = sl_grb_full_values(&own, call->b);
    if (own)
        *list = (index_array){.count = call->b->nrows, .index = own, .borrowed = true};
    else if (status == SL_OK)
        status = extract_list(list, call);
    return status == SL_OK ? check_range(call, list) : status;
}

/* ---- the write ------------------------------------------------------------------- */

sl_status sl_grb_write_vector(const sl_call *call, GrB_Vector T, sl_type type, sl_binary_op accum)
{
    sl_object input = {.ctx = call->ctx, .type = type, .nrows = call->out->nrows, .ncols = 1};
    input.held[SL_SLOT_HOST] = T;
    sl_call write = {.op = SL_OP_ASSIGN,
                     .ctx = call->ctx,
                     .out = call->out,
                     .mask = call->mask,
                     .a = &input,
                     .accum = accum,
                     .rows.count = call->out->nrows,
                     .flags = call->flags & (SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE)};
    return sl_grb_masked(&write, sl_grb_assign);
}
