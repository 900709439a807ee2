/*
 * Fuzz targets. Each defines LLVMFuzzerTestOneInput, which must return for any input and calls
 * abort() on an error. With -DSEMLA_FUZZ=ON libFuzzer generates the inputs; otherwise driver.c runs
 * the files of the corpus.
 */
#ifndef SEMLA_TEST_FUZZ_H
#define SEMLA_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <semla/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The context that all inputs use. */
sl_context *fuzz_context(void);

/* The path of a file in memory with the input; valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/*
 * Reads the input as tuples on one thread and on three, which must agree, and makes a matrix of
 * them if it is not too large. A target may call this several times with different options.
 */
void fuzz_read(const char *path, const sl_read_options *options);

/* Reads the input as a vector. */
void fuzz_read_vector(const char *path, sl_vector_format format);

#endif
