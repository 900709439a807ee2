/* The results of the model's operations before mask and accumulator. See model.h. */
#include "model.h"

#include <string.h>

/* ---- products -------------------------------------------------------------------- */

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

/* sum (+)= term; an empty sum becomes the term. */
static void add(sl_monoid monoid, model_cell *sum, const model_cell *term)
{
    if (sum->count == 0 || monoid->any)
        model_put_all(sum, term, monoid->type);
    else if (term->count)
        *sum = model_combine(monoid->op, sum, term);
}

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

/* An entry that only one input has is cast to the result type of the operator at once, not to the
 * type of the operand before. */
model model_ewise_add(sl_binary_op op, const model *A, const model *B)
{
    model T = model_ewise_mult(op, A, B);
    for (uint64_t k = 0; k < A->nrows * A->ncols; k++) {
        if (!B->cells[k].count)
            model_put_all(&T.cells[k], &A->cells[k], op->result);
        else if (!A->cells[k].count)
            model_put_all(&T.cells[k], &B->cells[k], op->result);
    }
    return T;
}

model model_ewise_union(sl_binary_op op, const model *A, sl_scalar alpha, const model *B,
                        sl_scalar beta)
{
    model T = model_new(op->result, A->nrows, A->ncols);
    model_cell no_a = {0}, no_b = {0};
    model_put(&no_a, alpha);
    model_put(&no_b, beta);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t j = 0; j < A->ncols; j++) {
            const model_cell *x = model_at(A, i, j), *y = model_at(B, i, j);
            if (x->count || y->count)
                *model_at(&T, i, j) = multiply(op, x->count ? x : &no_a, (position){i, j},
                                               y->count ? y : &no_b, (position){i, j});
        }
    return T;
}

model model_kronecker(sl_binary_op op, const model *A, const model *B)
{
    model T = model_new(op->result, A->nrows * B->nrows, A->ncols * B->ncols);
    for (uint64_t i = 0; i < T.nrows; i++)
        for (uint64_t j = 0; j < T.ncols; j++) {
            position p = {i / B->nrows, j / B->ncols}, q = {i % B->nrows, j % B->ncols};
            *model_at(&T, i, j) = multiply(op, model_at(A, p.i, p.j), p, model_at(B, q.i, q.j), q);
        }
    return T;
}

/* ---- apply, select and reduce ---------------------------------------------------- */

model model_apply(sl_unary_op op, const model *A)
{
    model T = model_new(op->result, A->nrows, A->ncols);
    for (uint64_t k = 0; k < A->nrows * A->ncols; k++)
        for (int c = 0; c < A->cells[k].count; c++) {
            sl_scalar x = sl_scalar_cast(A->cells[k].value[c], op->type), z = {.type = op->result};
            op->eval(&z.as, &x.as);
            model_put(&T.cells[k], z);
        }
    return T;
}

/* A positional operator uses the indices of the entry. */
model model_apply_bound(sl_binary_op op, const model *A, sl_scalar bound, bool first)
{
    model T = model_new(op->result, A->nrows, A->ncols);
    model_cell scalar = {0};
    model_put(&scalar, bound);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t j = 0; j < A->ncols; j++) {
            const model_cell *x = model_at(A, i, j);
            position p = {i, j};
            *model_at(&T, i, j) =
                first ? multiply(op, &scalar, p, x, p) : multiply(op, x, p, &scalar, p);
        }
    return T;
}

static sl_scalar indexed(sl_index_op op, sl_scalar x, uint64_t i, uint64_t j, sl_scalar thunk)
{
    sl_scalar z = {.type = op->result};
    thunk = sl_scalar_cast(thunk, op->type_thunk);
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
            if (x->count &&
                !sl_scalar_cast(indexed(op, x->value[0], i, j, thunk), SL_BOOL).as.bool_)
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
            model_put_all(&term, model_at(A, i, j), monoid->type);
            add(monoid, &T.cells[i], &term);
        }
    return T;
}

model model_gather(const model *u, const model *indices)
{
    model T = model_new(u->type, indices->nrows, 1);
    for (uint64_t i = 0; i < indices->nrows; i++)
        if (indices->cells[i].count)
            T.cells[i] = u->cells[sl_scalar_cast(indices->cells[i].value[0], SL_UINT64).as.uint64_];
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

/* ---- shapes ---------------------------------------------------------------------- */

model model_extract(const model *A, model_list rows, model_list cols)
{
    model T = model_new(A->type, rows.count, cols.count);
    for (uint64_t i = 0; i < rows.count; i++)
        for (uint64_t j = 0; j < cols.count; j++)
            *model_at(&T, i, j) = *model_at(A, model_item(rows, i), model_item(cols, j));
    return T;
}

model model_resize(const model *A, uint64_t nrows, uint64_t ncols)
{
    model T = model_new(A->type, nrows, ncols);
    for (uint64_t i = 0; i < nrows && i < A->nrows; i++)
        for (uint64_t j = 0; j < ncols && j < A->ncols; j++)
            *model_at(&T, i, j) = *model_at(A, i, j);
    return T;
}

model model_cast(const model *A, sl_type type)
{
    model T = model_new(type, A->nrows, A->ncols);
    for (uint64_t k = 0; k < A->nrows * A->ncols; k++)
        model_put_all(&T.cells[k], &A->cells[k], type);
    return T;
}

model model_diagonal(const model *A, int64_t k)
{
    uint64_t length = 0, down = k < 0 ? (uint64_t)-k : 0, across = k > 0 ? (uint64_t)k : 0;
    while (down + length < A->nrows && across + length < A->ncols)
        length++;
    model T = model_new(A->type, length, 1);
    for (uint64_t i = 0; i < length; i++)
        T.cells[i] = *model_at(A, down + i, across + i);
    return T;
}

model model_diagonal_matrix(const model *v, int64_t k)
{
    uint64_t down = k < 0 ? (uint64_t)-k : 0, across = k > 0 ? (uint64_t)k : 0;
    uint64_t side = v->nrows + down + across;
    model T = model_new(v->type, side, side);
    for (uint64_t i = 0; i < v->nrows; i++)
        *model_at(&T, down + i, across + i) = v->cells[i];
    return T;
}

/* Whether the first values of two cells are equal as numbers; NaN equals NaN. */
static bool same_number(sl_scalar x, sl_scalar y)
{
    double a = sl_scalar_cast(x, SL_FP64).as.fp64_, b = sl_scalar_cast(y, SL_FP64).as.fp64_;
    bool zeros = a == 0 && b == 0;
    return zeros || sl_scalar_equal(x, y);
}

bool model_equal(const model *A, const model *B, bool values)
{
    if (A->nrows != B->nrows || A->ncols != B->ncols || (values && A->type != B->type))
        return false;
    for (uint64_t k = 0; k < A->nrows * A->ncols; k++) {
        const model_cell *x = &A->cells[k], *y = &B->cells[k];
        if ((x->count > 0) != (y->count > 0))
            return false;
        if (values && x->count && !same_number(x->value[0], y->value[0]))
            return false;
    }
    return true;
}
