/* The functions of GraphBLAS_extensions.h on types, vectors and matrices. */
#include "graphblas/copies.h"
#include "graphblas/indexed.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- types of objects, hints -------------------------------------------------------------------- */

/* GxB_..._type_name: the name in C if it is known. */
static void write_type_name(char *name, GrB_Type type)
{
    const char *text = type->header.name ? type->header.name : type->c_name;
    memset(name, 0, GxB_MAX_NAME_LEN);
    strncpy(name, text, GxB_MAX_NAME_LEN - 1);
}

#define TYPE_OF(KIND, kind)                                                                        \
    GrB_Info GxB_##KIND##_type(GrB_Type *type, const GrB_##KIND object)                            \
    {                                                                                              \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check(object, kind));                                                          \
        if (!type)                                                                                 \
            return GrB_NULL_POINTER;                                                               \
        *type = object->type;                                                                      \
        return GrB_SUCCESS;                                                                        \
    }                                                                                              \
    GrB_Info GxB_##KIND##_type_name(char *name, const GrB_##KIND object)                           \
    {                                                                                              \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check(object, kind));                                                          \
        if (!name)                                                                                 \
            return GrB_NULL_POINTER;                                                               \
        write_type_name(name, object->type);                                                       \
        return GrB_SUCCESS;                                                                        \
    }
TYPE_OF(Matrix, GRB_MATRIX)
TYPE_OF(Vector, GRB_VECTOR)
TYPE_OF(Scalar, GRB_SCALAR)

GrB_Info GxB_Type_size(size_t *size, const GrB_Type type)
{
    return GrB_Type_get_SIZE(type, size, GrB_SIZE);
}

/* The orientation of all objects is that of rows. `values` has a pointer to a GxB_Format_Value. */
static GrB_Info get_option(int field, va_list values)
{
    GxB_Format_Value *format = va_arg(values, GxB_Format_Value *);
    if (field != GxB_FORMAT)
        return GrB_INVALID_VALUE;
    if (!format)
        return GrB_NULL_POINTER;
    *format = GxB_BY_ROW;
    return GrB_SUCCESS;
}

/* After the checks of an object: setting a hint, and reading an option. */
#define SET_OPTION(hint) return field == (hint) ? GrB_SUCCESS : GrB_INVALID_VALUE
#define GET_OPTION()                                                                               \
    va_list values;                                                                                \
    va_start(values, field);                                                                       \
    GrB_Info info = get_option(field, values);                                                     \
    va_end(values);                                                                                \
    return info

#define OPTIONS_OF(KIND, kind)                                                                     \
    GrB_Info GxB_##KIND##_Option_set(GrB_##KIND object, int field, ...)                            \
    {                                                                                              \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check(object, kind));                                                          \
        SET_OPTION(GxB_SPARSITY_CONTROL);                                                          \
    }                                                                                              \
    GrB_Info GxB_##KIND##_Option_get(GrB_##KIND object, int field, ...)                            \
    {                                                                                              \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check(object, kind));                                                          \
        GET_OPTION();                                                                              \
    }
OPTIONS_OF(Matrix, GRB_MATRIX)
OPTIONS_OF(Vector, GRB_VECTOR)

GrB_Info GxB_Global_Option_set(int field, ...)
{
    GRB_INITIALISED();
    SET_OPTION(GxB_BURBLE);
}

GrB_Info GxB_Global_Option_get(int field, ...)
{
    GRB_INITIALISED();
    GET_OPTION();
}

/* ---- elementwise union, diagonal ------------------------------------------------------------------ */

/* The scalars stand for entries that are missing. */
static GrB_Info check_union(grb_header *output, GrB_BinaryOp op, GrB_Scalar alpha, GrB_Scalar beta)
{
    GRB_TRY(grb_check(alpha, GRB_SCALAR));
    GRB_TRY(grb_check(beta, GRB_SCALAR));
    if (!alpha->present || !beta->present)
        return GrB_EMPTY_OBJECT;
    GRB_TRY(grb_check_domain(output, alpha->type, op->x, "alpha"));
    return grb_check_domain(output, beta->type, op->y, "beta");
}

GrB_Info GxB_Vector_eWiseUnion(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                               const GrB_BinaryOp op, const GrB_Vector u, const GrB_Scalar alpha,
                               const GrB_Vector v, const GrB_Scalar beta, const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(op, GRB_BINARY_OP));
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check(v, GRB_VECTOR));
    GRB_TRY(grb_check_vector_output(w, mask, accum, op->z, desc));
    GRB_TRY(grb_check_domain(&w->header, u->type, op->x, "the first operand"));
    GRB_TRY(grb_check_domain(&w->header, v->type, op->y, "the second operand"));
    GRB_TRY(check_union(&w->header, op, alpha, beta));
    GRB_RUN_OPERANDS(w, op, u, v, 0,
                     sl_vector_ewise_union(w->v, grb_vector_of(mask), grb_operator_of(accum),
                                           op->op, a.v, grb_indexed_scalar(op, 0, alpha->value),
                                           b.v, grb_indexed_scalar(op, 1, beta->value),
                                           grb_flags_of(desc)));
}

