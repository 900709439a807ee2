/*
 * Arenas of device memory. Allocation from the stream's pool costs about 1 us on the host, so a
 * block per array is cheap enough for operations; a workspace that is used for every search places
 * its arrays in one block that is kept.
 */
#include "cuda/runtime/arena.h"

#include <string.h>

enum { ALIGNMENT = 256 };

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

sl_status sl_cuda_arena_take(sl_context *ctx, cuda_arena *arena, void *pointer_to_pointer,
                             uint64_t bytes)
{
    void *memory;
    CUDA_TRY(sl_cuda_alloc(ctx, &memory, bytes));
    arena->block[arena->count++] = memory;
    memcpy(pointer_to_pointer, &memory, sizeof memory); /* whatever type it points to */
    return SL_OK;
}

bool sl_cuda_arena_detach(cuda_arena *arena, const void *block)
{
    for (int k = 0; k < arena->count; k++)
        if (arena->block[k] == block) {
            arena->block[k] = NULL;
            return true;
        }
    return false;
}

sl_status sl_cuda_arena_scratch(sl_context *ctx, cuda_arena *arena, void **memory, uint64_t bytes)
{
    if (!arena->scratch || arena->scratch_bytes < bytes) {
        sl_cuda_free(arena->scratch);
        arena->scratch_bytes = 0;
        CUDA_TRY(sl_cuda_alloc(ctx, &arena->scratch, bytes));
        arena->scratch_bytes = bytes;
    }
    *memory = arena->scratch;
    return SL_OK;
}

sl_status sl_cuda_arena_arrays(sl_context *ctx, cuda_arena *arena, const cuda_array *array,
                               int count)
{
    uint64_t bytes = 0;
    void *memory;
    for (int k = 0; k < count; k++)
        bytes += aligned(array[k].bytes);
    CUDA_TRY(sl_cuda_arena_scratch(ctx, arena, &memory, bytes));
    char *at = memory;
    for (int k = 0; k < count; k++) {
        memcpy(array[k].pointer_to_pointer, &at, sizeof at);
        at += aligned(array[k].bytes);
    }
    return SL_OK;
}

void sl_cuda_arena_release(cuda_arena *arena)
{
    while (arena->count > 0)
        sl_cuda_free(arena->block[--arena->count]);
    sl_cuda_free(arena->scratch);
    arena->scratch = NULL;
    arena->scratch_bytes = 0;
}
