/*
 * Vectors that have few entries compared with their size, up to 2^32 - 1: the GPU against
 * SuiteSparse, in random chains of operations. The long ones are lists, for bitmaps
 * of which no device has room; of the short ones the forms change.
 * SEMLA_TEST_SEED=n does chain n alone, SEMLA_TEST_TRIALS=n so many.
 */
#define _POSIX_C_SOURCE 200112L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "try.h"

enum { VECTORS = 4, STEPS = 12, MOST = 40, MASK = VECTORS };

typedef struct {
    sl_context *ctx;
    sl_vector *v[VECTORS + 1]; /* of the trial's type, and a mask of bool */
} side;

typedef struct {
    uint64_t random, size;
    sl_type type;
    char what[128]; /* the last step */
} trial;

static uint64_t draw(trial *t, uint64_t below)
{
    return test_random(&t->random) % below;
}

/* Half of the indices are among few, so that vectors meet. */
static uint64_t draw_index(trial *t)
{
    uint64_t few = t->size < 50 ? t->size : 50;
    return draw(t, 2) ? draw(t, few) * (t->size / few) : draw(t, t->size);
}

static sl_scalar draw_value(trial *t)
{
    return sl_scalar_cast(sl_scalar_int64((int64_t)draw(t, 7) - 3), t->type);
}

/* ---- the steps ------------------------------------------------------------------------ */

/* What a step is made of: drawn once, done on both sides. */
typedef struct {
    unsigned kind, flags;
    int to, from, other;
    bool masked, accumulates, all;
    uint64_t count, size, index[MOST];
    sl_scalar x, y;
    sl_scalar value[MOST];
} step;

enum {
    SET,
    REMOVE,
    BUILD,
    DUP,
    ADD,
    MULT,
    UNION,
    APPLY,
    BIND,
    SELECT,
    INDEX,
    ASSIGN,
    ASSIGN_SCALAR,
    EXTRACT,
    REDUCE,
    RESIZE,
    KINDS
};
static const char *const names[KINDS] = {
    "set",  "remove", "build", "dup",    "add",           "mult",    "union",  "apply",
    "bind", "select", "index", "assign", "assign_scalar", "extract", "reduce", "resize"};

static step draw_step(trial *t)
{
    static const unsigned flags[] = {0,
                                     SL_REPLACE,
                                     SL_STRUCTURE,
                                     SL_COMPLEMENT | SL_REPLACE,
                                     SL_COMPLEMENT | SL_STRUCTURE,
                                     SL_REPLACE | SL_STRUCTURE,
                                     SL_TRANSPOSE_A};
    step s = {.kind = (unsigned)draw(t, KINDS),
              .to = (int)draw(t, VECTORS),
              .from = (int)draw(t, VECTORS),
              .other = (int)draw(t, VECTORS),
              .masked = draw(t, 3) == 0,
              .accumulates = draw(t, 3) == 0,
              .all = draw(t, 2),
              .count = 1 + draw(t, draw(t, 2) ? 4 : MOST),
              .x = draw_value(t),
              .y = draw_value(t)};
    s.flags = flags[draw(t, s.masked ? 7 : 1)];
    for (uint64_t k = 0; k < s.count; k++) {
        s.index[k] = draw_index(t);
        s.value[k] = draw_value(t);
    }
    snprintf(t->what, sizeof t->what, "%s of %d and %d to %d, flags %u%s%s, %d indices",
             names[s.kind], s.from, s.other, s.to, s.flags, s.masked ? ", masked" : "",
             s.accumulates ? ", accumulated" : "", (int)s.count);
    return s;
}

/* An assignment to all of a long vector has no few entries; duplicates have no order. */
static bool makes_sense(const trial *t, const step *s)
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
    char values[MOST * sizeof(double)];
    for (uint64_t k = 0; k < s->count; k++)
        memcpy(values + k * sl_type_size(t->type), &s->value[k].as, sl_type_size(t->type));
    OK(d->ctx, sl_vector_clear(d->v[s->to]));
    OK(d->ctx, sl_vector_build(d->v[s->to], s->index, values, s->count,
                               sl_binary_op_get(SL_BINARY_PLUS, t->type)));
}

