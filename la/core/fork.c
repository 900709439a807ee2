/*
 * Children of fork(). A child has only the thread that called fork(), but OpenMP still counts the
 * threads of the parent: the child's first parallel region would wait for them forever. GPUs and
 * MPI cannot be used in a child at all. So a child fails if its parent had used threads.
 *
 * OpenMP does not tell whether it has started threads. It certainly has not if all work ran on one
 * thread, or if the process has no second thread when it calls fork().
 */
#include <semla/engine.h>
#include <semla/process.h>

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool has_threads;  /* OpenMP had several threads when a context was created */
static atomic_bool uses_threads; /* operations may have started threads */
static atomic_bool uses_devices; /* a context has a GPU, or belongs to a grid of MPI ranks */
static atomic_bool orphaned;     /* this is the child of a process that used threads or devices */
static bool forks_alone;         /* written before fork(): the process has one thread */

/* /proc/self/task has a folder for each thread, besides "." and "..". */
static void before_fork(void)
{
    struct stat tasks;
    forks_alone = stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

static void in_child(void)
{
    if (atomic_load(&uses_devices) || (atomic_load(&uses_threads) && !forks_alone))
        atomic_store(&orphaned, true);
}

static void watch_fork(void)
{
    pthread_atfork(before_fork, NULL, in_child);
}

const char *sl_process_unusable(void)
{
    return atomic_load_explicit(&orphaned, memory_order_relaxed)
               ? "this process was forked after its parent had used threads, which fork() does not "
                 "copy; start processes by spawn, or call fork() before the first operation"
               : NULL;
}

void sl_process_has_context(void)
{
    if (omp_get_max_threads() > 1)
        atomic_store(&has_threads, true);
}

static bool is_noted(const atomic_bool *use)
{
    return atomic_load_explicit(use, memory_order_relaxed);
}

static void note(atomic_bool *use)
{
    pthread_once(&once, watch_fork);
    atomic_store(use, true);
}

static bool has_device(const sl_context *ctx)
{
    for (size_t k = 0; k < SL_MAX_ENGINES && ctx->chain[k]; k++)
        if (ctx->chain[k]->store->memory != SL_MEMORY_HOST)
            return true;
    return ctx->grid != NULL;
}

sl_status sl_check_process(sl_context *ctx, const char *function)
{
    const char *reason = sl_process_unusable();
    if (reason)
        return sl_fail(ctx, SL_UNSUPPORTED, "%s: %s", function, reason);
    /* SuiteSparse before version 8 does not limit all operations to the threads of the context. */
    if (!is_noted(&uses_threads) &&
        (is_noted(&has_threads) || omp_get_max_threads() > 1 || (ctx && ctx->threads > 1)))
        note(&uses_threads);
    if (!is_noted(&uses_devices) && ctx && has_device(ctx))
        note(&uses_devices);
    return SL_OK;
}
