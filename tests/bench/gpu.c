/*
 * The CUDA engine, compared with itself and with cuSPARSE:
 *
 *     bench_gpu [--no-host] [--roots N] [MODEL...]     kronecker:SCALE | grid:SIDE
 *
 * Prints for each graph: sl_bfs and the search as a loop of vxm and assign, over the same roots,
 * alternating, and on the engines of the host; shortest paths and components; and plus_times A u
 * with a full u, by semla and by cuSPARSE on arrays of its own, with the fraction of the copy
 * bandwidth that reading the matrix once corresponds to; an iteration of the power method; and products of
 * a full u over other semirings. All figures are medians. Without a GPU it prints that and ends.
 */
#include "gpu.h"
#include "cuda_check.h"

#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 21 };

void bench_wait(void)
{
    CUDA(cudaDeviceSynchronize());
}

/* ---- products -------------------------------------------------------------------- */

static double copy_bandwidth(void)
{
    size_t bytes = (size_t)2 << 30;
    void *a, *b;
    double times[5];
    CUDA(cudaMalloc(&a, bytes));
    CUDA(cudaMalloc(&b, bytes));
    for (int k = 0; k < 5; k++) {
        CUDA(cudaDeviceSynchronize());
        double started = bench_now();
        CUDA(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
        CUDA(cudaDeviceSynchronize());
        times[k] = bench_now() - started;
    }
    cudaFree(a);
    cudaFree(b);
    return 2 * (double)bytes / bench_median(times, 5);
}

typedef struct {
    int32_t *index;
    int64_t *start;
    void *values, *u, *w, *buffer;
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t x, y;
    cudaDataType type;
} library;

/*
 * Creates cuSPARSE's matrix: 32-bit column indices with 32-bit row starts or, if wide, 64-bit both.
 */
static void library_make(library *l, const sl_csr *csr, bool wide)
{
    uint64_t n = csr->nrows, nnz = csr->start[n];
    size_t size = wide ? 8 : 4;
    int32_t *index = malloc(nnz * sizeof *index), *start = malloc((n + 1) * sizeof *start);
    for (uint64_t k = 0; k < nnz; k++)
        index[k] = (int32_t)csr->index[k];
    for (uint64_t k = 0; k <= n; k++)
        start[k] = (int32_t)csr->start[k];
    double one = 1, zero = 0;
    float one32 = 1, zero32 = 0;
    *l = (library){.type = wide ? CUDA_R_64F : CUDA_R_32F};
    CUDA(cudaMalloc((void **)&l->index, nnz * sizeof *index));
    CUDA(cudaMalloc((void **)&l->start, (n + 1) * sizeof *start));
    CUDA(cudaMalloc(&l->values, nnz * size));
    CUDA(cudaMalloc(&l->u, n * size));
    CUDA(cudaMalloc(&l->w, n * size));
    CUDA(cudaMemcpy(l->index, index, nnz * sizeof *index, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(l->start, start, (n + 1) * sizeof *start, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(l->values, 0, nnz * size));
    CUDA(cudaMemset(l->u, 0, n * size));
    free(index);
    free(start);
    CUDA(cusparseCreate(&l->handle));
    CUDA(cusparseCreateCsr(&l->A, (int64_t)n, (int64_t)n, (int64_t)nnz, l->start, l->index,
                           l->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, l->type));
    CUDA(cusparseCreateDnVec(&l->x, (int64_t)n, l->u, l->type));
    CUDA(cusparseCreateDnVec(&l->y, (int64_t)n, l->w, l->type));
    const void *alpha = wide ? (void *)&one : (void *)&one32;
    const void *beta = wide ? (void *)&zero : (void *)&zero32;
    CUDA(cusparseSpMV_bufferSize(l->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, l->A, l->x,
                                 beta, l->y, l->type, CUSPARSE_SPMV_ALG_DEFAULT, &size));
    CUDA(cudaMalloc(&l->buffer, size ? size : 1));
    CUDA(cusparseSpMV_preprocess(l->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, l->A, l->x,
                                 beta, l->y, l->type, CUSPARSE_SPMV_ALG_DEFAULT, l->buffer));
}

static double library_multiply(library *l)
{
    double one = 1, zero = 0;
    float one32 = 1, zero32 = 0;
    bool wide = l->type == CUDA_R_64F;
    double started = bench_now();
    CUDA(cusparseSpMV(l->handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                      wide ? (void *)&one : (void *)&one32, l->A, l->x,
                      wide ? (void *)&zero : (void *)&zero32, l->y, l->type,
                      CUSPARSE_SPMV_ALG_DEFAULT, l->buffer));
    CUDA(cudaDeviceSynchronize());
    return bench_now() - started;
}

static void library_free(library *l)
{
    cusparseDestroySpMat(l->A);
    cusparseDestroyDnVec(l->x);
    cusparseDestroyDnVec(l->y);
    cusparseDestroy(l->handle);
    void *all[] = {l->index, l->start, l->values, l->u, l->w, l->buffer};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        cudaFree(all[k]);
}

/* Seconds of one product by semla, until its result is in device memory in the caller's order. */
static double multiply(sl_context *ctx, sl_vector *w, const sl_matrix *A, const sl_vector *u,
                       sl_semiring semiring)
{
    double started = bench_now();
    sl_vector_view view;
    MUST(ctx, sl_mxv(w, NULL, NULL, semiring, A, u, NULL));
    MUST(ctx, sl_vector_lend(&view, w, SL_MEMORY_CUDA));
    return bench_now() - started;
}

/* Seconds of w = 0, w += A u and u = w / sum of w, until the sum is on the host. All entries of A are 1. */
static double iterate(sl_context *ctx, sl_vector *w, const sl_matrix *A, sl_vector *u,
                      sl_semiring ring)
{
    const sl_type type = sl_vector_type(u);
    const double started = bench_now();
    sl_scalar sum;
    MUST(ctx, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_fp64(0), SL_ALL, 0, NULL));
    MUST(ctx, sl_mxv(w, NULL, sl_binary_op_get(SL_BINARY_PLUS, type), ring, A, u, NULL));
    MUST(ctx, sl_vector_reduce(&sum, NULL, sl_monoid_get(SL_MONOID_PLUS, type), w));
    MUST(ctx, sl_vector_apply_second(u, NULL, NULL, sl_binary_op_get(SL_BINARY_DIV, type), w, sum,
                                     NULL));
    return bench_now() - started;
}

static void products(sl_context *ctx, const sl_matrix *pattern, bool wide, double bandwidth)
{
    sl_type type = wide ? SL_FP64 : SL_FP32;
    uint64_t n = sl_matrix_nrows(pattern), nnz;
    sl_csr csr;
    sl_matrix *A;
    sl_vector *u, *w;
    library l;
    double own[REPEATS], theirs[REPEATS];
    size_t size = wide ? 8 : 4;
    MUST(ctx, sl_matrix_copy_csr(&csr, pattern));
    nnz = csr.start[n];
    library_make(&l, &csr, wide);
    sl_free(csr.values);
    csr.type = type;
    csr.values = sl_malloc(nnz * size);
    for (uint64_t k = 0; k < nnz; k++) {
        const double one = 1;
        const float one32 = 1;
        memcpy((char *)csr.values + k * size, wide ? (const void *)&one : &one32, size);
    }
    MUST(ctx, sl_matrix_take_csr(&A, ctx, &csr));
    MUST(ctx, sl_vector_new(&u, ctx, type, n));
    MUST(ctx, sl_vector_new(&w, ctx, type, n));
    MUST(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    sl_semiring ring = wide ? SL_PLUS_TIMES_FP64 : SL_PLUS_TIMES_FP32;
    for (int k = -2; k < REPEATS; k++) {
        own[k < 0 ? 0 : k] = multiply(ctx, w, A, u, ring);
        theirs[k < 0 ? 0 : k] = library_multiply(&l);
    }
    double a = bench_median(own, REPEATS), b = bench_median(theirs, REPEATS);
    double bytes = (double)nnz * (4 + (double)size) + (double)n * (8 + 2 * (double)size);
    printf("  plus_times %s: semla %.3f ms, cuSPARSE %.3f ms, ratio %.2f, %.0f %% of the copy "
           "bandwidth\n",
           sl_type_name(type), 1e3 * a, 1e3 * b, a / b, 100 * bytes / a / bandwidth);
    for (int k = -4; k < REPEATS; k++)
        own[k < 0 ? 0 : k] = iterate(ctx, w, A, u, ring);
    printf("  an iteration of the power method, %s: %.3f ms\n", sl_type_name(type),
           1e3 * bench_median(own, REPEATS));
    library_free(&l);
    sl_vector_free(u);
    sl_vector_free(w);
    sl_matrix_free(A);
}

/* A matrix of the pattern with values of a type: 2 below the diagonal, else 1. */
static sl_matrix *valued(sl_context *ctx, const sl_matrix *pattern, sl_type type)
{
    const sl_descriptor by_structure = sl_descriptor_get(SL_STRUCTURE);
    const uint64_t n = sl_matrix_nrows(pattern);
    sl_matrix *A, *below;
    MUST(ctx, sl_matrix_new(&below, ctx, SL_BOOL, n, n));
    MUST(ctx,
         sl_matrix_select(below, NULL, NULL, SL_TRIL_BOOL, pattern, sl_scalar_int64(-1), NULL));
    MUST(ctx, sl_matrix_new(&A, ctx, type, n, n));
    MUST(ctx, sl_matrix_assign_scalar(A, pattern, NULL, sl_scalar_int64(1), SL_ALL, 0, SL_ALL, 0,
                                      by_structure));
    MUST(ctx, sl_matrix_assign_scalar(A, below, NULL, sl_scalar_int64(2), SL_ALL, 0, SL_ALL, 0,
                                      by_structure));
    sl_matrix_free(below);
    return A;
}

/* Products over other semirings, which cuSPARSE does not have, of a full vector and of one that lacks an entry. */
static void other_products(sl_context *ctx, const sl_matrix *pattern)
{
    const sl_semiring rings[] = {SL_PLUS_TIMES_INT32,  SL_PLUS_TIMES_INT64, SL_PLUS_TIMES_FP64,
                                 SL_MIN_SECOND_UINT64, SL_MIN_PLUS_FP32,    SL_MIN_PLUS_FP64,
                                 SL_MIN_PLUS_INT64,    SL_MAX_TIMES_FP32,   SL_MAX_MIN_INT64};
    for (size_t r = 0; r < sizeof rings / sizeof *rings; r++) {
        const sl_type type = rings[r]->result;
        double own[REPEATS], lacking[REPEATS];
        const bool casts = rings[r] == SL_PLUS_TIMES_FP64;
        sl_matrix *A = valued(ctx, pattern, casts ? SL_INT64 : type);
        sl_vector *u, *w;
        MUST(ctx, sl_vector_new(&u, ctx, type, sl_matrix_nrows(A)));
        MUST(ctx, sl_vector_new(&w, ctx, type, sl_matrix_nrows(A)));
        MUST(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
        for (int k = -2; k < REPEATS; k++)
            own[k < 0 ? 0 : k] = multiply(ctx, w, A, u, rings[r]);
        MUST(ctx, sl_vector_remove(u, sl_matrix_nrows(A) / 2));
        for (int k = -2; k < REPEATS; k++)
            lacking[k < 0 ? 0 : k] = multiply(ctx, w, A, u, rings[r]);
        printf("  %s%s: %.3f ms, of a vector that lacks an entry: %.3f\n", rings[r]->name,
               casts ? " with int64 values" : "", 1e3 * bench_median(own, REPEATS),
               1e3 * bench_median(lacking, REPEATS));
        sl_vector_free(u);
        sl_vector_free(w);
        sl_matrix_free(A);
    }
}

int main(int argc, char **argv)
{
    static char *defaults[] = {"kronecker:16", "grid:512"};
    int roots = 16;
    sl_context *ctx;
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK) {
        printf("skipped: no GPU\n");
        return 0;
    }
    bool host = argc < 2 || strcmp(argv[1], "--no-host") != 0;
    if (!host) {
        argc--;
        argv++;
    }
    if (argc > 2 && strcmp(argv[1], "--roots") == 0) {
        roots = atoi(argv[2]) < MOST ? atoi(argv[2]) : MOST;
        argc -= 2;
        argv += 2;
    }
    double bandwidth = copy_bandwidth();
    printf("copy: %.0f GB/s, read and written\n", 1e-9 * bandwidth);
    char **models = argc > 1 ? argv + 1 : defaults;
    for (int k = 0; k < (argc > 1 ? argc - 1 : 2); k++) {
        sl_matrix *A = bench_graph(ctx, models[k]);
        uint64_t nnz;
        MUST(ctx, sl_matrix_nvals(&nnz, A));
        MUST(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        printf("%s: %" PRIu64 " vertices, %" PRIu64 " entries\n", models[k], sl_matrix_nrows(A),
               nnz);
        bench_searches(ctx, A, roots, host);
        if (nnz < INT32_MAX) {
            products(ctx, A, false, bandwidth);
            products(ctx, A, true, bandwidth);
            other_products(ctx, A);
        }
        sl_matrix_free(A);
    }
    sl_context_free(ctx);
    return 0;
}
