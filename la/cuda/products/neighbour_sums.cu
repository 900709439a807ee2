/*
 * Sums of a full vector's values over the rows of a pattern (sum_rows.h), or the least or greatest of them.
 *
 * In the order of the columns most entries are at columns with small numbers. A first kernel brings the
 * vector into that order. If there are tiles, two more sum over them (sum_tiles.cu, row_blocks.cu). If not,
 * one sums the rows by gathers and writes each sum where the caller has its row. Nothing is added by
 * atomics, so sums are the same in every run.
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
#include "cuda/products/neighbour_sums.cuh"
#include "cuda/products/product_tuning.h"

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

/* Word w of a bitmap of which the first n bits are set. */
__device__ static uint32_t first_bits(uint64_t n, uint64_t w)
{
    return n >= 32 * w + 32 ? ~0u : n > 32 * w ? ((uint32_t)1 << (n - 32 * w)) - 1 : 0;
}

/* Copies the vector in the order of the columns, unless it is there, and marks the rows with entries. */
template <typename S> __global__ static void order_values(cuda_neighbour_sums p)
{
    using T = typename S::type;
    const cuda_sum_rows &of = p.of;
    const S add(p.by.add);
    if (p.u)
        for (uint64_t c = first_thread(); c < of.columns; c += all_threads()) {
            const uint32_t id = of.column_id[c];
            const bool is_there = !p.u_bits || bit_of(p.u_bits, id);
            const T value = is_there          ? ((const T *)p.u)[id]
                            : p.by.multiplies ? add.missing(p.by.multiply)
                                              : add.none();
            ((T *)p.ordered)[c] = value;
            if (p.far && is_there && add.is_far(value, p.by.multiplies))
                *p.far = 1;
        }
    if (p.bits)
        for (uint64_t w = first_thread(); w < ((uint64_t)of.all_rows + 31) / 32; w += all_threads())
            p.bits[w] = of.present ? of.present[of.present_stride * w] : first_bits(of.rows, w);
}

/* The part of the sum of the values at index[begin ... end) that is lane `lane` of LANES. */
template <int LANES, typename S, typename T>
__device__ static T sum_part(S add, const T *x, const uint32_t *index, uint64_t begin, uint64_t end,
                             unsigned lane)
{
    T sum = add.none();
    for (uint64_t e = begin + lane; e < end; e += unrolled * LANES) {
        uint32_t v[unrolled];
        T value[unrolled];
#pragma unroll
        for (int k = 0; k < unrolled; k++)
            v[k] = e + k * LANES < end ? __ldcs(index + e + k * LANES) : CUDA_NO_VERTEX;
#pragma unroll
        for (int k = 0; k < unrolled; k++)
            value[k] = v[k] != CUDA_NO_VERTEX ? __ldg(x + v[k]) : add.none();
#pragma unroll
        for (int k = 0; k < unrolled; k++)
            sum = add.of(sum, value[k]);
    }
    return sum;
}

/* The part of the sum of row r that is lane `lane` of LANES. O is the type of the offsets. */
template <int LANES, typename S, typename O>
__device__ static typename S::type row_part(const cuda_neighbour_sums &p, uint64_t r, unsigned lane)
{
    const O *start = (const O *)p.of.start;
    return sum_part<LANES>(S(p.by.add), (const typename S::type *)p.ordered, p.of.index, start[r],
                           start[r + 1], lane);
}

/* Rows 0 to last - 1, a block each. */
template <typename S, typename O>
__device__ static void sum_long_rows(const cuda_neighbour_sums &p, uint32_t last)
{
    using T = typename S::type;
    __shared__ T sums[CUDA_THREADS / 32];
    for (uint32_t row = blockIdx.x; row < last; row += gridDim.x) {
        const T sum =
            sum_of_block(S(p.by.add), row_part<CUDA_THREADS, S, O>(p, row, threadIdx.x), sums);
        if (threadIdx.x == 0)
            put<S>(p, (uint32_t)row, sum);
    }
}

/* Rows first to last - 1, LANES lanes each. */
template <int LANES, typename S, typename O>
__device__ static void sum_rows(const cuda_neighbour_sums &p, uint32_t first, uint32_t last)
{
    using T = typename S::type;
    const S add(p.by.add);
    const unsigned lane = threadIdx.x % LANES;
    constexpr unsigned per_warp = 32 / LANES;
    for (uint64_t base = first + first_thread() / 32 * per_warp; base < last;
         base += all_threads() / 32 * per_warp) {
        const uint64_t row = base + threadIdx.x % 32 / LANES;
        const bool mine = row < last;
        const T sum =
            sum_of_lanes(add, mine ? row_part<LANES, S, O>(p, row, lane) : add.none(), LANES);
        if (mine && lane == 0)
            put<S>(p, (uint32_t)row, sum);
    }
}

