#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- objects ------------------------------------------------------------ */

model model_new(sl_type type, uint64_t nrows, uint64_t ncols)
{
    model A = {.type = type, .nrows = nrows, .ncols = ncols};
    A.cells = calloc(nrows * ncols + 1, sizeof *A.cells);
    if (!A.cells)
        abort();
    return A;
}

void model_free(model *A)
{
    free(A->cells);
    *A = (model){0};
}

model model_copy(const model *A)
{
    model C = model_new(A->type, A->nrows, A->ncols);
    memcpy(C.cells, A->cells, A->nrows * A->ncols * sizeof *A->cells);
    return C;
}

model_cell *model_at(const model *A, uint64_t i, uint64_t j)
{
    return &A->cells[i * A->ncols + j];
}

/* Zeros are equal: sums leave the sign of a floating 0 to the order of terms. */
static bool same(sl_scalar x, sl_scalar y)
{
    if (x.type == SL_FP32 && y.type == SL_FP32 && x.as.fp32_ == 0 && y.as.fp32_ == 0)
        return true;
    if (x.type == SL_FP64 && y.type == SL_FP64 && x.as.fp64_ == 0 && y.as.fp64_ == 0)
        return true;
    return sl_scalar_equal(x, y);
}

bool model_holds(const model_cell *cell, sl_scalar value)
{
    for (int k = 0; k < cell->count; k++)
        if (same(cell->value[k], value))
            return true;
    return false;
}

void model_put(model_cell *cell, sl_scalar value)
{
    if (model_holds(cell, value))
        return;
    if (cell->count == MODEL_CANDIDATES) {
        fprintf(stderr, "model: more than %d candidates\n", MODEL_CANDIDATES);
        abort();
    }
    cell->value[cell->count++] = value;
}

static void put_all(model_cell *cell, const model_cell *from, sl_type type)
{
    for (int k = 0; k < from->count; k++)
        model_put(cell, sl_scalar_cast(from->value[k], type));
}

/* ---- operators on cells -------------------------------------------------- */

static sl_scalar binary(sl_binary_op op, sl_scalar x, sl_scalar y)
{
    sl_scalar z = {.type = op->result};
    x = sl_scalar_cast(x, op->type);
    y = sl_scalar_cast(y, op->type);
    op->eval(&z.as, &x.as, &y.as);
    return z;
}

model_cell model_combine(sl_binary_op op, const model_cell *x, const model_cell *y)
{
    model_cell z = {0};
    for (int k = 0; k < x->count; k++)
        for (int l = 0; l < y->count; l++) {
            model_put(&z, binary(op, x->value[k], y->value[l]));
            if (op->code == SL_BINARY_ANY)
                model_put(&z, binary(op, y->value[l], x->value[k]));
        }
    return z;
}

typedef struct {
    uint64_t i, j;
} position;

/* op(x, y) of entries at positions p and q. */
static model_cell multiply(sl_binary_op op, const model_cell *x, position p, const model_cell *y,
                           position q)
{
    if (!op->positional)
        return model_combine(op, x, y);
    model_cell z = {0};
    uint64_t index = op->code == SL_BINARY_FIRSTI    ? p.i
                     : op->code == SL_BINARY_FIRSTJ  ? p.j
                     : op->code == SL_BINARY_SECONDI ? q.i
                                                     : q.j;
    if (x->count && y->count)
        model_put(&z, sl_scalar_int64((int64_t)index));
    return z;
}

/* sum (+)= term, an empty sum being the term itself. */
static void add(sl_monoid monoid, model_cell *sum, const model_cell *term)
{
    if (sum->count == 0 || monoid->any)
        put_all(sum, term, monoid->type);
    else if (term->count)
        *sum = model_combine(monoid->op, sum, term);
}

/* ---- mask, accumulator --------------------------------------------------- */

static bool lets_through(model_mask mask, uint64_t k)
{
    bool through = true;
    if (mask.of) {
        const model_cell *cell = &mask.of->cells[k];
        through =
            cell->count && (mask.structural || sl_scalar_cast(cell->value[0], SL_BOOL).as.bool_);
    }
    return through != mask.complemented;
}

/* The cell that comes of c accum t, in `type`; without accum it is t. */
static model_cell accumulate(sl_type type, const model_cell *c, sl_binary_op accum,
                             const model_cell *t)
{
    model_cell z = {0}, both;
    if (!accum) {
        put_all(&z, t, type);
    } else if (c->count && t->count) {
        both = model_combine(accum, c, t);
        put_all(&z, &both, type);
    } else {
        put_all(&z, c->count ? c : t, type);
    }
    return z;
}

/* C<mask> = Z, Z of C's type and shape; takes Z. */
static void write_masked(model *C, model_mask mask, model *Z)
{
    for (uint64_t k = 0; k < C->nrows * C->ncols; k++)
        if (!lets_through(mask, k)) {
            if (mask.replace)
                Z->cells[k].count = 0;
            else
                Z->cells[k] = C->cells[k];
        }
    model_free(C);
    *C = *Z;
}

void model_write(model *C, model_mask mask, sl_binary_op accum, const model *T)
{
    model Z = model_new(C->type, C->nrows, C->ncols);
    for (uint64_t k = 0; k < C->nrows * C->ncols; k++)
        Z.cells[k] = accumulate(C->type, &C->cells[k], accum, &T->cells[k]);
    write_masked(C, mask, &Z);
}

