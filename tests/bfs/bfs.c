/* sl_bfs and sl_bfs_plain: options, conventions, errors, memory. */
#include <string.h>

#include <semla/bfs.h>

#include "support.h"

static sl_context *ctx;

/* Undirected: the path 0 - 1 - 2 - 3 - 4, 0 - 5, and 6 isolated. */
enum { N = 7 };

static sl_status make_row(sl_matrix **A)
{
    uint64_t from[] = {0, 1, 2, 3, 0}, to[] = {1, 2, 3, 4, 5};
    sl_edges edges = {.nrows = N, .ncols = N, .count = 5, .row = from, .col = to, .type = SL_BOOL};
    sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    return sl_matrix_from_edges(A, ctx, &edges, &options);
}

static sl_matrix *row(void)
{
    sl_matrix *A;
    OK(ctx, make_row(&A));
    return A;
}

static void expect(sl_vector *v, const int64_t *expected)
{
    int64_t *array;
    OK(ctx, sl_search_array(&array, v));
    for (uint64_t k = 0; k < N; k++)
        assert_int_equal(array[k], expected[k]);
    sl_free(array);
    sl_vector_free(v);
}
#define EXPECT(v, ...) expect(v, (const int64_t[]){__VA_ARGS__})

static void conventions(void **state)
{
    (void)state;
    sl_matrix *A = row();
    sl_vector *parent, *level;
    OK(ctx, sl_bfs(&parent, &level, A, 1, NULL));
    assert_int_equal(sl_vector_type(parent), SL_INT64);
    assert_int_equal(sl_vector_type(level), SL_INT64);
    EXPECT(parent, 1, 1, 1, 2, 3, 0, -1);
    EXPECT(level, 1, 0, 1, 2, 3, 2, -1);
    OK(ctx, sl_bfs(&parent, &level, A, 1, &(sl_bfs_options){.int32 = true}));
    assert_int_equal(sl_vector_type(parent), SL_INT32);
    assert_int_equal(sl_vector_type(level), SL_INT32);
    EXPECT(parent, 1, 1, 1, 2, 3, 0, -1);
    EXPECT(level, 1, 0, 1, 2, 3, 2, -1);
    OK(ctx, sl_bfs(&parent, NULL, A, 6, NULL));
    EXPECT(parent, -1, -1, -1, -1, -1, -1, 6);
    OK(ctx, sl_bfs(NULL, &level, A, 4, NULL)); /* only levels: over any_pair */
    EXPECT(level, 4, 3, 2, 1, 0, 5, -1);
    OK(ctx, sl_bfs_plain(&parent, &level, A, 1, true));
    EXPECT(parent, 1, 1, 1, 2, 3, 0, -1);
    EXPECT(level, 1, 0, 1, 2, 3, 2, -1);
    OK(ctx, sl_bfs_plain(NULL, &level, A, 5, false));
    EXPECT(level, 1, 2, 3, 4, 5, 0, -1);
    sl_matrix_free(A);
}

static void ends_early(void **state)
{
    (void)state;
    sl_matrix *A = row();
    sl_vector *level;
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_bfs_options o = {.direction = direction, .bounded = true, .max_depth = 2};
        OK(ctx, sl_bfs(NULL, &level, A, 0, &o));
        EXPECT(level, 0, 1, 2, -1, -1, 1, -1);
        o.max_depth = 0;
        OK(ctx, sl_bfs(NULL, &level, A, 0, &o));
        EXPECT(level, 0, -1, -1, -1, -1, -1, -1);

        uint64_t targets[] = {3, 5, 3};
        o = (sl_bfs_options){.direction = direction, .targets = targets, .ntargets = 3};
        OK(ctx, sl_bfs(NULL, &level, A, 0, &o));
        EXPECT(level, 0, 1, -1, -1, -1, 1, -1);
        o.until = SL_UNTIL_ALL;
        OK(ctx, sl_bfs(NULL, &level, A, 0, &o));
        EXPECT(level, 0, 1, 2, 3, -1, 1, -1);
        targets[0] = 6; /* is not reached */
        OK(ctx, sl_bfs(NULL, &level, A, 0, &o));
        EXPECT(level, 0, 1, 2, 3, 4, 1, -1);
    }
    sl_matrix_free(A);
}

static void statistics(void **state)
{
    (void)state;
    sl_matrix *A = row();
    sl_vector *parent;
    sl_iteration_log log = {0};
    sl_bfs_options o = {.direction = SL_PUSH, .log = &log};
    OK(ctx, sl_bfs(&parent, NULL, A, 0, &o));
    sl_vector_free(parent);
    uint64_t frontier[] = {1, 2, 1, 1, 1}, edges[] = {2, 3, 2, 2, 1};
    assert_int_equal(log.count, 5);
    for (size_t k = 0; k < log.count; k++) {
        assert_int_equal(log.iterations[k].direction, SL_PUSH);
        assert_int_equal(log.iterations[k].frontier, frontier[k]);
        assert_int_equal(log.iterations[k].edges, edges[k]);
        assert_true(log.iterations[k].edges_exact);
        assert_true(log.iterations[k].seconds >= 0 && log.iterations[k].seconds < 60);
    }
    sl_iteration_log_clear(&log);
    sl_matrix_free(A);
}

