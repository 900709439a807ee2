#include "library.h"

#include <cusparse.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "shared_library.h"

/* ---- the library ------------------------------------------------------------------ */

#define FUNCTIONS(X)                                                                               \
    X(cusparseCreate)                                                                              \
    X(cusparseSetStream)                                                                           \
    X(cusparseGetErrorString)                                                                      \
    X(cusparseCreateCsr)                                                                           \
    X(cusparseDestroySpMat)                                                                        \
    X(cusparseCreateDnVec)                                                                         \
    X(cusparseDnVecSetValues)                                                                      \
    X(cusparseDestroyDnVec)                                                                        \
    X(cusparseSpMV_bufferSize)                                                                     \
    X(cusparseSpMV_preprocess)                                                                     \
    X(cusparseSpMV)

static struct {
#define X(name) __typeof__(&name) name;
    FUNCTIONS(X)
#undef X
} cusparse;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cusparseHandle_t handle; /* NULL: cuSPARSE is not there */

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
#define FILE_NAME  "libcusparse.so." TEXT(CUSPARSE_VER_MAJOR)

static void *open_library(void)
{
    static const char *const usual[] = {FILE_NAME, SEMLA_CUDA_LIBRARIES "/" FILE_NAME,
                                        "/usr/local/cuda/lib64/" FILE_NAME};
    return sl_cuda_open_library(getenv("SEMLA_CUSPARSE"), usual, sizeof usual / sizeof *usual);
}

static void look(void)
{
    void *library = open_library();
    if (!library)
        return;
#define X(name)                                                                                    \
    void *name##_found = dlsym(library, #name);                                                    \
    memcpy(&cusparse.name, &name##_found, sizeof cusparse.name);                                   \
    if (!name##_found)                                                                             \
        return;
    FUNCTIONS(X)
#undef X
    cusparseHandle_t made;
    if (cusparse.cusparseCreate(&made) == CUSPARSE_STATUS_SUCCESS &&
        cusparse.cusparseSetStream(made, cuda_stream()) == CUSPARSE_STATUS_SUCCESS)
        handle = made;
}

static sl_status check(const cuda_scratch *s, const char *what, cusparseStatus_t status)
{
    bool memory =
        status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES;
    if (status == CUSPARSE_STATUS_SUCCESS)
        return SL_OK;
    return sl_fail(s->call->ctx, memory ? SL_NO_MEMORY : SL_ENGINE_FAULT, "cuda: %s: %s", what,
                   cusparse.cusparseGetErrorString(status));
}
#define CUSPARSE_TRY(function, ...) CUDA_TRY(check(s, #function, cusparse.function(__VA_ARGS__)))

/* ---- what is kept with a matrix ------------------------------------------------------ */

struct cuda_prepared {
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t x, y;
    void *buffer;
    uint32_t *start; /* as M->start, in the 32 bits that go with 32-bit columns */
    uint32_t *rows;  /* bits: rows that have entries */
};

void sl_cuda_free_prepared(struct cuda_prepared *prepared)
{
    if (!prepared)
        return;
    if (prepared->A)
        cusparse.cusparseDestroySpMat(prepared->A);
    if (prepared->x)
        cusparse.cusparseDestroyDnVec(prepared->x);
    if (prepared->y)
        cusparse.cusparseDestroyDnVec(prepared->y);
    sl_cuda_free(prepared->buffer);
    sl_cuda_free(prepared->start);
    sl_cuda_free(prepared->rows);
    sl_free(prepared);
}

/* 1 and 0 of the product's type, which cuSPARSE takes by pointers. */
typedef struct {
    double one, zero;
    float one32, zero32;
    cudaDataType type;
} factors;

static factors factors_of(const cuda_product *p)
{
    return (factors){1, 0, 1, 0, p->type == SL_FP64 ? CUDA_R_64F : CUDA_R_32F};
}
static const void *one(const factors *f)
{
    return f->type == CUDA_R_64F ? (const void *)&f->one : (const void *)&f->one32;
}
static const void *zero(const factors *f)
{
    return f->type == CUDA_R_64F ? (const void *)&f->zero : (const void *)&f->zero32;
}

static sl_status fill(cuda_scratch *s, struct cuda_prepared *to, const cuda_product *p,
                      cuda_matrix *M, uint64_t columns)
{
    sl_context *ctx = s->call->ctx;
    factors f = factors_of(p);
    size_t bytes = 0;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&to->start, (p->rows + 1) * sizeof *to->start));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&to->rows, cuda_words(p->rows) * sizeof *to->rows));
    CUDA_TRY(cuda_launched(s, "kernel narrow",
                           sl_cuda_narrow(to->start, M->start, p->rows + 1, cuda_stream())));
    CUDA_TRY(cuda_launched(
        s, "kernel rows_there",
        sl_cuda_rows_there(to->rows, M->start, p->rows, cuda_processors(), cuda_stream())));
    CUSPARSE_TRY(cusparseCreateCsr, &to->A, (int64_t)p->rows, (int64_t)columns, (int64_t)M->nnz,
                 to->start, M->index, M->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_BASE_ZERO, f.type);
    CUSPARSE_TRY(cusparseCreateDnVec, &to->x, (int64_t)columns, (void *)p->u_values, f.type);
    CUSPARSE_TRY(cusparseCreateDnVec, &to->y, (int64_t)p->rows, p->t_values, f.type);
    CUSPARSE_TRY(cusparseSpMV_bufferSize, handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(&f), to->A,
                 to->x, zero(&f), to->y, f.type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    CUDA_TRY(sl_cuda_alloc(ctx, &to->buffer, bytes));
    CUSPARSE_TRY(cusparseSpMV_preprocess, handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(&f), to->A,
                 to->x, zero(&f), to->y, f.type, CUSPARSE_SPMV_ALG_DEFAULT, to->buffer);
    return SL_OK;
}

