/* Opens cuSPARSE and translates its errors. */
#include "cuda/products/cusparse_products.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "cuda/products/cusparse_calls.h"
#include "cuda/runtime/shared_library.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cuda_cusparse library; /* handle NULL: not available */

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define FILE_NAME  "libcusparse.so." TEXT(CUSPARSE_VER_MAJOR)

static void *open_library(void)
{
    static const char *const usual[] = {FILE_NAME, SEMLA_CUDA_LIBRARIES "/" FILE_NAME,
                                        "/usr/local/cuda/lib64/" FILE_NAME};
    return sl_cuda_open_library("SEMLA_CUSPARSE", usual, sizeof usual / sizeof *usual);
}

static void open_once(void)
{
    void *opened = open_library();
    if (!opened)
        return;
#define X(name)                                                                                    \
    void *name##_found = dlsym(opened, #name);                                                     \
    memcpy(&library.name, &name##_found, sizeof library.name);                                     \
    if (!name##_found)                                                                             \
        return;
    CUSPARSE_FUNCTIONS(X)
#undef X
    cusparseHandle_t made;
    if (library.cusparseCreate(&made) == CUSPARSE_STATUS_SUCCESS &&
        library.cusparseSetStream(made, cuda_stream()) == CUSPARSE_STATUS_SUCCESS)
        library.handle = made;
}

const cuda_cusparse *sl_cuda_cusparse(void)
{
    pthread_once(&once, open_once);
    return library.handle ? &library : NULL;
}

sl_status sl_cuda_cusparse_status(const cuda_scratch *s, const char *what, cusparseStatus_t status)
{
    bool memory =
        status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
    if (status == CUSPARSE_STATUS_SUCCESS)
        return SL_OK;
    return sl_fail(s->call->ctx, memory ? SL_NO_MEMORY : SL_ENGINE_FAULT, "cuda: %s: %s", what,
                   library.cusparseGetErrorString(status));
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void sl_cuda_cusparse_lock(void)
{
    pthread_mutex_lock(&lock);
}

void sl_cuda_cusparse_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
