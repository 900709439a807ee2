/* Asynchronous copies from device memory to shared memory, which a thread begins and does not wait for. Devices
 * before compute capability 8.0 copy at once. */
#ifndef SEMLA_CUDA_ASYNC_COPIES_CUH
#define SEMLA_CUDA_ASYNC_COPIES_CUH

/* Begins to copy a value of 4 or 8 bytes. */
template <typename T> __device__ inline void begin_copy(T *to, const T *from)
{
    static_assert(sizeof *to == 4 || sizeof *to == 8, "cp.async copies such values");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from), "n"(sizeof *to)
        : "memory");
#else
    *to = *from;
#endif
}

/* Waits until the copies that this thread has begun have completed. */
__device__ inline void await_copies()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

#endif
