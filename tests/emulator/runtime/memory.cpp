/* Memory of devices, pinned memory, and memory of other processes. All addresses are those of the host. */
#include "fibres.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

#include "errors.h"
#include "streams.h"

namespace emulator
{

enum memory_kind { POOLED, SHAREABLE, PINNED, OPENED };

struct allocation {
    size_t bytes;
    memory_kind kind;
    int file; /* of SHAREABLE memory, or -1 */
};

/* What travels in a cudaIpcMemHandle_t. */
struct shared_handle {
    pid_t process;
    int file;
    size_t bytes;
};

static std::mutex memory_lock;
/* The pool keeps what is freed: reserved_bytes. most_pool_bytes: in use, since the program last reset it. */
static size_t device_bytes, pool_bytes, reserved_bytes, most_pool_bytes;
static std::map<char *, allocation> &allocations()
{
    static auto *const map = new std::map<char *, allocation>;
    return *map;
}

static size_t all_bytes()
{
    static const size_t bytes = (size_t)setting("EMULATED_MEMORY_MB", 4096) << 20;
    return bytes;
}

static size_t mapped_bytes(size_t bytes)
{
    return bytes ? bytes : 1;
}

static void *map_file(int file, size_t bytes)
{
    void *at = mmap(nullptr, mapped_bytes(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? nullptr : at;
}

/* A file in memory, which other processes can open. */
static void *take_shareable(size_t bytes, int *file)
{
    *file = memfd_create("device memory", MFD_CLOEXEC);
    void *at = *file >= 0 && ftruncate(*file, (off_t)mapped_bytes(bytes)) == 0
                   ? map_file(*file, bytes)
                   : nullptr;
    if (!at && *file >= 0)
        close(*file);
    return at;
}

static cudaError_t take(void **memory, size_t bytes, memory_kind kind)
{
    const bool of_device = kind != PINNED;
    int file = -1;
    std::lock_guard<std::mutex> held(memory_lock);
    *memory = nullptr;
    if (of_device && bytes > all_bytes() - device_bytes)
        return fail(cudaErrorMemoryAllocation);
    *memory = kind == SHAREABLE ? take_shareable(bytes, &file)
                                : aligned_alloc(256, (bytes + 256) / 256 * 256);
    if (!*memory)
        return fail(cudaErrorMemoryAllocation);
    memset(*memory, 0xA5, bytes); /* any contents */
    device_bytes += of_device ? bytes : 0;
    pool_bytes += kind == POOLED ? bytes : 0;
    most_pool_bytes = std::max(most_pool_bytes, pool_bytes);
    reserved_bytes = std::max(reserved_bytes, pool_bytes);
    allocations()[(char *)*memory] = {bytes, kind, file};
    return cudaSuccess;
}

/* Ends an allocation, which no longer counts; what it was. */
static allocation forget(void *memory)
{
    std::lock_guard<std::mutex> held(memory_lock);
    const auto found = allocations().find((char *)memory);
    if (found == allocations().end()) {
        fprintf(stderr, "emulator: memory that was not allocated is freed\n");
        abort();
    }
    const allocation a = found->second;
    allocations().erase(found);
    device_bytes -= a.kind == POOLED || a.kind == SHAREABLE ? a.bytes : 0;
    pool_bytes -= a.kind == POOLED ? a.bytes : 0;
    return a;
}

static void release(void *memory, const allocation &a)
{
    if (a.file >= 0)
        close(a.file);
    if (a.kind == SHAREABLE || a.kind == OPENED)
        munmap(memory, mapped_bytes(a.bytes));
    else
        free(memory);
}

static cudaError_t give_back(void *memory)
{
    if (memory)
        release(memory, forget(memory));
    return cudaSuccess;
}

/* The allocation in which an address lies, or none. */
static const allocation *allocation_of(const void *address)
{
    auto next = allocations().upper_bound((char *)address);
    if (next == allocations().begin())
        return nullptr;
    --next;
    return (const char *)address < next->first + next->second.bytes ? &next->second : nullptr;
}

static bool is_pageable(const void *address)
{
    std::lock_guard<std::mutex> held(memory_lock);
    return !allocation_of(address);
}

} // namespace emulator

using namespace emulator;

extern "C" {

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    return take(memory, bytes, SHAREABLE);
}
cudaError_t cudaMallocFromPoolAsync(void **memory, size_t bytes, cudaMemPool_t, cudaStream_t)
{
    return take(memory, bytes, POOLED);
}
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t)
{
    return take(memory, bytes, POOLED);
}
cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    return take(memory, bytes, PINNED);
}
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned)
{
    return take(memory, bytes, PINNED);
}
cudaError_t cudaFree(void *memory)
{
    finish_all();
    return give_back(memory);
}
/* It counts as free at once, and is freed in the order of the stream. */
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    if (memory)
        enqueue(stream, [memory, a = forget(memory)] { release(memory, a); });
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void *memory)
{
    return give_back(memory);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *bytes)
{
    std::lock_guard<std::mutex> held(memory_lock);
    *bytes = all_bytes();
    const size_t taken = device_bytes - pool_bytes + reserved_bytes;
    *free_bytes = taken < all_bytes() ? all_bytes() - taken : 0;
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *)
{
    *pool = (cudaMemPool_t)&pool_bytes;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int)
{
    return cudaMemPoolCreate(pool, nullptr);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t)
{
    std::lock_guard<std::mutex> held(memory_lock);
    reserved_bytes = pool_bytes;
    return cudaSuccess;
}
/* The most bytes in use are counted from the present ones again. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr attribute, void *)
{
    std::lock_guard<std::mutex> held(memory_lock);
    if (attribute == cudaMemPoolAttrUsedMemHigh)
        most_pool_bytes = pool_bytes;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr attribute, void *value)
{
    std::lock_guard<std::mutex> held(memory_lock);
    *(uint64_t *)value = attribute == cudaMemPoolAttrUsedMemHigh          ? most_pool_bytes
                         : attribute == cudaMemPoolAttrReservedMemCurrent ? reserved_bytes
                                                                          : pool_bytes;
    return cudaSuccess;
}

/* A copy to or from memory that is not pinned is done when the call returns. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream)
{
    enqueue(stream, [=] { memmove(to, from, bytes); });
    if (is_pageable(to) || is_pageable(from))
        finish(stream);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    finish_all();
    memmove(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    enqueue(stream, [=] { memset(to, value, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, nullptr);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *address)
{
    std::lock_guard<std::mutex> held(memory_lock);
    const allocation *a = allocation_of(address);
    *attributes = {};
    attributes->type = !a                  ? cudaMemoryTypeUnregistered
                       : a->kind == PINNED ? cudaMemoryTypeHost
                                           : cudaMemoryTypeDevice;
    attributes->devicePointer = a ? (void *)address : nullptr;
    return cudaSuccess;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory)
{
    std::lock_guard<std::mutex> held(memory_lock);
    const auto found = allocations().find((char *)memory);
    if (found == allocations().end() || found->second.kind != SHAREABLE)
        return fail(cudaErrorInvalidValue);
    const shared_handle shared = {getpid(), found->second.file, found->second.bytes};
    *handle = {};
    memcpy(handle, &shared, sizeof shared);
    return cudaSuccess;
}
cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned)
{
    shared_handle shared;
    char path[64];
    memcpy(&shared, &handle, sizeof shared);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", shared.process, shared.file);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    *memory = file >= 0 ? map_file(file, shared.bytes) : nullptr;
    if (file >= 0)
        close(file);
    if (!*memory)
        return fail(cudaErrorMapBufferObjectFailed);
    std::lock_guard<std::mutex> held(memory_lock);
    allocations()[(char *)*memory] = {shared.bytes, OPENED, -1};
    return cudaSuccess;
}
cudaError_t cudaIpcCloseMemHandle(void *memory)
{
    return give_back(memory);
}
}
