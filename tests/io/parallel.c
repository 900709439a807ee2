/* Several threads give the same tuples, matrices and errors as one thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <omp.h>

#include "files.h"
#include "texts.h"

/* More threads than cores, so that threads are preempted within blocks. */
static const int thread_counts[] = {2, 7};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

static void expect_same_tuples(const sl_edges *a, const sl_edges *b)
{
    assert_int_equal(a->row == NULL, b->row == NULL);
    assert_int_equal(a->nrows, b->nrows);
    assert_int_equal(a->ncols, b->ncols);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->mirror, b->mirror);
    assert_memory_equal(a->row, b->row, a->count * 8);
    assert_memory_equal(a->col, b->col, a->count * 8);
    assert_int_equal(a->values == NULL, b->values == NULL);
    if (a->values)
        assert_memory_equal(a->values, b->values, a->count * 8);
    assert_int_equal(a->ids == NULL, b->ids == NULL);
    if (a->ids)
        assert_memory_equal(a->ids, b->ids, a->nrows * 8);
}

static sl_csr rows_of(sl_context *ctx, const char *path, const sl_read_options *options)
{
    sl_matrix *A;
    sl_csr csr;
    uint64_t *ids;
    OK(ctx, sl_matrix_read_with(&A, &ids, ctx, path, options));
    OK(ctx, sl_matrix_copy_csr(&csr, A));
    sl_matrix_free(A);
    sl_free(ids);
    return csr;
}

static void expect_same_rows(const sl_csr *a, const sl_csr *b)
{
    assert_int_equal(a->nrows, b->nrows);
    assert_int_equal(a->type, b->type);
    assert_memory_equal(a->start, b->start, (a->nrows + 1) * 8);
    assert_memory_equal(a->index, b->index, a->start[a->nrows] * 8);
    assert_int_equal(a->values == NULL, b->values == NULL);
    if (a->values)
        assert_memory_equal(a->values, b->values, a->start[a->nrows] * 8);
}

static void expect_same_result(sl_context *ctx, const char *path, const sl_read_options *options)
{
    sl_edges one, several;
    omp_set_num_threads(1);
    OK(ctx, sl_edges_read(&one, ctx, path, options));
    sl_csr rows = rows_of(ctx, path, options);
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        omp_set_num_threads(thread_counts[t]);
        OK(ctx, sl_edges_read(&several, ctx, path, options));
        expect_same_tuples(&one, &several);
        sl_edges_free(&several);
        sl_csr other = rows_of(ctx, path, options);
        expect_same_rows(&rows, &other);
        free_rows(&other);
    }
    sl_edges_free(&one);
    free_rows(&rows);
}

static void same_results(void **state)
{
    sl_context *ctx = *state;
    for (form f = PAIRS; f < FORMS; f++) {
        size_t length;
        char *text = text_of(f, &length);
        const char *path = file_of("same.txt", text, length);
        sl_read_options options = {.duplicates = SL_DUPLICATES_SUM, .base = 1};
        if (f == SPARSE)
            options.flags = SL_READ_RENUMBER;
        if (f == ARCS || f == TUPLES)
            options.format = f == ARCS ? SL_FORMAT_DIMACS : SL_FORMAT_GRAPH500_PACKED;
        expect_same_result(ctx, path, &options);
        if (f == DISORDER) {
            options.flags = SL_READ_RENUMBER;
            expect_same_result(ctx, path, &options);
            expect_same_result(ctx, file_gzip("same.txt.gz", text, 3), &options);
        }
        if (f == WEIGHTS || f == ARRAY) {
            options.flags = SL_READ_PATTERN;
            expect_same_result(ctx, path, &options);
        }
        test_free(text);
    }
}

static void no_tuples(void **state)
{
    sl_context *ctx = *state;
    char *text = test_malloc(CAPACITY);
    memset(text, '%', 1000000);
    for (int k = 0; k < 1000000; k += 1000)
        text[k + 999] = '\n';
    text[1000000] = '\0';
    const sl_read_options compact = {.flags = SL_READ_RENUMBER};
    expect_same_result(ctx, file_with("none.txt", text), &compact);
    const char *head = "%%MatrixMarket matrix coordinate real general\n5 7 0\n";
    memcpy(text, head, strlen(head));
    expect_same_result(ctx, file_with("none.mtx", text), &(sl_read_options){0});
    test_free(text);
}

