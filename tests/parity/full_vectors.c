/*
 * Vectors all of whose entries are there, which the GPU keeps without bits: the GPU against
 * SuiteSparse, in random chains of operations in which vectors become full, stay so, and lose
 * entries. SEMLA_TEST_SEED=n does chain n alone, SEMLA_TEST_TRIALS=n so many.
 */
#define _POSIX_C_SOURCE 200112L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { VECTORS = 3, MASK = VECTORS, STEPS = 16, LARGEST = 5000, SOME = 6 };

typedef struct {
    sl_context *ctx;
    sl_vector *v[VECTORS + 1]; /* of the trial's type, and a mask of bool */
    sl_matrix *A;              /* square, of that type */
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

/* ---- the steps ------------------------------------------------------------------------ */

enum {
    FILL, /* thrice as often as others, so that most vectors are full */
    FILL_TOO,
    FILL_MASK,
    SCALAR,
    ASSIGN,
    EXTRACT,
    ADD,
    MULT,
    UNION,
    APPLY,
    BIND,
    INDEX,
    SELECT,
    MXV,
    VXM,
    ROWS,
    REDUCE,
    SET,
    REMOVE,
    DUP,
    RESIZE,
    KINDS
};
static const char *const names[KINDS] = {"fill",        "fill",   "fill of the mask",
                                         "scalar",      "assign", "extract",
                                         "add",         "mult",   "union",
                                         "apply",       "bind",   "index",
                                         "select",      "mxv",    "vxm",
                                         "reduce_rows", "reduce", "set",
                                         "remove",      "dup",    "resize"};

/* What a step is made of: drawn once, done on both sides. */
typedef struct {
    unsigned kind, flags;
    int to, from, other;
    bool masked, accumulates, all;
    uint64_t index[SOME]; /* all different; as many as there are, up to SOME */
    uint64_t count;
    sl_scalar x, y;
} step;

static step draw_step(trial *t)
{
    static const unsigned flags[] = {0,
                                     SL_REPLACE,
                                     SL_STRUCTURE,
                                     SL_COMPLEMENT | SL_REPLACE,
                                     SL_COMPLEMENT | SL_STRUCTURE,
                                     SL_REPLACE | SL_STRUCTURE};
    step s = {.kind = (unsigned)draw(t, KINDS),
              .to = (int)draw(t, VECTORS),
              .from = (int)draw(t, VECTORS),
              .other = (int)draw(t, VECTORS),
              .masked = draw(t, 3) == 0,
              .accumulates = draw(t, 3) == 0,
              .all = draw(t, 2),
              .count = t->size < SOME ? t->size : SOME};
    s.flags = flags[draw(t, s.masked ? 6 : 1)];
    s.x = sl_scalar_cast(sl_scalar_int64((int64_t)draw(t, 7) - 3), t->type);
    s.y = sl_scalar_cast(sl_scalar_int64((int64_t)draw(t, 7) - 3), t->type);
    for (uint64_t k = 0; k < s.count; k++)
        s.index[k] = k * (t->size / s.count) + draw(t, t->size / s.count);
    snprintf(t->what, sizeof t->what, "%s of %d and %d to %d, flags %u%s%s%s, size %" PRIu64,
             names[s.kind], s.from, s.other, s.to, s.flags, s.masked ? ", masked" : "",
             s.accumulates ? ", accumulated" : "", s.all ? ", all" : "", t->size);
    return s;
}

static void replace(side *d, int which, sl_vector *by)
{
    sl_vector_free(d->v[which]);
    d->v[which] = by;
}

/* A vector of as many entries as there are indices, into which and out of which. */
static void assign_or_extract(side *d, const trial *t, const step *s, sl_binary_op accum,
                              sl_descriptor desc)
{
    const sl_vector *mask = s->masked ? d->v[MASK] : NULL;
    sl_vector *w = d->v[s->to], *u = d->v[s->from], *small;
    const bool assigns = s->kind == ASSIGN;
    if (s->all) {
        OK(d->ctx,
           (assigns ? sl_vector_assign : sl_vector_extract)(w, mask, accum, u, SL_ALL, 0, desc));
        return;
    }
    OK(d->ctx, sl_vector_new(&small, d->ctx, t->type, s->count));
    OK(d->ctx, sl_vector_extract(small, NULL, NULL, u, s->index, s->count, NULL));
    if (assigns)
        OK(d->ctx, sl_vector_assign(w, mask, accum, small, s->index, s->count, desc));
    else
        OK(d->ctx, sl_vector_assign(w, NULL, NULL, small, s->index, s->count, NULL));
    sl_vector_free(small);
}

/* Shorter and back to its size, or longer and back. */
static void resize(const side *d, const trial *t, const step *s)
{
    uint64_t other = s->all ? t->size + 40 : (t->size + 1) / 2;
    OK(d->ctx, sl_vector_resize(d->v[s->to], other));
    OK(d->ctx, sl_vector_resize(d->v[s->to], t->size));
}

static void compute(const side *d, const trial *t, const step *s, sl_binary_op accum,
                    sl_descriptor desc)
{
    const sl_vector *mask = s->masked ? d->v[MASK] : NULL;
    sl_vector *w = d->v[s->to], *u = d->v[s->from], *v = d->v[s->other];
    sl_binary_op minus = sl_binary_op_get(SL_BINARY_MINUS, t->type);
    sl_index_op above = sl_index_op_get(SL_INDEX_VALUEGT, t->type);
    sl_monoid plus = sl_monoid_get(SL_MONOID_PLUS, t->type);
    sl_semiring ring = t->type == SL_INT64 ? SL_PLUS_TIMES_INT64 : SL_PLUS_TIMES_FP32;
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
    case INDEX:
        OK(d->ctx, sl_vector_apply_index(w, mask, accum, above, u, s->x, desc));
        break;
    case MXV:
        OK(d->ctx, sl_mxv(w, mask, accum, ring, d->A, u, desc));
        break;
    case VXM:
        OK(d->ctx, sl_vxm(w, mask, accum, ring, u, d->A, desc));
        break;
    default:
        OK(d->ctx, sl_matrix_reduce_rows(w, mask, accum, plus, d->A, desc));
    }
}

