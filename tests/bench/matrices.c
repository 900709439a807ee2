/*
 * Products of matrices on the GPU, beside cuSPARSE and SuiteSparse on the host:
 *
 *   bench_matrices [--repeat N] [--no-host] [MODEL...]
 *
 *   MODEL: kronecker:SCALE | uniform:SCALE | grid:SIDE | cube:SIDE | road:SIDE
 *
 * Per graph A: A A over plus_times of float (with cuSPARSE's SpGEMM), plus_pair and any_pair;
 * triangles, L L' under the mask L, over plus_pair; and A B with full matrices B of some columns
 * (with cuSPARSE's SpMM). Medians of N runs. The sum of A A over plus_pair is checked. Without a
 * GPU it prints that and ends.
 */
#include <semla/io.h>
#include <semla/la.h>

#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "cuda_check.h"

enum { MOST = 64 };

/* ---- graphs ---------------------------------------------------------------------- */

/* The pattern of a generated graph as compressed rows. */
static sl_csr rows_of(sl_context *ctx, const char *model)
{
    sl_matrix *A = bench_graph(ctx, model);
    sl_csr rows;
    MUST(ctx, sl_matrix_copy_csr(&rows, A));
    sl_matrix_free(A);
    sl_free(rows.values);
    rows.values = NULL;
    return rows;
}

/* The matrix of the graph: stored float values that are all 1, or an int64 pattern. */
static sl_matrix *matrix_of(sl_context *ctx, const sl_csr *rows, sl_type type)
{
    uint64_t nnz = rows->start[rows->nrows];
    sl_csr copy = *rows;
    sl_matrix *A;
    copy.type = type;
    copy.start = sl_malloc((rows->nrows + 1) * sizeof *copy.start);
    copy.index = sl_malloc(nnz * sizeof *copy.index);
    memcpy(copy.start, rows->start, (rows->nrows + 1) * sizeof *copy.start);
    memcpy(copy.index, rows->index, nnz * sizeof *copy.index);
    float *values = copy.values = type == SL_FP32 ? sl_malloc(nnz * sizeof(float)) : NULL;
    for (uint64_t k = 0; values && k < nnz; k++)
        values[k] = 1;
    MUST(ctx, sl_matrix_take_csr(&A, ctx, &copy));
    return A;
}

/* ---- products by semla ----------------------------------------------------------- */

typedef struct {
    sl_context *ctx;
    sl_matrix *A, *B, *mask;
    sl_semiring ring;
    unsigned flags;
    int repeat;
} job;

/* Seconds of one product; writes the number of entries and, unless NULL, the sum of the result. */
static double multiply(const job *j, uint64_t *nvals, double *sum)
{
    sl_matrix *C;
    sl_scalar total = sl_scalar_fp64(0);
    MUST(j->ctx,
         sl_matrix_new(&C, j->ctx, j->ring->result, sl_matrix_nrows(j->A),
                       j->flags & SL_TRANSPOSE_B ? sl_matrix_nrows(j->B) : sl_matrix_ncols(j->B)));
    cudaDeviceSynchronize();
    double started = bench_now();
    MUST(j->ctx, sl_mxm(C, j->mask, NULL, j->ring, j->A, j->B, sl_descriptor_get(j->flags)));
    cudaDeviceSynchronize();
    double seconds = bench_now() - started;
    MUST(j->ctx, sl_matrix_nvals(nvals, C));
    if (sum) {
        MUST(j->ctx, sl_matrix_reduce(&total, NULL, SL_PLUS_MONOID_INT64, C));
        *sum = (double)total.as.int64_;
    }
    sl_matrix_free(C);
    return seconds;
}

static double timed(const job *j, uint64_t *nvals, double *sum)
{
    double times[MOST];
    multiply(j, nvals, NULL);
    for (int k = 0; k < j->repeat; k++)
        times[k] = multiply(j, nvals, k ? NULL : sum);
    return bench_median(times, j->repeat);
}

/* ---- cuSPARSE -------------------------------------------------------------------- */

typedef struct {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A;
    int32_t *start, *index;
    float *values;
    int64_t n, nnz;
} library;

static void *on_device(const void *from, size_t bytes)
{
    void *to;
    CUDA(cudaMalloc(&to, bytes ? bytes : 1));
    CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    return to;
}

