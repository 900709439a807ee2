/*
 * Sums of neighbours' values on a reordered graph.
 *
 * In degree order most edges lead to hubs, whose ids are small: on Kronecker graphs nine in ten to
 * the first 2^14 vertices. Their values are copied to shared memory, so that few values are
 * gathered from the L2 cache. A first kernel brings the vector into the graph's order.
 *
 * Rows have equally many neighbours as the rows beside them. The classes are, from the longest:
 *
 *     more than 4,096 neighbours   all rows together are divided into pieces of SUM_PIECE columns,
 *                                  a warp per piece; rows in several pieces are added by atomics
 *     more than 256                a warp per row
 *     more than 32                 8 lanes per row
 *     more than 4                  4 lanes per row
 *     others                       a thread per row, from the ELL slots: coalesced
 *
 * A graph of short rows keeps the caller's order: a thread reads the record of its vertex.
 */
#include "common.cuh"
#include "neighbour_sums.h"
#include "product_tuning.h"

__device__ static constexpr uint32_t class_limit[ROW_CLASSES] = {4096, 256, 32};

static constexpr int unrolled = 4; /* columns that a lane loads at once */

/* Thread k finds the end of class k by bisection. */
template <typename S> __global__ static void classify_rows(cuda_row_classes *to, cuda_graph g)
{
    const S *start = (const S *)g.start;
    uint32_t low = 0, high = g.slot_count[ELL_SLOTS];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (start[middle + 1] - start[middle] > class_limit[threadIdx.x])
            low = middle + 1;
        else
            high = middle;
    }
    to->rows[threadIdx.x] = low;
    if (threadIdx.x == 0)
        to->edges = start[low];
}

/* Copies the vector in the order of new ids. Clears the sums to which several warps add. */
template <typename T> __global__ static void order_values(cuda_neighbour_sums p)
{
    const cuda_graph &g = p.graph;
    for (uint64_t v = first_thread(); v < g.n; v += all_threads()) {
        const uint32_t old = g.old_id[v];
        ((T *)p.ordered)[v] = ((const T *)p.u)[old];
        if (v < p.classes->rows[0])
            ((T *)p.t)[old] = 0;
    }
    if (p.bits)
        for (uint64_t w = first_thread(); w < (g.old_n + 31) / 32; w += all_threads())
            p.bits[w] = g.numbered[w].x;
}

/* The vector's values by new id; those of the hubs in shared memory. */
template <typename T> struct value_table {
    const T *hub, *all;
    uint32_t hubs;

    __device__ T operator[](uint32_t v) const
    {
        return v < hubs ? hub[v] : __ldg(all + v);
    }
};

/* The sum over columns begin to end - 1 by LANES lanes, of which this is `lane`; in all lanes. */
template <int LANES, typename T>
__device__ static T sum_columns(const value_table<T> &x, const uint32_t *index, uint64_t begin,
                                uint64_t end, unsigned lane)
{
    T sum = 0;
    for (uint64_t e = begin + lane; e < end; e += unrolled * LANES) {
        uint32_t v[unrolled];
#pragma unroll
        for (int k = 0; k < unrolled; k++)
            v[k] = e + k * LANES < end ? __ldcs(index + e + k * LANES) : CUDA_NO_VERTEX;
#pragma unroll
        for (int k = 0; k < unrolled; k++)
            if (v[k] != CUDA_NO_VERTEX)
                sum += x[v[k]];
    }
#pragma unroll
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(full_warp, sum, offset);
    return sum;
}

/* The first class, a warp per piece of columns. */
template <typename T, typename S>
__device__ static void sum_long_rows(const cuda_neighbour_sums &p, const value_table<T> &x)
{
    const cuda_graph &g = p.graph;
    const S *start = (const S *)g.start;
    const uint64_t edges = p.classes->edges;
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t piece = first_thread() / 32; piece * SUM_PIECE < edges;
         piece += all_threads() / 32) {
        uint64_t e = piece * SUM_PIECE, last = edges - e < SUM_PIECE ? edges : e + SUM_PIECE;
        uint32_t low = 0, high = p.classes->rows[0]; /* the row of column e */
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (start[middle + 1] <= e)
                low = middle + 1;
            else
                high = middle;
        }
        for (uint32_t row = low; e < last; row++) {
            const uint64_t row_end = start[row + 1], end = row_end < last ? row_end : last;
            const T sum = sum_columns<32>(x, g.index, e, end, lane);
            if (lane == 0)
                atomicAdd((T *)p.t + g.old_id[row], sum);
            e = end;
        }
    }
}

