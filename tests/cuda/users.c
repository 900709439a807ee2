/*
 * Operators of users on the GPU: the results of SuiteSparse, and who did it. The graph is
 * large enough for every kernel of products: it has rows of thousands of entries.
 */
#include "support.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 6000, EDGES = 30000, HUB = 5000, MOST = 64 * SIDE };

/* ---- operators, exact in any order -------------------------------------------- */

static void mix(void *z, const void *x, const void *y)
{
    *(uint32_t *)z = *(const int16_t *)x * 31u + *(const uint32_t *)y;
}

static void differences(void *z, const void *x, const void *y)
{
    *(uint32_t *)z = *(const uint32_t *)x ^ *(const uint32_t *)y;
}

static void both(void *z, const void *x, const void *y)
{
    *(uint32_t *)z = *(const uint32_t *)x & *(const uint32_t *)y;
}

static void third(void *z, const void *x)
{
    *(float *)z = (float)(*(const uint32_t *)x / 3);
}

static void place(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int64_t *)z = 3 * i - j + *(const int16_t *)thunk + *(const uint32_t *)x % 5;
}

static void chosen(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(bool *)z = (i + j + *(const int64_t *)thunk) % 3 == 0 || *(const uint32_t *)x % 2 == 0;
}

/* ---- two sides of everything ---------------------------------------------------- */

typedef struct {
    sl_context *ctx;
    sl_binary_op mix, differences, both;
    sl_unary_op third;
    sl_index_op place, chosen;
    sl_monoid sum, meet, same; /* meet ends at 0; same is a comparison */
    sl_semiring mixed, met, less, same_less;
    sl_matrix *A, *B, *C, *one; /* the last is 1 x 1 */
    sl_vector *u, *few, *mask, *less_or_not, *w; /* the fourth is of bool */
    sl_scalar x;
} side;

static side gpu, host;

static void define(side *s)
{
    sl_context *c = s->ctx;
    sl_scalar zero = sl_scalar_uint32(0);
    OK(c, sl_binary_op_new(&s->mix, c, "mix", SL_UINT32, SL_INT16, SL_UINT32, mix,
                           "*z = *x * 31u + *y;"));
    OK(c, sl_binary_op_new(&s->differences, c, "differences", SL_UINT32, SL_UINT32, SL_UINT32,
                           differences, "*z = *x ^ *y;"));
    OK(c, sl_binary_op_new(&s->both, c, "both", SL_UINT32, SL_UINT32, SL_UINT32, both,
                           "if (*x == 0) {\n    *z = 0;\n    return;\n}\n*z = *x & *y;"));
    OK(c, sl_unary_op_new(&s->third, c, "third", SL_FP32, SL_UINT32, third, "*z = *x / 3;"));
    OK(c, sl_index_op_new(&s->place, c, "place", SL_INT64, SL_UINT32, SL_INT16, place,
                          "*z = 3 * i - j + *thunk + *x % 5;"));
    OK(c, sl_index_op_new(&s->chosen, c, "chosen", SL_BOOL, SL_UINT32, SL_INT64, chosen,
                          "*z = (i + j + *thunk) % 3 == 0 || *x % 2 == 0;"));
    OK(c, sl_monoid_new(&s->sum, c, "sum", s->differences, zero, NULL));
    OK(c, sl_monoid_new(&s->meet, c, "meet", s->both, sl_scalar_uint32(UINT32_MAX), &zero));
    OK(c, sl_semiring_new(&s->mixed, c, "mixed", s->sum, s->mix));
    OK(c, sl_semiring_new(&s->met, c, "met", s->meet, SL_PLUS_UINT32));
    OK(c, sl_semiring_new(&s->less, c, "less", SL_LXOR_MONOID_BOOL, SL_LT_INT32));
    OK(c, sl_monoid_new(&s->same, c, "same", SL_EQ_BOOL, sl_scalar_bool(true), NULL));
    OK(c, sl_semiring_new(&s->same_less, c, "same_less", s->same, SL_LT_INT32));
}

