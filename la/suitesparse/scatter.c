/*
 * scatter. The values with equal indices are combined in the output itself, in an array of its size
 * (scatter_dense.c), or if the indices are few by building a vector T. The last two are assigned to
 * the whole output with the accumulator "second", which keeps the entries that T lacks.
 */
#include "suitesparse/index_entries.h"

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
    if (!s->list.at && s->type == call->a->type) {
        sl_status status = sl_grb_full_values(&s->values, call->a);
        s->borrowed = s->values;
        if (status != SL_OK || s->borrowed)
            return status;
    }
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
        status = sl_grb_write_vector(call, Z, type, NULL);
    GrB_Vector_free(&Z);
    return status;
}

/* *to: the output's own array, if the values can be combined in it: it has all entries, nothing is
 * masked, and the accumulator is the operator that combines equal indices. */
static sl_status find_output(void **to, const scattered *s)
{
    const sl_call *call = s->call;
    const sl_object *out = call->out;
    *to = NULL;
    if (call->mask || (call->flags & SL_COMPLEMENT) || !call->operators.monoid ||
        call->accum != s->dup || out->type != s->type || out == call->a || out == call->b)
        return SL_OK;
    return sl_grb_full_values(to, out);
}

/* Combines the values in T, and assigns that to the output. */
static sl_status combine_and_write(scattered *s)
{
    const sl_call *call = s->call;
    GrB_Vector T = NULL;
    sl_status status = sl_grb_status(call->ctx, "scatter", combine(&T, s));
    sl_binary_op second = sl_binary_op_get(SL_BINARY_SECOND, call->out->type);
    if (status == SL_OK)
        status = !call->accum && s->list.without_count > 0
                     ? write_with_removals(s, T)
                     : sl_grb_write_vector(call, T, s->type, call->accum ? call->accum : second);
    GrB_Vector_free(&T);
    return status;
}

sl_status sl_grb_scatter(sl_call *call)
{
    scattered s = {.call = call,
                   .type = call->operators.monoid ? call->operators.monoid->type : call->a->type};
    s.dup = call->operators.monoid ? call->operators.monoid->op
                                   : sl_binary_op_get(SL_BINARY_ANY, s.type);
    void *to = NULL, *full = NULL;
    sl_status status = sl_grb_full_values(&full, call->a); /* else the list of indices is changed */
    if (status == SL_OK)
        status = sl_grb_read_indices(&s.list, call, full);
    if (status == SL_OK)
        status = read_values(&s);
    if (status == SL_OK)
        status = find_output(&to, &s);
    if (to)
        sl_grb_combine_into(to, &s);
    else if (status == SL_OK)
        status = combine_and_write(&s);
    sl_grb_free_indices(&s.list);
    sl_free(s.list.without);
    if (!s.borrowed)
        sl_free(s.values);
    return status;
}
