/*
 * Launches of kernels on the device's stream. Each function returns the error of the launch.
 */
#ifndef SEMLA_CUDA_LAUNCH_CUH
#define SEMLA_CUDA_LAUNCH_CUH

#include <limits.h>

#include <type_traits>

#include "cuda/runtime/current_device.h"
#include "cuda/runtime/kernels.h"

/* Returns from the calling function if a launch fails. */
#define LAUNCH_TRY(call)                                                                           \
    do {                                                                                           \
        const cudaError_t try_error_ = (call);                                                     \
        if (try_error_ != cudaSuccess)                                                             \
            return try_error_;                                                                     \
    } while (0)

/* Blocks of CUDA_THREADS threads for so many threads, at most `most` and at least one. */
static inline unsigned grid_of(uint64_t threads, unsigned most)
{
    uint64_t blocks = (threads + CUDA_THREADS - 1) / CUDA_THREADS;
    return blocks < 1 ? 1 : blocks < most ? (unsigned)blocks : most;
}

/* Blocks whose threads stride over the work of so many threads. */
static inline unsigned blocks_for(uint64_t threads)
{
    return grid_of(threads, cuda_processors() * CUDA_BLOCKS_PER_SM);
}

struct launch_shape {
    dim3 blocks;
    unsigned threads = CUDA_THREADS; /* of a block */
    size_t shared = 0;               /* bytes of dynamic shared memory of a block */
};

template <typename... A>
[[nodiscard]] static inline cudaError_t
launch_blocks(const launch_shape &shape, void (*kernel)(A...), std::common_type_t<A>... arguments)
{
    kernel<<<shape.blocks, shape.threads, shape.shared, cuda_stream()>>>(arguments...);
    return cudaGetLastError();
}

/* Launches a kernel whose threads stride over the work of so many threads. */
template <typename... A>
[[nodiscard]] static inline cudaError_t launch(uint64_t threads, void (*kernel)(A...),
                                               std::common_type_t<A>... arguments)
{
    return launch_blocks({blocks_for(threads)}, kernel, arguments...);
}

/* Launches a kernel compiled at run time; `arguments` are pointers to its arguments. */
[[nodiscard]] static inline cudaError_t launch_compiled(const launch_shape &shape,
                                                        const void *kernel, const void **arguments)
{
    return cudaLaunchKernel(kernel, shape.blocks, shape.threads, (void **)arguments, shape.shared,
                            cuda_stream());
}

/* Launches `made`, a kernel compiled at run time, or `kernel` if that is NULL. */
template <typename... A>
[[nodiscard]] static inline cudaError_t launch_made(const launch_shape &shape, const void *made,
                                                    void (*kernel)(A...),
                                                    std::common_type_t<A>... arguments)
{
    const void *pointers[] = {&arguments...};
    return made ? launch_compiled(shape, made, pointers)
                : launch_blocks(shape, kernel, arguments...);
}

/* Launches a cooperative kernel. */
template <typename... A>
[[nodiscard]] static inline cudaError_t launch_cooperative(const launch_shape &shape,
                                                           void (*kernel)(A...),
                                                           std::common_type_t<A>... arguments)
{
    void *pointers[] = {(void *)&arguments...};
    return cudaLaunchCooperativeKernel((const void *)kernel, shape.blocks, shape.threads, pointers,
                                       shape.shared, cuda_stream());
}

struct resident_shape {
    unsigned threads;               /* of a block */
    unsigned most_blocks = INT_MAX; /* on each multiprocessor */
};

/* Launches a cooperative kernel with as many blocks as run at the same time. */
template <typename... A>
[[nodiscard]] static inline cudaError_t launch_resident(const resident_shape &shape,
                                                        void (*kernel)(A...),
                                                        std::common_type_t<A>... arguments)
{
    int fit = 0;
    LAUNCH_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, (int)shape.threads, 0));
    const unsigned blocks = (unsigned)fit < shape.most_blocks ? (unsigned)fit : shape.most_blocks;
    return launch_cooperative({blocks * cuda_processors(), shape.threads}, kernel, arguments...);
}

#endif
