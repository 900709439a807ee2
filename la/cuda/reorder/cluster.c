/*
 * Clusters of near vertices, by which a layout may number a graph of large diameter, so that the
 * neighbours of a narrow frontier share lines of memory (Kolganov 2018, section 2.3, who numbers
 * them in the order of one search: that way the vertices of a level share words of the bitmaps,
 * in whose atomics they then wait for each other).
 *
 * One vertex in CLUSTER_SIZE is a seed, and all grow at once by a step a round. Who is far from
 * all seeds is in no cluster.
 */
#include "cluster.h"

#include "layout_kernels.h"

sl_status sl_cuda_cluster(sl_context *ctx, const cuda_matrix *A, uint32_t n, uint32_t *cluster,
                          uint32_t *other, uint32_t *grew)
{
    const unsigned processors = cuda_processors();
    uint32_t more = 1;
    CUDA_TRY(
        sl_cuda_status(ctx, "kernel seed_clusters",
                       sl_cuda_seed_clusters(cluster, A->start, n, processors, cuda_stream())));
    for (int k = 0; k < CLUSTER_ROUNDS && more; k += 2) {
        CUDA_TRY(sl_cuda_zero(ctx, grew, sizeof *grew));
        for (int back = 0; back < 2; back++)
            CUDA_TRY(sl_cuda_status(ctx, "kernel grow_clusters",
                                    sl_cuda_grow_clusters(back ? cluster : other,
                                                          back ? other : cluster, grew, A->start,
                                                          A->index, n, processors, cuda_stream())));
        CUDA_TRY(sl_cuda_fetch(ctx, "kernel grow_clusters", &more, grew, sizeof more));
    }
    return SL_OK;
}
