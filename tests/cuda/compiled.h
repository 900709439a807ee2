/* Shared by tests of programs compiled at run time: a context, a cache folder of the test's own,
 * an operator, its program as an image. */
#ifndef SEMLA_TEST_COMPILED_H
#define SEMLA_TEST_COMPILED_H

#include "cache_folder.h"

#include "cuda/jit/cache.h"

extern sl_context *ctx;

/* Setup of every test. */
int compiled_begin(void **state);
int compiled_end(void **state);
#define COMPILED_TEST(f) cmocka_unit_test_setup_teardown(f, compiled_begin, compiled_end)

/* An operator int32(uint8, float) with its source text. */
sl_binary_op weigh_of(const char *name, const char *source);
extern const char weigh_source[];

/* The image of the program, compiled or from the cache. */
sl_status compile(cuda_image *image, const cuda_wanted *wanted, int architecture);
/* The same; must succeed, and come from the cache if `cached`. */
void expect(const cuda_wanted *wanted, int architecture, bool cached);

/* Skips the test if there is no NVRTC. */
void need_nvrtc(void);

#endif
