/* Writes vectors as text, Matrix Market and NumPy arrays, and reads them back. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

/* ---- contents of the files ---------------------------------------------- */

static void file_contents(void **state)
{
    sl_context *ctx = *state;
    const uint64_t index[] = {1, 3};
    static const struct {
        sl_type type;
        double a, b;
        const char *field, *text_a, *text_b;
    } cases[] = {
        {SL_BOOL, 1, 0, "integer", "1", "0"},
        {SL_INT8, -128, 127, "integer", "-128", "127"},
        {SL_UINT64, 0x1p63, 0, "unsigned-integer", "9223372036854775808", "0"},
        {SL_FP32, 0.1f, -INFINITY, "real", "0.1", "-inf"},
        {SL_FP64, 0.1, NAN, "real", "0.1", "nan"},
    };
    const char *comma = setlocale(LC_ALL, "de_DE.UTF-8"); /* if it is installed */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double values[] = {cases[k].a, cases[k].b};
        char expected[300];
        sl_vector *v = vector_of(ctx, cases[k].type, 5, 2, index, values);
        OK(ctx, sl_vector_write(v, file_path("v.txt"), SL_VECTOR_AUTO));
        snprintf(expected, sizeof expected, "# semla vector of 5 %s\n1 %s\n3 %s\n",
                 sl_type_name(cases[k].type), cases[k].text_a, cases[k].text_b);
        expect_text(file_path("v.txt"), expected);
        OK(ctx, sl_vector_write(v, file_path("v.mtx"), SL_VECTOR_AUTO));
        snprintf(expected, sizeof expected,
                 "%%%%MatrixMarket matrix coordinate %s general\n5 1 2\n2 1 %s\n4 1 %s\n",
                 cases[k].field, cases[k].text_a, cases[k].text_b);
        expect_text(file_path("v.mtx"), expected);
        sl_vector_free(v);
    }
    if (comma)
        setlocale(LC_ALL, "C");
}

static void numpy_contents(void **state)
{
    sl_context *ctx = *state;
    const uint64_t index[] = {1, 3};
    const double values[] = {7, 1};
    static const struct {
        sl_type type;
        const char *descr;
        uint64_t none; /* the bits of a missing entry */
    } cases[] = {
        {SL_BOOL, "|b1", 0},
        {SL_INT8, "|i1", 0xff},
        {SL_INT16, "<i2", 0xffff},
        {SL_INT32, "<i4", 0xffffffff},
        {SL_INT64, "<i8", UINT64_MAX},
        {SL_UINT8, "|u1", 0xff},
        {SL_UINT16, "<u2", 0xffff},
        {SL_UINT32, "<u4", 0xffffffff},
        {SL_UINT64, "<u8", UINT64_MAX},
        {SL_FP32, "<f4", 0x7fc00000},
        {SL_FP64, "<f8", 0x7ff8000000000000},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sl_vector *v = vector_of(ctx, cases[k].type, 4, 2, index, values);
        const size_t bytes = sl_type_size(cases[k].type);
        size_t length;
        char head[100];
        snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': (4,), }",
                 cases[k].descr);
        OK(ctx, sl_vector_write(v, file_path("v.npy"), SL_VECTOR_AUTO));
        char *file = file_bytes(file_path("v.npy"), &length);
        assert_int_equal(length, 128 + 4 * bytes);
        assert_memory_equal(file, "\x93NUMPY\1\0\x76\0", 10);
        assert_memory_equal(file + 10, head, strlen(head));
        for (size_t at = 10 + strlen(head); at < 127; at++)
            assert_int_equal(file[at], ' ');
        assert_int_equal(file[127], '\n');
        for (uint64_t i = 0; i < 4; i++) {
            uint64_t bits = 0;
            memcpy(&bits, file + 128 + i * bytes, bytes);
            if (i % 2 == 0)
                assert_int_equal(bits & ~UINT64_C(0x8000000080000000),
                                 cases[k].none & ~UINT64_C(0x8000000080000000));
            else
                assert_true(
                    sl_scalar_equal(sl_scalar_load(cases[k].type, &bits),
                                    sl_scalar_cast(sl_scalar_fp64(values[i / 2]), cases[k].type)));
        }
        free(file);
        sl_vector_free(v);
    }
}

