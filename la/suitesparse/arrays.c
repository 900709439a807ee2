/*
 * The operations take, give and copy_out: arrays move into and out of objects by GraphBLAS's pack
 * and unpack, O(1) without a copy, because both sides allocate by sl_malloc. Unpacking an object
 * that is stored in another format converts it first.
 */
#include "suitesparse/grb_engine.h"

/* Number of positions of an object: rows times columns. */
static uint64_t positions(const sl_arrays *a)
{
    return a->nrows * a->ncols;
}

/* Size of the array `values`. */
static uint64_t value_bytes(const sl_arrays *a)
{
    bool dense = a->format == SL_FORMAT_BITMAP || a->format == SL_FORMAT_FULL;
    uint64_t count = a->iso ? 1 : dense ? positions(a) : a->nvals;
    return count * sl_type_size(a->type);
}

static GrB_Info pack_matrix(GrB_Matrix A, sl_arrays *a, GrB_Descriptor desc)
{
    const uint64_t word = sizeof(uint64_t), list = a->nvals * word, values = value_bytes(a);
    switch (a->format) {
    case SL_FORMAT_CSR:
        return GxB_Matrix_pack_CSR(A, &a->start, &a->cols, &a->values, (a->nrows + 1) * word, list,
                                   values, a->iso, false, desc);
    case SL_FORMAT_CSC:
        return GxB_Matrix_pack_CSC(A, &a->start, &a->rows, &a->values, (a->ncols + 1) * word, list,
                                   values, a->iso, false, desc);
    case SL_FORMAT_BITMAP:
        return GxB_Matrix_pack_BitmapR(A, &a->present, &a->values, positions(a), values, a->iso,
                                       a->nvals, desc);
    case SL_FORMAT_FULL:
        return GxB_Matrix_pack_FullR(A, &a->values, values, a->iso, desc);
    default:
        return GrB_INVALID_VALUE;
    }
}

static GrB_Info pack_vector(GrB_Vector v, sl_arrays *a, GrB_Descriptor desc)
{
    const uint64_t list = a->nvals * sizeof(uint64_t), values = value_bytes(a);
    switch (a->format) {
    case SL_FORMAT_LIST:
        return GxB_Vector_pack_CSC(v, &a->rows, &a->values, list, values, a->iso, a->nvals, false,
                                   desc);
    case SL_FORMAT_BITMAP:
        return GxB_Vector_pack_Bitmap(v, &a->present, &a->values, positions(a), values, a->iso,
                                      a->nvals, desc);
    case SL_FORMAT_FULL:
        return GxB_Vector_pack_Full(v, &a->values, values, a->iso, desc);
    default:
        return GrB_INVALID_VALUE;
    }
}

GrB_Info sl_grb_pack(const sl_object *object, void *handle, sl_arrays *arrays)
{
    GrB_Descriptor desc = sl_grb_descriptor(object->ctx, 0);
    return object->is_matrix ? pack_matrix(handle, arrays, desc)
                             : pack_vector(handle, arrays, desc);
}

/* Unpacks a matrix that is stored by row, or by column for CSC. */
static GrB_Info unpack_oriented(sl_arrays *a, GrB_Matrix A, GrB_Descriptor desc)
{
    GrB_Index start, list, values;
    switch (a->format) {
    case SL_FORMAT_CSR:
        return GxB_Matrix_unpack_CSR(A, &a->start, &a->cols, &a->values, &start, &list, &values,
                                     &a->iso, NULL, desc);
    case SL_FORMAT_CSC:
        return GxB_Matrix_unpack_CSC(A, &a->start, &a->rows, &a->values, &start, &list, &values,
                                     &a->iso, NULL, desc);
    case SL_FORMAT_BITMAP:
        return GxB_Matrix_unpack_BitmapR(A, &a->present, &a->values, &list, &values, &a->iso,
                                         &a->nvals, desc);
    case SL_FORMAT_FULL:
        return GxB_Matrix_unpack_FullR(A, &a->values, &values, &a->iso, desc);
    default:
        return GrB_INVALID_VALUE;
    }
}

/* Unpacks a copy if the orientation differs. GraphBLAS would convert A in place, and destroy it if
 * it ran out of memory. */
static GrB_Info unpack_matrix(sl_arrays *a, const sl_object *object, GrB_Matrix A,
                              GrB_Descriptor desc)
{
    GrB_Matrix copy;
    GrB_Info info = sl_grb_copy_in_orientation(&copy, object, A, a->format != SL_FORMAT_CSC);
    if (info == GrB_SUCCESS)
        info = unpack_oriented(a, copy ? copy : A, desc);
    GrB_Matrix_free(&copy);
    return info;
}

