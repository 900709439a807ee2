/* Native files: the layout that docs/native-format.md describes, and round trips. */
#include <stdlib.h>
#include <string.h>

#include "native_example.h"

static void layout(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = native_example_matrix(ctx), *B;
    const char *path = file_path("a.semla");
    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
    size_t length;
    char *bytes = file_bytes(path, &length);
    assert_int_equal(length, EXAMPLE);
    assert_memory_equal(bytes, native_example(), EXAMPLE);
    free(bytes);
    OK(ctx, sl_matrix_read(&B, ctx, path, SL_READ_VERIFY));
    expect_same(A, B);
    sl_matrix_free(B);

    /* other offsets and order of the sections, 64-bit columns, bytes after the last section */
    unsigned char wide[1024] = {0}, *file = native_example();
    const uint64_t index[] = {1, 0, 2};
    memcpy(wide, file, HEAD);
    memcpy(wide + 192, index, sizeof index);
    memcpy(wide + 320, file + EXAMPLE_VALUES, 6);
    memcpy(wide + 640, file + EXAMPLE_START, 24);
    put32(wide, INDEX_BYTES, 8);
    put_section(wide, START, 640, 24);
    put_section(wide, INDEX, 192, sizeof index);
    seal(wide);
    path = file_of("wide", wide, sizeof wide);
    sl_read_options options = {.format = SL_FORMAT_NATIVE, .flags = SL_READ_VERIFY};
    OK(ctx, sl_matrix_read_with(&B, NULL, ctx, path, &options));
    expect_same(A, B);
    sl_matrix_free(B);
    sl_matrix_free(A);
}

static sl_matrix *random_matrix(sl_context *ctx, sl_type type, uint64_t nrows, uint64_t ncols,
                                int entries, bool pattern)
{
    uint64_t seed = (uint64_t)type + nrows;
    sl_matrix *A, *ones;
    OK(ctx, sl_matrix_new(&A, ctx, type, nrows, ncols));
    for (int k = 0; k < entries; k++) {
        const uint64_t i = test_random(&seed) % nrows, j = test_random(&seed) % ncols;
        OK(ctx, sl_matrix_set(A, i, j, sl_scalar_fp64((double)(test_random(&seed) % 100) / 4)));
    }
    if (!pattern)
        return A;
    OK(ctx, sl_matrix_new(&ones, ctx, type, nrows, ncols));
    uint64_t count = (uint64_t)entries, *rows = test_malloc(2 * (count + 1) * 8),
             *cols = rows + count;
    OK(ctx, sl_matrix_extract_tuples(rows, cols, NULL, &count, A));
    OK(ctx, sl_matrix_build(ones, rows, cols, NULL, count, NULL));
    test_free(rows);
    sl_matrix_free(A);
    return ones;
}

static void round_trips(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        uint64_t nrows, ncols;
        int entries;
    } shapes[] = {{0, 0, 0},
                  {0, 9, 0},
                  {7, 0, 0},
                  {1, 1, 1},
                  {300, 200, 2000},
                  {5000, 3, 100},
                  {4, UINT64_C(1) << 32, 50},
                  {4, (UINT64_C(1) << 32) + 1, 50},
                  {3, UINT64_C(1) << 60, 30}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            for (int pattern = 0; pattern < 2; pattern++) {
                sl_matrix *A = random_matrix(ctx, (sl_type)type, shapes[k].nrows, shapes[k].ncols,
                                             shapes[k].entries, pattern),
                          *B;
                const char *path = file_path("r.semla");
                OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
                OK(ctx, sl_matrix_read(&B, ctx, path, SL_READ_VERIFY));
                bool before, after;
                OK(ctx, sl_matrix_is_pattern(&before, A));
                OK(ctx, sl_matrix_is_pattern(&after, B));
                if (shapes[k].entries > 0)
                    assert_int_equal(before, after);
                expect_same(A, B);
                sl_matrix_free(B);
                OK(ctx, sl_matrix_read(&B, ctx, path, SL_READ_PATTERN));
                assert_int_equal(sl_matrix_type(B),
                                 before || shapes[k].entries == 0 ? type : SL_BOOL);
                sl_matrix_free(B);
                sl_matrix_free(A);
            }
}

static bool known_symmetric(const char *path)
{
    size_t length;
    char *bytes = file_bytes(path, &length);
    bool known = bytes[FLAGS] & 2;
    free(bytes);
    return known;
}

/* Sets the flag of symmetry in the file of a matrix, and expects that every way to read it fails.
 */
