/*
 * Cancelling of generators, readers and writers, at each of their questions. No file remains of a
 * write that was cancelled, and waiting for a pipe can be cancelled.
 */
#include "cancel.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/semla-cancel-XXXXXX";

static sl_status run_generate(void *data)
{
    sl_matrix *A = NULL;
    sl_edges edges = {0};
    sl_status status = sl_generate(&edges, ctx, data);
    if (status == SL_OK)
        status = sl_matrix_generate(&A, ctx, data, NULL);
    sl_edges_free(&edges);
    sl_matrix_free(A);
    return status;
}

static void cancel_generators(void **state)
{
    (void)state;
    sl_generator models[] = {
        {.model = SL_MODEL_KRONECKER, .scale = 8},
        {.model = SL_MODEL_UNIFORM, .vertices = 50, .edges = 200},
        {.model = SL_MODEL_GRID, .side = {5, 6, 7}},
        {.model = SL_MODEL_PATH, .vertices = 30},
        {.model = SL_MODEL_STAR, .vertices = 30},
        {.model = SL_MODEL_COMPLETE, .vertices = 12},
        {.model = SL_MODEL_ROAD, .side = {9, 9}},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        cancel_at_each(run_generate, &models[k], 2);
}

static char path[128];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static unsigned files(void)
{
    unsigned count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static sl_status run_read(void *data)
{
    (void)data;
    sl_matrix *A = NULL;
    sl_status status = sl_matrix_read(&A, ctx, path, 0);
    sl_matrix_free(A);
    return status;
}

static sl_status run_write(void *data)
{
    return sl_matrix_write(data, path, SL_FORMAT_AUTO);
}

static void cancel_files(void **state)
{
    (void)state;
    static const char *const names[] = {"g.el",   "g.mtx",   "g.gr",    "g.graph",
                                        "g.g500", "g.semla", "g.el.gz", "g.mtx.zst"};
    sl_matrix *A = make(SL_MODEL_KRONECKER, 12, SL_BOOL);
    assert_non_null(mkdtemp(folder));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        in_folder(names[k]);
        cancel_at_each(run_write, A, 1);
        cancel_at_each(run_read, NULL, 2);
        assert_int_equal(files(), 1);
        assert_int_equal(unlink(path), 0);
    }
    /* what a cancelled call should have created does not exist */
    question q;
    assert_int_equal(run_until(&q, run_write, A, 0), SL_CANCELLED);
    assert_int_equal(files(), 0);
    assert_int_equal(rmdir(folder), 0);
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    sl_matrix_free(A);
}

/* A pipe that its writer leaves open and empty, and one that its reader leaves full, do not keep a
 * call from being cancelled. */
static void cancel_pipes(void **state)
{
    (void)state;
    question q;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 12, SL_BOOL);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(run_until(&q, run_read, NULL, 3), SL_CANCELLED);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    char zeros[4096] = {0};
    while (write(ends[1], zeros, sizeof zeros) > 0)
        ;
    assert_int_equal(run_until(&q, run_write, A, 6), SL_CANCELLED);
    assert_int_equal(q.calls, 7);
    close(ends[0]);
    close(ends[1]);
    sl_matrix_free(A);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancel_generators),
        cmocka_unit_test(cancel_files),
        cmocka_unit_test(cancel_pipes),
    };
    return run_on_engines(tests, sizeof tests / sizeof *tests);
}
