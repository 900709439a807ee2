/*
 * Device groups: allocation and mapping of the ranks' memory blocks, and choice of the transport.
 */
#include "device_group.h"

#include <string.h>

static sl_status agree(const cuda_device_group *t, sl_status status)
{
    return t->processes->agree(t->processes, status);
}

static void close_blocks(cuda_device_group *t)
{
    for (int q = 0; q < t->processes->size; q++)
        if (q != t->processes->rank && t->peer[q]) {
            cudaIpcCloseMemHandle(t->peer[q]);
            t->peer[q] = NULL;
        }
    t->peers_mapped = false;
}

static void free_block(cuda_device_group *t)
{
    const int rank = t->processes->rank;
    sl_cuda_free_mappable(t->peer[rank]);
    t->peer[rank] = NULL;
    t->bytes = 0;
}

/* Allocates this rank's block. */
static sl_status take_block(cuda_device_group *t, sl_context *ctx, uint64_t bytes)
{
    const int rank = t->processes->rank;
    free_block(t);
    CUDA_TRY(sl_cuda_alloc_mappable(ctx, (void **)&t->peer[rank], bytes));
    t->bytes = bytes;
    CUDA_TRY(
        sl_cuda_zero(ctx, t->peer[rank], 2 * (uint64_t)t->processes->size * sizeof(step_counts)));
    return sl_cuda_wait(ctx, "cudaMemsetAsync");
}

/* Maps the other ranks' blocks; false if one cannot be mapped. Collective. */
static bool open_blocks(cuda_device_group *t)
{
    const sl_device_group *processes = t->processes;
    struct {
        cudaIpcMemHandle_t handle;
        bool there;
    } mine = {.there = false}, all[GROUP_MAX_MEMBERS];
    memset(&mine.handle, 0, sizeof mine.handle);
    mine.there = processes->one_host &&
                 cudaIpcGetMemHandle(&mine.handle, t->peer[processes->rank]) == cudaSuccess;
    bool opened = processes->gather(processes, &mine, all, sizeof mine) == SL_OK;
    for (int q = 0; opened && q < processes->size; q++) {
        opened = all[q].there;
        if (opened && q != processes->rank)
            opened = cudaIpcOpenMemHandle((void **)&t->peer[q], all[q].handle,
                                          cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    }
    cudaGetLastError();
    return opened;
}

/* Replaces the blocks by larger ones. All ranks unmap the blocks before any rank frees its own. If a
 * rank has no memory, no rank keeps a block: all of them grow again at the next opening. */
static sl_status grow(cuda_device_group *t, sl_context *ctx, uint64_t bytes)
{
    if (t->transport)
        t->transport->close(t);
    t->transport = NULL;
    close_blocks(t);
    CUDA_TRY(agree(t, SL_OK));
    const sl_status status = agree(t, take_block(t, ctx, bytes));
    if (status != SL_OK) {
        free_block(t);
        return status;
    }
    t->peers_mapped = sl_cuda_group_all_true(t, open_blocks(t));
    if (!t->peers_mapped)
        close_blocks(t);
    return agree(t, SL_OK);
}

/* Chooses the first transport that works on all ranks, or the one that was asked for. */
static sl_status choose(cuda_device_group *t, sl_context *ctx)
{
    const char *asked = t->processes->forced_transport;
    t->chosen_by = asked;
    t->why_not = NULL;
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
                                  "the devices of these processes cannot exchange data by '%s': %s",
                                  asked ? asked : "", t->why_not ? t->why_not : "unknown name");
}

sl_status sl_cuda_group_open(cuda_device_group **group, const sl_device_group *processes,
                             sl_context *ctx, uint64_t bytes)
{
    cuda_device_group *t = *processes->engine_state;
    if (!t) {
        t = sl_calloc(1, sizeof *t);
        const sl_status status = processes->agree(
            processes, t ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory"));
        if (status != SL_OK) {
            sl_free(t);
            return status;
        }
        t->processes = processes;
        *processes->engine_state = t;
    }
    if (t->bytes < bytes)
        CUDA_TRY(grow(t, ctx, bytes));
    *group = t;
    return t->transport && t->chosen_by == processes->forced_transport ? SL_OK
                                                                       : agree(t, choose(t, ctx));
}

void sl_cuda_group_close(const sl_device_group *processes)
{
    cuda_device_group *t = *processes->engine_state;
    if (!t)
        return;
    if (t->transport)
        t->transport->close(t);
    close_blocks(t);
    agree(t, SL_OK);
    free_block(t);
    sl_cuda_free_pinned(t->staging);
    sl_free(t);
    *processes->engine_state = NULL;
}
