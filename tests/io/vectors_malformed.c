/* Reads each file of tests/data/malformed-vectors and checks status and message. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "files.h"

#define FOLDER SEMLA_TEST_DATA "/malformed-vectors/"

static const sl_scalar half = {.type = SL_FP64, .as.fp64_ = 0.5};

static const struct {
    const char *name;
    sl_status status;
    const char *message; /* after the path */
    sl_vector_options options;
} corpus[] = {
    /* clang-format off */
    {"one-column.txt", SL_SYNTAX, ":2:2: expected a number, found the end of the line", {0}},
    {"three-columns.txt", SL_SYNTAX, ":1:5: expected the end of the line, found '2'", {0}},
    {"negative-index.txt", SL_SYNTAX, ":1:1: expected an index, found '-'", {0}},
    {"decimal-index.txt", SL_SYNTAX, ":1:2: expected a blank, found '.'", {0}},
    {"index-overflow.txt", SL_OUT_OF_RANGE, ":1:1: an index is above the limit 18446744073709551615", {0}},
    {"index-above.txt", SL_OUT_OF_RANGE,
     ":2:1: index 1152921504606846976 is out of range: the vector has size 1152921504606846976", {0}},
    {"index-above-head.txt", SL_OUT_OF_RANGE, ":3:1: index 3 is out of range: the vector has size 3", {0}},
    {"index-in-none.txt", SL_OUT_OF_RANGE, ":2:1: index 0 is out of range: the vector has size 0", {0}},
    {"index-above-given.txt", SL_OUT_OF_RANGE, ":2:1: index 3 is out of range: the vector has size 3", {.size = 3}},
    {"twice.txt", SL_SYNTAX, ": index 5, 0-based, occurs twice", {0}},
    {"letter.txt", SL_SYNTAX, ":1:3: expected a number, found 'x'", {0}},
    {"garbage.txt", SL_SYNTAX, ":1:4: expected a blank or the end of the line after the value, found 'x'", {0}},
    {"glued.txt", SL_SYNTAX, ":1:3: expected a number, found '1'", {0}},
    {"int8-above.txt", SL_OUT_OF_RANGE, ":3:3: the value is out of range: must be -128 to 127", {0}},
    {"int64-above.txt", SL_OUT_OF_RANGE,
     ":2:3: the value is out of range: must be -9223372036854775808 to 9223372036854775807", {0}},
    {"int32-decimal.txt", SL_SYNTAX, ":2:4: expected a blank or the end of the line after the value, found '.'", {0}},
    {"uint16-above.txt", SL_OUT_OF_RANGE, ":2:3: the value is above the limit 65535", {0}},
    {"uint16-negative.txt", SL_SYNTAX, ":2:3: expected an unsigned integer, found '-'", {0}},
    {"uint64-above.txt", SL_OUT_OF_RANGE, ":2:3: the value is above the limit 18446744073709551615", {0}},
    {"bool-two.txt", SL_OUT_OF_RANGE, ":2:3: the value is above the limit 1", {0}},
    {"fp32-letter.txt", SL_SYNTAX, ":2:3: expected a number, found 'o'", {0}},
    {"matrix.mtx", SL_MISMATCH, ": the matrix is 2 x 3; a vector has one row or column", {0}},
    {"twice.mtx", SL_SYNTAX, ": index 1, 0-based, occurs twice", {0}},
    {"banner.mtx", SL_SYNTAX, ":1:1: expected the %%MatrixMarket banner, found '2'", {0}},
    {"graph.gr", SL_UNSUPPORTED, ": the DIMACS format stores graphs, not vectors", {0}},
    {"archive.npz", SL_UNSUPPORTED, ": the NumPy format is not supported", {0}},
    {"truncated.txt.gz", SL_IO,
     ": truncated gzip data: unexpected end of the file (4 bytes read, 0 decompressed)", {0}},
    {"npy-empty.npy", SL_SYNTAX, ": byte 0: not a NumPy array: the magic number \\x93NUMPY is missing", {0}},
    {"npy-text.npy", SL_SYNTAX, ": byte 0: not a NumPy array: the magic number \\x93NUMPY is missing", {0}},
    {"npy-version.npy", SL_UNSUPPORTED,
     ": byte 6: version 9 of the NumPy format is not supported; must be 1 to 3", {0}},
    {"npy-head-cut.npy", SL_SYNTAX, ": byte 8: the header of the array is truncated or longer than 40 bytes", {0}},
    {"npy-head-long.npy", SL_SYNTAX, ": byte 8: the header of the array is truncated or longer than 69 bytes", {0}},
    {"npy-no-dictionary.npy", SL_SYNTAX, ": byte 10: expected '{' in the header of the array", {0}},
    {"npy-cut-dictionary.npy", SL_SYNTAX, ": byte 128: expected a string in the header of the array", {0}},
    {"npy-unclosed.npy", SL_SYNTAX, ": byte 21: expected a string in the header of the array", {0}},
    {"npy-no-colon.npy", SL_SYNTAX, ": byte 19: expected ':' in the header of the array", {0}},
    {"npy-no-comma.npy", SL_SYNTAX, ": byte 26: expected ',' or '}' in the header of the array", {0}},
    {"npy-unknown-key.npy", SL_SYNTAX,
     ": byte 66: the header of the array must have the keys descr, fortran_order and shape, each once", {0}},
    {"npy-key-twice.npy", SL_SYNTAX,
     ": byte 27: the header of the array must have the keys descr, fortran_order and shape, each once", {0}},
    {"npy-no-descr.npy", SL_SYNTAX, ": byte 64: the header of the array has no key descr", {0}},
    {"npy-no-order.npy", SL_SYNTAX, ": byte 64: the header of the array has no key fortran_order", {0}},
    {"npy-no-shape.npy", SL_SYNTAX, ": byte 64: the header of the array has no key shape", {0}},
    {"npy-behind.npy", SL_SYNTAX, ": byte 68: expected the end of the header of the array", {0}},
    {"npy-order.npy", SL_SYNTAX, ": byte 44: expected True or False in the header of the array", {0}},
    {"npy-complex.npy", SL_UNSUPPORTED, ": byte 20: elements of type '<c16' are not supported", {0}},
    {"npy-half.npy", SL_UNSUPPORTED, ": byte 20: elements of type '<f2' are not supported", {0}},
    {"npy-object.npy", SL_UNSUPPORTED, ": byte 20: elements of type '|O' are not supported", {0}},
    {"npy-order-mark.npy", SL_UNSUPPORTED, ": byte 20: elements of type '?f8' are not supported", {0}},
    {"npy-fields.npy", SL_UNSUPPORTED, ": byte 21: structured element types are not supported", {0}},
    {"npy-no-dimension.npy", SL_MISMATCH, ": byte 60: the array has 0 dimensions; a vector has 1", {0}},
    {"npy-matrix.npy", SL_MISMATCH, ": byte 60: the array has 2 dimensions; a vector has 1", {0}},
    {"npy-shape-letter.npy", SL_SYNTAX, ": byte 61: expected a length in the shape of the array", {0}},
    {"npy-shape-negative.npy", SL_SYNTAX, ": byte 61: expected a length in the shape of the array", {0}},
    {"npy-shape-glued.npy", SL_SYNTAX, ": byte 62: expected ',' or ')' in the shape of the array", {0}},
    {"npy-shape-open.npy", SL_SYNTAX, ": byte 62: expected ',' or ')' in the shape of the array", {0}},
    {"npy-shape-above.npy", SL_OUT_OF_RANGE, ": byte 79: the array has more than 2^60 elements", {0}},
    {"npy-shape-enormous.npy", SL_SYNTAX,
     ": byte 128: the elements have 24 bytes; the shape requires 8000000000000000", {0}},
    {"npy-few.npy", SL_SYNTAX, ": byte 128: the elements have 23 bytes; the shape requires 24", {0}},
    {"npy-many.npy", SL_SYNTAX, ": byte 128: the elements have 25 bytes; the shape requires 24", {0}},
    {"npy-few.npy.gz", SL_SYNTAX, ": byte 144: the file ends after 2 of 3 elements", {0}},
    {"npy-many.npy.gz", SL_SYNTAX, ": byte 152: more elements than the 3 of the shape", {0}},
    {"npy-enormous.npy.gz", SL_SYNTAX, ": byte 152: the file ends after 3 of 1000000000000000 elements", {0}},
    {"npy-bool.npy", SL_SYNTAX, ": byte 130: element 2 is 7; a bool must be 0 or 1", {0}},
    {"npy-good.npy", SL_INVALID, "vector options: `fill` is not a value of the vector's type int32", {.fill = &half}},
    /* clang-format on */
};
enum { CORPUS = sizeof corpus / sizeof *corpus };

