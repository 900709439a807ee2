/* Functions of trial.h: outputs, masks, inputs and expected results. */
#include "trial.h"

static sl_type operand_type(trial *t)
{
    return trial_chance(t, 50) ? t->type : trial_type(t);
}

/* The combinations that were combinations_drawn: flags, with a mask, with an accumulator. */
static bool combinations_drawn[32][2][2];

static void note_combination(const trial *t)
{
    combinations_drawn[t->flags][t->mask != NULL][t->accum != NULL] = true;
}

int trial_combinations_left(void)
{
    int left = 0;
    for (int flags = 0; flags < 32; flags++)
        for (int k = 0; k < 4; k++)
            left += !combinations_drawn[flags][k / 2][k % 2];
    return left;
}

void trial_any_values(trial *t)
{
    t->type = trial_type(t);
    t->range = WILD;
}

/* Chooses the output, the flags and the accumulator; returns whether there is to be a mask. */
static bool choose_output(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols)
{
    t->out = trial_make(t, is_matrix, operand_type(t), nrows, ncols);
    t->flags = (unsigned)trial_below(t, 32);
    if (trial_chance(t, 40))
        t->flags &= ~(unsigned)SL_COMPLEMENT;
    t->accum = trial_accumulator(t);
    return trial_chance(t, 60);
}

void trial_output(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols)
{
    if (choose_output(t, is_matrix, nrows, ncols))
        t->mask =
            trial_chance(t, 10) ? t->out : trial_make(t, is_matrix, operand_type(t), nrows, ncols);
    note_combination(t);
}

void trial_line_output(trial *t, uint64_t nrows, uint64_t ncols, uint64_t length)
{
    if (choose_output(t, true, nrows, ncols))
        t->mask = trial_make(t, false, operand_type(t), length, 1);
    note_combination(t);
}

void trial_shaped_output(trial *t)
{
    uint64_t m = trial_side(t), n = trial_chance(t, 40) ? m : trial_side(t);
    trial_output(t, t->matrices, m, t->matrices ? n : 1);
}

operand *trial_input(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols)
{
    if (t->count && trial_chance(t, 15)) {
        operand *there = &t->operands[trial_below(t, (uint64_t)t->count)];
        if ((there->A != NULL) == is_matrix && there->model.nrows == nrows &&
            there->model.ncols == ncols)
            return there;
    }
    return trial_make(t, is_matrix, operand_type(t), nrows, ncols);
}

bool trial_transposes(const trial *t, unsigned flag)
{
    return t->matrices && (t->flags & flag);
}

operand *trial_like_output(trial *t, bool transposed)
{
    const model *out = &t->out->model;
    return transposed ? trial_input(t, t->matrices, out->ncols, out->nrows)
                      : trial_input(t, t->matrices, out->nrows, out->ncols);
}

operand *trial_result(trial *t, sl_matrix *A, sl_vector *v, model right)
{
    operand *o = &t->operands[t->count++];
    *o = (operand){.model = right, .A = A, .v = v};
    return o;
}

model trial_read(const operand *o, bool transposed)
{
    return transposed ? model_transpose(&o->model) : model_copy(&o->model);
}

void trial_expect(trial *t, model T)
{
    model_write(&t->out->model, trial_mask(t), t->accum, &T);
    model_free(&T);
}

sl_descriptor trial_descriptor(const trial *t)
{
    return sl_descriptor_get(t->flags);
}

model_mask trial_mask(const trial *t)
{
    return (model_mask){.of = t->mask ? &t->mask->model : NULL,
                        .structural = t->flags & SL_STRUCTURE,
                        .complemented = t->flags & SL_COMPLEMENT,
                        .replace = t->flags & SL_REPLACE};
}

const sl_vector *trial_mask_vector(const trial *t)
{
    return t->mask ? t->mask->v : NULL;
}

const sl_matrix *trial_mask_matrix(const trial *t)
{
    return t->mask ? t->mask->A : NULL;
}

void trial_end(trial *t)
{
    for (int k = 0; k < t->count; k++) {
        model_free(&t->operands[k].model);
        sl_matrix_free(t->operands[k].A);
        sl_vector_free(t->operands[k].v);
    }
}
