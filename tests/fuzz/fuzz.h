/*
 * Fuzz targets: LLVMFuzzerTestOneInput (libFuzzer's name for it) is given any bytes
 * and has to come back. With -DSEMLA_FUZZ=ON libFuzzer thinks them up; else driver.c
 * runs those of the corpora. A target fails by abort().
 */
#ifndef SEMLA_TEST_FUZZ_H
#define SEMLA_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <semla/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One context for all inputs. */
sl_context *fuzz_context(void);

/* The path of a file in memory that holds the input, until the next one. */
const char *fuzz_file(const uint8_t *data, size_t size);

/*
 * Reads the input as tuples by one thread and by three, which have to agree, and makes a
 * matrix of them, if it is not too large. With several of these in one target each input
 * is read with other options.
 */
void fuzz_read(const char *path, const sl_read_options *options);

/* Reads the input as a vector. */
void fuzz_read_vector(const char *path, sl_vector_format format);

#endif
