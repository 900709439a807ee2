/* Sums of a full vector's values at the columns of each row, and their least or greatest value: the rows of
 * neighbour_sums.c. Private to the openmp engine. */
#ifndef SEMLA_OPENMP_NEIGHBOUR_ROWS_H
#define SEMLA_OPENMP_NEIGHBOUR_ROWS_H

#include "openmp/products.h"

enum { SUM_PIECE = 1 << 15 /* rows and entries of a piece of work */ };

/* One product. The rows' entries and x are in the rows' order. */
typedef struct {
    const uint64_t *start;
    const uint32_t *index;
    uint64_t rows;
    const uint32_t *old_id; /* the index of a row in w; NULL: its own */
    const void *x;
    void *w;
    int8_t *present; /* entries of w; NULL: sums are added to w */
    int8_t *allowed; /* which indices of w the mask allows; NULL: all; owned */
    sl_openmp_pieces pieces;
} sl_openmp_sums;

typedef void (*sl_openmp_sum_piece)(const sl_openmp_sums *s, uint64_t piece);

/* The function for a type and for what adds up: plus, min or max of numbers of 4 or 8 bytes. NULL for others. */
sl_openmp_sum_piece sl_openmp_sum_piece_of(sl_type type, sl_binary_code add);

#endif
