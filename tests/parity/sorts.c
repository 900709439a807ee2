/* Trials of the gather of a matrix and of sort, which grids do not have. */
#include "operations.h"

/* ---- gather_matrix --------------------------------------------------------------- */

/* `count` indices below `bound`, an entry everywhere; a permutation if count = bound, in half of the
 * cases. */
static operand *complete_indices(trial *t, uint64_t count, uint64_t bound)
{
    static const sl_type types[] = {SL_INT8, SL_INT32, SL_INT64, SL_UINT16, SL_UINT64};
    model contents = model_new(types[trial_below(t, 5)], count, 1);
    uint64_t index[MAX_SIDE];
    for (uint64_t i = 0; i < count; i++)
        index[i] = count == bound ? i : trial_below(t, bound);
    if (count == bound && trial_chance(t, 50))
        for (uint64_t i = 0; i + 1 < count; i++) {
            const uint64_t j = i + trial_below(t, count - i), kept = index[i];
            index[i] = index[j];
            index[j] = kept;
        }
    else
        for (uint64_t i = 0; i < count; i++)
            index[i] = trial_below(t, bound);
    for (uint64_t i = 0; i < count; i++)
        model_put(&contents.cells[i], sl_scalar_cast(sl_scalar_uint64(index[i]), contents.type));
    return trial_object(t, false, contents);
}

/* A symmetric pattern, known to be one. */
static operand *symmetric_pattern(trial *t, uint64_t n)
{
    model contents = model_new(SL_BOOL, n, n);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j <= i; j++)
            if (trial_chance(t, 40)) {
                model_put(model_at(&contents, i, j), sl_scalar_bool(true));
                if (i != j)
                    model_put(model_at(&contents, j, i), sl_scalar_bool(true));
            }
    operand *o = trial_object(t, true, contents);
    OK(t->ctx, sl_matrix_apply(o->A, NULL, NULL, SL_ONE_BOOL, o->A, NULL));
    OK(t->ctx, sl_matrix_promise_symmetric(o->A));
    return o;
}

void try_gather_matrix(trial *t)
{
    t->matrices = true;
    trial_any_values(t);
    uint64_t n = trial_side(t), m = n == 0 ? 0 : trial_chance(t, 50) ? n : trial_side(t);
    trial_output(t, true, m, m);
    t->b = complete_indices(t, m, n);
    t->a = trial_chance(t, 40) ? symmetric_pattern(t, n) : trial_input(t, true, n, n);
    OK(t->ctx, sl_matrix_gather(t->out->A, trial_mask_matrix(t), t->accum, t->a->A, t->b->v,
                                trial_descriptor(t)));
    uint64_t index[MAX_SIDE];
    for (uint64_t i = 0; i < m; i++)
        index[i] = sl_scalar_cast(t->b->model.cells[i].value[0], SL_UINT64).as.uint64_;
    model A = trial_read(t->a, trial_transposes(t, SL_TRANSPOSE_A));
    const model_list list = {index, m};
    trial_expect(t, model_extract(&A, list, list));
    model_free(&A);
}

/* ---- sort ------------------------------------------------------------------------- */

static bool comes_before(sl_binary_op before, sl_scalar x, sl_scalar y)
{
    bool result;
    before->eval(&result, &x.as, &y.as);
    return result;
}

/* The sorted values, and their indices as int64. */
static void model_sort(model *values, model *order, sl_binary_op before, const model *u)
{
    uint64_t count = 0;
    *values = model_new(u->type, u->nrows, 1);
    *order = model_new(SL_INT64, u->nrows, 1);
    for (uint64_t i = 0; i < u->nrows; i++) {
        if (!u->cells[i].count)
            continue;
        const sl_scalar x = u->cells[i].value[0];
        uint64_t at = count++;
        for (; at > 0 && comes_before(before, x, values->cells[at - 1].value[0]); at--) {
            values->cells[at] = values->cells[at - 1];
            order->cells[at] = order->cells[at - 1];
        }
        values->cells[at].count = order->cells[at].count = 0;
        model_put(&values->cells[at], x);
        model_put(&order->cells[at], sl_scalar_int64((int64_t)i));
    }
}

/* The operands are the values, the order and u; in some trials one of the results is u. */
void try_sort(trial *t)
{
    t->matrices = false;
    trial_any_values(t);
    const uint64_t n = trial_side(t), wanted = trial_below(t, 3);
    const bool in_place = trial_chance(t, 20);
    model values, order;
    if (in_place && wanted == 1)
        t->type = SL_INT64;
    t->a = trial_make(t, false, t->type, n, 1);
    t->binary = sl_binary_op_get(trial_chance(t, 50) ? SL_BINARY_LT : SL_BINARY_GT, t->type);
    model_sort(&values, &order, t->binary, &t->a->model);
    sl_vector *w = NULL, *p = NULL;
    if (wanted != 1)
        w = in_place ? t->a->v : trial_make(t, false, t->type, n, 1)->v;
    if (wanted != 0)
        p = in_place && wanted == 1 ? t->a->v : trial_make(t, false, SL_INT64, n, 1)->v;
    OK(t->ctx, sl_vector_sort(w, p, t->binary, t->a->v));
    for (int k = 0; k < t->count; k++) {
        operand *o = &t->operands[k];
        if (o->v != w && o->v != p)
            continue;
        model_free(&o->model);
        o->model = model_copy(o->v == w ? &values : &order);
    }
    model_free(&values);
    model_free(&order);
    t->out = w ? &t->operands[in_place ? 0 : 1] : t->a;
}
