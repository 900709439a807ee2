/*
 * gather and scatter. GraphBLAS 7.4 takes index lists as arrays only, so the entries of the index
 * vector are extracted to an array, on all threads. A gather is an extract with this array. A
 * scatter combines equal indices by building a vector T, or for many indices (scatter_dense.c) in an
 * array of the output's size, and then assigns T to the whole output with the accumulator "second",
 * which keeps the entries that T lacks.
 */
#include "index_vectors.h"

/* ---- the index vector ------------------------------------------------------------ */

/* The first index of the list that is out of range, or the list's length. */
static uint64_t first_outside(const uint64_t *index, uint64_t count, uint64_t bound, int threads)
{
    uint64_t first = count;
#pragma omp parallel for reduction(min : first) num_threads(threads) if (count > PARALLEL_MIN)
    for (uint64_t k = 0; k < count; k++)
        if (index[k] >= bound && k < first)
            first = k;
    return first;
}

/* Sets index_bound. */
static sl_status check_range(const sl_call *call, const index_array *list)
{
    sl_object *I = call->b;
    uint64_t bound = sl_call_index_bound(call);
    if (I->index_bound && I->index_bound <= bound)
        return SL_OK;
    uint64_t k = first_outside(list->index, list->count, bound, sl_context_threads(call->ctx));
    if (k < list->count)
        return sl_fail_index(call, list->at ? list->at[k] : k, list->index[k]);
    I->index_bound = bound;
    return SL_OK;
}

static void free_list(index_array *list)
{
    sl_free(list->index);
    sl_free(list->at);
}

/* The entries of the index vector. On failure free_list must follow, too. */
static sl_status read_list(index_array *list, const sl_call *call)
{
    GrB_Vector I = sl_grb_vector(call->b);
    GrB_Index count;
    *list = (index_array){0};
    GrB_Info info = GrB_Vector_wait(I, GrB_MATERIALIZE);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_nvals(&count, I);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    bool full = count == call->b->nrows;
    list->count = count;
    list->index = sl_malloc(count * sizeof *list->index);
    list->at = full ? NULL : sl_malloc(count * sizeof *list->at);
    if (!list->index || !(list->at || full))
        return sl_fail(call->ctx, SL_NO_MEMORY, "%s: out of memory for %zu indices",
                       sl_operation_name(call->op), (size_t)count);
    info = GrB_Vector_extractTuples_UINT64(list->at, list->index, &count, I);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    return check_range(call, list);
}

/* ---- the write ------------------------------------------------------------------- */

/* w<mask> = w accum T, with the mask and the flags of the call. */
static sl_status write_vector(const sl_call *call, GrB_Vector T, sl_type type, sl_binary_op accum)
{
    sl_object input = {.ctx = call->ctx, .type = type, .nrows = call->out->nrows, .ncols = 1};
    input.held[sl_store_host.slot] = T;
    sl_call write = {.op = SL_OP_ASSIGN,
                     .ctx = call->ctx,
                     .out = call->out,
                     .mask = call->mask,
                     .a = &input,
                     .accum = accum,
                     .nrows = call->out->nrows,
                     .flags = call->flags & (SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE)};
    return sl_grb_masked(&write, sl_grb_assign);
}

/* ---- gather ---------------------------------------------------------------------- */

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

sl_status sl_grb_gather(sl_call *call)
{
    const sl_type type = call->a->type;
    GrB_Vector part = NULL, T = NULL;
    index_array list;
    sl_status status = read_list(&list, call);
    if (status == SL_OK) {
        GrB_Info info = GrB_Vector_new(&part, sl_grb_type(type), list.count);
        if (info == GrB_SUCCESS)
            info = GrB_Vector_extract(part, NULL, NULL, sl_grb_vector(call->a), list.index,
                                      list.count, sl_grb_descriptor(call->ctx, 0));
        if (info == GrB_SUCCESS && list.at)
            info = spread(&T, part, call, &list);
        status = sl_grb_status(call->ctx, "gather", info);
    }
    free_list(&list);
    if (status == SL_OK)
        status = write_vector(call, T ? T : part, type, call->accum);
    GrB_Vector_free(&part);
    GrB_Vector_free(&T);
    return status;
}

/* ---- scatter --------------------------------------------------------------------- */

/* The values of u in the type of the scatter, with their indices. */
static GrB_Info extract_values(uint64_t *at, void *values, sl_type type, GrB_Index *count,
                               GrB_Vector u)
{
    GrB_Info info = GrB_Vector_wait(u, GrB_MATERIALIZE);
    if (info != GrB_SUCCESS)
        return info;
    info = GrB_INVALID_VALUE;
#define VECTOR(NAME, member) info = GrB_Vector_extractTuples_##NAME(at, values, count, u)
    SL_GRB_SWITCH(type, VECTOR)
#undef VECTOR
    return info;
}

