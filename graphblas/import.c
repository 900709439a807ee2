/*
 * Import and export of matrices as arrays of a program, which are copied.
 *
 *            Ap                 Ai                 Ax
 *     CSR    starts of rows     columns            values
 *     CSC    starts of columns  rows               values
 *     COO    rows               columns            values
 *
 * Entries are exported sorted by row, or by column for CSC; rows and columns of imported arrays may
 * be in any order. The specification calls the first array of COO the columns;
 * SuiteSparse:GraphBLAS takes it as rows, as is done here.
 */
#include "graphblas/tuples.h"

#include <string.h>

/* Number of elements of the arrays of a format. */
typedef struct {
    uint64_t starts, indices, values;
} lengths;

static GrB_Info lengths_of(lengths *l, GrB_Format format, uint64_t nrows, uint64_t ncols,
                           uint64_t nvals)
{
    switch (format) {
    case GrB_CSR_FORMAT:
        *l = (lengths){nrows + 1, nvals, nvals};
        return GrB_SUCCESS;
    case GrB_CSC_FORMAT:
        *l = (lengths){ncols + 1, nvals, nvals};
        return GrB_SUCCESS;
    case GrB_COO_FORMAT:
        *l = (lengths){nvals, nvals, nvals};
        return GrB_SUCCESS;
    default:
        return GrB_INVALID_VALUE;
    }
}

/* The arrays of a program from which a matrix is made. */
typedef struct {
    GrB_Format format;
    const GrB_Index *p, *i; /* Ap and Ai of the table above */
    grb_values x;           /* Ax */
    lengths given;
} source;

/* ---- import ---------------------------------------------------------------------------------------- */

/* The row or column of each entry, from the starts of all `count` of them. *lines is new memory. */
static GrB_Info expand_starts(GrB_Index **lines, const GrB_Index *starts, uint64_t count,
                              uint64_t nvals)
{
    if (starts[0] != 0)
        return GrB_INDEX_OUT_OF_BOUNDS;
    for (uint64_t k = 0; k < count; k++)
        if (starts[k + 1] < starts[k] || starts[k + 1] > nvals)
            return GrB_INDEX_OUT_OF_BOUNDS;
    *lines = sl_malloc((nvals ? nvals : 1) * sizeof **lines);
    if (!*lines)
        return GrB_OUT_OF_MEMORY;
    for (uint64_t k = 0; k < count; k++)
        for (uint64_t e = starts[k]; e < starts[k + 1]; e++)
            (*lines)[e] = k;
    return GrB_SUCCESS;
}

/* Fills the new matrix C. */
static GrB_Info fill(GrB_Matrix C, const source *from)
{
    const lengths *given = &from->given;
    lengths needed;
    GrB_Index *lines = NULL;
    const uint64_t nrows = sl_matrix_nrows(C->A), ncols = sl_matrix_ncols(C->A);
    const bool by_columns = from->format == GrB_CSC_FORMAT;
    if (from->format == GrB_COO_FORMAT) {
        if (given->starts != given->indices || given->values < given->indices)
            return GrB_INVALID_VALUE;
        return grb_matrix_fill(C, from->p, from->i, from->x, given->indices, NULL);
    }
    const uint64_t lines_count = by_columns ? ncols : nrows;
    if (given->starts < lines_count + 1)
        return GrB_INVALID_VALUE;
    GRB_TRY(lengths_of(&needed, from->format, nrows, ncols, from->p[lines_count]));
    if (given->indices < needed.indices || given->values < needed.values)
        return GrB_INDEX_OUT_OF_BOUNDS;
    GRB_TRY(expand_starts(&lines, from->p, lines_count, needed.indices));
    GrB_Info info = by_columns ? grb_matrix_fill(C, from->i, lines, from->x, needed.indices, NULL)
                               : grb_matrix_fill(C, lines, from->i, from->x, needed.indices, NULL);
    sl_free(lines);
    return info;
}

static GrB_Info import(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols, source from)
{
    lengths unused;
    GRB_INITIALISED();
    if (!A)
        return GrB_NULL_POINTER;
    *A = NULL;
    GRB_TRY(grb_check(type, GRB_TYPE));
    if (!from.p || !from.i || !from.x.values)
        return GrB_NULL_POINTER;
    GRB_TRY(lengths_of(&unused, from.format, 0, 0, 0));
    if (from.x.type ? from.x.type != type : !type->user)
        return GrB_DOMAIN_MISMATCH;
    GRB_TRY(GrB_Matrix_new(A, type, nrows, ncols));
    GrB_Info info = fill(*A, &from);
    if (info != GrB_SUCCESS)
        GrB_Matrix_free(A);
    return info;
}

/* ---- export ------------------------------------------------------------------------------------------ */

GrB_Info GrB_Matrix_exportHint(GrB_Format *format, const GrB_Matrix A)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(A, GRB_MATRIX));
    if (!format)
        return GrB_NULL_POINTER;
    *format = GrB_CSR_FORMAT;
    return GrB_SUCCESS;
}

