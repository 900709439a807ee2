/*
 * GrB_get and GrB_set: the fields of objects.
 *
 * A field is a text or a number. grb_field finds it for an object of any kind; the functions of the API convert it.
 */
#include "graphblas/lists.h"
#include "graphblas/predefined.h"

#include <stdlib.h>
#include <string.h>

/* The value of a field. */
typedef struct {
    const char *text; /* NULL: the field is a number */
    int64_t number;
    bool absent; /* the field is of an operand that the operator has not */
} field_value;

static bool is_text(field_value *value, const char *text)
{
    value->text = text ? text : "";
    return true;
}

static bool is_number(field_value *value, int64_t number)
{
    value->number = number;
    return true;
}

static bool type_text(field_value *value, GrB_Type type)
{
    return is_text(value, type->header.name ? type->header.name : type->header.symbol);
}

/* ---- fields of a kind: true if it has the field --------------------------------------------------- */

/* A part of the version "MAJOR.MINOR.PATCH". */
static int version_part(int part)
{
    const char *text = sl_version();
    for (; part > 0 && strchr(text, '.'); part--)
        text = strchr(text, '.') + 1;
    return atoi(text);
}

static bool global_field(field_value *value, GrB_Field field)
{
    switch (field) {
    case GrB_NAME:
        return is_text(value, "semla");
    case GrB_LIBRARY_VER_MAJOR:
    case GrB_LIBRARY_VER_MINOR:
    case GrB_LIBRARY_VER_PATCH:
        return is_number(value, version_part((int)field - GrB_LIBRARY_VER_MAJOR));
    case GrB_API_VER_MAJOR:
        return is_number(value, GRB_VERSION);
    case GrB_API_VER_MINOR:
        return is_number(value, GRB_SUBVERSION);
    case GrB_API_VER_PATCH:
        return is_number(value, 0);
    case GrB_BLOCKING_MODE:
        return is_number(value, grb_global.mode);
    case GrB_STORAGE_ORIENTATION_HINT:
        return is_number(value, grb_global.orientation);
    default:
        return false;
    }
}

/* The types of an operator; NULL: it has no such operand. */
static bool operator_field(field_value *value, GrB_Field field, GrB_Type z, GrB_Type x, GrB_Type y)
{
    const struct {
        GrB_Field code, text;
        GrB_Type type;
    } fields[] = {{GrB_OUTP_TYPE_CODE, GrB_OUTP_TYPE_STRING, z},
                  {GrB_INP0_TYPE_CODE, GrB_INP0_TYPE_STRING, x},
                  {GrB_INP1_TYPE_CODE, GrB_INP1_TYPE_STRING, y}};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        if (field != fields[k].code && field != fields[k].text)
            continue;
        value->absent = !fields[k].type;
        return value->absent ||
               (field == fields[k].code ? is_number(value, fields[k].type->api_code)
                                        : type_text(value, fields[k].type));
    }
    return false;
}

static bool descriptor_field(field_value *value, GrB_Field field, unsigned flags)
{
    switch (field) {
    case GrB_OUTP_FIELD:
        return is_number(value, flags & SL_REPLACE ? GrB_REPLACE : GrB_DEFAULT);
    case GrB_MASK_FIELD:
        return is_number(value, (flags & SL_COMPLEMENT ? GrB_COMP : 0) |
                                    (flags & SL_STRUCTURE ? GrB_STRUCTURE : 0));
    case GrB_INP0_FIELD:
        return is_number(value, flags & SL_TRANSPOSE_A ? GrB_TRAN : GrB_DEFAULT);
    case GrB_INP1_FIELD:
        return is_number(value, flags & SL_TRANSPOSE_B ? GrB_TRAN : GrB_DEFAULT);
    default:
        if ((int)field < GxB_ROWINDEX_LIST || (int)field > GxB_VALUE_LIST)
            return false;
        flags >>= GRB_LIST_SHIFT((int)field);
        return is_number(value, flags & GRB_LIST_INDICES  ? GxB_USE_INDICES
                                : flags & GRB_LIST_STRIDE ? GxB_IS_STRIDE
                                                          : GxB_USE_VALUES);
    }
}

