/*
 * The processes of a team as their devices reach each other: blocks of memory that all may
 * write to where the devices allow it, and who carries data where they do not.
 */
#include "team.h"

#include <string.h>

static sl_status agree(const cuda_device_group *t, sl_status status)
{
    return t->of->agree(t->of, status);
}

static void close_blocks(cuda_device_group *t)
{
    for (int q = 0; q < t->of->size; q++)
        if (q != t->of->rank && t->peer[q]) {
            cudaIpcCloseMemHandle(t->peer[q]);
            t->peer[q] = NULL;
        }
    t->opened = false;
}

static void free_block(cuda_device_group *t)
{
    const int rank = t->of->rank;
    if (t->peer[rank])
        sl_cuda_unregister_block(t->peer[rank]);
    cudaFree(t->peer[rank]);
    t->peer[rank] = NULL;
    t->bytes = 0;
}

/* What IPC hands out is whole allocations of cudaMalloc's, not a pool's. */
static sl_status take_block(cuda_device_group *t, sl_context *ctx, uint64_t bytes)
{
    const int rank = t->of->rank;
    free_block(t);
    CUDA_TRY(sl_cuda_status(ctx, "cudaMalloc", cudaMalloc((void **)&t->peer[rank], bytes)));
    if (!sl_cuda_register_block(t->peer[rank])) {
        cudaFree(t->peer[rank]);
        t->peer[rank] = NULL;
        return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory");
    }
    t->bytes = bytes;
    CUDA_TRY(sl_cuda_zero(ctx, t->peer[rank], 2 * (uint64_t)t->of->size * sizeof(step_counts)));
    return sl_cuda_wait(ctx, "cudaMemsetAsync");
}

/* Opens the others' blocks; false if one cannot be opened. Collective. */
static bool open_blocks(cuda_device_group *t)
{
    const sl_device_group *of = t->of;
    struct {
        cudaIpcMemHandle_t handle;
        bool there;
    } mine = {.there = false}, all[GROUP_MAX_RANKS];
    memset(&mine.handle, 0, sizeof mine.handle);
    mine.there =
        of->one_host && cudaIpcGetMemHandle(&mine.handle, t->peer[of->rank]) == cudaSuccess;
    bool opened = of->gather(of, &mine, all, sizeof mine) == SL_OK;
    for (int q = 0; opened && q < of->size; q++) {
        opened = all[q].there;
        if (opened && q != of->rank)
            opened = cudaIpcOpenMemHandle((void **)&t->peer[q], all[q].handle,
                                          cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    }
    cudaGetLastError();
    return opened;
}

bool sl_cuda_group_all_true(const cuda_device_group *t, bool yes)
{
    uint8_t mine = yes, all[GROUP_MAX_RANKS];
    bool agreed = t->of->gather(t->of, &mine, all, sizeof mine) == SL_OK;
    for (int q = 0; agreed && q < t->of->size; q++)
        agreed = all[q];
    return agreed;
}

/* Nobody gives a block back that another still has open. */
static sl_status grow(cuda_device_group *t, sl_context *ctx, uint64_t bytes)
{
    if (t->transport)
        t->transport->close(t);
    t->transport = NULL;
    close_blocks(t);
    CUDA_TRY(agree(t, SL_OK));
    CUDA_TRY(agree(t, take_block(t, ctx, bytes)));
    t->opened = sl_cuda_group_all_true(t, open_blocks(t));
    if (!t->opened)
        close_blocks(t);
    return agree(t, SL_OK);
}

/* The first that all ranks can, or the one that is asked for. */
static sl_status choose(cuda_device_group *t, sl_context *ctx)
{
    const char *asked = t->of->forced_transport;
    t->asked = asked;
    if (t->transport)
        t->transport->close(t);
    t->transport = NULL;
    for (const cuda_transport *const *x = sl_cuda_transports; *x && !t->transport; x++) {
        if (asked && strcmp(asked, (*x)->name) != 0)
            continue;
        const bool can = (*x)->open(t, ctx);
        if (sl_cuda_group_all_true(t, can))
            t->transport = *x;
        else
            (*x)->close(t);
    }
    return t->transport ? SL_OK
                        : sl_fail(ctx, SL_UNSUPPORTED,
                                  "the devices of these processes cannot exchange data by '%s'",
                                  asked ? asked : "");
}

sl_status sl_cuda_group_choose_transport(cuda_device_group *t, sl_context *ctx)
{
    return t->transport && t->asked == t->of->forced_transport ? SL_OK : agree(t, choose(t, ctx));
}

sl_status sl_cuda_group_open(cuda_device_group **team, const sl_device_group *of, sl_context *ctx, uint64_t bytes)
{
    cuda_device_group *t = *of->engine_state;
    if (!t) {
        t = sl_calloc(1, sizeof *t);
        const sl_status status =
            of->agree(of, t ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory"));
        if (status != SL_OK) {
            sl_free(t);
            return status;
        }
        t->of = of;
        *of->engine_state = t;
    }
    if (t->bytes < bytes)
        CUDA_TRY(grow(t, ctx, bytes));
    *team = t;
    return sl_cuda_group_choose_transport(t, ctx);
}

static void leave(const sl_device_group *of)
{
    cuda_device_group *t = *of->engine_state;
    if (!t)
        return;
    if (t->transport)
        t->transport->close(t);
    close_blocks(t);
    agree(t, SL_OK);
    free_block(t);
    sl_cuda_free_pinned(t->staging);
    sl_free(t);
    *of->engine_state = NULL;
}

static uint64_t vertices(const void *part)
{
    return ((const cuda_part *)part)->all_vertices;
}

const sl_device_group_search sl_cuda_device_group_search = {.max_ranks = GROUP_MAX_RANKS,
                                            .set_local_rank = sl_cuda_set_local_rank,
                                            .can_regenerate = sl_cuda_part_can_regenerate,
                                            .make_part = sl_cuda_part_make,
                                            .release_part = sl_cuda_part_free,
                                            .vertices = vertices,
                                            .search = sl_cuda_part_search,
                                            .check_tree = sl_cuda_group_check_tree,
                                            .release_group = leave};
