/* Vectors and matrices: new, dup, clear, resize, sizes and counts, diagonal. */
#include "graphblas/buffer.h"

/* The largest index of the API is 2^60 - 1. A size of 0, which the specification excludes, is
 * allowed as in SuiteSparse. */
static bool is_size(GrB_Index size)
{
    return size <= GrB_INDEX_MAX + 1;
}

static GrB_Info allocate_vector(GrB_Vector *v, GrB_Type type)
{
    *v = grb_new(sizeof **v, GRB_VECTOR);
    if (!*v)
        return GrB_OUT_OF_MEMORY;
    (*v)->type = grb_hold(type);
    return GrB_SUCCESS;
}

static GrB_Info allocate_matrix(GrB_Matrix *A, GrB_Type type)
{
    *A = grb_new(sizeof **A, GRB_MATRIX);
    if (!*A)
        return GrB_OUT_OF_MEMORY;
    (*A)->type = grb_hold(type);
    return GrB_SUCCESS;
}

/* ---- vectors -------------------------------------------------------------------------------- */

GrB_Info GrB_Vector_new(GrB_Vector *v, GrB_Type type, GrB_Index size)
{
    GrB_Vector made;
    GRB_INITIALISED();
    if (!v)
        return GrB_NULL_POINTER;
    *v = NULL;
    GRB_TRY(grb_check(type, GRB_TYPE));
    if (!is_size(size))
        return GrB_INVALID_VALUE;
    GRB_TRY(allocate_vector(&made, type));
    grb_lock();
    return grb_created((void **)v, made, sl_vector_new(&made->v, grb_global.ctx, type->code, size));
}

GrB_Info GrB_Vector_dup(GrB_Vector *w, const GrB_Vector u)
{
    GrB_Vector made;
    GRB_INITIALISED();
    if (!w)
        return GrB_NULL_POINTER;
    *w = NULL;
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(allocate_vector(&made, u->type));
    grb_lock();
    return grb_created((void **)w, made, sl_vector_dup(&made->v, u->v));
}

GrB_Info GrB_Vector_resize(GrB_Vector w, GrB_Index size)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(w, GRB_VECTOR));
    if (!is_size(size))
        return grb_fail(&w->header, GrB_INVALID_VALUE,
                        "Vector_resize: a size of %llu; at most 2^60 is allowed",
                        (unsigned long long)size);
    return GRB_RUN(w, sl_vector_resize(w->v, size));
}

GrB_Info GrB_Vector_clear(GrB_Vector w)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(w, GRB_VECTOR));
    return GRB_RUN(w, sl_vector_clear(w->v));
}

GrB_Info GrB_Vector_size(GrB_Index *size, const GrB_Vector v)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check_kept(v, GRB_VECTOR));
    if (!size)
        return GrB_NULL_POINTER;
    *size = sl_vector_size(v->v);
    return GrB_SUCCESS;
}

GrB_Info GrB_Vector_nvals(GrB_Index *nvals, const GrB_Vector v)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check_kept(v, GRB_VECTOR));
    if (!nvals)
        return GrB_NULL_POINTER;
    const sl_arrays *entries = grb_lock_entries(v);
    if (entries) {
        *nvals = entries->nvals;
        grb_unlock();
        return GrB_SUCCESS;
    }
    GRB_TRY(grb_check(v, GRB_VECTOR));
    return GRB_RUN(v, sl_vector_nvals(nvals, v->v));
}

/* ---- matrices --------------------------------------------------------------------------------- */

GrB_Info GrB_Matrix_new(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols)
{
    GrB_Matrix made;
    GRB_INITIALISED();
    if (!A)
        return GrB_NULL_POINTER;
    *A = NULL;
    GRB_TRY(grb_check(type, GRB_TYPE));
    if (!is_size(nrows) || !is_size(ncols))
        return GrB_INVALID_VALUE;
    GRB_TRY(allocate_matrix(&made, type));
    grb_lock();
    return grb_created((void **)A, made,
                       sl_matrix_new(&made->A, grb_global.ctx, type->code, nrows, ncols));
}

GrB_Info GrB_Matrix_dup(GrB_Matrix *C, const GrB_Matrix A)
{
    GrB_Matrix made;
    GRB_INITIALISED();
    if (!C)
        return GrB_NULL_POINTER;
    *C = NULL;
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(allocate_matrix(&made, A->type));
    made->orientation = A->orientation;
    grb_lock();
    return grb_created((void **)C, made, sl_matrix_dup(&made->A, A->A));
}

GrB_Info GrB_Matrix_diag(GrB_Matrix *C, const GrB_Vector v, int64_t k)
{
    GrB_Matrix made;
    GRB_INITIALISED();
    if (!C)
        return GrB_NULL_POINTER;
    *C = NULL;
    GRB_TRY(grb_check(v, GRB_VECTOR));
    GRB_TRY(allocate_matrix(&made, v->type));
    grb_lock();
    return grb_created((void **)C, made, sl_matrix_diag(&made->A, v->v, k));
}

GrB_Info GrB_Matrix_resize(GrB_Matrix C, GrB_Index nrows, GrB_Index ncols)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(C, GRB_MATRIX));
    if (!is_size(nrows) || !is_size(ncols))
        return grb_fail(
            &C->header, GrB_INVALID_VALUE,
            "Matrix_resize: a shape of %llu x %llu; at most 2^60 rows and columns are allowed",
            (unsigned long long)nrows, (unsigned long long)ncols);
    return GRB_RUN(C, sl_matrix_resize(C->A, nrows, ncols));
}

GrB_Info GrB_Matrix_clear(GrB_Matrix C)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(C, GRB_MATRIX));
    return GRB_RUN(C, sl_matrix_clear(C->A));
}

GrB_Info GrB_Matrix_nrows(GrB_Index *nrows, const GrB_Matrix A)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check_kept(A, GRB_MATRIX));
    if (!nrows)
        return GrB_NULL_POINTER;
    *nrows = sl_matrix_nrows(A->A);
    return GrB_SUCCESS;
}

GrB_Info GrB_Matrix_ncols(GrB_Index *ncols, const GrB_Matrix A)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check_kept(A, GRB_MATRIX));
    if (!ncols)
        return GrB_NULL_POINTER;
    *ncols = sl_matrix_ncols(A->A);
    return GrB_SUCCESS;
}

GrB_Info GrB_Matrix_nvals(GrB_Index *nvals, const GrB_Matrix A)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check_kept(A, GRB_MATRIX));
    if (!nvals)
        return GrB_NULL_POINTER;
    const sl_arrays *entries = grb_lock_entries(A);
    if (entries) {
        *nvals = entries->nvals;
        grb_unlock();
        return GrB_SUCCESS;
    }
    GRB_TRY(grb_check(A, GRB_MATRIX));
    return GRB_RUN(A, sl_matrix_nvals(nvals, A->A));
}
