/* Shared by all tests: checks of status codes, a counting and failing allocator, choice of engines,
 * and random numbers. */
#ifndef SEMLA_TEST_SUPPORT_H
#define SEMLA_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <semla/la.h>

/* Checks that the call succeeds; otherwise the test fails with the context's message. */
#define OK(ctx, call)                                                                              \
    do {                                                                                           \
        sl_status ok_status_ = (call);                                                             \
        if (ok_status_ != SL_OK)                                                                   \
            fail_msg("%s: %s (%s)", #call, sl_status_string(ok_status_), sl_context_message(ctx)); \
    } while (0)

/*
 * Installs an allocator in the library and SuiteSparse that counts allocations and can fail them,
 * and initialises GraphBLAS, of which later versions keep blocks until GrB_finalize. Must be the
 * first call in main of a program that uses the functions below.
 */
void allocator_install(void);
/* The same, but the first context initialises GraphBLAS, with the number of threads of that moment. */
void allocator_install_only(void);

/* The number of allocations that have not been freed, without those of the initialisation by
 * allocator_install. */
long allocator_alive(void);

/*
 * Lets the next `n` allocations succeed and fails all after them; if negative, no allocation fails.
 */
void allocator_fail_after(long n);

/* Whether an allocation has failed since the last allocator_fail_after. */
bool allocator_has_failed(void);

/* How many allocations have not been made of those that allocator_fail_after lets succeed. */
long allocator_left(void);

/* While paused, allocations never fail and are not counted against `n`. */
void allocator_pause(bool pause);

/*
 * Runs `scenario` with its allocation number n failing, for n = 0, 1, 2, ..., until it succeeds.
 * Each failed run must return SL_NO_MEMORY and leave as many allocations as there were before; the
 * scenario frees what it created in either case. Returns the number of allocations of the scenario.
 */
long allocator_fail_each(sl_status (*scenario)(void *data), void *data);

/*
 * Installs an allocator in the library and SuiteSparse that counts the blocks that were written
 * past their end; blocks are checked when they are freed. SuiteSparse itself is not compiled with
 * sanitizers, which would detect this. Must be the first call in main.
 */
void guard_install(void);
long guard_overruns(void);

/* Frees the arrays of rows that were copied from a matrix; the struct is owned by the caller. */
static inline void free_rows(sl_csr *rows)
{
    sl_free(rows->start);
    sl_free(rows->index);
    sl_free(rows->values);
}

/* Returns whether there is a GPU that the library supports. */
static inline bool has_gpu(void)
{
    sl_engine_info info;
    for (size_t k = 0; sl_engine_describe(k, &info) == SL_OK; k++)
        if (info.choice == SL_ENGINE_CUDA)
            return info.present;
    return false;
}

/*
 * Returns the next engine that is present, starting at *position, which is advanced past it; false
 * if there is none left. For engines that are not present it prints the reason, once.
 */
bool next_engine(sl_engine_info *engine, size_t *position);

/* A pseudo-random number; *state is the seed, and is advanced. */
uint64_t test_random(uint64_t *state);

/* The number in an environment variable, or `otherwise` if it is not set. */
uint64_t test_number(const char *variable, uint64_t otherwise);

/* The seeds from `first` to `end` - 1. */
typedef struct {
    uint64_t first, end;
} test_seeds;

/*
 * `count` seeds from `first`; SEMLA_TEST_TRIALS=n: n seeds instead; SEMLA_TEST_SEED=n: seed n only.
 */
test_seeds test_seeds_from(uint64_t first, uint64_t count);

#endif
