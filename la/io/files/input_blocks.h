/* Declarations that input.c and input_part.c share: sizes of blocks, and lines. */
#ifndef SEMLA_IO_INPUT_BLOCKS_H
#define SEMLA_IO_INPUT_BLOCKS_H

#include "input.h"

#pragma GCC visibility push(hidden)

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* small blocks, so that small inputs of the       \
                                                   fuzzer have several */
    BLOCK = 64,
    COMPRESSED_BLOCK = 16,
    SHARED_BLOCK = 128,
#else
    BLOCK = 256 << 10,           /* bytes per block: a block and its tuples fit in the L2 cache */
    COMPRESSED_BLOCK = 64 << 10, /* compressed bytes per read */
    SHARED_BLOCK = 2 << 20, /* decompressed bytes per block if threads take turns: the window of the
                               decompressor moves between cores with every block */
#endif
    MAX_LINE = 16 << 20 /* default maximum; a reader may change it */
};

static inline uint64_t count_lines(const char *begin, const char *end)
{
    uint64_t lines = 0;
    for (const char *p = begin; p < end; p++)
        lines += *p == '\n';
    return lines;
}

/* Fails for the line that starts at `at`: it is longer than s->max_line. */
sl_status line_too_long(const input *s, const char *at);

#pragma GCC visibility pop
#endif
