/* The allocator of support.h that detects writes past the end of blocks. */
#include "support.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 32, MARK = 0xa5 }; /* keeps malloc's alignment */

static atomic_long overruns;

/* A block is preceded by its size and followed by EDGE bytes of a known value. */
static void *guard(char *memory, size_t size)
{
    if (!memory)
        return NULL;
    memcpy(memory, &size, sizeof size);
    memset(memory + EDGE + size, MARK, EDGE);
    return memory + EDGE;
}

static size_t size_of(const char *block)
{
    size_t size;
    memcpy(&size, block - EDGE, sizeof size);
    return size;
}

static void check(const char *block)
{
    const char *end = block + size_of(block);
    for (int k = 0; k < EDGE; k++)
        if ((unsigned char)end[k] != MARK) {
            atomic_fetch_add(&overruns, 1);
            return;
        }
}

static void *guarded_malloc(size_t size)
{
    return size > SIZE_MAX - 2 * EDGE ? NULL : guard(malloc(size + 2 * EDGE), size);
}

static void *guarded_calloc(size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - 2 * EDGE) / size)
        return NULL;
    return guard(calloc(1, count * size + 2 * EDGE), count * size);
}

static void guarded_free(void *block)
{
    if (!block)
        return;
    check(block);
    free((char *)block - EDGE);
}

static void *guarded_realloc(void *block, size_t size)
{
    void *moved = guarded_malloc(size);
    if (!block || !moved)
        return moved;
    memcpy(moved, block, size < size_of(block) ? size : size_of(block));
    guarded_free(block);
    return moved;
}

void guard_install(void)
{
    static const sl_allocator allocator = {guarded_malloc, guarded_calloc, guarded_realloc,
                                           guarded_free};
    if (sl_set_allocator(&allocator) != SL_OK)
        abort();
}

long guard_overruns(void)
{
    return atomic_load(&overruns);
}
