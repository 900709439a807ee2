/* Rows of a matrix product: their number of products, their kind, and statistics. One thread per
 * row or entry. */
#include "cuda/products/spgemm.cuh"

__global__ static void product_lengths(uint64_t *lengths, cuda_factors f)
{
    for (uint64_t e = first_thread(); e < f.a_nnz; e += all_threads()) {
        uint64_t k = f.a_index[e];
        lengths[e] = f.b_start[k + 1] - f.b_start[k];
    }
}

cudaError_t sl_cuda_product_lengths(uint64_t *lengths, const cuda_factors *f)
{
    return launch(f->a_nnz, product_lengths, lengths, *f);
}

__global__ static void __launch_bounds__(CUDA_THREADS)
    longest_row(unsigned long long *longest, const uint64_t *start, uint64_t nrows)
{
    unsigned own = 0;
    for (uint64_t row = first_thread(); row < nrows; row += all_threads())
        own = max(own, (unsigned)(start[row + 1] - start[row]));
    for (unsigned step = 16; step > 0; step /= 2)
        own = max(own, __shfl_xor_sync(full_warp, own, step));
    if (threadIdx.x % 32 == 0)
        atomicMax(longest, (count_t)own);
}

cudaError_t sl_cuda_longest_row(unsigned long long *longest, const uint64_t *start, uint64_t nrows)
{
    return launch(nrows, longest_row, longest, start, nrows);
}

/* ---- kinds of rows ----------------------------------------------------------------- */

__device__ static int kind_of_pattern(const cuda_factors &f, uint64_t work)
{
    if (work <= 32)
        return work <= 16 ? CUDA_ROW_HALF : CUDA_ROW_WARP;
    bool bitmap = f.ncols <= BITMAP_COLUMNS;
    if (bitmap && work <= GIANT_ROW && work * BITMAP_SHARE >= f.ncols)
        return CUDA_ROW_BITMAP;
    if (work <= HASH_FEW)
        return CUDA_ROW_FEW;
    if (work <= HASH_MANY)
        return CUDA_ROW_HASH;
    return bitmap && work <= GIANT_ROW ? CUDA_ROW_BITMAP : CUDA_ROW_GIANT;
}

__device__ static int kind_of_sums(uint64_t work, uint64_t entries)
{
    if (entries == 0)
        return -1;
    if (work <= 32)
        return work <= 16 ? CUDA_ROW_HALF : CUDA_ROW_WARP;
    if (work > GIANT_ROW || entries > SUMS_MANY)
        return CUDA_ROW_GIANT;
    return entries <= SUMS_FEW && work <= HASH_MANY ? CUDA_ROW_FEW : CUDA_ROW_HASH;
}

__global__ static void __launch_bounds__(CUDA_THREADS)
    sort_rows(uint32_t *list, cuda_row_counts *counts, cuda_row_counts first, cuda_factors f,
              const uint64_t *c_start)
{
    unsigned lane = threadIdx.x % 32;
    for (uint64_t base = first_thread() - lane; base < f.nrows; base += all_threads()) {
        uint64_t row = base + lane;
        uint64_t work = row < f.nrows ? first_product(f, row + 1) - first_product(f, row) : 0;
        int kind = work == 0  ? -1
                   : !c_start ? kind_of_pattern(f, work)
                              : kind_of_sums(work, c_start[row + 1] - c_start[row]);
        for (int k = 0; k < CUDA_ROW_KINDS; k++) {
            unsigned own = __ballot_sync(full_warp, kind == k);
            count_t at = 0;
            if (own && lane == 0)
                at = atomicAdd(&counts->rows[k], (count_t)__popc(own));
            at = first.rows[k] + __shfl_sync(full_warp, at, 0);
            if (list && kind == k)
                list[at + __popc(own & ((1u << lane) - 1))] = (uint32_t)row;
        }
    }
}

cudaError_t sl_cuda_sort_rows(uint32_t *list, cuda_row_counts *counts, const cuda_row_counts *first,
                              const cuda_factors *f, const uint64_t *c_start)
{
    return launch(f->nrows, sort_rows, list, counts, *first, *f, c_start);
}

__global__ static void giant_tiles(uint64_t *tiles, cuda_factors f, cuda_giants g, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        const uint64_t row = g.list[k], work = first_product(f, row + 1) - first_product(f, row);
        tiles[k] = (work + g.tile - 1) / g.tile;
    }
}

cudaError_t sl_cuda_giant_tiles(uint64_t *tiles, const cuda_factors *f, const cuda_giants *g,
                                uint64_t count)
{
    return launch(count, giant_tiles, tiles, *f, *g, count);
}

/* ---- moving rows together ---------------------------------------------------------------- */

__global__ static void gather_rows(uint32_t *to, const uint64_t *c_start, const uint32_t *from,
                                   cuda_factors f, uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads()) {
        uint64_t row = row_of_entry(c_start, f.nrows, e);
        to[e] = from[first_product(f, row) + e - c_start[row]];
    }
}

cudaError_t sl_cuda_gather_rows(uint32_t *to, const uint64_t *c_start, const uint32_t *from,
                                const cuda_factors *f, uint64_t nnz)
{
    return launch(nnz, gather_rows, to, c_start, from, *f, nnz);
}

/* ---- cost of dot products ------------------------------------------------------------------ */

__global__ static void __launch_bounds__(CUDA_THREADS)
    count_dots(unsigned long long *examined, const uint64_t *start, const uint32_t *index,
               uint64_t nnz, uint64_t nrows, const uint64_t *a_start, const uint64_t *b_start)
{
    count_t own = 0;
    for (uint64_t e = first_thread(); e < nnz; e += all_threads()) {
        uint64_t i = row_of_entry(start, nrows, e), j = index[e];
        uint64_t a = a_start[i + 1] - a_start[i];
        own += b_start ? min(a, b_start[j + 1] - b_start[j]) : a;
    }
    own = warp_sum(own);
    if (threadIdx.x % 32 == 0 && own)
        atomicAdd(examined, own);
}

cudaError_t sl_cuda_count_dots(unsigned long long *examined, const uint64_t *start,
                               const uint32_t *index, uint64_t nnz, uint64_t nrows,
                               const uint64_t *a_start, const uint64_t *b_start)
{
    return launch(nnz, count_dots, examined, start, index, nnz, nrows, a_start, b_start);
}
