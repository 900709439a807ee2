/* Arrays of values of a program, and matrices made of tuples. */
#ifndef SEMLA_GRB_TUPLES_H
#define SEMLA_GRB_TUPLES_H

#include "graphblas/api_object.h"

/* Values of a program: of `type`, or of some user-defined type if it is NULL. */
typedef struct {
    const void *values;
    GrB_Type type;
} grb_values;

/*
 * Fills an empty vector or matrix (its `cols` are then NULL or not) from tuples. Values are cast to the type of `dup`,
 * combined, and cast to the object's type. On a grid every rank has all tuples, and passes its share of them.
 *
 * dup  NULL: equal indices are GrB_INVALID_VALUE
 */
GrB_Info grb_vector_fill(GrB_Vector w, const GrB_Index *indices, grb_values x, GrB_Index count,
                         GrB_BinaryOp dup);
GrB_Info grb_matrix_fill(GrB_Matrix C, const GrB_Index *rows, const GrB_Index *cols, grb_values x,
                         GrB_Index count, GrB_BinaryOp dup);

/* The entries of a matrix on every rank, sorted by row and column, with values of `type`. Owned by the caller
 * (sl_arrays_free). */
GrB_Info grb_matrix_tuples(sl_arrays *arrays, GrB_Matrix A, GrB_Type type);

#endif
