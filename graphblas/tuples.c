/* build and extractTuples. */
#include "graphblas/tuples.h"
#include "graphblas/buffer.h"
#include "graphblas/copies.h"

#include <string.h>

/* ---- build --------------------------------------------------------------------------------- */

/* What is needed to build an object of `type`. */
typedef struct {
    GrB_Type combined;  /* the type in which values are combined: the operator's, or the object's */
    const void *values; /* of `combined`, this rank's share */
    void *cast;         /* their memory if they were cast, or NULL */
    uint64_t begin, count;
} share;

/* Checks the arguments of a build, and casts the values of this rank's share. */
static GrB_Info prepare(share *s, grb_header *object, GrB_Type type, grb_values x, GrB_Index count,
                        GrB_BinaryOp dup)
{
    uint64_t end;
    GRB_TRY(grb_check_optional(dup, GRB_BINARY_OP));
    if (dup && (dup->x != dup->z || dup->y != dup->z || dup->indexed))
        return grb_fail(object, GrB_DOMAIN_MISMATCH, "build: dup does not stay within one type");
    if (count > GrB_INDEX_MAX + 1)
        return grb_fail(object, GrB_INVALID_VALUE, "build: %llu tuples; at most 2^60 are allowed",
                        (unsigned long long)count);
    if (count > 0 && !x.values)
        return GrB_NULL_POINTER;
    *s = (share){.combined = dup ? dup->z : type};
    GrB_Type given = x.type ? x.type : s->combined;
    if (!x.type && !given->user)
        return grb_fail(object, GrB_DOMAIN_MISMATCH,
                        "build: values of a user-defined type cannot be cast to %s",
                        grb_type_text(given));
    GRB_TRY(grb_check_domain(object, given, s->combined, "build: a value"));
    GRB_TRY(grb_check_domain(object, s->combined, type, "build: a combined value"));
    sl_context_local_range(grb_global.ctx, count, &s->begin, &end);
    s->count = end - s->begin;
    if (s->count == 0)
        return GrB_SUCCESS;
    s->values = (const char *)x.values + s->begin * given->size;
    if (given->code == s->combined->code)
        return GrB_SUCCESS;
    s->cast = sl_malloc(s->count * s->combined->size);
    if (!s->cast)
        return GrB_OUT_OF_MEMORY;
    grb_cast_values(s->cast, s->combined->code, s->values, given->code, s->count);
    s->values = s->cast;
    return GrB_SUCCESS;
}

/* Builds in the type of the values and casts the result to the object's type. */
static sl_status build_vector(GrB_Vector w, const GrB_Index *indices, const share *s,
                              sl_binary_op dup)
{
    sl_vector *combined = NULL;
    if (s->combined->code == w->type->code)
        return sl_vector_build(w->v, indices, s->values, s->count, dup);
    sl_status status =
        sl_vector_new(&combined, grb_global.ctx, s->combined->code, sl_vector_size(w->v));
    if (status == SL_OK)
        status = sl_vector_build(combined, indices, s->values, s->count, dup);
    if (status == SL_OK)
        status = sl_vector_assign(w->v, NULL, NULL, combined, SL_ALL, 0, NULL);
    sl_vector_free(combined);
    return status;
}

static sl_status build_matrix(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols,
                              const share *s, sl_binary_op dup)
{
    sl_matrix *combined = NULL;
    if (s->combined->code == C->type->code)
        return sl_matrix_build(C->A, rows, cols, s->values, s->count, dup);
    sl_status status = sl_matrix_new(&combined, grb_global.ctx, s->combined->code,
                                     sl_matrix_nrows(C->A), sl_matrix_ncols(C->A));
    if (status == SL_OK)
        status = sl_matrix_build(combined, rows, cols, s->values, s->count, dup);
    if (status == SL_OK)
        status = sl_matrix_assign(C->A, NULL, NULL, combined, SL_ALL, 0, SL_ALL, 0, NULL);
    sl_matrix_free(combined);
    return status;
}

/* Elements that are not there have any address. */
#define PART(array, s) ((array) ? (array) + (s).begin : NULL)

GrB_Info grb_vector_fill(GrB_Vector w, const GrB_Index *indices, grb_values x, GrB_Index count,
                         GrB_BinaryOp dup)
{
    share s;
    uint64_t nvals = 0;
    if (count > 0 && !indices)
        return GrB_NULL_POINTER;
    GRB_TRY(GRB_RUN(w, sl_vector_nvals(&nvals, w->v)));
    if (nvals > 0)
        return grb_fail(&w->header, GrB_OUTPUT_NOT_EMPTY, "build: the vector has %llu entries",
                        (unsigned long long)nvals);
    GRB_TRY(prepare(&s, &w->header, w->type, x, count, dup));
    GrB_Info info = GRB_RUN(w, build_vector(w, PART(indices, s), &s, grb_operator_of(dup)));
    sl_free(s.cast);
    return info;
}

