/* What a vector's reader is given, and what it fills in. */
#ifndef SEMLA_IO_VECTOR_READ_H
#define SEMLA_IO_VECTOR_READ_H

#include "source.h"
#include "vector.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_context *ctx;
    const char *path;
    const sl_vector_options *options;
    source source; /* its first block is loaded; unused where a reader of matrices does the work */
    sl_type type;
    uint64_t size, count;
    uint64_t *index; /* in any order */
    void *values;    /* of `type`, or NULL: every value is 1 */
    uint64_t room;   /* entries that the arrays have room for, values of 8 bytes */
} vector_reader;

/* The readers. On failure they leave the arrays in any state that can be freed. */
sl_status read_vector_text(vector_reader *r);
sl_status read_vector_npy(vector_reader *r);

/* Makes room for twice as many entries. SL_NO_MEMORY. */
sl_status vector_grow(vector_reader *r);

#pragma GCC visibility pop
#endif
