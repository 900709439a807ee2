/*
 * The registry: descriptions are complete and consistent, every algorithm runs by name and passes
 * its check, and wrong arguments are named.
 */
#include <string.h>

#include <semla/registry.h>

#include "library_context.h"

static sl_matrix *make_graph(void)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_read(&A, ctx, SEMLA_TEST_DATA "/karate.mtx", 0));
    return A;
}

static int position_of(const sl_algorithm *algorithm, const char *argument)
{
    for (int k = 0; algorithm->arguments[k].name; k++)
        if (strcmp(algorithm->arguments[k].name, argument) == 0)
            return k;
    return -1;
}

static void descriptions(void **state)
{
    (void)state;
    const sl_algorithm *algorithm;
    size_t count = 0;
    for (; (algorithm = sl_algorithm_at(count)); count++) {
        assert_ptr_equal(sl_algorithm_find(algorithm->name), algorithm);
        assert_true(*algorithm->summary && *algorithm->check);
        assert_non_null(algorithm->run);
        assert_non_null(algorithm->verify);
        assert_non_null(algorithm->results[0].name);
        for (int k = 0; algorithm->arguments[k].name; k++) {
            const sl_argument *a = &algorithm->arguments[k];
            assert_true(k < SL_MAX_ARGUMENTS && a->help && *a->help);
            assert_true(!a->excludes || position_of(algorithm, a->excludes) >= 0);
            assert_true(!a->needs || position_of(algorithm, a->needs) >= 0);
        }
        for (int k = 0; algorithm->results[k].name; k++)
            assert_true(k < SL_MAX_RESULTS && *algorithm->results[k].help);
    }
    assert_true(count >= 10);
    assert_ptr_equal(sl_algorithm_find("multi-source-bfs"), sl_algorithm_find("multi_source_bfs"));
    assert_null(sl_algorithm_find("multi"));
    assert_null(sl_algorithm_find("khop2"));
    assert_null(sl_algorithm_find(NULL));
}

/* Sets the arguments that are required: vertices 0, 1, ... */
static void set_required(sl_algorithm_call *call)
{
    for (int k = 0; call->algorithm->arguments[k].name; k++)
        if (call->algorithm->arguments[k].flags & SL_ARGUMENT_REQUIRED)
            call->arguments[k] = (sl_value){.given = true, .count = (uint64_t)k};
}

/* Runs, checks and summarises an algorithm with its defaults. */
static sl_status run_all(const sl_algorithm *algorithm, const sl_matrix *A, const sl_csr *rows)
{
    sl_algorithm_call call;
    sl_check_result result = {0};
    sl_algorithm_begin(&call, algorithm, A);
    set_required(&call);
    sl_status status = sl_algorithm_prepare(&call);
    if (status == SL_OK)
        status = sl_algorithm_run(&call);
    if (status == SL_OK)
        status = sl_algorithm_check(&result, &call, rows);
    assert_int_equal(result.valid, status == SL_OK);
    if (status == SL_OK)
        status = sl_algorithm_summarise(&call);
    for (int k = 0; status == SL_OK && algorithm->results[k].name; k++)
        if (algorithm->results[k].kind == SL_KIND_RANKING)
            assert_true(call.results[k].given);
    sl_algorithm_end(&call);
    return status;
}

static void calls_by_name(void **state)
{
    (void)state;
    sl_matrix *A = make_graph();
    sl_csr rows;
    OK(ctx, sl_matrix_copy_csr(&rows, A));
    const sl_algorithm *algorithm;
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++)
        OK(ctx, run_all(algorithm, A, &rows));
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_matrix_free(A);
}

static void expect_error(const char *name, const char *argument, sl_value value, sl_status status,
                         const char *message)
{
    sl_matrix *A = make_graph();
    sl_algorithm_call call;
    sl_algorithm_begin(&call, sl_algorithm_find(name), A);
    if (argument)
        call.arguments[position_of(call.algorithm, argument)] = value;
    assert_int_equal(sl_algorithm_prepare(&call), status);
    assert_string_equal(sl_context_message(ctx), message);
    sl_algorithm_end(&call);
    sl_matrix_free(A);
}

static void wrong_arguments(void **state)
{
    (void)state;
    uint64_t list[] = {3, 34};
    expect_error("st_connected", NULL, (sl_value){0}, SL_INVALID,
                 "st_connected: source is missing");
    expect_error("sssp", "source", (sl_value){.given = true, .count = 34}, SL_OUT_OF_RANGE,
                 "sssp: source 34 is out of range: the graph has 34 vertices");
    expect_error("khop", "sources", (sl_value){.given = true, .list = list, .count = 2},
                 SL_OUT_OF_RANGE, "khop: source 34 is out of range: the graph has 34 vertices");
    expect_error("pagerank", "damping", (sl_value){.given = true, .number = 1}, SL_INVALID,
                 "pagerank: damping is 1; it must be below 1");
    expect_error("pagerank", "tolerance", (sl_value){.given = true, .number = 0}, SL_INVALID,
                 "pagerank: tolerance is 0; it must be a number above 0");
    expect_error("pseudo_diameter", "max_searches", (sl_value){.given = true}, SL_INVALID,
                 "pseudo_diameter: max_searches is 0; the least value is 1");
    expect_error("betweenness", "seed", (sl_value){.given = true, .count = 3}, SL_INVALID,
                 "betweenness: seed needs samples");
    sl_matrix *A = make_graph();
    sl_algorithm_call call;
    sl_algorithm_begin(&call, sl_algorithm_find("betweenness"), A);
    call.arguments[position_of(call.algorithm, "sources")] =
        (sl_value){.given = true, .list = list, .count = 1};
    call.arguments[position_of(call.algorithm, "samples")] = (sl_value){.given = true, .count = 2};
    assert_int_equal(sl_algorithm_prepare(&call), SL_INVALID);
    assert_string_equal(sl_context_message(ctx),
                        "betweenness: samples and sources cannot both be given");
    sl_algorithm_end(&call);
    sl_matrix_free(A);
    assert_int_equal(sl_algorithm_prepare(NULL), SL_INVALID);
    assert_int_equal(sl_algorithm_run(NULL), SL_INVALID);
    sl_algorithm_end(NULL); /* no effect */
}

static sl_status run_khop(void *data)
{
    const sl_algorithm *names[] = {sl_algorithm_find("khop"), sl_algorithm_find("betweenness"),
                                   sl_algorithm_find("pseudo_diameter")};
    sl_status status = SL_OK;
    for (int k = 0; status == SL_OK && k < 3; k++) {
        sl_algorithm_call call;
        sl_algorithm_begin(&call, names[k], data);
        if (k == 1)
            call.arguments[position_of(names[k], "samples")] =
                (sl_value){.given = true, .count = 2};
        status = sl_algorithm_prepare(&call);
        if (status == SL_OK)
            status = sl_algorithm_run(&call);
        if (status == SL_OK)
            status = sl_algorithm_summarise(&call);
        sl_algorithm_end(&call);
    }
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 4, 4));
    for (uint64_t v = 0; v < 3; v++) {
        OK(ctx, sl_matrix_set(A, v, v + 1, sl_scalar_bool(true)));
        OK(ctx, sl_matrix_set(A, v + 1, v, sl_scalar_bool(true)));
    }
    OK(ctx, run_khop(A)); /* computes the data that A keeps */
    assert_true(allocator_fail_each(run_khop, A) > 5);
    sl_matrix_free(A);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions),
        cmocka_unit_test(calls_by_name),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
