/* Kernels that write entries of several vectors at the same indices: those of a list, or of a bitmap. */
#include "cuda/data/entry_writes.cuh"

__global__ static void write_listed(cuda_entry_writes writes, const uint32_t *list, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        write_entries(writes, list[k]);
}

cudaError_t sl_cuda_write_listed(const cuda_entry_writes *writes, const uint32_t *list,
                                 uint64_t count)
{
    return launch(count, write_listed, *writes, list, count);
}

template <typename T>
__device__ static void write_values(const cuda_entry_write &w, const uint32_t *bits, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        if (bit_of(bits, (uint32_t)v))
            write_value<T>(w, v);
}

__global__ static void write_at_bits(cuda_entry_writes writes, const uint32_t *bits, uint64_t n)
{
#pragma unroll
    for (unsigned k = 0; k < CUDA_ENTRY_WRITES; k++) {
        const cuda_entry_write &w = writes.write[k];
        if (k >= writes.count)
            return;
        for (uint64_t word = first_thread(); word < (n + 31) / 32; word += all_threads())
            w.bits[word] |= bits[word];
        if (w.size == 8)
            write_values<uint64_t>(w, bits, n);
        else if (w.size == 4)
            write_values<uint32_t>(w, bits, n);
        else if (w.size == 2)
            write_values<uint16_t>(w, bits, n);
        else
            write_values<uint8_t>(w, bits, n);
    }
}

cudaError_t sl_cuda_write_at_bits(const cuda_entry_writes *writes, const uint32_t *bits, uint64_t n)
{
    return launch(n, write_at_bits, *writes, bits, n);
}
