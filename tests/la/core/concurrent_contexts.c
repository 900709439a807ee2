/*
 * Concurrent contexts: contexts created and used by several threads must not race on data they
 * share. Some have a memory limit or a number of threads, and arrays pass from one context to
 * another. Built with ThreadSanitizer in CI.
 */
#include <pthread.h>

#include <semla/la.h>

#include "support.h"
#include "try.h"

enum { THREADS = 4, N = 500, ROUNDS = 12 };

static long alive; /* allocations that SuiteSparse makes when it is initialised, and keeps */

/* ---- arrays passed between threads ----------------------------------------------- */

static pthread_mutex_t exchange_lock = PTHREAD_MUTEX_INITIALIZER;
static sl_arrays exchanged[THREADS];

/* Stores arrays in a slot and returns those that another thread has stored there. */
static sl_arrays exchange(unsigned slot, sl_arrays mine)
{
    pthread_mutex_lock(&exchange_lock);
    sl_arrays theirs = exchanged[slot];
    exchanged[slot] = mine;
    pthread_mutex_unlock(&exchange_lock);
    return theirs;
}

/* The rows of a ring, counted for no context. */
static sl_arrays ring(void)
{
    sl_arrays a = {.format = SL_FORMAT_CSR, .type = SL_BOOL, .nrows = N, .ncols = N, .nvals = N};
    a.start = sl_malloc((N + 1) * sizeof *a.start);
    a.cols = sl_malloc(N * sizeof *a.cols);
    for (uint64_t v = 0; v < N; v++) {
        a.start[v] = v;
        a.cols[v] = (v + 1) % N;
    }
    a.start[N] = N;
    return a;
}

/* ---- the work of one context ----------------------------------------------------- */

/* A search on a ring that another thread may have stored, with a check of one parent. Returns SL_OK
 * or the error. */
static sl_status work_in(sl_context *ctx, unsigned thread, unsigned round)
{
    sl_matrix *A = NULL;
    sl_vector *pi = NULL, *q = NULL;
    sl_scalar last;
    sl_status status;
    sl_arrays arrays = exchange((thread + round) % THREADS, (sl_arrays){0});
    if (!arrays.start)
        arrays = ring();
    TRY_OR_OUT(sl_matrix_take(&A, ctx, &arrays));
    TRY_OR_OUT(sl_vector_new(&pi, ctx, SL_INT64, N));
    TRY_OR_OUT(sl_vector_set(pi, thread, sl_scalar_int64(thread)));
    TRY_OR_OUT(sl_vector_dup(&q, pi));
    TRY_OR_OUT(sl_closure(pi, q, A, SL_MIN_SECONDI_INT64, NULL));
    TRY_OR_OUT(sl_vector_get(&last, pi, (thread + N - 1) % N));
    if (last.as.int64_ != (int64_t)((thread + N - 2) % N))
        status = SL_ENGINE_FAULT;
    sl_arrays_free(&arrays);
    TRY_OR_OUT(sl_matrix_give(&arrays, &A, SL_FORMAT_CSR));
    arrays = exchange((thread + round + 1) % THREADS, arrays);
out:
    sl_arrays_free(&arrays);
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_matrix_free(A);
    return status;
}

/* With a limit that is too low the work fails, and other threads are not affected. */
static sl_status one_round(unsigned thread, unsigned round)
{
    static const uint64_t limits[] = {0, 1 << 20, 3000};
    sl_context *ctx;
    sl_status status = sl_context_create(&ctx, round % 2 ? SL_ENGINE_SUITESPARSE : SL_ENGINE_AUTO);
    bool limited = (thread + round) % 4 > 0;
    uint64_t limit = limits[(thread + round) % 3];
    if (status == SL_OK && limited)
        status = sl_context_set_memory_limit(ctx, limit);
    if (status == SL_OK)
        status = sl_context_set_threads(ctx, (int)(round % 3));
    if (status == SL_OK) {
        status = work_in(ctx, thread, round);
        if (limited && limit == 3000)
            status = status == SL_NO_MEMORY ? SL_OK : SL_ENGINE_FAULT;
    }
    sl_context_free(ctx);
    return status;
}