static void expect_forgery_found(sl_context *ctx, const sl_matrix *A)
{
    const char *path = file_path("forged.semla");
    static const unsigned flags[] = {0,
                                     SL_READ_VERIFY,
                                     SL_READ_SYMMETRIC,
                                     SL_READ_TRANSPOSED,
                                     SL_READ_PATTERN,
                                     SL_READ_NO_LOOPS};
    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
    assert_false(known_symmetric(path));
    size_t length;
    unsigned char *lie = (unsigned char *)file_bytes(path, &length);
    lie[FLAGS] |= 2;
    seal(lie);
    path = file_of("forged.semla", lie, length);
    free(lie);
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        sl_matrix *B = (sl_matrix *)ctx;
        sl_edges edges;
        assert_int_equal(sl_matrix_read(&B, ctx, path, flags[k]), SL_SYNTAX);
        assert_non_null(
            strstr(sl_context_message(ctx), "declared symmetric, but the pattern is not"));
        assert_null(B);
        const sl_read_options o = {.flags = flags[k]};
        assert_int_equal(sl_edges_read(&edges, ctx, path, &o), SL_SYNTAX);
    }
}

/* Directed graphs in which each vertex has as many entries in its row as in its column. */
static void forged_symmetry(void **state)
{
    sl_context *ctx = *state;
    for (uint64_t n = 3; n <= 3000; n *= 10) { /* a directed cycle */
        sl_matrix *A;
        OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, n, n));
        for (uint64_t i = 0; i < n; i++)
            OK(ctx, sl_matrix_set(A, i, (i + 1) % n, sl_scalar_bool(true)));
        expect_forgery_found(ctx, A);
        sl_matrix_free(A);
    }
    /* a large symmetric graph with one directed triangle, in several chunks of the reader */
    sl_matrix *A;
    sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 13};
    OK(ctx, sl_matrix_generate(&A, ctx, &model, &(sl_read_options){.flags = SL_READ_SYMMETRIC}));
    const uint64_t corner[] = {17, 4001, 8190};
    for (int k = 0; k < 3; k++) {
        const uint64_t i = corner[k], j = corner[(k + 1) % 3];
        OK(ctx, sl_matrix_set(A, i, j, sl_scalar_bool(true)));
        OK(ctx, sl_matrix_remove(A, j, i));
    }
    expect_forgery_found(ctx, A);
    sl_matrix_free(A);
}

/* The declared symmetry is used, and checked. */
static void symmetry(void **state)
{
    sl_context *ctx = *state;
    const char *path = file_path("s.semla");
    bool symmetric;
    sl_matrix *A, *B;
    OK(ctx, sl_matrix_read(&A, ctx, SEMLA_TEST_DATA "/karate.mtx", 0));
    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
    assert_true(known_symmetric(path));
    OK(ctx, sl_matrix_read(&B, ctx, path, SL_READ_VERIFY | SL_READ_SYMMETRIC));
    OK(ctx, sl_matrix_is_symmetric(&symmetric, B));
    assert_true(symmetric);
    expect_same(A, B);
    sl_matrix_free(A);
    sl_matrix_free(B);

    OK(ctx, sl_matrix_read(&A, ctx, file_with("d.txt", "0 1\n1 2\n"), 0));
    expect_forgery_found(ctx, A);
    sl_matrix_free(A);
}

/* Flags that change the entries have the same effect as for text files. */
static void options(void **state)
{
    sl_context *ctx = *state;
    const char *text = file_with("o.txt", "0 1 4\n1 0 5\n2 2 6\n2 0 0.5\n");
    sl_matrix *A, *B;
    for (unsigned flags = 0; flags < 16; flags++)
        for (int pattern = 0; pattern < 2; pattern++) {
            OK(ctx, sl_matrix_read(&A, ctx, text, pattern ? SL_READ_PATTERN : 0));
            OK(ctx, sl_matrix_write(A, file_path("o.semla"), SL_FORMAT_AUTO));
            sl_matrix_free(A);
            sl_read_options o = {.flags = flags | (pattern ? SL_READ_PATTERN : 0),
                                 .duplicates = SL_DUPLICATES_SUM};
            OK(ctx, sl_matrix_read_with(&A, NULL, ctx, text, &o));
            OK(ctx, sl_matrix_read_with(&B, NULL, ctx, file_path("o.semla"), &o));
            expect_same(A, B);
            sl_matrix_free(A);
            sl_matrix_free(B);
        }
}

