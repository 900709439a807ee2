/* Shared by all tests: a counting, failing allocator and small conveniences. */
#ifndef SEMLA_TEST_SUPPORT_H
#define SEMLA_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <semla/la.h>

/* Succeeds, or fails the test with the context's message. */
#define OK(ctx, call)                                                                              \
    do {                                                                                           \
        sl_status ok_status_ = (call);                                                             \
        if (ok_status_ != SL_OK)                                                                   \
            fail_msg("%s: %s (%s)", #call, sl_status_string(ok_status_), sl_context_message(ctx)); \
    } while (0)

/*
 * Puts the counting allocator under the library and SuiteSparse. Call it first
 * thing in main of a test program that uses the functions below.
 */
void allocator_install(void);

/* Allocations alive now. */
long allocator_alive(void);

/* Lets `n` more allocations succeed, then fails all; negative: fails none. */
void allocator_fail_after(long n);

/* While paused, allocations are not failed and not counted against `n`. */
void allocator_pause(bool pause);

/*
 * Runs `scenario` with its allocation number n failing, n = 0, 1, 2, ..., until
 * it succeeds. Each failed run must return SL_NO_MEMORY and leave as many
 * allocations alive as there were before; the scenario frees what it made in
 * either case. Returns the number of allocations that it took.
 */
long allocator_fail_each(sl_status (*scenario)(void *data), void *data);

/*
 * Puts an allocator under the library and SuiteSparse that counts the blocks that
 * were written past their end when they are freed: SuiteSparse is not compiled with
 * the sanitizers that would tell. First thing in main.
 */
void guard_install(void);
long guard_overruns(void);

/* A copy's arrays; the struct itself is the caller's. */
static inline void free_rows(sl_csr *rows)
{
    sl_free(rows->start);
    sl_free(rows->index);
    sl_free(rows->values);
}

/* Whether there is a GPU that the library can use. */
static inline bool has_gpu(void)
{
    sl_engine_info info;
    for (size_t k = 0; sl_engine_describe(k, &info) == SL_OK; k++)
        if (info.choice == SL_ENGINE_CUDA)
            return info.present;
    return false;
}

/*
 * The next engine that is present, from *position on, which is moved behind it; false: there
 * is no other. Of those that are not present the reason is printed, once.
 */
bool next_engine(sl_engine_info *engine, size_t *position);

/* A small, seeded generator of random numbers for test inputs. */
uint64_t test_random(uint64_t *state);

/* The number that is the value of a variable of the environment. */
uint64_t test_number(const char *variable, uint64_t otherwise);

/* Seeds from `first` on, before `end`. */
typedef struct {
    uint64_t first, end;
} test_seeds;

/* `count` of them; with SEMLA_TEST_TRIALS=n that many, with SEMLA_TEST_SEED=n the one alone. */
test_seeds test_seeds_from(uint64_t first, uint64_t count);

#endif
