/*
 * Full vectors, which the GPU stores without a bitmap: the GPU compared with SuiteSparse in random
 * chains of operations in which vectors become full, stay full and lose entries; in half of the chains
 * products over a symmetric pattern bring them into an order. SEMLA_TEST_SEED=n runs chain n only,
 * SEMLA_TEST_TRIALS=n runs n chains.
 */
#include <stdlib.h>

#include "try.h"
#include "vector_chains.h"

enum { VECTORS = 3, MASK = VECTORS, STEPS = 16, LARGEST = MOST_ENTRIES, SOME = 6 };

/* Of the chain's matrix. ordered: the pattern is symmetric and has hubs, and a third of the steps are products. */
static bool ordered, prepared, all_rows;

/* ---- steps ----------------------------------------------------------------------- */

/* Fills are drawn twice as often as other steps, so most vectors are full. Indices are distinct,
 * up to SOME of them. */
static step draw_full_step(trial *t)
{
    static const step_kind kinds[] = {FILL,   FILL, FILL_MASK, ASSIGN_SCALAR, ASSIGN, EXTRACT,
                                      ADD,    MULT, UNION,     APPLY,         BIND,   INDEX,
                                      SELECT, MXV,  VXM,       ROWS,          REDUCE, SET,
                                      REMOVE, DUP,  RESIZE,    GATHER,        SCATTER};
    static const step_kind products[] = {MXV, VXM};
    step s = ordered && draw(t, 4) == 0
                 ? draw_step(t, products, 2, VECTORS)
                 : draw_step(t, kinds, sizeof kinds / sizeof *kinds, VECTORS);
    s.count = t->size < SOME ? t->size : SOME;
    for (uint64_t k = 0; k < s.count; k++)
        s.index[k] = k * (t->size / s.count) + draw(t, t->size / s.count);
    describe_step(t, &s);
    return s;
}

static void fill(const side *d, const trial *t, const step *s)
{
    OK(d->ctx,
       sl_vector_assign_scalar(d->v[s->to], NULL, accumulator_of(t, s), s->x, SL_ALL, 0, NULL));
}

static void fill_mask(const side *d, const step *s)
{
    sl_scalar yes = sl_scalar_bool(true), no = sl_scalar_bool(false);
    OK(d->ctx, sl_vector_assign_scalar(d->v[MASK], NULL, NULL, yes, SL_ALL, 0, NULL));
    if (s->all)
        OK(d->ctx, sl_vector_assign_scalar(d->v[MASK], NULL, NULL, no, s->index, s->count, NULL));
}