GrB_Info GrB_Matrix_exportSize(GrB_Index *Ap_len, GrB_Index *Ai_len, GrB_Index *Ax_len,
                               GrB_Format format, const GrB_Matrix A)
{
    lengths l;
    GrB_Index nvals;
    GRB_INITIALISED();
    GRB_TRY(grb_check(A, GRB_MATRIX));
    if (!Ap_len || !Ai_len || !Ax_len)
        return GrB_NULL_POINTER;
    GRB_TRY(GrB_Matrix_nvals(&nvals, A));
    GRB_TRY(lengths_of(&l, format, sl_matrix_nrows(A->A), sl_matrix_ncols(A->A), nvals));
    *Ap_len = l.starts;
    *Ai_len = l.indices;
    *Ax_len = l.values;
    return GrB_SUCCESS;
}

/* starts[k] to starts[k + 1] - 1 are the entries of line k; `lines` are sorted. */
static void count_starts(GrB_Index *starts, uint64_t count, const uint64_t *lines, uint64_t nvals)
{
    uint64_t entry = 0;
    for (uint64_t k = 0; k < count; k++) {
        starts[k] = entry;
        while (entry < nvals && lines[entry] == k)
            entry++;
    }
    starts[count] = entry;
}

/* The entries by columns: those of the transpose by rows. */
static GrB_Info tuples_by_columns(sl_arrays *arrays, GrB_Matrix A, GrB_Type type)
{
    GrB_Matrix transpose = NULL;
    GRB_TRY(GrB_Matrix_new(&transpose, A->type, sl_matrix_ncols(A->A), sl_matrix_nrows(A->A)));
    GrB_Info info = GrB_transpose(transpose, NULL, NULL, A, NULL);
    if (info == GrB_SUCCESS)
        info = grb_matrix_tuples(arrays, transpose, type);
    GrB_Matrix_free(&transpose);
    return info;
}

static void copy(void *to, const void *from, uint64_t count, size_t size)
{
    if (count > 0)
        memcpy(to, from, count * size);
}

static GrB_Info export_arrays(GrB_Index *Ap, GrB_Index *Ai, void *Ax, GrB_Type type, lengths room,
                              GrB_Format format, GrB_Matrix A)
{
    lengths l;
    GrB_Index nvals;
    sl_arrays arrays = {0};
    const uint64_t nrows = sl_matrix_nrows(A->A), ncols = sl_matrix_ncols(A->A);
    const bool by_columns = format == GrB_CSC_FORMAT;
    GRB_TRY(GrB_Matrix_nvals(&nvals, A));
    GRB_TRY(lengths_of(&l, format, nrows, ncols, nvals));
    if (room.starts < l.starts || room.indices < l.indices || room.values < l.values)
        return grb_fail(&A->header, GrB_INSUFFICIENT_SPACE,
                        "export: the arrays are too short; call exportSize");
    GRB_TRY(by_columns ? tuples_by_columns(&arrays, A, type) : grb_matrix_tuples(&arrays, A, type));
    if (format == GrB_COO_FORMAT)
        copy(Ap, arrays.rows, arrays.nvals, sizeof *Ap);
    else
        count_starts(Ap, by_columns ? ncols : nrows, arrays.rows, arrays.nvals);
    copy(Ai, arrays.cols, arrays.nvals, sizeof *Ai);
    copy(Ax, arrays.values, arrays.nvals, type->size);
    sl_arrays_free(&arrays);
    return GrB_SUCCESS;
}

/* Where the lengths of the arrays are read, and written. */
typedef struct {
    GrB_Index *p, *i, *x;
} length_pointers;

static GrB_Info export(GrB_Index *Ap, GrB_Index *Ai, void *Ax, GrB_Type type, length_pointers len,
                       GrB_Format format, GrB_Matrix A)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(A, GRB_MATRIX));
    if (!Ap || !Ai || !Ax || !len.p || !len.i || !len.x)
        return GrB_NULL_POINTER;
    if (type ? A->type != type : !A->type->user)
        return grb_fail(&A->header, GrB_DOMAIN_MISMATCH, "export: the matrix is of %s, not of %s",
                        grb_type_text(A->type), type ? grb_type_text(type) : "a user-defined type");
    const lengths room = {*len.p, *len.i, *len.x};
    GRB_TRY(export_arrays(Ap, Ai, Ax, type ? type : A->type, room, format, A));
    return GrB_Matrix_exportSize(len.p, len.i, len.x, format, A);
}

#define X(T, V, P, ...)                                                                            \
    GrB_Info GrB_Matrix_import_##T(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols, \
                                   const GrB_Index *Ap, const GrB_Index *Ai, const P *Ax,          \
                                   GrB_Index Ap_len, GrB_Index Ai_len, GrB_Index Ax_len,           \
                                   GrB_Format format)                                              \
    {                                                                                              \
        return import(A, type, nrows, ncols,                                                       \
                      (source){format, Ap, Ai, {Ax, GRB_TYPE_##T}, {Ap_len, Ai_len, Ax_len}});     \
    }                                                                                              \
    GrB_Info GrB_Matrix_export_##T(GrB_Index *Ap, GrB_Index *Ai, P *Ax, GrB_Index *Ap_len,         \
                                   GrB_Index *Ai_len, GrB_Index *Ax_len, GrB_Format format,        \
                                   const GrB_Matrix A)                                             \
    {                                                                                              \
        return export(Ap, Ai, Ax, GRB_TYPE_##T, (length_pointers){Ap_len, Ai_len, Ax_len}, format, \
                      A);                                                                          \
    }
SEMLA_GRB_VALUES(X, )
#undef X
