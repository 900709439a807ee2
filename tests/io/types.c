/* Written matrices keep their type, whatever their values are; and both triangles of a file. */
#include <string.h>

#include "files.h"

#define MARKET "%%MatrixMarket matrix coordinate "

static const sl_type types[] = {SL_BOOL,   SL_INT8,   SL_INT16,  SL_INT32, SL_INT64, SL_UINT8,
                                SL_UINT16, SL_UINT32, SL_UINT64, SL_FP32,  SL_FP64};
enum { TYPES = sizeof types / sizeof *types };

/* The type that the Matrix Market file of a matrix of type `type` is read as. */
static sl_type read_type(sl_type type)
{
    return type == SL_BOOL || type == SL_UINT64 ? type
           : type == SL_FP32 || type == SL_FP64 ? SL_FP64
                                                : SL_INT64;
}

/* A symmetric matrix of this type of which every value is 1, stored once or for each entry. */
static sl_matrix *matrix_of_ones(sl_context *ctx, sl_type type, bool by_element)
{
    const uint64_t rows[] = {0, 1}, cols[] = {1, 0};
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, type, 2, 2));
    const sl_scalar one = sl_scalar_cast(sl_scalar_int64(1), type);
    for (int k = 0; by_element && k < 2; k++)
        OK(ctx, sl_matrix_set(A, rows[k], cols[k], one));
    if (!by_element) {
        OK(ctx, sl_matrix_build(A, rows, cols, NULL, 2, NULL));
    }
    return A;
}

static void ones_keep_their_type(void **state)
{
    sl_context *ctx = *state;
    for (int t = 0; t < 2 * TYPES; t++) {
        const sl_type type = types[t / 2], as = read_type(type);
        sl_matrix *A = matrix_of_ones(ctx, type, t % 2);
        OK(ctx, sl_matrix_write(A, file_path("w.mtx"), SL_FORMAT_AUTO));
        expect_text(file_path("w.mtx"),
                    as == SL_BOOL     ? MARKET "pattern general\n2 2 2\n1 2\n2 1\n"
                    : as == SL_UINT64 ? MARKET "unsigned-integer general\n2 2 2\n1 2 1\n2 1 1\n"
                    : as == SL_FP64   ? MARKET "real general\n2 2 2\n1 2 1\n2 1 1\n"
                                      : MARKET "integer general\n2 2 2\n1 2 1\n2 1 1\n");
        expect_matrix(read_with(ctx, file_path("w.mtx"), (sl_read_options){0}), as, 2, 2,
                      ENTRIES({0, 1, 1}, {1, 0, 1}));
        OK(ctx, sl_matrix_write(A, file_path("w.txt"), SL_FORMAT_AUTO));
        expect_matrix(read_with(ctx, file_path("w.txt"), (sl_read_options){0}),
                      type == SL_BOOL ? SL_BOOL : SL_FP64, 2, 2, ENTRIES({0, 1, 1}, {1, 0, 1}));
        OK(ctx, sl_matrix_write(A, file_path("w.graph"), SL_FORMAT_AUTO));
        expect_text(file_path("w.graph"), type == SL_BOOL ? "2 1\n2\n1\n" : "2 1 001\n2 1\n1 1\n");
        OK(ctx, sl_matrix_write(A, file_path("w.gr"), SL_FORMAT_AUTO));
        expect_text(file_path("w.gr"), "p sp 2 2\na 1 2 1\na 2 1 1\n");
        if (type == SL_BOOL)
            OK(ctx, sl_matrix_write(A, file_path("w.g500"), SL_FORMAT_AUTO));
        else
            assert_int_equal(sl_matrix_write(A, file_path("x.g500"), SL_FORMAT_AUTO),
                             SL_UNSUPPORTED);
        sl_matrix *B;
        OK(ctx, sl_matrix_write(A, file_path("w.semla"), SL_FORMAT_AUTO));
        OK(ctx, sl_matrix_read(&B, ctx, file_path("w.semla"), 0));
        expect_same(A, B);
        sl_matrix_free(B);
        sl_matrix_free(A);
    }
}

/* An empty matrix keeps its type, too; bool with a false entry has values. */
static void without_ones(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, 2, 3));
    OK(ctx, sl_matrix_write(A, file_path("w.mtx"), SL_FORMAT_AUTO));
    expect_text(file_path("w.mtx"), MARKET "real general\n2 3 0\n");
    sl_matrix_free(A);
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 2, 2));
    OK(ctx, sl_matrix_write(A, file_path("w.mtx"), SL_FORMAT_AUTO));
    expect_text(file_path("w.mtx"), MARKET "pattern general\n2 2 0\n");
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_bool(true)));
    OK(ctx, sl_matrix_set(A, 1, 0, sl_scalar_bool(false)));
    OK(ctx, sl_matrix_write(A, file_path("w.mtx"), SL_FORMAT_AUTO));
    expect_text(file_path("w.mtx"), MARKET "integer general\n2 2 2\n1 2 1\n2 1 0\n");
    sl_matrix_free(A);
}

/* A symmetric file with entries above the diagonal is read with SL_READ_SYMMETRIC. */
static void both_triangles(void **state)
{
    sl_context *ctx = *state;
    static const char text[] = MARKET "real symmetric\n3 3 3\n1 2 5\n3 1 2\n3 3 4\n";
    sl_matrix *A;
    assert_int_equal(sl_matrix_read(&A, ctx, file_with("s.mtx", text), 0), SL_SYNTAX);
    assert_non_null(strstr(sl_context_message(ctx), ":3:1: an entry above the diagonal"));
    assert_non_null(strstr(sl_context_message(ctx), "--symmetric"));
    expect_matrix(read_text(ctx, "s.mtx", text, (sl_read_options){.flags = SL_READ_SYMMETRIC}),
                  SL_FP64, 3, 3, ENTRIES({0, 1, 5}, {0, 2, 2}, {1, 0, 5}, {2, 0, 2}, {2, 2, 4}));
    static const char skew[] = MARKET "real skew-symmetric\n3 3 1\n1 2 5\n";
    assert_int_equal(sl_matrix_read(&A, ctx, file_with("s.mtx", skew), SL_READ_SYMMETRIC),
                     SL_SYNTAX);
    assert_null(strstr(sl_context_message(ctx), "--symmetric"));
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ones_keep_their_type),
        cmocka_unit_test(without_ones),
        cmocka_unit_test(both_triangles),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
