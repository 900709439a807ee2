/* One trial per operation: it chooses operands, calls the operation, and computes the expected
 * result with the model. One list per file. */
#ifndef SEMLA_PARITY_OPERATIONS_H
#define SEMLA_PARITY_OPERATIONS_H

#include "trial.h"

/* Work for each thread, in SuiteSparse's units, so that it uses several threads on small objects. With less
 * than 4, version 10.5 builds wrong objects of a few unsorted tuples with duplicates. */
#define PARALLEL_CHUNK 8.0

#define PARITY_PRODUCTS(X)                                                                         \
    X(vxm) X(mxv) X(mxm) X(ewise_add) X(ewise_mult) X(ewise_union) X(kronecker)
#define PARITY_APPLY_SELECT_REDUCE(X)                                                              \
    X(apply)                                                                                       \
    X(apply_first)                                                                                 \
    X(apply_second) X(apply_index) X(select) X(transpose) X(reduce) X(reduce_rows)
#define PARITY_ASSIGN_EXTRACT(X)                                                                   \
    X(assign)                                                                                      \
    X(assign_scalar) X(assign_row) X(assign_column) X(extract) X(extract_column)
#define PARITY_SHAPES(X) X(diag) X(resize) X(equal) X(same_pattern)
#define PARITY_OPERATIONS(X)                                                                       \
    PARITY_PRODUCTS(X) PARITY_APPLY_SELECT_REDUCE(X) PARITY_ASSIGN_EXTRACT(X) PARITY_SHAPES(X)

/* Operations that SuiteSparse 7.4 does not have (index_vectors.c). */
#define PARITY_INDEX_VECTORS(X) X(gather) X(scatter)

/* Operations that grids do not have (sorts.c). */
#define PARITY_SORTS(X) X(gather_matrix) X(sort)

/* Trials of building and reading (entries.c), which use several functions each. */
#define PARITY_ENTRIES(X) X(build) X(entries)

#define X(name) void try_##name(trial *t);
PARITY_OPERATIONS(X) PARITY_INDEX_VECTORS(X) PARITY_SORTS(X) PARITY_ENTRIES(X)
#undef X

#endif
