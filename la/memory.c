/*
 * The library's allocator: the C library's, with huge pages asked for under
 * large blocks: a traversal touches its arrays in no order that a TLB likes.
 * docs/performance.md says what that gains.
 */
#include <semla/object.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "memory.h"

enum { HUGE_PAGE = 2 << 20, LARGE = 2 * HUGE_PAGE };

/* A hint: where the system does not follow it, nothing else changes. */
static void *with_huge_pages(void *memory, size_t size)
{
    if (!memory || size < LARGE)
        return memory;
    uintptr_t begin = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)memory + size) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    return memory;
}

static void *huge_malloc(size_t size)
{
    return with_huge_pages(malloc(size), size);
}

static void *huge_calloc(size_t count, size_t size)
{
    return with_huge_pages(calloc(count, size), count * size);
}

static void *huge_realloc(void *memory, size_t size)
{
    return with_huge_pages(realloc(memory, size), size);
}

static sl_allocator current = {huge_malloc, huge_calloc, huge_realloc, free};
static atomic_bool in_use;

sl_status sl_set_allocator(const sl_allocator *allocator)
{
    if (!allocator || !allocator->malloc || !allocator->calloc || !allocator->realloc ||
        !allocator->free || atomic_load(&in_use))
        return SL_INVALID;
    current = *allocator;
    return SL_OK;
}

bool sl_allocator_is_foreign(void)
{
    return current.malloc != huge_malloc;
}

void sl_allocator_settle(void)
{
    atomic_store(&in_use, true);
}

void *sl_malloc(size_t size)
{
    return current.malloc(size ? size : 1);
}

void *sl_calloc(size_t count, size_t size)
{
    return count && size ? current.calloc(count, size) : current.calloc(1, 1);
}

void *sl_realloc(void *memory, size_t size)
{
    return current.realloc(memory, size ? size : 1);
}

void sl_free(void *memory)
{
    if (memory)
        current.free(memory);
}
