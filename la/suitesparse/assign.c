/* assign and extract: of objects, scalars, rows and columns. */
#include "suitesparse/grb_engine.h"

/* An index list in the form of GraphBLAS; `list` may point to `range`. */
typedef struct {
    const GrB_Index *list;
    GrB_Index count, range[3];
} grb_list;

/* A range of GraphBLAS is its first index, its last index and the absolute value of the step. For a
 * range of one index the step is 1, because GraphBLAS may not accept the step that was given. */
static void set_list(grb_list *to, const sl_index_list *list)
{
    const uint64_t *items = list->items, count = list->count;
    to->list = items ? items : GrB_ALL;
    to->count = count;
    if (!list->range)
        return;
    bool backwards = (int64_t)items[2] < 0;
    to->list = to->range;
    if (count == 0)
        return;
    to->count = backwards ? GxB_BACKWARDS : GxB_STRIDE;
    to->range[GxB_BEGIN] = items[0];
    to->range[GxB_END] = items[0] + (count - 1) * items[2];
    to->range[GxB_INC] = count == 1 ? 1 : backwards ? 0 - items[2] : items[2];
}

static void set_lists(grb_list *rows, grb_list *cols, const sl_call *call)
{
    set_list(rows, &call->rows);
    set_list(cols, &call->cols);
}

/* True if ranges cover the whole output, and nothing of it is kept: a dimension is copied in its order or reversed. */
static bool reverses(const sl_call *call)
{
    return !call->mask && !call->accum && !(call->flags & SL_COMPLEMENT) &&
           call->rows.count == call->out->nrows && call->cols.count == call->out->ncols &&
           (call->rows.range || call->cols.range) && (!call->rows.items || call->rows.range) &&
           (!call->cols.items || call->cols.range);
}

/* For pieces of long ranges (long_ranges.c). */
static const sl_grb_indexed indexed = {.extract = sl_grb_extract,
                                       .extract_column = sl_grb_extract_column,
                                       .assign = sl_grb_assign,
                                       .assign_scalar = sl_grb_assign_scalar,
                                       .assign_row = sl_grb_assign_row,
                                       .assign_column = sl_grb_assign_column};

/* Assigns a matrix without rows or columns, which may still clear what is outside the mask: SuiteSparse lists the
 * indices of the other dimension, even if they are a range of 2^60. */
static sl_status assign_nothing(const sl_call *call)
{
    const GrB_Index none = 0;
    const unsigned flags = call->flags & (SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE);
    GrB_Type type = NULL;
    GrB_Matrix A = NULL;
    GrB_Info info = GxB_Matrix_type(&type, sl_grb_matrix(call->a));
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_new(&A, type, 0, 0);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_assign(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                 sl_grb_binary(call->accum), A, &none, 0, &none, 0,
                                 sl_grb_descriptor(call->ctx, flags));
    GrB_Matrix_free(&A);
    return sl_grb_status(call->ctx, "assign", info);
}

/* A reversal is its own inverse, so that an extract has the same result. SuiteSparse takes time for each
 * index of such an assign, also if it stores one value for all entries. */
sl_status sl_grb_assign(sl_call *call)
{
    grb_list rows, cols;
    if (call->out->is_matrix && (call->rows.count == 0 || call->cols.count == 0))
        return assign_nothing(call);
    if (reverses(call))
        return sl_grb_extract(call);
    if (sl_grb_is_endless(call))
        return sl_grb_assign_long_range(call, &indexed);
    set_lists(&rows, &cols, call);
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info =
        call->out->is_matrix
            ? GrB_Matrix_assign(sl_grb_matrix(call->out), sl_grb_matrix(call->mask), accum,
                                sl_grb_matrix(call->a), rows.list, rows.count, cols.list,
                                cols.count, desc)
            : GrB_Vector_assign(sl_grb_vector(call->out), sl_grb_vector(call->mask), accum,
                                sl_grb_vector(call->a), rows.list, rows.count, desc);
    return sl_grb_status(call->ctx, "assign", info);
}

/* A detour around an error of SuiteSparse 7.4, which miscounts the entries if a scalar is assigned
 * to all positions of an object with pending removals. So pending work is finished first. */
