/*
 * The first search of a part. Its result is dropped. It loads the kernels, touches the other devices'
 * memory, opens the connections of the transport, and takes from the pool the memory of searches and of
 * their results, so that the first search of the program need not wait for them.
 */
#include "partition.h"

#include <semla/semirings.h>

/* The source: the vertex of source id 0, the first of rank 0, if it has vertices with edges. */
static sl_status mark_source(sl_vector *pi, sl_vector *level, const cuda_partition *partition)
{
    sl_context *ctx = sl_vector_context(pi);
    uint32_t vertex; /* the vertices of rank 0 begin with 0 */
    if (partition->processes->rank != 0 || partition->ids_per_rank == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_fetch(ctx, "the first vertex", &vertex, partition->reordered->old_id,
                           sizeof vertex));
    if (vertex == CUDA_NO_VERTEX)
        return SL_OK;
    CUDA_TRY(sl_vector_set(level, vertex, sl_scalar_int64(0)));
    return sl_vector_set(pi, vertex, sl_scalar_int64(vertex));
}

static sl_status make_results(sl_vector **pi, sl_vector **level, const cuda_partition *partition,
                              sl_context *ctx)
{
    CUDA_TRY(sl_vector_new(pi, ctx, SL_INT64, partition->own_n));
    CUDA_TRY(sl_vector_new(level, ctx, SL_INT64, partition->own_n));
    return mark_source(*pi, *level, partition);
}

sl_status sl_cuda_partition_warm_up(cuda_partition *partition, sl_context *ctx)
{
    const sl_device_group *processes = partition->processes;
    sl_vector *pi = NULL, *level = NULL;
    sl_device_group_report report = {0};
    sl_status status = make_results(&pi, &level, partition, ctx);
    status = processes->agree(processes, status);
    if (status == SL_OK) {
        const sl_closure_options options = {.level = level};
        sl_traversal traversal = {
            .pi = sl_object_of_vector(pi), .q = sl_object_of_vector(pi), .options = &options};
        sl_call call = {.op = SL_OP_CLOSURE,
                        .ctx = ctx,
                        .semiring = sl_semiring_get(SL_SEMIRING_ANY_SECONDI, SL_INT64),
                        .traversal = &traversal};
        status = sl_cuda_partition_search(partition, &call, &report);
    }
    sl_vector_free(level);
    sl_vector_free(pi);
    return status;
}
