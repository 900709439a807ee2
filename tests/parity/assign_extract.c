/* Trials of assign and extract, with index lists of every kind. */
#include "operations.h"

void try_assign(trial *t)
{
    index_list *rows = &t->rows, *cols = &t->cols;
    *cols = (index_list){.count = 1, .meant.count = 1};
    trial_any_values(t);
    trial_shaped_output(t);
    trial_list(t, rows, t->out->model.nrows, trial_chance(t, 75));
    bool transposed = trial_transposes(t, SL_TRANSPOSE_A);
    if (t->matrices) {
        trial_list(t, cols, t->out->model.ncols, trial_chance(t, 75));
        t->a = transposed ? trial_input(t, true, cols->meant.count, rows->meant.count)
                          : trial_input(t, true, rows->meant.count, cols->meant.count);
        OK(t->ctx, sl_matrix_assign(t->out->A, trial_mask_matrix(t), t->accum, t->a->A, rows->list,
                                    rows->count, cols->list, cols->count, trial_descriptor(t)));
    } else {
        t->a = trial_input(t, false, rows->meant.count, 1);
        OK(t->ctx, sl_vector_assign(t->out->v, trial_mask_vector(t), t->accum, t->a->v, rows->list,
                                    rows->count, trial_descriptor(t)));
    }
    model A = trial_read(t->a, transposed);
    model_assign(&t->out->model, trial_mask(t), t->accum, &A, rows->meant, cols->meant);
    model_free(&A);
}

void try_assign_scalar(trial *t)
{
    index_list *rows = &t->rows, *cols = &t->cols;
    *cols = (index_list){.count = 1, .meant.count = 1};
    trial_any_values(t);
    trial_shaped_output(t);
    sl_scalar value = t->scalar = trial_value(t, trial_type(t));
    trial_list(t, rows, t->out->model.nrows, trial_chance(t, 75));
    if (t->matrices) {
        trial_list(t, cols, t->out->model.ncols, trial_chance(t, 75));
        OK(t->ctx,
           sl_matrix_assign_scalar(t->out->A, trial_mask_matrix(t), t->accum, value, rows->list,
                                   rows->count, cols->list, cols->count, trial_descriptor(t)));
    } else {
        OK(t->ctx, sl_vector_assign_scalar(t->out->v, trial_mask_vector(t), t->accum, value,
                                           rows->list, rows->count, trial_descriptor(t)));
    }
    model A = model_new(value.type, rows->meant.count, cols->meant.count);
    for (uint64_t k = 0; k < rows->meant.count * cols->meant.count; k++)
        model_put(&A.cells[k], value);
    model_assign(&t->out->model, trial_mask(t), t->accum, &A, rows->meant, cols->meant);
    model_free(&A);
}

/* Chooses a row or column of the output, and a vector to assign to it. */
static uint64_t choose_line(trial *t, index_list *list, bool row)
{
    trial_any_values(t);
    uint64_t across = 1 + trial_below(t, 7), length = trial_side(t);
    trial_line_output(t, row ? across : length, row ? length : across, length);
    trial_list(t, list, length, trial_chance(t, 75));
    t->a = trial_input(t, false, list->meant.count, 1);
    t->matrices = true;
    return trial_below(t, across);
}

void try_assign_row(trial *t)
{
    index_list *cols = &t->cols;
    uint64_t row = t->row = choose_line(t, cols, true);
    OK(t->ctx, sl_matrix_assign_row(t->out->A, trial_mask_vector(t), t->accum, t->a->v, row,
                                    cols->list, cols->count, trial_descriptor(t)));
    model transposed = model_transpose(&t->out->model);
    model_assign_column(&transposed, trial_mask(t), t->accum, &t->a->model, cols->meant, row);
    model_free(&t->out->model);
    t->out->model = model_transpose(&transposed);
    model_free(&transposed);
}

void try_assign_column(trial *t)
{
    index_list *rows = &t->rows;
    uint64_t col = t->col = choose_line(t, rows, false);
    OK(t->ctx, sl_matrix_assign_column(t->out->A, trial_mask_vector(t), t->accum, t->a->v,
                                       rows->list, rows->count, col, trial_descriptor(t)));
    model_assign_column(&t->out->model, trial_mask(t), t->accum, &t->a->model, rows->meant, col);
}

void try_extract(trial *t)
{
    index_list *rows = &t->rows, *cols = &t->cols;
    *cols = (index_list){.count = 1, .meant.count = 1};
    trial_any_values(t);
    uint64_t m = trial_side(t), n = t->matrices ? trial_side(t) : 1;
    trial_list(t, rows, m, false);
    if (t->matrices)
        trial_list(t, cols, n, false);
    trial_output(t, t->matrices, rows->meant.count, cols->meant.count);
    bool transposed = trial_transposes(t, SL_TRANSPOSE_A);
    t->a = transposed ? trial_input(t, true, n, m) : trial_input(t, t->matrices, m, n);
    if (t->matrices)
        OK(t->ctx, sl_matrix_extract(t->out->A, trial_mask_matrix(t), t->accum, t->a->A, rows->list,
                                     rows->count, cols->list, cols->count, trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_extract(t->out->v, trial_mask_vector(t), t->accum, t->a->v, rows->list,
                                     rows->count, trial_descriptor(t)));
    model A = trial_read(t->a, transposed);
    trial_expect(t, model_extract(&A, rows->meant, cols->meant));
    model_free(&A);
}

void try_extract_column(trial *t)
{
    index_list *rows = &t->rows;
    trial_any_values(t);
    uint64_t m = trial_side(t), n = 1 + trial_below(t, 7), col = t->col = trial_below(t, n);
    trial_list(t, rows, m, false);
    trial_output(t, false, rows->meant.count, 1);
    bool transposed = t->flags & SL_TRANSPOSE_A;
    t->a = transposed ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    OK(t->ctx, sl_matrix_extract_column(t->out->v, trial_mask_vector(t), t->accum, t->a->A,
                                        rows->list, rows->count, col, trial_descriptor(t)));
    model A = trial_read(t->a, transposed);
    trial_expect(t, model_extract(&A, rows->meant, (model_list){&col, 1}));
    model_free(&A);
}
