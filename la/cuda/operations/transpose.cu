/*
 * Transposes a matrix in compressed rows by a stable radix sort of its entries by column. Segments
 * of entries are sorted one after the other, so that the scratch is bounded: the entries of a
 * segment follow those of the segments before it in each column. With several segments the columns
 * are counted first.
 */
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/operations/matrix_kernels.h"
#include "cuda/runtime/common.cuh"

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

/* The scratch of a segment, and what several segments need: where the next entry of each column comes, and where the
 * columns begin in the sorted segment. */
struct transpose_scratch {
    uint32_t *columns, *places, *sorted; /* sorted columns; positions before and after the sort */
    uint64_t *next, *first;              /* NULL with one segment */
    void *rest;                          /* CUB's scratch */
    size_t rest_bytes;
};

/* Lays out the scratch; returns its bytes without CUB's. */
static size_t lay_out(transpose_scratch *s, char *scratch, uint64_t ncols, uint64_t nnz,
                      uint64_t segment)
{
    const size_t entries = aligned((segment < nnz ? segment : nnz) * sizeof(uint32_t));
    const size_t cursors = segment < nnz ? aligned((ncols + 1) * sizeof(uint64_t)) : 0;
    s->columns = (uint32_t *)scratch;
    s->places = (uint32_t *)(scratch + entries);
    s->sorted = (uint32_t *)(scratch + 2 * entries);
    s->next = cursors ? (uint64_t *)(scratch + 3 * entries) : nullptr;
    s->first = cursors ? (uint64_t *)(scratch + 3 * entries + cursors) : nullptr;
    s->rest = scratch + 3 * entries + 2 * cursors;
    return 3 * entries + 2 * cursors;
}

cudaError_t sl_cuda_transpose_scratch(size_t *bytes, uint64_t ncols, uint64_t nnz, uint64_t segment)
{
    transpose_scratch s;
    size_t sort = 0, scan = 0;
    uint32_t *none = nullptr;
    uint64_t *sums = nullptr;
    cudaError_t error = cub::DeviceRadixSort::SortPairs(
        nullptr, sort, none, none, none, none, segment < nnz ? segment : nnz, 0, bits_of(ncols));
    if (error == cudaSuccess && segment < nnz)
        error = cub::DeviceScan::ExclusiveSum(nullptr, scan, sums, sums, ncols + 1);
    *bytes = lay_out(&s, nullptr, ncols, nnz, segment) + aligned(sort > scan ? sort : scan);
    return error;
}

__global__ static void number(uint32_t *places, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        places[k] = (uint32_t)k;
}

__global__ static void count_columns(uint64_t *counts, const uint32_t *index, uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        atomicAdd((count_t *)counts + index[e], (count_t)1);
}

/* first[c] = number of sorted columns below c; one thread per c. */
__global__ static void starts(uint64_t *first, const uint32_t *columns, uint64_t ncols,
                              uint64_t count)
{
    for (uint64_t c = first_thread(); c <= ncols; c += all_threads()) {
        uint64_t low = 0, high = count;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (columns[middle] < c)
                low = middle + 1;
            else
                high = middle;
        }
        first[c] = low;
    }
}

/* Entry k of the sorted segment, which begins with entry number `begin` of the matrix. */
template <typename V>
__global__ static void scatter_entries(uint32_t *t_index, V *t_values, transpose_scratch s,
                                       cuda_matrix_rows from, uint64_t begin, uint64_t count)
{
    const V *values = (const V *)from.values;
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        const uint64_t e = begin + s.sorted[k];
        const uint32_t c = s.next ? s.columns[k] : 0;
        const uint64_t at = s.next ? s.next[c] + (k - s.first[c]) : k;
        t_index[at] = (uint32_t)row_of(from.start + 1, 0, from.nrows, e);
        if (values)
            t_values[at] = values[e];
    }
}

__global__ static void advance(uint64_t *next, const uint64_t *first, uint64_t ncols)
{
    for (uint64_t c = first_thread(); c < ncols; c += all_threads())
        next[c] += first[c + 1] - first[c];
}

/* t_start by counting, and the cursors at the beginning of the columns. */
static cudaError_t begin_columns(uint64_t *t_start, transpose_scratch *s,
                                 const cuda_matrix_rows *from)
{
    const size_t bytes = (from->ncols + 1) * sizeof *s->next;
    LAUNCH_TRY(cudaMemsetAsync(s->next, 0, bytes, cuda_stream()));
    LAUNCH_TRY(launch(from->nnz, count_columns, s->next, from->index, from->nnz));
    LAUNCH_TRY(cub::DeviceScan::ExclusiveSum(s->rest, s->rest_bytes, s->next, t_start,
                                             from->ncols + 1, cuda_stream()));
    return cudaMemcpyAsync(s->next, t_start, bytes, cudaMemcpyDeviceToDevice, cuda_stream());
}

static cudaError_t scatter_segment(uint32_t *t_index, void *t_values, const transpose_scratch &s,
                                   const cuda_matrix_rows &from, uint64_t begin, uint64_t count)
{
#define CALL(V) launch(count, scatter_entries<V>, t_index, (V *)t_values, s, from, begin, count)
    WITH_SIZE(from.values ? from.size : 1, CALL);
#undef CALL
}

cudaError_t sl_cuda_transpose(uint64_t *t_start, uint32_t *t_index, void *t_values,
                              const cuda_matrix_rows *from, uint64_t segment, void *scratch,
                              size_t scratch_bytes)
{
    transpose_scratch s;
    s.rest_bytes = scratch_bytes - lay_out(&s, (char *)scratch, from->ncols, from->nnz, segment);
    LAUNCH_TRY(
        s.next ? begin_columns(t_start, &s, from)
               : cudaMemsetAsync(t_start, 0, (from->ncols + 1) * sizeof *t_start, cuda_stream()));
    for (uint64_t begin = 0, count; begin < from->nnz; begin += count) {
        count = from->nnz - begin < segment ? from->nnz - begin : segment;
        LAUNCH_TRY(launch(count, number, s.places, count));
        LAUNCH_TRY(cub::DeviceRadixSort::SortPairs(s.rest, s.rest_bytes, from->index + begin,
                                                   s.columns, s.places, s.sorted, count, 0,
                                                   bits_of(from->ncols), cuda_stream()));
        LAUNCH_TRY(launch(from->ncols + 1, starts, s.next ? s.first : t_start, s.columns,
                          from->ncols, count));
        LAUNCH_TRY(scatter_segment(t_index, t_values, s, *from, begin, count));
        if (s.next)
            LAUNCH_TRY(launch(from->ncols + 1, advance, s.next, s.first, from->ncols));
    }
    return cudaSuccess;
}
