/* Products of a matrix and a full vector by cuSPARSE. */
#include "cuda/products/cusparse_calls.h"
#include "cuda/products/cusparse_products.h"
#include "cuda/products/row_facts.h"

/* ---- data kept with a matrix ---------------------------------------------------------- */

typedef struct {
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t x, y;
    void *buffer;
    uint32_t *start; /* M->start as 32 bits, as 32-bit columns require */
    uint32_t *rows;  /* bits: rows that have entries; NULL: all have */
    uint64_t bytes;  /* that the arrays above take */
} prepared_spmv;

static void release(void *data)
{
    prepared_spmv *spmv = data;
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

static void place(sl_placement *placement, const void *data)
{
    placement->device_bytes += ((const prepared_spmv *)data)->bytes;
}

static const cuda_derived_kind spmv_kind = {
    .name = "preparation of cuSPARSE", .release = release, .place = place};

static sl_status allocate(sl_context *ctx, prepared_spmv *to, void *array, uint64_t bytes)
{
    to->bytes += bytes;
    return sl_cuda_alloc(ctx, array, bytes);
}

static sl_status fill(cuda_scratch *s, prepared_spmv *to, const cuda_product *p, cuda_matrix *M,
                      uint64_t columns)
{
    sl_context *ctx = s->call->ctx;
    const cuda_cusparse *library = sl_cuda_cusparse();
    cuda_constants c = cuda_constants_of(p->type);
    size_t bytes = 0;
    CUDA_TRY(allocate(ctx, to, &to->start, (p->rows + 1) * sizeof *to->start));
    CUDA_TRY(cuda_launched(s, "kernel to_32_bits",
                           sl_cuda_to_32_bits(to->start, M->start, p->rows + 1)));
    const cuda_row_facts *facts = sl_cuda_row_facts(M);
    if (!facts || facts->with_entries < p->rows) {
        CUDA_TRY(allocate(ctx, to, &to->rows, cuda_words(p->rows) * sizeof *to->rows));
        CUDA_TRY(cuda_launched(s, "kernel nonempty_rows",
                               sl_cuda_nonempty_rows(to->rows, M->start, p->rows)));
    }
    CUSPARSE_TRY(cusparseCreateCsr, &to->A, (int64_t)p->rows, (int64_t)columns, (int64_t)M->nnz,
                 to->start, M->index, M->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_BASE_ZERO, c.type);
    CUSPARSE_TRY(cusparseCreateDnVec, &to->x, (int64_t)columns, (void *)p->u_values, c.type);
    CUSPARSE_TRY(cusparseCreateDnVec, &to->y, (int64_t)p->rows, p->t_values, c.type);
    CUSPARSE_TRY(cusparseSpMV_bufferSize, library->handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                 cuda_one(&c), to->A, to->x, cuda_zero(&c), to->y, c.type,
                 CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    CUDA_TRY(allocate(ctx, to, &to->buffer, bytes));
    CUSPARSE_TRY(cusparseSpMV_preprocess, library->handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                 cuda_one(&c), to->A, to->x, cuda_zero(&c), to->y, c.type,
                 CUSPARSE_SPMV_ALG_DEFAULT, to->buffer);
    return SL_OK;
}

/* What cuSPARSE prepares for M, at first use. */
static sl_status prepare(const prepared_spmv **with, cuda_scratch *s, const cuda_product *p,
                         cuda_matrix *M, uint64_t columns)
{
    *with = cuda_find_derived(M->derived, &spmv_kind);
    if (*with)
        return SL_OK;
    prepared_spmv *made = sl_calloc(1, sizeof *made);
    if (!made)
        return cuda_no_host_memory(s->call->ctx);
    const sl_status status = fill(s, made, p, M, columns);
    if (status != SL_OK) {
        release(made);
        return status;
    }
    *with = made;
    return sl_cuda_keep_derived(s->call->ctx, &M->derived, &spmv_kind, made);
}

/* ---- the product ------------------------------------------------------------------------ */

bool sl_cuda_cusparse_supports(const cuda_product *p, const cuda_matrix *M, uint64_t columns)
{
    bool ring = p->kind == CUDA_VALUES && p->add == SL_BINARY_PLUS &&
                p->multiply == SL_BINARY_TIMES && (p->type == SL_FP32 || p->type == SL_FP64);
    if (!ring || p->made.kernel[0] || p->allowed || p->u_bits || !p->u_values || !p->values ||
        p->values != M->values || sl_cuda_has_short_rows(p))
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
    const prepared_spmv *with;
    CUDA_TRY(prepare(&with, s, p, M, columns));
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