static void fill_matrix(side *s, sl_matrix **A, uint64_t seed, uint64_t edges, uint64_t hub)
{
    static uint64_t rows[EDGES + 2 * HUB], cols[EDGES + 2 * HUB];
    static uint32_t values[EDGES + 2 * HUB];
    uint64_t count = 0, state = seed;
    for (; count < edges; count++) {
        rows[count] = test_random(&state) % SIDE;
        cols[count] = test_random(&state) % SIDE;
    }
    for (uint64_t k = 0; k < 2 * hub; k++, count++) { /* a long row and a long column */
        rows[count] = k < hub ? 7 : k - hub;
        cols[count] = k < hub ? k : 5;
    }
    for (uint64_t k = 0; k < count; k++)
        values[k] = (uint32_t)(test_random(&state) % 30000);
    OK(s->ctx, sl_matrix_new(A, s->ctx, SL_UINT32, SIDE, SIDE));
    OK(s->ctx, sl_matrix_build(*A, rows, cols, values, count, SL_MAX_UINT32));
}

static void fill_vector(side *s, sl_vector **v, uint64_t seed, uint64_t step)
{
    static uint64_t index[SIDE];
    static uint32_t values[SIDE];
    uint64_t count = 0, state = seed;
    for (uint64_t i = 0; i < SIDE; i += step, count++) {
        index[count] = i;
        values[count] = (uint32_t)(test_random(&state) % 30000);
    }
    OK(s->ctx, sl_vector_new(v, s->ctx, SL_UINT32, SIDE));
    OK(s->ctx, sl_vector_build(*v, index, values, count, NULL));
}

static void make(side *s, sl_engine_choice choice)
{
    *s = (side){0};
    assert_int_equal(sl_context_create(&s->ctx, choice), SL_OK);
    define(s);
    fill_matrix(s, &s->A, 1, EDGES, HUB);
    fill_matrix(s, &s->B, 2, EDGES / 10, 20);
    OK(s->ctx, sl_matrix_new(&s->one, s->ctx, SL_UINT32, 1, 1));
    OK(s->ctx, sl_matrix_set(s->one, 0, 0, sl_scalar_uint32(77)));
    fill_vector(s, &s->u, 3, 1);
    fill_vector(s, &s->few, 4, 1000);
    fill_vector(s, &s->mask, 5, 7);
    OK(s->ctx, sl_vector_new(&s->less_or_not, s->ctx, SL_BOOL, SIDE));
    OK(s->ctx, sl_vector_apply_second(s->less_or_not, NULL, NULL, SL_LT_INT32, s->u,
                                      sl_scalar_int32(10000), NULL));
}

static void end(side *s)
{
    sl_matrix_free(s->A);
    sl_matrix_free(s->B);
    sl_matrix_free(s->one);
    sl_vector_free(s->u);
    sl_vector_free(s->few);
    sl_vector_free(s->mask);
    sl_vector_free(s->less_or_not);
    sl_binary_op_free(s->mix);
    sl_binary_op_free(s->differences);
    sl_binary_op_free(s->both);
    sl_unary_op_free(s->third);
    sl_index_op_free(s->place);
    sl_index_op_free(s->chosen);
    sl_monoid_free(s->sum);
    sl_monoid_free(s->meet);
    sl_semiring_free(s->mixed);
    sl_semiring_free(s->met);
    sl_semiring_free(s->less);
    sl_semiring_free(s->same_less);
    sl_monoid_free(s->same);
    sl_context_free(s->ctx);
}

static bool gpu_is_there(void)
{
    sl_engine_info info;
    for (size_t k = 0; sl_engine_describe(k, &info) == SL_OK; k++)
        if (info.choice == SL_ENGINE_CUDA) {
            if (!info.present)
                print_message("engine cuda skipped: %s\n", info.absence);
            return info.present;
        }
    return false;
}

static int set_up(void **state)
{
    if (!gpu_is_there())
        return 0;
    make(&gpu, SL_ENGINE_CUDA);
    make(&host, SL_ENGINE_SUITESPARSE);
    return 0;
}

