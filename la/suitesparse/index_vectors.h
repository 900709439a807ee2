/* The entries of an index vector, and a scatter in progress. Private to this folder. */
#ifndef SEMLA_SUITESPARSE_INDEX_VECTORS_H
#define SEMLA_SUITESPARSE_INDEX_VECTORS_H

#include <string.h>

#include "grb.h"

enum { PARALLEL_MIN = 1 << 16 }; /* loops over fewer entries run on one thread */

/* Arrays from sl_malloc. */
typedef struct {
    uint64_t count;
    uint64_t *index; /* [count]: the values */
    uint64_t *at;    /* [count]: their positions in the vector; NULL: 0, 1, 2, ... */
    /* Scatter: the indices for which u has no value; NULL: there are none. */
    uint64_t *without;
    uint64_t without_count;
} index_array;

typedef struct {
    const sl_call *call;
    sl_type type;     /* of the values that are combined */
    sl_binary_op dup; /* combines them */
    index_array list;
    void *values; /* [list.count], from sl_malloc */
} scattered;

/* scatter_dense.c: whether combining in an array of the output's size costs less than sorting. */
bool sl_grb_pays_dense(const scattered *s);
/* T, an empty vector of the output's size, receives the values, combined where indices are equal. */
GrB_Info sl_grb_combine_dense(GrB_Vector T, const scattered *s);

#endif