/* Tuples support fewer types than matrices. */
static void tuples(void **state)
{
    sl_context *ctx = *state;
    sl_edges edges;
    const char *path = file_of("t.semla", native_example(), EXAMPLE);
    OK(ctx, sl_edges_read(&edges, ctx, path, NULL));
    assert_int_equal(edges.type, SL_INT64);
    assert_int_equal(edges.count, 3);
    assert_memory_equal(edges.row, ((uint64_t[]){0, 1, 1}), 24);
    assert_memory_equal(edges.col, ((uint64_t[]){1, 0, 2}), 24);
    assert_memory_equal(edges.values, ((int64_t[]){5, 7, -9}), 24);
    sl_edges_free(&edges);

    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP32, 1, 2));
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_fp64(0.5)));
    OK(ctx, sl_matrix_write(A, file_path("t.semla"), SL_FORMAT_AUTO));
    sl_matrix_free(A);
    OK(ctx, sl_edges_read(&edges, ctx, path, NULL));
    assert_int_equal(edges.type, SL_FP64);
    assert_true(*(double *)edges.values == 0.5);
    sl_edges_free(&edges);

    OK(ctx, sl_matrix_new(&A, ctx, SL_UINT64, 1, 2));
    OK(ctx, sl_matrix_set(A, 0, 1, (sl_scalar){.type = SL_UINT64, .as.uint64_ = UINT64_MAX}));
    OK(ctx, sl_matrix_write(A, file_path("t.semla"), SL_FORMAT_AUTO));
    sl_matrix_free(A);
    OK(ctx, sl_edges_read(&edges, ctx, path, NULL));
    assert_int_equal(edges.type, SL_UINT64);
    assert_true(*(uint64_t *)edges.values == UINT64_MAX);
    sl_edges_free(&edges);
}

/* The comparison takes no memory for each row. */
static void expect_equal(const sl_matrix *A, const sl_matrix *B, const char *what, unsigned flags)
{
    bool equal;
    OK(sl_matrix_context(A), sl_matrix_equal(&equal, A, B));
    if (!equal || sl_matrix_type(A) != sl_matrix_type(B))
        fail_msg("%s with flags 0x%x: types %s and %s, %s", what, flags,
                 sl_type_name(sl_matrix_type(A)), sl_type_name(sl_matrix_type(B)),
                 equal ? "equal" : "different");
}

/* Files of huge matrices have the size of the entries, in both formats that declare a shape. */
static void few_entries(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = native_few_example_matrix(ctx), *B;
    const char *path = file_path("few.semla");
    size_t length;
    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
    char *bytes = file_bytes(path, &length);
    assert_int_equal(length, FEW);
    assert_memory_equal(bytes, native_few_example(), FEW);
    free(bytes);
    sl_matrix_free(A);
    for (unsigned shift = 20; shift <= 60; shift += 10)
        for (int kind = 0; kind < 4;
             kind++) { /* general, symmetric, without entries, without columns */
            const uint64_t n = UINT64_C(1) << shift;
            OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, n, kind == 3 ? 0 : n));
            if (kind < 2)
                OK(ctx, sl_matrix_set(A, 3, n - 1, sl_scalar_fp64(0.5)));
            if (kind < 2)
                OK(ctx, sl_matrix_set(A, n - 1, kind ? 3 : n - 1, sl_scalar_fp64(2)));
            for (unsigned flags = 0; flags < 16; flags++)
                for (int text = 0; text < 2; text++) {
                    sl_matrix *C, *D;
                    sl_read_options o = {.flags = flags | (text ? 0 : SL_READ_VERIFY),
                                         .duplicates = SL_DUPLICATES_SUM};
                    if (kind > 1 && flags) /* no tuple says whether there are values */
                        continue;
                    path = file_path(text ? "few.mtx" : "few.semla");
                    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
                    free(file_bytes(path, &length));
                    assert_true(length < 1000);
                    OK(ctx, sl_matrix_read_with(&C, NULL, ctx, path, &o));
                    o.flags = 0;
                    OK(ctx, sl_matrix_read_with(&B, NULL, ctx, path, &o));
                    expect_equal(A, B, path, 0);
                    /* The flags are those of tuples. */
                    sl_edges edges;
                    OK(ctx, sl_edges_read(&edges, ctx, path, &o));
                    o.flags = flags;
                    sl_status status = sl_matrix_from_edges(&D, ctx, &edges, &o);
                    if (status == SL_OK)
                        expect_equal(C, D, path, flags);
                    else /* a user's tuples imply that there will be vectors */
                        assert_int_equal(status, SL_NO_MEMORY);
                    sl_edges_free(&edges);
                    sl_matrix_free(B);
                    sl_matrix_free(C);
                    sl_matrix_free(D);
                }
            sl_matrix_free(A);
        }
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout),      cmocka_unit_test(round_trips),
        cmocka_unit_test(symmetry),    cmocka_unit_test(forged_symmetry),
        cmocka_unit_test(options),     cmocka_unit_test(tuples),
        cmocka_unit_test(few_entries),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
