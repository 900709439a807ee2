/*
 * Numbers in files: values beyond the range of a type, integers that a type would round, unsigned
 * integers. Nothing is changed without a word.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files.h"

#define MARKET(field) "%%MatrixMarket matrix coordinate " field " general\n2 2 "

/* A text that is refused, with the message behind the path. */
typedef struct {
    const char *name, *text, *message;
} refusal;

/* clang-format off */
static const refusal refused[] = {
    {"w.txt", "0 1 1\n1 0 1e400\n", ":2:5: the value 1e400 is too large for the type fp64"},
    {"w.txt", "0 1 -1e400\n", ":1:5: the value -1e400 is too large for the type fp64"},
    {"w.txt", "0 1 1e-400\n", ":1:5: the value 1e-400 is too small for the type fp64"},
    {"w.txt", "0 1 0.0000000000000000000000000000000000000001e-300\n",
     ":1:5: the value 0.00000000000000000000000000000000000000 is too small for the type fp64"},
    {"w.txt", "0 1 9007199254740993\n",
     ":1:5: the integer 9007199254740993 is not a value of the type fp64, which would round it"},
    {"w.txt", "0 1 -9007199254740993\n",
     ":1:5: the integer -9007199254740993 is not a value of the type fp64, which would round it"},
    {"w.txt", "0 1 100000000000000000000000\n",
     ":1:5: the integer 100000000000000000000000 is not a value of the type fp64, which would round it"},
    {"w.mtx", MARKET("real") "1\n1 2 1e400\n", ":3:5: the value 1e400 is too large for the type fp64"},
    {"w.mtx", MARKET("real") "1\n1 2 1e-400\n", ":3:5: the value 1e-400 is too small for the type fp64"},
    {"w.mtx", MARKET("real") "1\n1 2 9007199254740993\n",
     ":3:5: the integer 9007199254740993 is not a value of the type fp64, which would round it"},
    {"w.mtx", MARKET("integer") "1\n1 2 18446744073709551616\n",
     ":3:5: the value 18446744073709551616 does not fit in a 64-bit integer"},
    {"w.mtx", MARKET("integer") "1\n1 2 -9223372036854775809\n",
     ":3:5: the value -9223372036854775809 does not fit in a 64-bit integer"},
    {"w.mtx", MARKET("integer") "2\n1 2 -1\n2 1 9223372036854775808\n",
     ":4:5: the value 9223372036854775808: no 64-bit integer type holds negative values and values above 2^63 - 1"},
    {"w.mtx", MARKET("integer") "2\n1 2 9223372036854775808\n2 1 -1\n",
     ":4:5: the value -1: no 64-bit integer type holds negative values and values above 2^63 - 1"},
    {"w.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 9223372036854775808\n",
     ":3:5: the value 9223372036854775808: no 64-bit integer type holds negative values and values above 2^63 - 1"},
    {"w.gr", "p sp 2 1\na 1 2 9223372036854775808\n",
     ":2:7: a weight, 9223372036854775808, does not fit in a signed 64-bit integer"},
    {"w.graph", "2 1 001\n2 9223372036854775808\n1 9223372036854775808\n",
     ":2:3: an edge's weight, 9223372036854775808, does not fit in a signed 64-bit integer"},
};

static const refusal refused_vectors[] = {
    {"v", "0 1\n1 1e400\n", ":2:3: the value 1e400 is too large for the type fp64"},
    {"v", "0 1e-400\n", ":1:3: the value 1e-400 is too small for the type fp64"},
    {"v", "0 9007199254740993\n3 7\n1 1.5\n",
     ":3:3: the value 1.5 makes the type fp64, which would round the integer 9007199254740993 of index 0"},
    {"v", "0 -9007199254740993\n1 1.5\n",
     ":2:3: the value 1.5 makes the type fp64, which would round the integer -9007199254740993 of index 0"},
    {"v", "0 18446744073709551615\n1 -1\n",
     ":2:3: the value -1 makes the type fp64, which would round the integer 18446744073709551615 of index 0"},
    {"v", "0 1.5\n1 9007199254740993\n",
     ":2:3: the integer 9007199254740993 is not a value of the type fp64, which would round it"},
    {"v", "# semla vector of 2 fp32\n0 1e39\n", ":2:3: the value 1e39 is too large for the type fp32"},
    {"v", "# semla vector of 2 fp32\n0 1e-60\n", ":2:3: the value 1e-60 is too small for the type fp32"},
    {"v", "# semla vector of 2 fp32\n0 16777217\n",
     ":2:3: the integer 16777217 is not a value of the type fp32, which would round it"},
};
/* clang-format on */

