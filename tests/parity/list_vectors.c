/*
 * Vectors with few entries relative to their size, up to 2^32 - 1: the GPU compared with
 * SuiteSparse in random chains of operations. Long vectors are always lists, because no device has
 * memory for their bitmaps; short ones change between list and bitmap. SEMLA_TEST_SEED=n runs chain
 * n only, SEMLA_TEST_TRIALS=n runs n chains.
 */
#include <string.h>

#include "try.h"
#include "vector_chains.h"

enum { VECTORS = 4, STEPS = 12, MASK = VECTORS };

/* ---- steps ----------------------------------------------------------------------- */

/* Half of the indices are drawn from a small set, so that vectors have common indices. */
static uint64_t draw_index(trial *t)
{
    uint64_t few = t->size < 50 ? t->size : 50;
    return draw(t, 2) ? draw(t, few) * (t->size / few) : draw(t, t->size);
}

static step draw_list_step(trial *t)
{
    static const step_kind kinds[] = {SET,           REMOVE,  BUILD,  DUP,    ADD,   MULT,
                                      UNION,         APPLY,   BIND,   SELECT, INDEX, ASSIGN,
                                      ASSIGN_SCALAR, EXTRACT, REDUCE, RESIZE};
    step s = draw_step(t, kinds, sizeof kinds / sizeof *kinds, VECTORS);
    s.count = 1 + draw(t, draw(t, 2) ? 4 : MOST_INDICES);
    for (uint64_t k = 0; k < s.count; k++) {
        s.index[k] = draw_index(t);
        s.value[k] = draw_value(t);
    }
    describe_step(t, &s);
    return s;
}

/* Excludes assignments to all of a long vector, which would not have few entries, and duplicates,
 * whose result is undefined. */
static bool is_defined(const trial *t, const step *s)
{
    if (s->kind == ASSIGN_SCALAR && s->all && (!s->masked || (s->flags & SL_COMPLEMENT)))
        return t->size < 1000;
    if (s->kind != ASSIGN && s->kind != ASSIGN_SCALAR)
        return true;
    for (uint64_t k = 0; k < s->count; k++)
        for (uint64_t j = 0; j < k; j++)
            if (s->index[j] == s->index[k])
                return false;
    return true;
}

static void build(const side *d, const trial *t, const step *s)
{
    char values[MOST_INDICES * sizeof(double)];
    for (uint64_t k = 0; k < s->count; k++)
        memcpy(values + k * sl_type_size(t->type), &s->value[k].as, sl_type_size(t->type));
    OK(d->ctx, sl_vector_clear(d->v[s->to]));
    OK(d->ctx, sl_vector_build(d->v[s->to], s->index, values, s->count,
                               sl_binary_op_get(SL_BINARY_PLUS, t->type)));
}

/* Assigns or extracts, with a second vector that has as many entries as there are indices. */
static void assign_or_extract(const side *d, const trial *t, const step *s)
{
    sl_descriptor desc = sl_descriptor_get(s->flags);
    const sl_vector *mask = mask_of(d, s);
    sl_binary_op accum = accumulator_of(t, s);
    sl_vector *small;
    if (s->all && s->kind == ASSIGN) {
        OK(d->ctx, sl_vector_assign(d->v[s->to], mask, accum, d->v[s->from], SL_ALL, 0, desc));
        return;
    }
    if (s->all) {
        OK(d->ctx, sl_vector_extract(d->v[s->to], mask, accum, d->v[s->from], SL_ALL, 0, desc));
        return;
    }
    OK(d->ctx, sl_vector_new(&small, d->ctx, t->type, s->count));
    if (s->kind == EXTRACT) {
        OK(d->ctx, sl_vector_extract(small, NULL, NULL, d->v[s->from], s->index, s->count, NULL));
        OK(d->ctx, sl_vector_clear(d->v[s->to]));
        for (uint64_t k = 0; k < s->count; k++) {
            sl_scalar x;
            if (sl_vector_get(&x, small, k) == SL_OK)
                OK(d->ctx, sl_vector_set(d->v[s->to], k % t->size, x));
        }
    } else {
        for (uint64_t k = 0; k < s->count; k += 2)
            OK(d->ctx, sl_vector_set(small, k, s->value[k]));
        OK(d->ctx, sl_vector_assign(d->v[s->to], mask, accum, small, s->index, s->count, desc));
    }
    sl_vector_free(small);
}

/* Resizing to a smaller size and back drops the entries beyond the smaller size. */
static void resize(const side *d, const trial *t, const step *s)
{
    OK(d->ctx, sl_vector_resize(d->v[s->to], 1 + s->index[0]));
    OK(d->ctx, sl_vector_resize(d->v[s->to], t->size));
}

static void run(side *d, const trial *t, const step *s, sl_scalar *sum)
{
    if (run_common(d, t, s, sum))
        return;
    switch (s->kind) {
    case SET:
        for (uint64_t k = 0; k < s->count; k++)
            OK(d->ctx, sl_vector_set(d->v[s->to], s->index[k], s->value[k]));
        break;
    case REMOVE:
        for (uint64_t k = 0; k < s->count; k++)
            OK(d->ctx, sl_vector_remove(d->v[s->to], s->index[k]));
        break;
    case BUILD:
        build(d, t, s);
        break;
    case RESIZE:
        resize(d, t, s);
        break;
    default:
        assign_or_extract(d, t, s);
    }
}

/* ---- chains ---------------------------------------------------------------------- */