static void ids_in_place_of_indices(void **state)
{
    sl_context *ctx = *state;
    const uint64_t index[] = {0, 2}, ids[] = {10, 20, 1000000};
    const double values[] = {5, 6};
    sl_vector *v = vector_of(ctx, SL_INT32, 3, 2, index, values);
    sl_vector_options options = {.ids = ids};
    OK(ctx, sl_vector_write_with(v, file_path("ids.txt"), &options));
    expect_text(file_path("ids.txt"), "# ids and int32 values\n10 5\n1000000 6\n");
    assert_int_equal(sl_vector_write_with(v, file_path("ids.npy"), &options), SL_INVALID);
    assert_int_equal(access(file_path("ids.npy"), F_OK), -1);
    sl_vector_free(v);
}

/* ---- round trips -------------------------------------------------------- */

static sl_vector *random_vector(sl_context *ctx, sl_type type, uint64_t size, uint64_t *seed)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, size));
    for (uint64_t i = 0; i < size; i++) {
        if (test_random(seed) % 3 == 0)
            continue;
        uint64_t bits = test_random(seed);
        sl_scalar value = sl_scalar_load(type, &bits);
        if (type == SL_BOOL)
            value = sl_scalar_bool(bits & 1);
        if ((type == SL_FP32 && isnan(value.as.fp32_)) ||
            (type == SL_FP64 && isnan(value.as.fp64_)))
            value = sl_scalar_cast(sl_scalar_fp64(-0.0), type);
        /* no entry may have the value of missing entries */
        if (type == SL_BOOL || sl_scalar_equal(value, sl_scalar_cast(sl_scalar_int64(-1), type)))
            value = sl_scalar_cast(sl_scalar_int64(1), type);
        OK(ctx, sl_vector_set(v, i, value));
    }
    return v;
}

static void round_trips(void **state)
{
    sl_context *ctx = *state;
    static const char *const names[] = {"v.txt", "v.txt.gz", "v.txt.zst",
                                        "v.npy", "v.npy.gz", "v.npy.zst"};
    uint64_t seed = 31;
    for (int type = 0; type < SL_TYPE_COUNT; type++)
        for (uint64_t size = 0; size < 400; size = 3 * size + 1) {
            sl_vector *v = random_vector(ctx, (sl_type)type, size, &seed), *read;
            sl_scalar fill = sl_scalar_cast(sl_scalar_int64(-1), (sl_type)type);
            if (type == SL_BOOL)
                fill = sl_scalar_bool(false);
            if (type == SL_FP32 || type == SL_FP64)
                fill = sl_scalar_fp64(NAN);
            for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
                sl_vector_options options = {.fill = strstr(names[n], "npy") ? &fill : NULL};
                OK(ctx, sl_vector_write(v, file_path(names[n]), SL_VECTOR_AUTO));
                OK(ctx, sl_vector_read_with(&read, ctx, file_path(names[n]), &options));
                expect_vector(read, v);
                sl_vector_free(read);
            }
            sl_vector_free(v);
        }
}

static void round_trips_by_matrix_market(void **state)
{
    sl_context *ctx = *state;
    const sl_type types[] = {SL_INT64, SL_FP64};
    uint64_t seed = 32;
    for (size_t t = 0; t < 2; t++) {
        sl_vector *v = random_vector(ctx, types[t], 300, &seed), *read;
        OK(ctx, sl_vector_write(v, file_path("v.mtx.zst"), SL_VECTOR_AUTO));
        OK(ctx, sl_vector_read(&read, ctx, file_path("v.mtx.zst"), SL_VECTOR_AUTO));
        expect_vector(read, v);
        sl_vector_free(read);
        sl_vector_free(v);
    }
}

/* ---- failures ----------------------------------------------------------- */

