/* Products of a vector and a matrix under every mask and descriptor, on matrices large enough for
 * the kernels and exchanges of large products. Shared by tests of engines and of grids. */
#ifndef SEMLA_TESTS_PARITY_PRODUCT_CASES_H
#define SEMLA_TESTS_PARITY_PRODUCT_CASES_H

#include <semla/la.h>

typedef struct {
    sl_context *tested, *host; /* host: of SuiteSparse, in this process */
    int rank;                  /* builds objects of `tested` if it is 0; others pass no tuples */
    /* Copies a vector of `tested` to arrays of the format LIST, on this process; frees nothing. */
    sl_status (*fetch)(sl_arrays *list, const sl_vector *v);
    bool checks;    /* `fetch` gives this process the entries */
    unsigned every; /* one choice of operands of so many is tested; the same on all processes */
} product_test;

/* Fails the running test on the first difference. */
void check_products(const product_test *test);

#endif
