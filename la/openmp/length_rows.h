/* The lengths of a matrix's edges, for shortest paths. Private to the OpenMP engine. */
#ifndef SEMLA_OPENMP_LENGTH_ROWS_H
#define SEMLA_OPENMP_LENGTH_ROWS_H

#include <semla/engine.h>

/* An edge of a row: the vertex that it leads to and its length. One type per type of lengths. */
typedef struct {
    uint32_t to, length;
} sl_edge_uint32;
typedef struct {
    uint32_t to;
    float length;
} sl_edge_fp32;
typedef struct {
    uint32_t to;
    int64_t length;
} sl_edge_int64;
typedef struct {
    uint32_t to;
    double length;
} sl_edge_fp64;

/*
 * The rows of a matrix with the lengths beside the columns, each sorted by length and then by
 * column. Derived from the matrix at the first closure that needs it, and kept in its slot.
 */
typedef struct {
    sl_type type;   /* of the sums: int32, int64, fp32 or fp64 */
    bool narrow;    /* lengths of 32 bits: uint32 or fp32; otherwise int64 or fp64 */
    bool mirrored;  /* every edge (u, v) has an edge (v, u) of the same length */
    double typical; /* see sl_typical_length */
    void *edges;    /* of one of the types above; NULL: the rows have not been made */
} sl_openmp_lengths;

void sl_openmp_lengths_free(sl_openmp_lengths *lengths);

#endif
