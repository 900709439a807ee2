/* Private to the kernels: writes of entries at the same indices (object_kernels.h). */
#ifndef SEMLA_CUDA_ENTRY_WRITES_CUH
#define SEMLA_CUDA_ENTRY_WRITES_CUH

#include "cuda/data/object_kernels.h"
#include "cuda/runtime/common.cuh"

template <typename T> __device__ inline void write_value(const cuda_entry_write &w, uint64_t v)
{
    ((T *)w.to)[v] = w.from    ? ((const T *)w.from)[v]
                     : w.place ? (T)__ldg(w.old_id + w.place[v])
                               : (T)w.one;
}

/* Writes an entry of each vector; other threads may write to the same words of the bitmaps. */
__device__ inline void write_entries(const cuda_entry_writes &writes, uint32_t v)
{
#pragma unroll
    for (unsigned k = 0; k < CUDA_ENTRY_WRITES;
         k++) { /* unrolled, as an index that varies would copy the parameters */
        const cuda_entry_write &w = writes.write[k];
        if (k >= writes.count)
            return;
        if (w.size == 8)
            write_value<uint64_t>(w, v);
        else if (w.size == 4)
            write_value<uint32_t>(w, v);
        else if (w.size == 2)
            write_value<uint16_t>(w, v);
        else
            write_value<uint8_t>(w, v);
        atomicOr(w.bits + v / 32, (uint32_t)1 << (v % 32));
    }
}

#endif
