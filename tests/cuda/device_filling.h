/* For tests of short memory: takes the memory of the device. */
#ifndef SEMLA_TESTS_CUDA_DEVICE_FILLING_H
#define SEMLA_TESTS_CUDA_DEVICE_FILLING_H

#include <cuda_runtime_api.h>

#include "cuda/runtime/device.h"
#include "support.h"

enum { FILLING_PIECES = 256, LEAST_PIECE = 1 << 12 };

static void *filling[FILLING_PIECES];
static int pieces;

/* Takes the device's memory but for `left` bytes, in pieces, as the pool's free memory is in pieces. */
static inline void fill_memory(sl_context *ctx, uint64_t left)
{
    const cuda_device *device = sl_cuda_device();
    void *gap;
    size_t piece = 1ull << 40;
    assert_int_equal(cudaMallocFromPoolAsync(&gap, left + 1, device->pool, device->stream),
                     cudaSuccess);
    while (piece > LEAST_PIECE && sl_cuda_free_bytes() > 0) {
        const uint64_t more = sl_cuda_free_bytes(), bytes = more < piece ? more : piece;
        assert_true(pieces < FILLING_PIECES);
        if (cudaMallocFromPoolAsync(&filling[pieces], bytes, device->pool, device->stream) ==
            cudaSuccess)
            pieces++;
        else
            piece = bytes / 2;
    }
    cudaGetLastError();
    assert_int_equal(cudaFreeAsync(gap, device->stream), cudaSuccess);
    OK(ctx, sl_cuda_wait(ctx, "test"));
}

static inline void empty_memory(sl_context *ctx)
{
    while (pieces > 0)
        assert_int_equal(cudaFreeAsync(filling[--pieces], sl_cuda_device()->stream), cudaSuccess);
    OK(ctx, sl_cuda_wait(ctx, "test"));
    assert_int_equal(sl_cuda_trim_pool(), cudaSuccess);
}

#endif
