/* Libraries of the CUDA toolkit that are opened when they are first needed. */
#ifndef SEMLA_CUDA_SHARED_LIBRARY_H
#define SEMLA_CUDA_SHARED_LIBRARY_H

#include <stddef.h>

/* The file that the environment's `variable` names, and no other; where it names none the
 * first of `usual` that there is. NULL: none, and dlerror tells why. */
void *sl_cuda_open_library(const char *variable, const char *const *usual, size_t count);

#endif
