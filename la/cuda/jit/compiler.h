/* NVRTC, CUDA's run-time compiler, opened on first use. */
#ifndef SEMLA_CUDA_COMPILER_H
#define SEMLA_CUDA_COMPILER_H

#include "cuda/jit/program.h"

/* A file that programs may include. */
typedef struct {
    const char *name, *text;
} cuda_source;
/* the library's own kernel sources; the last has no name */
extern const cuda_source sl_cuda_sources[];

/* Result of a compilation: code for cudaLibraryLoadData, and the names of its kernels, one
 * string after another in the program's order. One block from sl_malloc, `names`. */
typedef struct {
    char *names;
    size_t names_size;
    void *code;
    size_t code_size;
    bool cached; /* the image came from the cache */
} cuda_image;
void sl_cuda_image_free(cuda_image *image);

/* Why NVRTC cannot be used, or NULL. The file is SEMLA_NVRTC, or found by the dynamic loader or
 * in the CUDA folder of the build. Determined once. */
const char *sl_nvrtc_unavailable_reason(void);

/*
 * Everything besides the program's text and the sources that determines the result: NVRTC's version
 * and options, in one line. architecture: 90 for compute capability 9.0. SL_UNSUPPORTED if this
 * NVRTC cannot compile for the device.
 */
sl_status sl_nvrtc_options(sl_context *ctx, char *text, size_t room, const cuda_program *program,
                           int architecture);

/* Compiles a program. SL_INVALID with the compiler's log if user code does not compile,
 * SL_ENGINE_FAULT if the library's own code does not, SL_NO_MEMORY. */
sl_status sl_nvrtc_compile(sl_context *ctx, cuda_image *image, const cuda_program *program,
                           int architecture);

#endif