static void *work(void *argument)
{
    unsigned thread = *(const unsigned *)argument;
    sl_status status = SL_OK;
    for (unsigned round = 0; round < ROUNDS && status == SL_OK; round++)
        status = one_round(thread, round);
    return (void *)(intptr_t)status;
}

static void contexts_in_threads(void **state)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    for (unsigned k = 0; k < THREADS; k++) {
        numbers[k] = k;
        assert_int_equal(pthread_create(&threads[k], NULL, work, &numbers[k]), 0);
    }
    for (unsigned k = 0; k < THREADS; k++) {
        void *status;
        pthread_join(threads[k], &status);
        assert_int_equal((intptr_t)status, SL_OK);
    }
    for (unsigned k = 0; k < THREADS; k++)
        sl_arrays_free(&exchanged[k]);
    assert_int_equal(allocator_alive(), alive);
}

/* ---- blocks of several contexts -------------------------------------------------- */

enum { BLOCKS = 64, TURNS = 2000, OWN = 3000 };

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static void *heap[BLOCKS];

/* Allocates many blocks, so that those of several threads are neighbours in the exchange_lock of
 * blocks. */
static void allocate_many(void)
{
    static _Thread_local void *own[OWN];
    for (int k = 0; k < OWN; k++)
        own[k] = sl_malloc(1);
    for (int k = 0; k < OWN; k++)
        sl_free(own[k]);
}

/* Allocates blocks, counted for a context or for none; frees or grows blocks allocated by any
 * thread. */
static void *replace_blocks(void *argument)
{
    uint64_t seed = *(const unsigned *)argument;
    sl_context *ctx;
    if (sl_context_create(&ctx, SL_ENGINE_SUITESPARSE) != SL_OK ||
        sl_context_set_memory_limit(ctx, seed % 2 ? 0 : 1 << 16) != SL_OK)
        return (void *)1;
    sl_context *no_context = sl_context_charge(ctx);
    allocate_many();
    sl_context_charge(no_context);
    for (int turn = 0; turn < TURNS; turn++) {
        sl_context *before = sl_context_charge(test_random(&seed) % 3 ? ctx : NULL);
        size_t size = test_random(&seed) % 5000, slot = test_random(&seed) % BLOCKS;
        void *mine = sl_malloc(size);
        sl_context_charge(before);
        pthread_mutex_lock(&heap_lock);
        void *theirs = heap[slot];
        heap[slot] = mine;
        pthread_mutex_unlock(&heap_lock);
        void *grown = turn % 2 ? sl_realloc(theirs, 2 * size) : NULL;
        sl_free(grown ? grown : theirs);
    }
    sl_context_memory memory;
    sl_context_get_memory(ctx, &memory);
    bool sound = memory.used <= memory.peak && (memory.limit == 0 || memory.peak <= memory.limit);
    sl_context_free(ctx);
    return sound ? NULL : (void *)1;
}

static void blocks_change_threads(void **state)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    for (unsigned k = 0; k < THREADS; k++) {
        numbers[k] = k;
        assert_int_equal(pthread_create(&threads[k], NULL, replace_blocks, &numbers[k]), 0);
    }
    for (unsigned k = 0; k < THREADS; k++) {
        void *wrong;
        pthread_join(threads[k], &wrong);
        assert_null(wrong);
    }
    for (unsigned k = 0; k < BLOCKS; k++)
        sl_free(heap[k]);
    assert_int_equal(allocator_alive(), alive);
}

static int start(void **state)
{
    sl_context *ctx;
    sl_status status = sl_context_create(&ctx, SL_ENGINE_AUTO);
    sl_context_free(ctx);
    alive = allocator_alive();
    return status;
}

int main(void)
{
    /* With this allocator, SuiteSparse has no memory pool through which blocks change threads. */
    allocator_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(contexts_in_threads),
                                       cmocka_unit_test(blocks_change_threads)};
    return cmocka_run_group_tests(tests, start, NULL);
}