static uint64_t item(model_list list, uint64_t k)
{
    return list.list ? list.list[k] : k;
}

void model_assign(model *C, model_mask mask, sl_binary_op accum, const model *A, model_list rows,
                  model_list cols)
{
    model Z = model_copy(C);
    for (uint64_t i = 0; i < rows.count; i++)
        for (uint64_t j = 0; j < cols.count; j++) {
            model_cell *cell = model_at(&Z, item(rows, i), item(cols, j));
            *cell = accumulate(C->type, cell, accum, model_at(A, i, j));
        }
    write_masked(C, mask, &Z);
}

/* ---- operations ---------------------------------------------------------- */

model model_transpose(const model *A)
{
    model T = model_new(A->type, A->ncols, A->nrows);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t j = 0; j < A->ncols; j++)
            *model_at(&T, j, i) = *model_at(A, i, j);
    return T;
}

model model_product(sl_semiring semiring, const model *A, const model *B)
{
    model T = model_new(semiring->result, A->nrows, B->ncols);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t j = 0; j < B->ncols; j++)
            for (uint64_t k = 0; k < A->ncols; k++) {
                model_cell z = multiply(semiring->multiply, model_at(A, i, k), (position){i, k},
                                        model_at(B, k, j), (position){k, j});
                add(semiring->add, model_at(&T, i, j), &z);
            }
    return T;
}

model model_ewise_mult(sl_binary_op op, const model *A, const model *B)
{
    model T = model_new(op->result, A->nrows, A->ncols);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t j = 0; j < A->ncols; j++)
            *model_at(&T, i, j) = multiply(op, model_at(A, i, j), (position){i, j},
                                           model_at(B, i, j), (position){i, j});
    return T;
}

/*
 * An entry of one input alone is cast to the operator's result: by the C API at
 * once, by SuiteSparse through the type of the operands, which a comparison has
 * and its result has not. Both are taken for right.
 */
static void put_alone(model_cell *z, sl_binary_op op, const model_cell *x)
{
    put_all(z, x, op->result);
    for (int k = 0; k < x->count; k++)
        model_put(z, sl_scalar_cast(sl_scalar_cast(x->value[k], op->type), op->result));
}

model model_ewise_add(sl_binary_op op, const model *A, const model *B)
{
    model T = model_ewise_mult(op, A, B);
    for (uint64_t k = 0; k < A->nrows * A->ncols; k++)
        if (!A->cells[k].count || !B->cells[k].count)
            put_alone(&T.cells[k], op, A->cells[k].count ? &A->cells[k] : &B->cells[k]);
    return T;
}

model model_apply(sl_unary_op op, const model *A)
{
    model T = model_new(op->type, A->nrows, A->ncols);
    for (uint64_t k = 0; k < A->nrows * A->ncols; k++)
        for (int c = 0; c < A->cells[k].count; c++) {
            sl_scalar x = sl_scalar_cast(A->cells[k].value[c], op->type), z = {.type = op->type};
            op->eval(&z.as, &x.as);
            model_put(&T.cells[k], z);
        }
    return T;
}

static sl_scalar indexed(sl_index_op op, sl_scalar x, uint64_t i, uint64_t j, sl_scalar thunk)
{
    sl_scalar z = {.type = op->result};
    thunk = sl_scalar_cast(thunk, op->type);
    x = sl_scalar_cast(x, op->type);
    op->eval(&z.as, op->positional ? NULL : &x.as, (int64_t)i, (int64_t)j, &thunk.as);
    return z;
}

model model_apply_index(sl_index_op op, const model *A, sl_scalar thunk)
{
    model T = model_new(op->result, A->nrows, A->ncols);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t j = 0; j < A->ncols; j++) {
            const model_cell *x = model_at(A, i, j);
            for (int c = 0; c < x->count; c++)
                model_put(model_at(&T, i, j), indexed(op, x->value[c], i, j, thunk));
        }
    return T;
}

model model_select(sl_index_op op, const model *A, sl_scalar thunk)
{
    model T = model_copy(A);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t j = 0; j < A->ncols; j++) {
            model_cell *x = model_at(&T, i, j);
            if (x->count && !indexed(op, x->value[0], i, j, thunk).as.bool_)
                x->count = 0;
        }
    return T;
}

model model_reduce_rows(sl_monoid monoid, const model *A)
{
    model T = model_new(monoid->type, A->nrows, 1);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t j = 0; j < A->ncols; j++) {
            model_cell term = {0};
            put_all(&term, model_at(A, i, j), monoid->type);
            add(monoid, &T.cells[i], &term);
        }
    return T;
}

model_cell model_reduce(sl_monoid monoid, const model *A)
{
    model T = model_reduce_rows(monoid, A);
    model_cell sum = {0};
    for (uint64_t i = 0; i < A->nrows; i++)
        add(monoid, &sum, &T.cells[i]);
    if (sum.count == 0)
        model_put(&sum, monoid->identity);
    model_free(&T);
    return sum;
}

model model_extract(const model *A, model_list rows, model_list cols)
{
    model T = model_new(A->type, rows.count, cols.count);
    for (uint64_t i = 0; i < rows.count; i++)
        for (uint64_t j = 0; j < cols.count; j++)
            *model_at(&T, i, j) = *model_at(A, item(rows, i), item(cols, j));
    return T;
}