static GrB_Info unpack_vector(sl_arrays *a, GrB_Vector v, GrB_Descriptor desc)
{
    GrB_Index list, values;
    switch (a->format) {
    case SL_FORMAT_LIST:
        return GxB_Vector_unpack_CSC(v, &a->rows, &a->values, &list, &values, &a->iso, &a->nvals,
                                     NULL, desc);
    case SL_FORMAT_BITMAP:
        return GxB_Vector_unpack_Bitmap(v, &a->present, &a->values, &list, &values, &a->iso,
                                        &a->nvals, desc);
    case SL_FORMAT_FULL:
        return GxB_Vector_unpack_Full(v, &a->values, &values, &a->iso, desc);
    default:
        return GrB_INVALID_VALUE;
    }
}

GrB_Info sl_grb_unpack(sl_arrays *arrays, const sl_object *object, void *handle, sl_format format)
{
    GrB_Descriptor desc = sl_grb_descriptor(object->ctx, 0);
    *arrays = (sl_arrays){
        .format = format, .type = object->type, .nrows = object->nrows, .ncols = object->ncols};
    GrB_Info info = object->is_matrix ? GrB_Matrix_nvals(&arrays->nvals, handle)
                                      : GrB_Vector_nvals(&arrays->nvals, handle);
    if (info != GrB_SUCCESS)
        return info;
    return object->is_matrix ? unpack_matrix(arrays, object, handle, desc)
                             : unpack_vector(arrays, handle, desc);
}

/* True if the value of an iso object is 1. */
static bool is_one(sl_type type, const void *value)
{
    return sl_scalar_equal(sl_scalar_load(type, value), sl_scalar_cast(sl_scalar_bool(true), type));
}

/* Frees the values of a pattern: arrays of the public interface store none for it. */
static void drop_pattern_values(sl_arrays *a)
{
    if (a->nvals > 0 && !(a->iso && is_one(a->type, a->values)))
        return;
    sl_free(a->values);
    a->values = NULL;
    a->iso = false;
}

sl_status sl_grb_take_into(const sl_object *object, void *handle, const sl_arrays *arrays)
{
    sl_arrays taken = *arrays;
    if (!taken.values) { /* a pattern */
        sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), taken.type);
        taken.values = sl_grb_duplicate(&one.as, sl_type_size(taken.type));
        taken.iso = true;
        if (!taken.values)
            return sl_fail(object->ctx, SL_NO_MEMORY, "take: out of memory");
    }
    GrB_Info info = sl_grb_pack(object, handle, &taken);
    if (info != GrB_SUCCESS && !arrays->values)
        sl_free(taken.values);
    return sl_grb_status(object->ctx, "take", info);
}

/* ---- the operations ------------------------------------------------------------ */

sl_status sl_grb_take(sl_call *call)
{
    return sl_grb_take_into(call->out, call->out->held[SL_SLOT_HOST], call->arrays);
}

/* Copies the entries as unpacked arrays of the format COO. */
static sl_status copy_tuples(sl_call *call, sl_object *object)
{
    sl_arrays *a = call->arrays;
    sl_call list = {.ctx = call->ctx, .a = object};
    sl_status status = sl_grb_is_pattern(&list);
    bool pattern = list.scalar.as.bool_;
    if (status == SL_OK)
        status = sl_grb_nvals(&list);
    if (status != SL_OK)
        return status;
    *a = (sl_arrays){.format = SL_FORMAT_COO,
                     .type = object->type,
                     .nrows = object->nrows,
                     .ncols = object->ncols,
                     .nvals = list.count};
    list.tuples.rows = a->rows = sl_malloc(a->nvals * sizeof *a->rows);
    list.tuples.cols = a->cols = sl_malloc(a->nvals * sizeof *a->cols);
    if (!pattern)
        list.tuples.values = a->values = sl_malloc(a->nvals * sl_type_size(a->type));
    status = a->rows && a->cols && (pattern || a->values)
                 ? sl_grb_tuples(&list)
                 : sl_fail(call->ctx, SL_NO_MEMORY, "copy_out: out of memory");
    if (status != SL_OK)
        sl_arrays_free(a);
    return status;
}

/* Unpacks the handle of an object to call->arrays; `what` names the operation. */
static sl_status move_out(sl_call *call, const sl_object *object, void *handle, const char *what)
{
    GrB_Info info = sl_grb_unpack(call->arrays, object, handle, call->arrays->format);
    if (info == GrB_SUCCESS)
        drop_pattern_values(call->arrays);
    else
        *call->arrays = (sl_arrays){0};
    return sl_grb_status(call->ctx, what, info);
}

sl_status sl_grb_give(sl_call *call)
{
    if (call->arrays->format == SL_FORMAT_COO)
        return copy_tuples(call, call->out);
    return move_out(call, call->out, call->out->held[SL_SLOT_HOST], "give");
}

sl_status sl_grb_copy_out(sl_call *call)
{
    if (call->arrays->format == SL_FORMAT_COO)
        return copy_tuples(call, call->a);
    void *copy;
    sl_status status = sl_grb_copy_object(&copy, call->a, call->a->held[SL_SLOT_HOST]);
    if (status != SL_OK)
        return status;
    status = move_out(call, call->a, copy, "copy_out");
    sl_grb_release_object(call->a, copy);
    return status;
}
