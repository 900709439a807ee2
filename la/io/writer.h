/* What a format's writer is given. */
#ifndef SEMLA_IO_WRITER_H
#define SEMLA_IO_WRITER_H

#include <semla/io.h>

#include "sink.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_context *ctx;
    const char *path;
    const sl_edges *edges; /* `type` is any, and `values` of its size */
    bool sorted;           /* by row, then column, without duplicates; `mirror` is SL_MIRROR_NONE */
    unsigned base;
    const sl_matrix *A;     /* whose entries they are, or NULL */
    uint64_t row, rows_end; /* of a matrix: the edges are those of these rows */
    /* Of all processes that share the context, which write their edges one behind the other. */
    uint64_t entries; /* mirror images included */
    bool valued;      /* there are values */
    bool first;       /* this process writes the head */
    sink sink;        /* not yet open when it is asked whether the edges fit */
} writer;

/* The writers. What goes wrong in writing is kept by the sink; SL_NO_MEMORY is
 * what they return themselves. */
sl_status write_matrix_market(writer *w);
sl_status write_edge_list(writer *w);
sl_status write_dimacs(writer *w);
sl_status write_metis(writer *w);
sl_status write_graph500(writer *w);
sl_status write_graph500_packed(writer *w);

/* SL_UNSUPPORTED for edges that the format cannot hold; SL_NO_MEMORY. Collective, but a
 * failure may be one process's. */
sl_status fits_dimacs(const writer *w);
sl_status fits_metis(const writer *w);
sl_status fits_graph500(const writer *w);
sl_status fits_graph500_packed(const writer *w);

/* ---- what they share ---------------------------------------------------- */

/* SL_UNSUPPORTED for a matrix that is not square, the message naming the format. */
sl_status fits_square(const writer *w, const char *format);

/* SL_UNSUPPORTED for the value of tuple k, `why` being what the format holds. */
sl_status fits_not(const writer *w, uint64_t k, const char *why);

/* The value of tuple k, which has one. */
sl_scalar tuple_value(const writer *w, uint64_t k);

/*
 * A value as the whole number from `least` up that it is; false if it is none.
 */
bool whole_value(int64_t *whole, sl_scalar value, int64_t least);

/*
 * Writes every tuple by `put`, which writes one at `out`, SINK_LONGEST bytes at most,
 * and returns behind it; `value` is NULL where there are none. Mirror images are
 * written behind their tuples.
 */
typedef char *(*tuple_put)(char *out, const writer *w, uint64_t i, uint64_t j,
                           const sl_scalar *value);
void write_tuples(writer *w, tuple_put put);

#pragma GCC visibility pop
#endif
