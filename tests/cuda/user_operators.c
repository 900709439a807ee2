/* User-defined operators on the GPU: results equal SuiteSparse's, and no call falls back. */
#include "gpu_and_host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
    return sl_matrix_apply_index(INTO(C), s->new_id, s->A, sl_scalar_int64(70000), NULL);
}
static sl_status apply_index_to_vector(side *s)
{
    return sl_vector_apply_index(INTO(w), s->new_id, s->mask, sl_scalar_int64(-70000), NULL);
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
    X(pull_comparison) X(push_comparison) X(sum_of_comparisons) X(reduce_by_comparison) X(dots)
    X(dots_of_comparison) X(dots_that_end)
    X(rows_of_products) X(outside_of_a_mask) X(kronecker) X(add) X(add_vectors) X(mult)
    X(fill_union) X(fill_union_of_vectors) X(apply) X(apply_to_vector) X(apply_first)
    X(apply_second) X(apply_index) X(apply_index_to_vector) X(select_entries) X(select_of_vector)
    X(reduce) X(reduce_vector) X(reduce_rows) X(assign_scalar) X(assign) X(transpose)
#undef X
};
/* clang-format on */

static uint64_t fallbacks(void)
{
    sl_context_counts counts;
    sl_context_get_counts(gpu.ctx, &counts);
    return counts.fallbacks;
}

static void test_every_use(void **state)
{
    need_gpu();
    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++) {
        start_both();
        OK(host.ctx, uses[k].use(&host));
        uint64_t before = fallbacks();
        OK(gpu.ctx, uses[k].use(&gpu));
        if (fallbacks() != before)
            fail_msg("%s was not done on the GPU", uses[k].name);
        expect_equal(uses[k].name);
        forget_both();
    }
}

/* ---- operators that cannot be compiled ------------------------------------------------- */

static sl_status apply_new(side *s, const char *name, sl_binary_function f, const char *source)
{
    sl_binary_op op;
    OK(s->ctx, sl_binary_op_new(&op, s->ctx, name, SL_UINT32, SL_UINT32, SL_UINT32, f, source));
    sl_status status = sl_vector_ewise_mult(s->w, NULL, NULL, op, s->u, s->mask, NULL);
    sl_binary_op_free(op);
    return status;
}

static void test_no_source(void **state)
{
    need_gpu();
    start_both();
    uint64_t before = fallbacks();
    OK(gpu.ctx, apply_new(&gpu, "differences", differences, NULL));
    OK(host.ctx, apply_new(&host, "differences", differences, NULL));
    assert_int_equal(fallbacks(), before + 1);
    expect_equal("an operator without source text");
    forget_both();
}

/* An error leaves the output unchanged. */
static void test_broken_source(void **state)
{
    need_gpu();
    start_both();
    assert_int_equal(apply_new(&gpu, "broken", differences, "*z = *x ^;"), SL_INVALID);
    assert_non_null(strstr(sl_context_message(gpu.ctx), "broken does not compile"));
    expect_equal("an operator that does not compile");
    forget_both();
}

static void test_off(void **state)
{
    need_gpu();
    start_both();
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
    forget_both();
}

/* ---- several threads ------------------------------------------------------------------- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_use),     cmocka_unit_test(test_no_source),
        cmocka_unit_test(test_broken_source), cmocka_unit_test(test_off),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, sides_begin, sides_end);
}
