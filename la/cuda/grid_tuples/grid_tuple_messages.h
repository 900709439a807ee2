/*
 * Tuples as messages: the rows, the columns and the values one after the other, each at a multiple
 * of 8 bytes. The sender chooses 32 or 64 bits for each array of indices: 64 only if an index needs
 * them. The words of a message are the number of tuples and the set of arrays with 32 bits. Private
 * to grid_tuples/.
 */
#ifndef SEMLA_CUDA_GRID_TUPLE_MESSAGES_H
#define SEMLA_CUDA_GRID_TUPLE_MESSAGES_H

#include <semla/device_tuples.h>

#include "cuda/links/links.h"

/* The arrays of tuples. The first two have indices. */
enum { CUDA_TUPLE_ROWS, CUDA_TUPLE_COLUMNS, CUDA_TUPLE_VALUES, CUDA_TUPLE_ARRAYS };

/* An array of tuples; NULL if they do not have it. */
static inline char *cuda_tuple_array(const sl_tuples *t, int array)
{
    return array == CUDA_TUPLE_ROWS      ? (char *)t->rows
           : array == CUDA_TUPLE_COLUMNS ? (char *)t->cols
                                         : t->values;
}

/* The bytes of an element in a message in which the arrays of the set `narrow` (bit a: array a) have 32 bits. */
static inline size_t cuda_tuple_size(const sl_tuples *t, int array, uint64_t narrow)
{
    return array == CUDA_TUPLE_VALUES ? sl_type_size(t->type)
           : narrow >> array & 1      ? sizeof(uint32_t)
                                      : sizeof(uint64_t);
}

/* Where an array begins in a message of `count` tuples; for CUDA_TUPLE_ARRAYS the bytes of the message. */
static inline uint64_t cuda_tuple_offset(const sl_tuples *t, int array, uint64_t count,
                                         uint64_t narrow)
{
    uint64_t bytes = 0;
    for (int a = 0; a < array; a++)
        bytes += cuda_tuple_array(t, a) ? (count * cuda_tuple_size(t, a, narrow) + 7) / 8 * 8 : 0;
    return bytes;
}

/* *wide, in device memory, becomes 1 if an index of an array, which may be missing, has more than 32 bits. */
sl_status sl_cuda_find_wide_tuples(sl_context *ctx, uint64_t *wide, const sl_tuples *t, int array);
/* Allocates arrays of t->count elements, the same arrays that `like` has; and frees arrays. */
sl_status sl_cuda_allocate_tuples(sl_tuples *t, sl_context *ctx, const sl_tuples *like);
void sl_cuda_release_tuples(sl_tuples *t);
/* Copies one array of a message to `to`, indices as 64 bits. The message has the arrays of `like`. */
sl_status sl_cuda_unpack_tuples(sl_context *ctx, void *to, const sl_tuples *like, int array,
                                const cuda_parcel *message);

#endif
