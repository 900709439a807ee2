/* Random choices of a trial: numbers, types, operators, values, shapes and index lists. */
#include "trial.h"

#include <math.h>

uint64_t trial_below(trial *t, uint64_t bound)
{
    return test_random(&t->state) % bound;
}

bool trial_chance(trial *t, int percent)
{
    return trial_below(t, 100) < (uint64_t)percent;
}

bool trial_is_float(sl_type type)
{
    return type == SL_FP32 || type == SL_FP64;
}

/* ---- operators ------------------------------------------------------------------- */

sl_type trial_type(trial *t)
{
    return (sl_type)trial_below(t, SL_TYPE_COUNT);
}

/* An operator of the table or one of the user-defined ones. Its functions are tested by functions.c:
 * on a GPU every one of them is a kernel to compile. */
#define CHOOSE(handle, COUNT, get, code_type, own)                                                 \
    do {                                                                                           \
        if (trial_chance(t, 15))                                                                   \
            handle = own[trial_below(t, sizeof own / sizeof *own)];                                \
        else                                                                                       \
            handle = get((code_type)trial_below(t, COUNT), trial_type(t));                         \
    } while (!handle)

sl_semiring trial_semiring(trial *t)
{
    sl_semiring s;
    CHOOSE(s, SL_SEMIRING_COUNT, sl_semiring_get, sl_semiring_code, t->user_operators->semiring);
    t->semiring = s;
    t->operator_name = s->name;
    t->type = s->multiply->type;
    t->range = trial_is_float(t->type) ? SMALL : WILD;
    return s;
}

sl_monoid trial_monoid(trial *t)
{
    sl_monoid m;
    CHOOSE(m, SL_MONOID_COUNT, sl_monoid_get, sl_monoid_code, t->user_operators->monoid);
    t->monoid = m;
    t->operator_name = m->name;
    t->type = m->type;
    if (m->code == SL_MONOID_TIMES && trial_is_float(m->type))
        t->range = POWERS;
    else /* `any` allows as many results as there are distinct values */
        t->range = m->any || trial_is_float(m->type) ? SMALL : WILD;
    return m;
}

sl_binary_op trial_binary(trial *t)
{
    sl_binary_op op;
    CHOOSE(op, SL_BINARY_RMINUS, sl_binary_op_get, sl_binary_code, t->user_operators->binary);
    t->binary = op;
    t->operator_name = op->name;
    t->type = op->type;
    t->range = WILD;
    return op;
}

sl_unary_op trial_unary(trial *t)
{
    sl_unary_op op;
    CHOOSE(op, SL_UNARY_SQRT, sl_unary_op_get, sl_unary_code, t->user_operators->unary);
    t->unary = op;
    t->operator_name = op->name;
    t->type = op->type;
    t->range = WILD;
    return op;
}

sl_index_op trial_index(trial *t)
{
    sl_index_op op;
    CHOOSE(op, SL_INDEX_COUNT, sl_index_op_get, sl_index_code, t->user_operators->index);
    t->index = op;
    t->operator_name = op->name;
    t->type = op->type;
    t->range = WILD;
    return op;
}

sl_binary_op trial_accumulator(trial *t)
{
    sl_binary_op op;
    if (trial_chance(t, 60))
        return NULL;
    do
        CHOOSE(op, SL_BINARY_RMINUS, sl_binary_op_get, sl_binary_code, t->user_operators->binary);
    while (op->positional);
    return op;
}

/* ---- values ---------------------------------------------------------------------- */

static sl_scalar greatest_or_least(sl_type type, bool least)
{
    switch (type) {
#define X(NAME, name, T, class, lo, hi, ...)                                                       \
    case SL_##NAME:                                                                                \
        return sl_scalar_##name(least ? lo : hi);
        SL_TYPES_NUM(X, )
#undef X
    default:
        return sl_scalar_bool(!least);
    }
}