static bool type_field(field_value *value, GrB_Field field, GrB_Type type)
{
    switch (field) {
    case GrB_EL_TYPE_CODE:
        return is_number(value, type->api_code);
    case GrB_EL_TYPE_STRING:
        return type_text(value, type);
    case GrB_SIZE:
        return is_number(value, (int64_t)type->size);
    default:
        return false;
    }
}

static bool element_field(field_value *value, GrB_Field field, GrB_Type type, int32_t orientation)
{
    if (field == GrB_STORAGE_ORIENTATION_HINT)
        return is_number(value, orientation);
    return field != GrB_SIZE && type_field(value, field, type);
}

static bool find_field(field_value *value, const void *object, GrB_Field field)
{
    const grb_header *header = object;
    *value = (field_value){0};
    if (field == GrB_NAME && header->magic != GRB_GLOBAL)
        return is_text(value, header->name ? header->name : header->symbol);
    switch (header->magic) {
    case GRB_GLOBAL:
        return global_field(value, field);
    case GRB_TYPE:
        return type_field(value, field, (GrB_Type)object);
    case GRB_UNARY_OP:
        return operator_field(value, field, ((GrB_UnaryOp)object)->z, ((GrB_UnaryOp)object)->x,
                              NULL);
    case GRB_BINARY_OP:
        return operator_field(value, field, ((GrB_BinaryOp)object)->z, ((GrB_BinaryOp)object)->x,
                              ((GrB_BinaryOp)object)->y);
    case GRB_INDEX_OP:
        return operator_field(value, field, ((GrB_IndexUnaryOp)object)->z,
                              ((GrB_IndexUnaryOp)object)->x, ((GrB_IndexUnaryOp)object)->thunk);
    case GRB_INDEX_BINARY_OP:
        return operator_field(value, field, ((GxB_IndexBinaryOp)object)->z,
                              ((GxB_IndexBinaryOp)object)->x, ((GxB_IndexBinaryOp)object)->y);
    case GRB_MONOID: {
        GrB_Type type = ((GrB_Monoid)object)->op->z;
        return operator_field(value, field, type, type, type);
    }
    case GRB_SEMIRING: {
        GrB_Semiring semiring = (GrB_Semiring)object;
        return operator_field(value, field, semiring->add->op->z, semiring->multiply->x,
                              semiring->multiply->y);
    }
    case GRB_DESCRIPTOR:
        return descriptor_field(value, field, ((GrB_Descriptor)object)->flags);
    case GRB_SCALAR:
        return element_field(value, field, ((GrB_Scalar)object)->type, GrB_BOTH);
    case GRB_VECTOR:
        return element_field(value, field, ((GrB_Vector)object)->type, GrB_COLMAJOR);
    case GRB_MATRIX:
        return element_field(value, field, ((GrB_Matrix)object)->type,
                             ((GrB_Matrix)object)->orientation);
    default:
        return false;
    }
}

/* ---- get ---------------------------------------------------------------------------------------- */

static GrB_Info get(field_value *value, const void *object, grb_kind kind, const void *target,
                    GrB_Field field)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(object, kind));
    if (!target)
        return GrB_NULL_POINTER;
    if (find_field(value, object, field))
        return value->absent ? GrB_NO_VALUE : GrB_SUCCESS;
    return grb_fail((grb_header *)object, GrB_INVALID_VALUE, "get: this object has no field %d",
                    (int)field);
}

static GrB_Info get_scalar(const void *object, grb_kind kind, GrB_Scalar target, GrB_Field field)
{
    field_value value;
    GRB_TRY(get(&value, object, kind, target, field));
    GRB_TRY(grb_check(target, GRB_SCALAR));
    const grb_value number = grb_value_INT64(value.number);
    return value.text ? GrB_INVALID_VALUE : grb_scalar_set(target, &number);
}