static void library_make(library *l, const sl_csr *rows)
{
    uint64_t n = rows->nrows, nnz = rows->start[n];
    int32_t *index = malloc(nnz * sizeof *index), *start = malloc((n + 1) * sizeof *start);
    float *values = malloc(nnz * sizeof *values);
    for (uint64_t k = 0; k < nnz; k++) {
        index[k] = (int32_t)rows->index[k];
        values[k] = 1;
    }
    for (uint64_t k = 0; k <= n; k++)
        start[k] = (int32_t)rows->start[k];
    *l = (library){.n = (int64_t)n, .nnz = (int64_t)nnz};
    l->index = on_device(index, nnz * sizeof *index);
    l->start = on_device(start, (n + 1) * sizeof *start);
    l->values = on_device(values, nnz * sizeof *values);
    free(index);
    free(start);
    free(values);
    CUDA(cusparseCreate(&l->handle));
    CUDA(cusparseCreateCsr(&l->A, l->n, l->n, l->nnz, l->start, l->index, l->values,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_32F));
}

static void library_free(library *l)
{
    cusparseDestroySpMat(l->A);
    cusparseDestroy(l->handle);
    cudaFree(l->start);
    cudaFree(l->index);
    cudaFree(l->values);
}

#define SAME CUSPARSE_OPERATION_NON_TRANSPOSE

/* Device memory as the engine allocates it, from a pool that keeps freed memory. */
static int pooled(void *pointer_to_pointer, size_t bytes)
{
    static cudaMemPool_t pool;
    uint64_t keep = UINT64_MAX;
    if (!pool) {
        CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
        CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    }
    return cudaMallocAsync(pointer_to_pointer, bytes ? bytes : 1, 0);
}

