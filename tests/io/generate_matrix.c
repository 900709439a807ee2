/* sl_matrix_generate gives the same matrices as sl_generate and sl_matrix_from_edges. */
#include <string.h>

#include "models.h"

static void assert_same_matrix(const sl_generator *model, const sl_read_options *options)
{
    sl_edges edges;
    sl_matrix *A, *B;
    bool same, symmetric = false;
    OK(ctx, sl_generate(&edges, ctx, model));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, options));
    OK(ctx, sl_matrix_generate(&B, ctx, model, options));
    OK(ctx, sl_matrix_equal(&same, A, B));
    assert_true(same);
    OK(ctx, sl_matrix_is_symmetric(&symmetric, B));
    assert_true(symmetric || !options || !(options->flags & SL_READ_SYMMETRIC));
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_edges_free(&edges);
}

static void all_models(void **state)
{
    (void)state;
    static const unsigned flags[] = {0, SL_READ_SYMMETRIC, SL_READ_SYMMETRIC | SL_READ_NO_LOOPS,
                                     SL_READ_TRANSPOSED};
    for (int m = 0; m < MODELS; m++) {
        assert_same_matrix(&ALL_MODELS[m], NULL);
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            assert_same_matrix(&ALL_MODELS[m], &(sl_read_options){.flags = flags[f]});
    }
}

static void invalid_arguments(void **state)
{
    (void)state;
    const sl_generator path = {.model = SL_MODEL_PATH, .vertices = 3},
                       loops = {.model = SL_MODEL_UNIFORM, .vertices = 1, .edges = 2},
                       huge = {.model = SL_MODEL_KRONECKER, .scale = 41};
    sl_matrix *A;
    sl_vector *ends, *joined;
    assert_int_equal(sl_matrix_generate(NULL, ctx, &path, NULL), SL_INVALID);
    assert_int_equal(sl_matrix_generate(&A, ctx, NULL, NULL), SL_INVALID);
    assert_null(A);
    assert_int_equal(sl_matrix_generate(&A, ctx, &huge, NULL), SL_INVALID);
    assert_null(A);
    assert_non_null(strstr(sl_context_message(ctx), "scale 41"));
    const sl_read_options once = {.duplicates = SL_DUPLICATES_ERROR};
    assert_int_equal(sl_matrix_generate(&A, ctx, &loops, &once), SL_SYNTAX);
    assert_null(A);
    /* no engine generates paths */
    assert_false(sl_generator_supported(ctx, &path));
    assert_false(sl_generator_supported(NULL, &path));
    assert_false(sl_generator_supported(ctx, &huge));
    assert_int_equal(sl_generator_degrees(&ends, &joined, ctx, &path), SL_UNSUPPORTED);
    assert_null(ends);
    assert_null(joined);
    assert_int_equal(sl_generator_degrees(&ends, &joined, ctx, &huge), SL_INVALID);
    assert_int_equal(sl_generator_degrees(NULL, &joined, ctx, &path), SL_INVALID);
    assert_int_equal(sl_generator_check_tree(NULL, NULL, &path, 0), SL_INVALID);
}

static sl_status matrix_and_free(void *data)
{
    sl_matrix *A;
    sl_status status = sl_matrix_generate(&A, ctx, data, NULL);
    sl_matrix_free(A);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 5};
    assert_true(allocator_fail_each(matrix_and_free, &model) >= 2);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_models),
        cmocka_unit_test(invalid_arguments),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
