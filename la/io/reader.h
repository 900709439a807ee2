/* What a format's reader is given, and what it fills in. */
#ifndef SEMLA_IO_READER_H
#define SEMLA_IO_READER_H

#include <semla/io.h>

#include "source.h"

#pragma GCC visibility push(hidden)

typedef struct {
    source source; /* its first block is loaded */
    const sl_read_options *options;
    sl_edges edges; /* to be filled in; freed by the caller of the reader */
    uint64_t room;  /* tuples that the arrays of `edges` have room for */
} reader;

enum { READER_GREATEST_LOG = 60 }; /* no dimension is above 2^60 */

/* The readers. On failure they leave `edges` in any state that can be freed. */
sl_status read_matrix_market(reader *r);
sl_status read_edge_list(reader *r);
sl_status read_dimacs(reader *r);
sl_status read_metis(reader *r);
sl_status read_graph500(reader *r);
sl_status read_graph500_packed(reader *r);

enum { GRAPH500_BYTES = 16, GRAPH500_PACKED_BYTES = 12 }; /* of a tuple */

/* True if a Matrix Market banner starts the text from `begin` to `end`. */
bool has_matrix_market_banner(const char *begin, const char *end);

/*
 * Grows the tuples' arrays to `room` or to twice what they are if that is more;
 * `values`, of 8 bytes each, where the edges are `weighted`. SL_NO_MEMORY.
 */
sl_status reader_grow(reader *r, uint64_t room, bool weighted);

/*
 * Numbers the ids that occur in `row` and `col` 0, 1, ... in rising order and
 * writes the numbers in their place; sets nrows, ncols and `ids`. `greatest` is
 * the greatest id, of any value if there is no tuple. SL_NO_MEMORY.
 */
sl_status compact_ids(sl_edges *edges, sl_context *ctx, uint64_t greatest);

/*
 * For formats that hold ids and not the number of vertices, after the last tuple:
 * makes the ids compact, if asked for, and sets the number of vertices. `greatest`
 * is the greatest id, of any value if there is no tuple; the file's ids are higher
 * by `base`. SL_OUT_OF_RANGE if it is not below the number that the options have,
 * SL_NO_MEMORY.
 */
sl_status reader_number(reader *r, uint64_t greatest, unsigned base);

/* SL_INVALID for options that have no meaning. */
sl_status check_read_options(sl_context *ctx, const sl_read_options *options);

#pragma GCC visibility pop
#endif