static void run(side *d, const trial *t, const step *s, sl_scalar *sum)
{
    sl_context *ctx = d->ctx;
    sl_binary_op accum = s->accumulates ? sl_binary_op_get(SL_BINARY_MINUS, t->type) : NULL;
    sl_descriptor desc = sl_descriptor_get(s->flags);
    sl_vector *copy;
    switch (s->kind) {
    case FILL:
    case FILL_TOO:
        OK(ctx, sl_vector_assign_scalar(d->v[s->to], NULL, accum, s->x, SL_ALL, 0, NULL));
        break;
    case FILL_MASK:
        OK(ctx,
           sl_vector_assign_scalar(d->v[MASK], NULL, NULL, sl_scalar_bool(true), SL_ALL, 0, NULL));
        if (s->all)
            OK(ctx, sl_vector_assign_scalar(d->v[MASK], NULL, NULL, sl_scalar_bool(false), s->index,
                                            s->count, NULL));
        break;
    case SCALAR:
        OK(ctx, sl_vector_assign_scalar(d->v[s->to], s->masked ? d->v[MASK] : NULL, accum, s->x,
                                        s->all ? SL_ALL : s->index, s->all ? 0 : s->count, desc));
        break;
    case ASSIGN:
    case EXTRACT:
        assign_or_extract(d, t, s, accum, desc);
        break;
    case REDUCE:
        OK(ctx, sl_vector_reduce(sum, NULL, sl_monoid_get(SL_MONOID_PLUS, t->type), d->v[s->from]));
        break;
    case SET:
        OK(ctx, sl_vector_set(d->v[s->to], s->index[0], s->x));
        break;
    case REMOVE:
        OK(ctx, sl_vector_remove(d->v[s->all ? s->to : MASK], s->index[0]));
        break;
    case DUP:
        OK(ctx, sl_vector_dup(&copy, d->v[s->from]));
        replace(d, s->to, copy);
        break;
    case RESIZE:
        resize(d, t, s);
        break;
    default:
        compute(d, t, s, accum, desc);
    }
}

/* ---- both sides ---------------------------------------------------------------------------- */

