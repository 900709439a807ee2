/* Builds a native file byte by byte; see native_example.h. */
#include "native_example.h"

#include <string.h>

#include <zlib.h>

void put32(unsigned char *file, size_t place, uint32_t x)
{
    memcpy(file + place, &x, sizeof x);
}

void put64(unsigned char *file, size_t place, uint64_t x)
{
    memcpy(file + place, &x, sizeof x);
}

void seal(unsigned char *file)
{
    put32(file, CHECKSUM, (uint32_t)crc32(0, file, CHECKSUM));
}

void put_section(unsigned char *file, size_t place, uint64_t offset, uint64_t bytes)
{
    put64(file, place, offset);
    put64(file, place + 8, bytes);
    put32(file, place + 16, (uint32_t)crc32(0, file + offset, (unsigned)bytes));
}

unsigned char *native_example(void)
{
    static unsigned char file[EXAMPLE];
    const uint64_t start[] = {0, 1, 3};
    const uint32_t index[] = {1, 0, 2};
    const int16_t values[] = {5, 7, -9};
    memset(file, 0, sizeof file);
    memcpy(file, "\x89SEMLA\r\n", 8);
    put32(file, ORDER, 0x01020304);
    put32(file, VERSION, 1);
    put32(file, HEAD_BYTES, HEAD);
    memcpy(file + TYPE, "int16", 5);
    put64(file, NROWS, 2);
    put64(file, NCOLS, 3);
    put64(file, NVALS, 3);
    put32(file, INDEX_BYTES, 4);
    put32(file, VALUE_BYTES, 2);
    memcpy(file + EXAMPLE_START, start, sizeof start);
    memcpy(file + EXAMPLE_INDEX, index, sizeof index);
    memcpy(file + EXAMPLE_VALUES, values, sizeof values);
    put_section(file, START, EXAMPLE_START, sizeof start);
    put_section(file, INDEX, EXAMPLE_INDEX, sizeof index);
    put_section(file, VALUES, EXAMPLE_VALUES, sizeof values);
    seal(file);
    return file;
}

sl_matrix *native_example_matrix(sl_context *ctx)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT16, 2, 3));
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_int16(5)));
    OK(ctx, sl_matrix_set(A, 1, 0, sl_scalar_int16(7)));
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_int16(-9)));
    return A;
}

unsigned char *native_few_example(void)
{
    static unsigned char file[FEW];
    const unsigned char *all = native_example();
    const uint64_t numbers[] = {7, UINT64_C(1) << 50};
    memset(file, 0, sizeof file);
    memcpy(file, all, HEAD);
    memcpy(file + FEW_NUMBERS, numbers, sizeof numbers);
    memcpy(file + FEW_START, all + EXAMPLE_START, 24);
    memcpy(file + FEW_INDEX, all + EXAMPLE_INDEX, 12);
    memcpy(file + FEW_VALUES, all + EXAMPLE_VALUES, 6);
    put32(file, FLAGS, 4);
    put64(file, NROWS, UINT64_C(1) << 60);
    put_section(file, NUMBERS, FEW_NUMBERS, sizeof numbers);
    put_section(file, START, FEW_START, 24);
    put_section(file, INDEX, FEW_INDEX, 12);
    put_section(file, VALUES, FEW_VALUES, 6);
    seal(file);
    return file;
}

sl_matrix *native_few_example_matrix(sl_context *ctx)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT16, UINT64_C(1) << 60, 3));
    OK(ctx, sl_matrix_set(A, 7, 1, sl_scalar_int16(5)));
    OK(ctx, sl_matrix_set(A, UINT64_C(1) << 50, 0, sl_scalar_int16(7)));
    OK(ctx, sl_matrix_set(A, UINT64_C(1) << 50, 2, sl_scalar_int16(-9)));
    return A;
}
