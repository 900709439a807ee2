/* Opens libraries of the CUDA toolkit on first use. */
#ifndef SEMLA_CUDA_SHARED_LIBRARY_H
#define SEMLA_CUDA_SHARED_LIBRARY_H

#include <stddef.h>

/* Opens the file that the environment variable names (secure_getenv), or if that is not set or
 * empty the first of the `usual` names that exists. NULL on failure, see dlerror. */
void *sl_cuda_open_library(const char *variable, const char *const *usual, size_t count);

#endif
