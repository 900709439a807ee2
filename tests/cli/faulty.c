/*
 * Faults for the command to find: these stand before the library's functions of
 * the same name, call them, and spoil the result as SEMLA_FAULT says.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <semla/bfs.h>

static bool fault(const char *name)
{
    const char *wanted = getenv("SEMLA_FAULT");
    return wanted && strcmp(wanted, name) == 0;
}

/* The library's own function, so that it is found in the next object in line. */
static void *library_function(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        abort();
    return function;
}

/* Spoils what the search says of the last vertex; pulled searches are left alone. */
sl_status sl_bfs(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                 const sl_bfs_options *options)
{
    sl_status (*search)(sl_vector **, sl_vector **, const sl_matrix *, uint64_t,
                        const sl_bfs_options *);
    *(void **)&search = library_function("sl_bfs");
    sl_context *ctx = sl_matrix_context(A);
    if (fault("status"))
        return sl_fail(ctx, SL_UNSUPPORTED, "the fault that was asked for");
    sl_status status = search(parent, level, A, source, options);
    uint64_t last = sl_matrix_nrows(A) - 1;
    if (status != SL_OK || (options && options->direction == SL_PULL))
        return status;
    if (fault("level") && level)
        status = sl_vector_set(*level, last, sl_scalar_int64(99));
    if (fault("parent") && parent)
        status = sl_vector_set(*parent, last, sl_scalar_int64((int64_t)last));
    return status;
}

sl_status sl_engine_describe(size_t position, sl_engine_info *info)
{
    sl_status (*describe)(size_t, sl_engine_info *);
    *(void **)&describe = library_function("sl_engine_describe");
    sl_status status = describe(position, info);
    if (status == SL_OK && fault("absent") && strcmp(info->name, "openmp") == 0) {
        info->present = false;
        info->absence = "it was taken out";
    }
    return status;
}
