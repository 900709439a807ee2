/*
 * The functions through which the library allocates: the C library's, or others set by
 * sl_set_allocator. By default, large blocks ask the system for huge pages, because a traversal
 * accesses its arrays in an order that misses the TLB at nearly every access
 * (docs/notes/performance-host.md).
 */
#include "la/core/allocator.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <semla/host.h>

enum { HUGE_PAGE = 2 << 20, LARGE = 2 * HUGE_PAGE };

/* Advises the system to back the block with huge pages. A system that does not follow the advice
 * changes nothing else. */
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

bool sl_allocator_is_custom(void)
{
    return current.malloc != huge_malloc;
}

void sl_allocator_settle(void)
{
    atomic_store(&in_use, true);
}

const sl_allocator *sl_allocator_current(void)
{
    return &current;
}
