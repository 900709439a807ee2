/* The counting and failing allocator of support.h, and the random numbers of tests. */
#include "support.h"

#include <stdatomic.h>
#include <stdlib.h>

/*
 * Relaxed order throughout: stronger orders between threads would hide races from ThreadSanitizer.
 */
static atomic_long alive;
static long kept; /* by GraphBLAS until GrB_finalize */
static atomic_long allowance = -1;

static atomic_bool paused, has_failed;

static bool may_allocate(void)
{
    if (atomic_load_explicit(&paused, memory_order_relaxed))
        return true;
    long left = atomic_load_explicit(&allowance, memory_order_relaxed);
    while (left >= 0) {
        if (left == 0) {
            atomic_store_explicit(&has_failed, true, memory_order_relaxed);
            return false;
        }
        if (atomic_compare_exchange_weak_explicit(&allowance, &left, left - 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    }
    return true;
}

static void *counted(void *memory)
{
    if (memory)
        atomic_fetch_add_explicit(&alive, 1, memory_order_relaxed);
    return memory;
}

static void *counting_malloc(size_t size)
{
    return may_allocate() ? counted(malloc(size)) : NULL;
}

static void *counting_calloc(size_t count, size_t size)
{
    return may_allocate() ? counted(calloc(count, size)) : NULL;
}

static void *counting_realloc(void *memory, size_t size)
{
    if (!memory)
        return counting_malloc(size);
    return may_allocate() ? realloc(memory, size) : NULL;
}

static void counting_free(void *memory)
{
    if (memory)
        atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed);
    free(memory);
}

void allocator_install_only(void)
{
    static const sl_allocator allocator = {counting_malloc, counting_calloc, counting_realloc,
                                           counting_free};
    if (sl_set_allocator(&allocator) != SL_OK)
        abort();
}

void allocator_install(void)
{
    allocator_install_only();
    sl_context *ctx;
    if (sl_context_create(&ctx, SL_ENGINE_SUITESPARSE) != SL_OK)
        abort();
    sl_context_free(ctx);
    kept = atomic_load(&alive);
}

long allocator_alive(void)
{
    return atomic_load(&alive) - kept;
}

void allocator_fail_after(long n)
{
    atomic_store(&has_failed, false);
    atomic_store(&allowance, n);
}

bool allocator_has_failed(void)
{
    return atomic_load(&has_failed);
}

long allocator_left(void)
{
    return atomic_load(&allowance);
}

void allocator_pause(bool pause)
{
    atomic_store(&paused, pause);
}

long allocator_fail_each(sl_status (*scenario)(void *data), void *data)
{
    for (long n = 0;; n++) {
        long before = allocator_alive();
        allocator_fail_after(n);
        sl_status status = scenario(data);
        allocator_fail_after(-1);
        if (allocator_alive() != before)
            fail_msg("allocation %ld failing: %ld allocations leaked", n,
                     allocator_alive() - before);
        if (status == SL_OK)
            return n;
        if (status != SL_NO_MEMORY)
            fail_msg("allocation %ld failing: status %d, not SL_NO_MEMORY", n, (int)status);
    }
}

uint64_t test_random(uint64_t *state)
{
    /* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
