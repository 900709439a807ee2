/* Trials of building and reading: tuples with duplicates, and single entries between operations. */
#include "operations.h"

#include <string.h>

/* ---- build ----------------------------------------------------------------------- */

enum { MOST_TUPLES = 100 };

/* An operator that can combine duplicates, with values that it combines exactly in any order. */
static sl_binary_op combining_operator(trial *t)
{
    sl_binary_op op;
    do
        op = trial_binary(t);
    while (op->positional || op->type_y != op->type || op->result != op->type);
    bool scales = op->code == SL_BINARY_TIMES || op->code == SL_BINARY_DIV;
    if (op->user || op->code == SL_BINARY_ANY)
        t->range = SMALL;
    else if (trial_is_float(op->type))
        t->range = scales ? POWERS : SMALL;
    return op;
}

typedef struct {
    uint64_t count, rows[MOST_TUPLES], cols[MOST_TUPLES];
    char values[MOST_TUPLES * sizeof(uint64_t)];
    bool valued;
} tuple_list;

/* Random tuples, sometimes with ascending indices. */
static void choose_tuples(trial *t, tuple_list *l, uint64_t m, uint64_t n)
{
    size_t size = sl_type_size(t->type);
    bool ascend = trial_chance(t, 40), few = trial_chance(t, 60);
    uint64_t room = m * n;
    l->count = room == 0 ? 0 : trial_below(t, few ? 1 + room / 2 : MOST_TUPLES + 1);
    l->count = l->count > MOST_TUPLES ? MOST_TUPLES : l->count;
    l->valued = trial_chance(t, 75);
    uint64_t place = 0;
    for (uint64_t k = 0; k < l->count; k++) {
        uint64_t left = room - place;
        place = ascend ? place + trial_below(t, left < 4 ? left : 4) : trial_below(t, room);
        l->rows[k] = place / n;
        l->cols[k] = place % n;
        sl_scalar value =
            l->valued ? trial_value(t, t->type) : sl_scalar_cast(sl_scalar_bool(true), t->type);
        memcpy(l->values + k * size, &value.as, size);
    }
}

/* Builds the expected model; returns false if there are duplicates and no operator: nothing may be
 * built. */
static bool combine(model *M, const tuple_list *l, sl_binary_op dup)
{
    size_t size = sl_type_size(M->type);
    bool built = true;
    for (uint64_t k = 0; k < l->count; k++) {
        model_cell *cell = model_at(M, l->rows[k], l->cols[k]), with = {0};
        model_put(&with, sl_scalar_load(M->type, l->values + k * size));
        built = built && (dup || cell->count == 0);
        *cell = cell->count && dup ? model_combine(dup, cell, &with) : with;
    }
    for (uint64_t k = 0; !built && k < M->nrows * M->ncols; k++)
        M->cells[k].count = 0;
    return built;
}

void try_build(trial *t)
{
    sl_binary_op dup = trial_chance(t, 75) ? combining_operator(t) : NULL;
    if (!dup)
        trial_any_values(t);
    bool one = trial_chance(t, 20);
    uint64_t m = one ? 1 : trial_side(t), n = one || !t->matrices ? 1 : trial_side(t);
    tuple_list l;
    choose_tuples(t, &l, m, n);
    uint64_t first, last; /* on a grid each rank passes a part of the tuples */
    sl_context_local_range(t->ctx, l.count, &first, &last);
    const char *values = l.valued ? l.values + first * sl_type_size(t->type) : NULL;
    const uint64_t *rows = l.rows + first, *cols = l.cols + first, count = last - first;
    model right = model_new(t->type, m, n);
    sl_status wanted = combine(&right, &l, dup) ? SL_OK : SL_INVALID;
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    if (t->matrices) {
        OK(t->ctx, sl_matrix_new(&A, t->ctx, t->type, m, n));
        assert_int_equal(sl_matrix_build(A, rows, cols, values, count, dup), wanted);
    } else {
        OK(t->ctx, sl_vector_new(&v, t->ctx, t->type, m));
        assert_int_equal(sl_vector_build(v, rows, values, count, dup), wanted);
    }
    t->out = trial_result(t, A, v, right);
}

