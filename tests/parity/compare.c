/* Compares the results of a trial with the model, and describes trials and differences as text. */
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *role(const trial *t, const operand *o)
{
    return o == t->out    ? "output"
           : o == t->mask ? "mask"
           : o == t->a    ? "first input"
                          : "second input";
}

static void print_value(char *text, size_t room, sl_scalar x)
{
    if (trial_is_float(x.type))
        snprintf(text, room, "%.17g", sl_scalar_cast(x, SL_FP64).as.fp64_);
    else if (x.type == SL_UINT64)
        snprintf(text, room, "%" PRIu64, x.as.uint64_);
    else
        snprintf(text, room, "%" PRId64, sl_scalar_cast(x, SL_INT64).as.int64_);
}

static bool differs(const trial *t, const operand *o, uint64_t i, uint64_t j,
                    const model_cell *wanted, const sl_scalar *got, char *why, size_t room)
{
    char is[40] = "no entry", should[40] = "none";
    if (got)
        print_value(is, sizeof is, *got);
    if (wanted->count)
        print_value(should, sizeof should, wanted->value[0]);
    snprintf(why, room, "%s (%" PRIu64 ", %" PRIu64 ") of %s is %s, not %s%s", role(t, o), i, j,
             sl_type_name(o->model.type), is, should, wanted->count > 1 ? " or others" : "");
    return false;
}

static bool operand_agrees(const trial *t, const operand *o, char *why, size_t room)
{
    const model *M = &o->model;
    uint64_t count, there = M->nrows * M->ncols + 1, k = 0;
    size_t size = sl_type_size(M->type);
    uint64_t *rows = sl_calloc(there, sizeof *rows), *cols = sl_calloc(there, sizeof *cols);
    char *values = sl_calloc(there, size);
    assert_non_null(rows);
    assert_non_null(cols);
    assert_non_null(values);
    count = there;
    if (o->A)
        OK(t->ctx, sl_matrix_extract_tuples(rows, cols, values, &count, o->A));
    else
        OK(t->ctx, sl_vector_extract_tuples(rows, values, &count, o->v));
    bool equal = true;
    for (uint64_t i = 0; i < M->nrows && equal; i++)
        for (uint64_t j = 0; j < M->ncols && equal; j++) {
            const model_cell *wanted = model_at(M, i, j);
            if (t->owner && t->owner(o, i, j) != t->rank)
                continue;
            bool is = k < count && rows[k] == i && cols[k] == j;
            sl_scalar got = sl_scalar_load(M->type, values + (is ? k : 0) * size);
            k += is;
            if (is != (wanted->count > 0) || (is && !model_holds(wanted, got)))
                equal = differs(t, o, i, j, wanted, is ? &got : NULL, why, room);
        }
    if (equal && k != count) {
        snprintf(why, room, "%s: tuples out of order or out of range", role(t, o));
        equal = false;
    }
    sl_free(rows);
    sl_free(cols);
    sl_free(values);
    return equal;
}

static bool sum_agrees(const trial *t, char *why, size_t room)
{
    if (!t->right_sum.count || model_holds(&t->right_sum, t->sum))
        return true;
    char is[40], should[40];
    print_value(is, sizeof is, t->sum);
    print_value(should, sizeof should, t->right_sum.value[0]);
    snprintf(why, room, "the sum is %s %s, not %s %s%s", sl_type_name(t->sum.type), is,
             sl_type_name(t->right_sum.value[0].type), should,
             t->right_sum.count > 1 ? " or others" : "");
    return false;
}

bool trial_agrees(trial *t, char *why, size_t room)
{
    if (!sum_agrees(t, why, room))
        return false;
    for (int k = 0; k < t->count; k++)
        if (!operand_agrees(t, &t->operands[k], why, room))
            return false;
    return true;
}

static int print_operand(const trial *t, const operand *o, const char *name, char *text,
                         size_t room)
{
    if (!o)
        return 0;
    return snprintf(text, room, " %s%s %s %" PRIu64 " x %" PRIu64, name,
                    o == t->out && strcmp(name, "out") ? " (= out)" : "",
                    sl_type_name(o->model.type), o->model.nrows, o->model.ncols);
}

void trial_describe(const trial *t, char *text, size_t room)
{
    static const char *const flags[] = {"replace", "complement", "structure", "transpose_a",
                                        "transpose_b"};
    int n = snprintf(text, room, "%s_%s %s", t->matrices ? "matrix" : "vector", t->operation,
                     t->operator_name ? t->operator_name : "-");
    if (t->accum)
        n += snprintf(text + n, room - (size_t)n, " accum %s", t->accum->name);
    for (int k = 0; k < 5; k++)
        if (t->flags & 1u << k)
            n += snprintf(text + n, room - (size_t)n, " %s", flags[k]);
    n += print_operand(t, t->out, "out", text + n, room - (size_t)n);
    n += print_operand(t, t->mask, "mask", text + n, room - (size_t)n);
    n += print_operand(t, t->a, "a", text + n, room - (size_t)n);
    print_operand(t, t->b, "b", text + n, room - (size_t)n);
}
