/* Trials of apply, select, transpose and reduce. */
#include "operations.h"

void try_apply(trial *t)
{
    sl_unary_op op = trial_unary(t);
    trial_shaped_output(t);
    t->a = trial_like_output(t, trial_transposes(t, SL_TRANSPOSE_A));
    if (t->matrices)
        OK(t->ctx, sl_matrix_apply(t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A,
                                   trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_apply(t->out->v, trial_mask_vector(t), t->accum, op, t->a->v,
                                   trial_descriptor(t)));
    model A = trial_read(t->a, trial_transposes(t, SL_TRANSPOSE_A));
    trial_expect(t, model_apply(op, &A));
    model_free(&A);
}

/* A binary operator with a scalar as its first or second operand. */
static void apply_bound(trial *t, bool first)
{
    sl_binary_op op = trial_binary(t);
    sl_scalar bound = t->scalar = trial_value(t, trial_type(t));
    trial_shaped_output(t);
    bool transposed = trial_transposes(t, first ? SL_TRANSPOSE_B : SL_TRANSPOSE_A);
    t->a = trial_like_output(t, transposed);
    sl_matrix *C = t->out->A, *A = t->a->A;
    sl_vector *w = t->out->v, *u = t->a->v;
    const sl_matrix *matrix_mask = trial_mask_matrix(t);
    const sl_vector *vector_mask = trial_mask_vector(t);
    sl_descriptor desc = trial_descriptor(t);
    if (t->matrices)
        OK(t->ctx, first ? sl_matrix_apply_first(C, matrix_mask, t->accum, op, bound, A, desc)
                         : sl_matrix_apply_second(C, matrix_mask, t->accum, op, A, bound, desc));
    else
        OK(t->ctx, first ? sl_vector_apply_first(w, vector_mask, t->accum, op, bound, u, desc)
                         : sl_vector_apply_second(w, vector_mask, t->accum, op, u, bound, desc));
    model M = trial_read(t->a, transposed);
    trial_expect(t, model_apply_bound(op, &M, bound, first));
    model_free(&M);
}

void try_apply_first(trial *t)
{
    apply_bound(t, true);
}

void try_apply_second(trial *t)
{
    apply_bound(t, false);
}

void try_apply_index(trial *t)
{
    sl_index_op op = trial_index(t);
    sl_scalar thunk = t->scalar = trial_thunk(t);
    trial_shaped_output(t);
    t->a = trial_like_output(t, trial_transposes(t, SL_TRANSPOSE_A));
    if (t->matrices)
        OK(t->ctx, sl_matrix_apply_index(t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A,
                                         thunk, trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_apply_index(t->out->v, trial_mask_vector(t), t->accum, op, t->a->v,
                                         thunk, trial_descriptor(t)));
    model A = trial_read(t->a, trial_transposes(t, SL_TRANSPOSE_A));
    trial_expect(t, model_apply_index(op, &A, thunk));
    model_free(&A);
}

void try_select(trial *t)
{
    sl_index_op op = trial_index(t);
    sl_scalar thunk = t->scalar = trial_thunk(t);
    trial_shaped_output(t);
    t->a = trial_like_output(t, trial_transposes(t, SL_TRANSPOSE_A));
    if (t->matrices)
        OK(t->ctx, sl_matrix_select(t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A, thunk,
                                    trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_select(t->out->v, trial_mask_vector(t), t->accum, op, t->a->v, thunk,
                                    trial_descriptor(t)));
    model A = trial_read(t->a, trial_transposes(t, SL_TRANSPOSE_A));
    trial_expect(t, model_select(op, &A, thunk));
    model_free(&A);
}

void try_transpose(trial *t)
{
    t->matrices = true;
    t->type = SL_INT32;
    t->range = WILD;
    trial_shaped_output(t);
    bool transposed = !(t->flags & SL_TRANSPOSE_A);
    t->a = trial_like_output(t, transposed);
    OK(t->ctx,
       sl_transpose(t->out->A, trial_mask_matrix(t), t->accum, t->a->A, trial_descriptor(t)));
    trial_expect(t, trial_read(t->a, transposed));
}

void try_reduce(trial *t)
{
    sl_monoid monoid = trial_monoid(t);
    t->a = trial_input(t, t->matrices, trial_side(t), t->matrices ? trial_side(t) : 1);
    t->accum = trial_accumulator(t);
    sl_scalar start = t->scalar = trial_value(t, trial_type(t));
    t->sum = start;
    if (t->matrices)
        OK(t->ctx, sl_matrix_reduce(&t->sum, t->accum, monoid, t->a->A));
    else
        OK(t->ctx, sl_vector_reduce(&t->sum, t->accum, monoid, t->a->v));
    model_cell sum = model_reduce(monoid, &t->a->model), old = {0};
    model_put(&old, start);
    if (t->accum)
        sum = model_combine(t->accum, &old, &sum);
    for (int k = 0; k < sum.count; k++)
        model_put(&t->right_sum,
                  t->accum ? sl_scalar_cast(sum.value[k], start.type) : sum.value[k]);
}

void try_reduce_rows(trial *t)
{
    sl_monoid monoid = trial_monoid(t);
    uint64_t m = trial_side(t), n = trial_side(t);
    trial_output(t, false, m, 1);
    bool transposed = t->flags & SL_TRANSPOSE_A;
    t->a = transposed ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    OK(t->ctx, sl_matrix_reduce_rows(t->out->v, trial_mask_vector(t), t->accum, monoid, t->a->A,
                                     trial_descriptor(t)));
    model A = trial_read(t->a, transposed);
    trial_expect(t, model_reduce_rows(monoid, &A));
    model_free(&A);
}