static void status_and_message(void **state)
{
    sl_context *ctx = *state;
    for (size_t k = 0; k < CORPUS; k++) {
        char path[512], expected[1024];
        snprintf(path, sizeof path, FOLDER "%s", corpus[k].name);
        snprintf(expected, sizeof expected, "%s%s", corpus[k].message[0] == ':' ? path : "",
                 corpus[k].message);
        long alive = allocator_alive();
        sl_vector *v = (sl_vector *)ctx;
        sl_status status = sl_vector_read_with(&v, ctx, path, &corpus[k].options);
        if (status != corpus[k].status || strcmp(sl_context_message(ctx), expected) != 0)
            fail_msg("%s: status %d, not %d; the message is '%s', not '%s'", corpus[k].name,
                     (int)status, (int)corpus[k].status, sl_context_message(ctx), expected);
        assert_null(v);
        if (allocator_alive() != alive)
            fail_msg("%s: %ld allocations leaked", corpus[k].name, allocator_alive() - alive);
    }
}

static void every_file_is_listed(void **state)
{
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *file; (file = readdir(folder));) {
        size_t k = 0;
        while (k < CORPUS && strcmp(corpus[k].name, file->d_name) != 0)
            k++;
        if (k == CORPUS && file->d_name[0] != '.')
            fail_msg("%s is not in the table", file->d_name);
    }
    closedir(folder);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_and_message),
        cmocka_unit_test(every_file_is_listed),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
