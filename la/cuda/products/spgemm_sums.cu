/* The values of a matrix product of known pattern: sums by any monoid, one kernel per kind
 * of row. */
#include "cuda/products/atomics.cuh"
#include "cuda/products/matrix_semirings.cuh"
#include "cuda/products/spgemm.cuh"

/* ---- a warp or half a warp per row: products in order ------------------------------- */

template <typename T, int LANES> __device__ static T of_lane(T x, int lane)
{
    if constexpr (sizeof(T) < 4) /* shuffles need at least 4 bytes */
        return (T)__shfl_sync(full_warp, (int)x, lane, LANES);
    else
        return __shfl_sync(full_warp, x, lane, LANES);
}

/* Each lane has a product, and sums the products of the column that it owns. */
template <typename R, int LANES>
__global__ static void __launch_bounds__(CUDA_THREADS)
    sums_of_lanes(cuda_sums s, const uint32_t *list, uint64_t count)
{
    using T = typename R::T;
    unsigned lane = threadIdx.x % LANES;
    for (uint64_t base = first_thread() / 32 * (32 / LANES); base < count;
         base += all_threads() / 32 * (32 / LANES)) {
        uint64_t k = base + threadIdx.x % 32 / LANES, row = k < count ? list[k] : 0;
        uint64_t c = s.c_start[row] + lane;
        bool is = k < count && c < s.c_start[row + 1];
        uint32_t own = is ? s.c_index[c] : no_column, column = no_column;
        T product = T(0);
        if (k < count)
            each_product(s.f, row, first_product(s.f, row), first_product(s.f, row + 1), lane,
                         LANES, [&](uint64_t e, uint64_t g) {
                             column = s.f.b_index[g];
                             product = multiply_entries<R>(s, e, g, row);
                         });
        maybe<T> sum = {T(0), false};
        for (int of = 0; of < LANES; of++) {
            uint32_t where = __shfl_sync(full_warp, column, of, LANES);
            T x = of_lane<T, LANES>(product, of);
            include(sum, {x, where == own}, R::add_code(s.p));
        }
        if (is)
            ((T *)s.c_values)[c] = sum.value;
    }
}

/* ---- a block per row: a hash table of sums in shared memory ---------------------------- */

template <typename R, int THREADS, int SLOTS>
__global__ static void __launch_bounds__(THREADS)
    sums_by_hash(cuda_sums s, const uint32_t *list, uint64_t count)
{
    using T = typename R::T;
    __shared__ uint32_t keys[SLOTS];
    __shared__ uint64_t memory[SLOTS * sizeof(T) / 8];
    T *sums = (T *)memory;
    T neutral;
    memcpy(&neutral, &s.p.neutral, sizeof neutral);
    for (uint64_t k = blockIdx.x; k < count; k += gridDim.x) {
        uint64_t row = list[k], c = s.c_start[row], c_end = s.c_start[row + 1];
        unsigned slots = power_above(2 * (unsigned)(c_end - c));
        if (slots > SLOTS) /* at most three quarters are used */
            slots = SLOTS;
        for (unsigned slot = threadIdx.x; slot < slots; slot += THREADS) {
            keys[slot] = no_column;
            sums[slot] = neutral;
        }
        __syncthreads();
        for (uint64_t at = c + threadIdx.x; at < c_end; at += THREADS)
            insert(keys, slots, s.c_index[at]);
        __syncthreads();
        each_product(s.f, row, first_product(s.f, row), first_product(s.f, row + 1), threadIdx.x,
                     THREADS, [&](uint64_t e, uint64_t g) {
                         unsigned slot = look_up(keys, slots, s.f.b_index[g]);
                         if (slot < slots) /* columns that the mask excludes have no slot */
                             combine_shared(sums + slot, multiply_entries<R>(s, e, g, row),
                                            R::add_code(s.p), R::any || s.p.any);
                     });
        __syncthreads();
        for (uint64_t at = c + threadIdx.x; at < c_end; at += THREADS)
            ((T *)s.c_values)[at] = sums[look_up(keys, slots, s.c_index[at])];
        __syncthreads(); /* before the next row overwrites shared memory */
    }
}

/* ---- giant rows: sums in the result itself, by atomics --------------------------------- */

/* x: a word of a bitmap of the columns; y: number in the row of its first column. */
typedef uint2 ranked_word;

/* Sets the bit of each column of the result; the first column of each word stores its number. A block for each chunk of
 * as many columns as a chunk of the table has. */
