/*
 * Compiled programs, kept on disk. An entry is a file named by a hash of its key: the text that
 * determines the result of the compilation. The entry contains the key, which is compared, so the
 * hash need not be cryptographic, and a checksum against damage. Files are created under a
 * temporary name and renamed, so processes that write the same entry do not disturb each other.
 *
 * The GPU executes an entry, and others may be able to write to the folder. So an entry is read
 * only if it is a regular file, not a link, that belongs to the effective user and that no other
 * user may write. A process with more privileges than its caller (setuid) reads no environment and
 * keeps nothing.
 */
#ifndef SEMLA_CUDA_CACHE_H
#define SEMLA_CUDA_CACHE_H

#include "cuda/jit/compiler.h"

/* Read from the environment each time (secure_getenv): SEMLA_CACHE_DIR=FOLDER, else
 * $XDG_CACHE_HOME/semla, else ~/.cache/semla; no folder if none is set. */
typedef struct {
    bool off;          /* SEMLA_CACHE_DIR is "off" or empty: nothing is compiled */
    char folder[4096]; /* "": nothing is kept */
} cuda_cache;
void sl_cuda_cache_find(cuda_cache *cache);

typedef enum {
    CUDA_CACHE_HIT,
    CUDA_CACHE_MISS,
    CUDA_CACHE_DAMAGED,
    CUDA_CACHE_FOREIGN /* no regular file, or another user owns it or may write it */
} cuda_cache_answer;

/* Reads the entry of a key, with the names of `kernels` kernels. An entry with the same hash but
 * another key is a miss. */
cuda_cache_answer sl_cuda_cache_read(const cuda_cache *cache, const char *key, size_t key_size,
                                     size_t kernels, cuda_image *image);

/* Writes an entry with mode 0600, creating the folder if necessary. Returns 0 or an errno. */
int sl_cuda_cache_write(const cuda_cache *cache, const char *key, size_t key_size,
                        const cuda_image *image);

/*
 * The image of a program, from the cache, or compiled and added to the cache if possible.
 * SEMLA_TRACE=dispatch shows which, and why it could not be kept. SL_UNSUPPORTED if SEMLA_CACHE_DIR
 * is "off" or there is no NVRTC; otherwise as sl_nvrtc_compile.
 */
sl_status sl_cuda_image_of(sl_context *ctx, cuda_image *image, const cuda_program *program,
                           int architecture);

/* Why sl_cuda_image_of would fail for every program, or NULL. */
const char *sl_cuda_cannot_compile(void);

#endif
