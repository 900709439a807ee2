/* What a format's reader is given, and what it fills in. */
#ifndef SEMLA_IO_READER_H
#define SEMLA_IO_READER_H

#include <semla/io.h>

#include "source.h"
#include "work.h"

#pragma GCC visibility push(hidden)

/* Tuples that lie together, the first of them being number `first` of the file. */
typedef struct {
    uint64_t first, count;
    uint64_t *row, *col;
    const void *values; /* 8 bytes each, or NULL for a pattern */
} stretch;

typedef struct share share; /* what one of several threads has read */

typedef struct {
    source source; /* its first block is loaded */
    const sl_read_options *options;
    int threads;       /* that may work on it */
    sl_edges edges;    /* to be filled in; freed by the caller of the reader */
    uint64_t room;     /* tuples that the arrays of `edges` have room for */
    uint64_t greatest; /* index so far, for formats that do not declare a size */
    /* Of several processes, which read a slice of the file each (slices.c); else 1, 0, and
     * the count of `edges`. */
    uint64_t processes;
    uint64_t before; /* tuples of the file before this process's */
    uint64_t total;  /* tuples of the file, when all is read */
    bool valued;     /* some process has read values */
    bool telling;    /* the file is read again, in order, for the message */
    bool refused;    /* the processes have agreed on a failure */
    share *share;    /* of one of several threads: where its reader belongs */
    /* Where several threads have read: their shares, besides what was read before, and all
     * tuples in the order of the file. `edges` then has their count, and no arrays. Else 0. */
    share *shares;
    int share_count;
    sl_edges own;
    stretch *stretches;
    uint64_t stretch_count;
    stretch all; /* where one thread has read */
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

/*
 * What makes tuples of lines or records: from p, where one starts, to the end of the
 * block that r->source has, which it does not go beyond. `format` is what the reader
 * has found out so far. Writes to `r` alone, as other threads scan other blocks.
 */
typedef sl_status block_scanner(reader *r, const char *p, const void *format);

/*
 * Has the rest of the file scanned, from p on: the current block, and if there are more,
 * those by r->threads threads. Then r->edges.count and r->greatest are of all.
 * A failure of several threads gives no message, and the file has to be read again by one.
 */
sl_status read_blocks(reader *r, const char *p, block_scanner *scan, const void *format);

/* The same for one of several processes, of which each reads a run of the blocks, while
 * `p` and what was read before are the same on all. Collective. */
sl_status read_slice(reader *r, const char *p, block_scanner *scan, const void *format);

/* What both are made of: blocks `first` to `last` behind the current one, the last not
 * included, by r->threads threads. */
sl_status read_on_threads(reader *r, block_scanner *scan, const void *format, uint64_t first,
                          uint64_t last);

/* Bytes of the file that are this process's to read, about; 0 where it is not known. */
static inline uint64_t reader_bytes(const reader *r)
{
    return r->source.size / r->processes;
}

/* True if a Matrix Market banner starts the text from `begin` to `end`. */
bool has_matrix_market_banner(const char *begin, const char *end);

/*
 * Makes room for `room` tuples, or for twice as many as there was room for if that is
 * more; `values`, of 8 bytes each, where the edges are `weighted`. The arrays may be
 * others afterwards, and edges.count start again. SL_NO_MEMORY.
 */
sl_status reader_grow(reader *r, uint64_t room, bool weighted);

/* The same for one of several threads; what it has read stays where it is. */
sl_status share_grow(share *mine, uint64_t room, bool weighted);

/* All tuples, in the order of the file; as long as the reader and its arrays stay as they are. */
static inline const stretch *reader_stretches(reader *r, uint64_t *count)
{
    const sl_edges *e = &r->edges;
    r->all = (stretch){0, e->count, e->row, e->col, e->values};
    *count = r->stretches ? r->stretch_count : 1;
    return r->stretches ? r->stretches : &r->all;
}

/* Puts the tuples into arrays of `edges`, if several threads have read. SL_NO_MEMORY. */
sl_status reader_join(reader *r);

/* Frees what was read; not the source, which is closed before. */
void reader_free(reader *r);

/* The threads that read and assemble for a context. */
static inline int io_threads(const sl_context *ctx)
{
    return sl_context_threads(ctx);
}

/* Whether the tuples have values. */
static inline bool stretches_valued(const stretch *stretches, uint64_t stretch_count)
{
    uint64_t i = 0;
    while (i < stretch_count && !stretches[i].values)
        i++;
    return i < stretch_count;
}

/* sl_matrix_from_edges of tuples that lie in stretches. `edges` has all but their arrays. */
sl_status assemble(sl_matrix **A, sl_context *ctx, const sl_edges *edges, const stretch *stretches,
                   uint64_t stretch_count, const sl_read_options *options);

/*
 * Reads a file for several processes: by all, each a slice, or by the first alone, as
 * sl_edges_read says; `r` has options that are in order, or `status` says what is wrong.
 * Afterwards shape, type and ids are the same on all. On failure there is nothing to free.
 */
sl_status read_together(reader *r, sl_context *ctx, const char *path, sl_status status);

/* Reads the file once, in this process, on r->threads threads. */
sl_status read_once(reader *r, sl_context *ctx, const char *path);

/*
 * For formats that hold ids and not the number of vertices, after the last tuple:
 * makes the ids compact, if asked for, and sets the number of vertices. The file's
 * ids are higher than the indices by `base`. SL_OUT_OF_RANGE if r->greatest is not
 * below the number that the options have, SL_NO_MEMORY.
 */
sl_status reader_number(reader *r, unsigned base);

/*
 * Numbers the ids that occur in the tuples 0, 1, ... in rising order and writes the
 * numbers in their place; sets nrows, ncols and `ids`, to which base is added. SL_NO_MEMORY.
 */
sl_status compact_ids(reader *r, unsigned base);

/* SL_INVALID for options that have no meaning. */
sl_status check_read_options(sl_context *ctx, const sl_read_options *options);

#pragma GCC visibility pop
#endif