__global__ static void __launch_bounds__(CUDA_THREADS) rank_giants(cuda_sums s, cuda_giants g)
{
    const uint64_t columns = 32 * GIANT_WORDS;
    for (uint64_t chunk = blockIdx.x; chunk < g.count * g.chunks; chunk += gridDim.x) {
        const uint64_t k = chunk / g.chunks, row = g.list[g.first + k], c = s.c_start[row];
        const uint64_t from = c + chunk % g.chunks * columns, end = s.c_start[row + 1],
                       to = from + columns < end ? from + columns : end;
        ranked_word *table = (ranked_word *)g.tables + k * g.words;
        for (uint64_t at = from + threadIdx.x; at < to; at += CUDA_THREADS) {
            uint32_t column = s.c_index[at];
            atomicOr(&table[column / 32].x, (uint32_t)1 << (column % 32));
            if (at == c || s.c_index[at - 1] / 32 != column / 32)
                table[column / 32].y = (uint32_t)(at - c);
        }
    }
}

template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS) sum_giants(cuda_sums s, cuda_giants g)
{
    using T = typename R::T;
    uint64_t stop = tiles_before(g, g.first + g.count);
    for (uint64_t tile = tiles_before(g, g.first) + blockIdx.x; tile < stop; tile += gridDim.x) {
        uint64_t number, k = giant_of(g, tile, &number), row = g.list[k];
        uint64_t first = first_product(s.f, row) + number * g.tile;
        uint64_t last = first_product(s.f, row + 1);
        const ranked_word *table = (const ranked_word *)g.tables + (k - g.first) * g.words;
        T *sums = (T *)s.c_values + s.c_start[row];
        each_product(s.f, row, first, last - first < g.tile ? last : first + g.tile, threadIdx.x,
                     CUDA_THREADS, [&](uint64_t e, uint64_t entry) {
                         uint32_t column = s.f.b_index[entry];
                         ranked_word word = __ldg(table + column / 32);
                         if (!(word.x >> (column % 32) & 1))
                             return; /* the mask excludes it */
                         T *at = sums + word.y + __popc(word.x & ((1u << (column % 32)) - 1));
                         if (R::any || s.p.any)
                             *at = multiply_entries<R>(s, e, entry, row);
                         else
                             combine(at, multiply_entries<R>(s, e, entry, row), R::add_code(s.p));
                     });
    }
}

#ifndef __CUDACC_RTC__ /* launches */

template <typename R>
static cudaError_t launch_sums(const cuda_sums *s, cuda_row_kind kind, const uint32_t *list,
                               uint64_t count)
{
    const void *const *made = s->p.made.kernel;
    const unsigned blocks = spgemm_blocks(count);
    if (kind == CUDA_ROW_HALF)
        return launch_made({spgemm_blocks(count / (CUDA_THREADS / 16) + 1)}, made[0],
                           sums_of_lanes<R, 16>, *s, list, count);
    if (kind == CUDA_ROW_WARP)
        return launch_made({spgemm_blocks(count / (CUDA_THREADS / 32) + 1)}, made[1],
                           sums_of_lanes<R, 32>, *s, list, count);
    if (kind == CUDA_ROW_FEW)
        return launch_made({blocks, FEW_THREADS}, made[2],
                           sums_by_hash<R, FEW_THREADS, SUMS_FEW / 3 * 4>, *s, list, count);
    return launch_made({blocks}, made[3], sums_by_hash<R, CUDA_THREADS, SUMS_MANY / 3 * 4>, *s,
                       list, count);
}

cudaError_t sl_cuda_sums(const cuda_sums *s, cuda_row_kind kind, const uint32_t *list,
                         uint64_t count)
{
    const cuda_product *p = &s->p;
#define LAUNCH(R) launch_sums<R>(s, kind, list, count)
    WITH_MATRIX_RING;
#undef LAUNCH
}

cudaError_t sl_cuda_giant_sums(const cuda_sums *s, const cuda_giants *g)
{
    const cuda_product *p = &s->p;
    LAUNCH_TRY(launch_blocks({spgemm_blocks(g->count * g->chunks)}, rank_giants, *s, *g));
#define LAUNCH(R)                                                                                  \
    launch_made({cuda_processors() * SPGEMM_BLOCKS_PER_SM}, p->made.kernel[4], sum_giants<R>, *s,  \
                *g)
    WITH_MATRIX_RING;
#undef LAUNCH
}

bool sl_cuda_mxm_is_precompiled(const cuda_product *p)
{
#define AHEAD_OF(T, KIND, ADD, MULTIPLY)                                                           \
    if (is_ring<T>(p, KIND, ADD, MULTIPLY))                                                        \
        return true;
    PRECOMPILED_MATRIX_PRODUCTS(AHEAD_OF)
#undef AHEAD_OF
    return p->kind == CUDA_POSITION;
}

#endif
