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

enum { WRITTEN_WORDS = 4 }; /* of a bitmap that a warp takes at once */

/* own: in the lane k, word first + k of the bitmap. fills: it has bits, and the vector had no entry in this word. Then
 * all 32 values are written: memory would have to be read to write parts of a sector. All loads come before what
 * depends on them. */
template <typename T>
__device__ static void write_words(const cuda_entry_write &w, uint64_t first, uint32_t own,
                                   bool fills)
{
    const unsigned lane = threadIdx.x % 32;
    bool is[WRITTEN_WORDS];
    T x[WRITTEN_WORDS];
#pragma unroll
    for (int k = 0; k < WRITTEN_WORDS; k++) {
        const uint64_t v = 32 * (first + k) + lane;
        is[k] = __shfl_sync(full_warp, own, k) >> lane & 1;
        x[k] = is[k] && w.from    ? ((const T *)w.from)[v]
               : is[k] && w.place ? (T)w.place[v]
                                  : (T)w.one;
    }
#pragma unroll
    for (int k = 0; k < WRITTEN_WORDS; k++)
        if (is[k] && w.place)
            x[k] = (T)__ldg(w.old_id + x[k]);
#pragma unroll
    for (int k = 0; k < WRITTEN_WORDS; k++) {
        const bool filled = __shfl_sync(full_warp, fills, k);
        if (is[k] || filled)
            ((T *)w.to)[32 * (first + k) + lane] = x[k];
    }
}

__global__ static void write_at_bits(cuda_entry_writes writes, const uint32_t *bits, uint64_t n)
{
    const unsigned lane = threadIdx.x % 32;
    const uint64_t words = (n + 31) / 32;
    for (uint64_t first = first_thread() / 32 * WRITTEN_WORDS; first < words;
         first += all_threads() / 32 * WRITTEN_WORDS) {
        const uint64_t mine = first + lane;
        const uint32_t own = lane < WRITTEN_WORDS && mine < words ? bits[mine] : 0;
        if (!__any_sync(full_warp, own != 0))
            continue;
#pragma unroll
        for (unsigned k = 0; k < CUDA_ENTRY_WRITES; k++) {
            const cuda_entry_write &w = writes.write[k];
            if (k >= writes.count)
                break;
            const uint32_t before = own ? w.bits[mine] : 0;
            const bool fills = own && !before && 32 * mine + 32 <= n;
            if (own)
                w.bits[mine] = before | own;
            if (w.size == 8)
                write_words<uint64_t>(w, first, own, fills);
            else if (w.size == 4)
                write_words<uint32_t>(w, first, own, fills);
            else if (w.size == 2)
                write_words<uint16_t>(w, first, own, fills);
            else
                write_words<uint8_t>(w, first, own, fills);
        }
    }
}

cudaError_t sl_cuda_write_at_bits(const cuda_entry_writes *writes, const uint32_t *bits, uint64_t n)
{
    return launch(n / WRITTEN_WORDS, write_at_bits, *writes, bits, n);
}
