/* Products of a sparse and a full matrix by cuSPARSE. */
#include "cuda/products/cusparse_calls.h"
#include "cuda/products/cusparse_products.h"

bool sl_cuda_cusparse_supports_dense(const cuda_dense_product *p)
{
    if (p->type != SL_FP32 && p->type != SL_FP64)
        return false;
    if (p->nnz > INT32_MAX || p->rows > INT32_MAX || p->inner > INT32_MAX ||
        p->columns > INT32_MAX || p->columns < CUSPARSE_SPMM_MIN_COLUMNS ||
        p->nnz * p->columns < CUSPARSE_SPMM_MIN_PRODUCTS)
        return false;
    /* positions in the dense matrices must fit in 32 bits */
    if (p->rows * p->columns > INT32_MAX || p->inner * p->columns > INT32_MAX)
        return false;
    return sl_cuda_cusparse() != NULL;
}

typedef struct {
    cusparseSpMatDescr_t S;
    cusparseDnMatDescr_t D, C;
} descriptors;

static sl_status dense(cuda_scratch *s, cusparseDnMatDescr_t *made, uint64_t rows, uint64_t columns,
                       const void *values, cudaDataType type)
{
    const cuda_cusparse *library = sl_cuda_cusparse();
    CUSPARSE_TRY(cusparseCreateDnMat, made, (int64_t)rows, (int64_t)columns, (int64_t)columns,
                 (void *)values, type, CUSPARSE_ORDER_ROW);
    return SL_OK;
}

static sl_status multiply(cuda_scratch *s, const cuda_dense_product *p, descriptors *d)
{
    const cuda_cusparse *library = sl_cuda_cusparse();
    cuda_constants c = cuda_constants_of(p->type);
    const cusparseOperation_t same = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const void *beta = p->adds ? cuda_one(&c) : cuda_zero(&c);
    size_t bytes = 0;
    void *buffer;
    CUSPARSE_TRY(cusparseCreateCsr, &d->S, (int64_t)p->rows, (int64_t)p->inner, (int64_t)p->nnz,
                 (void *)p->start, (void *)p->index, (void *)p->values, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, c.type);
    CUDA_TRY(dense(s, &d->D, p->inner, p->columns, p->dense, c.type));
    CUDA_TRY(dense(s, &d->C, p->rows, p->columns, p->result, c.type));
    CUSPARSE_TRY(cusparseSpMM_bufferSize, library->handle, same, same, cuda_one(&c), d->S, d->D,
                 beta, d->C, c.type, CUSPARSE_SPMM_CSR_ALG2, &bytes);
    CUDA_TRY(sl_cuda_scratch_take(s, &buffer, bytes));
    CUSPARSE_TRY(cusparseSpMM, library->handle, same, same, cuda_one(&c), d->S, d->D, beta, d->C,
                 c.type, CUSPARSE_SPMM_CSR_ALG2, buffer);
    return SL_OK;
}

sl_status sl_cuda_cusparse_spmm(cuda_scratch *s, const cuda_dense_product *p)
{
    const cuda_cusparse *library = sl_cuda_cusparse();
    descriptors d = {NULL, NULL, NULL};
    sl_cuda_cusparse_lock();
    sl_status status = multiply(s, p, &d);
    sl_cuda_cusparse_unlock();
    s->call->ctx->library = CUSPARSE_NAME;
    if (d.S)
        library->cusparseDestroySpMat(d.S);
    if (d.D)
        library->cusparseDestroyDnMat(d.D);
    if (d.C)
        library->cusparseDestroyDnMat(d.C);
    return status;
}
