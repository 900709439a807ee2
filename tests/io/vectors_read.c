/* Reads vectors that other programs may write: text, Matrix Market, NumPy arrays. */
#include <stdio.h>
#include <string.h>

#include "files.h"

static void expect_read(sl_context *ctx, const char *path, sl_vector_options options, sl_type type,
                        uint64_t size, uint64_t count, const uint64_t *index, const double *values)
{
    sl_vector *v, *expected = vector_of(ctx, type, size, count, index, values);
    OK(ctx, sl_vector_read_with(&v, ctx, path, &options));
    expect_vector(v, expected);
    sl_vector_free(v);
    sl_vector_free(expected);
}

static void texts_read(void **state)
{
    sl_context *ctx = *state;
    const uint64_t index[] = {0, 2, 7};
    const double whole[] = {4, -3, 5}, real[] = {4, -3.5, 5};
    expect_read(ctx, file_with("v", "# c\r\n7 5\r\n\r\n 0\t4 \n% c\n2 -3"), (sl_vector_options){0},
                SL_INT64, 8, 3, index, whole);
    expect_read(ctx, file_with("v", "7 5\n0 4\n2 -3.5\n"), (sl_vector_options){.size = 20}, SL_FP64,
                20, 3, index, real);
    expect_read(ctx, file_with("v", "2 -3.5\n7 5\n0 4\n"), (sl_vector_options){0}, SL_FP64, 8, 3,
                index, real);
    expect_read(ctx, file_with("v", "# semla vector of 9 int8\n7 5\n0 4\n2 -3\n"),
                (sl_vector_options){0}, SL_INT8, 9, 3, index, whole);
    /* an incomplete header is a comment */
    static const char *const heads[] = {"# semla vector of 9 int9", "# semla vector of int8",
                                        "# semla vector of 9 int8 x", "# semla vector of 9int8",
                                        "# semla vector of 99999999999999999999 int8"};
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        char text[100];
        snprintf(text, sizeof text, "%s\n7 5\n0 4\n2 -3\n", heads[k]);
        expect_read(ctx, file_with("v", text), (sl_vector_options){0}, SL_INT64, 8, 3, index,
                    whole);
    }
    /* an integer of more than 64 bits is read as floating point, if that does not round it */
    const double beyond[] = {1, 0x1p70};
    expect_read(ctx, file_with("v", "0 1\n2 1180591620717411303424\n"), (sl_vector_options){0},
                SL_FP64, 3, 2, index, beyond);
    expect_read(ctx, file_with("v", "# nothing"), (sl_vector_options){0}, SL_INT64, 0, 0, NULL,
                NULL);
    expect_read(ctx, file_with("v", ""), (sl_vector_options){.size = 4}, SL_INT64, 4, 0, NULL,
                NULL);
}

static void markets_read(void **state)
{
    sl_context *ctx = *state;
    const uint64_t index[] = {0, 2};
    const double values[] = {4, -3}, ones[] = {1, 1}, dense[] = {4, 0, -3};
    const uint64_t all[] = {0, 1, 2};
#define MARKET "%%MatrixMarket matrix "
    expect_read(ctx,
                file_with("v.mtx", MARKET "coordinate integer general\n5 1 2\n3 1 -3\n1 1 4\n"),
                (sl_vector_options){0}, SL_INT64, 5, 2, index, values);
    expect_read(ctx, file_with("v.mtx", MARKET "coordinate real general\n1 5 2\n1 3 -3\n1 1 4\n"),
                (sl_vector_options){0}, SL_FP64, 5, 2, index, values);
    expect_read(ctx, file_with("v.mtx", MARKET "coordinate pattern general\n5 1 2\n3 1\n1 1\n"),
                (sl_vector_options){0}, SL_BOOL, 5, 2, index, ones);
    expect_read(ctx, file_with("v", MARKET "array real general\n3 1\n4\n0\n-3\n"),
                (sl_vector_options){.format = SL_VECTOR_MATRIX_MARKET}, SL_FP64, 3, 3, all, dense);
}

static const char *array(const char *name, const char *head, const void *elements, size_t length)
{
    char bytes[500] = "\x93NUMPY\1";
    size_t size = strlen(head);
    bytes[7] = 0;
    bytes[8] = (char)size;
    bytes[9] = 0;
    memcpy(bytes + 10, head, size);
    memcpy(bytes + 10 + size, elements, length);
    return file_of(name, bytes, 10 + size + length);
}

static void arrays_read(void **state)
{
    sl_context *ctx = *state;
    const uint64_t all[] = {0, 1, 2}, two[] = {0, 2};
    const double values[] = {258, -1, 3}, without[] = {258, 3};
    const sl_scalar minus = sl_scalar_fp64(-1);
    static const char little[] = "\2\1\xff\xff\3\0", big[] = "\1\2\xff\xff\0\3";
    static const char *const shapes[] = {"(3,)", "(3, 1)", "(1,3)", "( 3 , )", "(3)", "(1, 3, 1,)"};
    char head[200];
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        snprintf(head, sizeof head, "{'descr': '<i2', 'fortran_order': %s, 'shape': %s, }   \n",
                 k % 2 ? "True" : "False", shapes[k]);
        expect_read(ctx, array("v.npy", head, little, 6), (sl_vector_options){0}, SL_INT16, 3, 3,
                    all, values);
    }
    /* keys in any order, both quotes, an odd length, the other byte order */
    const char *path = array("v", "{\"shape\":(3,),'fortran_order':False,'descr':\">i2\"}", big, 6);
    expect_read(ctx, path, (sl_vector_options){.format = SL_VECTOR_NPY}, SL_INT16, 3, 3, all,
                values);
    expect_read(ctx, path, (sl_vector_options){.format = SL_VECTOR_NPY, .fill = &minus}, SL_INT16,
                3, 2, two, without);
    path = array("v.npy", "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", "\1\0\1", 3);
    const double bools[] = {1, 0, 1};
    expect_read(ctx, path, (sl_vector_options){0}, SL_BOOL, 3, 3, all, bools);
    path = array("v.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (0,)}", "", 0);
    expect_read(ctx, path, (sl_vector_options){0}, SL_FP64, 0, 0, NULL, NULL);
}

/* Elements across the borders of the blocks in which a file is read. */
static void large_array(void **state)
{
    sl_context *ctx = *state;
    enum { SIZE = 100003 };
    char head[] = "{'descr': '<u8', 'fortran_order': False, 'shape': (100003,), }";
    size_t start = 10 + strlen(head), length = start + SIZE * sizeof(uint64_t);
    char *bytes = test_malloc(length);
    memcpy(bytes, "\x93NUMPY\1\0", 8);
    bytes[8] = (char)strlen(head);
    bytes[9] = 0;
    memcpy(bytes + 10, head, strlen(head));
    for (uint64_t i = 0; i < SIZE; i++)
        memcpy(bytes + start + 8 * i, &(uint64_t){i * i}, 8);
    sl_vector *v;
    OK(ctx, sl_vector_read(&v, ctx, file_of("large.npy", bytes, length), SL_VECTOR_AUTO));
    for (uint64_t i = 0; i < SIZE; i += 997) {
        sl_scalar x;
        OK(ctx, sl_vector_get(&x, v, i));
        assert_int_equal(x.as.uint64_, i * i);
    }
    sl_vector_free(v);
    test_free(bytes);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_read),
        cmocka_unit_test(markets_read),
        cmocka_unit_test(arrays_read),
        cmocka_unit_test(large_array),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
