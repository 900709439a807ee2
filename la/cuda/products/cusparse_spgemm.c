/* Products of sparse matrices with short rows by cuSPARSE. */
#include "cuda/products/cusparse_calls.h"
#include "cuda/products/cusparse_products.h"

/* ---- whether cuSPARSE is faster --------------------------------------------------------- */

/* The longest rows of both factors; their product bounds the products per row of the result. */
static sl_status longest_rows(cuda_mxm *m, uint64_t *a, uint64_t *b)
{
    cuda_scratch *s = m->s;
    unsigned long long *longest, got[2];
    CUDA_TRY(sl_cuda_scratch_take(s, &longest, sizeof got));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, longest, sizeof got));
    CUDA_TRY(cuda_launched(s, "kernel longest_row",
                           sl_cuda_longest_row(longest, m->A.start, m->A.nrows)));
    CUDA_TRY(cuda_launched(s, "kernel longest_row",
                           sl_cuda_longest_row(longest + 1, m->B.start, m->B.nrows)));
    CUDA_TRY(sl_cuda_fetch(s->call->ctx, "kernel longest_row", got, longest, sizeof got));
    *a = got[0];
    *b = got[1];
    return SL_OK;
}

static bool is_for_it(const cuda_mxm *m)
{
    const cuda_rows *A = &m->A, *B = &m->B;
    sl_type type = m->semiring->multiply->type;
    return sl_cuda_is_plus_times(m->semiring) && (type == SL_FP32 || type == SL_FP64) &&
           A->nnz <= INT32_MAX && B->nnz <= INT32_MAX && A->nrows <= INT32_MAX &&
           B->nrows <= INT32_MAX && m->sums.f.ncols <= INT32_MAX;
}

/* Checks averages first, which are known. */
static sl_status is_faster(cuda_mxm *m, bool *faster)
{
    const cuda_rows *A = &m->A, *B = &m->B;
    uint64_t a, b;
    *faster = false;
    if (!is_for_it(m))
        return SL_OK;
    double each = (double)B->nnz / (double)B->nrows, products = (double)A->nnz * each;
    if (products < CUSPARSE_SPGEMM_MIN_PRODUCTS ||
        products > (double)CUSPARSE_SPGEMM_MAX_ROW * (double)A->nrows || !sl_cuda_cusparse())
        return SL_OK;
    CUDA_TRY(longest_rows(m, &a, &b));
    *faster = a * b <= CUSPARSE_SPGEMM_MAX_ROW && A->nnz * b <= INT32_MAX &&
              (a * b > 16 || products >= CUSPARSE_SPGEMM_MIN_PRODUCTS_HALF);
    return SL_OK;
}

/* ---- the product ------------------------------------------------------------------------ */

typedef struct {
    cuda_mxm *m;
    cuda_constants c;
    cusparseSpMatDescr_t A, B, C;
    cusparseSpGEMMDescr_t work;
    uint32_t *start; /* of the result, 32 bits */
    bool fits;       /* the work space can be allocated */
} sparse_product;

/* Describes a factor that has values; row starts are converted to 32 bits. */
static sl_status describe(sparse_product *p, cusparseSpMatDescr_t *made, cuda_rows *rows,
                          uint64_t columns)
{
    cuda_scratch *s = p->m->s;
    const cuda_cusparse *library = sl_cuda_cusparse();
    uint32_t *start;
    if (!rows->values) /* or the operator does not read them */
        rows->type = p->m->semiring->multiply->type;
    CUDA_TRY(sl_cuda_rows_fill(s, rows));
    CUDA_TRY(sl_cuda_scratch_take(s, &start, (rows->nrows + 1) * sizeof *start));
    CUDA_TRY(cuda_launched(s, "kernel to_32_bits",
                           sl_cuda_to_32_bits(start, rows->start, rows->nrows + 1)));
    CUSPARSE_TRY(cusparseCreateCsr, made, (int64_t)rows->nrows, (int64_t)columns,
                 (int64_t)rows->nnz, start, rows->index, rows->values, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, p->c.type);
    return SL_OK;
}

