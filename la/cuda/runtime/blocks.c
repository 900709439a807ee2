/*
 * Registers blocks of device memory with the program's own allocator (sl_set_allocator): for each
 * device block a small host block is allocated and freed with it. A program that counts
 * allocations, or lets them fail, thereby counts device blocks too; the tests find leaks this way.
 * Without an own allocator nothing is registered.
 * The table is process-wide, as device memory outlives contexts (programs, pinned counts). It is a
 * hash table of 256 lists under one lock.
 */
#include <pthread.h>

#include "cuda/runtime/device.h"

typedef struct block {
    const void *memory;
    struct block *next;
} block;

enum { LISTS = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block *lists[LISTS];

/* Pool blocks are multiples of 512 bytes. */
static block **list_of(const void *memory)
{
    return &lists[(uintptr_t)memory / 512 % LISTS];
}

bool sl_cuda_register_block(const void *memory)
{
    if (!sl_allocator_is_custom())
        return true;
    block *noted = sl_malloc(sizeof *noted);
    if (!noted)
        return false;
    pthread_mutex_lock(&lock);
    block **list = list_of(memory);
    *noted = (block){.memory = memory, .next = *list};
    *list = noted;
    pthread_mutex_unlock(&lock);
    return true;
}

void sl_cuda_unregister_block(const void *memory)
{
    if (!sl_allocator_is_custom())
        return;
    pthread_mutex_lock(&lock);
    block **at = list_of(memory);
    while (*at && (*at)->memory != memory)
        at = &(*at)->next;
    block *noted = *at;
    if (noted)
        *at = noted->next;
    pthread_mutex_unlock(&lock);
    sl_free(noted);
}
