/* Transposes in one segment and in several, compared with a counting sort on the host: rows and columns of all lengths,
 * one that is joined to all, empty ones, one entry, none; with values and without. */
#include <stdio.h>
#include <string.h>

#include "cuda/operations/matrix_kernels.h"
#include "cuda/runtime/device.h"
#include "support.h"

enum { ROWS = 700, COLS = 300, MOST = ROWS * 8 + COLS };

typedef struct {
    uint64_t nrows, ncols, start[ROWS + 1];
    uint32_t index[MOST];
    double values[MOST];
} rows;

static sl_context *ctx;

/* Row 5 is joined to every column, and column 3 to every row but each seventh; other rows have up
 * to `longest` entries. */
static void make_rows(rows *A, uint64_t nrows, uint64_t ncols, unsigned longest, uint64_t seed)
{
    uint64_t nnz = 0;
    *A = (rows){.nrows = nrows, .ncols = ncols};
    for (uint64_t i = 0; i < nrows; i++) {
        A->start[i] = nnz;
        for (uint64_t j = 0; j < ncols && longest; j++)
            if (i == 5 || (j == 3 && i % 7) ||
                (nnz - A->start[i] < longest && test_random(&seed) % ncols < longest)) {
                A->index[nnz] = (uint32_t)j;
                A->values[nnz] = (double)nnz + 0.5;
                nnz++;
            }
    }
    A->start[nrows] = nnz;
    assert_true(nnz <= MOST);
}

static void transpose_on_host(rows *At, const rows *A)
{
    uint64_t next[COLS + 1] = {0};
    const uint64_t nnz = A->start[A->nrows];
    *At = (rows){.nrows = A->ncols, .ncols = A->nrows};
    for (uint64_t e = 0; e < nnz; e++)
        At->start[A->index[e] + 1]++;
    for (uint64_t j = 0; j < A->ncols; j++)
        At->start[j + 1] += At->start[j];
    memcpy(next, At->start, A->ncols * sizeof *next);
    for (uint64_t i = 0; i < A->nrows; i++)
        for (uint64_t e = A->start[i]; e < A->start[i + 1]; e++) {
            At->index[next[A->index[e]]] = (uint32_t)i;
            At->values[next[A->index[e]]++] = A->values[e];
        }
}

static void *on_device(const void *from, uint64_t bytes)
{
    void *to;
    assert_int_equal(sl_cuda_alloc(ctx, &to, bytes), SL_OK);
    assert_int_equal(sl_cuda_upload(ctx, to, from, bytes), SL_OK);
    return to;
}

static void read_back(void *to, void *from, uint64_t bytes)
{
    assert_int_equal(sl_cuda_download(ctx, to, from, bytes), SL_OK);
    assert_int_equal(sl_cuda_wait(ctx, "a transpose"), SL_OK);
    sl_cuda_free(from);
}

static void compare(const rows *A, uint64_t segment, bool valued)
{
    static rows right, got;
    const uint64_t nnz = A->start[A->nrows];
    transpose_on_host(&right, A);
    got = right;
    memset(got.start, 0xff, (A->ncols + 1) * sizeof *got.start);
    memset(got.index, 0xff, nnz * sizeof *got.index);
    memset(got.values, 0xff, nnz * sizeof *got.values);
    uint64_t *start = on_device(A->start, (A->nrows + 1) * sizeof *start);
    uint32_t *index = on_device(A->index, nnz * sizeof *index);
    double *values = on_device(A->values, nnz * sizeof *values);
    uint64_t *t_start = on_device(got.start, (A->ncols + 1) * sizeof *t_start);
    uint32_t *t_index = on_device(got.index, nnz * sizeof *t_index);
    double *t_values = on_device(got.values, nnz * sizeof *t_values);
    const cuda_matrix_rows from = {.start = start,
                                   .index = index,
                                   .values = valued ? values : NULL,
                                   .size = sizeof *values,
                                   .nrows = A->nrows,
                                   .ncols = A->ncols,
                                   .nnz = nnz};
    size_t bytes;
    void *scratch;
    assert_int_equal(sl_cuda_transpose_scratch(&bytes, A->ncols, nnz, segment), 0);
    assert_int_equal(sl_cuda_alloc(ctx, &scratch, bytes), SL_OK);
    assert_int_equal(sl_cuda_transpose(t_start, t_index, t_values, &from, segment, scratch, bytes),
                     0);
    sl_cuda_free(scratch);
    read_back(got.start, t_start, (A->ncols + 1) * sizeof *t_start);
    read_back(got.index, t_index, nnz * sizeof *t_index);
    read_back(got.values, t_values, nnz * sizeof *t_values);
    sl_cuda_free(start);
    sl_cuda_free(index);
    sl_cuda_free(values);
    assert_memory_equal(got.start, right.start, (A->ncols + 1) * sizeof *got.start);
    assert_memory_equal(got.index, right.index, nnz * sizeof *got.index);
    if (valued)
        assert_memory_equal(got.values, right.values, nnz * sizeof *got.values);
}

static void segments(void **state)
{
    static rows A;
    static const uint64_t shapes[][3] = {{1, 1, 0},    {1, 1, 1},     {40, 1, 1},     {6, COLS, 1},
                                         {ROWS, 9, 3}, {90, COLS, 2}, {ROWS, COLS, 4}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        make_rows(&A, shapes[k][0], shapes[k][1], (unsigned)shapes[k][2], k);
        const uint64_t nnz = A.start[A.nrows], sizes[] = {1, 64, nnz / 2 + 1, nnz, nnz + 1};
        for (size_t s = nnz > 500; s < sizeof sizes / sizeof *sizes; s++) {
            compare(&A, sizes[s] ? sizes[s] : 1, true);
            compare(&A, sizes[s] ? sizes[s] : 1, false);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(segments)};
    if (sl_cuda_unavailable_reason()) {
        printf("engine cuda skipped: %s\n", sl_cuda_unavailable_reason());
        return 0;
    }
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK)
        return 1;
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failures;
}
