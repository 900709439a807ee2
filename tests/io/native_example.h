/* A native file built byte by byte from docs/native-format.md. */
#ifndef SEMLA_TEST_NATIVE_EXAMPLE_H
#define SEMLA_TEST_NATIVE_EXAMPLE_H

#include "files.h"

/* offsets in the header */
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
    NUMBERS = 136, /* the section `rows` */
    RESERVED = 160,
    CHECKSUM = 188,
    HEAD = 192,
    /* offsets and length of the example */
    EXAMPLE_START = 192,
    EXAMPLE_INDEX = 256,
    EXAMPLE_VALUES = 320,
    EXAMPLE = 326,
    /* offsets and length of the example with few rows */
    FEW_NUMBERS = 192,
    FEW_START = 256,
    FEW_INDEX = 320,
    FEW_VALUES = 384,
    FEW = 390
};

void put32(unsigned char *file, size_t place, uint32_t x);
void put64(unsigned char *file, size_t place, uint64_t x);
/* Writes the descriptor of a section, with its checksum; writes the checksum of the header. */
void put_section(unsigned char *file, size_t place, uint64_t offset, uint64_t bytes);
void seal(unsigned char *file);

/*
 * An int16 matrix with rows ". 5 ." and "7 . -9". The file has EXAMPLE bytes, in a static buffer
 * that is filled anew by each call.
 */
unsigned char *native_example(void);
sl_matrix *native_example_matrix(sl_context *ctx);

/* The same rows as rows 7 and 2^50 of a matrix of 2^60 x 3: only rows with entries are stored. FEW bytes. */
unsigned char *native_few_example(void);
sl_matrix *native_few_example_matrix(sl_context *ctx);

#endif
