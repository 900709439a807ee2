/* The image of a program: from the cache, or compiled and added to the cache. */
#include <stdio.h>
#include <string.h>

#include "cuda/jit/cache.h"
#include "cuda/runtime/device.h"

const char *sl_cuda_cannot_compile(void)
{
    cuda_cache cache;
    sl_cuda_cache_find(&cache);
    return cache.off ? "SEMLA_CACHE_DIR forbids compiling" : sl_nvrtc_unavailable_reason();
}

/* The cache key: options, program text, kernel names, and the sources that the text may include. */
static char *key_of(const cuda_program *program, const char *options, size_t *size)
{
    *size = strlen(options) + program->length;
    for (size_t k = 0; k < program->count; k++)
        *size += strlen(program->kernels[k]) + 1;
    for (const cuda_source *source = sl_cuda_sources; source->name; source++)
        *size += strlen(source->text);
    char *key = sl_malloc(*size + 1), *at = key;
    if (!key)
        return NULL;
    at = stpcpy(stpcpy(at, options), program->text);
    for (size_t k = 0; k < program->count; k++)
        at = stpcpy(stpcpy(at, program->kernels[k]), "\n");
    for (const cuda_source *source = sl_cuda_sources; source->name; source++)
        at = stpcpy(at, source->text);
    return key;
}

static void tell(const sl_context *ctx, const cuda_program *program, const char *what,
                 double seconds)
{
    if (ctx->trace)
        fprintf(stderr, "semla: cuda: %s %s: %s, %.1f ms\n", program->name, program->kernels[0],
                what, 1e3 * seconds);
}

static void keep(sl_context *ctx, const cuda_cache *cache, const cuda_program *program,
                 const char *key, size_t key_size, const cuda_image *image)
{
    if (!*cache->folder)
        return;
    int failed = sl_cuda_cache_write(cache, key, key_size, image);
    if (failed && ctx->trace)
        fprintf(stderr, "semla: cuda: %s is not kept in %s: %s\n", program->name, cache->folder,
                strerror(failed));
}

static sl_status of_key(sl_context *ctx, const cuda_cache *cache, cuda_image *image,
                        const cuda_program *program, const char *key, size_t key_size,
                        int architecture)
{
    double started = sl_seconds();
    cuda_cache_answer answer = sl_cuda_cache_read(cache, key, key_size, program->count, image);
    if (answer == CUDA_CACHE_HIT) {
        image->cached = true;
        tell(ctx, program, "read from the cache", sl_seconds() - started);
        return SL_OK;
    }
    CUDA_TRY(sl_nvrtc_compile(ctx, image, program, architecture));
    tell(ctx, program,
         answer == CUDA_CACHE_DAMAGED   ? "compiled, as its entry in the cache is damaged"
         : answer == CUDA_CACHE_FOREIGN ? "compiled, as others could write its entry in the cache"
                                        : "compiled",
         sl_seconds() - started);
    keep(ctx, cache, program, key, key_size, image);
    return SL_OK;
}

sl_status sl_cuda_image_of(sl_context *ctx, cuda_image *image, const cuda_program *program,
                           int architecture)
{
    const char *cannot = sl_cuda_cannot_compile();
    char options[128];
    cuda_cache cache;
    size_t size;
    *image = (cuda_image){0};
    if (cannot)
        return sl_fail(ctx, SL_UNSUPPORTED, "cuda: a kernel must be compiled for %s: %s",
                       program->name, cannot);
    sl_cuda_cache_find(&cache);
    CUDA_TRY(sl_nvrtc_options(ctx, options, sizeof options, program, architecture));
    char *key = key_of(program, options, &size);
    if (!key)
        return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory for a program");
    sl_status status = of_key(ctx, &cache, image, program, key, size, architecture);
    sl_free(key);
    return status;
}