static int tear_down(void **state)
{
    if (gpu.ctx) {
        end(&gpu);
        end(&host);
    }
    return 0;
}

static void need_gpu(void)
{
    if (!gpu.ctx)
        skip();
}

/* ---- every operation --------------------------------------------------------------- */

#define INTO(out) s->out, NULL, NULL
static sl_status pull_tiles(side *s)
{
    return sl_mxv(INTO(w), s->mixed, s->A, s->u, NULL);
}
static sl_status pull_under_a_mask(side *s)
{
    return sl_mxv(s->w, s->mask, NULL, s->mixed, s->A, s->u, NULL);
}
static sl_status push(side *s)
{
    return sl_vxm(INTO(w), s->mixed, s->few, s->A, NULL);
}
static sl_status pull_that_ends(side *s)
{
    return sl_mxv(s->w, s->mask, s->differences, s->met, s->A, s->u, NULL);
}
static sl_status push_by_atomics(side *s)
{
    return sl_vxm(s->w, s->mask, s->mix, s->met, s->few, s->A, NULL);
}
static sl_status pull_comparison(side *s)
{
    return sl_mxv(INTO(w), s->less, s->A, s->u, NULL);
}
static sl_status push_comparison(side *s)
{
    return sl_vxm(INTO(w), s->less, s->few, s->A, NULL);
}
static sl_status sum_of_comparisons(side *s)
{
    return sl_mxv(INTO(w), s->same_less, s->A, s->u, NULL);
}
static sl_status reduce_by_comparison(side *s)
{
    return sl_vector_reduce(&s->x, NULL, s->same, s->less_or_not);
}
static sl_status dots(side *s)
{
    return sl_mxm(s->C, s->B, NULL, s->mixed, s->A, s->A, sl_descriptor_get(SL_TRANSPOSE_B));
}
static sl_status dots_of_comparison(side *s)
{
    return sl_mxm(s->C, s->B, NULL, s->less, s->A, s->B, NULL);
}
static sl_status dots_that_end(side *s)
{
    return sl_mxm(s->C, s->B, s->differences, s->met, s->A, s->A, NULL);
}
static sl_status rows_of_products(side *s)
{
    return sl_mxm(INTO(C), s->mixed, s->B, s->B, NULL);
}
static sl_status outside_of_a_mask(side *s)
{
    return sl_mxm(s->C, s->A, s->mix, s->met, s->B, s->B, sl_descriptor_get(SL_COMPLEMENT));
}
static sl_status kronecker(side *s)
{
    return sl_kronecker(INTO(C), s->mix, s->B, s->one, NULL);
}
static sl_status add(side *s)
{
    return sl_matrix_ewise_add(s->C, NULL, s->mix, s->mix, s->A, s->B, NULL);
}
static sl_status add_vectors(side *s)
{
    return sl_vector_ewise_add(s->w, s->mask, s->mix, s->mix, s->u, s->few, NULL);
}
static sl_status mult(side *s)
{
    return sl_matrix_ewise_mult(INTO(C), s->mix, s->A, s->B, NULL);
}
static sl_status fill_union(side *s)
{
    return sl_matrix_ewise_union(INTO(C), s->mix, s->A, sl_scalar_fp64(2.7), s->B,
                                 sl_scalar_fp64(9.9), NULL);
}
static sl_status fill_union_of_vectors(side *s)
{
    return sl_vector_ewise_union(INTO(w), s->mix, s->few, sl_scalar_fp64(2.7), s->mask,
                                 sl_scalar_fp64(9.9), NULL);
}
static sl_status apply(side *s)
{
    return sl_matrix_apply(INTO(C), s->third, s->A, NULL);
}
static sl_status apply_to_vector(side *s)
{
    return sl_vector_apply(INTO(w), s->third, s->mask, NULL);
}
static sl_status apply_first(side *s)
{
    return sl_matrix_apply_first(INTO(C), s->mix, sl_scalar_fp64(-3.5), s->A, NULL);
}
static sl_status apply_second(side *s)
{
    return sl_vector_apply_second(INTO(w), s->mix, s->mask, sl_scalar_fp64(3.5), NULL);
}
static sl_status apply_index(side *s)
{
    return sl_matrix_apply_index(INTO(C), s->place, s->A, sl_scalar_int64(70000), NULL);
}
static sl_status apply_index_to_vector(side *s)
{
    return sl_vector_apply_index(INTO(w), s->place, s->mask, sl_scalar_int64(-70000), NULL);
}
static sl_status select_entries(side *s)
{
    return sl_matrix_select(INTO(C), s->chosen, s->A, sl_scalar_int64(1), NULL);
}
static sl_status select_of_vector(side *s)
{
    return sl_vector_select(INTO(w), s->chosen, s->mask, sl_scalar_int64(2), NULL);
}
static sl_status reduce(side *s)
{
    return sl_matrix_reduce(&s->x, NULL, s->sum, s->A);
}
static sl_status reduce_vector(side *s)
{
    return sl_vector_reduce(&s->x, NULL, s->meet, s->mask);
}
static sl_status reduce_rows(side *s)
{
    return sl_matrix_reduce_rows(s->w, NULL, s->differences, s->sum, s->A, NULL);
}
static sl_status assign_scalar(side *s)
{
    return sl_vector_assign_scalar(s->w, s->mask, s->mix, sl_scalar_int8(11), SL_ALL, 0, NULL);
}
static sl_status assign(side *s)
{
    return sl_vector_assign(s->w, NULL, s->mix, s->mask, SL_ALL, 0, NULL);
}
static sl_status transpose(side *s)
{
    return sl_transpose(s->C, NULL, s->mix, s->A, NULL);
}
#undef INTO