static void compare(const side *one, const side *other, const trial *t, int which)
{
    static uint64_t index[2][LARGEST];
    static char values[2][LARGEST * sizeof(int64_t)];
    uint64_t count[2] = {LARGEST, LARGEST}, nvals;
    const side *sides[2] = {one, other};
    size_t size = which == MASK ? 1 : sl_type_size(t->type);
    for (int k = 0; k < 2; k++) {
        OK(sides[k]->ctx,
           sl_vector_extract_tuples(index[k], values[k], &count[k], sides[k]->v[which]));
        OK(sides[k]->ctx, sl_vector_nvals(&nvals, sides[k]->v[which]));
        assert_int_equal(nvals, count[k]);
    }
    if (count[0] != count[1] || memcmp(index[0], index[1], count[0] * sizeof *index[0]) != 0 ||
        memcmp(values[0], values[1], count[0] * size) != 0)
        fail_msg("vector %d differs after %s", which, t->what);
    sl_scalar x = {0}, y = {0};
    sl_status got = sl_vector_get(&x, one->v[which], t->size / 2);
    assert_int_equal(got, sl_vector_get(&y, other->v[which], t->size / 2));
    assert_true(got == SL_NO_VALUE || sl_scalar_equal(x, y));
}

/* About three entries in a row; every seventh row has none, unless all are to have some. */
static void make_matrix(side *d, const trial *t, bool all_rows, uint64_t random)
{
    uint64_t n = t->size, count = 0, *rows = malloc(3 * n * sizeof *rows);
    uint64_t *cols = malloc(3 * n * sizeof *cols);
    int64_t *values = malloc(3 * n * sizeof *values);
    for (uint64_t i = 0; i < n; i++)
        for (int k = 0; k < 3 && (all_rows || i % 7 != 3); k++, count++) {
            rows[count] = i;
            cols[count] = test_random(&random) % n;
            values[count] = 1;
        }
    OK(d->ctx, sl_matrix_new(&d->A, d->ctx, SL_INT64, n, n));
    OK(d->ctx, sl_matrix_build(d->A, rows, cols, values, count, SL_PLUS_INT64));
    if (t->type != SL_INT64) {
        sl_matrix *cast;
        OK(d->ctx, sl_matrix_new(&cast, d->ctx, t->type, n, n));
        OK(d->ctx, sl_matrix_assign(cast, NULL, NULL, d->A, SL_ALL, 0, SL_ALL, 0, NULL));
        sl_matrix_free(d->A);
        d->A = cast;
    }
    free(rows);
    free(cols);
    free(values);
}

static void begin(side *d, const trial *t, bool all_rows, uint64_t seed)
{
    for (int k = 0; k <= MASK; k++)
        OK(d->ctx, sl_vector_new(&d->v[k], d->ctx, k == MASK ? SL_BOOL : t->type, t->size));
    make_matrix(d, t, all_rows, seed);
}

static void end(side *d)
{
    for (int k = 0; k <= MASK; k++)
        sl_vector_free(d->v[k]);
    sl_matrix_free(d->A);
}

/* Sums stay small, so that floats are exact: what grows beyond that is begun anew. */
static bool is_exact(const sl_scalar *sum)
{
    sl_scalar as = sl_scalar_cast(*sum, SL_FP64);
    return as.as.fp64_ > -1e6 && as.as.fp64_ < 1e6;
}

static void begin_anew(side *d, const trial *t)
{
    for (int k = 0; k < VECTORS; k++) {
        sl_scalar sum, one = sl_scalar_cast(sl_scalar_int64(1), t->type);
        OK(d->ctx, sl_vector_reduce(&sum, NULL, sl_monoid_get(SL_MONOID_PLUS, t->type), d->v[k]));
        if (!is_exact(&sum))
            OK(d->ctx, sl_vector_assign_scalar(d->v[k], NULL, NULL, one, SL_ALL, 0, NULL));
    }
}

