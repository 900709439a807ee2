/*
 * The library's allocator: the C library's, with huge pages asked for under
 * large blocks: a traversal touches its arrays in no order that a TLB likes.
 * docs/performance.md says what that gains. What is allocated for a context whose
 * memory is counted goes on its account.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "account.h"
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

bool sl_allocator_is_custom(void)
{
    return current.malloc != huge_malloc;
}

void sl_allocator_settle(void)
{
    atomic_store(&in_use, true);
}

void *sl_plain_malloc(size_t size)
{
    return current.malloc(size);
}

void sl_plain_free(void *memory)
{
    current.free(memory);
}

/* Notes what was allocated; where nothing was, the note goes. */
static void *noted(sl_block *block, void *memory)
{
    if (memory)
        sl_block_enter(block, memory);
    else
        sl_block_free(block);
    return memory;
}

bool sl_charge_block(const void *memory, size_t size)
{
    sl_account *account = sl_account_of_thread();
    sl_block *block = account ? sl_block_new(account, size) : NULL;
    if (block)
        sl_block_enter(block, memory);
    return block || !account;
}

void sl_discharge_block(const void *memory)
{
    if (sl_account_anywhere())
        sl_block_free(sl_block_take(memory));
}

void *sl_malloc(size_t size)
{
    size = size ? size : 1;
    sl_account *account = sl_account_of_thread();
    if (!account)
        return current.malloc(size);
    sl_block *block = sl_block_new(account, size);
    return block ? noted(block, current.malloc(size)) : NULL;
}

void *sl_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (count == 0 || size == 0)
        count = size = 1;
    sl_account *account = sl_account_of_thread();
    if (!account)
        return current.calloc(count, size);
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    sl_block *block = sl_block_new(account, bytes);
    return block ? noted(block, current.calloc(count, size)) : NULL;
}

void *sl_realloc(void *memory, size_t size)
{
    if (!memory)
        return sl_malloc(size);
    size = size ? size : 1;
    sl_block *block = sl_account_anywhere() ? sl_block_take(memory) : NULL;
    if (!block)
        return current.realloc(memory, size);
    /* The note is out of the table meanwhile, as another thread may be given the old address. */
    size_t before = block->size;
    bool allowed = size <= before || sl_block_resize(block, size);
    void *moved = allowed ? current.realloc(memory, size) : NULL;
    sl_block_resize(block, moved ? size : before); /* now it can only shrink */
    sl_block_enter(block, moved ? moved : memory);
    return moved;
}

void sl_free(void *memory)
{
    if (!memory)
        return;
    if (sl_account_anywhere())
        sl_block_free(sl_block_take(memory));
    current.free(memory);
}
