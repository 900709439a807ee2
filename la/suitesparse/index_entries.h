/* The entries of an index vector, and a scatter in progress. Private to this folder. */
#ifndef SEMLA_SUITESPARSE_INDEX_VECTORS_H
#define SEMLA_SUITESPARSE_INDEX_VECTORS_H

#include <string.h>

#include "suitesparse/grb_engine.h"

enum { PARALLEL_MIN = 1 << 16 }; /* loops over fewer entries run on one thread */

/* Arrays from sl_malloc, except `index` if it is borrowed. */
typedef struct {
    uint64_t count;
    uint64_t *index; /* [count]: the values */
    bool borrowed;   /* `index` is the vector's own array, which must not be written */
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
    void *values;  /* [list.count], from sl_malloc, or u's own array: */
    bool borrowed; /* which must not be written */
} scattered;

/* ---- index_entries.c ---- */

/* The indices of the call's index vector, after a check that they are in range; borrowed if possible
 * and `may_borrow`. sl_grb_free_indices must follow, on failure too. */
sl_status sl_grb_read_indices(index_array *list, const sl_call *call, bool may_borrow);
void sl_grb_free_indices(index_array *list);

/* w<mask> = w accum T, with the mask and the flags of the call. */
sl_status sl_grb_write_vector(const sl_call *call, GrB_Vector T, sl_type type, sl_binary_op accum);

/* *values: the own array of a vector with an entry at every index, valid until the vector is next
 * written; NULL if it has fewer. */
sl_status sl_grb_full_values(void **values, const sl_object *vector);

/* ---- scatter_dense.c ---- */

/* Whether combining in an array of the output's size costs less than sorting. */
bool sl_grb_pays_dense(const scattered *s);
/* T, an empty vector of the output's size, receives the values, combined where indices are equal. */
GrB_Info sl_grb_combine_dense(GrB_Vector T, const scattered *s);
/* Combines the values with the values of `to`, an array of the output's size. */
void sl_grb_combine_into(void *to, const scattered *s);

#endif
