/*
 * Every operation of <semla/operations.h>, on every engine that is present,
 * against the model. SEMLA_TEST_SEED=n does trial n alone, of every operation.
 */
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIALS = 3000, MAX_REPORTS = 10 };

/* Writes T, which it frees, into the output's model as the trial says. */
static void expect(trial *t, model T)
{
    model_write(&t->out->model, trial_mask(t), t->accum, &T);
    model_free(&T);
}

/* The model of an input as the operation reads it; the caller frees it. */
static model as_read(const operand *o, bool transposed)
{
    return transposed ? model_transpose(&o->model) : model_copy(&o->model);
}

/* ---- products ------------------------------------------------------------ */

static void vxm(trial *t)
{
    sl_semiring s = trial_semiring(t);
    uint64_t m = trial_side(t), n = trial_chance(t, 40) ? m : trial_side(t);
    trial_output(t, false, n, 1);
    bool turned = t->flags & SL_TRANSPOSE_B;
    t->a = trial_input(t, false, m, 1);
    t->b = turned ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    OK(t->ctx,
       sl_vxm(t->out->v, trial_mask_vector(t), t->accum, s, t->a->v, t->b->A, trial_descriptor(t)));
    model row = as_read(t->a, true), A = as_read(t->b, turned);
    model product = model_product(s, &row, &A);
    expect(t, model_transpose(&product));
    model_free(&row);
    model_free(&A);
    model_free(&product);
}

static void mxv(trial *t)
{
    sl_semiring s = trial_semiring(t);
    uint64_t m = trial_side(t), n = trial_chance(t, 40) ? m : trial_side(t);
    trial_output(t, false, m, 1);
    bool turned = t->flags & SL_TRANSPOSE_A;
    t->a = turned ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    t->b = trial_input(t, false, n, 1);
    OK(t->ctx,
       sl_mxv(t->out->v, trial_mask_vector(t), t->accum, s, t->a->A, t->b->v, trial_descriptor(t)));
    model A = as_read(t->a, turned);
    expect(t, model_product(s, &A, &t->b->model));
    model_free(&A);
}

static void mxm(trial *t)
{
    sl_semiring s = trial_semiring(t);
    uint64_t m = trial_side(t), k = trial_chance(t, 40) ? m : trial_side(t);
    uint64_t n = trial_chance(t, 40) ? k : trial_side(t);
    trial_output(t, true, m, n);
    bool a_turned = t->flags & SL_TRANSPOSE_A, b_turned = t->flags & SL_TRANSPOSE_B;
    t->a = a_turned ? trial_input(t, true, k, m) : trial_input(t, true, m, k);
    t->b = b_turned ? trial_input(t, true, n, k) : trial_input(t, true, k, n);
    t->matrices = true;
    OK(t->ctx,
       sl_mxm(t->out->A, trial_mask_matrix(t), t->accum, s, t->a->A, t->b->A, trial_descriptor(t)));
    model A = as_read(t->a, a_turned), B = as_read(t->b, b_turned);
    expect(t, model_product(s, &A, &B));
    model_free(&A);
    model_free(&B);
}

/* ---- elementwise, apply, select, transpose -------------------------------- */

/* The output, of a random shape. */
static void shaped_output(trial *t)
{
    uint64_t m = trial_side(t), n = trial_chance(t, 40) ? m : trial_side(t);
    trial_output(t, t->matrices, m, t->matrices ? n : 1);
}

/* An input that has the output's shape as it is read. */
static operand *like_output(trial *t, bool turned)
{
    const model *out = &t->out->model;
    return turned ? trial_input(t, t->matrices, out->ncols, out->nrows)
                  : trial_input(t, t->matrices, out->nrows, out->ncols);
}

static bool turns(const trial *t, unsigned flag)
{
    return t->matrices && (t->flags & flag);
}

static void ewise(trial *t, bool add)
{
    sl_binary_op op = trial_binary(t);
    shaped_output(t);
    t->a = like_output(t, turns(t, SL_TRANSPOSE_A));
    t->b = like_output(t, turns(t, SL_TRANSPOSE_B));
    sl_descriptor desc = trial_descriptor(t);
    if (t->matrices)
        OK(t->ctx, (add ? sl_matrix_ewise_add : sl_matrix_ewise_mult)(
                       t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A, t->b->A, desc));
    else
        OK(t->ctx, (add ? sl_vector_ewise_add : sl_vector_ewise_mult)(
                       t->out->v, trial_mask_vector(t), t->accum, op, t->a->v, t->b->v, desc));
    model A = as_read(t->a, turns(t, SL_TRANSPOSE_A)), B = as_read(t->b, turns(t, SL_TRANSPOSE_B));
    expect(t, add ? model_ewise_add(op, &A, &B) : model_ewise_mult(op, &A, &B));
    model_free(&A);
    model_free(&B);
}

static void ewise_add(trial *t)
{
    ewise(t, true);
}

static void ewise_mult(trial *t)
{
    ewise(t, false);
}