static sl_status prepare(cuda_scratch *s, const cuda_product *p, cuda_matrix *M, uint64_t columns)
{
    if (M->prepared)
        return SL_OK;
    struct cuda_prepared *made = sl_calloc(1, sizeof *made);
    if (!made)
        return sl_fail(s->call->ctx, SL_NO_MEMORY, "cuda: out of host memory");
    sl_status status = fill(s, made, p, M, columns);
    if (status == SL_OK)
        M->prepared = made;
    else
        sl_cuda_free_prepared(made);
    return status;
}

/* ---- the product ------------------------------------------------------------------------ */

bool sl_cuda_library_takes(const cuda_product *p, const cuda_matrix *M, uint64_t columns)
{
    bool ring = p->kind == CUDA_VALUES && p->add == SL_BINARY_PLUS &&
                p->multiply == SL_BINARY_TIMES && (p->type == SL_FP32 || p->type == SL_FP64);
    if (!ring || p->made.kernel[0] || p->todo || p->u_bits || !p->u_values || !p->values ||
        p->values != M->values)
        return false;
    if (M->nnz < LIBRARY_LEAST || M->nnz > INT32_MAX || p->rows > INT32_MAX || columns > INT32_MAX)
        return false;
    pthread_once(&once, look);
    return handle != NULL;
}

/* What was prepared serves one product at a time, as does the handle. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static sl_status multiply(cuda_scratch *s, const cuda_product *p, cuda_matrix *M, uint64_t columns)
{
    factors f = factors_of(p);
    CUDA_TRY(prepare(s, p, M, columns));
    const struct cuda_prepared *with = M->prepared;
    CUDA_TRY(
        sl_cuda_copy(s->call->ctx, p->bits, with->rows, cuda_words(p->rows) * sizeof *p->bits));
    CUSPARSE_TRY(cusparseDnVecSetValues, with->x, (void *)p->u_values);
    CUSPARSE_TRY(cusparseDnVecSetValues, with->y, p->t_values);
    CUSPARSE_TRY(cusparseSpMV, handle, CUSPARSE_OPERATION_NON_TRANSPOSE, one(&f), with->A, with->x,
                 zero(&f), with->y, f.type, CUSPARSE_SPMV_ALG_DEFAULT, with->buffer);
    return SL_OK;
}

sl_status sl_cuda_library_multiply(cuda_scratch *s, const cuda_product *p, cuda_matrix *M,
                                   uint64_t columns)
{
    pthread_mutex_lock(&lock);
    sl_status status = multiply(s, p, M, columns);
    pthread_mutex_unlock(&lock);
    return status;
}
