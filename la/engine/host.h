/* Services of the host for engines: the count of memory, the clock, the size of work for a thread, sorting. */
#ifndef SEMLA_HOST_H
#define SEMLA_HOST_H

#include <semla/context.h>
#include <semla/for_module.h>

/*
 * Counts a block of host memory that did not come from sl_malloc, such as pinned memory, for the
 * context that the calling thread's allocations count for, until sl_discharge_block. False if the
 * context's memory limit does not allow it.
 */
bool sl_charge_block(const void *memory, size_t size);
void sl_discharge_block(const void *memory);

/* True if sl_set_allocator was called. */
bool sl_allocator_is_custom(void);

/*
 * Loops over fewer edges or vertices run on one thread, and a search uses at most one thread for
 * each so many. They take about 60 us; to wake a thread that sleeps takes about 30 us on an idle
 * machine and longer on a busy one.
 */
enum { SL_SERIAL_EDGES = 1 << 16 };

/* Wall clock in seconds since a fixed but unspecified time. */
SL_FOR_MODULE double sl_seconds(void);

/* Sorts ids, which are below `limit` (at most 2^32), in ascending order, by one thread. `scratch` has room for as many.
 * O(count). */
SL_FOR_MODULE void sl_sort_ids(uint32_t *ids, uint64_t count, uint64_t limit, uint32_t *scratch);

#endif