/* Keeps the indices for which u has a value, in the list, and moves the others to list->without. */
static void match(index_array *list, const uint64_t *at, char *values, size_t size, uint64_t count)
{
    uint64_t kept = 0, without = 0, l = 0;
    for (uint64_t k = 0; k < list->count; k++) {
        const uint64_t i = list->at ? list->at[k] : k;
        while (l < count && at[l] < i)
            l++;
        if (l < count && at[l] == i) {
            memmove(values + kept * size, values + l * size, size);
            list->index[kept++] = list->index[k];
        } else {
            list->without[without++] = list->index[k];
        }
    }
    list->count = kept;
    list->without_count = without;
}

/* Reads the values of u at the entries of the list, which are reduced to those that have one. */
static sl_status read_values(scattered *s)
{
    const sl_call *call = s->call;
    GrB_Vector u = sl_grb_vector(call->a);
    const size_t size = sl_type_size(s->type);
    GrB_Index count;
    GrB_Info info = GrB_Vector_nvals(&count, u);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, "scatter", info);
    bool all = count == call->a->nrows && !s->list.at;
    uint64_t *at = all ? NULL : sl_malloc(count * sizeof *at);
    s->values = sl_malloc(count * size);
    s->list.without = all ? NULL : sl_malloc(s->list.count * sizeof *s->list.without);
    if (!s->values || !(all || (at && s->list.without)))
        info = GrB_OUT_OF_MEMORY;
    if (info == GrB_SUCCESS)
        info = extract_values(at, s->values, s->type, &count, u);
    if (info == GrB_SUCCESS && !all)
        match(&s->list, at, s->values, size, count);
    sl_free(at);
    return sl_grb_status(call->ctx, "scatter", info);
}

/* T has the values at their indices; GraphBLAS sorts them. */
static GrB_Info build(GrB_Vector T, const scattered *s)
{
    GrB_BinaryOp dup = sl_grb_binary(s->dup);
    GrB_Info info = GrB_INVALID_VALUE;
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_build_##NAME(T, s->list.index, s->values, s->list.count, dup)
    SL_GRB_SWITCH(s->type, VECTOR)
#undef VECTOR
    return info;
}

static GrB_Info combine(GrB_Vector *T, const scattered *s)
{
    GrB_Info info = GrB_Vector_new(T, sl_grb_type(s->type), s->call->out->nrows);
    if (info != GrB_SUCCESS || s->list.count == 0)
        return info;
    return sl_grb_pays_dense(s) ? sl_grb_combine_dense(*T, s) : build(*T, s);
}

/* *Z is the output without its entries at the indices for which u has no value. */
static GrB_Info remove_without(GrB_Vector *Z, const scattered *s)
{
    const sl_object *out = s->call->out;
    GrB_Vector gone = NULL, none = NULL;
    GrB_Scalar one = NULL;
    GrB_Info info = GrB_Vector_dup(Z, sl_grb_vector(out));
    if (info == GrB_SUCCESS)
        info = GrB_Vector_new(&gone, GrB_BOOL, out->nrows);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_new(&none, GrB_BOOL, out->nrows);
    if (info == GrB_SUCCESS)
        info = sl_grb_scalar(&one, s->call->ctx, 0, sl_scalar_bool(true));
    if (info == GrB_SUCCESS)
        info = GxB_Vector_build_Scalar(gone, s->list.without, one, s->list.without_count);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign(*Z, gone, NULL, none, GrB_ALL, out->nrows,
                                 sl_grb_descriptor(s->call->ctx, SL_STRUCTURE));
    GrB_Vector_free(&gone);
    GrB_Vector_free(&none);
    return info;
}

/* w<mask> = Z, after Z has received the values. */
static sl_status write_with_removals(const scattered *s, GrB_Vector T)
{
    const sl_call *call = s->call;
    const sl_type type = call->out->type;
    GrB_Vector Z = NULL;
    GrB_Info info = remove_without(&Z, s);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign(Z, NULL, sl_grb_binary(sl_binary_op_get(SL_BINARY_SECOND, type)),
                                 T, GrB_ALL, call->out->nrows, sl_grb_descriptor(call->ctx, 0));
    sl_status status = sl_grb_status(call->ctx, "scatter", info);
    if (status == SL_OK)
        status = write_vector(call, Z, type, NULL);
    GrB_Vector_free(&Z);
    return status;
}

sl_status sl_grb_scatter(sl_call *call)
{
    scattered s = {.call = call, .type = call->monoid ? call->monoid->type : call->a->type};
    s.dup = call->monoid ? call->monoid->op : sl_binary_op_get(SL_BINARY_ANY, s.type);
    GrB_Vector T = NULL;
    sl_status status = read_list(&s.list, call);
    if (status == SL_OK)
        status = read_values(&s);
    if (status == SL_OK)
        status = sl_grb_status(call->ctx, "scatter", combine(&T, &s));
    sl_binary_op second = sl_binary_op_get(SL_BINARY_SECOND, call->out->type);
    if (status == SL_OK)
        status = !call->accum && s.list.without_count > 0
                     ? write_with_removals(&s, T)
                     : write_vector(call, T, s.type, call->accum ? call->accum : second);
    free_list(&s.list);
    sl_free(s.list.without);
    sl_free(s.values);
    GrB_Vector_free(&T);
    return status;
}