/* Assigns or extracts, with a second vector that has as many entries as there are indices. */
static void assign_or_extract(const side *d, const trial *t, const step *s)
{
    const sl_vector *mask = mask_of(d, s);
    sl_binary_op accum = accumulator_of(t, s);
    sl_descriptor desc = sl_descriptor_get(s->flags);
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

/* Gathers or scatters with an index vector that has all entries, or the step's indices only; many
 * indices are equal. */
static void use_index_vector(const side *d, const trial *t, const step *s)
{
    const sl_monoid min = sl_monoid_get(SL_MONOID_MIN, t->type);
    const sl_descriptor desc = sl_descriptor_get(s->flags);
    uint64_t *at = malloc(t->size * sizeof *at), count = s->all ? t->size : s->count;
    int32_t *values = malloc(t->size * sizeof *values);
    sl_vector *w = d->v[s->to], *u = d->v[s->from], *indices;
    assert_true(at && values);
    for (uint64_t k = 0; k < count; k++) {
        at[k] = s->all ? k : s->index[k];
        values[k] = (int32_t)((k * 7 + s->index[0]) % t->size / 3);
    }
    OK(d->ctx, sl_vector_new(&indices, d->ctx, SL_INT32, t->size));
    OK(d->ctx, sl_vector_build(indices, at, values, count, NULL));
    if (s->kind == GATHER)
        OK(d->ctx, sl_vector_gather(w, mask_of(d, s), accumulator_of(t, s), u, indices, desc));
    else
        OK(d->ctx, sl_vector_scatter(w, mask_of(d, s), s->accumulates ? min->op : NULL, min, u,
                                     indices, desc));
    sl_vector_free(indices);
    free(at);
    free(values);
}

/* Resizes to a smaller or larger size and back. */
static void resize(const side *d, const trial *t, const step *s)
{
    uint64_t other = s->all ? t->size + 40 : (t->size + 1) / 2;
    OK(d->ctx, sl_vector_resize(d->v[s->to], other));
    OK(d->ctx, sl_vector_resize(d->v[s->to], t->size));
}

/* The semiring of a product: plus_times, or in an ordered chain one that may not read the matrix's values. */
static sl_semiring semiring_of(const trial *t, const step *s)
{
    static const sl_semiring_code first[] = {SL_SEMIRING_PLUS_TIMES, SL_SEMIRING_PLUS_FIRST,
                                             SL_SEMIRING_ANY_PAIR, SL_SEMIRING_MIN_FIRST,
                                             SL_SEMIRING_MIN_SECONDI},
                                  second[] = {SL_SEMIRING_PLUS_TIMES, SL_SEMIRING_PLUS_SECOND,
                                              SL_SEMIRING_ANY_PAIR, SL_SEMIRING_MIN_SECOND,
                                              SL_SEMIRING_MIN_SECONDI};
    const bool whole = t->type == SL_INT32 || t->type == SL_INT64;
    const uint64_t which = ordered ? s->index[0] % (whole ? 5 : 4) : 0;
    return sl_semiring_get((s->kind == MXV ? second : first)[which], t->type);
}

/* Floating-point values stay small, so that all sums are exact. A sum of one -0.0 may be 0.0. */
static void bound_values(const side *d, const trial *t, sl_vector *w)
{
    static const struct {
        sl_binary_code code;
        int64_t bound;
    } steps[] = {{SL_BINARY_PLUS, 0}, {SL_BINARY_MIN, 5000}, {SL_BINARY_MAX, -5000}};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        OK(d->ctx,
           sl_vector_apply_second(w, NULL, NULL, sl_binary_op_get(steps[k].code, t->type), w,
                                  sl_scalar_cast(sl_scalar_int64(steps[k].bound), t->type), NULL));
}

static void multiply(const side *d, const trial *t, const step *s)
{
    const sl_vector *mask = mask_of(d, s);
    sl_binary_op accum = accumulator_of(t, s);
    sl_descriptor desc = sl_descriptor_get(s->flags);
    sl_vector *w = d->v[s->to], *u = d->v[s->from];
    if (s->kind == MXV)
        OK(d->ctx, sl_mxv(w, mask, accum, semiring_of(t, s), d->A, u, desc));
    else if (s->kind == VXM)
        OK(d->ctx, sl_vxm(w, mask, accum, semiring_of(t, s), u, d->A, desc));
    else
        OK(d->ctx, sl_matrix_reduce_rows(w, mask, accum, sl_monoid_get(SL_MONOID_PLUS, t->type),
                                         d->A, desc));
    if (ordered && (t->type == SL_FP32 || t->type == SL_FP64))
        bound_values(d, t, w);
}

static void run(side *d, const trial *t, const step *s, sl_scalar *sum)
{
    if (run_common(d, t, s, sum))
        return;
    switch (s->kind) {
    case FILL:
        fill(d, t, s);
        break;
    case FILL_MASK:
        fill_mask(d, s);
        break;
    case ASSIGN:
    case EXTRACT:
        assign_or_extract(d, t, s);
        break;
    case GATHER:
    case SCATTER:
        use_index_vector(d, t, s);
        break;
    case SET:
        OK(d->ctx, sl_vector_set(d->v[s->to], s->index[0], s->x));
        break;
    case REMOVE:
        OK(d->ctx, sl_vector_remove(d->v[s->all ? s->to : MASK], s->index[0]));
        break;
    case RESIZE:
        resize(d, t, s);
        break;
    default:
        multiply(d, t, s);
    }
}

/* ---- chains ---------------------------------------------------------------------- */

/*
 * Creates a matrix with about three entries per row, or 24 if it is ordered; every seventh row is empty,
 * unless all_rows.
 */
static void make_matrix(side *d, const trial *t, uint64_t random)
{
    enum { MOST = 24 };
    uint64_t n = t->size, count = 0, *rows = malloc(MOST * n * sizeof *rows);
    uint64_t *cols = malloc(MOST * n * sizeof *cols);
    int64_t *values = malloc(MOST * n * sizeof *values);
    for (uint64_t i = 0; i < n; i++)
        for (int k = 0; k < (ordered ? MOST / 2 : 3) && (all_rows || i % 7 != 3); k++) {
            uint64_t j = test_random(&random) % n;
            if (ordered && (k % 3 == 0 || (!all_rows && j % 7 == 3)))
                j = j % 3;
            rows[count] = i;
            cols[count] = j;
            values[count++] = 1;
            if (ordered) {
                rows[count] = j;
                cols[count] = i;
                values[count++] = 1;
            }
        }
    OK(d->ctx, sl_matrix_new(&d->A, d->ctx, SL_INT64, n, n));
    OK(d->ctx,
       sl_matrix_build(d->A, rows, cols, values, count, ordered ? SL_FIRST_INT64 : SL_PLUS_INT64));
    if (t->type != SL_INT64) {
        sl_matrix *cast;
        OK(d->ctx, sl_matrix_new(&cast, d->ctx, t->type, n, n));
        OK(d->ctx, sl_matrix_assign(cast, NULL, NULL, d->A, SL_ALL, 0, SL_ALL, 0, NULL));
        sl_matrix_free(d->A);
        d->A = cast;
    }
    if (prepared)
        OK(d->ctx, sl_matrix_optimize(d->A, SL_FOR_TRAVERSAL));
    free(rows);
    free(cols);
    free(values);
}

static void begin_full(side *d, const trial *t, uint64_t seed)
{
    begin_side(d, t, VECTORS);
    make_matrix(d, t, seed);
}

/* Whether the sum is small enough to be exact; otherwise the values are replaced. */
static bool is_exact(const sl_scalar *sum)
{
    sl_scalar as = sl_scalar_cast(*sum, SL_FP64);
    return as.as.fp64_ > -1e6 && as.as.fp64_ < 1e6;
}

static void restart(side *d, const trial *t)
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
    static const sl_type types[] = {SL_INT64, SL_FP32, SL_INT32, SL_FP64};
    trial t = {.random = seed};
    t.size = sizes[draw(&t, 6)];
    t.type = types[draw(&t, 4)];
    all_rows = draw(&t, 3);
    ordered = draw(&t, 2);
    prepared = ordered && draw(&t, 3) > 0;
    if (ordered && draw(&t, 2))
        setenv("SEMLA_TRAVERSAL", "tiles", 1);
    begin_full(gpu, &t, seed);
    begin_full(host, &t, seed);
    for (int k = 0; k < (ordered ? 2 * STEPS : STEPS); k++) {
        step s = draw_full_step(&t);
        sl_scalar sum[2] = {{0}};
        run(gpu, &t, &s, &sum[0]);
        run(host, &t, &s, &sum[1]);
        if (!sl_scalar_equal(sum[0], sum[1]))
            fail_msg("another sum after %s", t.what);
        if (draw(&t, 2))
            compare(gpu, host, &t, s.to);
        if (draw(&t, 3) == 0)
            compare(gpu, host, &t, (int)draw(&t, MASK + 1));
        restart(gpu, &t);
        restart(host, &t);
    }
    for (int k = 0; k <= MASK; k++)
        compare(gpu, host, &t, k);
    end_side(gpu);
    end_side(host);
    unsetenv("SEMLA_TRAVERSAL");
}