static void arguments(void **state)
{
    sl_context *ctx = *state;
    sl_vector *v = vector_of(ctx, SL_UINT8, 3, 0, NULL, NULL), *read;
    const sl_scalar wrong[] = {sl_scalar_fp64(NAN),
                               sl_scalar_int64(256),
                               sl_scalar_int64(-1),
                               sl_scalar_fp64(0.5),
                               {.type = SL_TYPE_COUNT}};
    const char *path = file_path("none.npy");
    assert_int_equal(sl_vector_write(NULL, path, SL_VECTOR_AUTO), SL_INVALID);
    assert_int_equal(sl_vector_write(v, NULL, SL_VECTOR_AUTO), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "writing a vector: path is NULL");
    assert_int_equal(sl_vector_write(v, path, (sl_vector_format)4), SL_INVALID);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        sl_vector_options options = {.fill = &wrong[k]};
        assert_int_equal(sl_vector_write_with(v, path, &options), SL_INVALID);
    }
    assert_int_equal(sl_vector_write(v, file_path("none.graph.zst"), SL_VECTOR_AUTO),
                     SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "METIS"));
    assert_int_equal(sl_vector_write(v, file_path("none.txt.bz2"), SL_VECTOR_AUTO), SL_UNSUPPORTED);
    assert_int_equal(access(path, F_OK), -1);
    const sl_scalar fits = sl_scalar_fp64(7);
    OK(ctx, sl_vector_write_with(v, file_path("fits.npy"), &(sl_vector_options){.fill = &fits}));

    read = v;
    assert_int_equal(sl_vector_read(NULL, ctx, path, SL_VECTOR_AUTO), SL_INVALID);
    assert_int_equal(sl_vector_read(&read, NULL, path, SL_VECTOR_AUTO), SL_INVALID);
    assert_null(read);
    assert_int_equal(sl_vector_read(&read, ctx, NULL, SL_VECTOR_AUTO), SL_INVALID);
    assert_int_equal(sl_vector_read(&read, ctx, path, (sl_vector_format)-1), SL_INVALID);
    assert_int_equal(
        sl_vector_read_with(&read, ctx, path, &(sl_vector_options){.ids = (uint64_t[]){0}}),
        SL_INVALID);
    assert_int_equal(sl_vector_read(&read, ctx, "/nonexistent/v.npy", SL_VECTOR_AUTO), SL_IO);
    assert_null(read);
    sl_vector_free(v);
}

static void full_disk(void **state)
{
    sl_context *ctx = *state;
    static const char *const names[] = {"f.txt",     "f.mtx",     "f.npy",    "f.txt.gz",
                                        "f.mtx.zst", "f.npy.zst", "f.npy.gz", "f.txt.zst"};
    uint64_t seed = 33;
    sl_vector *v = random_vector(ctx, SL_FP64, 2000, &seed);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *path = file_with(names[k], "old");
        int files = file_count();
        file_limited(1000);
        sl_status status = sl_vector_write(v, path, SL_VECTOR_AUTO);
        file_unlimited();
        assert_int_equal(status, SL_IO);
        assert_non_null(strstr(sl_context_message(ctx), ": cannot write: File too large"));
        expect_text(path, "old");
        assert_int_equal(file_count(), files);
    }
    sl_vector_free(v);
}

typedef struct {
    sl_context *ctx;
    sl_vector *v;
    const char *path;
} job;

static sl_status write_job(void *data)
{
    const job *j = data;
    return sl_vector_write(j->v, j->path, SL_VECTOR_AUTO);
}

static sl_status read_job(void *data)
{
    const job *j = data;
    sl_vector *v;
    sl_status status = sl_vector_read(&v, j->ctx, j->path, SL_VECTOR_AUTO);
    if (status != SL_OK)
        assert_null(v);
    sl_vector_free(v);
    return status;
}

static void allocation_failures(void **state)
{
    sl_context *ctx = *state;
    static const char *const names[] = {"m.txt",    "m.mtx",     "m.npy",
                                        "m.txt.gz", "m.mtx.zst", "m.npy.zst"};
    uint64_t seed = 34;
    sl_vector *v = random_vector(ctx, SL_FP64, 2000, &seed);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[600];
        snprintf(path, sizeof path, "%s", file_path(names[k]));
        job j = {ctx, v, path};
        OK(ctx, write_job(&j)); /* also completes the pending updates of the vector */
        int files = file_count() - 1;
        assert_true(allocator_fail_each(write_job, &j) > 3);
        assert_int_equal(file_count(), files + 1);
        assert_true(allocator_fail_each(read_job, &j) > 3);
    }
    /* unsorted indices are sorted to find duplicates */
    job shuffled = {ctx, NULL, file_with("shuffled.txt", "3 1\n1 2\n2 5\n")};
    assert_true(allocator_fail_each(read_job, &shuffled) > 3);
    sl_vector_free(v);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_contents),
        cmocka_unit_test(numpy_contents),
        cmocka_unit_test(ids_in_place_of_indices),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(round_trips_by_matrix_market),
        cmocka_unit_test(arguments),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
