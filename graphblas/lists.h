/* Vectors of a program as lists of indices or values. */
#ifndef SEMLA_GRB_LISTS_H
#define SEMLA_GRB_LISTS_H

#include "graphblas/api_object.h"

/*
 * The flags of a descriptor for GxB_ROWINDEX_LIST, GxB_COLINDEX_LIST and GxB_VALUE_LIST: two bits for each, above
 * the flags of sl_descriptor_get. Without a bit the vector's values are the list.
 */
enum { GRB_LIST_INDICES = 1, GRB_LIST_STRIDE = 2, GRB_LIST_ALL = 3 };
#define GRB_LIST_SHIFT(field)  (16 + 2 * ((field)-GxB_ROWINDEX_LIST))
#define GRB_LIST(field, which) ((unsigned)GRB_LIST_##which << GRB_LIST_SHIFT(field))

#endif