static const struct {
    const char *name;
    sl_status (*use)(side *s);
/* clang-format off */
} uses[] = {
#define X(f) {#f, f},
    X(pull_tiles) X(pull_under_a_mask) X(push) X(pull_that_ends) X(push_by_atomics)
    X(pull_comparison) X(push_comparison) X(sum_of_comparisons) X(reduce_by_comparison) X(dots) X(dots_of_comparison) X(dots_that_end)
    X(rows_of_products) X(outside_of_a_mask) X(kronecker) X(add) X(add_vectors) X(mult)
    X(fill_union) X(fill_union_of_vectors) X(apply) X(apply_to_vector) X(apply_first)
    X(apply_second) X(apply_index) X(apply_index_to_vector) X(select_entries) X(select_of_vector)
    X(reduce) X(reduce_vector) X(reduce_rows) X(assign_scalar) X(assign) X(transpose)
#undef X
};
/* clang-format on */

/* C, w and x as they are before each. */
static sl_status run(side *s, size_t k)
{
    s->x = sl_scalar_uint32(1);
    OK(s->ctx, sl_matrix_dup(&s->C, s->B));
    OK(s->ctx, sl_vector_dup(&s->w, s->mask));
    return uses[k].use(s);
}

static void forget(side *s)
{
    sl_matrix_free(s->C);
    sl_vector_free(s->w);
    s->C = NULL;
    s->w = NULL;
}

typedef struct {
    uint64_t count, vector_count;
    uint64_t rows[MOST], cols[MOST], index[SIDE];
    uint32_t values[MOST], vector_values[SIDE];
} contents;

static contents *read_side(side *s)
{
    contents *c = calloc(1, sizeof *c);
    c->count = MOST;
    c->vector_count = SIDE;
    OK(s->ctx, sl_matrix_extract_tuples(c->rows, c->cols, c->values, &c->count, s->C));
    OK(s->ctx, sl_vector_extract_tuples(c->index, c->vector_values, &c->vector_count, s->w));
    return c;
}

static void expect_equal(const char *name)
{
    contents *a = read_side(&gpu), *b = read_side(&host);
    bool same = memcmp(a, b, sizeof *a) == 0 && sl_scalar_equal(gpu.x, host.x);
    free(a);
    free(b);
    if (!same)
        fail_msg("%s: another result than SuiteSparse's", name);
}

