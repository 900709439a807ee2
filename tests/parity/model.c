/* The cells and objects of the model, and the write of results with mask and accumulator. See
 * model.h. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- objects --------------------------------------------------------------------- */

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

/* Whether the values are equal. +0 and -0 are equal, because the sign of a zero sum depends on the
 * order of its terms. */
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

void model_put_all(model_cell *cell, const model_cell *from, sl_type type)
{
    for (int k = 0; k < from->count; k++)
        model_put(cell, sl_scalar_cast(from->value[k], type));
}

/* ---- operators on cells ---------------------------------------------------------- */

static sl_scalar binary(sl_binary_op op, sl_scalar x, sl_scalar y)
{
    sl_scalar z = {.type = op->result};
    x = sl_scalar_cast(x, op->type);
    y = sl_scalar_cast(y, op->type_y);
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

uint64_t model_item(model_list list, uint64_t k)
{
    return list.list ? list.list[k] : k;
}

/* ---- mask and accumulator -------------------------------------------------------- */

static bool mask_admits(model_mask mask, uint64_t k)
{
    bool through = true;
    if (mask.of) {
        const model_cell *cell = &mask.of->cells[k];
        through =
            cell->count && (mask.structural || sl_scalar_cast(cell->value[0], SL_BOOL).as.bool_);
    }
    return through != mask.complemented;
}

/* The cell c accum t, in `type`; t if there is no accumulator. */
static model_cell accumulate(sl_type type, const model_cell *c, sl_binary_op accum,
                             const model_cell *t)
{
    model_cell z = {0}, both;
    if (!accum) {
        model_put_all(&z, t, type);
    } else if (c->count && t->count) {
        both = model_combine(accum, c, t);
        model_put_all(&z, &both, type);
    } else {
        model_put_all(&z, c->count ? c : t, type);
    }
    return z;
}

/* C<mask> = Z, where Z has the type and shape of C; frees Z. */
static void write_masked(model *C, model_mask mask, model *Z)
{
    for (uint64_t k = 0; k < C->nrows * C->ncols; k++)
        if (!mask_admits(mask, k)) {
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

void model_assign(model *C, model_mask mask, sl_binary_op accum, const model *A, model_list rows,
                  model_list cols)
{
    model Z = model_copy(C);
    for (uint64_t i = 0; i < rows.count; i++)
        for (uint64_t j = 0; j < cols.count; j++) { /* the last position of an index counts */
            const uint64_t row = model_item(rows, i), col = model_item(cols, j);
            *model_at(&Z, row, col) =
                accumulate(C->type, model_at(C, row, col), accum, model_at(A, i, j));
        }
    write_masked(C, mask, &Z);
}

void model_assign_column(model *C, model_mask mask, sl_binary_op accum, const model *u,
                         model_list rows, uint64_t col)
{
    model column = model_extract(C, (model_list){NULL, C->nrows}, (model_list){&col, 1});
    model_assign(&column, mask, accum, u, rows, (model_list){NULL, 1});
    for (uint64_t i = 0; i < C->nrows; i++)
        *model_at(C, i, col) = *model_at(&column, i, 0);
    model_free(&column);
}

/* z = z + the values of u, or all of them if any one may be the sum. */
static void add_values(model_cell *z, const model_cell *u, sl_monoid dup)
{
    model_cell value = {0};
    if (dup)
        model_put_all(&value, u, dup->type);
    else
        value = *u;
    if (z->count && value.count && dup && !dup->any)
        *z = model_combine(dup->op, z, &value);
    else
        for (int k = 0; k < value.count; k++)
            model_put(z, value.value[k]);
}

void model_scatter(model *C, model_mask mask, sl_binary_op accum, sl_monoid dup, const model *u,
                   const model *indices)
{
    model Z = model_copy(C), T = model_new(dup ? dup->type : u->type, C->nrows, 1);
    bool *given = calloc(C->nrows + 1, sizeof *given);
    if (!given)
        abort();
    for (uint64_t k = 0; k < indices->nrows; k++)
        if (indices->cells[k].count) {
            uint64_t i = sl_scalar_cast(indices->cells[k].value[0], SL_UINT64).as.uint64_;
            given[i] = true;
            add_values(&T.cells[i], &u->cells[k], dup);
        }
    for (uint64_t i = 0; i < C->nrows; i++)
        if (given[i])
            Z.cells[i] = accumulate(C->type, &C->cells[i], accum, &T.cells[i]);
    free(given);
    model_free(&T);
    write_masked(C, mask, &Z);
}
