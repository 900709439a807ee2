/*
 * One trial of each operation: it chooses operands, calls the operation and writes
 * down what is right. By file.
 */
#ifndef SEMLA_PARITY_OPERATIONS_H
#define SEMLA_PARITY_OPERATIONS_H

#include "trial.h"

#define PARITY_OPERATIONS(X)                                                                       \
    /* products.c */                                                                               \
    X(vxm)                                                                                         \
    X(mxv) X(mxm) X(ewise_add) X(ewise_mult) X(ewise_union) X(kronecker) /* maps.c */              \
        X(apply) X(apply_first) X(apply_second) X(apply_index) X(select) X(transpose) X(reduce)    \
            X(reduce_rows) /* lists.c */                                                           \
        X(assign) X(assign_scalar) X(assign_row) X(assign_column) X(extract)                       \
            X(extract_column) /* shapes.c */                                                       \
        X(diag) X(resize) X(equal) X(same_pattern)

/* Filling and reading (entries.c), which is not of one operation each. */
#define PARITY_ENTRIES(X) X(build) X(entries)

#define X(name) void try_##name(trial *t);
PARITY_OPERATIONS(X) PARITY_ENTRIES(X)
#undef X

#endif