/* ---- single entries -------------------------------------------------------------- */

/* Records the value that was read and the expected value, if they differ. */
static void note(trial *t, sl_scalar is, sl_scalar should)
{
    if (t->right_sum.count || sl_scalar_equal(is, should))
        return;
    t->sum = is;
    model_put(&t->right_sum, should);
}

static void get_one(trial *t, operand *o, uint64_t i, uint64_t j)
{
    const model_cell *cell = model_at(&o->model, i, j);
    sl_scalar got = {0};
    sl_status status = o->A ? sl_matrix_get(&got, o->A, i, j) : sl_vector_get(&got, o->v, i);
    note(t, sl_scalar_int64(status), sl_scalar_int64(cell->count ? SL_OK : SL_NO_VALUE));
    if (status == SL_OK && cell->count)
        note(t, got, cell->value[0]);
}

static void set_one(trial *t, operand *o, uint64_t i, uint64_t j)
{
    sl_scalar value = trial_value(t, trial_type(t));
    model_cell *cell = model_at(&o->model, i, j);
    cell->count = 0;
    model_put(cell, sl_scalar_cast(value, o->model.type));
    OK(t->ctx, o->A ? sl_matrix_set(o->A, i, j, value) : sl_vector_set(o->v, i, value));
}

static void remove_one(trial *t, operand *o, uint64_t i, uint64_t j)
{
    model_at(&o->model, i, j)->count = 0;
    OK(t->ctx, o->A ? sl_matrix_remove(o->A, i, j) : sl_vector_remove(o->v, i));
}

static void read_or_write_one(trial *t, operand *o)
{
    const model *M = &o->model;
    uint64_t nvals, should = 0;
    bool pattern = false, ones = true;
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), M->type);
    for (uint64_t k = 0; k < M->nrows * M->ncols; k++) {
        should += M->cells[k].count > 0;
        ones = ones && (!M->cells[k].count || sl_scalar_equal(M->cells[k].value[0], one));
    }
    OK(t->ctx, o->A ? sl_matrix_nvals(&nvals, o->A) : sl_vector_nvals(&nvals, o->v));
    note(t, sl_scalar_uint64(nvals), sl_scalar_uint64(should));
    if (o->A)
        OK(t->ctx, sl_matrix_is_pattern(&pattern, o->A));
    note(t, sl_scalar_bool(pattern && !ones), sl_scalar_bool(false));
}

/* An operation that changes nothing but migrates the object to the engine's store. */
static void identity_operation(trial *t, operand *o)
{
    sl_unary_op same = sl_unary_op_get(SL_UNARY_IDENTITY, o->model.type);
    OK(t->ctx, o->A ? sl_matrix_apply(o->A, NULL, NULL, same, o->A, NULL)
                    : sl_vector_apply(o->v, NULL, NULL, same, o->v, NULL));
}

static void resize(trial *t, operand *o)
{
    uint64_t m = 1 + trial_below(t, 40), n = o->A ? 1 + trial_below(t, 8) : 1;
    OK(t->ctx, o->A ? sl_matrix_resize(o->A, m, n) : sl_vector_resize(o->v, m));
    model resized = model_resize(&o->model, m, n);
    model_free(&o->model);
    o->model = resized;
}

void try_entries(trial *t)
{
    trial_any_values(t);
    uint64_t n = t->matrices ? 1 + trial_below(t, 7) : 1;
    operand *o = t->out = trial_make(t, t->matrices, t->type, 1 + trial_below(t, 40), n);
    for (int step = 0; step < 10; step++) {
        uint64_t i = trial_below(t, o->model.nrows), j = trial_below(t, o->model.ncols);
        switch (trial_below(t, 8)) {
        case 0:
        case 1:
            set_one(t, o, i, j);
            break;
        case 2:
            remove_one(t, o, i, j);
            break;
        case 3:
            read_or_write_one(t, o);
            break;
        case 4:
            resize(t, o);
            break;
        case 5:
            identity_operation(t, o);
            break;
        default:
            get_one(t, o, i, j);
        }
    }
}