/* Compares the tuples with the text, not only with those of one thread. */
static void correct_results(void **state)
{
    sl_context *ctx = *state;
    size_t length;
    char *text = text_of(MARKET_INTEGER, &length), *p = text;
    sl_edges edges;
    omp_set_num_threads(4);
    OK(ctx, sl_edges_read(&edges, ctx, file_of("right.mtx", text, length), NULL));
    assert_int_equal(edges.count, LINES);
    for (int skipped = 0; skipped < 2; skipped++)
        p = strchr(p, '\n') + 1;
    for (int k = 0; k < LINES; k++) {
        assert_int_equal(edges.row[k] + 1, strtoull(p, &p, 10));
        assert_int_equal(edges.col[k] + 1, strtoull(p, &p, 10));
        assert_int_equal(((int64_t *)edges.values)[k], strtoll(p, &p, 10));
    }
    sl_edges_free(&edges);
    test_free(text);

    text = text_of(ARRAY_SKEW, &length);
    OK(ctx, sl_edges_read(&edges, ctx, file_of("right.mtx", text, length), NULL));
    uint64_t k = 0;
    for (uint64_t j = 0; j < 400; j++)
        for (uint64_t i = j + 1; i < 400; i++, k++) {
            assert_int_equal(edges.row[k], i);
            assert_int_equal(edges.col[k], j);
        }
    assert_int_equal(edges.count, k);
    sl_edges_free(&edges);
    test_free(text);
}

static void expect_same_error(sl_context *ctx, const char *path, const sl_read_options *options,
                              const char *words)
{
    sl_matrix *A;
    char message[600];
    omp_set_num_threads(1);
    sl_status status = sl_matrix_read_with(&A, NULL, ctx, path, options);
    strcpy(message, sl_context_message(ctx));
    assert_int_not_equal(status, SL_OK);
    if (!strstr(message, words))
        fail_msg("'%s' does not contain '%s'", message, words);
    long alive = allocator_alive();
    for (size_t t = 0; t < THREAD_COUNTS; t++) {
        omp_set_num_threads(thread_counts[t]);
        assert_int_equal(sl_matrix_read_with(&A, NULL, ctx, path, options), status);
        assert_string_equal(sl_context_message(ctx), message);
        assert_null(A);
    }
    assert_int_equal(allocator_alive(), alive);
}

/* The first error in the file is reported with its line, compressed or not. */
static void same_errors(void **state)
{
    sl_context *ctx = *state;
    size_t length;
    char *text = text_of(WEIGHTS, &length), words[64];
    const sl_read_options options = {0};
    const double places[] = {0.001, 0.35, 0.5, 0.93, 0.999};
    for (size_t k = 0; k < 5; k++) {
        char *place = strchr(text + (size_t)(places[k] * (double)length), '\n') + 1, kept = *place;
        char *second = strchr(place + (length - (size_t)(place - text)) / 2, ' '), late = *second;
        int line = 1;
        for (const char *p = text; p < place; p++)
            line += *p == '\n';
        *place = 'x';
        *second = 'y';
        snprintf(words, sizeof words, ":%d:1: expected a vertex id, found 'x'", line);
        expect_same_error(ctx, file_of("wrong.txt", text, length), &options, words);
        expect_same_error(ctx, file_gzip("wrong.txt.gz", text, 1), &options, words);
        *place = kept;
        *second = late;
    }
    const char *path = file_gzip("cut.txt.gz", text, 1);
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(truncate(path, file.st_size - 1000), 0);
    expect_same_error(ctx, path, &options, "truncated gzip data: unexpected end of the file");
    test_free(text);
}

static void same_counts(void **state)
{
    sl_context *ctx = *state;
    size_t length;
    const sl_read_options options = {0};
    char *text = text_of(MARKET, &length);
    text[length - 1] = ' ';
    strcpy(text + length - 1, "\n % more\n\n  7 7 7\n8 8 8\n");
    expect_same_error(ctx, file_with("many.mtx", text), &options,
                      ":90005:3: more than the 90000 entries declared");
    strchr(text + length / 2, '\n')[1] = '\0';
    expect_same_error(ctx, file_with("few.mtx", text), &options, " of 90000 entries");
    test_free(text);

    text = text_of(ARRAY, &length);
    strcpy(text + length, "1 2 3\n");
    expect_same_error(ctx, file_with("many.mtx", text), &options,
                      ":90003:1: more than the 90000 entries declared");
    text[length - 20] = '\0';
    expect_same_error(ctx, file_with("few.mtx", text), &options, " of 90000 entries");
    test_free(text);

    text = text_of(ARCS, &length);
    strcpy(text + length, "a 1 2 3\n");
    expect_same_error(ctx, file_with("many.gr", text), &options,
                      ":100003:1: more than the 90000 declared arcs");
    text[length] = '\0';
    strchr(text + length / 2, '\n')[1] = '\0';
    expect_same_error(ctx, file_with("few.gr", text), &options, " of 90000 arcs");
    test_free(text);

    text = text_of(TUPLES, &length);
    expect_same_error(ctx, file_of("cut.g500p", text, length - 5), &options,
                      "byte 1079988: the file ends within a tuple, which has 12 bytes");
    text[length - 1] = (char)0xff;
    expect_same_error(ctx, file_of("wrong.g500p", text, length), &options,
                      "byte 1079988: vertex -");
    test_free(text);
}

typedef struct {
    const char *path, *text;
} feed;

static void *feed_pipe(void *data)
{
    const feed *f = data;
    FILE *pipe = fopen(f->path, "w");
    if (pipe) {
        fputs(f->text, pipe);
        fclose(pipe);
    }
    return NULL;
}

