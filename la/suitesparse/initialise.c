/* GraphBLAS in this process: initialised once, by semla or by the program; its version, and what
 * contexts hold of it. */
#include "suitesparse/grb_engine.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the variables below */
static bool initialised;
static bool initialised_by_program; /* with an allocator of its own */
static bool ran_out;                /* of memory, in an earlier call of GxB_init */
static uint64_t holders;            /* contexts that need the operators of sl_grb_make_operators */

static GrB_Info initialise(void)
{
    GrB_Info info = GxB_init(GrB_NONBLOCKING, sl_malloc, sl_calloc, sl_realloc, sl_free);
    if (info == GrB_OUT_OF_MEMORY) {
        ran_out = true;
        GrB_finalize(); /* version 10 can be initialised again after that */
        return info;
    }
    if (info == GrB_INVALID_VALUE) { /* GraphBLAS counts as initialised */
        initialised_by_program = !ran_out;
        return ran_out ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
    }
    if (info == GrB_SUCCESS)
        info = sl_grb_disable_compiler();
    /* A program with an allocator of its own expects every block to be freed. */
    if (info == GrB_SUCCESS && sl_allocator_is_custom())
        info = sl_grb_disable_pool();
    return info;
}

sl_status sl_grb_start(sl_context *ctx)
{
    pthread_mutex_lock(&lock);
    GrB_Info info = initialised ? GrB_SUCCESS : initialise();
    initialised = info == GrB_SUCCESS;
    if (info == GrB_SUCCESS && !ctx->operators_held) {
        info = holders == 0 ? sl_grb_make_operators() : GrB_SUCCESS;
        ctx->operators_held = info == GrB_SUCCESS;
        holders += ctx->operators_held;
    }
    pthread_mutex_unlock(&lock);
    if (initialised_by_program && sl_allocator_is_custom())
        return sl_fail(
            ctx, SL_UNSUPPORTED,
            "context_create: the program initialised GraphBLAS, which then does not use the "
            "allocator of sl_set_allocator; let semla initialise GraphBLAS");
    return sl_grb_status(ctx, "context_create: GxB_init", info);
}

sl_status sl_grb_expose_memory(sl_context *ctx)
{
    if (initialised_by_program)
        return sl_fail(
            ctx, SL_UNSUPPORTED,
            "set_memory_limit: the program initialised GraphBLAS, whose memory semla then "
            "cannot count; let semla initialise GraphBLAS");
    return sl_grb_status(ctx, "set_memory_limit", sl_grb_disable_pool());
}

/* The version of the library, or before it is initialised the version of its header. */
const char *sl_grb_version(void)
{
    static char text[48];
    int number[3] = {GxB_IMPLEMENTATION_MAJOR, GxB_IMPLEMENTATION_MINOR, GxB_IMPLEMENTATION_SUB};
    pthread_mutex_lock(&lock);
    if (initialised)
        GxB_Global_Option_get(GxB_LIBRARY_VERSION, number);
    snprintf(text, sizeof text, "%d.%d.%d", number[0], number[1], number[2]);
    pthread_mutex_unlock(&lock);
    return text;
}

void sl_grb_stop(sl_context *ctx)
{
    sl_grb_free_scalars(ctx);
    sl_grb_set_threads(ctx, 0);
    pthread_mutex_lock(&lock);
    if (ctx->operators_held && --holders == 0)
        sl_grb_free_operators();
    ctx->operators_held = false;
    pthread_mutex_unlock(&lock);
}