static void apply(trial *t)
{
    sl_unary_op op = trial_unary(t);
    shaped_output(t);
    t->a = like_output(t, turns(t, SL_TRANSPOSE_A));
    if (t->matrices)
        OK(t->ctx, sl_matrix_apply(t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A,
                                   trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_apply(t->out->v, trial_mask_vector(t), t->accum, op, t->a->v,
                                   trial_descriptor(t)));
    model A = as_read(t->a, turns(t, SL_TRANSPOSE_A));
    expect(t, model_apply(op, &A));
    model_free(&A);
}

static void apply_index(trial *t)
{
    sl_index_op op = trial_index(t, false);
    sl_scalar thunk = trial_thunk(t);
    shaped_output(t);
    t->a = like_output(t, turns(t, SL_TRANSPOSE_A));
    if (t->matrices)
        OK(t->ctx, sl_matrix_apply_index(t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A,
                                         thunk, trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_apply_index(t->out->v, trial_mask_vector(t), t->accum, op, t->a->v,
                                         thunk, trial_descriptor(t)));
    model A = as_read(t->a, turns(t, SL_TRANSPOSE_A));
    expect(t, model_apply_index(op, &A, thunk));
    model_free(&A);
}

static void select_entries(trial *t)
{
    sl_index_op op = trial_index(t, true);
    sl_scalar thunk = trial_thunk(t);
    shaped_output(t);
    t->a = like_output(t, turns(t, SL_TRANSPOSE_A));
    if (t->matrices)
        OK(t->ctx, sl_matrix_select(t->out->A, trial_mask_matrix(t), t->accum, op, t->a->A, thunk,
                                    trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_select(t->out->v, trial_mask_vector(t), t->accum, op, t->a->v, thunk,
                                    trial_descriptor(t)));
    model A = as_read(t->a, turns(t, SL_TRANSPOSE_A));
    expect(t, model_select(op, &A, thunk));
    model_free(&A);
}

static void transpose(trial *t)
{
    t->matrices = true;
    t->type = SL_INT32;
    t->range = WILD;
    shaped_output(t);
    bool turned = !(t->flags & SL_TRANSPOSE_A);
    t->a = like_output(t, turned);
    OK(t->ctx,
       sl_transpose(t->out->A, trial_mask_matrix(t), t->accum, t->a->A, trial_descriptor(t)));
    expect(t, as_read(t->a, turned));
}

/* ---- reduce --------------------------------------------------------------- */

static void reduce(trial *t)
{
    sl_monoid monoid = trial_monoid(t);
    t->a = trial_input(t, t->matrices, trial_side(t), t->matrices ? trial_side(t) : 1);
    t->accum = trial_accumulator(t);
    sl_scalar start = trial_value(t, (sl_type)trial_below(t, SL_TYPE_COUNT));
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

static void reduce_rows(trial *t)
{
    sl_monoid monoid = trial_monoid(t);
    uint64_t m = trial_side(t), n = trial_side(t);
    trial_output(t, false, m, 1);
    bool turned = t->flags & SL_TRANSPOSE_A;
    t->a = turned ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    OK(t->ctx, sl_matrix_reduce_rows(t->out->v, trial_mask_vector(t), t->accum, monoid, t->a->A,
                                     trial_descriptor(t)));
    model A = as_read(t->a, turned);
    expect(t, model_reduce_rows(monoid, &A));
    model_free(&A);
}

/* ---- assign and extract ---------------------------------------------------- */

static void any_values(trial *t)
{
    t->type = (sl_type)trial_below(t, SL_TYPE_COUNT);
    t->range = WILD;
}

static void assign(trial *t)
{
    uint64_t row_room[MAX_SIDE], col_room[MAX_SIDE];
    any_values(t);
    shaped_output(t);
    model_list rows = trial_list(t, row_room, t->out->model.nrows, true);
    model_list cols = {NULL, 1};
    bool turned = turns(t, SL_TRANSPOSE_A);
    if (t->matrices) {
        cols = trial_list(t, col_room, t->out->model.ncols, true);
        t->a = turned ? trial_input(t, true, cols.count, rows.count)
                      : trial_input(t, true, rows.count, cols.count);
        OK(t->ctx, sl_matrix_assign(t->out->A, trial_mask_matrix(t), t->accum, t->a->A, rows.list,
                                    rows.count, cols.list, cols.count, trial_descriptor(t)));
    } else {
        t->a = trial_input(t, false, rows.count, 1);
        OK(t->ctx, sl_vector_assign(t->out->v, trial_mask_vector(t), t->accum, t->a->v, rows.list,
                                    rows.count, trial_descriptor(t)));
    }
    model A = as_read(t->a, turned);
    model_assign(&t->out->model, trial_mask(t), t->accum, &A, rows, cols);
    model_free(&A);
}

static void assign_scalar(trial *t)
{
    uint64_t row_room[MAX_SIDE], col_room[MAX_SIDE];
    any_values(t);
    shaped_output(t);
    sl_scalar value = trial_value(t, (sl_type)trial_below(t, SL_TYPE_COUNT));
    model_list rows = trial_list(t, row_room, t->out->model.nrows, true);
    model_list cols = {NULL, 1};
    if (t->matrices) {
        cols = trial_list(t, col_room, t->out->model.ncols, true);
        OK(t->ctx,
           sl_matrix_assign_scalar(t->out->A, trial_mask_matrix(t), t->accum, value, rows.list,
                                   rows.count, cols.list, cols.count, trial_descriptor(t)));
    } else {
        OK(t->ctx, sl_vector_assign_scalar(t->out->v, trial_mask_vector(t), t->accum, value,
                                           rows.list, rows.count, trial_descriptor(t)));
    }
    model A = model_new(value.type, rows.count, cols.count);
    for (uint64_t k = 0; k < rows.count * cols.count; k++)
        model_put(&A.cells[k], value);
    model_assign(&t->out->model, trial_mask(t), t->accum, &A, rows, cols);
    model_free(&A);
}

static void extract(trial *t)
{
    uint64_t row_room[MAX_SIDE], col_room[MAX_SIDE];
    any_values(t);
    uint64_t m = trial_side(t), n = t->matrices ? trial_side(t) : 1;
    model_list rows = trial_list(t, row_room, m, false), cols = {NULL, 1};
    if (t->matrices)
        cols = trial_list(t, col_room, n, false);
    trial_output(t, t->matrices, rows.count, cols.count);
    bool turned = turns(t, SL_TRANSPOSE_A);
    t->a = turned ? trial_input(t, true, n, m) : trial_input(t, t->matrices, m, n);
    if (t->matrices)
        OK(t->ctx, sl_matrix_extract(t->out->A, trial_mask_matrix(t), t->accum, t->a->A, rows.list,
                                     rows.count, cols.list, cols.count, trial_descriptor(t)));
    else
        OK(t->ctx, sl_vector_extract(t->out->v, trial_mask_vector(t), t->accum, t->a->v, rows.list,
                                     rows.count, trial_descriptor(t)));
    model A = as_read(t->a, turned);
    expect(t, model_extract(&A, rows, cols));
    model_free(&A);
}

static void extract_column(trial *t)
{
    uint64_t room[MAX_SIDE];
    any_values(t);
    uint64_t m = trial_side(t), n = 1 + trial_below(t, 7), col = trial_below(t, n);
    model_list rows = trial_list(t, room, m, false);
    trial_output(t, false, rows.count, 1);
    bool turned = t->flags & SL_TRANSPOSE_A;
    t->a = turned ? trial_input(t, true, n, m) : trial_input(t, true, m, n);
    OK(t->ctx, sl_matrix_extract_column(t->out->v, trial_mask_vector(t), t->accum, t->a->A,
                                        rows.list, rows.count, col, trial_descriptor(t)));
    model A = as_read(t->a, turned);
    expect(t, model_extract(&A, rows, (model_list){&col, 1}));
    model_free(&A);
}

/* ---- all trials ------------------------------------------------------------ */

static const struct {
    const char *name;
    void (*run)(trial *t);
} operations[] = {
    {"vxm", vxm},
    {"mxv", mxv},
    {"mxm", mxm},
    {"ewise_add", ewise_add},
    {"ewise_mult", ewise_mult},
    {"apply", apply},
    {"apply_index", apply_index},
    {"select", select_entries},
    {"transpose", transpose},
    {"reduce", reduce},
    {"reduce_rows", reduce_rows},
    {"assign", assign},
    {"assign_scalar", assign_scalar},
    {"extract", extract},
    {"extract_column", extract_column},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* One operation at one seed; false, with one line on stderr, where it differs. */
static bool one_trial(sl_context *ctx, const char *engine, size_t op, uint64_t seed)
{
    trial t = {.ctx = ctx,
               .seed = seed,
               .state = seed * OPERATIONS + op,
               .operation = operations[op].name};
    t.matrices = trial_chance(&t, 50);
    operations[op].run(&t);
    char why[256];
    bool agrees = trial_agrees(&t, why, sizeof why);
    if (!agrees) {
        char what[512];
        trial_describe(&t, what, sizeof what);
        fprintf(stderr, "SEMLA_TEST_SEED=%" PRIu64 " %s: %s: %s\n", seed, engine, what, why);
    }
    trial_end(&t);
    return agrees;
}

static void all_trials(sl_context *ctx, const char *engine)
{
    const char *asked = getenv("SEMLA_TEST_SEED");
    uint64_t first = asked ? strtoull(asked, NULL, 0) : 0, count = asked ? 1 : TRIALS;
    int wrong = 0;
    for (uint64_t seed = first; seed < first + count; seed++)
        for (size_t op = 0; op < OPERATIONS && wrong < MAX_REPORTS; op++)
            wrong += !one_trial(ctx, engine, op, seed);
    if (wrong)
        fail_msg("%s: %d trials or more differ from the model", engine, wrong);
}

static void test_engines(void **state)
{
    sl_engine_info info;
    size_t position = 0;
    for (; sl_engine_describe(position, &info) == SL_OK; position++) {
        if (!info.present)
            continue;
        sl_context *ctx;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        all_trials(ctx, info.name);
        sl_context_free(ctx);
    }
    assert_true(position > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
