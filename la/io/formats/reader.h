/*
 * The state of reading a graph file and the functions that the readers of all formats share:
 * scanning blocks in parallel, growing the arrays of tuples, renumbering ids, assembling a matrix.
 */
#ifndef SEMLA_IO_READER_H
#define SEMLA_IO_READER_H

#include <semla/io.h>

#include "io/files/input.h"
#include "io/files/scope.h"
#include "io/tuples/segments.h"

#pragma GCC visibility push(hidden)

typedef struct thread_reader thread_reader; /* the tuples that one thread has read; see blocks.c */
typedef struct label_table label_table;     /* the labels that one thread has read */

typedef struct {
    input input; /* the open file; its first block is loaded */
    const sl_read_options *options;
    int threads;        /* number of threads that may be used */
    sl_edges edges;     /* out: filled in by the reader of the format; freed by its caller */
    uint64_t capacity;  /* number of tuples that the arrays of `edges` can hold */
    uint64_t max_index; /* greatest index so far, for formats that do not declare a size */
    bool size_implied;  /* the file does not declare a size: the greatest id implies it */
    bool
        negative_values; /* an integer value of Matrix Market, or an id that is to be renumbered, is
                             negative */
    bool unsigned_values; /* one is above 2^63 - 1; a file that has both is an error */
    label_table *labels;  /* of CSV files; owned */
    /*
     * Number of processes that each read a slice of the file (read_shared.c); 1 if one process
     * reads all of it. The next two are set when all blocks have been read.
     */
    uint64_t processes;
    uint64_t preceding;  /* tuples of the file before the first one of this process */
    uint64_t total;      /* tuples of the whole file */
    bool valued;         /* at least one process has read values */
    bool locating_error; /* the file is read a second time, in order, to locate an error */
    bool failure_agreed; /* the processes have already agreed on a failure */
    thread_reader
        *thread_reader; /* of a thread's reader: the thread_reader that contains it; else NULL */
    /*
     * Set if several threads have read the file, else 0: their tuples, the tuples of the first
     * block, and all segments in the order of the file. edges.count is then the total, and the
     * arrays of `edges` are NULL.
     */
    thread_reader *thread_readers;
    int thread_count;
    sl_edges first_block;
    segment *segments;
    uint64_t segment_count;
    segment only_segment; /* set if one thread has read the file: its only segment */
    sl_progress progress; /* bytes of the file that were read, and its size */
} reader;

/* The readers, one for each format. On failure `edges` is in any state that can be freed. */
sl_status read_matrix_market(reader *r);
sl_status read_edge_list(reader *r);
sl_status read_dimacs(reader *r);
sl_status read_metis(reader *r);
sl_status read_graph500(reader *r);
sl_status read_graph500_packed(reader *r);
sl_status read_csv(reader *r);

enum { GRAPH500_BYTES = 16, GRAPH500_PACKED_BYTES = 12 }; /* bytes per tuple */

/*
 * Parses lines or records into tuples: from p, where a line or record starts, to the end of the
 * current block of r->input. `format` holds the properties of the file that the reader has already
 * found. Writes only to r, because other threads scan other blocks at the same time.
 */
typedef sl_status block_scanner(reader *r, const char *p, const void *format);

/*
 * Scans the rest of the file from p on: the current block by the calling thread, further blocks by
 * r->threads threads. Sets r->edges.count, r->total and r->max_index. If several threads read, a
 * failure has no message, and the caller must read the file again on one thread.
 */
sl_status read_blocks(reader *r, const char *p, block_scanner *scan, const void *format);

/*
 * Scans blocks `first` to `last` - 1 after the current block on r->threads threads. Used by both
 * functions above.
 */
sl_status read_blocks_on_threads(reader *r, block_scanner *scan, const void *format, uint64_t first,
                                 uint64_t last);

/* Approximate number of bytes that this process reads; 0 if unknown. */
static inline uint64_t reader_bytes(const reader *r)
{
    return r->input.size / r->processes;
}

/* True if the text from `begin` to `end` starts with a Matrix Market banner. */
bool has_matrix_market_banner(const char *begin, const char *end);
/* True if the first line is one of a DIMACS file: it starts with "c" or "p" and a blank. */
bool has_dimacs_line(const char *begin, const char *end);

/*
 * Grows the arrays to at least `capacity` tuples, or to twice the present capacity if that is more;
 * `values` only if `weighted`. The arrays may be replaced and edges.count may restart at 0, so the
 * caller must read both again. SL_NO_MEMORY.
 */
sl_status reader_grow(reader *r, uint64_t capacity, bool weighted);

/* reader_grow for the reader of one of several threads: starts new arrays, copies nothing. */
sl_status thread_reader_grow(thread_reader *mine, uint64_t capacity, bool weighted);

/* The reader of thread t, of r->thread_count, and its arrays of tuples. */
reader *reader_of_thread(reader *r, int t, const sl_edges **parts, uint64_t *count);

/* All tuples in the order of the file. Valid until the reader or its arrays change. */
static inline const segment *reader_segments(reader *r, uint64_t *count)
{
    const sl_edges *e = &r->edges;
    r->only_segment = (segment){0, e->count, e->row, e->col, e->values};
    *count = r->segments ? r->segment_count : 1;
    return r->segments ? r->segments : &r->only_segment;
}

/* Copies the tuples of several threads into the arrays of `edges`. SL_NO_MEMORY. */
sl_status reader_join(reader *r);

/* Frees the tuples. The input must already be closed. */
void reader_free(reader *r);

/*
 * Agrees with the other processes on the arguments of a reader, and on the file: its kind, its size
 * and its first bytes. `status` is the status of this process so far; `path` may be NULL after a
 * failure. Errors: as sl_agree_arguments; SL_IO if this process cannot open the file. Collective.
 */
sl_status agree_on_file(sl_context *ctx, sl_status status, const char *path,
                        const sl_read_options *options);

/* Reads a file once on r->threads threads of this process. */
typedef sl_status file_reader(reader *r, sl_context *ctx, const char *path);

/*
 * Reads a file that several processes share: each process reads a slice, or the first process reads
 * all of it (see sl_edges_read). The processes have agreed on the file. Afterwards shape, type and
 * ids are the same on all processes. On failure there is nothing to free. Collective.
 */
sl_status read_shared_file(reader *r, sl_context *ctx, const char *path, file_reader *read_once);

/*
 * Sets the number of vertices, for formats that contain ids but no size, after the last tuple; with
 * SL_READ_RENUMBER renumbers the ids. `base` is the id of vertex 0 in the file. SL_OUT_OF_RANGE if
 * r->max_index is not below the number of vertices in the options; SL_NO_MEMORY.
 */
sl_status reader_set_size(reader *r, unsigned base);

/*
 * Replaces the ids in the tuples by 0, 1, ... in increasing order of the ids; sets nrows, ncols and
 * `ids`, to which base is added; if an id is negative, `labels` instead. SL_OUT_OF_RANGE if there are
 * negative ids and ids above 2^63 - 1; SL_NO_MEMORY.
 */
sl_status renumber_ids(reader *r, unsigned base);

#pragma GCC visibility pop
#endif
