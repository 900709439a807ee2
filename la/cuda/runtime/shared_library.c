#include "cuda/runtime/shared_library.h"

#include <dlfcn.h>
#include <stdlib.h>

void *sl_cuda_open_library(const char *variable, const char *const *usual, size_t count)
{
    void *library = NULL;
    const char *named = secure_getenv(variable);
    if (named && *named)
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    for (size_t k = 0; k < count && !library; k++)
        library = dlopen(usual[k], RTLD_NOW | RTLD_LOCAL);
    return library;
}
