/*
 * Assignments of a scalar or a vector to a whole vector under a mask: every engine compared with SuiteSparse,
 * for vectors of few and of many entries, kept as lists and as bitmaps, and for operands that are the same.
 */
#include <stdlib.h>
#include <string.h>

#include <semla/object.h>

#include "host_and_engine.h"

enum { W, MASK, INPUT, OPERANDS };
typedef enum { NONE, FEW, THIRD, MOST, FILLS } fill;
typedef enum { DISTINCT, W_IS_MASK, W_IS_INPUT, MASK_IS_INPUT, ALIASES } alias;

typedef struct {
    uint64_t size;
    sl_type type;
    fill fills[OPERANDS];
    bool as_bitmap[OPERANDS];
    bool of_scalar;
    alias same;
    unsigned flags;
} assignment;

static bool has(fill f, uint64_t k, uint64_t salt)
{
    const uint64_t hash = (k + salt) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    const double share = (double)hash / 0x1p24;
    return f == FEW     ? k % 997 == 5 + salt % 7
           : f == THIRD ? share < 0.33
                        : f == MOST && share < 0.9;
}

static sl_vector *vector_of(sl_context *ctx, const assignment *a, int operand)
{
    uint64_t *index = malloc(a->size * sizeof *index), count = 0;
    double *value = malloc(a->size * sizeof *value);
    sl_vector *from, *v;
    for (uint64_t k = 0; k < a->size; k++)
        if (has(a->fills[operand], k, 11u * (unsigned)operand)) {
            index[count] = k;
            value[count++] = (double)(k % 100 + (unsigned)operand);
        }
    OK(ctx, sl_vector_new(&from, ctx, SL_FP64, a->size));
    OK(ctx, sl_vector_build(from, index, value, count, NULL));
    OK(ctx, sl_vector_new(&v, ctx, a->type, a->size));
    OK(ctx,
       sl_vector_apply(v, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, a->type), from, NULL));
    OK(ctx, sl_object_prefer(sl_object_of_vector(v),
                             a->as_bitmap[operand] ? SL_FORM_BITMAP : SL_FORM_ANY));
    sl_vector_free(from);
    free(index);
    free(value);
    return v;
}

static sl_arrays result_of(sl_context *ctx, const assignment *a)
{
    const sl_descriptor desc = sl_descriptor_get(a->flags);
    sl_vector *w = vector_of(ctx, a, W), *mask = vector_of(ctx, a, MASK),
              *input = vector_of(ctx, a, INPUT);
    const sl_vector *under = a->same == W_IS_MASK ? w : mask, *from = a->same == W_IS_INPUT ? w
                                                                      : a->same == MASK_IS_INPUT
                                                                          ? mask
                                                                          : input;
    sl_arrays out;
    for (int k = 0; k < 2; k++) /* the second time w is in the form of the first result */
        if (a->of_scalar)
            OK(ctx,
               sl_vector_assign_scalar(w, under, NULL, sl_scalar_fp64(7 + k), SL_ALL, 0, desc));
        else
            OK(ctx, sl_vector_assign(w, under, NULL, from, SL_ALL, 0, desc));
    OK(ctx, sl_vector_copy_out(&out, w, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &out));
    sl_vector_free(w);
    sl_vector_free(mask);
    sl_vector_free(input);
    return out;
}

static void check(const assignment *a)
{
    sl_arrays expected = result_of(host, a), got = result_of(engine, a);
    const size_t count = expected.nvals, value = sl_type_size(a->type);
    if (got.nvals != count || memcmp(got.rows, expected.rows, count * sizeof *got.rows) != 0 ||
        memcmp(got.values, expected.values, count * value) != 0)
        fail_msg("%s: %s of %zu %s, w %d%s, mask %d%s, input %d%s, flags %u, same %d: %zu entries, "
                 "expected %zu",
                 tested.name, a->of_scalar ? "scalar" : "vector", (size_t)a->size,
                 sl_type_name(a->type), (int)a->fills[W], a->as_bitmap[W] ? " (bitmap)" : "",
                 (int)a->fills[MASK], a->as_bitmap[MASK] ? " (bitmap)" : "", (int)a->fills[INPUT],
                 a->as_bitmap[INPUT] ? " (bitmap)" : "", a->flags, (int)a->same, (size_t)got.nvals,
                 count);
    sl_arrays_free(&expected);
    sl_arrays_free(&got);
}

static void fills_and_forms(void **state)
{
    (void)state;
    static const unsigned flags[] = {SL_STRUCTURE, SL_STRUCTURE | SL_REPLACE,
                                     SL_STRUCTURE | SL_COMPLEMENT,
                                     SL_STRUCTURE | SL_REPLACE | SL_COMPLEMENT};
    static const sl_type types[] = {SL_BOOL, SL_INT16, SL_FP64};
    const unsigned cases = FILLS * FILLS * FILLS * 8 * 4 * 2;
    for (unsigned k = 0; k < cases; k++) {
        unsigned rest = k;
        assignment a = {.size = k % 2 ? 9000 : 4100 + k % 7};
        for (int o = 0; o < OPERANDS; o++, rest /= 2)
            a.as_bitmap[o] = rest % 2;
        for (int o = 0; o < OPERANDS; o++, rest /= FILLS)
            a.fills[o] = (fill)(rest % FILLS);
        a.flags = flags[rest % 4];
        a.of_scalar = rest / 4 % 2;
        const unsigned hash = k * 2654435761u;
        a.type = types[(hash >> 28) % 3];
        a.same = (alias)((hash >> 20) % ALIASES);
        check(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fills_and_forms)};
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