/* Blocks per multiprocessor: 8.0, 9.0 and 10.0 hold 2,048 threads, others 1,024 or 1,536. */
#if defined(__CUDA_ARCH__) &&                                                                      \
    (__CUDA_ARCH__ % 100 != 0 || __CUDA_ARCH__ < 800 || __CUDA_ARCH__ >= 1200)
enum { ROW_BLOCKS = 1024 / CUDA_THREADS };
#else
enum { ROW_BLOCKS = CUDA_BLOCKS_PER_SM };
#endif

template <typename S, typename O>
__global__ static void __launch_bounds__(CUDA_THREADS, ROW_BLOCKS)
    sum_by_rows(cuda_neighbour_sums p)
{
    const uint32_t *rows = p.classes->rows;
    sum_long_rows<S, O>(p, rows[0]);
    sum_rows<32, S, O>(p, rows[0], rows[1]);
    sum_rows<8, S, O>(p, rows[1], rows[2]);
    sum_rows<4, S, O>(p, rows[2], p.of.listed);
    sum_slots<S>(p, (const typename S::type *)p.ordered);
}

/* Graphs of short rows: a thread per vertex, a warp per word of the bitmap. */
template <typename S> __global__ static void sum_records(cuda_neighbour_sums p)
{
    using T = typename S::type;
    const S add(p.by.add);
    const T *u = (const T *)p.u;
    FOR_EACH_WORD(p.of.rows)
    {
        bool any = false;
        if (v < p.of.rows) {
            T sum = add.none();
            for (uint64_t at = v;;) {
                const uint4 record = __ldcs(p.of.ell4 + at);
                const bool more = record.w != CUDA_NO_VERTEX && (record.w & ELL4_OVERFLOW);
                const uint32_t neighbour[4] = {record.x, record.y, record.z,
                                               more ? CUDA_NO_VERTEX : record.w};
                any |= record.x != CUDA_NO_VERTEX;
#pragma unroll
                for (int k = 0; k < 4; k++)
                    if (neighbour[k] != CUDA_NO_VERTEX)
                        sum = add.of(sum, __ldg(u + neighbour[k]));
                if (!more)
                    break;
                at = record.w & ~ELL4_OVERFLOW;
            }
            put<S>(p, (uint32_t)v, sum);
        }
        const uint32_t word = __ballot_sync(full_warp, any);
        if (p.bits && lane == 0)
            p.bits[w] = word;
    }
}

/* Clears the bits of rows whose sum is of nothing. */
template <typename S> __global__ static void keep_sums(cuda_neighbour_sums p)
{
    const S add(p.by.add);
    FOR_EACH_WORD(p.of.all_rows)
    {
        const bool keeps = v < p.of.all_rows && bit_of(p.bits, v) &&
                           !add.is_nothing(((const typename S::type *)p.t)[v], p.by.multiplies);
        const uint32_t word = __ballot_sync(full_warp, keeps);
        if (lane == 0)
            p.bits[w] = word;
    }
}

/* ---- launches ------------------------------------------------------------------- */

cudaError_t sl_cuda_classify_rows(cuda_row_classes *classes, const cuda_sum_rows *rows)
{
    return launch_blocks({1, ROW_CLASSES},
                         rows->wide ? classify_rows<uint64_t> : classify_rows<uint32_t>, classes,
                         *rows);
}

template <typename S> static cudaError_t sum_in_order(const cuda_neighbour_sums &p)
{
    const cuda_sum_rows &of = p.of;
    if (p.u || p.bits)
        LAUNCH_TRY(launch(of.columns, order_values<S>, p));
    if (p.tiles->chunks)
        return sl_cuda_sum_over_tiles(&p);
    return launch_blocks({cuda_processors() * CUDA_BLOCKS_PER_SM},
                         of.wide ? sum_by_rows<S, uint64_t> : sum_by_rows<S, uint32_t>, p);
}

template <typename S> static cudaError_t sum(const cuda_neighbour_sums &p)
{
    if (p.classes)
        return sum_in_order<S>(p);
    return launch(p.of.rows, sum_records<S>, p);
}

cudaError_t sl_cuda_order_factors(const cuda_neighbour_sums *p)
{
#define CALL(S) launch(p->of.columns, order_values<S>, *p)
    WITH_SUM(p->by.type, p->by.add, CALL);
#undef CALL
}

cudaError_t sl_cuda_keep_sums(const cuda_neighbour_sums *p)
{
#define CALL(S) launch(p->of.all_rows, keep_sums<S>, *p)
    WITH_SUM(p->by.type, p->by.add, CALL);
#undef CALL
}

cudaError_t sl_cuda_sum_neighbours(const cuda_neighbour_sums *p)
{
#define CALL(S) sum<S>(*p)
    WITH_SUM(p->by.type, p->by.add, CALL);
#undef CALL
}
