/* The state of writing a graph file and the functions that the writers share. */
#ifndef SEMLA_IO_WRITER_H
#define SEMLA_IO_WRITER_H

#include <semla/io.h>

#include "io/files/output.h"

#pragma GCC visibility push(hidden)

typedef struct writer writer;
typedef char *(*tuple_put)(char *out, const writer *w, uint64_t i, uint64_t j,
                           const sl_scalar *value);

struct writer {
    sl_context *ctx;
    const char *path;
    bool overwrite;
    const sl_edges *edges; /* `values` has elements of `type`, which is any type */
    bool sorted; /* sorted by row, then column, without duplicates; `mirror` is SL_MIRROR_NONE */
    unsigned base;
    const sl_matrix *A;     /* the matrix whose entries are written, or NULL */
    uint64_t row, rows_end; /* for a matrix: the edges of rows `row` to `rows_end` - 1 */
    /* totals over all processes, which write their edges in the order of the processes */
    uint64_t entries; /* number of entries, including mirror entries */
    bool valued;      /* at least one process has values */
    bool first;       /* this process writes the header */
    output output;    /* not yet open when the format is checked */
    tuple_put put;    /* the function that write_tuples calls */
};

/*
 * The writers. Errors of the output are kept in `output`; the writers themselves return only
 * SL_NO_MEMORY.
 */
sl_status write_matrix_market(writer *w);
sl_status write_edge_list(writer *w);
sl_status write_dimacs(writer *w);
sl_status write_metis(writer *w);
sl_status write_graph500(writer *w);
sl_status write_graph500_packed(writer *w);
sl_status write_csv(writer *w);

/*
 * Fail with SL_UNSUPPORTED for edges that the format cannot represent; SL_NO_MEMORY. Collective,
 * but a failure may occur on one process only.
 */
sl_status check_dimacs(const writer *w);
sl_status check_metis(const writer *w);
sl_status check_graph500(const writer *w);
sl_status check_graph500_packed(const writer *w);

/* The field of Matrix Market for values of a type. */
const char *matrix_market_field(sl_type type);

/* ---- helpers of the writers --------------------------------------------- */

/* Fails with SL_UNSUPPORTED if the matrix is not square; `format` is for the message. */
sl_status check_square(const writer *w, const char *format);

/* Fails with SL_UNSUPPORTED for the value of tuple k; `allowed` describes the allowed values. */
sl_status unsupported_value(const writer *w, uint64_t k, const char *why);

/* How messages name an entry: "entry (3, 7), 0-based", or "the edge from 30 to 70" by ids. */
typedef struct {
    char text[64];
} entry_name;
entry_name name_entry(const writer *w, uint64_t i, uint64_t j);

/* The value of tuple k. The tuples must have values. */
sl_scalar tuple_value(const writer *w, uint64_t k);

/* Converts a value to an integer of at least `least`; false if it is none. */
bool integer_value(int64_t *whole, sl_scalar value, int64_t least);

/* Calls `write` for every tuple, and for its mirror entry after it; `value` is NULL for a pattern. */
typedef void entry_write(writer *w, uint64_t i, uint64_t j, const sl_scalar *value);
void write_each(writer *w, entry_write *write);

/* write_each with `put`, which writes one entry of at most OUTPUT_RESERVE bytes at `out` and returns
 * its end. */
void write_tuples(writer *w, tuple_put put);

#pragma GCC visibility pop
#endif