GrB_Info GxB_Matrix_eWiseUnion(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                               const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Scalar alpha,
                               const GrB_Matrix B, const GrB_Scalar beta, const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(op, GRB_BINARY_OP));
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check(B, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, op->z, desc));
    GRB_TRY(grb_check_domain(&C->header, A->type, op->x, "the first operand"));
    GRB_TRY(grb_check_domain(&C->header, B->type, op->y, "the second operand"));
    GRB_TRY(check_union(&C->header, op, alpha, beta));
    GRB_RUN_OPERANDS(C, op, A, B, grb_turns_of(desc),
                     sl_matrix_ewise_union(C->A, grb_matrix_of(mask), grb_operator_of(accum),
                                           op->op, a.A, grb_indexed_scalar(op, 0, alpha->value),
                                           b.A, grb_indexed_scalar(op, 1, beta->value),
                                           grb_flags_of(desc)));
}

static sl_status extract_diagonal(GrB_Vector v, sl_matrix *A, int64_t k)
{
    sl_vector *diagonal = NULL;
    sl_status status = sl_vector_diag(&diagonal, A, k);
    if (status == SL_OK)
        status = sl_vector_assign(v->v, NULL, NULL, diagonal, SL_ALL, 0, NULL);
    sl_vector_free(diagonal);
    return status;
}

/* v has the size of the diagonal. */
GrB_Info GxB_Vector_diag(GrB_Vector v, const GrB_Matrix A, int64_t k, const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_vector_output(v, NULL, NULL, A->type, desc));
    return GRB_RUN(v, extract_diagonal(v, A->A, k));
}

/* ---- build with one value: a pattern, and the value at its entries ---------------------------------------- */

/* The value to store in objects of the type. */
static GrB_Info stored_value(sl_scalar *value, grb_header *output, GrB_Type type, GrB_Scalar x)
{
    GRB_TRY(grb_check(x, GRB_SCALAR));
    GRB_TRY(grb_check_domain(output, x->type, type, "the value"));
    if (!x->present)
        return GrB_EMPTY_OBJECT;
    *value = sl_scalar_cast(x->value, type->code);
    return GrB_SUCCESS;
}

/* So many values `true`, owned by the caller (sl_free), or NULL. */
static bool *new_truths(uint64_t count)
{
    bool *truths = sl_malloc(count ? count : 1);
    if (truths)
        memset(truths, true, count);
    return truths;
}

static sl_status fill_matrix(sl_matrix *C, const uint64_t *rows, const uint64_t *cols,
                             uint64_t count, sl_scalar value)
{
    sl_matrix *pattern = NULL;
    bool *truths = new_truths(count);
    sl_status status = truths ? sl_matrix_new(&pattern, grb_global.ctx, SL_BOOL, sl_matrix_nrows(C),
                                              sl_matrix_ncols(C))
                              : SL_NO_MEMORY;
    if (status == SL_OK)
        status = sl_matrix_build(pattern, rows, cols, truths, count,
                                 sl_binary_op_get(SL_BINARY_LOR, SL_BOOL));
    if (status == SL_OK)
        status = sl_matrix_assign_scalar(C, pattern, NULL, value, SL_ALL, 0, SL_ALL, 0,
                                         sl_descriptor_get(SL_STRUCTURE));
    sl_matrix_free(pattern);
    sl_free(truths);
    return status;
}

static sl_status fill_vector(sl_vector *w, const uint64_t *indices, uint64_t count, sl_scalar value)
{
    sl_vector *pattern = NULL;
    bool *truths = new_truths(count);
    sl_status status =
        truths ? sl_vector_new(&pattern, grb_global.ctx, SL_BOOL, sl_vector_size(w)) : SL_NO_MEMORY;
    if (status == SL_OK)
        status = sl_vector_build(pattern, indices, truths, count,
                                 sl_binary_op_get(SL_BINARY_LOR, SL_BOOL));
    if (status == SL_OK)
        status = sl_vector_assign_scalar(w, pattern, NULL, value, SL_ALL, 0,
                                         sl_descriptor_get(SL_STRUCTURE));
    sl_vector_free(pattern);
    sl_free(truths);
    return status;
}