static void expect_message(sl_context *ctx, const char *path, const char *message)
{
    char expected[600];
    snprintf(expected, sizeof expected, "%s%s", path, message);
    assert_string_equal(sl_context_message(ctx), expected);
}

static void matrices_refused(void **state)
{
    sl_context *ctx = *state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const char *path = file_with(refused[k].name, refused[k].text);
        sl_matrix *A;
        assert_int_equal(sl_matrix_read(&A, ctx, path, 0), SL_OUT_OF_RANGE);
        assert_null(A);
        expect_message(ctx, path, refused[k].message);
    }
}

static void vectors_refused(void **state)
{
    sl_context *ctx = *state;
    for (size_t k = 0; k < sizeof refused_vectors / sizeof *refused_vectors; k++) {
        const char *path = file_with(refused_vectors[k].name, refused_vectors[k].text);
        sl_vector *v;
        assert_int_equal(sl_vector_read(&v, ctx, path, SL_VECTOR_AUTO), SL_OUT_OF_RANGE);
        assert_null(v);
        expect_message(ctx, path, refused_vectors[k].message);
    }
}

/* Infinity by name, numbers near the ends of the range, long integers that are doubles. */
static void values_accepted(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"inf", INFINITY},
        {"-Infinity", -INFINITY},
        {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
        {"4.9e-324", 0x1p-1074},
        {"1e-310", 1e-310},
        {"0e-400", 0},
        {"-0.000e999", -0.0},
        {"9007199254740992", 0x1p53},
        {"9007199254740994", 0x1p53 + 2},
        {"9007199254740993.0", 0x1p53},
        {"9007199254740993e0", 0x1p53},
        {"00000000000000000000000000007", 7},
        {"1180591620717411303424", 0x1p70},
        {"10000000000000000000000", 1e22},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[160];
        snprintf(text, sizeof text, "0 1 %s\n", cases[k].text);
        expect_matrix(read_text(ctx, "w.txt", text, (sl_read_options){0}), SL_FP64, 2, 2,
                      ENTRIES({0, 1, cases[k].value}));
        snprintf(text, sizeof text, "%s1\n1 2 %s\n", MARKET("real"), cases[k].text);
        expect_matrix(read_text(ctx, "w.mtx", text, (sl_read_options){0}), SL_FP64, 2, 2,
                      ENTRIES({0, 1, cases[k].value}));
    }
}

static uint64_t unsigned_at(const sl_matrix *A, uint64_t i, uint64_t j)
{
    sl_scalar value = {.type = SL_UINT64};
    assert_int_equal(sl_matrix_type(A), SL_UINT64);
    OK(sl_matrix_context(A), sl_matrix_get(&value, A, i, j));
    return value.as.uint64_;
}

