/* Trials of gather and scatter: index vectors of every integer type, full or with missing entries,
 * with equal indices. */
#include "operations.h"

/* A vector of `size` indices below `bound`; no entries if the bound is 0. */
static operand *index_vector(trial *t, uint64_t size, uint64_t bound)
{
    static const sl_type types[] = {SL_INT8,  SL_INT16,  SL_INT32,  SL_INT64,
                                    SL_UINT8, SL_UINT16, SL_UINT32, SL_UINT64};
    model contents = model_new(types[trial_below(t, 8)], size, 1);
    const int present[] = {0, 30, 80, 100}, percent = present[trial_below(t, 4)];
    uint64_t distinct = bound ? 1 + trial_below(t, bound) : 0;
    for (uint64_t i = 0; i < size && bound > 0; i++)
        if (trial_chance(t, percent))
            model_put(&contents.cells[i],
                      sl_scalar_cast(sl_scalar_uint64(trial_below(t, distinct)), contents.type));
    return trial_object(t, false, contents);
}

void try_gather(trial *t)
{
    t->matrices = false;
    trial_any_values(t);
    uint64_t m = trial_side(t), n = trial_side(t);
    trial_output(t, false, m, 1);
    t->b = index_vector(t, m, n);
    t->a = trial_input(t, false, n, 1);
    OK(t->ctx, sl_vector_gather(t->out->v, trial_mask_vector(t), t->accum, t->a->v, t->b->v,
                                trial_descriptor(t)));
    trial_expect(t, model_gather(&t->a->model, &t->b->model));
}

/* Values with which the order of a sum does not matter; with NaN for min and max, which ignore it.
 */
static void choose_monoid(trial *t)
{
    if (trial_chance(t, 20)) {
        trial_any_values(t);
        t->range = SMALL;
        return;
    }
    sl_monoid dup = trial_monoid(t);
    if (trial_is_float(t->type) && (dup->code == SL_MONOID_MIN || dup->code == SL_MONOID_MAX))
        t->range = NANS;
}

void try_scatter(trial *t)
{
    t->matrices = false;
    choose_monoid(t);
    uint64_t m = trial_side(t), n = trial_side(t);
    trial_output(t, false, m, 1);
    t->b = index_vector(t, n, m);
    t->a = trial_input(t, false, n, 1);
    model a = model_copy(&t->a->model), b = model_copy(&t->b->model); /* the output may be one */
    OK(t->ctx, sl_vector_scatter(t->out->v, trial_mask_vector(t), t->accum, t->monoid, t->a->v,
                                 t->b->v, trial_descriptor(t)));
    model_scatter(&t->out->model, trial_mask(t), t->accum, t->monoid, &a, &b);
    model_free(&a);
    model_free(&b);
}
