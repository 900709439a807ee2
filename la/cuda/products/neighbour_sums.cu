/*
 * Sums of a full vector's values over the rows of a pattern (sum_rows.h).
 *
 * In the order of the columns most entries are at columns with small numbers. A first kernel brings the
 * vector into that order; a second one sums the chunks of the tiles, if there are any, from shared
 * memory (sum_tiles.h); a third one sums the lists of the rows, or the rows themselves, by gathers, and
 * writes each sum where the caller has its row. Nothing is added by atomics, so sums are the same in
 * every run.
 *
 * Rows have equally many columns as the rows beside them. The classes are, from the longest:
 *
 *     more than 4,096 columns      a block per row
 *     more than 256                a warp per row
 *     more than 32                 8 lanes per row
 *     more than 4                  4 lanes per row
 *     others                       a thread per row, from the ELL slots: coalesced
 *
 * A graph of short rows keeps the caller's order: a thread reads the record of its vertex.
 */
#include "common.cuh"
#include "graph_view.h"
#include "neighbour_sums.h"
#include "product_tuning.h"

__device__ static constexpr uint32_t class_limit[ROW_CLASSES] = {4096, 256, 32};

static constexpr int unrolled = 4; /* columns that a lane loads at once */

/* Thread k finds the end of class k by bisection. */
template <typename S> __global__ static void classify_rows(cuda_row_classes *to, cuda_sum_rows of)
{
    const S *start = (const S *)of.start;
    uint32_t low = 0, high = of.listed;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (start[middle + 1] - start[middle] > class_limit[threadIdx.x])
            low = middle + 1;
        else
            high = middle;
    }
    to->rows[threadIdx.x] = low;
}

/* Copies the vector in the order of the columns. */
template <typename T> __global__ static void order_values(cuda_neighbour_sums p)
{
    const cuda_sum_rows &of = p.of;
    for (uint64_t c = first_thread(); c < of.columns; c += all_threads())
        ((T *)p.ordered)[c] = ((const T *)p.u)[of.column_id[c]];
    if (p.bits)
        for (uint64_t w = first_thread(); w < ((uint64_t)of.all_rows + 31) / 32; w += all_threads())
            p.bits[w] = of.present[of.present_stride * w];
}

/* t(v) = sum, t(v) + sum or the same value + sum, for the caller's row v. */
template <typename T> __device__ static void put(const cuda_neighbour_sums &p, uint32_t v, T sum)
{
    T *t = (T *)p.t + v, first = 0;
    if (p.adds_to_same)
        memcpy(&first, &p.same_value, sizeof first);
    else if (p.adds)
        first = *t;
    *t = p.adds ? first + sum : sum;
}

/* The part of the sum of the values at index[begin ... end) that is lane `lane` of LANES. */
template <int LANES, typename T>
__device__ static T sum_part(const T *x, const uint32_t *index, uint64_t begin, uint64_t end,
                             unsigned lane)
{
    T sum = 0;
    for (uint64_t e = begin + lane; e < end; e += unrolled * LANES) {
        uint32_t v[unrolled];
        T value[unrolled];
#pragma unroll
        for (int k = 0; k < unrolled; k++)
            v[k] = e + k * LANES < end ? __ldcs(index + e + k * LANES) : CUDA_NO_VERTEX;
#pragma unroll
        for (int k = 0; k < unrolled; k++)
            value[k] = v[k] != CUDA_NO_VERTEX ? __ldg(x + v[k]) : T(0);
#pragma unroll
        for (int k = 0; k < unrolled; k++)
            sum += value[k];
    }
    return sum;
}

template <int LANES, typename T> __device__ static T sum_of_lanes(T sum)
{
#pragma unroll
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(full_warp, sum, offset);
    return sum;
}

/* The rows of a sum: index[start[r] ... start[r + 1]), of values x. */
template <typename T, typename S> struct row_lists {
    const S *start;
    const uint32_t *index;
    const T *x;
};

/* Rows 0 to last - 1, a block each. */
template <typename T, typename S>
__device__ static void sum_long_rows(const cuda_neighbour_sums &p, const row_lists<T, S> &rows,
                                     uint32_t last)
{
    __shared__ T sums[CUDA_THREADS / 32];
    for (uint32_t row = blockIdx.x; row < last; row += gridDim.x) {
        T sum = sum_of_lanes<32>(sum_part<CUDA_THREADS>(rows.x, rows.index, rows.start[row],
                                                        rows.start[row + 1], threadIdx.x));
        if (threadIdx.x % 32 == 0)
            sums[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int k = 1; k < CUDA_THREADS / 32; k++)
                sum += sums[k];
            put(p, p.of.row_id[row], sum);
        }
        __syncthreads();
    }
}

/* Rows first to last - 1, LANES lanes each. */
template <int LANES, typename T, typename S>
__device__ static void sum_rows(const cuda_neighbour_sums &p, const row_lists<T, S> &rows,
                                uint32_t first, uint32_t last)
{
    const unsigned lane = threadIdx.x % LANES;
    constexpr unsigned per_warp = 32 / LANES;
    for (uint64_t base = first + first_thread() / 32 * per_warp; base < last;
         base += all_threads() / 32 * per_warp) {
        const uint64_t row = base + threadIdx.x % 32 / LANES;
        const bool mine = row < last;
        const T sum = sum_of_lanes<LANES>(sum_part<LANES>(
            rows.x, rows.index, mine ? rows.start[row] : 0, mine ? rows.start[row + 1] : 0, lane));
        if (mine && lane == 0)
            put(p, p.of.row_id[row], sum);
    }
}

