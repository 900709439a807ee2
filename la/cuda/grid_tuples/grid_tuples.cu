/* Kernels over the arrays of tuples that a grid exchanges: one thread per tuple. */
#include <cub/device/device_radix_sort.cuh>

#include "cuda/grid_tuples/grid_tuple_kernels.h"
#include "cuda/operations/entries.cuh"

__global__ static void to_global(uint64_t *numbers, uint64_t count, sl_local_blocks blocks)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        numbers[k] = sl_global_index(&blocks, numbers[k]);
}

cudaError_t sl_cuda_tuples_to_global(uint64_t *numbers, uint64_t count,
                                     const sl_local_blocks *blocks)
{
    return launch(count, to_global, numbers, count, *blocks);
}

__global__ static void to_local(uint64_t *numbers, uint64_t count, sl_local_blocks blocks)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        numbers[k] = sl_local_index(&blocks, numbers[k]);
}

cudaError_t sl_cuda_tuples_to_local(uint64_t *numbers, uint64_t count,
                                    const sl_local_blocks *blocks)
{
    return launch(count, to_local, numbers, count, *blocks);
}

__global__ static void add(uint64_t *to, const uint64_t *from, uint64_t count, uint64_t addend)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = from[k] + addend;
}

cudaError_t sl_cuda_tuples_add(uint64_t *to, const uint64_t *from, uint64_t count, uint64_t addend)
{
    return launch(count, add, to, from, count, addend);
}

__global__ static void pair(uint64_t *to, const uint64_t *a, const uint64_t *b, uint64_t b_count,
                            uint64_t pairs, uint64_t factor)
{
    for (uint64_t k = first_thread(); k < pairs; k += all_threads())
        to[k] = a[k / b_count] * factor + b[k % b_count];
}

cudaError_t sl_cuda_tuples_pair(uint64_t *to, const uint64_t *a, uint64_t a_count,
                                const uint64_t *b, uint64_t b_count, uint64_t factor)
{
    const uint64_t pairs = a_count * b_count;
    return launch(pairs, pair, to, a, b, b_count, pairs, factor);
}

template <typename T>
__global__ static void repeat(T *to, const T *from, uint64_t period, uint64_t length, bool each)
{
    for (uint64_t k = first_thread(); k < length; k += all_threads())
        to[k] = from[each ? k / period : k % period];
}

cudaError_t sl_cuda_tuples_repeat(void *to, const void *from, size_t size, uint64_t count,
                                  uint64_t times, bool each)
{
    const uint64_t period = each ? times : count;
#define REPEAT(T)                                                                                  \
    launch(count *times, repeat<T>, (T *)to, (const T *)from, period, count *times, each)
    WITH_SIZE(size, REPEAT);
#undef REPEAT
}

__global__ static void find(uint64_t *numbers, uint64_t count, const uint64_t *ascending,
                            uint64_t length)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        numbers[k] = first_at(ascending, 0, length, numbers[k]);
}

cudaError_t sl_cuda_tuples_find(uint64_t *numbers, uint64_t count, const uint64_t *ascending,
                                uint64_t length)
{
    return launch(count, find, numbers, count, ascending, length);
}

__global__ static void owners(uint32_t *to, sl_tuples t, sl_owner_rule rule)
{
    for (uint64_t k = first_thread(); k < t.count; k += all_threads())
        to[k] = sl_owner_of(&rule, t.rows, t.cols, k);
}

cudaError_t sl_cuda_tuples_owners(uint32_t *to, const sl_tuples *t, const sl_owner_rule *rule)
{
    return launch(t->count, owners, to, *t, *rule);
}

/* ---- values ------------------------------------------------------------------------------- */

/* Negative indices become greater than every bound. */
template <typename T>
__global__ static void indices(uint64_t *numbers, count_t *outside, const T *values, uint64_t count,
                               uint64_t bound)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        numbers[k] = (uint64_t)values[k];
        if (numbers[k] >= bound)
            atomicMin(outside, (count_t)k);
    }
}

cudaError_t sl_cuda_tuples_indices(uint64_t *numbers, unsigned long long *outside,
                                   const sl_tuples *t, uint64_t bound)
{
    switch (t->type) {
#define X(NAME, name, T, ...)                                                                      \
    case SL_##NAME:                                                                                \
        return launch(t->count, indices<T>, numbers, outside, (const T *)t->values, t->count,      \
                      bound);
        SL_TYPES_NUM(X, )
#undef X
    default:
        return cudaErrorInvalidValue;
    }
}

template <typename T> __global__ static void attach(sl_tuples list, sl_tuples vector)
{
    for (uint64_t k = first_thread(); k < list.count; k += all_threads()) {
        const uint64_t wanted = list.cols[k];
        const uint64_t at = first_at(vector.rows, 0, vector.count, wanted);
        const bool has = at < vector.count && vector.rows[at] == wanted;
        ((T *)list.values)[k] = has ? ((const T *)vector.values)[at] : 0;
        list.cols[k] = has;
    }
}

cudaError_t sl_cuda_tuples_attach(const sl_tuples *list, const sl_tuples *vector)
{
#define ATTACH(T) launch(list->count, attach<T>, *list, *vector)
    WITH_SIZE(sl_type_size(list->type), ATTACH);
#undef ATTACH
}