static void errors(void **state)
{
    (void)state;
    sl_matrix *A = row(), *oblong, *empty, *huge;
    sl_vector *parent = (sl_vector *)1, *level = (sl_vector *)1;
    assert_int_equal(sl_bfs(&parent, &level, A, 99, NULL), SL_OUT_OF_RANGE);
    assert_non_null(strstr(sl_context_message(ctx), "99"));
    assert_non_null(strstr(sl_context_message(ctx), "7 vertices"));
    assert_null(parent);
    assert_null(level);
    assert_int_equal(sl_bfs_plain(&parent, NULL, A, 7, false), SL_OUT_OF_RANGE);
    assert_int_equal(sl_bfs(NULL, NULL, A, 0, NULL), SL_INVALID);
    assert_int_equal(sl_bfs(&parent, NULL, NULL, 0, NULL), SL_INVALID);
    assert_int_equal(sl_bfs_plain(NULL, NULL, A, 0, true), SL_INVALID);

    uint64_t target = 12;
    sl_bfs_options o = {.targets = &target, .ntargets = 1};
    assert_int_equal(sl_bfs(&parent, NULL, A, 0, &o), SL_OUT_OF_RANGE);
    assert_non_null(strstr(sl_context_message(ctx), "target 12"));
    o.targets = NULL;
    assert_int_equal(sl_bfs(&parent, NULL, A, 0, &o), SL_INVALID);
    o = (sl_bfs_options){.direction = 5};
    assert_int_equal(sl_bfs(&parent, &level, A, 0, &o), SL_INVALID);
    assert_null(parent);
    assert_null(level);

    OK(ctx, sl_matrix_new(&oblong, ctx, SL_BOOL, 3, 4));
    assert_int_equal(sl_bfs(&parent, NULL, oblong, 0, NULL), SL_MISMATCH);
    assert_non_null(strstr(sl_context_message(ctx), "3 x 4"));
    OK(ctx, sl_matrix_new(&empty, ctx, SL_BOOL, 0, 0));
    assert_int_equal(sl_bfs(&parent, NULL, empty, 0, NULL), SL_OUT_OF_RANGE);
    OK(ctx, sl_matrix_new(&huge, ctx, SL_BOOL, UINT64_C(2147483649), UINT64_C(2147483649)));
    o = (sl_bfs_options){.int32 = true};
    assert_int_equal(sl_bfs(&parent, &level, huge, 0, &o), SL_OUT_OF_RANGE);
    assert_non_null(
        strstr(sl_context_message(ctx), "2147483649 vertices; int32 results can number"));
    assert_null(parent);
    assert_null(level);
    sl_matrix_free(A);
    sl_matrix_free(oblong);
    sl_matrix_free(empty);
    sl_matrix_free(huge);
}

/* Every form of search. */
static sl_status search_all_forms(void *data)
{
    (void)data;
    sl_matrix *A = NULL;
    sl_vector *parent = NULL, *level = NULL;
    sl_iteration_log log = {0};
    uint64_t target = 4;
    int64_t *array = NULL;
    sl_status status = make_row(&A);
    for (int form = 0; form < 4 && status == SL_OK; form++) {
        sl_bfs_options o = {.direction = form == 1 ? SL_PULL : SL_AUTO,
                            .log = &log,
                            .targets = &target,
                            .ntargets = 1,
                            .deterministic = form == 2};
        status = form == 3 ? sl_bfs_plain(&parent, &level, A, 0, true)
                           : sl_bfs(form ? &parent : NULL, &level, A, 0, &o);
        if (status == SL_OK)
            status = sl_search_array(&array, level);
        sl_free(array);
        array = NULL;
        sl_vector_free(parent);
        sl_vector_free(level);
        parent = level = NULL;
    }
    sl_iteration_log_clear(&log);
    sl_matrix_free(A);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    OK(ctx, search_all_forms(NULL));
    assert_true(allocator_fail_each(search_all_forms, NULL) > 20);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conventions),     cmocka_unit_test(ends_early),
        cmocka_unit_test(statistics),      cmocka_unit_test(errors),
        cmocka_unit_test(memory_runs_out),
    };
    int failed = 0;
    for (int choice = SL_ENGINE_AUTO; choice <= SL_ENGINE_SUITESPARSE; choice++) {
        if (sl_context_create(&ctx, choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests(tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