GrB_Info grb_matrix_fill(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, grb_values x,
                         GrB_Index count, GrB_BinaryOp dup)
{
    share s;
    uint64_t nvals = 0;
    if (count > 0 && (!rows || !cols))
        return GrB_NULL_POINTER;
    GRB_TRY(GRB_RUN(C, sl_matrix_nvals(&nvals, C->A)));
    if (nvals > 0)
        return grb_fail(&C->header, GrB_OUTPUT_NOT_EMPTY, "build: the matrix has %llu entries",
                        (unsigned long long)nvals);
    GRB_TRY(prepare(&s, &C->header, C->type, x, count, dup));
    GrB_Info info =
        GRB_RUN(C, build_matrix(C, PART(rows, s), PART(cols, s), &s, grb_operator_of(dup)));
    sl_free(s.cast);
    return info;
}

/* ---- extractTuples ---------------------------------------------------------------------------- */

/* Casts the values of arrays to another type. */
static sl_status cast_arrays(sl_arrays *arrays, sl_type type)
{
    if (arrays->type == type)
        return SL_OK;
    void *values = sl_malloc((arrays->nvals ? arrays->nvals : 1) * sl_type_size(type));
    if (!values)
        return sl_fail(grb_global.ctx, SL_NO_MEMORY, "out of memory for %llu values",
                       (unsigned long long)arrays->nvals);
    grb_cast_values(values, type, arrays->values, arrays->type, arrays->nvals);
    sl_free(arrays->values);
    arrays->values = values;
    arrays->type = type;
    return SL_OK;
}

static sl_status tuples_of_matrix(sl_arrays *arrays, sl_matrix *A, sl_type type)
{
    sl_status status = grb_copy_matrix(arrays, A);
    if (status == SL_OK)
        status = cast_arrays(arrays, type);
    if (status != SL_OK)
        sl_arrays_free(arrays);
    return status;
}

GrB_Info grb_matrix_tuples(sl_arrays *arrays, GrB_Matrix A, GrB_Type type)
{
    *arrays = (sl_arrays){0};
    return GRB_RUN(A, tuples_of_matrix(arrays, A->A, type->code));
}

/* Whether values of the type `from` can be written to x, which may be NULL. type NULL: of a user-defined type. */
static bool reads_as(GrB_Type type, GrB_Type from, const void *x)
{
    return !x || (type ? grb_casts(from, type) : from->user);
}

/* Checks the arguments of extractTuples, and that the arrays have room for nvals entries. */
static GrB_Info check_room(grb_header *object, GrB_Type type, GrB_Type from, const void *x,
                           GrB_Index *count, uint64_t nvals)
{
    if (!reads_as(type, from, x))
        return grb_fail(object, GrB_DOMAIN_MISMATCH, "extractTuples: %s cannot be cast to %s",
                        grb_type_text(from), type ? grb_type_text(type) : "a user-defined type");
    if (*count < nvals)
        return grb_fail(object, GrB_INSUFFICIENT_SPACE,
                        "extractTuples: the arrays have %llu elements; %llu are needed",
                        (unsigned long long)*count, (unsigned long long)nvals);
    return GrB_SUCCESS;
}

static sl_status extract_vector(GrB_Index *indices, void *x, sl_type type, GrB_Index *count,
                                sl_vector *v)
{
    sl_arrays arrays = {0};
    if (sl_context_processes(grb_global.ctx) == 1 && (!x || type == sl_vector_type(v)))
        return sl_vector_extract_tuples(indices, x, count, v);
    sl_status status = grb_copy_vector(&arrays, v);
    if (status == SL_OK && indices && arrays.nvals > 0)
        memcpy(indices, arrays.rows, arrays.nvals * sizeof *indices);
    if (status == SL_OK && x)
        grb_cast_values(x, type, arrays.values, arrays.type, arrays.nvals);
    *count = arrays.nvals;
    sl_arrays_free(&arrays);
    return status;
}

