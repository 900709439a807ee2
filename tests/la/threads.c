/* Contexts of their own in threads of their own: nothing that they share may race. */
#include <pthread.h>

#include <semla/la.h>

#include "support.h"

enum { THREADS = 4, N = 500, ROUNDS = 5 };

/* Shortest paths and a search on a ring, checked; SL_OK, or what went wrong. */
static sl_status work_in(sl_context *ctx, unsigned thread)
{
    uint64_t from[N], to[N];
    for (uint64_t v = 0; v < N; v++) {
        from[v] = v;
        to[v] = (v + 1) % N;
    }
    sl_matrix *A = NULL;
    sl_vector *pi = NULL, *q = NULL;
    sl_status status = sl_matrix_new(&A, ctx, SL_BOOL, N, N);
    if (status == SL_OK)
        status = sl_matrix_build(A, from, to, NULL, N, NULL);
    if (status == SL_OK)
        status = sl_vector_new(&pi, ctx, SL_INT64, N);
    if (status == SL_OK)
        status = sl_vector_set(pi, thread, sl_scalar_int64(thread));
    if (status == SL_OK)
        status = sl_vector_dup(&q, pi);
    if (status == SL_OK)
        status = sl_closure(pi, q, A, SL_MIN_SECONDI_INT64, NULL);
    sl_scalar last;
    if (status == SL_OK)
        status = sl_vector_get(&last, pi, (thread + N - 1) % N);
    if (status == SL_OK && last.as.int64_ != (int64_t)((thread + N - 2) % N))
        status = SL_ENGINE_FAULT;
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_matrix_free(A);
    return status;
}

static void *work(void *argument)
{
    unsigned thread = *(const unsigned *)argument;
    sl_status status = SL_OK;
    for (int round = 0; round < ROUNDS && status == SL_OK; round++) {
        sl_context *ctx;
        status = sl_context_create(&ctx, round % 2 ? SL_ENGINE_SUITESPARSE : SL_ENGINE_AUTO);
        if (status == SL_OK)
            status = work_in(ctx, thread);
        sl_context_free(ctx);
    }
    return (void *)(intptr_t)status;
}

static void contexts_in_threads(void **state)
{
    (void)state;
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
}

int main(void)
{
    allocator_install(); /* SuiteSparse keeps no pool then, through which blocks change threads */
    const struct CMUnitTest tests[] = {cmocka_unit_test(contexts_in_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
