/*
 * The first search of a part for GPUs. Its result is dropped. It loads the kernels, touches the other
 * devices' memory, opens the connections of the transport, and takes from the pool of the device the
 * memory of searches and of their results, so that the first search of the program need not wait for them.
 */
#include "dist/search/warm_up.h"

#include "dist/grid/blocks.h"
#include "dist/search/device_search.h"

/* Sources: the first vertices; one of them is likely to have edges. Single entries are few, as the engine of a device
 * leaves many to the host. */
enum { SOURCES = 8 };

static sl_status mark_sources(sl_vector *pi, sl_vector *level, const sl_grid *grid)
{
    const sl_distribution p = sl_grid_distribution(grid, sl_vector_size(pi));
    sl_vector *const own_pi = (sl_vector *)sl_grid_block(sl_object_of_vector(pi));
    sl_vector *const own_level = (sl_vector *)sl_grid_block(sl_object_of_vector(level));
    sl_status status = SL_OK;
    if (sl_distribution_block_of(&p, (uint32_t)grid->rank) != 0) /* the first vertices are there */
        return SL_OK;
    for (uint64_t v = 0; v < SOURCES && v < sl_vector_size(own_pi) && status == SL_OK; v++) {
        status = sl_vector_set(own_level, v, sl_scalar_int64(0));
        if (status == SL_OK)
            status = sl_vector_set(own_pi, v, sl_scalar_int64((int64_t)v));
    }
    return status == SL_OK ? SL_OK
                           : sl_grid_local_failed(sl_grid_of(sl_vector_context(pi)), status);
}

/* Gives a new vector, which no store holds, its block. */
static sl_status make_block(sl_vector *v)
{
    return sl_object_migrate(sl_object_of_vector(v), &sl_store_grid);
}

static sl_status make_results(sl_vector **pi, sl_vector **level, sl_grid *grid, uint64_t n)
{
    SL_TRY(sl_vector_new(pi, grid->ctx, SL_INT64, n));
    SL_TRY(sl_vector_new(level, grid->ctx, SL_INT64, n));
    sl_status status = make_block(*pi);
    if (status == SL_OK)
        status = make_block(*level);
    if (status == SL_OK)
        status = mark_sources(*pi, *level, grid);
    return sl_grid_agree(grid, status);
}

sl_status sl_warm_up_part(void *part, sl_matrix *A, sl_grid *grid, sl_search_kind kind)
{
    const sl_traffic before = grid->traffic;
    const char *transport = grid->search.transport;
    sl_vector *pi = NULL, *level = NULL;
    sl_status status = make_results(&pi, &level, grid, A->object.nrows);
    if (status == SL_OK) {
        const sl_closure_options options = {.level = level};
        sl_object *const visited = sl_object_of_vector(pi);
        sl_traversal traversal = {.pi = visited, .q = visited, .A = A, .options = &options};
        sl_call call = {.op = SL_OP_CLOSURE,
                        .ctx = grid->ctx,
                        .a = &A->object,
                        .operators.semiring = sl_semiring_get(SL_SEMIRING_ANY_SECONDI, SL_INT64),
                        .traversal = &traversal};
        status = sl_device_search_run(part, grid, &call, kind);
    }
    sl_vector_free(level);
    sl_vector_free(pi);
    grid->traffic = before;
    grid->search.transport = transport;
    return status;
}
