/*
 * Kernels over vectors: casts, masks, index lists, and the write that ends an operation. One warp
 * per word of the bitmap and one thread per index, so the warp that writes a word has all its bits
 * and needs no atomics.
 */
#include "cuda/operations/algebra.cuh"
#include "cuda/operations/vector_kernels.h"

/* ---- casts and masks ---------------------------------------------------------- */

template <typename To, typename From>
__global__ static void cast_entries(To *to, const From *from, const uint32_t *bits, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        if (!bits || bit_of(bits, (uint32_t)v))
            to[v] = cast<To>(from[v]);
}

template <typename From>
static cudaError_t cast_from(void *to, sl_type to_type, const From *from, const uint32_t *bits,
                             uint64_t n)
{
#define CALL(To) launch(n, cast_entries<To, From>, (To *)to, from, bits, n)
    WITH_TYPE(to_type, CALL);
#undef CALL
}

cudaError_t sl_cuda_cast(void *to, sl_type to_type, const void *from, sl_type from_type,
                         const uint32_t *bits, uint64_t n)
{
#define CALL(From) cast_from(to, to_type, (const From *)from, bits, n)
    WITH_TYPE(from_type, CALL);
#undef CALL
}

/* The entries that are present and not 0. */
template <typename T>
__global__ static void mask_words(uint32_t *to, const uint32_t *bits, const T *values,
                                  bool complement, uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        uint32_t word = bits ? bits[w] : full_warp;
        bool through = v < n && (word >> lane & 1) && values[v] != 0;
        uint32_t all = __ballot_sync(full_warp, v < n && through != complement);
        if (lane == 0)
            to[w] = all;
    }
}

/* The same without values: one thread per word. */
__global__ static void structure_words(uint32_t *to, const uint32_t *bits, bool complement,
                                       uint64_t n)
{
    uint64_t words = (n + 31) / 32;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t valid = w + 1 < words || n % 32 == 0 ? full_warp : ((uint32_t)1 << (n % 32)) - 1;
        uint32_t word = bits ? bits[w] : full_warp;
        to[w] = (complement ? ~word : word) & valid;
    }
}

cudaError_t sl_cuda_mask(uint32_t *to, const uint32_t *bits, const void *values, sl_type type,
                         bool complement, uint64_t n)
{
    if (!values) {
        return launch((n + 31) / 32, structure_words, to, bits, complement, n);
    }
#define CALL(T) launch(n, mask_words<T>, to, bits, (const T *)values, complement, n)
    WITH_TYPE(type, CALL);
#undef CALL
}

/* ---- index lists ---------------------------------------------------------------- */

/* to[k] = from[list[k]]. */
template <typename T>
__global__ static void gather(uint32_t *to_bits, T *to, const uint32_t *bits, const T *from,
                              const uint64_t *list, uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        uint64_t u = v < n ? list[v] : 0;
        bool has = v < n && (!bits || (bits[u / 32] >> (u % 32) & 1));
        if (has)
            to[v] = from[u];
        uint32_t word = __ballot_sync(full_warp, has);
        if (lane == 0)
            to_bits[w] = word;
    }
}

cudaError_t sl_cuda_gather(uint32_t *to_bits, void *to, const uint32_t *bits, const void *from,
                           sl_type type, const uint64_t *list, uint64_t n)
{
#define CALL(T) launch(n, gather<T>, to_bits, (T *)to, bits, (const T *)from, list, n)
    WITH_TYPE(type, CALL);
#undef CALL
}

/* to[list[k]] = from[k]; region: the bits of the list. Bitmaps are 0 before; list items of
 * different warps share words, so bits are set by atomics. */
template <typename T>
__global__ static void spread(uint32_t *region, uint32_t *to_bits, T *to, const uint32_t *bits,
                              const T *from, const uint64_t *list, uint64_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        uint64_t u = list[k];
        uint32_t bit = (uint32_t)1 << (u % 32);
        atomicOr(region + u / 32, bit);
        if (to && (!bits || (bits[k / 32] >> (k % 32) & 1))) {
            to[u] = from[k];
            atomicOr(to_bits + u / 32, bit);
        }
    }
}

cudaError_t sl_cuda_spread(uint32_t *region, uint32_t *to_bits, void *to, const cuda_elements *from,
                           const uint64_t *list)
{
#define CALL(T)                                                                                    \
    launch(from->n, spread<T>, region, to_bits, (T *)to, from->bits, (const T *)from->values,      \
           list, from->n)
    WITH_TYPE(from->type, CALL);
#undef CALL
}