/* Seconds of A A with all steps that it needs; negative if cuSPARSE does not support it. */
static double cusparse_square(library *l)
{
    float one = 1, zero = 0;
    int64_t rows, columns, nnz;
    size_t first = 0, second = 0;
    void *buffers[5] = {NULL};
    cusparseSpMatDescr_t C;
    cusparseSpGEMMDescr_t work;
    CUDA(cudaDeviceSynchronize());
    double started = bench_now();
    CUDA(pooled(&buffers[0], (size_t)(l->n + 1) * sizeof(int32_t)));
    CUDA(cusparseSpGEMM_createDescr(&work));
    CUDA(cusparseCreateCsr(&C, l->n, l->n, 0, buffers[0], NULL, NULL, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
#define STEP(name, ...)                                                                            \
    name(l->handle, SAME, SAME, &one, l->A, l->A, &zero, C, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT,   \
         work, ##__VA_ARGS__)
    int failed = STEP(cusparseSpGEMM_workEstimation, &first, NULL);
    failed = failed || pooled(&buffers[1], first) ||
             STEP(cusparseSpGEMM_workEstimation, &first, buffers[1]) ||
             STEP(cusparseSpGEMM_compute, &second, NULL) || pooled(&buffers[2], second) ||
             STEP(cusparseSpGEMM_compute, &second, buffers[2]) ||
             cusparseSpMatGetSize(C, &rows, &columns, &nnz) ||
             pooled(&buffers[3], (size_t)nnz * sizeof(int32_t)) ||
             pooled(&buffers[4], (size_t)nnz * sizeof(float)) ||
             cusparseCsrSetPointers(C, buffers[0], buffers[3], buffers[4]) ||
             STEP(cusparseSpGEMM_copy);
    failed = cudaDeviceSynchronize() || failed;
    double seconds = bench_now() - started;
    cusparseSpGEMM_destroyDescr(work);
    cusparseDestroySpMat(C);
    for (int k = 0; k < 5; k++)
        cudaFreeAsync(buffers[k], 0);
    cudaGetLastError();
    return failed ? -1 : seconds;
}

/* Seconds of A B, where B has `columns` columns and is stored by rows. The preparation is not
 * timed. */
static double cusparse_spmm_seconds(library *l, int64_t columns, int repeat)
{
    float one = 1, zero = 0;
    double times[MOST];
    size_t bytes = 0, size = (size_t)(l->n * columns) * sizeof(float);
    void *b, *c, *buffer;
    cusparseDnMatDescr_t B, C;
    CUDA(cudaMalloc(&b, size));
    CUDA(cudaMalloc(&c, size));
    CUDA(cudaMemset(b, 0, size));
    CUDA(cusparseCreateDnMat(&B, l->n, columns, columns, b, CUDA_R_32F, CUSPARSE_ORDER_ROW));
    CUDA(cusparseCreateDnMat(&C, l->n, columns, columns, c, CUDA_R_32F, CUSPARSE_ORDER_ROW));
#define SPMM(name, last)                                                                           \
    name(l->handle, SAME, SAME, &one, l->A, B, &zero, C, CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG2, last)
    CUDA(SPMM(cusparseSpMM_bufferSize, &bytes));
    CUDA(cudaMalloc(&buffer, bytes ? bytes : 1));
    CUDA(SPMM(cusparseSpMM_preprocess, buffer));
    for (int k = -1; k < repeat; k++) {
        CUDA(cudaDeviceSynchronize());
        double started = bench_now();
        CUDA(SPMM(cusparseSpMM, buffer));
        CUDA(cudaDeviceSynchronize());
        times[k < 0 ? 0 : k] = bench_now() - started;
    }
    cusparseDestroyDnMat(B);
    cusparseDestroyDnMat(C);
    cudaFree(b);
    cudaFree(c);
    cudaFree(buffer);
    return bench_median(times, repeat);
}

/* ---- one graph ------------------------------------------------------------------- */

typedef struct {
    sl_context *gpu, *host; /* host: NULL with --no-host */
    int repeat;
} benches;

static double on_host(const benches *b, const sl_csr *rows, const job *like, const char *mask)
{
    uint64_t nvals;
    if (!b->host)
        return 0;
    job j = *like;
    j.ctx = b->host;
    j.A = j.B =
        matrix_of(b->host, rows, like->ring->multiply->type == SL_FP32 ? SL_FP32 : SL_INT64);
    if (mask) {
        MUST(b->host,
             sl_matrix_select(j.A, NULL, NULL, SL_TRIL_BOOL, j.A, sl_scalar_int64(-1), NULL));
        j.mask = j.A;
    }
    double seconds = multiply(&j, &nvals, NULL);
    sl_matrix_free(j.A);
    return seconds;
}

static void print_result(const char *what, double seconds, double products, uint64_t nvals)
{
    printf("  %-24s %10.3f ms, %6.1f G products/s, %" PRIu64 " entries", what, 1e3 * seconds,
           1e-9 * products / seconds, nvals);
}

static void print_host_result(double seconds, double own)
{
    if (seconds > 0)
        printf("; SuiteSparse %.1f ms, ratio %.1f", 1e3 * seconds, seconds / own);
    printf("\n");
}

static void squares(const benches *b, const sl_csr *rows, double products)
{
    uint64_t nvals;
    double sum = 0, theirs[3];
    sl_matrix *A = matrix_of(b->gpu, rows, SL_INT64), *F = matrix_of(b->gpu, rows, SL_FP32);
    job j = {b->gpu, A, A, NULL, SL_PLUS_PAIR_INT64, 0, b->repeat};
    double own = timed(&j, &nvals, &sum);
    print_result("plus_pair int64", own, products, nvals);
    print_host_result(on_host(b, rows, &j, NULL), own);
    if (sum != products)
        printf("  WRONG: the sum is %.0f, not %.0f\n", sum, products);
    j.ring = SL_ANY_PAIR_BOOL;
    own = timed(&j, &nvals, NULL);
    print_result("any_pair bool", own, products, nvals);
    print_host_result(0, own);
    j = (job){b->gpu, F, F, NULL, SL_PLUS_TIMES_FP32, 0, b->repeat};
    own = timed(&j, &nvals, NULL);
    print_result("plus_times fp32", own, products, nvals);
    library l;
    library_make(&l, rows);
    for (int k = -1; k < 3; k++)
        theirs[k < 0 ? 0 : k] = cusparse_square(&l);
    double t = bench_median(theirs, 3);
    library_free(&l);
    if (t > 0)
        printf("; cuSPARSE %.3f ms, ratio %.2f\n", 1e3 * t, own / t);
    else
        printf("; cuSPARSE cannot\n");
    sl_matrix_free(A);
    sl_matrix_free(F);
}

static void triangles(const benches *b, const sl_csr *rows)
{
    uint64_t nvals;
    double sum;
    sl_matrix *L = matrix_of(b->gpu, rows, SL_INT64);
    MUST(b->gpu, sl_matrix_select(L, NULL, NULL, SL_TRIL_BOOL, L, sl_scalar_int64(-1), NULL));
    job j = {b->gpu, L, L, L, SL_PLUS_PAIR_INT64, SL_STRUCTURE | SL_TRANSPOSE_B, b->repeat};
    double own = timed(&j, &nvals, &sum);
    printf("  %-24s %10.3f ms, %.0f triangles", "triangles, masked", 1e3 * own, sum);
    print_host_result(on_host(b, rows, &j, "L"), own);
    sl_matrix_free(L);
}

static void full(const benches *b, const sl_csr *rows, uint64_t columns)
{
    uint64_t n = rows->nrows, nvals;
    sl_csr all = {.nrows = n, .ncols = columns, .type = SL_FP32};
    all.start = sl_malloc((n + 1) * sizeof *all.start);
    all.index = sl_malloc(n * columns * sizeof *all.index);
    float *values = all.values = sl_malloc(n * columns * sizeof(float));
    for (uint64_t k = 0; k <= n; k++)
        all.start[k] = k * columns;
    for (uint64_t k = 0; k < n * columns; k++) {
        all.index[k] = k % columns;
        values[k] = 1;
    }
    sl_matrix *A = matrix_of(b->gpu, rows, SL_FP32), *B;
    MUST(b->gpu, sl_matrix_take_csr(&B, b->gpu, &all));
    job j = {b->gpu, A, B, NULL, SL_PLUS_TIMES_FP32, 0, 2 * b->repeat + 1};
    double own = timed(&j, &nvals, NULL);
    library l;
    library_make(&l, rows);
    double theirs = cusparse_spmm_seconds(&l, (int64_t)columns, 2 * b->repeat + 1);
    library_free(&l);
    printf("  full B, %3" PRIu64 " columns      %10.3f ms; cuSPARSE %.3f ms, ratio %.2f\n", columns,
           1e3 * own, 1e3 * theirs, own / theirs);
    sl_matrix_free(A);
    sl_matrix_free(B);
}

static void graph(const benches *b, const char *model)
{
    static const uint64_t columns[] = {1, 4, 16, 64};
    sl_csr rows = rows_of(b->gpu, model);
    double products = 0;
    for (uint64_t i = 0; i < rows.nrows; i++) {
        double degree = (double)(rows.start[i + 1] - rows.start[i]);
        products += degree * degree;
    }
    printf("%s: %" PRIu64 " vertices, %" PRIu64 " entries, A A is %.0f products\n", model,
           rows.nrows, rows.start[rows.nrows], products);
    squares(b, &rows, products);
    triangles(b, &rows);
    for (int k = 0; k < 4; k++)
        full(b, &rows, columns[k]);
    sl_free(rows.start);
    sl_free(rows.index);
}

int main(int argc, char **argv)
{
    static char *defaults[] = {"kronecker:14", "grid:1000"};
    benches b = {.repeat = 3};
    bool host = true;
    if (sl_context_create(&b.gpu, SL_ENGINE_CUDA) != SL_OK) {
        printf("skipped: no GPU\n");
        return 0;
    }
    for (; argc > 1 && argv[1][0] == '-'; argc--, argv++)
        if (strcmp(argv[1], "--no-host") == 0)
            host = false;
        else if (strcmp(argv[1], "--repeat") == 0 && argc > 2 && atoi(argv[2]) > 0) {
            b.repeat = atoi(argv[2]) < MOST / 2 ? atoi(argv[2]) : MOST / 2 - 1;
            argc--;
            argv++;
        }
    if (host && sl_context_create(&b.host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    char **models = argc > 1 ? argv + 1 : defaults;
    for (int k = 0; k < (argc > 1 ? argc - 1 : 2); k++)
        graph(&b, models[k]);
    sl_context_free(b.host);
    sl_context_free(b.gpu);
    return 0;
}
