/* Copies of all entries of a vector or matrix. */
#ifndef SEMLA_GRB_COPIES_H
#define SEMLA_GRB_COPIES_H

#include "graphblas/api_object.h"

/* Copies the entries of an object to every rank, sorted. Patterns get values. */
sl_status grb_copy_vector(sl_arrays *arrays, sl_vector *v);
sl_status grb_copy_matrix(sl_arrays *arrays, sl_matrix *A);

#endif
