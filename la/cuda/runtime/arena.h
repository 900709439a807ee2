/* Private to the CUDA engine: device memory that is released together. */
#ifndef SEMLA_CUDA_ARENA_H
#define SEMLA_CUDA_ARENA_H

#include "cuda/runtime/device.h"

/* More blocks than any operation takes. */
enum { CUDA_ARENA_BLOCKS = 128 };

/* The device memory of one operation or of one workspace. All zero is an arena without memory. */
typedef struct {
    int count;
    void *block[CUDA_ARENA_BLOCKS];
    void *scratch; /* reused by every sl_cuda_arena_scratch and sl_cuda_arena_arrays; or NULL */
    uint64_t scratch_bytes;
} cuda_arena;

/* A block of its own. pointer_to_pointer: address of a pointer of any type, set on success. */
sl_status sl_cuda_arena_take(sl_context *ctx, cuda_arena *arena, void *pointer_to_pointer,
                             uint64_t bytes);
/* The block no longer belongs to the arena: the caller frees it. False if it never did. */
bool sl_cuda_arena_detach(cuda_arena *arena, const void *block);

/* The arena's reusable block, of at least so many bytes; replaces what it was used for before.
 * Suits scratch of one library call. */
sl_status sl_cuda_arena_scratch(sl_context *ctx, cuda_arena *arena, void **memory, uint64_t bytes);

/* An array to be placed: the address of a pointer of any type, and the array's bytes. */
typedef struct {
    void *pointer_to_pointer;
    uint64_t bytes;
} cuda_array;
/* Places `count` arrays one after the other in the reusable block, each aligned to 256 bytes.
 * Nothing is allocated if the block of an earlier call is large enough. */
sl_status sl_cuda_arena_arrays(sl_context *ctx, cuda_arena *arena, const cuda_array *array,
                               int count);

/* Frees everything; the arena can be used again. */
void sl_cuda_arena_release(cuda_arena *arena);

#endif