static void chain(side *gpu, side *host, uint64_t seed)
{
    static const uint64_t sizes[] = {1, 9, 33, 64, 1000, LARGEST};
    trial t = {.random = seed};
    t.size = sizes[draw(&t, 6)];
    t.type = draw(&t, 2) ? SL_INT64 : SL_FP32;
    bool all_rows = draw(&t, 3);
    begin(gpu, &t, all_rows, seed);
    begin(host, &t, all_rows, seed);
    for (int k = 0; k < STEPS; k++) {
        step s = draw_step(&t);
        sl_scalar sum[2] = {{0}};
        run(gpu, &t, &s, &sum[0]);
        run(host, &t, &s, &sum[1]);
        if (!sl_scalar_equal(sum[0], sum[1]))
            fail_msg("another sum after %s", t.what);
        if (draw(&t, 2))
            compare(gpu, host, &t, s.to);
        if (draw(&t, 3) == 0)
            compare(gpu, host, &t, (int)draw(&t, MASK + 1));
        begin_anew(gpu, &t);
        begin_anew(host, &t);
    }
    for (int k = 0; k <= MASK; k++)
        compare(gpu, host, &t, k);
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
    const test_seeds seeds = test_seeds_from(1, 300);
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

/* ---- what it costs, and failures ------------------------------------------------------------ */

static sl_status use(side *d)
{
    sl_scalar x = sl_scalar_int64(3);
    uint64_t rows[8], one = 1;
    int64_t values[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    sl_status status = SL_OK;
    for (uint64_t k = 0; k < 8; k++)
        rows[k] = k;
    for (int k = 0; k < VECTORS && status == SL_OK; k++)
        status = sl_vector_new(&d->v[k], d->ctx, SL_INT64, 8);
    for (int k = 0; k < 2 && status == SL_OK; k++)
        status = sl_vector_assign_scalar(d->v[k], NULL, NULL, x, SL_ALL, 0, NULL);
    if (status == SL_OK)
        status = sl_matrix_new(&d->A, d->ctx, SL_INT64, 8, 8);
    if (status == SL_OK)
        status = sl_matrix_build(d->A, rows, rows, values, 8, NULL);
    if (status == SL_OK)
        status = sl_mxv(d->v[2], NULL, NULL, SL_PLUS_TIMES_INT64, d->A, d->v[0], NULL);
    if (status == SL_OK)
        status = sl_vector_ewise_add(d->v[2], NULL, SL_PLUS_INT64, SL_PLUS_INT64, d->v[0], d->v[1],
                                     NULL);
    if (status == SL_OK) /* bits again: an entry goes */
        status = sl_vector_remove(d->v[0], 3);
    if (status == SL_OK)
        status = sl_vector_assign(d->v[2], NULL, NULL, d->v[0], SL_ALL, 0, NULL);
    if (status == SL_OK)
        status = sl_vector_assign_scalar(d->v[2], NULL, NULL, x, &one, 1, NULL);
    return status == SL_OK ? sl_vector_dup(&d->v[MASK], d->v[1]) : status;
}

static sl_status use_and_free(void *context)
{
    side d = {.ctx = context};
    uint64_t count = 0;
    sl_status status = use(&d);
    allocator_pause(true); /* what was only read is as it was */
    if (status == SL_OK) {
        OK(d.ctx, sl_vector_nvals(&count, d.v[1]));
        assert_int_equal(count, 8);
        OK(d.ctx, sl_vector_nvals(&count, d.v[2]));
        assert_int_equal(count, 7);
    }
    allocator_pause(false);
    end(&d);
    return status;
}

static void test_little_memory(void **state)
{
    side gpu;
    if (!begin_gpu(&gpu))
        skip();
    assert_int_equal(use_and_free(gpu.ctx), SL_OK);
    assert_true(allocator_fail_each(use_and_free, gpu.ctx) > 20);
    sl_context_free(gpu.ctx);
}

/* Lent without bits, and where the values were before. */
static void test_lend(void **state)
{
    side gpu;
    sl_vector *v;
    sl_vector_view before, after;
    if (!begin_gpu(&gpu))
        skip();
    OK(gpu.ctx, sl_vector_new(&v, gpu.ctx, SL_FP32, 1000));
    OK(gpu.ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp32(1), SL_ALL, 0, NULL));
    OK(gpu.ctx, sl_vector_lend(&before, v, SL_MEMORY_CUDA));
    assert_null(before.present);
    assert_int_equal(before.nvals, 1000);
    OK(gpu.ctx, sl_vector_apply(v, NULL, SL_PLUS_FP32, SL_AINV_FP32, v, NULL));
    OK(gpu.ctx, sl_vector_lend(&after, v, SL_MEMORY_CUDA));
    assert_ptr_equal(before.values, after.values);
    OK(gpu.ctx, sl_vector_remove(v, 5));
    OK(gpu.ctx, sl_vector_lend(&after, v, SL_MEMORY_CUDA));
    assert_non_null(after.present);
    assert_int_equal(after.nvals, 999);
    sl_vector_free(v);
    sl_context_free(gpu.ctx);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains), cmocka_unit_test(test_lend),
                                       cmocka_unit_test(test_little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