static uint64_t passed_on(void)
{
    sl_context_counts counts;
    sl_context_get_counts(gpu.ctx, &counts);
    return counts.passed_on;
}

static void test_every_use(void **state)
{
    need_gpu();
    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++) {
        uint64_t before;
        OK(host.ctx, run(&host, k));
        gpu.x = sl_scalar_uint32(1);
        OK(gpu.ctx, sl_matrix_dup(&gpu.C, gpu.B));
        OK(gpu.ctx, sl_vector_dup(&gpu.w, gpu.mask));
        before = passed_on();
        OK(gpu.ctx, uses[k].use(&gpu));
        if (passed_on() != before)
            fail_msg("%s was not done on the GPU", uses[k].name);
        expect_equal(uses[k].name);
        forget(&gpu);
        forget(&host);
    }
}

/* ---- what cannot be ------------------------------------------------------------------ */

static sl_status apply_new(side *s, const char *name, sl_binary_function f, const char *source)
{
    sl_binary_op op;
    OK(s->ctx, sl_binary_op_new(&op, s->ctx, name, SL_UINT32, SL_UINT32, SL_UINT32, f, source));
    sl_status status = sl_vector_ewise_mult(s->w, NULL, NULL, op, s->u, s->mask, NULL);
    sl_binary_op_free(op);
    return status;
}

static void start(void)
{
    OK(gpu.ctx, sl_matrix_dup(&gpu.C, gpu.B));
    OK(gpu.ctx, sl_vector_dup(&gpu.w, gpu.mask));
    OK(host.ctx, sl_matrix_dup(&host.C, host.B));
    OK(host.ctx, sl_vector_dup(&host.w, host.mask));
    gpu.x = host.x = sl_scalar_uint32(0);
}

static void test_no_source(void **state)
{
    need_gpu();
    start();
    uint64_t before = passed_on();
    OK(gpu.ctx, apply_new(&gpu, "differences", differences, NULL));
    OK(host.ctx, apply_new(&host, "differences", differences, NULL));
    assert_int_equal(passed_on(), before + 1);
    expect_equal("an operator without source text");
    forget(&gpu);
    forget(&host);
}

/* An error, and the output is what it was. */
static void test_broken_source(void **state)
{
    need_gpu();
    start();
    assert_int_equal(apply_new(&gpu, "broken", differences, "*z = *x ^;"), SL_INVALID);
    assert_non_null(strstr(sl_context_message(gpu.ctx), "broken does not compile"));
    expect_equal("an operator that does not compile");
    forget(&gpu);
    forget(&host);
}

static void test_off(void **state)
{
    need_gpu();
    start();
    const char *set = getenv("SEMLA_CACHE_DIR");
    char *before = set ? strdup(set) : NULL;
    setenv("SEMLA_CACHE_DIR", "off", 1);
    sl_status status = apply_new(&gpu, "unheard", differences, "*z = *x ^ *y ^ 0;");
    if (before)
        setenv("SEMLA_CACHE_DIR", before, 1);
    else
        unsetenv("SEMLA_CACHE_DIR");
    free(before);
    assert_int_equal(status, SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(gpu.ctx), "unheard"));
    assert_non_null(strstr(sl_context_message(gpu.ctx), "SEMLA_CACHE_DIR forbids"));
    expect_equal("an operator that may not be compiled");
    forget(&gpu);
    forget(&host);
}

/* ---- several at once ------------------------------------------------------------------- */

static void *use_in_thread(void *right)
{
    sl_context *c;
    sl_vector *v, *w;
    sl_binary_op op;
    sl_scalar value;
    *(bool *)right =
        sl_context_create(&c, SL_ENGINE_CUDA) == SL_OK &&
        sl_vector_new(&v, c, SL_UINT32, 10) == SL_OK &&
        sl_vector_new(&w, c, SL_UINT32, 10) == SL_OK &&
        sl_vector_set(v, 3, sl_scalar_uint32(5)) == SL_OK &&
        sl_binary_op_new(&op, c, "threads", SL_UINT32, SL_UINT32, SL_UINT32, differences,
                         "/* of threads */ *z = *x ^ *y;") == SL_OK &&
        sl_vector_apply_second(w, NULL, NULL, op, v, sl_scalar_uint32(6), NULL) == SL_OK &&
        sl_vector_get(&value, w, 3) == SL_OK && value.as.uint32_ == 3;
    if (*(bool *)right) {
        sl_binary_op_free(op);
        sl_vector_free(v);
        sl_vector_free(w);
        sl_context_free(c);
    }
    return NULL;
}

