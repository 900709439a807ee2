/* The results of products in pieces of rows (row_pieces.c), appended to the arrays of one matrix. Private to this
 * folder. */
#ifndef SEMLA_SUITESPARSE_ROW_RESULTS_H
#define SEMLA_SUITESPARSE_ROW_RESULTS_H

#include "suitesparse/grb_engine.h"

/* A matrix as the list of its nonempty rows. The caller sets type, total and threads. */
typedef struct {
    sl_type type;
    uint64_t *start, *list, *cols; /* nrows + 1 pointers, nrows row numbers, nvals columns */
    char *values;                  /* of nvals entries, or one if iso */
    uint64_t nrows, nvals, row_capacity, capacity, value_capacity;
    uint64_t done, total; /* pieces appended, of this number */
    int threads;          /* that copy */
    bool iso, jumbled;
} sl_grb_row_results;

/* Appends the entries of T, whose row 0 is row `first`. T is emptied. */
GrB_Info sl_grb_append_rows(sl_grb_row_results *r, GrB_Matrix T, uint64_t first,
                            GrB_Descriptor desc);
/* Moves the arrays into a matrix without entries. */
GrB_Info sl_grb_pack_rows(GrB_Matrix T, sl_grb_row_results *r, GrB_Descriptor desc);
void sl_grb_free_rows(sl_grb_row_results *r);

#endif