/* A uint64 matrix is written and read back, by one thread and by several, in order and by block. */
static void unsigned_integers(void **state)
{
    sl_context *ctx = *state;
    enum { SIDE = 300 };
    sl_matrix *A, *B;
    OK(ctx, sl_matrix_new(&A, ctx, SL_UINT64, SIDE, SIDE));
    for (uint64_t k = 0; k < SIDE; k++)
        OK(ctx, sl_matrix_set(A, k, (7 * k) % SIDE, sl_scalar_uint64(UINT64_MAX - k)));
    OK(ctx, sl_matrix_write(A, file_path("u.mtx"), SL_FORMAT_AUTO));
    OK(ctx, sl_matrix_read(&B, ctx, file_path("u.mtx"), 0));
    expect_same(A, B);
    sl_matrix_free(A);
    sl_matrix_free(B);

    A = read_text(ctx, "u.mtx", MARKET("integer") "3\n1 2 9223372036854775808\n2 1 0\n1 2 5\n",
                  (sl_read_options){.duplicates = SL_DUPLICATES_MAX});
    assert_true(unsigned_at(A, 0, 1) == UINT64_C(1) << 63);
    assert_true(unsigned_at(A, 1, 0) == 0);
    sl_matrix_free(A);
    A = read_text(ctx, "u.mtx",
                  "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n18446744073709551615\n"
                  "3\n",
                  (sl_read_options){0});
    assert_true(unsigned_at(A, 0, 1) == UINT64_MAX);
    sl_matrix_free(A);
    expect_matrix(read_text(ctx, "u.mtx", MARKET("integer") "1\n1 2 18446744073709551615\n",
                            (sl_read_options){.flags = SL_READ_PATTERN}),
                  SL_BOOL, 2, 2, ENTRIES({0, 1, 1}));

    sl_vector *v;
    OK(ctx,
       sl_vector_read(&v, ctx, file_with("v", "0 1\n1 18446744073709551615\n"), SL_VECTOR_AUTO));
    assert_int_equal(sl_vector_type(v), SL_UINT64);
    sl_scalar value = {.type = SL_UINT64};
    OK(ctx, sl_vector_get(&value, v, 1));
    assert_true(value.as.uint64_ == UINT64_MAX);
    sl_vector_free(v);
}

/* A value above 2^63 - 1 and a negative one may be in blocks of different threads. */
static void signs_of_several_blocks(void **state)
{
    sl_context *ctx = *state;
    enum { LINES = 400000 };
    char *text = test_malloc(LINES * 20), *end = text;
    end += sprintf(end, "%s%d\n", MARKET("integer"), LINES);
    for (int k = 0; k < LINES; k++)
        end += sprintf(end, "1 2 %s\n",
                       k == 1000           ? "18446744073709551615"
                       : k == LINES - 1000 ? "-7"
                                           : "3");
    sl_matrix *A;
    const char *path = file_of("u.mtx", text, (size_t)(end - text));
    assert_int_equal(sl_matrix_read(&A, ctx, path, 0), SL_OUT_OF_RANGE);
    char expected[40];
    snprintf(expected, sizeof expected, ":%d:5: the value -7: no 64-bit", LINES - 1000 + 3);
    assert_non_null(strstr(sl_context_message(ctx), expected));
    memcpy(strstr(text + LINES, "-7"), "17", 2);
    A = read_with(ctx, file_of("u.mtx", text, (size_t)(end - text)),
                  (sl_read_options){.duplicates = SL_DUPLICATES_MAX});
    assert_true(unsigned_at(A, 0, 1) == UINT64_MAX);
    sl_matrix_free(A);
    test_free(text);
}

/* Tuples of type uint64 have no negative mirror entries. */
static void unsigned_tuples(void **state)
{
    sl_context *ctx = *state;
    uint64_t row[] = {1}, col[] = {0}, values[] = {UINT64_MAX};
    sl_edges e = {.nrows = 2,
                  .ncols = 2,
                  .count = 1,
                  .row = row,
                  .col = col,
                  .type = SL_UINT64,
                  .values = values,
                  .mirror = SL_MIRROR_SAME};
    sl_matrix *A;
    OK(ctx, sl_matrix_from_edges(&A, ctx, &e, NULL));
    assert_true(unsigned_at(A, 0, 1) == UINT64_MAX);
    sl_matrix_free(A);
    OK(ctx, sl_edges_write(&e, ctx, file_path("u.mtx"), NULL));
    expect_text(file_path("u.mtx"), MARKET("unsigned-integer") "2\n2 1 18446744073709551615\n"
                                                               "1 2 18446744073709551615\n");
    e.mirror = SL_MIRROR_NEGATED;
    assert_int_equal(sl_matrix_from_edges(&A, ctx, &e, NULL), SL_INVALID);
    assert_int_equal(sl_edges_write(&e, ctx, file_path("x.mtx"), NULL), SL_INVALID);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_refused), cmocka_unit_test(vectors_refused),
        cmocka_unit_test(values_accepted),  cmocka_unit_test(unsigned_integers),
        cmocka_unit_test(unsigned_tuples),  cmocka_unit_test(signs_of_several_blocks),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
