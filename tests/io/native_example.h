/* A native file made byte by byte, as docs/native-format.md has it. */
#ifndef SEMLA_TEST_NATIVE_EXAMPLE_H
#define SEMLA_TEST_NATIVE_EXAMPLE_H

#include "files.h"

/* Places in the head. */
enum {
    ORDER = 8,
    VERSION = 12,
    HEAD_BYTES = 16,
    FLAGS = 20,
    TYPE = 24,
    NROWS = 32,
    NCOLS = 40,
    NVALS = 48,
    INDEX_BYTES = 56,
    VALUE_BYTES = 60,
    START = 64,
    INDEX = 88,
    VALUES = 112,
    RESERVED = 136,
    CHECKSUM = 188,
    HEAD = 192,
    /* and of the arrays of `example` */
    EXAMPLE_START = 192,
    EXAMPLE_INDEX = 256,
    EXAMPLE_VALUES = 320,
    EXAMPLE = 326
};

void put32(unsigned char *file, size_t place, uint32_t x);
void put64(unsigned char *file, size_t place, uint64_t x);
/* Where a section lies, and its checksum; the head's own checksum. */
void put_section(unsigned char *file, size_t place, uint64_t offset, uint64_t bytes);
void seal(unsigned char *file);

/* Of int16: rows ". 5 .", "7 . -9". The file is EXAMPLE bytes, made anew in one place. */
unsigned char *native_example(void);
sl_matrix *native_example_matrix(sl_context *ctx);

#endif
