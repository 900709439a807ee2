/*
 * The number of threads of a context's operations. From SuiteSparse 8 on it is set by a GxB_Context
 * that the calling thread engages during each operation; before, by descriptors, for the operations
 * that take one.
 */
#include "suitesparse/grb_engine.h"

static GrB_Info make(GrB_Descriptor *desc, unsigned flags)
{
    static const struct {
        unsigned flag;
        GrB_Desc_Field field;
        GrB_Desc_Value value;
    } settings[] = {{SL_REPLACE, GrB_OUTP, GrB_REPLACE},
                    {SL_COMPLEMENT, GrB_MASK, GrB_COMP},
                    {SL_STRUCTURE, GrB_MASK, GrB_STRUCTURE}, /* both may be set */
                    {SL_TRANSPOSE_A, GrB_INP0, GrB_TRAN},
                    {SL_TRANSPOSE_B, GrB_INP1, GrB_TRAN}};
    GrB_Info info = GrB_Descriptor_new(desc);
    for (size_t k = 0; k < sizeof settings / sizeof *settings && info == GrB_SUCCESS; k++)
        if (flags & settings[k].flag)
            info = GrB_Descriptor_set(*desc, settings[k].field, settings[k].value);
    return info;
}

#if SL_GRB_HAS_CONTEXTS

/* The state of a context with a number of threads. */
typedef struct {
    GxB_Context resources; /* holds the number of threads */
    unsigned depth;        /* nested operations; only the outermost engages `resources` */
} threads_state;

static void threads_free(threads_state *t)
{
    GxB_Context_free(&t->resources);
    sl_free(t);
}

static GrB_Info threads_set(threads_state *t, int threads)
{
    GrB_Info info = t->resources ? GrB_SUCCESS : GxB_Context_new(&t->resources);
    return info == GrB_SUCCESS ? GxB_Context_set(t->resources, GxB_NTHREADS, threads) : info;
}

void sl_grb_enter(sl_context *ctx)
{
    threads_state *t = ctx->thread_state;
    if (t->depth++ == 0)
        GxB_Context_engage(t->resources);
}

void sl_grb_leave(sl_context *ctx)
{
    threads_state *t = ctx->thread_state;
    if (--t->depth == 0)
        GxB_Context_disengage(t->resources);
}

GrB_Descriptor sl_grb_descriptor(const sl_context *ctx, unsigned flags)
{
    return sl_grb_predefined_descriptor(flags);
}

GrB_Info sl_grb_new_descriptor(GrB_Descriptor *desc, const sl_context *ctx, unsigned flags)
{
    return make(desc, flags);
}

#else

/* The state of a context with a number of threads: a descriptor for each combination of flags. */
typedef struct {
    GrB_Descriptor by_flags[SL_GRB_FLAG_SETS];
} threads_state;

static void threads_free(threads_state *t)
{
    for (unsigned flags = 0; flags < SL_GRB_FLAG_SETS; flags++)
        GrB_Descriptor_free(&t->by_flags[flags]);
    sl_free(t);
}

static GrB_Info threads_set(threads_state *t, int threads)
{
    GrB_Info info = GrB_SUCCESS;
    for (unsigned flags = 0; flags < SL_GRB_FLAG_SETS && info == GrB_SUCCESS; flags++) {
        if (!t->by_flags[flags])
            info = make(&t->by_flags[flags], flags);
        if (info == GrB_SUCCESS)
            info = GxB_Desc_set(t->by_flags[flags], GxB_NTHREADS, threads);
    }
    return info;
}

void sl_grb_enter(sl_context *ctx)
{
}

void sl_grb_leave(sl_context *ctx)
{
}

GrB_Descriptor sl_grb_descriptor(const sl_context *ctx, unsigned flags)
{
    const threads_state *t = ctx->thread_state;
    return t ? t->by_flags[flags] : sl_grb_predefined_descriptor(flags);
}

GrB_Info sl_grb_new_descriptor(GrB_Descriptor *desc, const sl_context *ctx, unsigned flags)
{
    const threads_state *t = ctx->thread_state;
    int threads = 0;
    GrB_Info info = make(desc, flags);
    if (info == GrB_SUCCESS && t)
        info = GxB_Desc_get(t->by_flags[flags], GxB_NTHREADS, &threads);
    return info == GrB_SUCCESS && t ? GxB_Desc_set(*desc, GxB_NTHREADS, threads) : info;
}

#endif

sl_status sl_grb_set_threads(sl_context *ctx, int threads)
{
    threads_state *previous = ctx->thread_state, *t = previous;
    if (threads == 0) {
        if (previous)
            threads_free(previous);
        ctx->thread_state = NULL;
        return SL_OK;
    }
    if (!t && !(t = sl_calloc(1, sizeof *t)))
        return sl_fail(ctx, SL_NO_MEMORY, "set_threads: out of memory");
    GrB_Info info = threads_set(t, threads);
    if (info == GrB_SUCCESS)
        ctx->thread_state = t;
    else if (!previous)
        threads_free(t);
    return sl_grb_status(ctx, "set_threads", info);
}