/* Equal indices are allowed. */
GrB_Info GxB_Matrix_build_Scalar(GrB_Matrix C, const GrB_Index *I_, const GrB_Index *J_,
                                 const GrB_Scalar x, GrB_Index nvals)
{
    sl_scalar value;
    uint64_t stored = 0, begin, end;
    GRB_INITIALISED();
    GRB_TRY(grb_check(C, GRB_MATRIX));
    if (nvals > 0 && (!I_ || !J_))
        return GrB_NULL_POINTER;
    GRB_TRY(GrB_Matrix_nvals(&stored, C));
    if (stored > 0)
        return GrB_OUTPUT_NOT_EMPTY;
    GRB_TRY(stored_value(&value, &C->header, C->type, x));
    sl_context_local_range(grb_global.ctx, nvals, &begin, &end);
    return GRB_RUN(
        C, fill_matrix(C->A, I_ ? I_ + begin : NULL, J_ ? J_ + begin : NULL, end - begin, value));
}

GrB_Info GxB_Vector_build_Scalar(GrB_Vector w, const GrB_Index *I_, const GrB_Scalar x,
                                 GrB_Index nvals)
{
    sl_scalar value;
    uint64_t stored = 0, begin, end;
    GRB_INITIALISED();
    GRB_TRY(grb_check(w, GRB_VECTOR));
    if (nvals > 0 && !I_)
        return GrB_NULL_POINTER;
    GRB_TRY(GrB_Vector_nvals(&stored, w));
    if (stored > 0)
        return GrB_OUTPUT_NOT_EMPTY;
    GRB_TRY(stored_value(&value, &w->header, w->type, x));
    sl_context_local_range(grb_global.ctx, nvals, &begin, &end);
    return GRB_RUN(w, fill_vector(w->v, I_ ? I_ + begin : NULL, end - begin, value));
}

/* ---- pack and unpack: copies, since the program allocates by malloc ------------------------------------ */

GrB_Info GxB_Vector_unpack_CSC(GrB_Vector v, GrB_Index **vi, void **vx, GrB_Index *vi_size,
                               GrB_Index *vx_size, bool *iso, GrB_Index *nvals, bool *jumbled,
                               const GrB_Descriptor desc)
{
    sl_arrays arrays = {0};
    GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));
    GRB_INITIALISED();
    GRB_TRY(grb_check(v, GRB_VECTOR));
    if (!vi || !vx || !vi_size || !vx_size || !nvals)
        return GrB_NULL_POINTER;
    GRB_TRY(GRB_RUN(v, grb_copy_vector(&arrays, v->v)));
    const size_t indices = arrays.nvals * sizeof **vi, values = arrays.nvals * v->type->size;
    *vi = malloc(indices + 1);
    *vx = malloc(values + 1);
    GrB_Info info = *vi && *vx ? GrB_Vector_clear(v) : GrB_OUT_OF_MEMORY;
    if (info == GrB_SUCCESS) {
        if (arrays.nvals > 0) {
            memcpy(*vi, arrays.rows, indices);
            memcpy(*vx, arrays.values, values);
        }
        *vi_size = indices + 1;
        *vx_size = values + 1;
        *nvals = arrays.nvals;
        if (iso)
            *iso = false;
        if (jumbled)
            *jumbled = false;
    } else {
        free(*vi);
        free(*vx);
        *vi = NULL;
        *vx = NULL;
    }
    sl_arrays_free(&arrays);
    return info;
}

GrB_Info GxB_Vector_pack_CSC(GrB_Vector v, GrB_Index **vi, void **vx, GrB_Index vi_size,
                             GrB_Index vx_size, bool iso, GrB_Index nvals, bool jumbled,
                             const GrB_Descriptor desc)
{
    uint64_t begin, end;
    (void)jumbled; /* build sorts */
    GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));
    GRB_INITIALISED();
    GRB_TRY(grb_check(v, GRB_VECTOR));
    if (!vi || !vx || !*vi || !*vx)
        return GrB_NULL_POINTER;
    const size_t size = v->type->size;
    if (vi_size / sizeof **vi < nvals || vx_size / size < (iso ? nvals > 0 : nvals))
        return grb_fail(&v->header, GrB_INVALID_VALUE,
                        "pack_CSC: the arrays are too short for %llu entries",
                        (unsigned long long)nvals);
    GRB_TRY(GrB_Vector_clear(v));
    if (iso && nvals > 1) { /* the value of all entries is the first */
        char *all = realloc(*vx, nvals * size);
        if (!all)
            return GrB_OUT_OF_MEMORY;
        for (uint64_t k = 1; k < nvals; k++)
            memcpy(all + k * size, all, size);
        *vx = all;
    }
    sl_context_local_range(grb_global.ctx, nvals, &begin, &end);
    GRB_TRY(GRB_RUN(
        v, sl_vector_build(v->v, *vi + begin, (char *)*vx + begin * size, end - begin, NULL)));
    free(*vi);
    free(*vx);
    *vi = NULL;
    *vx = NULL;
    return GrB_SUCCESS;
}
