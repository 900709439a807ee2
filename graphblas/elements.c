/* Single entries: setElement, extractElement, removeElement. An index outside the object is GrB_INVALID_INDEX. */
#include "graphblas/buffer.h"

static GrB_Info check_index(grb_header *object, GrB_Index index, uint64_t size, const char *what)
{
    if (index < size)
        return GrB_SUCCESS;
    return grb_fail(object, GrB_INVALID_INDEX, "%s %llu is out of range: there are %llu", what,
                    (unsigned long long)index, (unsigned long long)size);
}

static GrB_Info check_vector(GrB_Vector v, GrB_Index i)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check_kept(v, GRB_VECTOR));
    return check_index(&v->header, i, sl_vector_size(v->v), "index");
}

static GrB_Info check_matrix(GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check_kept(A, GRB_MATRIX));
    GRB_TRY(check_index(&A->header, i, sl_matrix_nrows(A->A), "row"));
    return check_index(&A->header, j, sl_matrix_ncols(A->A), "column");
}

/* ---- the entries, of which a grid buffers writes, and a grid and a GPU reads -------------------- */

static GrB_Info write_vector(GrB_Vector w, GrB_Index i, const sl_scalar *value)
{
    if (grb_global.buffers)
        return grb_buffer_set((GrB_Matrix)w, i, 0, value);
    GRB_TRY(grb_check(w, GRB_VECTOR)); /* its copy becomes invalid */
    return value ? GRB_RUN(w, sl_vector_set(w->v, i, *value))
                 : GRB_RUN(w, sl_vector_remove(w->v, i));
}

static GrB_Info write_matrix(GrB_Matrix C, GrB_Index i, GrB_Index j, const sl_scalar *value)
{
    if (grb_global.buffers)
        return grb_buffer_set(C, i, j, value);
    GRB_TRY(grb_check(C, GRB_MATRIX));
    return value ? GRB_RUN(C, sl_matrix_set(C->A, i, j, *value))
                 : GRB_RUN(C, sl_matrix_remove(C->A, i, j));
}

static GrB_Info read_vector(sl_scalar *value, GrB_Vector v, GrB_Index i)
{
    if (grb_global.copies)
        return grb_buffer_get(value, (GrB_Matrix)v, i, 0);
    return GRB_RUN(v, sl_vector_get(value, v->v, i));
}

static GrB_Info read_matrix(sl_scalar *value, GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    if (grb_global.copies)
        return grb_buffer_get(value, A, i, j);
    return GRB_RUN(A, sl_matrix_get(value, A->A, i, j));
}

/* ---- set and remove ------------------------------------------------------------------------ */

static GrB_Info set_vector(GrB_Vector w, grb_value x, GrB_Index i)
{
    sl_scalar value;
    GRB_TRY(check_vector(w, i));
    GRB_TRY(grb_resolve(&value, &w->header, w->type, &x));
    return write_vector(w, i, &value);
}

static GrB_Info set_matrix(GrB_Matrix C, grb_value x, GrB_Index i, GrB_Index j)
{
    sl_scalar value;
    GRB_TRY(check_matrix(C, i, j));
    GRB_TRY(grb_resolve(&value, &C->header, C->type, &x));
    return write_matrix(C, i, j, &value);
}

GrB_Info GrB_Vector_removeElement(GrB_Vector w, GrB_Index i)
{
    GRB_TRY(check_vector(w, i));
    return write_vector(w, i, NULL);
}

GrB_Info GrB_Matrix_removeElement(GrB_Matrix C, GrB_Index i, GrB_Index j)
{
    GRB_TRY(check_matrix(C, i, j));
    return write_matrix(C, i, j, NULL);
}

/* An empty scalar removes the entry. */
GrB_Info GrB_Vector_setElement_Scalar(GrB_Vector w, const GrB_Scalar x, GrB_Index i)
{
    GRB_TRY(check_vector(w, i));
    GRB_TRY(grb_check(x, GRB_SCALAR));
    GRB_TRY(grb_check_domain(&w->header, x->type, w->type, "the value"));
    return x->present ? set_vector(w, grb_value_of_scalar(x), i) : GrB_Vector_removeElement(w, i);
}