/* The rows whose columns are all in slots, a thread each. */
template <typename T> __device__ static void sum_slots(const cuda_neighbour_sums &p, const T *x)
{
    const cuda_sum_rows &of = p.of;
    for (uint64_t row = of.listed + first_thread(); row < of.rows; row += all_threads()) {
        T sum = 0;
#pragma unroll
        for (int k = 0; k < ELL_SLOTS; k++)
            if (row < of.slot_count[k])
                sum += __ldg(x + __ldcs(of.slot[k] + row));
        put(p, of.row_id[row], sum);
    }
}

/* Blocks per multiprocessor: 8.0, 9.0 and 10.0 hold 2,048 threads, others 1,024 or 1,536. */
#if defined(__CUDA_ARCH__) &&                                                                      \
    (__CUDA_ARCH__ % 100 != 0 || __CUDA_ARCH__ < 800 || __CUDA_ARCH__ >= 1200)
enum { LIST_BLOCKS = 1024 / CUDA_THREADS };
#else
enum { LIST_BLOCKS = CUDA_BLOCKS_PER_SM };
#endif

template <typename T, typename S>
__global__ static void __launch_bounds__(CUDA_THREADS, LIST_BLOCKS)
    sum_lists(cuda_neighbour_sums p, row_lists<T, S> lists)
{
    const uint32_t *rows = p.classes->rows;
    sum_long_rows(p, lists, rows[0]);
    sum_rows<32>(p, lists, rows[0], rows[1]);
    sum_rows<8>(p, lists, rows[1], rows[2]);
    sum_rows<4>(p, lists, rows[2], p.of.listed);
    sum_slots(p, lists.x);
}

/* Graphs of short rows: a thread per vertex, a warp per word of the bitmap. */
template <typename T> __global__ static void sum_records(cuda_neighbour_sums p)
{
    const T *u = (const T *)p.u;
    FOR_EACH_WORD(p.of.rows)
    {
        bool any = false;
        if (v < p.of.rows) {
            T sum = 0;
            for (uint64_t at = v;;) {
                const uint4 record = __ldcs(p.of.ell4 + at);
                const bool more = record.w != CUDA_NO_VERTEX && (record.w & ELL4_OVERFLOW);
                const uint32_t neighbour[4] = {record.x, record.y, record.z,
                                               more ? CUDA_NO_VERTEX : record.w};
                any |= record.x != CUDA_NO_VERTEX;
#pragma unroll
                for (int k = 0; k < 4; k++)
                    if (neighbour[k] != CUDA_NO_VERTEX)
                        sum += __ldg(u + neighbour[k]);
                if (!more)
                    break;
                at = record.w & ~ELL4_OVERFLOW;
            }
            put(p, (uint32_t)v, sum);
        }
        const uint32_t word = __ballot_sync(full_warp, any);
        if (p.bits && lane == 0)
            p.bits[w] = word;
    }
}

/* ---- launches ------------------------------------------------------------------- */

static unsigned blocks_for(uint64_t threads, unsigned multiprocessors)
{
    return grid_of(threads, multiprocessors * CUDA_BLOCKS_PER_SM);
}

cudaError_t sl_cuda_classify_rows(cuda_row_classes *classes, const cuda_sum_rows *rows,
                                  cudaStream_t stream)
{
    if (rows->wide)
        classify_rows<uint64_t><<<1, ROW_CLASSES, 0, stream>>>(classes, *rows);
    else
        classify_rows<uint32_t><<<1, ROW_CLASSES, 0, stream>>>(classes, *rows);
    return cudaGetLastError();
}

template <typename T, typename S>
static cudaError_t launch_lists(const cuda_neighbour_sums &p, const S *start, const uint32_t *index,
                                unsigned multiprocessors, cudaStream_t stream)
{
    const row_lists<T, S> lists = {start, index, (const T *)p.ordered};
    sum_lists<T, S><<<multiprocessors * CUDA_BLOCKS_PER_SM, CUDA_THREADS, 0, stream>>>(p, lists);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t sum_in_order(const cuda_neighbour_sums &p, unsigned multiprocessors,
                                cudaStream_t stream)
{
    const cuda_sum_rows &of = p.of;
    order_values<T><<<blocks_for(of.columns, multiprocessors), CUDA_THREADS, 0, stream>>>(p);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess && p.tiles->slices) {
        error = sl_cuda_sum_chunks(p.tiles, p.type == SL_FP64, p.ordered, of.columns,
                                   (T *)p.ordered + of.columns, stream);
        return error != cudaSuccess ? error
                                    : launch_lists<T>(p, p.tiles->list_start, p.tiles->list,
                                                      multiprocessors, stream);
    }
    if (error != cudaSuccess)
        return error;
    return of.wide
               ? launch_lists<T>(p, (const uint64_t *)of.start, of.index, multiprocessors, stream)
               : launch_lists<T>(p, (const uint32_t *)of.start, of.index, multiprocessors, stream);
}

template <typename T>
static cudaError_t sum(const cuda_neighbour_sums &p, unsigned multiprocessors, cudaStream_t stream)
{
    if (p.classes)
        return sum_in_order<T>(p, multiprocessors, stream);
    sum_records<T><<<blocks_for(p.of.rows, multiprocessors), CUDA_THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

cudaError_t sl_cuda_sum_neighbours(const cuda_neighbour_sums *p, unsigned multiprocessors,
                                   cudaStream_t stream)
{
    return p->type == SL_FP32 ? sum<float>(*p, multiprocessors, stream)
                              : sum<double>(*p, multiprocessors, stream);
}
