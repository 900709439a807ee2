/*
 * Cancellation and progress. sl_interrupted is the one place where it is decided that a call ends
 * early. Without a progress function it costs one load; with one, a reading of the kernel's coarse
 * clock, which needs no system call.
 */
#include <semla/engine.h>

#include <inttypes.h>
#include <time.h>

void sl_context_cancel(sl_context *ctx)
{
    if (ctx)
        __atomic_store_n(&ctx->cancelled, true, __ATOMIC_RELAXED);
}

void sl_context_resume(sl_context *ctx)
{
    if (ctx)
        __atomic_store_n(&ctx->cancelled, false, __ATOMIC_RELAXED);
}

bool sl_context_is_cancelled(const sl_context *ctx)
{
    return ctx && __atomic_load_n(&ctx->cancelled, __ATOMIC_RELAXED);
}

sl_status sl_context_set_progress(sl_context *ctx, sl_progress_function function, void *data,
                                  double seconds)
{
    if (!ctx)
        return SL_INVALID;
    if (!(seconds >= 0))
        return sl_fail(ctx, SL_INVALID,
                       "context_set_progress: %g seconds between two calls; at least 0", seconds);
    ctx->progress = function;
    ctx->progress_data = data;
    ctx->progress_interval = seconds;
    ctx->progress_next = 0;
    return SL_OK;
}

/* Seconds of a clock that is updated every 1 to 4 ms. */
static double coarse_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Runs the progress function if it is time; true if it cancels. */
static bool report(sl_context *ctx, const sl_progress *progress)
{
    if (ctx->progress_interval > 0) {
        const double now = coarse_seconds();
        if (now < ctx->progress_next)
            return false;
        ctx->progress_next = now + ctx->progress_interval;
    }
    return ctx->progress(ctx->progress_data, progress) != 0;
}

sl_status sl_interrupted(sl_context *ctx, const char *operation)
{
    if (!ctx || !sl_asks(ctx))
        return SL_OK;
    const sl_progress alone = {.operation = operation};
    const sl_progress *progress = ctx->stage ? ctx->stage : &alone;
    if (!sl_context_is_cancelled(ctx) && !report(ctx, progress))
        return SL_OK;
    if (progress->total > 0)
        return sl_fail(ctx, SL_CANCELLED, "%s: cancelled after %" PRIu64 " of %" PRIu64,
                       progress->operation, progress->done, progress->total);
    return sl_fail(ctx, SL_CANCELLED, "%s: cancelled", progress->operation);
}

void sl_progress_begin(sl_context *ctx, sl_progress *progress)
{
    if (ctx && !ctx->stage)
        ctx->stage = progress;
}

void sl_progress_end(sl_context *ctx, const sl_progress *progress)
{
    if (ctx && ctx->stage == progress)
        ctx->stage = NULL;
}
