/*
 * Read access to the rows of a matrix that is stored by row, in the form in which GraphBLAS stores it: a list of
 * all rows, a list of the nonempty rows (hypersparse), or a bitmap or full array, whose rows count as full.
 * GraphBLAS's arrays are unpacked and packed again at once, which neither copies nor converts them.
 */
#include "suitesparse/grb_engine.h"

/* Each unpacks the arrays and packs them again. */

static GrB_Info view_list(sl_grb_rows *rows, GrB_Matrix A, GrB_Descriptor desc)
{
    GrB_Index *start = NULL, *cols = NULL, start_size, cols_size, values_size;
    void *values = NULL;
    bool iso, jumbled;
    GrB_Info info = GxB_Matrix_unpack_CSR(A, &start, &cols, &values, &start_size, &cols_size,
                                          &values_size, &iso, &jumbled, desc);
    if (info != GrB_SUCCESS)
        return info;
    rows->start = start;
    rows->cols = cols;
    info = GxB_Matrix_pack_CSR(A, &start, &cols, &values, start_size, cols_size, values_size, iso,
                               jumbled, desc);
    sl_free(start); /* NULL unless packing failed */
    sl_free(cols);
    sl_free(values);
    return info;
}

static GrB_Info view_nonempty(sl_grb_rows *rows, GrB_Matrix A, GrB_Descriptor desc)
{
    GrB_Index *start = NULL, *list = NULL, *cols = NULL, count;
    GrB_Index start_size, list_size, cols_size, values_size;
    void *values = NULL;
    bool iso, jumbled;
    GrB_Info info =
        GxB_Matrix_unpack_HyperCSR(A, &start, &list, &cols, &values, &start_size, &list_size,
                                   &cols_size, &values_size, &iso, &count, &jumbled, desc);
    if (info != GrB_SUCCESS)
        return info;
    rows->start = start;
    rows->list = list;
    rows->cols = cols;
    rows->count = count;
    info = GxB_Matrix_pack_HyperCSR(A, &start, &list, &cols, &values, start_size, list_size,
                                    cols_size, values_size, iso, count, jumbled, desc);
    sl_free(start);
    sl_free(list);
    sl_free(cols);
    sl_free(values);
    return info;
}

GrB_Info sl_grb_view_rows(sl_grb_rows *rows, GrB_Matrix A, GrB_Descriptor desc)
{
    int form = GxB_SPARSE;
    bool by_row = true;
    GrB_Index nvals = 0;
    *rows = (sl_grb_rows){0};
    GrB_Info info = GrB_Matrix_wait(A, GrB_MATERIALIZE);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_nrows(&rows->count, A);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_ncols(&rows->length, A);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_nvals(&nvals, A);
    if (info == GrB_SUCCESS)
        info = sl_grb_is_by_row(&by_row, A);
    if (info == GrB_SUCCESS)
        info = GxB_Matrix_Option_get(A, GxB_SPARSITY_STATUS, &form);
    rows->nvals = nvals;
    if (info != GrB_SUCCESS || form == GxB_BITMAP || form == GxB_FULL)
        return info;
    if (!by_row)
        return GrB_NO_VALUE;
    return form == GxB_HYPERSPARSE ? view_nonempty(rows, A, desc) : view_list(rows, A, desc);
}

/* Unpacks the arrays and packs them again at once. The arrays stay valid until the matrix is
 * written. Only unpacking allocates; if it fails, the matrix is unchanged. */
sl_status sl_grb_view(sl_csr *lent, const sl_object *object, void *handle)
{
    sl_arrays arrays;
    GrB_Info info = sl_grb_unpack(&arrays, object, handle, SL_FORMAT_CSR);
    *lent = (sl_csr){.nrows = object->nrows, .ncols = object->ncols, .type = object->type};
    if (info == GrB_SUCCESS) {
        lent->start = arrays.start;
        lent->index = arrays.cols;
        lent->values = arrays.iso ? NULL : arrays.values;
        info = sl_grb_pack(object, handle, &arrays);
        if (info != GrB_SUCCESS)
            sl_arrays_free(&arrays);
    }
    return sl_grb_status(object->ctx, "view", info);
}

sl_status sl_grb_list_rows(sl_grb_rows *rows, const sl_object *object, const char *what)
{
    sl_csr all;
    const GrB_Info info =
        sl_grb_view_rows(rows, sl_grb_matrix(object), sl_grb_descriptor(object->ctx, 0));
    if (info != GrB_NO_VALUE && (info != GrB_SUCCESS || rows->start))
        return sl_grb_status(object->ctx, what, info);
    const sl_status status = sl_grb_view(&all, object, sl_grb_matrix(object));
    *rows = (sl_grb_rows){.start = all.start, .cols = all.index, .count = object->nrows};
    return status;
}

uint64_t sl_grb_row_length(const sl_grb_rows *rows, uint64_t row)
{
    if (!rows->start)
        return rows->length;
    uint64_t position = row;
    if (rows->list) {
        uint64_t low = 0, high = rows->count;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (rows->list[middle] < row)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == rows->count || rows->list[low] != row)
            return 0;
        position = low;
    }
    return rows->start[position + 1] - rows->start[position];
}
