/* Private to the CUDA engine: index lists, and entries by keys (see entry_kernels.h). */
#ifndef SEMLA_CUDA_KEYS_H
#define SEMLA_CUDA_KEYS_H

#include "entry_kernels.h"
#include "rows.h"

/* An index list on the device. */
typedef struct {
    uint64_t *item; /* NULL: 0, 1, 2, ... */
    uint64_t count;
    bool ascending; /* no item is below the one before it */
} cuda_list;

/* A list as a call names it: `from`, `count` and `range` are as rows, nrows and
 * rows_range of sl_call. */
sl_status sl_cuda_list(cuda_scratch *s, cuda_list *list, const uint64_t *from, uint64_t count,
                       bool range);
/* The list itself or its items sorted; *new_id (or NULL): where each was, NULL: there. */
sl_status sl_cuda_sorted_list(cuda_scratch *s, const cuda_list *list, const uint64_t **sorted,
                              const uint64_t **new_id);
/* The list as bits below n; NULL if it is all. */
sl_status sl_cuda_list_bits(cuda_scratch *s, uint32_t **bits, const cuda_list *list, uint64_t n);

/* Those of a matrix of the output's shape that are in a region, or outside; truth (NULL:
 * all) tells of each entry whether it counts. */
sl_status sl_cuda_rows_region(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                              const bool *truth, const cuda_list *rows, const cuda_list *cols,
                              bool outside);

/* Entries by their keys, and where each one's value is in an array; new_id NULL: there. */
typedef struct {
    uint64_t count;
    uint64_t *key, *new_id;
    unsigned shift;
    int bits; /* of a key */
} cuda_keys;

/* Room for the keys of so many entries of an nrows x ncols matrix, or of a vector if
 * there is one column; without places. */
sl_status sl_cuda_new_keys(cuda_scratch *s, cuda_keys *k, uint64_t count, uint64_t nrows,
                           uint64_t ncols);
/* Sorts by key; what is equal stays in its order. */
sl_status sl_cuda_sort_keys(cuda_scratch *s, cuda_keys *k);
/* to: the values in the order of the keys; what is there already is not copied. */
sl_status sl_cuda_values_of_keys(cuda_scratch *s, void **to, const cuda_keys *k, void *values,
                                 sl_type type);
/* Rows of sorted keys, no two equal; values NULL: all 1. */
sl_status sl_cuda_rows_of_keys(cuda_scratch *s, cuda_rows *rows, const cuda_keys *k, uint64_t nrows,
                               void *values, sl_type type);

#endif
