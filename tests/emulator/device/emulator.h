/*
 * Included before every source of the CUDA engine that the emulator compiles: CUDA's words, thread indices,
 * barriers, and launches.
 */
#ifndef SEMLA_EMULATOR_H
#define SEMLA_EMULATOR_H

#include <cuda_runtime_api.h>
#include <vector_functions.h>
#include <vector_types.h>

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __forceinline__
#undef __launch_bounds__
#undef __grid_constant__
#define __global__
#define __device__
#define __host__
/* The blocks that are alive at the same time run in different threads. */
#define __shared__ static thread_local
/* A variable of a thread that kernels read often: without a call. */
#define EMULATOR_LOCAL  thread_local __attribute__((tls_model("initial-exec")))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __restrict__ __restrict

namespace emulator
{

struct fibre;
/* The thread that runs, and its indices. */
extern EMULATOR_LOCAL fibre *self;
uint3 thread_index();
unsigned lane();
/* The dynamic shared memory of the block. */
extern EMULATOR_LOCAL void *dynamic_shared;

/* How the threads of a barrier vote. */
enum vote { NO_VOTE, VOTE_OR, VOTE_AND, VOTE_COUNT };
int block_barrier(vote kind, bool yes);
void grid_barrier();
/* Lets other threads run: for loops that wait for them. */
void pause();
unsigned long long nanoseconds();

/* ---- launches ---- */

struct launch_shape {
    dim3 grid, block;
    size_t shared = 0;
    cudaStream_t stream = nullptr;
    bool cooperative = false;
};
/* Work of a stream: done at once, or later in the order of the stream (streams.h). It has copies of its arguments. */
typedef std::function<void()> work;
void enqueue(cudaStream_t stream, const work &work);
/* Runs `kernel` in each thread. */
cudaError_t run(const launch_shape &shape, const work &kernel);

/* kernel<<<...>>>(arguments) becomes launch({...}, [=](auto... a) { kernel(a...); }, arguments). */
template <typename F, typename... A>
void launch(const launch_shape &shape, F kernel, const A &...arguments)
{
    run(shape, [=] { kernel(arguments...); });
}

/* The first statement of every kernel of the library: notes that it runs (EMULATED_KERNELS). */
bool note_run(const char *kernel);

/* Kernels are also launched by untyped pointers, with an array of pointers to the arguments: they
 * are bound to copies of these. */
typedef work (*kernel_binder)(const void *kernel, void **arguments);
void note_kernel(const void *kernel, kernel_binder bind);

template <typename... A, size_t... K>
work bind_with(void (*kernel)(A...), void **arguments, std::index_sequence<K...>)
{
    const auto copies = std::make_tuple(*(std::remove_cv_t<A> *)arguments[K]...);
    return [=] { std::apply(kernel, copies); };
}
template <typename... A> work bind_kernel(void (*kernel)(A...), void **arguments)
{
    return bind_with(kernel, arguments, std::index_sequence_for<A...>());
}
template <typename... A> work bind_pointer(const void *kernel, void **arguments)
{
    return bind_kernel((void (*)(A...))kernel, arguments);
}

/* (const void *)x becomes untyped(x). */
template <typename... A> const void *untyped(void (*kernel)(A...))
{
    note_kernel((const void *)kernel, bind_pointer<A...>);
    return (const void *)kernel;
}
template <typename T> const void *untyped(T *object)
{
    return object;
}

} // namespace emulator

#define threadIdx (emulator::thread_index())
extern EMULATOR_LOCAL uint3 blockIdx;
extern EMULATOR_LOCAL dim3 blockDim, gridDim;

static inline void __syncthreads()
{
    emulator::block_barrier(emulator::NO_VOTE, false);
}
static inline int __syncthreads_or(int yes)
{
    return emulator::block_barrier(emulator::VOTE_OR, yes != 0);
}
static inline int __syncthreads_and(int yes)
{
    return emulator::block_barrier(emulator::VOTE_AND, yes != 0);
}
static inline int __syncthreads_count(int yes)
{
    return emulator::block_barrier(emulator::VOTE_COUNT, yes != 0);
}
static inline void __nanosleep(unsigned)
{
    emulator::pause();
}

/* ---- functions of the runtime that take kernels by type ---- */

template <typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(A...),
                               std::common_type_t<A>... arguments)
{
    const emulator::launch_shape shape = {config->gridDim, config->blockDim,
                                          config->dynamicSmemBytes, config->stream, true};
    return emulator::run(shape, [=] { kernel(arguments...); });
}
template <typename... A>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(A...), dim3 blocks, dim3 threads,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    return cudaLaunchCooperativeKernel(emulator::untyped(kernel), blocks, threads, arguments,
                                       shared, stream);
}
template <typename... A>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(A...))
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <typename... A>
cudaError_t cudaFuncSetAttribute(void (*kernel)(A...), cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <typename... A>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(A...),
                                                          int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         shared);
}
template <typename... A>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, void (*)(A...),
                                                 const cudaLaunchConfig_t *)
{
    *blocks = 1;
    return cudaSuccess;
}

#include "atomics.h"
#include "numbers.h"
#include "warps.h"

#endif