static GrB_Info get_string(const void *object, grb_kind kind, char *target, GrB_Field field)
{
    field_value value;
    GRB_TRY(get(&value, object, kind, target, field));
    if (!value.text)
        return GrB_INVALID_VALUE;
    strcpy(target, value.text); /* the program asks for the size first */
    return GrB_SUCCESS;
}

static GrB_Info get_int32(const void *object, grb_kind kind, int32_t *target, GrB_Field field)
{
    field_value value;
    GRB_TRY(get(&value, object, kind, target, field));
    if (value.text)
        return GrB_INVALID_VALUE;
    *target = (int32_t)value.number;
    return GrB_SUCCESS;
}

/* The bytes that the text needs, or the field GrB_SIZE itself. */
static GrB_Info get_size(const void *object, grb_kind kind, size_t *target, GrB_Field field)
{
    field_value value;
    GRB_TRY(get(&value, object, kind, target, field));
    if (!value.text && field != GrB_SIZE)
        return GrB_INVALID_VALUE;
    *target = value.text ? strlen(value.text) + 1 : (size_t)value.number;
    return GrB_SUCCESS;
}

/* No field is of another kind. */
static GrB_Info get_void(const void *object, grb_kind kind, const void *target, GrB_Field field)
{
    field_value value;
    GRB_TRY(get(&value, object, kind, target, field));
    return GrB_INVALID_VALUE;
}

/* ---- set ---------------------------------------------------------------------------------------- */

/* The names of types and operators can be set once. */
static GrB_Info set_string(void *object, grb_kind kind, const char *text, GrB_Field field)
{
    grb_header *header = object;
    GRB_INITIALISED();
    GRB_TRY(grb_check(object, kind));
    if (!text)
        return GrB_NULL_POINTER;
    if (field != GrB_NAME || kind == GRB_GLOBAL)
        return grb_fail(header, GrB_INVALID_VALUE, "set: field %d is not a text that can be set",
                        (int)field);
    const bool renamed =
        kind == GRB_SCALAR || kind == GRB_VECTOR || kind == GRB_MATRIX || kind == GRB_DESCRIPTOR;
    if (header->symbol || (header->name && !renamed))
        return grb_fail(header, GrB_ALREADY_SET, "set: the object has the name %s",
                        header->name ? header->name : header->symbol);
    char *name = grb_copy_text(text);
    if (!name)
        return GrB_OUT_OF_MEMORY;
    sl_free(header->name);
    header->name = name;
    return GrB_SUCCESS;
}

static GrB_Info set_int32(void *object, grb_kind kind, int32_t value, GrB_Field field)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(object, kind));
    if (kind == GRB_DESCRIPTOR && (field <= GrB_INP1_FIELD || ((int)field >= GxB_ROWINDEX_LIST &&
                                                               (int)field <= GxB_VALUE_LIST)))
        return GrB_Descriptor_set(object, (GrB_Desc_Field)field, (GrB_Desc_Value)value);
    if (field == GrB_STORAGE_ORIENTATION_HINT && (kind == GRB_MATRIX || kind == GRB_GLOBAL) &&
        value >= GrB_ROWMAJOR && value <= GrB_UNKNOWN) {
        if (kind == GRB_MATRIX)
            ((GrB_Matrix)object)->orientation = value;
        else
            grb_global.orientation = value;
        return GrB_SUCCESS;
    }
    if (field == GrB_STORAGE_ORIENTATION_HINT && (kind == GRB_VECTOR || kind == GRB_SCALAR))
        return GrB_SUCCESS; /* a hint that has no effect */
    return grb_fail(object, GrB_INVALID_VALUE, "set: field %d of this object cannot be set to %d",
                    (int)field, (int)value);
}

