/* The functions of cuSPARSE, resolved at run time; for the files that call them. */
#ifndef SEMLA_CUDA_CUSPARSE_CALLS_H
#define SEMLA_CUDA_CUSPARSE_CALLS_H

#include <cusparse.h>

#include "cuda/operations/vector_result.h"

#define CUSPARSE_FUNCTIONS(X)                                                                      \
    X(cusparseCreate)                                                                              \
    X(cusparseSetStream)                                                                           \
    X(cusparseGetErrorString)                                                                      \
    X(cusparseCreateCsr)                                                                           \
    X(cusparseDestroySpMat)                                                                        \
    X(cusparseCreateDnVec)                                                                         \
    X(cusparseDnVecSetValues)                                                                      \
    X(cusparseDestroyDnVec)                                                                        \
    X(cusparseCreateDnMat)                                                                         \
    X(cusparseDestroyDnMat)                                                                        \
    X(cusparseSpMV_bufferSize)                                                                     \
    X(cusparseSpMV_preprocess)                                                                     \
    X(cusparseSpMV)                                                                                \
    X(cusparseSpMM_bufferSize)                                                                     \
    X(cusparseSpMM)                                                                                \
    X(cusparseSpGEMM_createDescr)                                                                  \
    X(cusparseSpGEMM_destroyDescr)                                                                 \
    X(cusparseSpGEMM_workEstimation)                                                               \
    X(cusparseSpGEMM_compute)                                                                      \
    X(cusparseSpGEMM_copy)                                                                         \
    X(cusparseSpMatGetSize)                                                                        \
    X(cusparseCsrSetPointers)

typedef struct {
    cusparseHandle_t handle;
#define X(name) __typeof__(&name) name;
    CUSPARSE_FUNCTIONS(X)
#undef X
} cuda_cusparse;

/* As SEMLA_TRACE names it. */
#define CUSPARSE_NAME "cuSPARSE"

/* Opens cuSPARSE on first use; NULL: not available. */
const cuda_cusparse *sl_cuda_cusparse(void);

/* The handle serves one product at a time. */
void sl_cuda_cusparse_lock(void);
void sl_cuda_cusparse_unlock(void);

sl_status sl_cuda_cusparse_status(const cuda_scratch *s, const char *what, cusparseStatus_t status);
/* Calls a function of `library`; a failure names it. */
#define CUSPARSE_TRY(function, ...)                                                                \
    CUDA_TRY(sl_cuda_cusparse_status(s, #function, library->function(__VA_ARGS__)))

/* 1 and 0 in a product's type, which cuSPARSE reads by pointers. */
typedef struct {
    double one, zero;
    float one32, zero32;
    cudaDataType type;
} cuda_constants;

static inline cuda_constants cuda_constants_of(sl_type type)
{
    return (cuda_constants){1, 0, 1, 0, type == SL_FP64 ? CUDA_R_64F : CUDA_R_32F};
}
static inline const void *cuda_one(const cuda_constants *f)
{
    return f->type == CUDA_R_64F ? (const void *)&f->one : (const void *)&f->one32;
}
static inline const void *cuda_zero(const cuda_constants *f)
{
    return f->type == CUDA_R_64F ? (const void *)&f->zero : (const void *)&f->zero32;
}

#endif
