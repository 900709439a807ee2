/* A matrix that is being made of tuples. */
#ifndef SEMLA_IO_ASSEMBLY_H
#define SEMLA_IO_ASSEMBLY_H

#include "reader.h"
#include "sort.h"

#pragma GCC visibility push(hidden)

/* What from_edges.c fills in, up to `combine`, and what assemble.c works with. */
typedef struct {
    sl_context *ctx;
    /* the tuples, in the order of the file */
    const stretch *stretches;
    uint64_t stretch_count;
    uint64_t count;
    bool transposed; /* swap their rows and columns */
    bool valued;     /* heed their values */
    /* the matrix */
    uint64_t nrows, ncols;
    sl_type type;
    sl_mirror mirror;
    bool drop_loops;
    sl_duplicates duplicates;
    sl_binary_op combine;
    /* the parts: rows p << shift to (p + 1) << shift; keys have key_bits */
    unsigned col_bits, shift, key_bits;
    uint64_t parts;
    int threads;
    int chunks;       /* of the tuples, in order: some per thread */
    uint64_t *next;   /* chunks x parts: where the chunk's next entry of a part goes */
    uint64_t *offset; /* parts + 1: where the parts start */
    uint64_t *place;  /* parts + 1: the same without duplicates */
    records entries;
    uint64_t *start;      /* of the result */
    uint64_t repeated[2]; /* the first entry that occurs more than once */
} assembly;

/* Makes the matrix of all tuples; arrays that are left in `a` are the caller's to free. */
sl_status assembly_make(assembly *a, sl_matrix **A);

/* Makes the matrix that several processes share, of the tuples of all; collective. Entries
 * go to their owners, so there is no sorting here: what a tuple also stands for is made,
 * and sl_matrix_build does the rest. */
sl_status assembly_make_shared(const assembly *a, sl_matrix **A);

#pragma GCC visibility pop
#endif