static sl_status extract_matrix(GrB_Index *rows, GrB_Index *cols, void *x, sl_type type,
                                GrB_Index *count, sl_matrix *A)
{
    sl_arrays arrays = {0};
    if (sl_context_processes(grb_global.ctx) == 1 && (!x || type == sl_matrix_type(A)))
        return sl_matrix_extract_tuples(rows, cols, x, count, A);
    sl_status status = grb_copy_matrix(&arrays, A);
    if (status == SL_OK && rows && arrays.nvals > 0)
        memcpy(rows, arrays.rows, arrays.nvals * sizeof *rows);
    if (status == SL_OK && cols && arrays.nvals > 0)
        memcpy(cols, arrays.cols, arrays.nvals * sizeof *cols);
    if (status == SL_OK && x)
        grb_cast_values(x, type, arrays.values, arrays.type, arrays.nvals);
    *count = arrays.nvals;
    sl_arrays_free(&arrays);
    return status;
}

/* Copies the entries of a buffered vector, if the arrays have room for them. */
static void copy_entries(GrB_Index *indices, void *x, GrB_Type type, GrB_Index *count, GrB_Vector v,
                         const sl_arrays *entries)
{
    if (!reads_as(type, v->type, x) || *count < entries->nvals)
        return;
    *count = entries->nvals;
    if (indices && *count > 0)
        memcpy(indices, entries->rows, *count * sizeof *indices);
    if (x && *count > 0)
        grb_cast_values(x, type ? type->code : v->type->code, entries->values, entries->type,
                        *count);
}

static GrB_Info vector_tuples(GrB_Index *indices, void *x, GrB_Type type, GrB_Index *count,
                              GrB_Vector v)
{
    uint64_t nvals = 0;
    GRB_INITIALISED();
    GRB_TRY(grb_check_kept(v, GRB_VECTOR));
    if (!count)
        return GrB_NULL_POINTER;
    const sl_arrays *entries = grb_lock_entries(v);
    if (entries) {
        nvals = entries->nvals;
        copy_entries(indices, x, type, count, v, entries);
        grb_unlock();
        return check_room(&v->header, type, v->type, x, count, nvals);
    }
    GRB_TRY(grb_check(v, GRB_VECTOR));
    GRB_TRY(GRB_RUN(v, sl_vector_nvals(&nvals, v->v)));
    GRB_TRY(check_room(&v->header, type, v->type, x, count, nvals));
    return GRB_RUN(v, extract_vector(indices, x, type ? type->code : v->type->code, count, v->v));
}

static GrB_Info matrix_tuples(GrB_Index *rows, GrB_Index *cols, void *x, GrB_Type type,
                              GrB_Index *count, GrB_Matrix A)
{
    uint64_t nvals = 0;
    GRB_INITIALISED();
    GRB_TRY(grb_check(A, GRB_MATRIX));
    if (!count)
        return GrB_NULL_POINTER;
    GRB_TRY(GRB_RUN(A, sl_matrix_nvals(&nvals, A->A)));
    GRB_TRY(check_room(&A->header, type, A->type, x, count, nvals));
    return GRB_RUN(A,
                   extract_matrix(rows, cols, x, type ? type->code : A->type->code, count, A->A));
}

/* ---- for each type ------------------------------------------------------------------------------- */

#define X(T, V, P, ...)                                                                            \
    GrB_Info GrB_Vector_build_##T(GrB_Vector w, const GrB_Index *I_, const P *X_, GrB_Index nvals, \
                                  const GrB_BinaryOp dup)                                          \
    {                                                                                              \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check(w, GRB_VECTOR));                                                         \
        return grb_vector_fill(w, I_, (grb_values){X_, GRB_TYPE_##T}, nvals, dup);                 \
    }                                                                                              \
    GrB_Info GrB_Matrix_build_##T(GrB_Matrix C, const GrB_Index *I_, const GrB_Index *J_,          \
                                  const P *X_, GrB_Index nvals, const GrB_BinaryOp dup)            \
    {                                                                                              \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check(C, GRB_MATRIX));                                                         \
        return grb_matrix_fill(C, I_, J_, (grb_values){X_, GRB_TYPE_##T}, nvals, dup);             \
    }                                                                                              \
    GrB_Info GrB_Vector_extractTuples_##T(GrB_Index *I_, P *X_, GrB_Index *nvals,                  \
                                          const GrB_Vector v)                                      \
    {                                                                                              \
        return vector_tuples(I_, X_, GRB_TYPE_##T, nvals, v);                                      \
    }                                                                                              \
    GrB_Info GrB_Matrix_extractTuples_##T(GrB_Index *I_, GrB_Index *J_, P *X_, GrB_Index *nvals,   \
                                          const GrB_Matrix A)                                      \
    {                                                                                              \
        return matrix_tuples(I_, J_, X_, GRB_TYPE_##T, nvals, A);                                  \
    }
SEMLA_GRB_VALUES(X, )
#undef X
