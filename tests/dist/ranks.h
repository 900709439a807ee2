/* Shared by test programs that run on every rank. */
#ifndef SEMLA_TESTS_DIST_RANKS_H
#define SEMLA_TESTS_DIST_RANKS_H

#include <semla/algorithms.h>
#include <semla/bfs.h>
#include <semla/dist.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support.h"

/* The number of this rank in MPI_COMM_WORLD, and the number of ranks. */
static inline int world_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}
static inline int world_size(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/* The next shape of a grid of all ranks; false after the last. */
static inline bool next_grid(int *rows, int *cols)
{
    do
        ++*rows;
    while (*rows <= world_size() && world_size() % *rows);
    *cols = *rows <= world_size() ? world_size() / *rows : 0;
    return *cols > 0;
}

/* The shape nearest to a square with at most as many rows as columns, so that there are exchanges
 * along rows, which the default of one column does not have. */
static inline int some_rows(void)
{
    int rows = 1;
    for (int r = 1; r * r <= world_size(); r++)
        if (world_size() % r == 0)
            rows = r;
    return rows;
}

/* Asserts success; the message names the rank. */
#define assert_ok(ctx, call)                                                                       \
    do {                                                                                           \
        sl_status ok_ = (call);                                                                    \
        if (ok_ != SL_OK)                                                                          \
            fail_msg("rank %d: %s: %s: %s", world_rank(), #call, sl_status_string(ok_),            \
                     sl_context_message(ctx));                                                     \
    } while (0)

/* Runs the tests on every rank. A rank with a failed test ends all ranks, as the others would wait
 * for it. Only rank 0 reports tests that pass. */
static inline int run_some_ranks(const char *name, const struct CMUnitTest *tests, size_t count)
{
    int failures = 0;
    if (world_rank() > 0 && !freopen("/dev/null", "w", stdout))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t k = 0; k < count; k++) {
        failures = _cmocka_run_group_tests(tests[k].name, &tests[k], 1, NULL, NULL);
        fflush(NULL);
        if (failures) {
            fprintf(stderr, "%s: %s failed on rank %d of %d\n", name, tests[k].name, world_rank(),
                    world_size());
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    return failures;
}

/* The same, with MPI initialised before, if it is not, and finalised afterwards. */
static inline int run_ranks(const char *name, const struct CMUnitTest *tests, size_t count)
{
    int begun;
    MPI_Initialized(&begun);
    if (!begun)
        MPI_Init(NULL, NULL);
    int failures = run_some_ranks(name, tests, count);
    MPI_Finalize();
    return failures;
}

/* For programs that test GPUs: initialises MPI. False: there is no GPU; it says that the program is
 * skipped, and has finalised MPI. */
static inline bool start_with_gpu(void)
{
    MPI_Init(NULL, NULL);
    if (has_gpu())
        return true;
    if (world_rank() == 0)
        printf("engine cuda skipped: there is no device\n");
    MPI_Finalize();
    return false;
}

#endif