GrB_Info GrB_Matrix_setElement_Scalar(GrB_Matrix C, const GrB_Scalar x, GrB_Index i, GrB_Index j)
{
    GRB_TRY(check_matrix(C, i, j));
    GRB_TRY(grb_check(x, GRB_SCALAR));
    GRB_TRY(grb_check_domain(&C->header, x->type, C->type, "the value"));
    return x->present ? set_matrix(C, grb_value_of_scalar(x), i, j)
                      : GrB_Matrix_removeElement(C, i, j);
}

/* ---- extract ----------------------------------------------------------------------------------- */

/* Fails if a value of `from` cannot be stored as `type` (NULL: some user-defined type). */
static GrB_Info check_target(grb_header *object, const void *x, GrB_Type type, GrB_Type from)
{
    sl_scalar unused = {.type = from->code};
    if (!x)
        return GrB_NULL_POINTER;
    if (type ? grb_casts(from, type) : from->user)
        return GrB_SUCCESS;
    return grb_store(NULL, type, object, from, unused);
}

static GrB_Info extract_vector(void *x, GrB_Type type, GrB_Vector v, GrB_Index i)
{
    GRB_TRY(check_vector(v, i));
    GRB_TRY(check_target(&v->header, x, type, v->type));
    sl_scalar value = grb_room(v->type, x);
    GRB_TRY(read_vector(&value, v, i));
    return grb_store(x, type, &v->header, v->type, value);
}

static GrB_Info extract_matrix(void *x, GrB_Type type, GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    GRB_TRY(check_matrix(A, i, j));
    GRB_TRY(check_target(&A->header, x, type, A->type));
    sl_scalar value = grb_room(A->type, x);
    GRB_TRY(read_matrix(&value, A, i, j));
    return grb_store(x, type, &A->header, A->type, value);
}

/* Without an entry the scalar becomes empty. */
static GrB_Info extract_to_scalar(GrB_Scalar x, GrB_Type type, sl_scalar value, GrB_Info info)
{
    const grb_value found = {.type = type, .scalar = value};
    if (info == GrB_NO_VALUE)
        return GrB_Scalar_clear(x);
    return info == GrB_SUCCESS ? grb_scalar_set(x, &found) : info;
}

GrB_Info GrB_Vector_extractElement_Scalar(GrB_Scalar x, const GrB_Vector v, GrB_Index i)
{
    GRB_TRY(grb_check(x, GRB_SCALAR));
    GRB_TRY(check_vector(v, i));
    GRB_TRY(grb_check_domain(&x->header, v->type, x->type, "the entry"));
    sl_scalar value = grb_room(v->type, x->bytes);
    GrB_Info info = read_vector(&value, v, i);
    return extract_to_scalar(x, v->type, value, info);
}

GrB_Info GrB_Matrix_extractElement_Scalar(GrB_Scalar x, const GrB_Matrix A, GrB_Index i,
                                          GrB_Index j)
{
    GRB_TRY(grb_check(x, GRB_SCALAR));
    GRB_TRY(check_matrix(A, i, j));
    GRB_TRY(grb_check_domain(&x->header, A->type, x->type, "the entry"));
    sl_scalar value = grb_room(A->type, x->bytes);
    GrB_Info info = read_matrix(&value, A, i, j);
    return extract_to_scalar(x, A->type, value, info);
}

/* ---- for each type ----------------------------------------------------------------------------- */

#define X(T, V, P, ...)                                                                            \
    GrB_Info GrB_Vector_setElement_##T(GrB_Vector w, V x, GrB_Index i)                             \
    {                                                                                              \
        return set_vector(w, grb_value_##T(x), i);                                                 \
    }                                                                                              \
    GrB_Info GrB_Vector_extractElement_##T(P *x, const GrB_Vector v, GrB_Index i)                  \
    {                                                                                              \
        return extract_vector(x, GRB_TYPE_##T, v, i);                                              \
    }                                                                                              \
    GrB_Info GrB_Matrix_setElement_##T(GrB_Matrix C, V x, GrB_Index i, GrB_Index j)                \
    {                                                                                              \
        return set_matrix(C, grb_value_##T(x), i, j);                                              \
    }                                                                                              \
    GrB_Info GrB_Matrix_extractElement_##T(P *x, const GrB_Matrix A, GrB_Index i, GrB_Index j)     \
    {                                                                                              \
        return extract_matrix(x, GRB_TYPE_##T, A, i, j);                                           \
    }
SEMLA_GRB_VALUES(X, )
#undef X
