/*
 * GraphBLAS in its plainest form, to measure engines by: an object is an array of
 * cells, one for each index, and operations are the loops of the GraphBLAS C API
 * 2.1. Nothing here knows of la/ or of an engine; operators are the descriptors'
 * own `eval`, casts sl_scalar_cast.
 *
 * A cell holds the values that are right: none where there is no entry, one as a
 * rule, several where an ANY operator leaves the choice open.
 */
#ifndef SEMLA_PARITY_MODEL_H
#define SEMLA_PARITY_MODEL_H

#include <semla/semirings.h>

enum { MODEL_CANDIDATES = 32 };

typedef struct {
    int count; /* 0: no entry */
    sl_scalar value[MODEL_CANDIDATES];
} model_cell;

/* A matrix, or a vector of one column; cells by row, zeroed when made. */
typedef struct {
    sl_type type;
    uint64_t nrows, ncols;
    model_cell *cells; /* nrows * ncols */
} model;

/* A mask as it is meant: `of` NULL is all. */
typedef struct {
    const model *of;
    bool structural, complemented, replace;
} model_mask;

/* An index list; `list` NULL is 0, 1, 2, ... */
typedef struct {
    const uint64_t *list;
    uint64_t count;
} model_list;

uint64_t model_item(model_list list, uint64_t k);

model model_new(sl_type type, uint64_t nrows, uint64_t ncols);
model model_copy(const model *A);
void model_free(model *A);
model_cell *model_at(const model *A, uint64_t i, uint64_t j);
void model_put(model_cell *cell, sl_scalar value); /* one more candidate */
/* All candidates of another cell, cast. */
void model_put_all(model_cell *cell, const model_cell *from, sl_type type);
bool model_holds(const model_cell *cell, sl_scalar value);

/* C<mask> = C accum T; the end of every operation. */
void model_write(model *C, model_mask mask, sl_binary_op accum, const model *T);
/* C<mask>(rows, cols) = C(rows, cols) accum A. */
void model_assign(model *C, model_mask mask, sl_binary_op accum, const model *A, model_list rows,
                  model_list cols);

/* C<mask>(rows, col) = C(rows, col) accum u, the mask being of that column. */
void model_assign_column(model *C, model_mask mask, sl_binary_op accum, const model *u,
                         model_list rows, uint64_t col);

/* What operations make of their inputs, before mask and accumulator: the T above. */
model model_transpose(const model *A);
model model_product(sl_semiring semiring, const model *A, const model *B);
model model_ewise_add(sl_binary_op op, const model *A, const model *B);
model model_ewise_mult(sl_binary_op op, const model *A, const model *B);
model model_ewise_union(sl_binary_op op, const model *A, sl_scalar alpha, const model *B,
                        sl_scalar beta);
model model_kronecker(sl_binary_op op, const model *A, const model *B);
model model_apply_bound(sl_binary_op op, const model *A, sl_scalar bound, bool first);
model model_apply(sl_unary_op op, const model *A);
model model_apply_index(sl_index_op op, const model *A, sl_scalar thunk);
model model_select(sl_index_op op, const model *A, sl_scalar thunk);
model model_reduce_rows(sl_monoid monoid, const model *A);
model model_extract(const model *A, model_list rows, model_list cols);
model_cell model_reduce(sl_monoid monoid, const model *A);
model model_resize(const model *A, uint64_t nrows, uint64_t ncols);
model model_cast(const model *A, sl_type type);
model model_diagonal(const model *A, int64_t k);
model model_diagonal_matrix(const model *v, int64_t k);
bool model_equal(const model *A, const model *B, bool values); /* or in pattern */
/* `cell` accum `with`, each candidate with each, in the accumulator's result. */
model_cell model_combine(sl_binary_op op, const model_cell *cell, const model_cell *with);

#endif
