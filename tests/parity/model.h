/*
 * A naive implementation of GraphBLAS that engines are compared with. An object is an array of
 * cells, one per index, and operations are the loops of the GraphBLAS C API 2.1. It uses neither
 * la/ nor an engine; operators are the `eval` functions of their descriptors, and casts are those
 * of sl_scalar_cast.
 *
 * A cell holds the set of allowed values: none if there is no entry, usually one, several if an ANY
 * operator allows several.
 */
#ifndef SEMLA_PARITY_MODEL_H
#define SEMLA_PARITY_MODEL_H

#include <semla/semirings.h>

enum { MODEL_CANDIDATES = 32 };

typedef struct {
    int count; /* number of allowed values; 0: no entry */
    sl_scalar value[MODEL_CANDIDATES];
} model_cell;

/* A matrix, or a vector as a matrix of one column; cells by rows, zeroed when created. */
typedef struct {
    sl_type type;
    uint64_t nrows, ncols;
    model_cell *cells; /* nrows * ncols */
} model;

/* A mask with its flags; `of` NULL: no mask. */
typedef struct {
    const model *of;
    bool structural, complemented, replace;
} model_mask;

/* An index list; `list` NULL: all indices 0, 1, 2, ... */
typedef struct {
    const uint64_t *list;
    uint64_t count;
} model_list;

uint64_t model_item(model_list list, uint64_t k);

model model_new(sl_type type, uint64_t nrows, uint64_t ncols);
model model_copy(const model *A);
void model_free(model *A);
model_cell *model_at(const model *A, uint64_t i, uint64_t j);
void model_put(model_cell *cell, sl_scalar value); /* adds an allowed value */
/* Adds all allowed values of another cell, cast to `type`. */
void model_put_all(model_cell *cell, const model_cell *from, sl_type type);
bool model_holds(const model_cell *cell, sl_scalar value);

/* C<mask> = C accum T, the last step of every operation. */
void model_write(model *C, model_mask mask, sl_binary_op accum, const model *T);
/* C<mask>(rows, cols) = C(rows, cols) accum A. */
void model_assign(model *C, model_mask mask, sl_binary_op accum, const model *A, model_list rows,
                  model_list cols);

/* C<mask>(rows, col) = C(rows, col) accum u, where the mask has the size of the column. */
void model_assign_column(model *C, model_mask mask, sl_binary_op accum, const model *u,
                         model_list rows, uint64_t col);

/* C<mask>(indices) = C(indices) accum u; the monoid combines equal indices, NULL: any of their values. */
void model_scatter(model *C, model_mask mask, sl_binary_op accum, sl_monoid dup, const model *u,
                   const model *indices);

/* The results of operations before mask and accumulator: the T above. */
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
model model_gather(const model *u, const model *indices);
model_cell model_reduce(sl_monoid monoid, const model *A);
model model_resize(const model *A, uint64_t nrows, uint64_t ncols);
model model_cast(const model *A, sl_type type);
model model_diagonal(const model *A, int64_t k);
model model_diagonal_matrix(const model *v, int64_t k);
/* Whether the models are equal; without `values`, compares the patterns only. */
bool model_equal(const model *A, const model *B, bool values);
/* `cell` accum `with`, for all pairs of allowed values, in the result type of the accumulator. */
model_cell model_combine(sl_binary_op op, const model_cell *cell, const model_cell *with);

#endif
