/* Products of sparse matrices of short rows by cuSPARSE. */
#include "library.h"
#include "library_calls.h"

/* ---- whether it is the faster ---------------------------------------------------------- */

/* The longest rows of both factors: no row of the result has more products than these
 * multiplied. */
static sl_status longest_rows(cuda_mxm *m, uint64_t *a, uint64_t *b)
{
    cuda_scratch *s = m->s;
    unsigned long long *longest, got[2];
    CUDA_TRY(sl_cuda_take(s, &longest, sizeof got));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, longest, sizeof got));
    CUDA_TRY(cuda_launched(
        s, "kernel longest_row",
        sl_cuda_longest_row(longest, m->A.start, m->A.nrows, cuda_processors(), cuda_stream())));
    CUDA_TRY(cuda_launched(s, "kernel longest_row",
                           sl_cuda_longest_row(longest + 1, m->B.start, m->B.nrows,
                                               cuda_processors(), cuda_stream())));
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

/* By averages first, as they cost nothing. */
static sl_status is_faster(cuda_mxm *m, bool *faster)
{
    const cuda_rows *A = &m->A, *B = &m->B;
    uint64_t a, b;
    *faster = false;
    if (!is_for_it(m))
        return SL_OK;
    double each = (double)B->nnz / (double)B->nrows, products = (double)A->nnz * each;
    if (products < SPGEMM_LIBRARY_LEAST ||
        products > (double)SPGEMM_LIBRARY_ROW * (double)A->nrows || !sl_cuda_library())
        return SL_OK;
    CUDA_TRY(longest_rows(m, &a, &b));
    *faster = a * b <= SPGEMM_LIBRARY_ROW && A->nnz * b <= INT32_MAX &&
              (a * b > 16 || products >= SPGEMM_LIBRARY_LEAST_HALF);
    return SL_OK;
}

/* ---- the product ------------------------------------------------------------------------ */

typedef struct {
    cuda_mxm *m;
    cuda_constants c;
    cusparseSpMatDescr_t A, B, C;
    cusparseSpGEMMDescr_t work;
    uint32_t *start; /* of the result, in 32 bits */
    bool fits;       /* into the device */
} sparse_product;

/* A factor, which has values: its rows' places in 32 bits, as its columns are. */
static sl_status describe(sparse_product *p, cusparseSpMatDescr_t *made, cuda_rows *rows,
                          uint64_t columns)
{
    cuda_scratch *s = p->m->s;
    const cuda_library *library = sl_cuda_library();
    uint32_t *start;
    if (!rows->values) /* or nobody reads them */
        rows->type = p->m->semiring->multiply->type;
    CUDA_TRY(sl_cuda_rows_fill(s, rows));
    CUDA_TRY(sl_cuda_take(s, &start, (rows->nrows + 1) * sizeof *start));
    CUDA_TRY(cuda_launched(s, "kernel narrow",
                           sl_cuda_narrow(start, rows->start, rows->nrows + 1, cuda_stream())));
    CUSPARSE_TRY(cusparseCreateCsr, made, (int64_t)rows->nrows, (int64_t)columns,
                 (int64_t)rows->nnz, start, rows->index, rows->values, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, p->c.type);
    return SL_OK;
}

static sl_status describe_all(sparse_product *p)
{
    cuda_mxm *m = p->m;
    cuda_scratch *s = m->s;
    const cuda_library *library = sl_cuda_library();
    CUDA_TRY(describe(p, &p->A, &m->A, m->B.nrows));
    CUDA_TRY(describe(p, &p->B, &m->B, m->sums.f.ncols));
    CUDA_TRY(sl_cuda_take(s, &p->start, (m->A.nrows + 1) * sizeof *p->start));
    CUSPARSE_TRY(cusparseCreateCsr, &p->C, (int64_t)m->A.nrows, (int64_t)m->sums.f.ncols, 0,
                 p->start, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                 CUSPARSE_INDEX_BASE_ZERO, p->c.type);
    CUSPARSE_TRY(cusparseSpGEMM_createDescr, &p->work);
    return SL_OK;
}