sl_scalar trial_value(trial *t, sl_type type)
{
    if (t->range == POWERS)
        return sl_scalar_cast(sl_scalar_fp64((double)(1 << trial_below(t, 3)) / 2), type);
    if (trial_is_float(type) && t->range == NANS && trial_chance(t, 25))
        return sl_scalar_cast(sl_scalar_fp64(NAN), type);
    if (trial_is_float(type))
        return sl_scalar_cast(sl_scalar_fp64((double)trial_below(t, 9) / 2), type);
    if (t->range == WILD && trial_chance(t, 15))
        return greatest_or_least(type, trial_chance(t, 50));
    if (t->range == WILD && trial_chance(t, 15))
        return sl_scalar_cast(sl_scalar_uint64(test_random(&t->state)), type);
    int64_t least =
        type == SL_UINT8 || type == SL_UINT16 || type == SL_UINT32 || type == SL_UINT64 ? 0 : -3;
    return sl_scalar_cast(sl_scalar_int64(least + (int64_t)trial_below(t, 8)), type);
}

sl_scalar trial_thunk(trial *t)
{
    if (trial_chance(t, 50))
        return sl_scalar_int64((int64_t)trial_below(t, 12) - 4);
    if (trial_chance(t, 20))
        return greatest_or_least(SL_INT64, trial_chance(t, 50));
    return trial_value(t, trial_type(t));
}

/* ---- shapes and lists ------------------------------------------------------------ */

uint64_t trial_side(trial *t)
{
    uint64_t kind = trial_below(t, 20);
    return kind == 0   ? 0
           : kind < 4  ? 1
           : kind < 18 ? 2 + trial_below(t, 7)
                       : 2 + trial_below(t, MAX_SIDE - 1);
}

static void choose_array(trial *t, index_list *l, uint64_t bound, bool distinct)
{
    l->count = l->meant.count = trial_below(t, bound + 1);
    for (uint64_t k = 0; k < bound; k++)
        l->items[k] = distinct ? k : trial_below(t, bound);
    for (uint64_t k = 0; distinct && k < l->count; k++) {
        uint64_t other = k + trial_below(t, bound - k), kept = l->items[k];
        l->items[k] = l->items[other];
        l->items[other] = kept;
    }
}

static int64_t choose_step(trial *t)
{
    int64_t size = 1 + (int64_t)trial_below(t, 3);
    if (trial_chance(t, 10))
        size = INT64_MAX - (int64_t)trial_below(t, 2);
    return trial_chance(t, 50) ? size : -size - (size > 3 && trial_chance(t, 50));
}

/* A range begin, begin + step, ... up to end, and its indices. */
static void choose_range(trial *t, index_list *l, uint64_t bound)
{
    int64_t step = choose_step(t), last = (int64_t)bound - 1;
    int64_t begin = (int64_t)trial_below(t, bound + 2) - 1;
    int64_t end = (int64_t)trial_below(t, bound + 2) - 1;
    if (bound == 0)
        end = begin;
    else if (begin < 0 || begin > last)
        begin = trial_chance(t, 50) ? 0 : last;
    l->range[0] = (uint64_t)begin;
    l->range[1] = (uint64_t)end;
    l->range[2] = (uint64_t)step;
    while (step > 0 ? begin < end : begin > end) {
        l->items[l->meant.count++] = (uint64_t)begin;
        if (__builtin_add_overflow(begin, step, &begin))
            break;
    }
    l->list = l->range;
    l->count = SL_RANGE;
}

void trial_list(trial *t, index_list *l, uint64_t bound, bool distinct)
{
    *l = (index_list){.list = l->items, .meant.list = l->items};
    if (trial_chance(t, 30))
        choose_range(t, l, bound);
    else if (bound > 0 && trial_chance(t, 70))
        choose_array(t, l, bound, distinct);
    else
        *l = (index_list){.count = trial_below(t, 3), .meant.count = bound};
}
