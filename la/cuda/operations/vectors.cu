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

/*
 * Entries that the mask does not allow change only by `replace`; entries outside the region of an
 * assign stay. A warp loads WRITE_WORDS words of the mask at once and visits those in which a bit
 * is set.
 */
template <typename C>
__device__ static void write_word(const cuda_write &o, C scalar, uint64_t w, uint32_t allowed)
{
    C *values = (C *)o.values;
    const C *t_values = (const C *)o.t_values, *both = (const C *)o.both;
    unsigned lane = threadIdx.x % 32;
    uint64_t v = 32 * w + lane;
    uint32_t region = o.region ? o.region[w] : full_warp;
    uint32_t c_word = o.bits ? o.bits[w] : full_warp;
    uint32_t t_word = (o.t_bits ? o.t_bits[w] : full_warp) & region;
    bool has_c = v < o.n && (c_word >> lane & 1), has_t = v < o.n && (t_word >> lane & 1);
    bool in = allowed >> lane & 1, covered = region >> lane & 1;
    if (in && has_t) {
        C t = t_values ? t_values[v] : scalar;
        if (has_c && both)
            t = both[v];
        else if (has_c && o.accum >= 0)
            t = binary(o.accum, values[v], t);
        values[v] = t;
    }
    bool keeps_c = has_c && (in ? o.accumulates || !covered : !o.replace);
    uint32_t word = __ballot_sync(full_warp, (in && has_t) || keeps_c);
    if (lane == 0 && o.bits)
        o.bits[w] = word;
}

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

template <typename C> __global__ static void write_entries(cuda_write o, C scalar)
{
    if (!o.bits && !o.t_bits && !o.allowed && !o.region) {
        write_full(o, scalar);
        return;
    }
    unsigned lane = threadIdx.x % 32;
    uint64_t words = (o.n + 31) / 32;
    for (uint64_t first = first_thread() / 32 * WRITE_WORDS; first < words;
         first += all_threads() / 32 * WRITE_WORDS) {
        uint64_t w = first + lane;
        bool mine = lane < WRITE_WORDS && w < words;
        uint32_t allowed = !mine ? 0 : o.allowed ? o.allowed[w] : full_warp;
        if (mine && allowed == 0 && o.replace && o.bits)
            o.bits[w] = 0;
        for (unsigned rest = __ballot_sync(full_warp, allowed != 0); rest; rest &= rest - 1) {
            int k = __ffs(rest) - 1;
            write_word(o, scalar, first + k, __shfl_sync(full_warp, allowed, k));
        }
    }
}

cudaError_t sl_cuda_write(const cuda_write *o, sl_type type, const void *scalar)
{
#define CALL(C) launch(o->n / WRITE_WORDS, write_entries<C>, *o, scalar_as<C>(scalar))
    WITH_TYPE(type, CALL);
#undef CALL
}