/* ---- the write ------------------------------------------------------------------ */

/* Without bitmaps every entry is written: a thread loads FULL_BATCH entries at once. */
template <typename C> __device__ static void write_full(const cuda_write &o, C scalar)
{
    C *values = (C *)o.values, t[FULL_BATCH], c[FULL_BATCH];
    const C *from = (const C *)(o.both ? o.both : o.t_values);
    const bool accumulates = o.accum >= 0 && !o.both;
    for (uint64_t first = first_thread(); first < o.n; first += FULL_BATCH * all_threads()) {
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++) {
            const uint64_t v = first + k * all_threads();
            t[k] = from && v < o.n ? from[v] : scalar;
            if (accumulates && v < o.n)
                c[k] = values[v];
        }
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++) {
            const uint64_t v = first + k * all_threads();
            if (v < o.n)
                values[v] = accumulates ? binary(o.accum, c[k], t[k]) : t[k];
        }
    }
}

/* A word of each bitmap of a write. */
struct written_words {
    uint32_t allowed, region; /* by the mask; by the region of an assign */
    uint32_t t, c;            /* entries to write, and of the output */
};

/* Nothing for the words behind the last. */
__device__ static written_words load_words(const cuda_write &o, uint64_t w)
{
    const uint64_t rest = o.n > 32 * w ? o.n - 32 * w : 0;
    const uint32_t there = rest >= 32 ? full_warp : ((uint32_t)1 << rest) - 1;
    if (!there)
        return {};
    written_words x;
    x.allowed = there & (o.allowed ? o.allowed[w] : full_warp);
    x.region = o.region ? o.region[w] : full_warp;
    x.t = there & x.region & (o.t_bits ? o.t_bits[w] : full_warp);
    x.c = there & (o.bits ? o.bits[w] : full_warp);
    return x;
}

/*
 * Entries that the mask does not allow change only by `replace`; entries outside the region of an assign stay. A warp
 * takes WRITE_WORDS words at once: all loads come before what depends on them.
 */
template <typename C> __global__ static void write_entries(cuda_write o, C scalar)
{
    if (!o.bits && !o.t_bits && !o.allowed && !o.region) {
        write_full(o, scalar);
        return;
    }
    C *values = (C *)o.values, x[WRITE_WORDS], c[WRITE_WORDS];
    const C *from = (const C *)o.t_values, *both = (const C *)o.both;
    const unsigned lane = threadIdx.x % 32;
    const uint64_t words = (o.n + 31) / 32;
    for (uint64_t first = first_thread() / 32 * WRITE_WORDS; first < words;
         first += all_threads() / 32 * WRITE_WORDS) {
        const written_words own =
            lane < WRITE_WORDS ? load_words(o, first + lane) : written_words{};
        const uint32_t puts = own.allowed & own.t, meets = puts & own.c;
        if (__any_sync(full_warp, puts)) {
#pragma unroll
            for (int k = 0; k < WRITE_WORDS; k++) {
                const uint64_t v = 32 * (first + k) + lane;
                const bool put = __shfl_sync(full_warp, puts, k) >> lane & 1;
                const bool meet = __shfl_sync(full_warp, meets, k) >> lane & 1;
                x[k] = !put ? scalar : meet && both ? both[v] : from ? from[v] : scalar;
                if (meet && o.accum >= 0)
                    c[k] = values[v];
            }
#pragma unroll
            for (int k = 0; k < WRITE_WORDS; k++) {
                const uint64_t v = 32 * (first + k) + lane;
                const bool put = __shfl_sync(full_warp, puts, k) >> lane & 1;
                const bool meet = __shfl_sync(full_warp, meets, k) >> lane & 1;
                if (put)
                    values[v] = meet && o.accum >= 0 && !both ? binary(o.accum, c[k], x[k]) : x[k];
            }
        }
        const uint32_t kept = own.c & ((own.allowed & (o.accumulates ? full_warp : ~own.region)) |
                                       (~own.allowed & (o.replace ? 0 : full_warp)));
        if (o.bits && lane < WRITE_WORDS && first + lane < words && (puts | kept) != own.c)
            o.bits[first + lane] = puts | kept;
    }
}

cudaError_t sl_cuda_write(const cuda_write *o, sl_type type, const void *scalar)
{
#define CALL(C) launch(o->n / WRITE_WORDS, write_entries<C>, *o, scalar_as<C>(scalar))
    WITH_TYPE(type, CALL);
#undef CALL
}
