/* Launches of kernels. */
#include "fibres.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

#include "errors.h"

namespace emulator
{

enum { MOST_SHARED = 227 << 10 };

/* Threads that run the blocks of cooperative kernels, kept from one launch to the next. Never destroyed: they wait for ever. */
class crew
{
  public:
    void run(unsigned blocks, const std::function<void(unsigned)> &block)
    {
        std::unique_lock<std::mutex> held(lock);
        if (process != getpid()) { /* a child of fork() has no threads */
            process = getpid();
            threads = 0;
        }
        for (; threads < blocks; threads++)
            std::thread([this] { serve(); }).detach();
        unsigned left = blocks;
        for (unsigned k = 0; k < blocks; k++)
            jobs.push_back([&, k] {
                block(k);
                std::lock_guard<std::mutex> again(lock);
                if (--left == 0)
                    done.notify_all();
            });
        begun.notify_all();
        done.wait(held, [&] { return left == 0; });
    }

  private:
    void serve()
    {
        std::unique_lock<std::mutex> held(lock);
        for (;;) {
            begun.wait(held, [&] { return !jobs.empty(); });
            const std::function<void()> job = std::move(jobs.back());
            jobs.pop_back();
            held.unlock();
            job();
            held.lock();
        }
    }
    std::mutex lock;
    std::condition_variable begun, done;
    std::vector<std::function<void()>> jobs;
    unsigned threads = 0;
    pid_t process = 0;
};

static void run_cooperative(const launch_shape &shape, unsigned blocks, const work &kernel)
{
    static crew *const all = new crew;
    static std::mutex one_kernel; /* the blocks of two kernels would wait for each other */
    grid g(blocks);
    std::lock_guard<std::mutex> held(one_kernel);
    all->run(blocks, [&](unsigned k) {
        run_block(shape, {k, 0, 0}, kernel, &g);
        g.leave();
    });
}

static void run_blocks(const launch_shape &shape, const work &kernel)
{
    for (unsigned z = 0; z < shape.grid.z; z++)
        for (unsigned y = 0; y < shape.grid.y; y++)
            for (unsigned x = 0; x < shape.grid.x; x++)
                run_block(shape, {x, y, z}, kernel, nullptr);
}

cudaError_t run(const launch_shape &shape, const work &kernel)
{
    const unsigned threads = shape.block.x * shape.block.y * shape.block.z;
    const dim3 blocks = shape.grid;
    if (threads == 0 || threads > MOST_THREADS || blocks.x == 0 || blocks.y == 0 || blocks.z == 0 ||
        shape.shared > MOST_SHARED)
        return fail(cudaErrorInvalidConfiguration);
    enqueue(shape.stream, [=] {
        if (shape.cooperative)
            run_cooperative(shape, blocks.x, kernel);
        else
            run_blocks(shape, kernel);
    });
    return cudaSuccess;
}

/* ---- which kernels run ---- */

/* Adds a line to the file EMULATED_KERNELS, at once: programs end in many ways. */
bool note_run(const char *kernel)
{
    static const char *const path = getenv("EMULATED_KERNELS");
    if (!path || !*path)
        return false;
    FILE *file = fopen(path, "a");
    if (!file || fprintf(file, "%s\n", kernel) < 0 || fclose(file) != 0) {
        fprintf(stderr, "emulator: EMULATED_KERNELS: cannot write %s\n", path);
        abort();
    }
    return true;
}

/* ---- kernels by pointer ---- */

static std::mutex noted_lock;
static std::unordered_map<const void *, kernel_binder> &noted()
{
    static auto *const map = new std::unordered_map<const void *, kernel_binder>;
    return *map;
}

void note_kernel(const void *kernel, kernel_binder bind)
{
    std::lock_guard<std::mutex> held(noted_lock);
    noted()[kernel] = bind;
}

static cudaError_t run_pointer(const void *kernel, const launch_shape &shape, void **arguments)
{
    kernel_binder bind;
    {
        std::lock_guard<std::mutex> held(noted_lock);
        const auto found = noted().find(kernel);
        if (found == noted().end())
            return fail(cudaErrorInvalidDeviceFunction);
        bind = found->second;
    }
    return run(shape, bind(kernel, arguments));
}

} // namespace emulator

extern "C" {

cudaError_t cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    return emulator::run_pointer(kernel, {blocks, threads, shared, stream, false}, arguments);
}
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 blocks, dim3 threads,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    return emulator::run_pointer(kernel, {blocks, threads, shared, stream, true}, arguments);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int, size_t)
{
    *blocks = (int)emulator::setting("EMULATED_RESIDENT", 1);
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int)
{
    return cudaSuccess;
}
/* The code has no clusters of blocks, as that for older devices. */
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *)
{
    *attributes = {};
    attributes->ptxVersion = attributes->binaryVersion = 75;
    attributes->maxThreadsPerBlock = emulator::MOST_THREADS;
    return cudaSuccess;
}
}
