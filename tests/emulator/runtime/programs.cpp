/* Kernels compiled at run time: shared libraries, as nvrtc.cpp makes them. */
#include "fibres.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "errors.h"

/* Such a kernel is a function that binds the kernel to its arguments. */
static emulator::work bind_compiled(const void *kernel, void **arguments)
{
    emulator::work bound;
    ((void (*)(void **, emulator::work *))kernel)(arguments, &bound);
    return bound;
}

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, cudaJitOption *, void **,
                                unsigned, cudaLibraryOption *, void **, unsigned)
{
    Elf64_Ehdr header;
    memcpy(&header, code, SELFMAG);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return emulator::fail(cudaErrorInvalidKernelImage);
    memcpy(&header, code, sizeof header);
    if (header.e_machine != EM_X86_64) /* code for GPUs, by NVIDIA's NVRTC */
        return emulator::fail(cudaErrorInvalidKernelImage);
    const size_t bytes = header.e_shoff + (size_t)header.e_shnum *
                                              header.e_shentsize; /* section headers come last */
    /* The file stays open: the loader takes libraries of one path for one library. */
    const int file = memfd_create("kernels", 0);
    if (file < 0 || write(file, code, bytes) != (ssize_t)bytes)
        return emulator::fail(cudaErrorMemoryAllocation);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), file);
    *library = (cudaLibrary_t)dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (*library)
        return cudaSuccess;
    fprintf(stderr, "emulator: %s\n", dlerror());
    close(file);
    return emulator::fail(cudaErrorInvalidKernelImage);
}
cudaError_t cudaLibraryUnload(cudaLibrary_t)
{
    return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    void *found = dlsym((void *)library, name);
    if (!found)
        return emulator::fail(cudaErrorSymbolNotFound);
    emulator::note_kernel(found, bind_compiled);
    *kernel = (cudaKernel_t)found;
    return cudaSuccess;
}
}
