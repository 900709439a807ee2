/*
 * The functions of dist.h in libsemla.so, which call the functions of the module. Only
 * sl_mpi_describe and sl_grid_context_create load it: before that no context has a grid.
 */
#include <semla/mpi_module.h>

static sl_status no_grid(sl_context *ctx, const char *function)
{
    return sl_fail(ctx, SL_INVALID, "%s: the object's context has no grid of ranks", function);
}

static sl_status no_grid_of_matrix(const sl_matrix *A, const char *function)
{
    return no_grid(A ? sl_matrix_context(A) : NULL, function);
}

static sl_status no_grid_of_vector(const sl_vector *v, const char *function)
{
    return no_grid(v ? sl_vector_context(v) : NULL, function);
}

sl_status sl_mpi_describe(sl_mpi_info *info)
{
    const char *reason;
    const sl_mpi_module *module = info ? sl_mpi_load(&reason) : NULL;
    if (!info)
        return SL_INVALID;
    if (module)
        return module->mpi_describe(info);
    *info = (sl_mpi_info){.library = "", .unavailable_reason = reason};
    return SL_OK;
}

sl_status sl_grid_context_create(sl_context **ctx, MPI_Comm comm, int rows, int cols,
                                 sl_engine_choice local)
{
    if (!ctx)
        return SL_INVALID;
    *ctx = NULL;
    const sl_mpi_module *module = sl_mpi_load(NULL);
    return module ? module->context_create(ctx, comm, rows, cols, local) : SL_UNSUPPORTED;
}

sl_status sl_grid_context_create_world(sl_context **ctx, int rows, int cols, sl_engine_choice local)
{
    if (!ctx)
        return SL_INVALID;
    *ctx = NULL;
    const sl_mpi_module *module = sl_mpi_load(NULL);
    return module ? module->context_create_world(ctx, rows, cols, local) : SL_UNSUPPORTED;
}

sl_status sl_grid_describe(sl_grid_info *info, const sl_context *ctx)
{
    const sl_mpi_module *module = sl_mpi_loaded();
    if (module)
        return module->describe(info, ctx);
    if (info)
        *info = (sl_grid_info){0};
    return SL_INVALID;
}

sl_status sl_grid_matrix_owner(int *rank, const sl_matrix *A, uint64_t row, uint64_t col)
{
    const sl_mpi_module *module = sl_mpi_loaded();
    return module ? module->matrix_owner(rank, A, row, col)
                  : no_grid_of_matrix(A, "grid_matrix_owner");
}

sl_status sl_grid_vector_owner(int *rank, const sl_vector *v, uint64_t index)
{
    const sl_mpi_module *module = sl_mpi_loaded();
    return module ? module->vector_owner(rank, v, index)
                  : no_grid_of_vector(v, "grid_vector_owner");
}

sl_status sl_grid_vector_range(uint64_t *begin, uint64_t *end, const sl_vector *v, int rank)
{
    const sl_mpi_module *module = sl_mpi_loaded();
    return module ? module->vector_range(begin, end, v, rank)
                  : no_grid_of_vector(v, "grid_vector_range");
}

sl_status sl_grid_gather_matrix(sl_arrays *arrays, const sl_matrix *A, int root)
{
    const sl_mpi_module *module = sl_mpi_loaded();
    if (module)
        return module->gather_matrix(arrays, A, root);
    if (arrays)
        *arrays = (sl_arrays){0};
    return no_grid_of_matrix(A, "grid_gather");
}

sl_status sl_grid_gather_vector(sl_arrays *arrays, const sl_vector *v, int root)
{
    const sl_mpi_module *module = sl_mpi_loaded();
    if (module)
        return module->gather_vector(arrays, v, root);
    if (arrays)
        *arrays = (sl_arrays){0};
    return no_grid_of_vector(v, "grid_gather");
}

sl_status sl_grid_get_traffic(sl_grid_traffic *traffic, const sl_context *ctx, size_t position)
{
    const sl_mpi_module *module = sl_mpi_loaded();
    if (module)
        return module->get_traffic(traffic, ctx, position);
    if (traffic)
        *traffic = (sl_grid_traffic){0};
    return SL_INVALID;
}

sl_status sl_grid_reset_traffic(sl_context *ctx)
{
    const sl_mpi_module *module = sl_mpi_loaded();
    return module ? module->reset_traffic(ctx) : SL_INVALID;
}
