/* Sizes of blocks and the number of lines in a block, for input.c and input_part.c. */
#ifndef SEMLA_IO_INPUT_BLOCKS_H
#define SEMLA_IO_INPUT_BLOCKS_H

#include <stdint.h>

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* small blocks, so that small inputs of the       \
                                                   fuzzer have several */
    BLOCK = 64,
    COMPRESSED_BLOCK = 16,
    SHARED_BLOCK = 128,
#else
    BLOCK = 256 << 10,           /* bytes per block: a block and its tuples fit in the L2 cache */
    COMPRESSED_BLOCK = 64 << 10, /* compressed bytes per read */
    SHARED_BLOCK = 2 << 20,      /* decompressed bytes per block if threads take turns: the window of the
                               decompressor moves between cores with every block */
#endif
    MAX_LINE = 16 << 20 /* default maximum; a reader may change it */
};

/* Number of newlines in [begin, end). */
static inline uint64_t count_lines(const char *begin, const char *end)
{
    uint64_t lines = 0;
    for (const char *p = begin; p < end; p++)
        lines += *p == '\n';
    return lines;
}

#endif
