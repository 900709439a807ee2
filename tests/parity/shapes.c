/* Trials of diag, resize, equal and same_pattern. */
#include "operations.h"

void try_diag(trial *t)
{
    trial_any_values(t);
    int64_t k = t->offset = (int64_t)trial_below(t, 15) - 7;
    uint64_t m = trial_side(t), n = t->matrices ? trial_side(t) : 1;
    t->a = trial_make(t, t->matrices, t->type, m, n);
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    if (t->matrices) {
        OK(t->ctx, sl_vector_diag(&v, t->a->A, k));
        t->out = trial_result(t, NULL, v, model_diagonal(&t->a->model, k));
    } else {
        OK(t->ctx, sl_matrix_diag(&A, t->a->v, k));
        t->out = trial_result(t, A, NULL, model_diagonal_matrix(&t->a->model, k));
    }
}

void try_resize(trial *t)
{
    trial_any_values(t);
    uint64_t m = trial_side(t), n = trial_side(t);
    t->out = trial_make(t, t->matrices, t->type, trial_side(t), t->matrices ? trial_side(t) : 1);
    if (t->matrices)
        OK(t->ctx, sl_matrix_resize(t->out->A, m, n));
    else
        OK(t->ctx, sl_vector_resize(t->out->v, m));
    model resized = model_resize(&t->out->model, m, t->matrices ? n : 1);
    model_free(&t->out->model);
    t->out->model = resized;
}

/* ---- equality -------------------------------------------------------------------- */

/* Removes, adds or changes one entry, unless the object has no elements. */
static void change_one(trial *t, model *M)
{
    if (M->nrows == 0 || M->ncols == 0)
        return;
    model_cell *cell = model_at(M, trial_below(t, M->nrows), trial_below(t, M->ncols));
    bool remove = cell->count && trial_chance(t, 50);
    cell->count = 0;
    if (!remove)
        model_put(cell, trial_value(t, M->type));
}

/* An operand to compare with `a`: itself, another object with its contents, that with one entry
 * changed, cast to another type or in another shape, or a random one. */
static operand *counterpart(trial *t, operand *a)
{
    const model *M = &a->model;
    model copy = model_copy(M), other;
    switch (trial_below(t, 8)) {
    case 0:
        model_free(&copy);
        return a;
    case 1:
    case 2:
    case 3:
        change_one(t, &copy);
        break;
    case 4:
        other = model_cast(M, trial_type(t));
        model_free(&copy);
        copy = other;
        break;
    case 5:
        other = model_resize(M, M->nrows + 1, M->ncols);
        model_free(&copy);
        copy = other;
        break;
    case 6:
        model_free(&copy);
        return trial_make(t, t->matrices, trial_type(t), M->nrows, M->ncols);
    }
    return trial_object(t, t->matrices, copy);
}

static void compare(trial *t, bool values)
{
    bool is = false;
    t->type = trial_type(t);
    t->range = NANS;
    t->a = trial_make(t, t->matrices, t->type, trial_side(t), t->matrices ? trial_side(t) : 1);
    t->b = counterpart(t, t->a);
    sl_matrix *A = t->a->A, *B = t->b->A;
    sl_vector *u = t->a->v, *v = t->b->v;
    if (t->matrices)
        OK(t->ctx, values ? sl_matrix_equal(&is, A, B) : sl_matrix_same_pattern(&is, A, B));
    else
        OK(t->ctx, values ? sl_vector_equal(&is, u, v) : sl_vector_same_pattern(&is, u, v));
    t->sum = sl_scalar_bool(is);
    model_put(&t->right_sum, sl_scalar_bool(model_equal(&t->a->model, &t->b->model, values)));
}

void try_equal(trial *t)
{
    compare(t, true);
}

void try_same_pattern(trial *t)
{
    compare(t, false);
}
