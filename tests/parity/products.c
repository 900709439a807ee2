/* Trials of matrix products, elementwise operations and the Kronecker product. */
#include "operations.h"

void try_vxm(trial *t)
{
    sl_semiring s = trial_semiring(t);
    uint64_t m = trial_side(t), n = trial_chance(t, 40) ? m : trial_side(t);
    trial_output(t, false, n, 1);
    bool transposed = t->flags & SL_TRANSPOSE_B;
    t->a = trial_input(t, false, m, 1);
    t->b = transposed ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    OK(t->ctx,
       sl_vxm(t->out->v, trial_mask_vector(t), t->accum, s, t->a->v, t->b->A, trial_descriptor(t)));
    model row = trial_read(t->a, true), A = trial_read(t->b, transposed);
    model product = model_product(s, &row, &A);
    trial_expect(t, model_transpose(&product));
    model_free(&row);
    model_free(&A);
    model_free(&product);
}

void try_mxv(trial *t)
{
    sl_semiring s = trial_semiring(t);
    uint64_t m = trial_side(t), n = trial_chance(t, 40) ? m : trial_side(t);
    trial_output(t, false, m, 1);
    bool transposed = t->flags & SL_TRANSPOSE_A;
    t->a = transposed ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    t->b = trial_input(t, false, n, 1);
    OK(t->ctx,
       sl_mxv(t->out->v, trial_mask_vector(t), t->accum, s, t->a->A, t->b->v, trial_descriptor(t)));
    model A = trial_read(t->a, transposed);
    trial_expect(t, model_product(s, &A, &t->b->model));
    model_free(&A);
}

void try_mxm(trial *t)
{
    sl_semiring s = trial_semiring(t);
    uint64_t m = trial_side(t), k = trial_chance(t, 40) ? m : trial_side(t);
    uint64_t n = trial_chance(t, 40) ? k : trial_side(t);
    trial_output(t, true, m, n);
    bool a_transposed = t->flags & SL_TRANSPOSE_A, b_transposed = t->flags & SL_TRANSPOSE_B;
    t->a = a_transposed ? trial_input(t, true, k, m) : trial_input(t, true, m, k);
    t->b = b_transposed ? trial_input(t, true, n, k) : trial_input(t, true, k, n);
    t->matrices = true;
    OK(t->ctx,
       sl_mxm(t->out->A, trial_mask_matrix(t), t->accum, s, t->a->A, t->b->A, trial_descriptor(t)));
    model A = trial_read(t->a, a_transposed), B = trial_read(t->b, b_transposed);
    trial_expect(t, model_product(s, &A, &B));
    model_free(&A);
    model_free(&B);
}

static void ewise(trial *t, bool add)
{
    sl_binary_op op = trial_binary(t);
    trial_shaped_output(t);
    t->a = trial_like_output(t, trial_transposes(t, SL_TRANSPOSE_A));
    t->b = trial_like_output(t, trial_transposes(t, SL_TRANSPOSE_B));
    sl_descriptor desc = trial_descriptor(t);
    if (t->matrices)
        OK(t->ctx, (add ? sl_matrix_ewise_add : sl_matrix_ewise_mult)(
                       t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A, t->b->A, desc));
    else
        OK(t->ctx, (add ? sl_vector_ewise_add : sl_vector_ewise_mult)(
                       t->out->v, trial_mask_vector(t), t->accum, op, t->a->v, t->b->v, desc));
    model A = trial_read(t->a, trial_transposes(t, SL_TRANSPOSE_A)),
          B = trial_read(t->b, trial_transposes(t, SL_TRANSPOSE_B));
    trial_expect(t, add ? model_ewise_add(op, &A, &B) : model_ewise_mult(op, &A, &B));
    model_free(&A);
    model_free(&B);
}

void try_ewise_add(trial *t)
{
    ewise(t, true);
}

void try_ewise_mult(trial *t)
{
    ewise(t, false);
}

void try_ewise_union(trial *t)
{
    sl_binary_op op = trial_binary(t);
    trial_shaped_output(t);
    bool a_transposed = trial_transposes(t, SL_TRANSPOSE_A),
         b_transposed = trial_transposes(t, SL_TRANSPOSE_B);
    t->a = trial_like_output(t, a_transposed);
    t->b = trial_like_output(t, b_transposed);
    sl_scalar alpha = t->scalar = trial_value(t, trial_type(t));
    sl_scalar beta = t->beta = trial_value(t, trial_type(t));
    if (t->matrices)
        OK(t->ctx, sl_matrix_ewise_union(t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A,
                                         alpha, t->b->A, beta, trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_ewise_union(t->out->v, trial_mask_vector(t), t->accum, op, t->a->v,
                                         alpha, t->b->v, beta, trial_descriptor(t)));
    model A = trial_read(t->a, a_transposed), B = trial_read(t->b, b_transposed);
    trial_expect(t, model_ewise_union(op, &A, alpha, &B, beta));
    model_free(&A);
    model_free(&B);
}

void try_kronecker(trial *t)
{
    sl_binary_op op = trial_binary(t);
    uint64_t m = trial_below(t, 6), n = trial_below(t, 6), p = trial_below(t, 6),
             q = trial_below(t, 6);
    t->matrices = true;
    trial_output(t, true, m * p, n * q);
    bool a_transposed = t->flags & SL_TRANSPOSE_A, b_transposed = t->flags & SL_TRANSPOSE_B;
    t->a = a_transposed ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    t->b = b_transposed ? trial_input(t, true, q, p) : trial_input(t, true, p, q);
    OK(t->ctx, sl_kronecker(t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A, t->b->A,
                            trial_descriptor(t)));
    model A = trial_read(t->a, a_transposed), B = trial_read(t->b, b_transposed);
    trial_expect(t, model_kronecker(op, &A, &B));
    model_free(&A);
    model_free(&B);
}
