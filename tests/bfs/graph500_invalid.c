/* The Graph500 benchmark with searches that fail or have faulty results: the sl_bfs of this program
 * replaces that of the library. */
#include <stdio.h>

#include <semla/bfs.h>

#include "library_context.h"

static unsigned searches, faulty, failing; /* the number of a search, from 1; 0: none */
static uint64_t faulty_root;

sl_status sl_bfs(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                 const sl_bfs_options *options)
{
    searches++;
    *parent = NULL;
    if (searches == failing)
        return sl_fail(ctx, SL_ENGINE_FAULT, "the engine has come to a stop");
    sl_status status = sl_bfs_plain(parent, level, A, source, options->deterministic);
    if (status == SL_OK && searches == faulty) {
        faulty_root = source;
        status = sl_vector_remove(*parent, source);
    }
    return status;
}

static const sl_graph500_options OPTIONS = {.scale = 6, .roots = 5};

static void all_valid(void **state)
{
    (void)state;
    sl_graph500_report r;
    searches = faulty = failing = 0;
    OK(ctx, sl_graph500(&r, ctx, &OPTIONS));
    assert_int_equal(searches, 5); /* this program's sl_bfs was called */
    assert_true(r.roots == 5 && r.valid == 5);
}

static void a_faulty_tree_ends_the_run(void **state)
{
    (void)state;
    sl_graph500_report r;
    searches = failing = 0;
    faulty = 3;
    OK(ctx, sl_graph500(&r, ctx, &OPTIONS));
    assert_int_equal(searches, 3);
    assert_int_equal(r.roots, 3);
    assert_int_equal(r.valid, 2);
    assert_int_equal(r.failed_root, faulty_root);
    assert_false(r.failure.valid);
    char reason[100];
    snprintf(reason, sizeof reason, "the source %llu has no parent; it must be its own",
             (unsigned long long)faulty_root);
    assert_string_equal(r.failure.reason, reason);
    assert_true(r.seconds.min > 0 && r.teps.mean > 0);
}

static void accepted_without_validation(void **state)
{
    (void)state;
    sl_graph500_report r;
    sl_graph500_options options = OPTIONS;
    options.skip_validation = true;
    searches = failing = 0;
    faulty = 3;
    OK(ctx, sl_graph500(&r, ctx, &options));
    assert_true(searches == 5 && r.roots == 5 && r.valid == 0);
}

static void a_search_that_fails(void **state)
{
    (void)state;
    sl_graph500_report r;
    searches = faulty = 0;
    failing = 4;
    long before = allocator_alive();
    assert_int_equal(sl_graph500(&r, ctx, &OPTIONS), SL_ENGINE_FAULT);
    assert_string_equal(sl_context_message(ctx), "the engine has come to a stop");
    assert_int_equal(allocator_alive(), before);
    assert_true(r.roots == 0 && r.valid == 0 && r.vertices == 0);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_valid),
        cmocka_unit_test(a_faulty_tree_ends_the_run),
        cmocka_unit_test(accepted_without_validation),
        cmocka_unit_test(a_search_that_fails),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
