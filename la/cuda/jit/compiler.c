#include "cuda/jit/compiler.h"

#include <dlfcn.h>
#include <nvrtc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cuda/runtime/shared_library.h"

/* ---- the library ----------------------------------------------------------------- */

#define FUNCTIONS(X)                                                                               \
    X(nvrtcVersion)                                                                                \
    X(nvrtcGetErrorString)                                                                         \
    X(nvrtcGetNumSupportedArchs)                                                                   \
    X(nvrtcGetSupportedArchs)                                                                      \
    X(nvrtcCreateProgram)                                                                          \
    X(nvrtcDestroyProgram)                                                                         \
    X(nvrtcAddNameExpression)                                                                      \
    X(nvrtcCompileProgram)                                                                         \
    X(nvrtcGetProgramLogSize)                                                                      \
    X(nvrtcGetProgramLog)                                                                          \
    X(nvrtcGetLoweredName)                                                                         \
    X(nvrtcGetCUBINSize)                                                                           \
    X(nvrtcGetCUBIN)                                                                               \
    X(nvrtcGetPTXSize)                                                                             \
    X(nvrtcGetPTX)

static struct {
#define X(name) __typeof__(&name) name;
    FUNCTIONS(X)
#undef X
} nvrtc;

enum { MOST_ARCHITECTURES = 64, LOG_SHOWN = 320 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char unavailable_reason[256];
static int major, minor, architectures[MOST_ARCHITECTURES], architecture_count;

/* Opens SEMLA_NVRTC, or the first of the usual files. NVRTC opens its helper libraries by name
 * from the same folder. */
static void *open_library(void)
{
    static const char *const usual[] = {"libnvrtc.so." SEMLA_CUDA_MAJOR,
                                        "libnvrtc.so",
                                        SEMLA_CUDA_LIBRARIES "/libnvrtc.so." SEMLA_CUDA_MAJOR,
                                        "/usr/local/cuda/lib64/libnvrtc.so",
                                        "libnvrtc.so.13",
                                        "libnvrtc.so.12"};
    return sl_cuda_open_library("SEMLA_NVRTC", usual, sizeof usual / sizeof *usual);
}

static void open_once(void)
{
    void *library = open_library();
    if (!library) {
        const char *why = dlerror();
        snprintf(unavailable_reason, sizeof unavailable_reason, "NVRTC is not there: %s",
                 why ? why : "no libnvrtc.so");
        return;
    }
    const char *missing = NULL;
#define X(name)                                                                                    \
    void *name##_found = dlsym(library, #name);                                                    \
    memcpy(&nvrtc.name, &name##_found, sizeof nvrtc.name);                                         \
    if (!name##_found)                                                                             \
        missing = #name;
    FUNCTIONS(X)
#undef X
    if (missing) {
        snprintf(unavailable_reason, sizeof unavailable_reason, "NVRTC is too old: it has no %s",
                 missing);
        return;
    }
    nvrtc.nvrtcVersion(&major, &minor);
    if (nvrtc.nvrtcGetNumSupportedArchs(&architecture_count) != NVRTC_SUCCESS ||
        architecture_count > MOST_ARCHITECTURES ||
        nvrtc.nvrtcGetSupportedArchs(architectures) != NVRTC_SUCCESS)
        architecture_count = 0;
}

const char *sl_nvrtc_unavailable_reason(void)
{
    pthread_once(&once, open_once);
    return *unavailable_reason ? unavailable_reason : NULL;
}

/* ---- options ----------------------------------------------------------------------- */

/* The newest architecture up to `architecture` for which this NVRTC compiles, or 0. The driver
 * translates older code for the device. */
static int known_architecture(int architecture)
{
    int best = 0;
    for (int k = 0; k < architecture_count; k++)
        if (architectures[k] <= architecture && architectures[k] > best)
            best = architectures[k];
    return best;
}

/* User code must give the same results as the host's compiler: no fused multiply-add. */
static const char *contraction(const cuda_program *program)
{
    return program->foreign ? "--fmad=false" : "--fmad=true";
}

sl_status sl_nvrtc_options(sl_context *ctx, char *text, size_t room, const cuda_program *program,
                           int architecture)
{
    int known = known_architecture(architecture);
    if (!known)
        return sl_fail(ctx, SL_UNSUPPORTED,
                       "cuda: NVRTC %d.%d cannot compile for compute capability %d", major, minor,
                       architecture);
    snprintf(text, room, "NVRTC %d.%d %s_%d %s\n", major, minor,
             known == architecture ? "sm" : "compute", known, contraction(program));
    return SL_OK;
}

/* ---- compiling --------------------------------------------------------------------- */

static sl_status fault(sl_context *ctx, const char *what, nvrtcResult result)
{
    return sl_fail(ctx, result == NVRTC_ERROR_OUT_OF_MEMORY ? SL_NO_MEMORY : SL_ENGINE_FAULT,
                   "cuda: %s: %s", what, nvrtc.nvrtcGetErrorString(result));
}

/* The compiler's log in one line, shortened to fit in a message. */
static void shorten(char *to, size_t room, const char *log)
{
    size_t length = 0;
    for (; *log && length + 1 < room; log++) {
        bool blank = *log == ' ' || *log == '\n' || *log == '\t';
        if (!blank)
            to[length++] = *log;
        else if (length > 0 && to[length - 1] != ' ')
            to[length++] = ' ';
    }
    to[length] = 0;
}

static sl_status refused(sl_context *ctx, const cuda_program *program, nvrtcProgram made)
{
    char shown[LOG_SHOWN] = "";
    size_t size = 0;
    nvrtc.nvrtcGetProgramLogSize(made, &size);
    char *log = sl_calloc(1, size + 1);
    if (log && nvrtc.nvrtcGetProgramLog(made, log) == NVRTC_SUCCESS) {
        shorten(shown, sizeof shown, log);
        if (ctx->trace)
            fprintf(stderr, "semla: cuda: %s does not compile:\n%s", program->name, log);
    }
    sl_free(log);
    return sl_fail(ctx, program->foreign ? SL_INVALID : SL_ENGINE_FAULT,
                   "cuda: %s does not compile: %s", program->name, shown);
}

/* Copies kernel names and code to the image. */
static sl_status take(sl_context *ctx, cuda_image *image, const cuda_program *program,
                      nvrtcProgram made, bool binary)
{
    const char *lowered[CUDA_PROGRAM_KERNELS];
    nvrtcResult result = NVRTC_SUCCESS;
    *image = (cuda_image){0};
    for (size_t k = 0; k < program->count; k++) {
        result = nvrtc.nvrtcGetLoweredName(made, program->kernels[k], &lowered[k]);
        if (result != NVRTC_SUCCESS)
            return fault(ctx, "nvrtcGetLoweredName", result);
        image->names_size += strlen(lowered[k]) + 1;
    }
    result = binary ? nvrtc.nvrtcGetCUBINSize(made, &image->code_size)
                    : nvrtc.nvrtcGetPTXSize(made, &image->code_size);
    if (result != NVRTC_SUCCESS)
        return fault(ctx, "nvrtcGetCUBINSize", result);
    char *at = image->names = sl_malloc(image->names_size + image->code_size);
    if (!image->names)
        return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory for a program");
    for (size_t k = 0; k < program->count; k++)
        at = stpcpy(at, lowered[k]) + 1;
    image->code = at;
    result = binary ? nvrtc.nvrtcGetCUBIN(made, image->code) : nvrtc.nvrtcGetPTX(made, image->code);
    if (result == NVRTC_SUCCESS)
        return SL_OK;
    sl_cuda_image_free(image);
    return fault(ctx, "nvrtcGetCUBIN", result);
}

static sl_status build(sl_context *ctx, cuda_image *image, const cuda_program *program,
                       nvrtcProgram made, int architecture)
{
    int known = known_architecture(architecture);
    bool binary = known == architecture;
    char target[48];
    snprintf(target, sizeof target, "--gpu-architecture=%s_%d", binary ? "sm" : "compute", known);
    const char *options[] = {target, "--std=c++17", "--device-as-default-execution-space", "-w",
                             contraction(program)};
    nvrtcResult result = NVRTC_SUCCESS;
    for (size_t k = 0; k < program->count && result == NVRTC_SUCCESS; k++)
        result = nvrtc.nvrtcAddNameExpression(made, program->kernels[k]);
    if (result != NVRTC_SUCCESS)
        return fault(ctx, "nvrtcAddNameExpression", result);
    result = nvrtc.nvrtcCompileProgram(made, sizeof options / sizeof *options, options);
    if (result == NVRTC_ERROR_COMPILATION)
        return refused(ctx, program, made);
    if (result != NVRTC_SUCCESS)
        return fault(ctx, "nvrtcCompileProgram", result);
    return take(ctx, image, program, made, binary);
}

sl_status sl_nvrtc_compile(sl_context *ctx, cuda_image *image, const cuda_program *program,
                           int architecture)
{
    enum { MOST_SOURCES = 64 };
    const char *names[MOST_SOURCES], *texts[MOST_SOURCES];
    int count = 0;
    for (; count < MOST_SOURCES && sl_cuda_sources[count].name; count++) {
        names[count] = sl_cuda_sources[count].name;
        texts[count] = sl_cuda_sources[count].text;
    }
    nvrtcProgram made;
    nvrtcResult result =
        nvrtc.nvrtcCreateProgram(&made, program->text, "semla.cu", count, texts, names);
    if (result != NVRTC_SUCCESS)
        return fault(ctx, "nvrtcCreateProgram", result);
    sl_status status = build(ctx, image, program, made, architecture);
    nvrtc.nvrtcDestroyProgram(&made);
    return status;
}