static void fill_mask(const side *d, const step *s)
{
    for (uint64_t k = 0; k < s->count; k++)
        OK(d->ctx, sl_vector_set(d->v[MASK], s->index[k], sl_scalar_bool(k % 3 != 0)));
}

static void chain(side *gpu, side *host, uint64_t seed)
{
    static const uint64_t sizes[] = {1, 5, 70, 3000, UINT64_C(1) << 31, UINT32_MAX};
    static const sl_type types[] = {SL_INT64, SL_INT16, SL_FP32, SL_UINT8};
    trial t = {.random = seed};
    t.size = sizes[draw(&t, 6)];
    t.type = types[draw(&t, 4)];
    begin_side(gpu, &t, VECTORS);
    begin_side(host, &t, VECTORS);
    for (int k = 0; k < VECTORS; k++) { /* initial entries */
        step s = draw_list_step(&t);
        s.kind = BUILD;
        s.to = k;
        run(gpu, &t, &s, NULL);
        run(host, &t, &s, NULL);
        fill_mask(gpu, &s);
        fill_mask(host, &s);
    }
    for (int k = 0; k < STEPS; k++) {
        step s = draw_list_step(&t);
        sl_scalar sum[2] = {{0}};
        if (!is_defined(&t, &s))
            continue;
        run(gpu, &t, &s, &sum[0]);
        run(host, &t, &s, &sum[1]);
        if (!sl_scalar_equal(sum[0], sum[1]))
            fail_msg("another sum after %s", t.what);
        compare(gpu, host, &t, s.to);
        if (draw(&t, 3) == 0)
            compare(gpu, host, &t, (int)draw(&t, VECTORS + 1));
    }
    end_side(gpu);
    end_side(host);
}

static void test_chains(void **state)
{
    run_chains(chain, 600);
}

/* ---- failing allocations --------------------------------------------------------- */

/* u has 20 entries; v, the mask and w have few. */
typedef struct {
    sl_context *ctx;
    sl_vector *u, *v, *w, *mask;
} lists;

static sl_status make_lists(lists *l)
{
    uint64_t index[20];
    int64_t values[20];
    for (uint64_t k = 0; k < 20; k++) {
        index[k] = 100 * k;
        values[k] = (int64_t)k;
    }
    TRY(sl_vector_new(&l->u, l->ctx, SL_INT64, UINT32_MAX));
    TRY(sl_vector_new(&l->v, l->ctx, SL_INT64, UINT32_MAX));
    TRY(sl_vector_new(&l->w, l->ctx, SL_INT64, UINT32_MAX));
    TRY(sl_vector_new(&l->mask, l->ctx, SL_BOOL, UINT32_MAX));
    TRY(sl_vector_build(l->u, index, values, 20, NULL));
    for (uint64_t k = 0; k < 4; k++) {
        TRY(sl_vector_set(l->v, 300 * k, sl_scalar_int64(1)));
        TRY(sl_vector_set(l->w, 200 * k, sl_scalar_int64(2)));
        TRY(sl_vector_set(l->mask, 100 * k, sl_scalar_bool(true)));
    }
    return SL_OK;
}

static sl_status use_lists(lists *l, sl_vector **copy)
{
    static const uint64_t some[] = {7, 100, UINT32_MAX - 1};
    sl_scalar x = sl_scalar_int64(3);
    TRY(make_lists(l));
    TRY(sl_vector_ewise_add(l->w, l->mask, SL_PLUS_INT64, SL_PLUS_INT64, l->u, l->v, NULL));
    TRY(sl_vector_ewise_mult(l->w, NULL, NULL, SL_PLUS_INT64, l->u, l->w, NULL));
    TRY(sl_vector_apply(l->w, l->mask, NULL, SL_AINV_INT64, l->u, sl_descriptor_get(SL_REPLACE)));
    TRY(sl_vector_select(l->w, NULL, NULL, SL_VALUEGT_INT64, l->u, x, NULL));
    TRY(sl_vector_assign_scalar(l->w, l->mask, NULL, x, SL_ALL, 0, NULL));
    TRY(sl_vector_assign_scalar(l->w, NULL, SL_PLUS_INT64, x, some, 3, NULL));
    TRY(sl_vector_extract(l->w, NULL, NULL, l->u, SL_ALL, 0, NULL));
    TRY(sl_vector_reduce(&x, NULL, SL_PLUS_MONOID_INT64, l->w));
    TRY(sl_vector_dup(copy, l->w));
    return sl_vector_resize(l->w, 1000);
}

/* After a failed call, its output is unchanged: the entries of u are never written. */
static sl_status use_and_free(void *context)
{
    lists l = {.ctx = context};
    sl_vector *copy = NULL;
    uint64_t count = 20;
    sl_status status = use_lists(&l, &copy);
    allocator_pause(true);
    if (l.mask && sl_vector_nvals(&count, l.u) == SL_OK && status == SL_OK)
        assert_int_equal(count, 20);
    allocator_pause(false);
    sl_vector_free(l.u);
    sl_vector_free(l.v);
    sl_vector_free(l.w);
    sl_vector_free(l.mask);
    sl_vector_free(copy);
    return status;
}

static void test_little_memory(void **state)
{
    side gpu;
    if (!begin_gpu(&gpu))
        skip();
    assert_int_equal(use_and_free(gpu.ctx), SL_OK);
    assert_true(allocator_fail_each(use_and_free, gpu.ctx) > 100);
    sl_context_free(gpu.ctx);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains),
                                       cmocka_unit_test(test_little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
