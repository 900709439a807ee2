/* Transposes a matrix in compressed rows by a stable radix sort of its entries by column. */
#include <cub/device/device_radix_sort.cuh>

#include "common.cuh"
#include "matrix_kernels.h"

template <typename P> static cudaError_t sort_bytes(size_t *bytes, int bits, uint64_t nnz)
{
    uint32_t *keys = nullptr;
    P *places = nullptr;
    return cub::DeviceRadixSort::SortPairs(nullptr, *bytes, keys, keys, places, places, nnz, 0,
                                           bits);
}

static int bits_of(uint64_t ncols)
{
    int bits = 1;
    while (bits < 32 && ncols >> bits)
        bits++;
    return bits;
}

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* Scratch: sorted columns, positions before and after the sort, CUB's scratch. */
template <typename P> static cudaError_t scratch_of(size_t *bytes, uint64_t ncols, uint64_t nnz)
{
    size_t sort = 0;
    cudaError_t error = sort_bytes<P>(&sort, bits_of(ncols), nnz);
    *bytes = aligned(nnz * sizeof(uint32_t)) + 2 * aligned(nnz * sizeof(P)) + aligned(sort);
    return error;
}

cudaError_t sl_cuda_transpose_scratch(size_t *bytes, uint64_t ncols, uint64_t nnz)
{
    return nnz <= UINT32_MAX ? scratch_of<uint32_t>(bytes, ncols, nnz)
                             : scratch_of<uint64_t>(bytes, ncols, nnz);
}

template <typename P> __global__ static void number(P *places, uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        places[e] = (P)e;
}

/* t_start[c] = number of sorted columns below c; one thread per c. */
__global__ static void starts(uint64_t *t_start, const uint32_t *columns, uint64_t ncols,
                              uint64_t nnz)
{
    for (uint64_t c = first_thread(); c <= ncols; c += all_threads()) {
        uint64_t low = 0, high = nnz;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (columns[middle] < c)
                low = middle + 1;
            else
                high = middle;
        }
        t_start[c] = low;
    }
}

template <typename P, typename V>
__global__ static void scatter_entries(uint32_t *t_index, V *t_values, const P *places,
                                       const uint64_t *start, const V *values, uint64_t nrows,
                                       uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads()) {
        t_index[e] = (uint32_t)row_of(start + 1, 0, nrows, places[e]);
        if (values)
            t_values[e] = values[places[e]];
    }
}

template <typename P>
static cudaError_t
transpose(uint64_t *t_start, uint32_t *t_index, void *t_values, const uint64_t *start,
          const uint32_t *index, const void *values, size_t size, uint64_t nrows, uint64_t ncols,
          uint64_t nnz, char *scratch, size_t scratch_bytes, unsigned most, cudaStream_t stream)
{
    uint32_t *columns = (uint32_t *)scratch;
    P *places = (P *)(scratch + aligned(nnz * sizeof *columns));
    P *sorted = (P *)((char *)places + aligned(nnz * sizeof *places));
    char *rest = (char *)sorted + aligned(nnz * sizeof *sorted);
    size_t rest_bytes = scratch_bytes - (size_t)(rest - scratch);
    unsigned blocks = grid_of(nnz, most);
    if (nnz > 0) {
        number<<<blocks, CUDA_THREADS, 0, stream>>>(places, nnz);
        cudaError_t error = cub::DeviceRadixSort::SortPairs(
            rest, rest_bytes, index, columns, places, sorted, nnz, 0, bits_of(ncols), stream);
        if (error != cudaSuccess)
            return error;
    }
    starts<<<grid_of(ncols + 1, most), CUDA_THREADS, 0, stream>>>(t_start, columns, ncols, nnz);
#define PLACE(V)                                                                                   \
    scatter_entries<<<blocks, CUDA_THREADS, 0, stream>>>(t_index, (V *)t_values, sorted, start,    \
                                                         (const V *)values, nrows, nnz)
    WITH_SIZE(values ? size : 1, PLACE)
#undef PLACE
    return cudaGetLastError();
}

cudaError_t sl_cuda_transpose(uint64_t *t_start, uint32_t *t_index, void *t_values,
                              const uint64_t *start, const uint32_t *index, const void *values,
                              size_t size, uint64_t nrows, uint64_t ncols, uint64_t nnz,
                              void *scratch, size_t scratch_bytes, unsigned multiprocessors,
                              cudaStream_t stream)
{
    return (nnz <= UINT32_MAX ? transpose<uint32_t>
                              : transpose<uint64_t>)(t_start, t_index, t_values, start, index,
                                                     values, size, nrows, ncols, nnz,
                                                     (char *)scratch, scratch_bytes,
                                                     multiprocessors * CUDA_BLOCKS_PER_SM, stream);
}
