/* Products of a matrix and a full vector by cuSPARSE. */
#include "cusparse_calls.h"
#include "cusparse_products.h"

/* ---- data kept with a matrix ---------------------------------------------------------- */

struct cuda_cusparse_spmv {
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t x, y;
    void *buffer;
    uint32_t *start; /* M->start as 32 bits, as 32-bit columns require */
    uint32_t *rows;  /* bits: rows that have entries; NULL: all have */
};

void sl_cuda_free_cusparse_spmv(struct cuda_cusparse_spmv *spmv)
{
    if (!spmv)
        return;
    const cuda_cusparse *library = sl_cuda_cusparse();
    if (spmv->A)
        library->cusparseDestroySpMat(spmv->A);
    if (spmv->x)
        library->cusparseDestroyDnVec(spmv->x);
    if (spmv->y)
        library->cusparseDestroyDnVec(spmv->y);
    sl_cuda_free(spmv->buffer);
    sl_cuda_free(spmv->start);
    sl_cuda_free(spmv->rows);
    sl_free(spmv);
}

static sl_status fill(cuda_scratch *s, struct cuda_cusparse_spmv *to, const cuda_product *p,
                      cuda_matrix *M, uint64_t columns)
{
    sl_context *ctx = s->call->ctx;
    const cuda_cusparse *library = sl_cuda_cusparse();
    cuda_constants c = cuda_constants_of(p->type);
    size_t bytes = 0;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&to->start, (p->rows + 1) * sizeof *to->start));
    CUDA_TRY(cuda_launched(s, "kernel to_32_bits",
                           sl_cuda_to_32_bits(to->start, M->start, p->rows + 1, cuda_stream())));
    if (M->rows != CUDA_ROWS_ALL) {
        CUDA_TRY(sl_cuda_alloc(ctx, (void **)&to->rows, cuda_words(p->rows) * sizeof *to->rows));
        CUDA_TRY(cuda_launched(
            s, "kernel nonempty_rows",
            sl_cuda_nonempty_rows(to->rows, M->start, p->rows, cuda_processors(), cuda_stream())));
    }
    CUSPARSE_TRY(cusparseCreateCsr, &to->A, (int64_t)p->rows, (int64_t)columns, (int64_t)M->nnz,
                 to->start, M->index, M->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_BASE_ZERO, c.type);
    CUSPARSE_TRY(cusparseCreateDnVec, &to->x, (int64_t)columns, (void *)p->u_values, c.type);
    CUSPARSE_TRY(cusparseCreateDnVec, &to->y, (int64_t)p->rows, p->t_values, c.type);
    CUSPARSE_TRY(cusparseSpMV_bufferSize, library->handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                 cuda_one(&c), to->A, to->x, cuda_zero(&c), to->y, c.type,
                 CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    CUDA_TRY(sl_cuda_alloc(ctx, &to->buffer, bytes));
    CUSPARSE_TRY(cusparseSpMV_preprocess, library->handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                 cuda_one(&c), to->A, to->x, cuda_zero(&c), to->y, c.type,
                 CUSPARSE_SPMV_ALG_DEFAULT, to->buffer);
    return SL_OK;
}

static sl_status prepare(cuda_scratch *s, const cuda_product *p, cuda_matrix *M, uint64_t columns)
{
    if (M->cusparse_spmv)
        return SL_OK;
    struct cuda_cusparse_spmv *made = sl_calloc(1, sizeof *made);
    if (!made)
        return sl_fail(s->call->ctx, SL_NO_MEMORY, "cuda: out of host memory");
    sl_status status = fill(s, made, p, M, columns);
    if (status == SL_OK)
        M->cusparse_spmv = made;
    else
        sl_cuda_free_cusparse_spmv(made);
    return status;
}

/* ---- the product ------------------------------------------------------------------------ */

bool sl_cuda_cusparse_supports(const cuda_product *p, const cuda_matrix *M, uint64_t columns)
{
    bool ring = p->kind == CUDA_VALUES && p->add == SL_BINARY_PLUS &&
                p->multiply == SL_BINARY_TIMES && (p->type == SL_FP32 || p->type == SL_FP64);
    if (!ring || p->made.kernel[0] || p->allowed || p->u_bits || !p->u_values || !p->values ||
        p->values != M->values)
        return false;
    if (M->nnz < CUSPARSE_SPMV_MIN_ENTRIES || M->nnz > INT32_MAX || p->rows > INT32_MAX ||
        columns > INT32_MAX)
        return false;
    return sl_cuda_cusparse() != NULL;
}

static sl_status multiply(cuda_scratch *s, const cuda_product *p, cuda_matrix *M, uint64_t columns)
{
    const cuda_cusparse *library = sl_cuda_cusparse();
    cuda_constants c = cuda_constants_of(p->type);
    CUDA_TRY(prepare(s, p, M, columns));
    const struct cuda_cusparse_spmv *with = M->cusparse_spmv;
    if (with->rows)
        CUDA_TRY(
            sl_cuda_copy(s->call->ctx, p->bits, with->rows, cuda_words(p->rows) * sizeof *p->bits));
    CUSPARSE_TRY(cusparseDnVecSetValues, with->x, (void *)p->u_values);
    CUSPARSE_TRY(cusparseDnVecSetValues, with->y, p->t_values);
    CUSPARSE_TRY(cusparseSpMV, library->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, cuda_one(&c),
                 with->A, with->x, cuda_zero(&c), with->y, c.type, CUSPARSE_SPMV_ALG_DEFAULT,
                 with->buffer);
    return SL_OK;
}

sl_status sl_cuda_cusparse_spmv(cuda_scratch *s, const cuda_product *p, cuda_matrix *M,
                                uint64_t columns)
{
    sl_cuda_cusparse_lock(); /* the descriptors serve one product at a time, too */
    sl_status status = multiply(s, p, M, columns);
    sl_cuda_cusparse_unlock();
    s->call->ctx->library = CUSPARSE_NAME;
    return status;
}
