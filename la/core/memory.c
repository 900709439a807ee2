/*
 * sl_malloc and its like: allocate through the current allocator (allocator.c), and count the block
 * for the context that the calling thread works for, if that context counts its memory (account.h).
 */
#include <semla/host.h>
#include <semla/process.h>

#include <inttypes.h>
#include <stdio.h>

#include "la/core/account.h"
#include "la/core/allocator.h"

/* Records a block that was allocated; frees the record if the allocation failed. */
static void *record(sl_block *block, void *memory)
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
        return sl_allocator_current()->malloc(size);
    sl_block *block = sl_block_new(account, size);
    return block ? record(block, sl_allocator_current()->malloc(size)) : NULL;
}

void *sl_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (count == 0 || size == 0)
        count = size = 1;
    sl_account *account = sl_account_of_thread();
    if (!account)
        return sl_allocator_current()->calloc(count, size);
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    sl_block *block = sl_block_new(account, bytes);
    return block ? record(block, sl_allocator_current()->calloc(count, size)) : NULL;
}

void *sl_realloc(void *memory, size_t size)
{
    if (!memory)
        return sl_malloc(size);
    size = size ? size : 1;
    sl_block *block = sl_account_anywhere() ? sl_block_take(memory) : NULL;
    if (!block)
        return sl_allocator_current()->realloc(memory, size);
    /* The record stays out of the table until the end, because another thread may allocate at the
     * old address as soon as realloc has moved the block. */
    const size_t old_size = block->size;
    bool allowed = size <= old_size || sl_block_resize(block, size);
    void *moved = allowed ? sl_allocator_current()->realloc(memory, size) : NULL;
    sl_block_resize(block, moved ? size : old_size); /* only shrinks: cannot fail */
    sl_block_enter(block, moved ? moved : memory);
    return moved;
}

void sl_free(void *memory)
{
    if (!memory)
        return;
    if (sl_account_anywhere())
        sl_block_free(sl_block_take(memory));
    sl_allocator_current()->free(memory);
}

uint64_t sl_host_bytes_present(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    uint64_t kilobytes = UINT64_MAX / 1024;
    char line[128];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}