/* Lines longer than blocks, up to the maximum length. */
static void long_lines(void **state)
{
    sl_context *ctx = *state;
    const size_t longest = 16 << 20, before = 8, capacity = longest + 100;
    char *text = test_malloc(capacity);
    const sl_read_options options = {0};
    for (size_t more = 0; more < 2; more++) {
        memset(text, '#', capacity);
        memcpy(text, "0 1\n1 2\n", before);
        memcpy(text + before + (longest >> more) + more - 1, "\n2 3", 4);
        expect_same_result(ctx, file_of("long.txt", text, before + (longest >> more) + more + 3),
                           &options);
    }
    memset(text, '#', capacity);
    memcpy(text, "0 1\n1 2\n", before);
    text[before + longest] = '\n';
    expect_same_error(ctx, file_of("long.txt", text, before + longest + 1), &options,
                      ":3:1: the line is longer than the limit of 16 MiB");
    test_free(text);
}

/* A pipe cannot be read a second time; its errors must be located by the first pass. */
static void pipes(void **state)
{
    sl_context *ctx = *state;
    size_t length;
    char *text = text_of(PAIRS, &length), message[600];
    feed f = {file_path("pipe"), text};
    pthread_t feeder;
    sl_edges one, several;
    OK(ctx, sl_edges_read(&one, ctx, file_with("same.txt", text), NULL));
    assert_int_equal(mkfifo(f.path, 0600), 0);
    omp_set_num_threads(4);
    assert_int_equal(pthread_create(&feeder, NULL, feed_pipe, &f), 0);
    OK(ctx, sl_edges_read(&several, ctx, f.path, NULL));
    pthread_join(feeder, NULL);
    expect_same_tuples(&one, &several);
    sl_edges_free(&one);
    sl_edges_free(&several);

    strcpy(text + length, "x\n");
    snprintf(message, sizeof message, "%s:90001:1: expected a vertex id, found 'x'", f.path);
    assert_int_equal(pthread_create(&feeder, NULL, feed_pipe, &f), 0);
    assert_int_equal(sl_edges_read(&several, ctx, f.path, NULL), SL_SYNTAX);
    pthread_join(feeder, NULL);
    assert_string_equal(sl_context_message(ctx), message);
    test_free(text);
}

typedef struct {
    sl_context *ctx;
    const char *path;
    sl_read_options options;
} job;

static sl_status read_matrix(void *data)
{
    job *j = data;
    sl_matrix *A;
    uint64_t *ids;
    sl_status status = sl_matrix_read_with(&A, &ids, j->ctx, j->path, &j->options);
    sl_matrix_free(A);
    sl_free(ids);
    return status;
}

static sl_status read_edges(void *data)
{
    job *j = data;
    sl_edges edges;
    sl_status status = sl_edges_read(&edges, j->ctx, j->path, &j->options);
    sl_edges_free(&edges);
    return status;
}

/* Allocations of all threads are charged to the context, and freed after a failure. */
static void memory_limit(void **state)
{
    sl_context *ctx = *state;
    size_t length;
    char *text = text_of(WEIGHTS, &length);
    sl_context_memory before, after;
    sl_matrix *A;
    const char *path = file_of("m.txt", text, length);
    omp_set_num_threads(3);
    OK(ctx, sl_context_set_memory_limit(ctx, UINT64_C(1) << 40));
    sl_context_get_memory(ctx, &before);
    OK(ctx, sl_matrix_read(&A, ctx, path, 0));
    sl_matrix_free(A);
    sl_context_get_memory(ctx, &after);
    assert_int_equal(before.used, after.used);
    for (uint64_t more = 1 << 16; more < 1 << 23; more *= 2) {
        OK(ctx, sl_context_set_memory_limit(ctx, before.used + more));
        sl_status status = sl_matrix_read(&A, ctx, path, 0);
        if (more < 1 << 20) /* the tuples need more */
            assert_int_equal(status, SL_NO_MEMORY);
        sl_matrix_free(A);
        sl_context_get_memory(ctx, &after);
        assert_int_equal(before.used, after.used);
    }
    OK(ctx, sl_context_set_memory_limit(ctx, 0));
    test_free(text);
}

static void allocation_failures(void **state)
{
    size_t length;
    omp_set_num_threads(3);
    const form forms[] = {WEIGHTS, SPARSE, ARRAY};
    for (size_t k = 0; k < 3; k++) {
        char *text = text_of(forms[k], &length);
        job j = {*state, file_of("a.txt", text, length), {.flags = SL_READ_RENUMBER}};
        assert_true(allocator_fail_each(read_matrix, &j) > 12);
        assert_true(allocator_fail_each(read_edges, &j) > 12);
        test_free(text);
    }
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_results),
        cmocka_unit_test(no_tuples),
        cmocka_unit_test(correct_results),
        cmocka_unit_test(same_errors),
        cmocka_unit_test(same_counts),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(pipes),
        cmocka_unit_test(memory_limit),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
