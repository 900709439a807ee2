/* The conversion of a list of tuples to compressed sparse rows. */
#ifndef SEMLA_IO_ASSEMBLY_H
#define SEMLA_IO_ASSEMBLY_H

#include "io/tuples/segments.h"
#include "io/tuples/sort.h"

#pragma GCC visibility push(hidden)

/* Row partitions: partition p has the rows p << shift to ((p + 1) << shift) - 1. */
typedef struct {
    unsigned col_bits, shift, key_bits; /* widths of keys in bits */
    uint64_t parts;
    int chunks;            /* the tuples are processed in chunks, CHUNKS per thread */
    uint64_t *next;        /* chunks x parts: position of the chunk's next entry of a partition */
    uint64_t *offset;      /* parts + 1: first entry of each partition */
    uint64_t *kept_offset; /* parts + 1: the same after duplicates were removed */
} row_partitions;

/*
 * State of one conversion. from_edges.c sets the members up to `ids`; assemble.c or
 * assembly_build.c does the work.
 */
typedef struct {
    sl_context *ctx;
    /* the tuples in the order of the file */
    const segment *segments;
    uint64_t segment_count;
    uint64_t count;
    bool transposed; /* swap rows and columns */
    bool valued;     /* use the values */
    /* properties of the matrix */
    uint64_t nrows, ncols;
    sl_type type;
    sl_mirror mirror;
    bool drop_loops;
    sl_duplicates duplicates;
    sl_binary_op combine;
    const uint64_t *ids; /* of the vertices in messages, or NULL */
    int threads;
    row_partitions rows;
    records entries;
    uint64_t *start;      /* row pointers of the result */
    sl_progress progress; /* tuples, in each of PASSES passes; threads add to `done` */
    uint64_t refused[2];  /* the first entry (row, column) that occurs more than once, or that has a
                            sum which the type does not have; UINT64_MAX: none */
} assembly;

/* The value of a mirror entry with SL_MIRROR_NEGATED; `type` is SL_FP64 or SL_INT64. */
static inline word negated(word value, sl_type type)
{
    return type == SL_FP64 ? value ^ UINT64_C(1) << 63 : 0 - value;
}

/* Makes the matrix. Arrays that remain in `a` must be freed by the caller. */
sl_status assembly_make(assembly *a, sl_matrix **A);

/* SL_SYNTAX or, for a sum, SL_OUT_OF_RANGE, with a message about the entry (i, j). */
sl_status assembly_refuse(const assembly *a, uint64_t i, uint64_t j);

/*
 * Makes the matrix by sl_matrix_build: on a grid from the tuples of all processes, and on one process a matrix
 * with few entries for its rows, which then has no row pointers. Mirror entries are added before. Collective.
 */
sl_status assembly_build(const assembly *a, sl_matrix **A);

#pragma GCC visibility pop
#endif