static void test_threads(void **state)
{
    need_gpu();
    pthread_t thread[4];
    bool right[4];
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, use_in_thread, &right[k]), 0);
    for (int k = 0; k < 4; k++)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < 4; k++)
        assert_true(right[k]);
}

/* ---- kernels for semirings of the table -------------------------------------------------- */

static sl_semiring ring; /* over int32, whose sums wrap, or int64 */

#define INTO(out) s->out, NULL, NULL
static sl_status ring_tiles(side *s)
{
    return sl_mxv(INTO(w), ring, s->A, s->u, NULL);
}
static sl_status ring_rows(side *s)
{
    return sl_mxv(s->w, s->mask, NULL, ring, s->A, s->u, NULL);
}
static sl_status ring_push(side *s)
{
    return sl_vxm(INTO(w), ring, s->few, s->A, NULL);
}
static sl_status ring_dots(side *s)
{
    return sl_mxm(s->C, s->B, NULL, ring, s->A, s->B, NULL);
}
static sl_status ring_sums(side *s)
{
    return sl_mxm(INTO(C), ring, s->B, s->B, NULL);
}
#undef INTO

static size_t files_in(const char *folder, bool remove_them)
{
    size_t count = 0;
    DIR *listing = opendir(folder);
    for (struct dirent *e; listing && (e = readdir(listing));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] == '.')
            continue;
        count++;
        if (remove_them)
            remove(path);
    }
    if (listing)
        closedir(listing);
    return count;
}

static void each_ring(size_t least, size_t most, const char *folder)
{
    sl_status (*const uses_of_ring[])(side *) = {ring_tiles, ring_rows, ring_push, ring_dots,
                                                 ring_sums};
    const sl_semiring rings[] = {SL_MAX_MIN_INT32, SL_MIN_TIMES_INT32, SL_MAX_SECONDI_INT64};
    for (size_t r = 0; r < sizeof rings / sizeof *rings; r++)
        for (size_t k = 0; k < sizeof uses_of_ring / sizeof *uses_of_ring; k++) {
            ring = rings[r];
            start();
            OK(host.ctx, uses_of_ring[k](&host));
            OK(gpu.ctx, uses_of_ring[k](&gpu));
            expect_equal(ring->name);
            forget(&gpu);
            forget(&host);
        }
    assert_in_range(files_in(folder, false), least, most);
}

/* All semirings of the table have kernels that need no compiling; SEMLA_JIT=always has them
 * compiled: pulls (two ways of one program), pushes, dot products, sums of rows; some
 * have ways of their own. */
static void test_table(void **state)
{
    need_gpu();
    char folder[] = "/tmp/semla-cache-XXXXXX";
    const char *set = getenv("SEMLA_CACHE_DIR");
    char *before = set ? strdup(set) : NULL;
    assert_non_null(mkdtemp(folder));
    setenv("SEMLA_CACHE_DIR", folder, 1);
    each_ring(0, 0, folder);
    setenv("SEMLA_JIT", "needed", 1);
    each_ring(0, 0, folder);
    setenv("SEMLA_JIT", "always", 1);
    each_ring(3 * 2, 3 * 4, folder);
    unsetenv("SEMLA_JIT");
    files_in(folder, true);
    assert_int_equal(rmdir(folder), 0);
    if (before)
        setenv("SEMLA_CACHE_DIR", before, 1);
    else
        unsetenv("SEMLA_CACHE_DIR");
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_use),     cmocka_unit_test(test_no_source),
        cmocka_unit_test(test_broken_source), cmocka_unit_test(test_off),
        cmocka_unit_test(test_threads),       cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
