/*
 * Compiled programs, kept on disk by content: an entry is a file named by a hash of its
 * key, the text that decides what compiling gives. The key stands in the entry too and is
 * compared, so that the hash need not be a strong one; a checksum tells of damage. Files
 * appear whole, by rename, whoever else writes the same.
 */
#ifndef SEMLA_CUDA_CACHE_H
#define SEMLA_CUDA_CACHE_H

#include "compiler.h"

/* From the environment, each time it is asked: SEMLA_CACHE_DIR=FOLDER; without that
 * $XDG_CACHE_HOME/semla or ~/.cache/semla, or no folder where neither is set. */
typedef struct {
    bool off;          /* SEMLA_CACHE_DIR is "off" or empty: nothing may be compiled */
    char folder[4096]; /* "": keep nothing */
} cuda_cache;
void sl_cuda_cache_find(cuda_cache *cache);

typedef enum { CUDA_CACHE_HIT, CUDA_CACHE_MISS, CUDA_CACHE_DAMAGED } cuda_cache_answer;

/* Reads the entry of a key. An entry that another key has the name of is a miss. */
cuda_cache_answer sl_cuda_cache_read(const cuda_cache *cache, const char *key, size_t key_size,
                                     cuda_image *image);

/* Writes it, making the folder if need be: 0, or the errno of what failed. */
int sl_cuda_cache_write(const cuda_cache *cache, const char *key, size_t key_size,
                        const cuda_image *image);

/*
 * The image of a program, from the cache or compiled, which then is kept there if that
 * can be. SEMLA_TRACE=dispatch tells which, and why it could not be kept.
 * SL_UNSUPPORTED where SEMLA_CACHE_DIR forbids compiling or there is no NVRTC, and the
 * failures of sl_nvrtc_compile.
 */
sl_status sl_cuda_image_of(sl_context *ctx, cuda_image *image, const cuda_program *program,
                           int architecture);

/* Why sl_cuda_image_of would fail whatever the program is, or NULL. */
const char *sl_cuda_cannot_compile(void);

#endif