#define SAME CUSPARSE_OPERATION_NON_TRANSPOSE
/* A step of the product, the work's memory being its last arguments. */
#define STEP(function, ...)                                                                        \
    CUSPARSE_TRY(function, library->handle, SAME, SAME, cuda_one(&p->c), p->A, p->B,               \
                 cuda_zero(&p->c), p->C, p->c.type, CUSPARSE_SPGEMM_DEFAULT, p->work,              \
                 ##__VA_ARGS__)

/* Room for a step's work; where it wants more than half of what is free, which the own kernels do
 * not, the product is not cuSPARSE's. */
static sl_status take_room(sparse_product *p, void **memory, size_t bytes)
{
    p->fits = bytes <= SPGEMM_LIBRARY_ROOM || bytes <= sl_cuda_free_bytes() / 2;
    *memory = NULL;
    return p->fits ? sl_cuda_take(p->m->s, memory, bytes) : SL_OK;
}

/* Both steps say first what memory they want. */
static sl_status compute(sparse_product *p)
{
    cuda_scratch *s = p->m->s;
    const cuda_library *library = sl_cuda_library();
    size_t first = 0, second = 0;
    void *memory;
    STEP(cusparseSpGEMM_workEstimation, &first, NULL);
    CUDA_TRY(take_room(p, &memory, first));
    if (!p->fits)
        return SL_OK;
    STEP(cusparseSpGEMM_workEstimation, &first, memory);
    STEP(cusparseSpGEMM_compute, &second, NULL);
    CUDA_TRY(take_room(p, &memory, second));
    if (p->fits)
        STEP(cusparseSpGEMM_compute, &second, memory);
    return SL_OK;
}

/* The result, to arrays of its own. */
static sl_status take_result(sparse_product *p, cuda_rows *T)
{
    cuda_scratch *s = p->m->s;
    const cuda_library *library = sl_cuda_library();
    int64_t rows, columns, nnz;
    CUSPARSE_TRY(cusparseSpMatGetSize, p->C, &rows, &columns, &nnz);
    *T = (cuda_rows){
        .type = p->m->semiring->add->type, .nrows = p->m->A.nrows, .nnz = (uint64_t)nnz};
    if (nnz == 0)
        return sl_cuda_no_rows(p->m, T);
    CUDA_TRY(sl_cuda_take(s, &T->start, (T->nrows + 1) * sizeof *T->start));
    CUDA_TRY(sl_cuda_take(s, &T->index, T->nnz * sizeof *T->index));
    CUDA_TRY(sl_cuda_take(s, &T->values, T->nnz * sl_type_size(T->type)));
    CUSPARSE_TRY(cusparseCsrSetPointers, p->C, p->start, T->index, T->values);
    STEP(cusparseSpGEMM_copy);
    return cuda_launched(s, "kernel widen",
                         sl_cuda_widen(T->start, p->start, T->nrows + 1, cuda_stream()));
}

static sl_status multiply(sparse_product *p, cuda_rows *T)
{
    CUDA_TRY(describe_all(p));
    CUDA_TRY(compute(p));
    return p->fits ? take_result(p, T) : SL_OK;
}

sl_status sl_cuda_library_multiply_rows(cuda_mxm *m, cuda_rows *T, bool *done)
{
    const cuda_library *library;
    sparse_product p = {.m = m, .c = cuda_constants_of(m->semiring->multiply->type)};
    CUDA_TRY(is_faster(m, done));
    if (!*done)
        return SL_OK;
    library = sl_cuda_library();
    sl_cuda_library_lock();
    sl_status status = multiply(&p, T);
    sl_cuda_library_unlock();
    *done = p.fits;
    if (p.work)
        library->cusparseSpGEMM_destroyDescr(p.work);
    const cusparseSpMatDescr_t matrices[] = {p.A, p.B, p.C};
    for (int k = 0; k < 3; k++)
        if (matrices[k])
            library->cusparseDestroySpMat(matrices[k]);
    return status;
}
