/* GrB_init and GrB_finalize, the context of semla that holds all objects, its lock, and messages. */
#include "graphblas/predefined.h"

#ifdef SEMLA_HAS_MPI
#include <semla/world.h>
#endif

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MESSAGE 1024

struct semla_grb_global grb_global = {.header = {.magic = GRB_GLOBAL, .symbol = "GrB_GLOBAL"}};
const GrB_Global GrB_GLOBAL = &grb_global;
static const GrB_Index all_indices = 0;
const GrB_Index *const GrB_ALL = &all_indices;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void grb_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void grb_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* ---- messages ------------------------------------------------------------------------ */

/* Keeps a copy of the message; without memory the object has none. */
static void store_message(grb_header *object, const char *message)
{
    if (!object)
        return;
    sl_free(object->error);
    object->error = grb_copy_text(message);
}

GrB_Info grb_fail(grb_header *object, GrB_Info info, const char *format, ...)
{
    char message[MAX_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    grb_lock();
    store_message(object, message);
    grb_unlock();
    return info;
}

static GrB_Info code_of(sl_status status)
{
    switch (status) {
    case SL_OK:
        return GrB_SUCCESS;
    case SL_NO_VALUE:
        return GrB_NO_VALUE;
    case SL_INVALID:
    case SL_SYNTAX:
        return GrB_INVALID_VALUE;
    case SL_OUT_OF_RANGE:
        return GrB_INDEX_OUT_OF_BOUNDS;
    case SL_MISMATCH: /* types are checked before */
        return GrB_DIMENSION_MISMATCH;
    case SL_NO_MEMORY:
        return GrB_OUT_OF_MEMORY;
    case SL_UNSUPPORTED:
        return GrB_NOT_IMPLEMENTED;
    default:
        return GrB_PANIC;
    }
}

GrB_Info grb_finish(grb_header *object, sl_status status)
{
    if (status < SL_OK)
        store_message(object, sl_context_message(grb_global.ctx));
    grb_unlock();
    return code_of(status);
}

/* ---- init and finalize ------------------------------------------------------------------ */

/* Creates the context on a grid: of a shape that the library chooses, or, with ":RxC", of R x C ranks. */
static sl_status create_grid(sl_context **ctx, const char *shape)
{
    int rows = 0, cols = 0, end = 0;
    if (*shape &&
        (strspn(shape, ":x0123456789") != strlen(shape) ||
         sscanf(shape, ":%dx%d%n", &rows, &cols, &end) != 2 || shape[end] || rows < 1 || cols < 1))
        return SL_INVALID;
#ifdef SEMLA_HAS_MPI
    return sl_grid_context_create_world(ctx, rows, cols, SL_ENGINE_AUTO);
#else
    *ctx = NULL;
    return SL_UNSUPPORTED;
#endif
}

/* Why there are no grids on this machine, or NULL. */
static const char *no_grid(void)
{
#ifdef SEMLA_HAS_MPI
    sl_mpi_info mpi;
    return sl_mpi_describe(&mpi) == SL_OK ? mpi.unavailable_reason : NULL;
#else
    return "this build has no MPI";
#endif
}

/* Why there is no engine of this name on this machine, or NULL. */
static const char *no_engine(const char *name)
{
    sl_engine_info engine;
    for (size_t k = 0; sl_engine_describe(k, &engine) == SL_OK; k++)
        if (strcmp(engine.name, name) == 0)
            return engine.present ? NULL : engine.unavailable_reason;
    return NULL;
}

/* The API has no message of GrB_init: it is printed. */
static sl_status report(sl_status status, const char *wanted)
{
    const char *reason = NULL;
    if (status == SL_INVALID)
        reason = "the words are auto, host, cuda, grid and grid:RxC (R x C ranks)";
    else if (status != SL_OK)
        reason = strncmp(wanted, "grid", 4) == 0 ? no_grid() : no_engine(wanted);
    if (status != SL_OK)
        fprintf(stderr, "GrB_init: SEMLA_GRB=%s: %s%s%s\n", wanted, sl_status_string(status),
                reason ? ": " : "", reason ? reason : "");
    return status;
}

/* Creates the context that SEMLA_GRB asks for. */
static sl_status create_context(sl_context **ctx)
{
    static const struct {
        const char *name;
        sl_engine_choice choice;
    } choices[] = {{"auto", SL_ENGINE_AUTO}, {"host", SL_ENGINE_OPENMP}, {"cuda", SL_ENGINE_CUDA}};
    const char *wanted = getenv("SEMLA_GRB");
    if (!wanted || !*wanted)
        wanted = "auto";
    for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
        if (strcmp(wanted, choices[k].name) == 0)
            return report(sl_context_create(ctx, choices[k].choice), wanted);
    if (strncmp(wanted, "grid", 4) == 0)
        return report(create_grid(ctx, wanted + 4), wanted);
    return report(SL_INVALID, wanted);
}

/* Creates the context unless objects of an earlier GrB_init still hold it. */
GrB_Info GrB_init(GrB_Mode mode)
{
    if (mode != GrB_BLOCKING && mode != GrB_NONBLOCKING)
        return GrB_INVALID_VALUE;
    grb_lock();
    sl_status status = grb_global.initialised ? SL_INVALID : SL_OK;
    grb_resolve_predefined();
    if (status == SL_OK && !grb_global.ctx)
        status = create_context(&grb_global.ctx);
    if (status == SL_OK) {
        grb_global.initialised = true;
        grb_global.buffers = sl_context_processes(grb_global.ctx) > 1;
        grb_global.copies =
            grb_global.buffers || strcmp(sl_context_engine(grb_global.ctx, 0), "cuda") == 0;
        grb_global.mode = mode;
    }
    grb_unlock();
    return code_of(status);
}

GrB_Info GrB_finalize(void)
{
    GRB_INITIALISED();
    grb_lock();
    grb_global.initialised = false;
    if (grb_global.objects == 0) {
        sl_context_free(grb_global.ctx);
        grb_global.ctx = NULL;
    }
    grb_unlock();
    return GrB_SUCCESS;
}

GrB_Info GrB_getVersion(unsigned int *version, unsigned int *subversion)
{
    if (!version || !subversion)
        return GrB_NULL_POINTER;
    *version = GRB_VERSION;
    *subversion = GRB_SUBVERSION;
    return GrB_SUCCESS;
}