static void test_chains(void **state)
{
    run_chains(chain, 300);
}

/* ---- failing allocations --------------------------------------------------------- */

static sl_status use(side *d)
{
    sl_scalar x = sl_scalar_int64(3);
    static const uint64_t rows[] = {0, 1, 2, 3, 4, 5, 6, 7}, one = 1;
    static const int64_t values[] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int k = 0; k < VECTORS; k++)
        TRY(sl_vector_new(&d->v[k], d->ctx, SL_INT64, 8));
    for (int k = 0; k < 2; k++)
        TRY(sl_vector_assign_scalar(d->v[k], NULL, NULL, x, SL_ALL, 0, NULL));
    TRY(sl_matrix_new(&d->A, d->ctx, SL_INT64, 8, 8));
    TRY(sl_matrix_build(d->A, rows, rows, values, 8, NULL));
    TRY(sl_mxv(d->v[2], NULL, NULL, SL_PLUS_TIMES_INT64, d->A, d->v[0], NULL));
    TRY(sl_vector_ewise_add(d->v[2], NULL, SL_PLUS_INT64, SL_PLUS_INT64, d->v[0], d->v[1], NULL));
    TRY(sl_vector_remove(d->v[0], 3)); /* a bitmap again, because one entry is removed */
    TRY(sl_vector_assign(d->v[2], NULL, NULL, d->v[0], SL_ALL, 0, NULL));
    TRY(sl_vector_assign_scalar(d->v[2], NULL, NULL, x, &one, 1, NULL));
    return sl_vector_dup(&d->v[MASK], d->v[1]);
}

static sl_status use_and_free(void *context)
{
    side d = {.ctx = context};
    uint64_t count = 0;
    sl_status status = use(&d);
    allocator_pause(true); /* checks that the inputs are unchanged */
    if (status == SL_OK) {
        OK(d.ctx, sl_vector_nvals(&count, d.v[1]));
        assert_int_equal(count, 8);
        OK(d.ctx, sl_vector_nvals(&count, d.v[2]));
        assert_int_equal(count, 7);
    }
    allocator_pause(false);
    end_side(&d);
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

/* A vector view without a bitmap, at the address of the values. */
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