static GrB_Info set_scalar(void *object, grb_kind kind, GrB_Scalar value, GrB_Field field)
{
    int32_t number = 0;
    GRB_INITIALISED();
    GRB_TRY(grb_check(object, kind));
    GrB_Info info = GrB_Scalar_extractElement_INT32(&number, value);
    if (info == GrB_NO_VALUE)
        return GrB_EMPTY_OBJECT;
    return info == GrB_SUCCESS ? set_int32(object, kind, number, field) : info;
}

static GrB_Info set_void(void *object, grb_kind kind, const void *value, GrB_Field field)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(object, kind));
    if (!value)
        return GrB_NULL_POINTER;
    return grb_fail(object, GrB_INVALID_VALUE, "set: field %d takes no such value", (int)field);
}

/* ---- for each kind of object -------------------------------------------------------------------------- */

#define GRB_FIELDS(HANDLE, kind)                                                                   \
    GrB_Info HANDLE##_get_Scalar(HANDLE object, GrB_Scalar value, GrB_Field field)                 \
    {                                                                                              \
        return get_scalar(object, kind, value, field);                                             \
    }                                                                                              \
    GrB_Info HANDLE##_get_String(HANDLE object, char *value, GrB_Field field)                      \
    {                                                                                              \
        return get_string(object, kind, value, field);                                             \
    }                                                                                              \
    GrB_Info HANDLE##_get_INT32(HANDLE object, int32_t *value, GrB_Field field)                    \
    {                                                                                              \
        return get_int32(object, kind, value, field);                                              \
    }                                                                                              \
    GrB_Info HANDLE##_get_SIZE(HANDLE object, size_t *value, GrB_Field field)                      \
    {                                                                                              \
        return get_size(object, kind, value, field);                                               \
    }                                                                                              \
    GrB_Info HANDLE##_get_VOID(HANDLE object, void *value, GrB_Field field)                        \
    {                                                                                              \
        return get_void(object, kind, value, field);                                               \
    }                                                                                              \
    GrB_Info HANDLE##_set_Scalar(HANDLE object, GrB_Scalar value, GrB_Field field)                 \
    {                                                                                              \
        return set_scalar(object, kind, value, field);                                             \
    }                                                                                              \
    GrB_Info HANDLE##_set_String(HANDLE object, char *value, GrB_Field field)                      \
    {                                                                                              \
        return set_string(object, kind, value, field);                                             \
    }                                                                                              \
    GrB_Info HANDLE##_set_INT32(HANDLE object, int32_t value, GrB_Field field)                     \
    {                                                                                              \
        return set_int32(object, kind, value, field);                                              \
    }                                                                                              \
    GrB_Info HANDLE##_set_VOID(HANDLE object, void *value, GrB_Field field, size_t size)           \
    {                                                                                              \
        (void)size;                                                                                \
        return set_void(object, kind, value, field);                                               \
    }
GRB_FIELDS(GrB_Type, GRB_TYPE)
GRB_FIELDS(GrB_UnaryOp, GRB_UNARY_OP)
GRB_FIELDS(GrB_BinaryOp, GRB_BINARY_OP)
GRB_FIELDS(GrB_IndexUnaryOp, GRB_INDEX_OP)
GRB_FIELDS(GxB_IndexBinaryOp, GRB_INDEX_BINARY_OP)
GRB_FIELDS(GrB_Monoid, GRB_MONOID)
GRB_FIELDS(GrB_Semiring, GRB_SEMIRING)
GRB_FIELDS(GrB_Descriptor, GRB_DESCRIPTOR)
GRB_FIELDS(GrB_Scalar, GRB_SCALAR)
GRB_FIELDS(GrB_Vector, GRB_VECTOR)
GRB_FIELDS(GrB_Matrix, GRB_MATRIX)
GRB_FIELDS(GrB_Global, GRB_GLOBAL)
