/*
 * What tests of programs that are compiled while the library runs have in common: a context
 * and a cache of the test's own, an operator, its program as an image.
 */
#ifndef SEMLA_TEST_COMPILED_H
#define SEMLA_TEST_COMPILED_H

#include "support.h"

#include <semla/cache.h>

extern sl_context *ctx;
extern char folder[64]; /* the test's own cache */

/* How many files a folder has, and (last not NULL) one of them. */
size_t files_in(const char *path, char last[512]);
void empty_folder(const char *path);

/* Of every test. */
int compiled_begin(void **state);
int compiled_end(void **state);
#define COMPILED_TEST(f) cmocka_unit_test_setup_teardown(f, compiled_begin, compiled_end)

/* An operator int32(uint8, float), and the text that says what it does. */
sl_binary_op weigh_of(const char *name, const char *source);
extern const char weigh_source[];

/* The program, compiled or from the cache. */
sl_status compile(cuda_image *image, const cuda_wanted *wanted, int architecture);
/* The same, which has to succeed and be from the cache or not. */
void expect(const cuda_wanted *wanted, int architecture, bool cached);

/* Skips the test where there is no NVRTC. */
void need_nvrtc(void);

#endif
