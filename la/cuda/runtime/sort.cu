/* Sorts and prefix sums by CUB. */
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/runtime/common.cuh"
#include "cuda/runtime/sort_kernels.h"

cudaError_t sl_cuda_scan_scratch(size_t *bytes, uint64_t count)
{
    uint64_t *none = nullptr;
    *bytes = 0;
    return cub::DeviceScan::InclusiveSum(nullptr, *bytes, none, none, count);
}

cudaError_t sl_cuda_scan(uint64_t *ends, uint64_t count, void *scratch, size_t scratch_bytes)
{
    return cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, ends, ends, count, cuda_stream());
}

static constexpr unsigned scan_threads = 1024, scan_items = 4;

__global__ static void __launch_bounds__(scan_threads)
    scan_few(uint64_t *ends, uint32_t count, cuda_stamped_count *last, count_t stamp)
{
    typedef cub::BlockScan<count_t, scan_threads> scan;
    __shared__ typename scan::TempStorage storage;
    count_t before = 0;
    for (uint32_t tile = 0; tile < count; tile += scan_threads * scan_items) {
        const uint32_t from = tile + threadIdx.x * scan_items;
        count_t term[scan_items], own = 0, sum, all;
        for (unsigned k = 0; k < scan_items; k++)
            own += term[k] = from + k < count ? ends[from + k] : 0;
        scan(storage).ExclusiveSum(own, sum, all);
        sum += before;
        for (unsigned k = 0; k < scan_items && from + k < count; k++)
            ends[from + k] = sum += term[k];
        before += all;
        __syncthreads(); /* before the storage is written again */
    }
    if (threadIdx.x == 0)
        write_stamped(last, before, stamp);
}

cudaError_t sl_cuda_scan_few(uint64_t *ends, uint32_t count, cuda_stamped_count *last,
                             unsigned long long stamp)
{
    return launch_blocks({1, scan_threads}, scan_few, ends, count, last, stamp);
}

cudaError_t sl_cuda_sort_by_degree(void *scratch, size_t *bytes, uint32_t *sorted_degree,
                                   uint32_t *old_id, const uint32_t *degree, const uint32_t *vertex,
                                   uint32_t n)
{
    return cub::DeviceRadixSort::SortPairsDescending(scratch, *bytes, degree, sorted_degree, vertex,
                                                     old_id, (uint64_t)n, 0, 32, cuda_stream());
}

cudaError_t sl_cuda_sum_degrees(void *scratch, size_t *bytes, uint64_t *start,
                                const uint32_t *degree, uint32_t n)
{
    if (scratch) {
        cudaError_t error = cudaMemsetAsync(start, 0, sizeof *start, cuda_stream());
        if (error != cudaSuccess)
            return error;
    }
    return cub::DeviceScan::InclusiveScan(scratch, *bytes, degree, start + 1,
                                          ::cuda::std::plus<uint64_t>(), (uint64_t)n,
                                          cuda_stream());
}

cudaError_t sl_cuda_sum_counts(void *scratch, size_t *bytes, uint32_t *sums, const uint32_t *counts,
                               uint32_t words)
{
    return cub::DeviceScan::ExclusiveSum(scratch, *bytes, counts, sums, words, cuda_stream());
}

cudaError_t sl_cuda_sort_edges(void *scratch, size_t *bytes, const cuda_sort *sort, bool *in_other)
{
    cub::DoubleBuffer<uint64_t> keys(sort->keys, sort->other);
    cub::DoubleBuffer<uint32_t> items(sort->items, sort->other_items);
    const int from = (int)sort->from, bits = (int)sort->bits;
    const cudaError_t error =
        sort->items ? cub::DeviceRadixSort::SortPairs(scratch, *bytes, keys, items, sort->count,
                                                      from, bits, cuda_stream())
                    : cub::DeviceRadixSort::SortKeys(scratch, *bytes, keys, sort->count, from, bits,
                                                     cuda_stream());
    *in_other = keys.Current() == sort->other; /* CUB exchanges both pairs of arrays alike */
    return error;
}

__global__ static void unpack_edges(uint32_t *index, const uint64_t *keys, uint64_t count,
                                    unsigned bits)
{
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        index[k] = (uint32_t)(keys[k] & mask);
}

cudaError_t sl_cuda_unpack_edges(uint32_t *index, const uint64_t *keys, uint64_t count,
                                 unsigned bits)
{
    return launch(count, unpack_edges, index, keys, count, bits);
}