static GrB_Info finish_before_filling(const sl_call *call)
{
    const sl_object *out = call->out;
    if (call->mask || call->rows.count < out->nrows ||
        (out->is_matrix && call->cols.count < out->ncols))
        return GrB_SUCCESS;
    return out->is_matrix ? GrB_Matrix_wait(sl_grb_matrix(out), GrB_MATERIALIZE)
                          : GrB_Vector_wait(sl_grb_vector(out), GrB_MATERIALIZE);
}

/* The same indices in ascending order; a range gets its items in `forward`. */
static void ascend(uint64_t forward[3], sl_index_list *list)
{
    const uint64_t *range = list->items;
    if (!list->range || list->count == 0 || (int64_t)range[2] > 0)
        return;
    forward[0] = range[0] + (list->count - 1) * range[2];
    forward[2] = 0 - range[2];
    list->items = forward;
}

sl_status sl_grb_assign_scalar(sl_call *call)
{
    grb_list rows, cols;
    uint64_t ascending[2][3];
    ascend(ascending[0], &call->rows);
    ascend(ascending[1], &call->cols);
    if (sl_grb_is_endless(call))
        return sl_grb_assign_long_range(call, &indexed);
    set_lists(&rows, &cols, call);
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = finish_before_filling(call);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, "assign_scalar", info);
    info = GrB_INVALID_VALUE;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_assign_##NAME(sl_grb_matrix(call->out), sl_grb_matrix(call->mask), accum,    \
                                    call->scalar.as.member, rows.list, rows.count, cols.list,      \
                                    cols.count, desc)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_assign_##NAME(sl_grb_vector(call->out), sl_grb_vector(call->mask), accum,    \
                                    call->scalar.as.member, rows.list, rows.count, desc)
    if (call->out->is_matrix)
        SL_GRB_SWITCH(call->scalar.type, MATRIX)
    else
        SL_GRB_SWITCH(call->scalar.type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "assign_scalar", info);
}

sl_status sl_grb_assign_row(sl_call *call)
{
    grb_list rows, cols;
    if (sl_grb_is_endless(call))
        return sl_grb_assign_long_range(call, &indexed);
    set_lists(&rows, &cols, call);
    return sl_grb_status(call->ctx, "assign_row",
                         GrB_Row_assign(sl_grb_matrix(call->out), sl_grb_vector(call->mask),
                                        sl_grb_binary(call->accum), sl_grb_vector(call->a),
                                        call->row, cols.list, cols.count,
                                        sl_grb_descriptor(call->ctx, call->flags)));
}

sl_status sl_grb_assign_column(sl_call *call)
{
    grb_list rows, cols;
    if (sl_grb_is_endless(call))
        return sl_grb_assign_long_range(call, &indexed);
    set_lists(&rows, &cols, call);
    return sl_grb_status(call->ctx, "assign_column",
                         GrB_Col_assign(sl_grb_matrix(call->out), sl_grb_vector(call->mask),
                                        sl_grb_binary(call->accum), sl_grb_vector(call->a),
                                        rows.list, rows.count, call->col,
                                        sl_grb_descriptor(call->ctx, call->flags)));
}

sl_status sl_grb_extract(sl_call *call)
{
    grb_list rows, cols;
    if (sl_grb_is_endless(call))
        return sl_grb_extract_long_range(call, &indexed);
    set_lists(&rows, &cols, call);
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info =
        call->out->is_matrix
            ? GrB_Matrix_extract(sl_grb_matrix(call->out), sl_grb_matrix(call->mask), accum,
                                 sl_grb_matrix(call->a), rows.list, rows.count, cols.list,
                                 cols.count, desc)
            : GrB_Vector_extract(sl_grb_vector(call->out), sl_grb_vector(call->mask), accum,
                                 sl_grb_vector(call->a), rows.list, rows.count, desc);
    return sl_grb_status(call->ctx, "extract", info);
}

sl_status sl_grb_extract_column(sl_call *call)
{
    grb_list rows, cols;
    if (sl_grb_is_endless(call))
        return sl_grb_extract_long_range(call, &indexed);
    set_lists(&rows, &cols, call);
    return sl_grb_status(call->ctx, "extract_column",
                         GrB_Col_extract(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                         sl_grb_binary(call->accum), sl_grb_matrix(call->a),
                                         rows.list, rows.count, call->col,
                                         sl_grb_descriptor(call->ctx, call->flags)));
}
