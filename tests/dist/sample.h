/* Random sets of ids, for tests of codecs. */
#ifndef SEMLA_TESTS_SAMPLE_H
#define SEMLA_TESTS_SAMPLE_H

#include "dist/codecs/ids.h"

/* Random numbers of 64 bits, and below n. */
uint64_t draw(void);
uint64_t below(uint64_t n);

/* A set as a bitmap and as an ascending list, and scratch for as many ids. */
typedef struct {
    uint64_t limit, count;
    uint64_t *bits;
    uint32_t *list, *scratch;
} sample;

/* About `count` random ids below `limit`: anywhere, or all near each other. */
sample sample_make(uint64_t limit, uint64_t count, bool near);
void sample_free(sample *s);

#endif