/* Rows first to last - 1, LANES lanes each. */
template <int LANES, typename T, typename S>
__device__ static void sum_rows(const cuda_neighbour_sums &p, const value_table<T> &x,
                                uint32_t first, uint32_t last)
{
    const cuda_graph &g = p.graph;
    const S *start = (const S *)g.start;
    const unsigned lane = threadIdx.x % LANES;
    constexpr unsigned rows = 32 / LANES; /* of a warp */
    for (uint64_t base = first + first_thread() / 32 * rows; base < last;
         base += all_threads() / 32 * rows) {
        const uint64_t row = base + threadIdx.x % 32 / LANES;
        const bool mine = row < last;
        const T sum =
            sum_columns<LANES>(x, g.index, mine ? start[row] : 0, mine ? start[row + 1] : 0, lane);
        if (mine && lane == 0)
            ((T *)p.t)[g.old_id[row]] = sum;
    }
}

/* The rows whose neighbours are all in slots, a thread each. */
template <typename T>
__device__ static void sum_slots(const cuda_neighbour_sums &p, const value_table<T> &x)
{
    const cuda_graph &g = p.graph;
    for (uint64_t v = g.slot_count[ELL_SLOTS] + first_thread(); v < g.n; v += all_threads()) {
        T sum = 0;
#pragma unroll
        for (int k = 0; k < ELL_SLOTS; k++)
            if (v < g.slot_count[k])
                sum += x[__ldcs(g.slot[k] + v)];
        ((T *)p.t)[g.old_id[v]] = sum;
    }
}

template <typename T, typename S>
__global__ static void __launch_bounds__(SUM_THREADS, 1) sum_neighbours(cuda_neighbour_sums p)
{
    extern __shared__ unsigned long long memory[];
    T *hub = (T *)memory;
    const uint32_t capacity = SUM_HUB_BYTES / sizeof(T);
    const uint32_t hubs = p.graph.n < capacity ? p.graph.n : capacity;
    for (uint32_t v = threadIdx.x; v < hubs; v += SUM_THREADS)
        hub[v] = ((const T *)p.ordered)[v];
    __syncthreads();
    const value_table<T> x = {hub, (const T *)p.ordered, hubs};
    const uint32_t *rows = p.classes->rows;
    sum_long_rows<T, S>(p, x);
    sum_rows<32, T, S>(p, x, rows[0], rows[1]);
    sum_rows<8, T, S>(p, x, rows[1], rows[2]);
    sum_rows<4, T, S>(p, x, rows[2], p.graph.slot_count[ELL_SLOTS]);
    sum_slots(p, x);
}

/* Graphs of short rows: a thread per vertex, a warp per word of the bitmap. */
template <typename T> __global__ static void sum_records(cuda_neighbour_sums p)
{
    const cuda_graph &g = p.graph;
    const T *u = (const T *)p.u;
    FOR_EACH_WORD(g.n)
    {
        bool any = false;
        if (v < g.n) {
            T sum = 0;
            for (uint64_t at = v;;) {
                const uint4 record = __ldcs(g.ell4 + at);
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
            ((T *)p.t)[v] = sum;
        }
        const uint32_t word = __ballot_sync(full_warp, any);
        if (p.bits && lane == 0)
            p.bits[w] = word;
    }
}

/* ---- launches ------------------------------------------------------------------- */

cudaError_t sl_cuda_classify_rows(cuda_row_classes *classes, const cuda_graph *graph,
                                  cudaStream_t stream)
{
    if (graph->wide)
        classify_rows<uint64_t><<<1, ROW_CLASSES, 0, stream>>>(classes, *graph);
    else
        classify_rows<uint32_t><<<1, ROW_CLASSES, 0, stream>>>(classes, *graph);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t sum_in_order(const cuda_neighbour_sums &p, unsigned multiprocessors,
                                cudaStream_t stream)
{
    void (*kernel)(cuda_neighbour_sums) =
        p.graph.wide ? sum_neighbours<T, uint64_t> : sum_neighbours<T, uint32_t>;
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SUM_HUB_BYTES);
    if (error != cudaSuccess)
        return error;
    order_values<T>
        <<<grid_of(p.graph.n, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0, stream>>>(p);
    kernel<<<multiprocessors, SUM_THREADS, SUM_HUB_BYTES, stream>>>(p);
    return cudaGetLastError();
}

template <typename T>
static cudaError_t sum(const cuda_neighbour_sums &p, unsigned multiprocessors, cudaStream_t stream)
{
    if (p.classes)
        return sum_in_order<T>(p, multiprocessors, stream);
    sum_records<T>
        <<<grid_of(p.graph.n, multiprocessors * CUDA_BLOCKS_PER_SM), CUDA_THREADS, 0, stream>>>(p);
    return cudaGetLastError();
}

cudaError_t sl_cuda_sum_neighbours(const cuda_neighbour_sums *p, unsigned multiprocessors,
                                   cudaStream_t stream)
{
    return p->type == SL_FP32 ? sum<float>(*p, multiprocessors, stream)
                              : sum<double>(*p, multiprocessors, stream);
}
