/* The order of a grid's vertices by degree: making it, and moving rows and values to it and back. */
#include "cuda/paths/grid_block_kernels.h"
#include "cuda/paths/lengths.cuh"

__global__ static void place_ids(uint32_t *to, uint64_t first, const uint32_t *ids, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[first + k] = (uint32_t)first + ids[k];
}

cudaError_t sl_cuda_grid_place_ids(uint32_t *to, uint64_t first, const uint32_t *ids,
                                   uint64_t count)
{
    return launch(count, place_ids, to, first, ids, count);
}

/* ---- rows ---------------------------------------------------------------------------------------- */

template <typename V>
__global__ static void order_rows(const __grid_constant__ grid_rows_to_order x)
{
    const uint64_t *const new_start = x.new_start + x.begin;
    for (uint64_t k = first_thread(); k <= x.new_rows; k += all_threads())
        x.segment_start[k] = new_start[k] - x.from;
    for (uint64_t e = first_thread(); e < x.count; e += all_threads()) {
        const uint64_t row = row_of_entry(new_start, x.new_rows, x.from + e);
        const uint64_t old_row = x.old_id[x.first + x.begin + row] - x.first;
        const uint64_t old = x.start[old_row] + (x.from + e - new_start[row]);
        x.new_index[e] = x.new_id[x.index[old]];
        if (x.values)
            ((V *)x.new_values)[e] = ((const V *)x.values)[old];
    }
}

cudaError_t sl_cuda_grid_order_rows(const grid_rows_to_order *x)
{
#define CALL(V) launch(x->count, order_rows<V>, *x)
    WITH_SIZE(x->size, CALL);
#undef CALL
}

__global__ static void short_rows(const uint64_t *start, uint64_t rows, unsigned longest,
                                  uint32_t *bits, count_t *short_edges)
{
    count_t edges = 0;
    FOR_EACH_WORD(rows)
    {
        const uint64_t length = v < rows ? start[v + 1] - start[v] : UINT64_MAX;
        const unsigned word = __ballot_sync(full_warp, length <= longest);
        edges += length <= longest ? length : 0;
        if (lane == 0)
            bits[w] = word;
    }
    add_block_sum(short_edges, edges);
}

cudaError_t sl_cuda_grid_short_rows(const uint64_t *start, uint64_t rows, unsigned longest,
                                    uint32_t *bits, unsigned long long *short_edges)
{
    return launch(rows, short_rows, start, rows, longest, bits, short_edges);
}

/* ---- values -------------------------------------------------------------------------------------- */

template <typename T>
__global__ static void order_values(const __grid_constant__ grid_ordered_values x,
                                    uint32_t *waiting)
{
    for (uint64_t v = first_thread(); v < x.count; v += all_threads()) {
        const uint64_t k = x.new_id[v] - x.first;
        if (k >= x.used || !bit_of(x.bits, (uint32_t)v))
            continue;
        ((T *)x.new_values)[k] = ((const T *)x.values)[v];
        first_to_set(x.new_bits, (uint32_t)k);
        first_to_set(waiting, (uint32_t)k);
    }
}

cudaError_t sl_cuda_grid_order_values(const grid_ordered_values *x, uint32_t *waiting)
{
#define CALL(T) launch(x->count, order_values<T>, *x, waiting)
    WITH_SIZE(x->size, CALL);
#undef CALL
}

template <typename T>
__global__ static void restore_values(const __grid_constant__ grid_ordered_values x)
{
    FOR_EACH_WORD(x.count)
    {
        const uint64_t k = v < x.count ? x.new_id[v] - x.first : x.used;
        const bool moved = k < x.used, stays = !moved && v < x.count;
        const bool is_there =
            (moved && bit_of(x.new_bits, (uint32_t)k)) || (stays && bit_of(x.bits, (uint32_t)v));
        const unsigned word = __ballot_sync(full_warp, is_there);
        if (is_there && moved)
            ((T *)x.values)[v] = ((const T *)x.new_values)[k];
        if (lane == 0)
            x.bits[w] = word;
    }
}

cudaError_t sl_cuda_grid_restore_values(const grid_ordered_values *x)
{
#define CALL(T) launch(x->count, restore_values<T>, *x)
    WITH_SIZE(x->size, CALL);
#undef CALL
}

template <typename T>
__global__ static void list_distances(T *to, const __grid_constant__ grid_ordered_values x,
                                      const uint32_t *old_id)
{
    for (uint64_t k = first_thread(); k < x.used; k += all_threads()) {
        const uint32_t v = old_id[x.first + k] - (uint32_t)x.first;
        to[k] = bit_of(x.bits, v) ? ((const T *)x.values)[v] : no_distance<T>();
    }
}

cudaError_t sl_cuda_grid_list_distances(void *to, const grid_ordered_values *x,
                                        const uint32_t *old_id, sl_type type)
{
#define CALL(T) launch(x->used, list_distances<T>, (T *)to, *x, old_id)
    WITH_SUM_TYPE(type, CALL);
#undef CALL
}
