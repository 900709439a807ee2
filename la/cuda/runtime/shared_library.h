/* Libraries of the CUDA toolkit that are opened when they are first needed. */
#ifndef SEMLA_CUDA_SHARED_LIBRARY_H
#define SEMLA_CUDA_SHARED_LIBRARY_H

#include <stddef.h>

/* The file that somebody has `named`, and no other; where that is NULL or empty the first of
 * `usual` that there is. NULL: none, and dlerror tells why. */
void *sl_cuda_open_library(const char *named, const char *const *usual, size_t count);

#endif
