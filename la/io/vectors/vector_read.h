/* The state of reading a vector file. */
#ifndef SEMLA_IO_VECTOR_READ_H
#define SEMLA_IO_VECTOR_READ_H

#include "io/files/input.h"
#include "io/vectors/vector.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_context *ctx;
    const char *path;
    const sl_vector_options *options;
    input input; /* its first block is loaded; unused for Matrix Market */
    sl_type type;
    uint64_t size, count;
    uint64_t *index;   /* in any order */
    void *values;      /* elements of `type`; NULL: every value is 1 */
    uint64_t capacity; /* number of entries that the arrays can hold, with values of 8 bytes */
} vector_reader;

/* The readers. On failure they leave the arrays in any state that can be freed. */
sl_status read_vector_text(vector_reader *r);
sl_status read_vector_npy(vector_reader *r);

/* Doubles the capacity. SL_NO_MEMORY. */
sl_status vector_grow(vector_reader *r);

#pragma GCC visibility pop
#endif
