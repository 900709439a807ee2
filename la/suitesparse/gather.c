/*
 * gather. GraphBLAS 7.4 takes index lists as arrays only: the values of the index vector are such an
 * array. From a full vector the values are gathered by a loop on all threads, from another one by an
 * extract. O(entries of the index vector).
 */
#include "suitesparse/index_entries.h"

/* to[k] = from[index[k]], values of `size` bytes. */
static void gather_values(char *to, const char *from, size_t size, const index_array *list,
                          int threads)
{
    const uint64_t count = list->count, *index = list->index;
#define LOOP(T)                                                                                    \
    for (uint64_t k = 0; k < count; k++)                                                           \
        ((T *)to)[k] = ((const T *)from)[index[k]];
#pragma omp parallel num_threads(threads) if (count > PARALLEL_MIN)
    if (size == 8) {
#pragma omp for
        LOOP(uint64_t)
    } else if (size == 4) {
#pragma omp for
        LOOP(uint32_t)
    } else {
#pragma omp for
        for (uint64_t k = 0; k < count; k++)
            memcpy(to + k * size, from + index[k] * size, size);
    }
#undef LOOP
}

/* T receives the values of u, an array with an entry at every index. */
static GrB_Info gather_full(GrB_Vector T, const sl_call *call, const char *u,
                            const index_array *list)
{
    const size_t size = sl_type_size(call->a->type);
    sl_object shape = {.ctx = call->ctx, .type = call->a->type, .nrows = list->count, .ncols = 1};
    sl_arrays arrays = {.format = SL_FORMAT_FULL,
                        .type = shape.type,
                        .nrows = list->count,
                        .ncols = 1,
                        .nvals = list->count,
                        .values = sl_malloc(list->count * size)};
    if (!arrays.values)
        return GrB_OUT_OF_MEMORY;
    gather_values(arrays.values, u, size, list, sl_context_threads(call->ctx));
    GrB_Info info = sl_grb_pack(&shape, T, &arrays);
    if (info != GrB_SUCCESS)
        sl_arrays_free(&arrays);
    return info;
}

/* *T of the output's size has the entries of `from`, entry k at index list->at[k]. */
static GrB_Info spread(GrB_Vector *T, GrB_Vector from, const sl_call *call, const index_array *list)
{
    sl_object shape = {.ctx = call->ctx, .type = call->a->type, .nrows = list->count, .ncols = 1};
    sl_arrays arrays;
    GrB_Info info = GrB_Vector_new(T, sl_grb_type(shape.type), call->out->nrows);
    if (info == GrB_SUCCESS)
        info = sl_grb_unpack(&arrays, &shape, from, SL_FORMAT_LIST);
    if (info != GrB_SUCCESS)
        return info;
    for (uint64_t k = 0; k < arrays.nvals; k++)
        arrays.rows[k] = list->at[arrays.rows[k]];
    info = sl_grb_pack(&shape, *T, &arrays);
    if (info != GrB_SUCCESS)
        sl_arrays_free(&arrays);
    return info;
}

/* True if the result is the output: nothing is masked or accumulated, and no value is cast. */
static bool replaces(const sl_call *call, const index_array *list)
{
    return !list->at && !call->mask && !(call->flags & SL_COMPLEMENT) && !call->accum &&
           call->out->type == call->a->type;
}

/* *part: element k of u at the indices list->index[k]; NULL if it became the output. */
static sl_status extract_part(GrB_Vector *part, const sl_call *call, const index_array *list)
{
    void *u = NULL;
    sl_status status = list->count ? sl_grb_full_values(&u, call->a) : SL_OK;
    if (status != SL_OK)
        return status;
    if (u && replaces(call, list))
        return sl_grb_status(call->ctx, "gather",
                             gather_full(sl_grb_vector(call->out), call, u, list));
    GrB_Info info = GrB_Vector_new(part, sl_grb_type(call->a->type), list->count);
    if (info == GrB_SUCCESS)
        info = u ? gather_full(*part, call, u, list)
                 : GrB_Vector_extract(*part, NULL, NULL, sl_grb_vector(call->a), list->index,
                                      list->count, sl_grb_descriptor(call->ctx, 0));
    return sl_grb_status(call->ctx, "gather", info);
}

sl_status sl_grb_gather(sl_call *call)
{
    const sl_type type = call->a->type;
    GrB_Vector part = NULL, T = NULL;
    index_array list;
    sl_status status = sl_grb_read_indices(&list, call, true);
    if (status == SL_OK)
        status = extract_part(&part, call, &list);
    if (status == SL_OK && list.at)
        status = sl_grb_status(call->ctx, "gather", spread(&T, part, call, &list));
    sl_grb_free_indices(&list);
    if (status == SL_OK && part)
        status = sl_grb_write_vector(call, T ? T : part, type, call->accum);
    GrB_Vector_free(&part);
    GrB_Vector_free(&T);
    return status;
}

sl_status sl_grb_gather_matrix(sl_call *call)
{
    index_array list;
    sl_status status = sl_grb_read_indices(&list, call, true);
    sl_call extract = *call;
    extract.op = SL_OP_EXTRACT;
    extract.rows = extract.cols = (sl_index_list){.items = list.index, .count = list.count};
    if (status == SL_OK)
        status = sl_grb_masked(&extract, sl_grb_extract);
    sl_grb_free_indices(&list);
    return status;
}
