/*
 * Lists of tuples that are stored in several arrays, because several threads have read them, and
 * their assembly to a matrix.
 */
#ifndef SEMLA_IO_SEGMENTS_H
#define SEMLA_IO_SEGMENTS_H

#include <semla/io.h>

#pragma GCC visibility push(hidden)

enum { MAX_DIMENSION_LOG = 60 }; /* dimensions and ids are limited to 2^60 */

/* Contiguous tuples in memory; the first of them is tuple number `first` of the file. */
typedef struct {
    uint64_t first, count;
    uint64_t *row, *col;
    const void *values; /* 8 bytes each; NULL for a pattern */
} segment;

/* True if the tuples have values. */
static inline bool segments_valued(const segment *segments, uint64_t segment_count)
{
    uint64_t i = 0;
    while (i < segment_count && !segments[i].values)
        i++;
    return i < segment_count;
}

/* sl_matrix_from_edges for tuples in segments. The arrays of `edges` are not used. `declared`: the file states
 * the shape, which may then have more rows than memory has room for; otherwise the greatest id implies it. */
sl_status assemble(sl_matrix **A, sl_context *ctx, const sl_edges *edges, bool declared,
                   const segment *segments, uint64_t segment_count, const sl_read_options *options);

/* SL_INVALID if an option has an invalid value. */
sl_status check_read_options(sl_context *ctx, const sl_read_options *options);

#pragma GCC visibility pop
#endif