static void dup(side *d, const step *s)
{
    sl_vector *copy;
    OK(d->ctx, sl_vector_dup(&copy, d->v[s->from]));
    sl_vector_free(d->v[s->to]);
    d->v[s->to] = copy;
}

/* A vector of as many entries as there are indices, into which and out of which. */
static void assign_or_extract(const side *d, const trial *t, const step *s)
{
    sl_descriptor desc = sl_descriptor_get(s->flags);
    const sl_vector *mask = s->masked ? d->v[MASK] : NULL;
    sl_binary_op accum = s->accumulates ? sl_binary_op_get(SL_BINARY_MINUS, t->type) : NULL;
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

/* Shorter and back to its size, which drops what is past it. */
static void resize(const side *d, const trial *t, const step *s)
{
    OK(d->ctx, sl_vector_resize(d->v[s->to], 1 + s->index[0]));
    OK(d->ctx, sl_vector_resize(d->v[s->to], t->size));
}

static void elementwise(const side *d, const trial *t, const step *s)
{
    sl_descriptor desc = sl_descriptor_get(s->flags);
    const sl_vector *mask = s->masked ? d->v[MASK] : NULL;
    sl_vector *w = d->v[s->to], *u = d->v[s->from], *v = d->v[s->other];
    sl_binary_op accum = s->accumulates ? sl_binary_op_get(SL_BINARY_MINUS, t->type) : NULL;
    sl_binary_op minus = sl_binary_op_get(SL_BINARY_MINUS, t->type);
    sl_index_op above = sl_index_op_get(SL_INDEX_VALUEGT, t->type);
    switch (s->kind) {
    case ADD:
        OK(d->ctx, sl_vector_ewise_add(w, mask, accum, minus, u, v, desc));
        break;
    case MULT:
        OK(d->ctx, sl_vector_ewise_mult(w, mask, accum, minus, u, v, desc));
        break;
    case UNION:
        OK(d->ctx, sl_vector_ewise_union(w, mask, accum, minus, u, s->x, v, s->y, desc));
        break;
    case APPLY:
        OK(d->ctx,
           sl_vector_apply(w, mask, accum, sl_unary_op_get(SL_UNARY_AINV, t->type), u, desc));
        break;
    case BIND:
        OK(d->ctx, s->all ? sl_vector_apply_first(w, mask, accum, minus, s->x, u, desc)
                          : sl_vector_apply_second(w, mask, accum, minus, u, s->x, desc));
        break;
    case SELECT:
        OK(d->ctx, sl_vector_select(w, mask, accum, above, u, s->x, desc));
        break;
    default:
        OK(d->ctx, sl_vector_apply_index(w, mask, accum, above, u, s->x, desc));
    }
}

static void run(side *d, const trial *t, const step *s, sl_scalar *sum)
{
    sl_context *ctx = d->ctx;
    switch (s->kind) {
    case SET:
        for (uint64_t k = 0; k < s->count; k++)
            OK(ctx, sl_vector_set(d->v[s->to], s->index[k], s->value[k]));
        break;
    case REMOVE:
        for (uint64_t k = 0; k < s->count; k++)
            OK(ctx, sl_vector_remove(d->v[s->to], s->index[k]));
        break;
    case BUILD:
        build(d, t, s);
        break;
    case DUP:
        dup(d, s);
        break;
    case ASSIGN:
    case EXTRACT:
        assign_or_extract(d, t, s);
        break;
    case ASSIGN_SCALAR:
        OK(ctx, sl_vector_assign_scalar(d->v[s->to], s->masked ? d->v[MASK] : NULL,
                                        s->accumulates ? sl_binary_op_get(SL_BINARY_MINUS, t->type)
                                                       : NULL,
                                        s->x, s->all ? SL_ALL : s->index, s->all ? 0 : s->count,
                                        sl_descriptor_get(s->flags)));
        break;
    case REDUCE:
        OK(ctx, sl_vector_reduce(sum, NULL, sl_monoid_get(SL_MONOID_PLUS, t->type), d->v[s->from]));
        break;
    case RESIZE:
        resize(d, t, s);
        break;
    default:
        elementwise(d, t, s);
    }
}

/* ---- both sides ---------------------------------------------------------------------------- */

static void compare(const side *one, const side *other, const trial *t, int which)
{
    static uint64_t index[2][STEPS * 3 * MOST];
    static char values[2][STEPS * 3 * MOST * sizeof(double)];
    uint64_t count[2] = {STEPS * 3 * MOST, STEPS * 3 * MOST};
    const side *sides[2] = {one, other};
    size_t size = which == MASK ? 1 : sl_type_size(t->type);
    for (int k = 0; k < 2; k++)
        OK(sides[k]->ctx,
           sl_vector_extract_tuples(index[k], values[k], &count[k], sides[k]->v[which]));
    if (count[0] != count[1] || memcmp(index[0], index[1], count[0] * sizeof *index[0]) != 0 ||
        memcmp(values[0], values[1], count[0] * size) != 0)
        fail_msg("vector %d differs after %s", which, t->what);
}

static void begin(side *d, const trial *t)
{
    for (int k = 0; k < VECTORS; k++)
        OK(d->ctx, sl_vector_new(&d->v[k], d->ctx, t->type, t->size));
    OK(d->ctx, sl_vector_new(&d->v[MASK], d->ctx, SL_BOOL, t->size));
}

static void end(side *d)
{
    for (int k = 0; k <= VECTORS; k++)
        sl_vector_free(d->v[k]);
}

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
    begin(gpu, &t);
    begin(host, &t);
    for (int k = 0; k < VECTORS; k++) { /* something to begin with */
        step s = draw_step(&t);
        s.kind = BUILD;
        s.to = k;
        run(gpu, &t, &s, NULL);
        run(host, &t, &s, NULL);
        fill_mask(gpu, &s);
        fill_mask(host, &s);
    }
    for (int k = 0; k < STEPS; k++) {
        step s = draw_step(&t);
        sl_scalar sum[2] = {{0}};
        if (!makes_sense(&t, &s))
            continue;
        run(gpu, &t, &s, &sum[0]);
        run(host, &t, &s, &sum[1]);
        if (!sl_scalar_equal(sum[0], sum[1]))
            fail_msg("another sum after %s", t.what);
        compare(gpu, host, &t, s.to);
        if (draw(&t, 3) == 0)
            compare(gpu, host, &t, (int)draw(&t, VECTORS + 1));
    }
    end(gpu);
    end(host);
}

static bool begin_gpu(side *gpu)
{
    if (!has_gpu())
        return false;
    setenv("SEMLA_ENGINE", "cuda", 1); /* the GPU alone: what it does not take is an error */
    assert_int_equal(sl_context_create(&gpu->ctx, SL_ENGINE_CUDA), SL_OK);
    unsetenv("SEMLA_ENGINE");
    return true;
}

static void test_chains(void **state)
{
    const test_seeds seeds = test_seeds_from(1, 600);
    side gpu, host;
    if (!begin_gpu(&gpu))
        skip();
    assert_int_equal(sl_context_create(&host.ctx, SL_ENGINE_SUITESPARSE), SL_OK);
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
        print_message("SEMLA_TEST_SEED=%" PRIu64 "\r", seed);
        chain(&gpu, &host, seed);
    }
    sl_context_free(gpu.ctx);
    sl_context_free(host.ctx);
}

/* ---- little memory ------------------------------------------------------------------------ */

/* u has 20 entries, v, the mask and w have few. */
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

/* What a call that failed was to write is as it was: u's entries are never written. */
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
