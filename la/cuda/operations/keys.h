/* Private to the CUDA engine: index lists, and entries by their keys (entry_kernels.h). */
#ifndef SEMLA_CUDA_KEYS_H
#define SEMLA_CUDA_KEYS_H

#include "cuda/operations/entry_kernels.h"
#include "cuda/operations/matrix_rows.h"

/* An index list on the device. */
typedef struct {
    uint64_t *item; /* NULL: 0, 1, 2, ... */
    uint64_t count;
    bool ascending; /* no item is less than the one before it */
    bool distinct;  /* known: no item repeats */
} cuda_list;

/* Brings an index list of a call to the device. */
sl_status sl_cuda_list(cuda_scratch *s, cuda_list *list, const sl_index_list *from);
/* place[item] = the position of each item, in the scratch; of a repeated item one of its positions. *repeats: there is
 * one. Waits. */
sl_status sl_cuda_invert(cuda_scratch *s, uint32_t **place, bool *repeats, const cuda_list *list,
                         uint64_t bound);
/* If an item of an assign's list repeats, keeps it at its last position, as SuiteSparse does: sets the list and the
 * positions that remain. Otherwise *positions is all positions. from: the list on the host; items are below `bound`. */
sl_status sl_cuda_keep_last(cuda_scratch *s, cuda_list *positions, cuda_list *list,
                            const sl_index_list *from, uint64_t bound);
/* The list, or its items sorted. *origin (may be NULL): position of each sorted item in the
 * list; set to NULL if the order is the same. */
sl_status sl_cuda_sorted_list(cuda_scratch *s, const cuda_list *list, const uint64_t **sorted,
                              const uint64_t **origin);
/* The list as a bitmap of n bits; NULL if the list is all indices. */
sl_status sl_cuda_list_bits(cuda_scratch *s, uint32_t **bits, const cuda_list *list, uint64_t n);

/* The entries of `from`, which has the output's shape, inside the region rows x cols, or outside
 * of it. truth (NULL: all): whether each entry counts. */
sl_status sl_cuda_rows_region(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                              const bool *truth, const cuda_list *rows, const cuda_list *cols,
                              bool outside);

/* Entries as keys; origin: position of each one's value in an array, NULL: the same position. */
typedef struct {
    uint64_t count;
    uint64_t *key, *origin;
    unsigned shift;
    int bits; /* bits of a key */
} cuda_keys;

/* Memory for the keys of `count` entries of an nrows x ncols matrix, or of a vector if ncols is
 * 1. Sets no origin. */
sl_status sl_cuda_new_keys(cuda_scratch *s, cuda_keys *k, uint64_t count, uint64_t nrows,
                           uint64_t ncols);
/* Sorts by key; stable. */
sl_status sl_cuda_sort_keys(cuda_scratch *s, cuda_keys *k);
/* The same for entries without values: there is no origin before and after. Keys are compared from
 * bit `from` on. */
sl_status sl_cuda_sort_bare_keys(cuda_scratch *s, cuda_keys *k, unsigned from);
/* *to: the values in the order of the keys; `values` itself if that is their order. */
sl_status sl_cuda_values_of_keys(cuda_scratch *s, void **to, const cuda_keys *k, void *values,
                                 sl_type type);
/* The rows of sorted, distinct keys; values NULL: all 1. */
sl_status sl_cuda_rows_of_keys(cuda_scratch *s, cuda_rows *rows, const cuda_keys *k, uint64_t nrows,
                               void *values, sl_type type);

#endif
