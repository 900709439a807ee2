/*
 * The rows of a pattern as sums of a vector's values read them: for each row, the sum of the values at its
 * columns. Included by C and CUDA sources.
 *
 * Rows are numbered by falling length, so that rows of equal length are neighbours. Columns are numbered by falling
 * number of entries, so that the values which are read most often are neighbours. Rows and columns without entries
 * have no number. A reordered graph (graph_view.h) has one order for both, the order of its vertices; other matrices
 * have two (sum_order.h).
 */
#ifndef SEMLA_CUDA_SUM_ROWS_H
#define SEMLA_CUDA_SUM_ROWS_H

#include "cuda/data/order_kernels.h"
#include "cuda/runtime/kernels.h"

/* Arrays are in device memory. */
typedef struct {
    uint32_t rows, columns; /* rows and columns with numbers */
    uint32_t all_rows;      /* rows of the caller's matrix */
    const uint32_t *row_id,
        *column_id; /* the caller's index of each row and column; row_id NULL: the number itself */
    /* The bitmap of the caller's rows with entries: word w is present[present_stride * w]. NULL: the first `rows`. */
    const uint32_t *present;
    unsigned present_stride;

    /* The columns of row r are index[start[r] ... start[r + 1]), ascending. The offsets have 64 bits if
     * `wide`, otherwise 32. Once all of them are in tiles and slots, start and index may be NULL. */
    bool wide;
    const void *start;
    const uint32_t *index;

    /* slot[k][r]: column k of row r, of the slot_count[k] rows with more than k columns. The first `listed`
     * rows have more columns than slots. */
    const uint32_t *slot[ELL_SLOTS];
    uint32_t slot_count[ELL_SLOTS], listed;

    /* The values of the entries, of value_size bytes, or 0 and NULL: all are 1. values[e] belongs to index[e], and
     * may be NULL where start is; slot_value[k][r - listed] belongs to slot[k][r], for the rows r from `listed` on. */
    size_t value_size;
    const void *values, *slot_value[ELL_SLOTS];

    /* A graph of short rows keeps the caller's order: it has records (graph_view.h) of all rows, and of the
     * members above only `rows` and `all_rows`. Otherwise NULL. */
    const uint4 *ell4;
} cuda_sum_rows;

#endif
