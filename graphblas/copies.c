/* Copies of all entries of a vector or matrix, on every rank of a grid. */
#include "graphblas/copies.h"

sl_status grb_copy_vector(sl_arrays *arrays, sl_vector *v)
{
    sl_status status = grb_global.copies ? sl_vector_copy_whole(arrays, v)
                                         : sl_vector_copy_out(arrays, v, SL_FORMAT_LIST);
    return status == SL_OK ? sl_arrays_expand(grb_global.ctx, arrays) : status;
}

sl_status grb_copy_matrix(sl_arrays *arrays, sl_matrix *A)
{
    sl_status status = grb_global.copies ? sl_matrix_copy_whole(arrays, A)
                                         : sl_matrix_copy_out(arrays, A, SL_FORMAT_COO);
    return status == SL_OK ? sl_arrays_expand(grb_global.ctx, arrays) : status;
}
