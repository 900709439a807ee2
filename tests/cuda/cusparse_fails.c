/*
 * A replacement of cuSPARSE for tests, as a shared library: it has the functions that the engine
 * calls and computes nothing. The function that CUSPARSE_FAILS names fails; with an allocation
 * error if CUSPARSE_FAILS_BY is "memory".
 */
#include <cusparse.h>
#include <stdlib.h>
#include <string.h>

static cusparseStatus_t answer(const char *function)
{
    const char *fails = getenv("CUSPARSE_FAILS"), *by = getenv("CUSPARSE_FAILS_BY");
    if (!fails || strcmp(fails, function) != 0)
        return CUSPARSE_STATUS_SUCCESS;
    return by && strcmp(by, "memory") == 0 ? CUSPARSE_STATUS_ALLOC_FAILED
                                           : CUSPARSE_STATUS_INTERNAL_ERROR;
}
#define ANSWER answer(__func__)

/* Every object is a memory block, so an object that is not destroyed is reported as a leak. */
static cusparseStatus_t make(const char *function, void *made)
{
    cusparseStatus_t status = answer(function);
    void *block = status == CUSPARSE_STATUS_SUCCESS ? malloc(1) : NULL;
    if (block)
        memcpy(made, &block, sizeof block);
    return status;
}

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    static char one;
    *handle = (cusparseHandle_t)&one;
    return ANSWER;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    return ANSWER;
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return "made to fail";
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *made, int64_t rows, int64_t cols,
                                   int64_t nnz, void *start, void *index, void *values,
                                   cusparseIndexType_t start_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    return make(__func__, made);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
    free((void *)matrix);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *made, int64_t size, void *values,
                                     cudaDataType type)
{
    return make(__func__, made);
}

cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values)
{
    return ANSWER;
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
    free((void *)vector);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *made, int64_t rows, int64_t cols,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order)
{
    return make(__func__, made);
}

cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
{
    free((void *)matrix);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t turned,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, size_t *bytes)
{
    *bytes = 100;
    return ANSWER;
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t turned,
                                         const void *alpha, cusparseConstSpMatDescr_t A,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, void *buffer)
{
    return ANSWER;
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t turned,
                              const void *alpha, cusparseConstSpMatDescr_t A,
                              cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpMVAlg_t algorithm, void *buffer)
{
    return ANSWER;
}

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *made)
{
    return make(__func__, made);
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t work)
{
    free((void *)work);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t turned_a, cusparseOperation_t turned_b,
    const void *alpha, cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B, const void *beta,
    cusparseSpMatDescr_t C, cudaDataType type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t work, size_t *bytes, void *memory)
{
    *bytes = 100;
    return ANSWER;
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t turned_a,
                                        cusparseOperation_t turned_b, const void *alpha,
                                        cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                        const void *beta, cusparseSpMatDescr_t C, cudaDataType type,
                                        cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t work,
                                        size_t *bytes, void *memory)
{
    *bytes = 100;
    return ANSWER;
}

/* The number of entries that the test's product claims to have. */
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *cols, int64_t *nnz)
{
    *rows = *cols = *nnz = 10;
    return ANSWER;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *start, void *index,
                                        void *values)
{
    return ANSWER;
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t turned_a,
                                     cusparseOperation_t turned_b, const void *alpha,
                                     cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
                                     const void *beta, cusparseSpMatDescr_t C, cudaDataType type,
                                     cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t work)
{
    return ANSWER;
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t turned_a,
                                         cusparseOperation_t turned_b, const void *alpha,
                                         cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                                         const void *beta, cusparseDnMatDescr_t C,
                                         cudaDataType type, cusparseSpMMAlg_t algorithm,
                                         size_t *bytes)
{
    *bytes = 100;
    return ANSWER;
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t turned_a,
                              cusparseOperation_t turned_b, const void *alpha,
                              cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
                              const void *beta, cusparseDnMatDescr_t C, cudaDataType type,
                              cusparseSpMMAlg_t algorithm, void *buffer)
{
    return ANSWER;
}