static sl_status describe_all(sparse_product *p)
{
    cuda_mxm *m = p->m;
    cuda_scratch *s = m->s;
    const cuda_cusparse *library = sl_cuda_cusparse();
    CUDA_TRY(describe(p, &p->A, &m->A, m->B.nrows));
    CUDA_TRY(describe(p, &p->B, &m->B, m->sums.f.ncols));
    CUDA_TRY(sl_cuda_scratch_take(s, &p->start, (m->A.nrows + 1) * sizeof *p->start));
    CUSPARSE_TRY(cusparseCreateCsr, &p->C, (int64_t)m->A.nrows, (int64_t)m->sums.f.ncols, 0,
                 p->start, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_BASE_ZERO, p->c.type);
    CUSPARSE_TRY(cusparseSpGEMM_createDescr, &p->work);
    return SL_OK;
}

#define SAME CUSPARSE_OPERATION_NON_TRANSPOSE
/* Calls a step of the product; the last arguments are the work space. */
#define STEP(function, ...)                                                                        \
    CUSPARSE_TRY(function, library->handle, SAME, SAME, cuda_one(&p->c), p->A, p->B,               \
                 cuda_zero(&p->c), p->C, p->c.type, CUSPARSE_SPGEMM_DEFAULT, p->work,              \
                 ##__VA_ARGS__)

/* Allocates the work space of a step. If it is more than half of the free memory, the engine's
 * own kernels compute the product. */
static sl_status allocate_workspace(sparse_product *p, void **memory, size_t bytes)
{
    p->fits = bytes <= CUSPARSE_SPGEMM_MIN_BYTES || bytes <= sl_cuda_free_bytes() / 2;
    *memory = NULL;
    return p->fits ? sl_cuda_scratch_take(p->m->s, memory, bytes) : SL_OK;
}

/* Each step is first asked for the size of its work space. */
static sl_status compute(sparse_product *p)
{
    cuda_scratch *s = p->m->s;
    const cuda_cusparse *library = sl_cuda_cusparse();
    size_t first = 0, second = 0;
    void *memory;
    STEP(cusparseSpGEMM_workEstimation, &first, NULL);
    CUDA_TRY(allocate_workspace(p, &memory, first));
    if (!p->fits)
        return SL_OK;
    STEP(cusparseSpGEMM_workEstimation, &first, memory);
    STEP(cusparseSpGEMM_compute, &second, NULL);
    CUDA_TRY(allocate_workspace(p, &memory, second));
    if (p->fits)
        STEP(cusparseSpGEMM_compute, &second, memory);
    return SL_OK;
}

/* Copies the result to arrays of the scratch. */
static sl_status copy_result(sparse_product *p, cuda_rows *T)
{
    cuda_scratch *s = p->m->s;
    const cuda_cusparse *library = sl_cuda_cusparse();
    int64_t rows, columns, nnz;
    CUSPARSE_TRY(cusparseSpMatGetSize, p->C, &rows, &columns, &nnz);
    *T = (cuda_rows){
        .type = p->m->semiring->add->type, .nrows = p->m->A.nrows, .nnz = (uint64_t)nnz};
    if (nnz == 0)
        return sl_cuda_no_rows(p->m, T);
    CUDA_TRY(sl_cuda_scratch_take(s, &T->start, (T->nrows + 1) * sizeof *T->start));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->index, T->nnz * sizeof *T->index));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->values, T->nnz * sl_type_size(T->type)));
    CUSPARSE_TRY(cusparseCsrSetPointers, p->C, p->start, T->index, T->values);
    STEP(cusparseSpGEMM_copy);
    return cuda_launched(s, "kernel widen", sl_cuda_widen(T->start, p->start, T->nrows + 1));
}

static sl_status multiply(sparse_product *p, cuda_rows *T)
{
    CUDA_TRY(describe_all(p));
    CUDA_TRY(compute(p));
    return p->fits ? copy_result(p, T) : SL_OK;
}

sl_status sl_cuda_cusparse_spgemm(cuda_mxm *m, cuda_rows *T, bool *done)
{
    const cuda_cusparse *library;
    sparse_product p = {.m = m, .c = cuda_constants_of(m->semiring->multiply->type)};
    CUDA_TRY(is_faster(m, done));
    if (!*done)
        return SL_OK;
    library = sl_cuda_cusparse();
    sl_cuda_cusparse_lock();
    sl_status status = multiply(&p, T);
    sl_cuda_cusparse_unlock();
    if (p.fits)
        m->s->call->ctx->library = CUSPARSE_NAME;
    *done = p.fits;
    if (p.work)
        library->cusparseSpGEMM_destroyDescr(p.work);
    const cusparseSpMatDescr_t matrices[] = {p.A, p.B, p.C};
    for (int k = 0; k < 3; k++)
        if (matrices[k])
            library->cusparseDestroySpMat(matrices[k]);
    return status;
}
