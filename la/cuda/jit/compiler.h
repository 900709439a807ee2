/* NVRTC, the compiler of kernels, which is opened when it is first needed. */
#ifndef SEMLA_CUDA_COMPILER_H
#define SEMLA_CUDA_COMPILER_H

#include "program.h"

/* A file that programs may include. */
typedef struct {
    const char *name, *text;
} cuda_source;
extern const cuda_source sl_cuda_sources[]; /* of this library; no name at the end */

/* What compiling gives: code for cudaLibraryLoadData, and its kernels' names there, one
 * string after another in the program's order. One block, from sl_malloc: `names`. */
typedef struct {
    char *names;
    size_t names_size;
    void *code;
    size_t code_size;
    bool cached; /* it was not compiled now */
} cuda_image;
void sl_cuda_image_free(cuda_image *image);

/* Why there is no NVRTC, or NULL. SEMLA_NVRTC=FILE names it; else it is looked for where
 * the loader looks and where CUDA was when this library was built. Asked for once. */
const char *sl_nvrtc_unavailable_reason(void);

/*
 * All that besides the program's text and the sources decides what compiling gives:
 * NVRTC's version and its options, in one line. `architecture`: 90 for compute
 * capability 9.0. SL_UNSUPPORTED where this NVRTC compiles for no such device.
 */
sl_status sl_nvrtc_options(sl_context *ctx, char *text, size_t room, const cuda_program *program,
                           int architecture);

/*
 * Compiles for an architecture. SL_INVALID with the compiler's words where a user's text
 * does not compile, SL_ENGINE_FAULT where the library's own does not, SL_NO_MEMORY.
 */
sl_status sl_nvrtc_compile(sl_context *ctx, cuda_image *image, const cuda_program *program,
                           int architecture);

#endif
