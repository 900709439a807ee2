/*
 * gather and scatter of vectors larger than a block of threads, on every engine, compared with
 * plain loops: as many indices as entries, few indices of a large vector, many indices of a small
 * one, which all change the same entries; full vectors, and such with missing entries; an output
 * that is an input, too.
 */
#include "support.h"

#include <inttypes.h>
#include <stdlib.h>

static sl_context *ctx;

/* A vector as an array: values, or MISSING. */
enum { MISSING = INT32_MIN };

typedef struct {
    uint64_t size;
    int64_t *values;
} array;

static array new_array(uint64_t size)
{
    array a = {size, malloc((size + 1) * sizeof *a.values)};
    assert_non_null(a.values);
    for (uint64_t i = 0; i < size; i++)
        a.values[i] = MISSING;
    return a;
}

/* Numbers below `bound`; of 100 entries `percent` are present. */
static array random_array(uint64_t size, uint64_t bound, uint64_t percent, uint64_t *random)
{
    array a = new_array(size);
    for (uint64_t i = 0; i < size && bound > 0; i++)
        if (test_random(random) % 100 < percent)
            a.values[i] = (int64_t)(test_random(random) % bound);
    return a;
}

static sl_vector *vector_of(array a, sl_type type)
{
    uint64_t *index = malloc((a.size + 1) * sizeof *index), count = 0;
    int64_t *values = malloc((a.size + 1) * sizeof *values);
    sl_vector *v, *wide;
    assert_true(index && values);
    for (uint64_t i = 0; i < a.size; i++)
        if (a.values[i] != MISSING) {
            index[count] = i;
            values[count++] = a.values[i];
        }
    OK(ctx, sl_vector_new(&wide, ctx, SL_INT64, a.size));
    OK(ctx, sl_vector_build(wide, index, values, count, NULL));
    OK(ctx, sl_vector_new(&v, ctx, type, a.size));
    OK(ctx, sl_vector_assign(v, NULL, NULL, wide, SL_ALL, 0, NULL));
    sl_vector_free(wide);
    free(index);
    free(values);
    return v;
}

static void check(const sl_vector *v, array right, const char *what)
{
    uint64_t count = right.size, k = 0;
    uint64_t *index = malloc((count + 1) * sizeof *index);
    int64_t *values = malloc((count + 1) * sizeof *values);
    sl_vector *wide;
    assert_true(index && values);
    OK(ctx, sl_vector_new(&wide, ctx, SL_INT64, right.size));
    OK(ctx, sl_vector_assign(wide, NULL, NULL, v, SL_ALL, 0, NULL));
    OK(ctx, sl_vector_extract_tuples(index, values, &count, wide));
    for (uint64_t i = 0; i < right.size; i++) {
        bool has = k < count && index[k] == i;
        int64_t got = has ? values[k++] : MISSING;
        if (got != right.values[i])
            fail_msg("%s: entry %" PRIu64 " is %" PRId64 ", not %" PRId64, what, i, got,
                     right.values[i]);
    }
    sl_vector_free(wide);
    free(index);
    free(values);
}

static array copy_of(array a)
{
    array b = new_array(a.size);
    for (uint64_t i = 0; i < a.size; i++)
        b.values[i] = a.values[i];
    return b;
}

typedef struct {
    sl_monoid_code code; /* SL_MONOID_COUNT: none, any value */
    sl_type type;
} monoid_choice;

static int64_t combine(sl_monoid_code code, int64_t x, int64_t y)
{
    if (code == SL_MONOID_PLUS)
        return x + y;
    return (code == SL_MONOID_MIN) == (x < y) ? x : y;
}

/* The values that are scattered: all that have the same index are equal for `any`. */
static array values_for(array indices, monoid_choice m, uint64_t percent, uint64_t *random)
{
    array u = random_array(indices.size, 100, percent, random);
    bool any = m.code == SL_MONOID_ANY || m.code == SL_MONOID_COUNT;
    for (uint64_t i = 0; any && i < u.size; i++)
        if (u.values[i] != MISSING && indices.values[i] != MISSING)
            u.values[i] = indices.values[i] % 100;
    return u;
}

static array scattered(array w, array u, array indices, sl_monoid_code code, bool accumulates)
{
    array t = new_array(w.size), z = copy_of(w);
    for (uint64_t i = 0; i < u.size; i++) {
        if (indices.values[i] == MISSING)
            continue;
        int64_t *at = &t.values[indices.values[i]];
        if (u.values[i] != MISSING)
            *at = *at == MISSING ? u.values[i] : combine(code, *at, u.values[i]);
        if (!accumulates)
            z.values[indices.values[i]] = MISSING;
    }
    for (uint64_t j = 0; j < w.size; j++)
        if (t.values[j] != MISSING)
            z.values[j] = accumulates && w.values[j] != MISSING
                              ? combine(code, w.values[j], t.values[j])
                              : t.values[j];
    free(t.values);
    return z;
}