__global__ static void present(uint32_t *bits, const uint64_t *present, uint64_t count)
{
    FOR_EACH_WORD(count)
    {
        const uint32_t word = __ballot_sync(full_warp, v < count && present[v]);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_tuples_present(uint32_t *bits, const uint64_t *from, uint64_t count)
{
    return launch(count, present, bits, from, count);
}

/* ---- operators and selection -------------------------------------------------------------- */

template <typename Z>
__global__ static void evaluate(Z *to, sl_tuples t, sl_local_blocks rows, sl_local_blocks cols,
                                int code, int64_t thunk)
{
    for (uint64_t k = first_thread(); k < t.count; k += all_threads()) {
        const uint64_t i = sl_global_index(&rows, t.rows[k]);
        const uint64_t j = t.cols ? sl_global_index(&cols, t.cols[k]) : 0;
        to[k] = (Z)indexed(code, (int64_t)i, (int64_t)j, thunk);
    }
}

cudaError_t sl_cuda_tuples_evaluate(void *to, sl_type type, const sl_tuples *t,
                                    const sl_local_blocks *rows, const sl_local_blocks *cols,
                                    int code, int64_t thunk)
{
#define EVALUATE(Z) launch(t->count, evaluate<Z>, (Z *)to, *t, *rows, *cols, code, thunk)
    switch (type) {
    case SL_BOOL:
        return EVALUATE(bool);
    case SL_INT32:
        return EVALUATE(int32_t);
    case SL_INT64:
        return EVALUATE(int64_t);
    default:
        return cudaErrorInvalidValue;
    }
#undef EVALUATE
}

__global__ static void pass(bool *kept, sl_tuples t, sl_tuple_filter filter)
{
    for (uint64_t k = first_thread(); k < t.count; k += all_threads())
        kept[k] = sl_tuple_passes(&filter, t.rows, t.cols, k);
}

cudaError_t sl_cuda_tuples_pass(bool *kept, const sl_tuples *t, const sl_tuple_filter *filter)
{
    return launch(t->count, pass, kept, *t, *filter);
}

__global__ static void widen_kept(uint64_t *to, const bool *kept, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = kept[k];
}

cudaError_t sl_cuda_tuples_widen_kept(uint64_t *to, const bool *kept, uint64_t count)
{
    return launch(count, widen_kept, to, kept, count);
}

template <typename T>
__global__ static void compact(T *to, const T *from, const uint64_t *ends, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        if (ends[k] > before(ends, k))
            to[before(ends, k)] = from[k];
}

cudaError_t sl_cuda_tuples_compact(void *to, const void *from, const uint64_t *ends, size_t size,
                                   uint64_t count)
{
#define COMPACT(T) launch(count, compact<T>, (T *)to, (const T *)from, ends, count)
    WITH_SIZE(size, COMPACT);
#undef COMPACT
}

/* ---- messages ----------------------------------------------------------------------------- */

cudaError_t sl_cuda_tuples_sort(void *scratch, size_t *bytes, const cuda_tuple_sort *sort)
{
    return cub::DeviceRadixSort::SortPairs(scratch, *bytes, sort->to, sort->sorted, sort->positions,
                                           sort->order, sort->count, 0, sort->bits, cuda_stream());
}

__global__ static void find_begins(uint64_t *begin, const uint32_t *sorted, uint64_t count,
                                   uint32_t members)
{
    for (uint64_t m = first_thread(); m <= members; m += all_threads())
        begin[m] = first_at(sorted, 0, count, (uint32_t)m);
}

cudaError_t sl_cuda_tuples_begin(uint64_t *begin, const uint32_t *sorted, uint64_t count,
                                 uint32_t members)
{
    return launch_blocks({grid_of(members + 1, 64)}, find_begins, begin, sorted, count, members);
}

__global__ static void find_wide(uint64_t *wide, const uint64_t *numbers, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        if (numbers[k] > UINT32_MAX)
            *wide = 1; /* all threads write the same */
}

cudaError_t sl_cuda_tuples_find_wide(uint64_t *wide, const uint64_t *numbers, uint64_t count)
{
    return launch(count, find_wide, wide, numbers, count);
}

template <typename T>
__global__ static void pack_indices(cuda_tuple_packing p, const uint64_t *from, sl_frame frame)
{
    for (uint64_t k = p.first + first_thread(); k < p.last; k += all_threads()) {
        uint64_t index = from[p.order[k]];
        if (frame.kind != SL_FRAME_NONE) {
            const sl_local_blocks blocks = sl_frame_blocks(&frame, p.sorted[k]);
            index = sl_local_index(&blocks, index);
        }
        *(T *)(p.box + (p.at[p.sorted[k]] + k * sizeof(T))) = (T)index;
    }
}

cudaError_t sl_cuda_tuples_pack_indices(const cuda_tuple_packing *p, const uint64_t *from,
                                        size_t size, const sl_frame *frame)
{
    return launch(p->last - p->first,
                  size == sizeof(uint32_t) ? pack_indices<uint32_t> : pack_indices<uint64_t>, *p,
                  from, *frame);
}

template <typename T> __global__ static void pack(cuda_tuple_packing p, const T *from)
{
    for (uint64_t k = p.first + first_thread(); k < p.last; k += all_threads())
        *(T *)(p.box + (p.at[p.sorted[k]] + k * sizeof(T))) = from[p.order[k]];
}

cudaError_t sl_cuda_tuples_pack(const cuda_tuple_packing *p, const void *from, size_t size)
{
#define PACK(T) launch(p->last - p->first, pack<T>, *p, (const T *)from)
    WITH_SIZE(size, PACK);
#undef PACK
}
