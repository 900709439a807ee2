/* Checks of arguments that many functions share. Shapes are checked by semla. */
#include "graphblas/buffer.h"

/* ---- kinds ------------------------------------------------------------------------------------- */

static sl_status vector_of_column(GrB_Vector v)
{
    sl_vector *column = NULL;
    sl_status status = sl_vector_new(&column, grb_global.ctx, v->type->code, sl_matrix_nrows(v->A));
    if (status == SL_OK)
        status = sl_matrix_extract_column(column, NULL, NULL, v->A, SL_ALL, 0, 0, NULL);
    if (status != SL_OK) {
        sl_vector_free(column);
        return status;
    }
    sl_matrix_free(v->A);
    v->A = NULL;
    v->v = column;
    v->header.magic = GRB_VECTOR;
    return SL_OK;
}

static sl_status matrix_of_vector(GrB_Matrix A)
{
    sl_matrix *matrix = NULL;
    sl_status status =
        sl_matrix_new(&matrix, grb_global.ctx, A->type->code, sl_vector_size(A->v), 1);
    if (status == SL_OK)
        status = sl_matrix_assign_column(matrix, NULL, NULL, A->v, SL_ALL, 0, 0, NULL);
    if (status != SL_OK) {
        sl_matrix_free(matrix);
        return status;
    }
    sl_vector_free(A->v);
    A->v = NULL;
    A->A = matrix;
    A->header.magic = GRB_MATRIX;
    return SL_OK;
}

static bool is_buffered(const grb_header *object)
{
    return object->magic == GRB_VECTOR_BUFFERED || object->magic == GRB_MATRIX_BUFFERED;
}

/* Another thread may have written the entries of an object that is only read. */
static sl_status flush_if_buffered(GrB_Matrix object)
{
    return is_buffered(&object->header) ? grb_buffer_flush(object) : SL_OK;
}

GrB_Info grb_convert(grb_header *object, grb_kind kind)
{
    GRB_INITIALISED();
    if (!object)
        return GrB_NULL_POINTER;
    if (is_buffered(object)) {
        GRB_TRY(GRB_RUN((GrB_Matrix)object, flush_if_buffered((GrB_Matrix)object)));
        return grb_check(object, kind);
    }
    if (kind == GRB_VECTOR && object->magic == GRB_MATRIX &&
        sl_matrix_ncols(((GrB_Matrix)object)->A) == 1)
        return GRB_RUN((GrB_Vector)object, vector_of_column((GrB_Vector)object));
    if (kind == GRB_MATRIX && object->magic == GRB_VECTOR)
        return GRB_RUN((GrB_Matrix)object, matrix_of_vector((GrB_Matrix)object));
    return object->magic == GRB_FREED ? GrB_INVALID_OBJECT : GrB_UNINITIALIZED_OBJECT;
}

/* ---- outputs ----------------------------------------------------------------------------------- */

const char *grb_type_text(GrB_Type type)
{
    return type->header.name     ? type->header.name
           : type->header.symbol ? type->header.symbol
                                 : "a user-defined type";
}

GrB_Info grb_check_domain(grb_header *output, GrB_Type from, GrB_Type to, const char *what)
{
    if (!to || grb_casts(from, to)) /* a positional operator takes values of any type */
        return GrB_SUCCESS;
    return grb_fail(output, GrB_DOMAIN_MISMATCH, "%s: %s cannot be cast to %s", what,
                    grb_type_text(from), grb_type_text(to));
}

/* The accumulator computes z = accum(output, result), and z is cast to the output's type. */
static GrB_Info check_written(grb_header *output, GrB_Type type, GrB_BinaryOp accum,
                              GrB_Type result)
{
    GRB_TRY(grb_check_optional(accum, GRB_BINARY_OP));
    if (!accum)
        return grb_check_domain(output, result, type, "the result");
    if (!accum->x || accum->indexed)
        return grb_fail(output, GrB_DOMAIN_MISMATCH, "the accumulator reads indices");
    GRB_TRY(
        grb_check_domain(output, type, accum->x, "the output as first operand of the accumulator"));
    GRB_TRY(grb_check_domain(output, result, accum->y,
                             "the result as second operand of the accumulator"));
    return grb_check_domain(output, accum->z, type, "the result of the accumulator");
}

static GrB_Info check_mask(grb_header *output, GrB_Type mask, GrB_Descriptor desc)
{
    GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));
    bool structural = desc && desc->flags & SL_STRUCTURE;
    return structural || !mask ? GrB_SUCCESS : grb_check_domain(output, mask, GrB_BOOL, "the mask");
}