static void try_scatter(array w, array indices, monoid_choice m, uint64_t percent, bool accumulates,
                        uint64_t *random)
{
    sl_monoid dup = m.code == SL_MONOID_COUNT ? NULL : sl_monoid_get(m.code, m.type);
    array u = values_for(indices, m, percent, random);
    array right = scattered(w, u, indices, m.code, accumulates);
    sl_vector *vw = vector_of(w, m.type), *vu = vector_of(u, m.type),
              *vi = vector_of(indices, accumulates ? SL_INT64 : SL_UINT32);
    OK(ctx, sl_vector_scatter(vw, NULL, accumulates ? dup->op : NULL, dup, vu, vi, NULL));
    check(vw, right, dup ? dup->name : "no monoid");
    sl_vector_free(vw);
    sl_vector_free(vu);
    sl_vector_free(vi);
    free(u.values);
    free(right.values);
}

static void try_gather(array u, array indices, sl_type type)
{
    array right = new_array(indices.size);
    for (uint64_t i = 0; i < indices.size; i++)
        if (indices.values[i] != MISSING)
            right.values[i] = u.values[indices.values[i]];
    sl_vector *vw, *vu = vector_of(u, type), *vi = vector_of(indices, SL_INT32);
    OK(ctx, sl_vector_new(&vw, ctx, type, indices.size));
    OK(ctx, sl_vector_gather(vw, NULL, NULL, vu, vi, NULL));
    check(vw, right, "gather");
    sl_vector_free(vw);
    sl_vector_free(vu);
    sl_vector_free(vi);
    free(right.values);
}

static void try_size(uint64_t n, uint64_t count, uint64_t percent, uint64_t *random)
{
    static const monoid_choice monoids[] = {
        {SL_MONOID_MIN, SL_INT64}, {SL_MONOID_MIN, SL_FP32},   {SL_MONOID_MAX, SL_UINT8},
        {SL_MONOID_PLUS, SL_FP64}, {SL_MONOID_PLUS, SL_INT32}, {SL_MONOID_MAX, SL_INT16},
        {SL_MONOID_ANY, SL_INT64}, {SL_MONOID_COUNT, SL_UINT8}};
    array w = random_array(n, 100, percent, random),
          indices = random_array(count, n, percent, random);
    try_gather(w, indices, SL_INT64);
    try_gather(w, indices, SL_UINT8);
    for (size_t k = 0; k < sizeof monoids / sizeof *monoids; k++) {
        try_scatter(w, indices, monoids[k], percent, false, random);
        try_scatter(w, indices, monoids[k], 100, false, random);
        if (monoids[k].code < SL_MONOID_COUNT && monoids[k].code != SL_MONOID_ANY)
            try_scatter(w, indices, monoids[k], percent, true, random);
    }
    free(w.values);
    free(indices.values);
}

/* p becomes p(p): the output is the input and the index vector; then p(p) min= p. */
static void try_aliases(uint64_t n, uint64_t *random)
{
    array p = random_array(n, n, 100, random), once = new_array(n);
    for (uint64_t i = 0; i < n; i++)
        once.values[i] = p.values[p.values[i]];
    sl_vector *v = vector_of(p, SL_INT64);
    OK(ctx, sl_vector_gather(v, NULL, NULL, v, v, NULL));
    check(v, once, "p = p(p)");
    array least = scattered(once, once, once, SL_MONOID_MIN, true);
    OK(ctx, sl_vector_scatter(v, NULL, SL_MIN_INT64, SL_MIN_MONOID_INT64, v, v, NULL));
    check(v, least, "p(p) min= p");
    sl_vector_free(v);
    free(p.values);
    free(once.values);
    free(least.values);
}

enum { SIZES = 6 };

static void try_engine(sl_engine_choice choice)
{
    static const uint64_t large[SIZES][2] = {{100000, 100000}, {300000, 50}, {5, 200000},
                                             {1000, 1000},     {70000, 0},   {33, 1}};
    /* Just above what the host divides among threads. */
    static const uint64_t less[SIZES][2] = {{66000, 66000}, {66000, 50}, {5, 66000},
                                            {1000, 1000},   {70000, 0},  {33, 1}};
    static const uint64_t percents[] = {85, 100, 5};
    uint64_t random = 7;
    const bool gpu = choice == SL_ENGINE_CUDA;
    /* The openmp engine leaves these operations to SuiteSparse. */
    const size_t forms = choice == SL_ENGINE_OPENMP ? 1 : sizeof percents / sizeof *percents;
    for (size_t k = 0; k < SIZES; k++)
        for (size_t form = 0; form < forms; form++) {
            /* Sums of an int32 and of fp64 are exact: at most 200,000 values below 100. */
            const uint64_t *size = gpu ? large[k] : less[k];
            try_size(size[0], size[1], percents[form], &random);
        }
    try_aliases(70000, &random);
}

static void test_engines(void **state)
{
    sl_engine_info info;
    for (size_t position = 0; next_engine(&info, &position);) {
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        try_engine(info.choice);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
