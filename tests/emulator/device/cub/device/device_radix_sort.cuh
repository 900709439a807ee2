/* Stable sorts by some bits of the keys. As in CUB, a call without scratch only sets the size of the scratch. */
#ifndef SEMLA_EMULATOR_DEVICE_RADIX_SORT_CUH
#define SEMLA_EMULATOR_DEVICE_RADIX_SORT_CUH

#include <algorithm>
#include <numeric>
#include <vector>

#define EMULATOR_SCRATCH(scratch, bytes)                                                           \
    if (!(scratch)) {                                                                              \
        bytes = 1;                                                                                 \
        return cudaSuccess;                                                                        \
    }

namespace cub
{

template <typename T> struct DoubleBuffer {
    T *buffers[2];
    int selector = 0;
    DoubleBuffer(T *current, T *alternate) : buffers{current, alternate}
    {
    }
    T *Current()
    {
        return buffers[selector];
    }
    T *Alternate()
    {
        return buffers[selector ^ 1];
    }
};

/* Bits of the same order as the keys. */
template <typename K> uint64_t ordered_bits(K key, int from, int to)
{
    const int bits = 8 * (int)sizeof(K);
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    uint64_t x = emulator::bits_of(key);
    if (std::is_floating_point_v<K>)
        x = x & sign ? ~x : x | sign;
    else if (std::is_signed_v<K>)
        x ^= sign;
    if (to < 64)
        x &= ((uint64_t)1 << to) - 1;
    return x >> from;
}

struct DeviceRadixSort {
    template <typename K, typename V, typename N>
    static void sort(const K *key, K *sorted_key, const V *value, V *sorted_value, N count,
                     int from, int to, bool descending)
    {
        std::vector<size_t> order(count);
        std::iota(order.begin(), order.end(), (size_t)0);
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
            const uint64_t x = ordered_bits(key[a], from, to), y = ordered_bits(key[b], from, to);
            return descending ? x > y : x < y;
        });
        std::vector<K> keys(count);
        std::vector<V> values(value ? (size_t)count : 0);
        for (size_t k = 0; k < order.size(); k++) {
            keys[k] = key[order[k]];
            if (value)
                values[k] = value[order[k]];
        }
        std::copy(keys.begin(), keys.end(), sorted_key);
        std::copy(values.begin(), values.end(), sorted_value);
    }
    template <typename K, typename V, typename N>
    static cudaError_t SortPairs(void *scratch, size_t &bytes, const K *key, K *sorted_key,
                                 const V *value, V *sorted_value, N count, int from = 0,
                                 int to = 8 * sizeof(K), cudaStream_t stream = nullptr)
    {
        EMULATOR_SCRATCH(scratch, bytes)
        emulator::enqueue(
            stream, [=] { sort(key, sorted_key, value, sorted_value, count, from, to, false); });
        return cudaSuccess;
    }
    template <typename K, typename V, typename N>
    static cudaError_t SortPairsDescending(void *scratch, size_t &bytes, const K *key,
                                           K *sorted_key, const V *value, V *sorted_value, N count,
                                           int from = 0, int to = 8 * sizeof(K),
                                           cudaStream_t stream = nullptr)
    {
        EMULATOR_SCRATCH(scratch, bytes)
        emulator::enqueue(
            stream, [=] { sort(key, sorted_key, value, sorted_value, count, from, to, true); });
        return cudaSuccess;
    }
    template <typename K, typename N>
    static cudaError_t SortKeys(void *scratch, size_t &bytes, DoubleBuffer<K> &keys, N count,
                                int from = 0, int to = 8 * sizeof(K), cudaStream_t stream = nullptr)
    {
        EMULATOR_SCRATCH(scratch, bytes)
        K *const key = keys.Current(), *const sorted = keys.Alternate();
        emulator::enqueue(stream, [=] {
            sort(key, sorted, (const char *)nullptr, (char *)nullptr, count, from, to, false);
        });
        keys.selector ^= 1;
        return cudaSuccess;
    }
    template <typename K, typename V, typename N>
    static cudaError_t SortPairs(void *scratch, size_t &bytes, DoubleBuffer<K> &keys,
                                 DoubleBuffer<V> &values, N count, int from = 0,
                                 int to = 8 * sizeof(K), cudaStream_t stream = nullptr)
    {
        const cudaError_t error =
            SortPairs(scratch, bytes, (const K *)keys.Current(), keys.Alternate(),
                      (const V *)values.Current(), values.Alternate(), count, from, to, stream);
        keys.selector ^= scratch != nullptr;
        values.selector ^= scratch != nullptr;
        return error;
    }
};

} // namespace cub

#endif