GrB_Info grb_check_vector_output(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Type result,
                                 GrB_Descriptor desc)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(w, GRB_VECTOR));
    GRB_TRY(grb_check_optional(mask, GRB_VECTOR));
    GRB_TRY(check_mask(&w->header, mask ? mask->type : NULL, desc));
    return check_written(&w->header, w->type, accum, result);
}

GrB_Info grb_check_matrix_output(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Type result,
                                 GrB_Descriptor desc)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(C, GRB_MATRIX));
    GRB_TRY(grb_check_optional(mask, GRB_MATRIX));
    GRB_TRY(check_mask(&C->header, mask ? mask->type : NULL, desc));
    return check_written(&C->header, C->type, accum, result);
}

GrB_Info grb_check_line_output(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Type result,
                               GrB_Descriptor desc)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(C, GRB_MATRIX));
    GRB_TRY(grb_check_optional(mask, GRB_VECTOR));
    GRB_TRY(check_mask(&C->header, mask ? mask->type : NULL, desc));
    return check_written(&C->header, C->type, accum, result);
}

/* A range whose last index may be `end`; semla's ranges end before it. An increment of 0 makes an empty range. */
static void set_range(grb_list *list, GrB_Index begin, GrB_Index end, int64_t increment)
{
    list->range[0] = begin;
    list->range[1] = increment > 0 ? end + 1 : increment < 0 ? end - 1 : begin;
    list->range[2] = increment ? (uint64_t)increment : 1;
    list->indices = list->range;
    list->length = SL_RANGE;
}

GrB_Info grb_check_list(grb_list *list, grb_header *output, const GrB_Index *indices,
                        GrB_Index count)
{
    if (!indices)
        return GrB_NULL_POINTER;
    list->indices = indices == GrB_ALL ? SL_ALL : indices;
    list->length = count;
    if (!list->indices)
        return GrB_SUCCESS;
    if (count == 0)
        set_range(list, 0, 0, 0);
    else if (count == GxB_RANGE)
        set_range(list, indices[GxB_BEGIN], indices[GxB_END], 1);
    else if (count == GxB_STRIDE)
        set_range(list, indices[GxB_BEGIN], indices[GxB_END], (int64_t)indices[GxB_INC]);
    else if (count == GxB_BACKWARDS)
        set_range(list, indices[GxB_BEGIN], indices[GxB_END], -(int64_t)indices[GxB_INC]);
    else if (count > GrB_INDEX_MAX + 1)
        return grb_fail(output, GrB_INVALID_VALUE,
                        "a list of %llu indices; a list has at most 2^60",
                        (unsigned long long)count);
    return GrB_SUCCESS;
}

uint64_t grb_list_count(const grb_list *list, uint64_t all)
{
    if (!list->indices)
        return all;
    if (list->length != SL_RANGE)
        return list->length;
    const int64_t begin = (int64_t)list->range[0], end = (int64_t)list->range[1],
                  step = (int64_t)list->range[2], last = step > 0 ? end - 1 : end + 1;
    return (step > 0 ? begin <= last : begin >= last) ? (uint64_t)((last - begin) / step) + 1 : 0;
}

/* ---- values ------------------------------------------------------------------------------- */

grb_value grb_value_of_scalar(GrB_Scalar s)
{
    return (grb_value){.type = s->type, .scalar = s->value, .empty = !s->present};
}

GrB_Info grb_resolve(sl_scalar *scalar, grb_header *output, GrB_Type type, const grb_value *value)
{
    if (value->udt) {
        if (!value->bytes)
            return GrB_NULL_POINTER;
        if (!type->user)
            return grb_fail(output, GrB_DOMAIN_MISMATCH,
                            "a value of a user-defined type cannot be cast to %s",
                            grb_type_text(type));
        *scalar = sl_scalar_load(type->code, value->bytes);
        return GrB_SUCCESS;
    }
    GRB_TRY(grb_check_domain(output, value->type, type, "the value"));
    *scalar = value->scalar;
    return GrB_SUCCESS;
}

void grb_cast_values(void *to, sl_type to_type, const void *from, sl_type from_type, uint64_t count)
{
    const size_t to_size = sl_type_size(to_type), from_size = sl_type_size(from_type);
    if (to_type == from_type) {
        memcpy(to, from, count * to_size);
        return;
    }
    for (uint64_t k = 0; k < count; k++) {
        sl_scalar value = sl_scalar_load(from_type, (const char *)from + k * from_size);
        value = sl_scalar_cast(value, to_type);
        memcpy((char *)to + k * to_size, &value.as, to_size); /* both types are predefined */
    }
}
