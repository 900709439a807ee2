/*
 * Products by cuSPARSE, with a replacement that fails in each of its functions: the status states
 * the kind of failure, the message names the function, nothing leaks, and the next product
 * succeeds. Also with every allocation failing. The numbers that cuSPARSE computes are tested in
 * tests/parity/.
 */
#include "support.h"
#include "try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 200, INNER = 150, COLUMNS = 128, EACH = 100 };
/* Size of a product with short rows for which the engine uses cuSPARSE. */
enum { SHORT_ROWS = 1 << 16, SHORT_INNER = 64, SHORT_EACH = 32 };

static sl_context *ctx;

/* Rows of `each` entries, all equal to 2. */
static sl_status make(sl_matrix **A, uint64_t nrows, uint64_t ncols, uint64_t each)
{
    sl_csr rows = {.nrows = nrows, .ncols = ncols, .type = SL_FP32};
    rows.start = sl_malloc((nrows + 1) * sizeof *rows.start);
    rows.index = sl_malloc(nrows * each * sizeof *rows.index);
    float *values = rows.values = sl_malloc(nrows * each * sizeof *values);
    sl_status status = rows.start && rows.index && values ? SL_OK : SL_NO_MEMORY;
    for (uint64_t i = 0; status == SL_OK && i <= nrows; i++)
        rows.start[i] = i * each;
    for (uint64_t k = 0; status == SL_OK && k < nrows * each; k++) {
        rows.index[k] = k % each;
        values[k] = 2;
    }
    *A = NULL;
    if (status == SL_OK)
        status = sl_matrix_take_csr(A, ctx, &rows);
    free_rows(&rows);
    return status;
}

typedef struct {
    sl_matrix *A, *B, *C; /* B and C are full */
    sl_vector *u, *w;     /* u is full */
    sl_matrix *S, *I;     /* many short rows */
} operands;

static sl_status make_operands(operands *o)
{
    sl_scalar x = sl_scalar_fp32(2);
    *o = (operands){0};
    TRY(make(&o->A, ROWS, INNER, EACH));
    TRY(make(&o->B, INNER, COLUMNS, COLUMNS));
    TRY(make(&o->C, ROWS, COLUMNS, COLUMNS));
    TRY(make(&o->S, SHORT_ROWS, SHORT_INNER, SHORT_EACH));
    TRY(make(&o->I, SHORT_INNER, SHORT_INNER, 1));
    TRY(sl_vector_new(&o->u, ctx, SL_FP32, INNER));
    TRY(sl_vector_new(&o->w, ctx, SL_FP32, ROWS));
    TRY(sl_vector_assign_scalar(o->u, NULL, NULL, x, SL_ALL, 0, NULL));
    return sl_vector_assign_scalar(o->w, NULL, NULL, x, SL_ALL, 0, NULL);
}

static void free_operands(operands *o)
{
    sl_matrix_free(o->A);
    sl_matrix_free(o->B);
    sl_matrix_free(o->C);
    sl_matrix_free(o->S);
    sl_matrix_free(o->I);
    sl_vector_free(o->u);
    sl_vector_free(o->w);
}

/* ---- the products -------------------------------------------------------------------- */

static sl_status full_second(const operands *o)
{
    return sl_mxm(o->C, NULL, NULL, SL_PLUS_TIMES_FP32, o->A, o->B, NULL);
}

static sl_status added(const operands *o)
{
    return sl_mxm(o->C, NULL, SL_PLUS_FP32, SL_PLUS_TIMES_FP32, o->A, o->B, NULL);
}

/* A product with a full first factor, which is computed transposed. */
static sl_status full_first(const operands *o)
{
    sl_matrix *D;
    TRY(sl_matrix_new(&D, ctx, SL_FP32, COLUMNS, ROWS));
    sl_status status = sl_mxm(D, NULL, NULL, SL_PLUS_TIMES_FP32, o->B, o->A,
                              sl_descriptor_get(SL_TRANSPOSE_A | SL_TRANSPOSE_B));
    sl_matrix_free(D);
    return status;
}

static sl_status full_vector(const operands *o)
{
    return sl_mxv(o->w, NULL, NULL, SL_PLUS_TIMES_FP32, o->A, o->u, NULL);
}

static sl_status short_rows(const operands *o)
{
    sl_matrix *D;
    TRY(sl_matrix_new(&D, ctx, SL_FP32, SHORT_ROWS, SHORT_INNER));
    sl_status status = sl_mxm(D, NULL, NULL, SL_PLUS_TIMES_FP32, o->S, o->I, NULL);
    sl_matrix_free(D);
    return status;
}

typedef sl_status (*product)(const operands *o);

/* ---- failures of cuSPARSE --------------------------------------------------------------- */

static bool is_two(const sl_matrix *C, uint64_t row, uint64_t column)
{
    sl_scalar x;
    OK(ctx, sl_matrix_get(&x, C, row, column));
    return x.as.fp32_ == 2;
}

/* A product that fails leaves the output unchanged, and the next one succeeds. */
static void fail_in(const char *function, product run)
{
    operands o;
    OK(ctx, make_operands(&o));
    setenv("CUSPARSE_FAILS", function, 1);
    setenv("CUSPARSE_FAILS_BY", "itself", 1);
    assert_int_equal(run(&o), SL_ENGINE_FAULT);
    assert_non_null(strstr(sl_context_message(ctx), function));
    assert_non_null(strstr(sl_context_message(ctx), "made to fail"));
    setenv("CUSPARSE_FAILS_BY", "memory", 1);
    assert_int_equal(run(&o), SL_NO_MEMORY);
    assert_non_null(strstr(sl_context_message(ctx), function));
    unsetenv("CUSPARSE_FAILS");
    uint64_t nvals;
    OK(ctx, sl_matrix_nvals(&nvals, o.C));
    assert_int_equal(nvals, ROWS * COLUMNS);
    assert_true(is_two(o.C, 0, 0) && is_two(o.C, ROWS - 1, COLUMNS - 1));
    OK(ctx, run(&o));
    free_operands(&o);
}

static void test_failures(void **state)
{
    static const char *const of_matrices[] = {"cusparseCreateCsr", "cusparseCreateDnMat",
                                              "cusparseSpMM_bufferSize", "cusparseSpMM"};
    static const char *const of_vectors[] = {"cusparseCreateCsr",       "cusparseCreateDnVec",
                                             "cusparseDnVecSetValues",  "cusparseSpMV_bufferSize",
                                             "cusparseSpMV_preprocess", "cusparseSpMV"};
    static const char *const of_rows[] = {
        "cusparseCreateCsr",      "cusparseSpGEMM_createDescr", "cusparseSpGEMM_workEstimation",
        "cusparseSpGEMM_compute", "cusparseSpMatGetSize",       "cusparseCsrSetPointers",
        "cusparseSpGEMM_copy"};
    static const product products[] = {full_second, added, full_first};
    for (int k = 0; k < 4; k++)
        for (int p = 0; p < 3; p++)
            fail_in(of_matrices[k], products[p]);
    for (int k = 0; k < 6; k++)
        fail_in(of_vectors[k], full_vector);
    for (int k = 0; k < 7; k++)
        fail_in(of_rows[k], short_rows);
}

/* ---- failures of allocations -------------------------------------------------------------- */

static sl_status multiply_and_free(void *data)
{
    operands o;
    sl_status status = make_operands(&o);
    if (status == SL_OK)
        status = (*(const product *)data)(&o);
    free_operands(&o);
    return status;
}

static void test_memory(void **state)
{
    product products[] = {full_second, added, full_first, full_vector, short_rows};
    for (int k = 0; k < 5; k++) {
        /* opens libraries and compiles the kernels that the process keeps */
        OK(ctx, multiply_and_free(&products[k]));
        assert_true(allocator_fail_each(multiply_and_free, &products[k]) > 10);
    }
}

/* ---- the trace --------------------------------------------------------------------------- */

/* What a context that traces prints while a product runs. The caller frees the text. */
static char *traced(product run)
{
    enum { ROOM = 100000 };
    sl_context *quiet = ctx;
    operands o;
    FILE *file = tmpfile();
    char *text = calloc(ROOM, 1);
    assert_non_null(file);
    assert_non_null(text);
    setenv("SEMLA_TRACE", "dispatch", 1);
    OK(NULL, sl_context_create(&ctx, SL_ENGINE_CUDA));
    unsetenv("SEMLA_TRACE");
    const int kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    sl_status status = make_operands(&o);
    if (status == SL_OK)
        status = run(&o);
    dup2(kept, STDERR_FILENO);
    close(kept);
    OK(ctx, status);
    free_operands(&o);
    sl_context_free(ctx);
    ctx = quiet;
    rewind(file);
    assert_true(fread(text, 1, ROOM - 1, file) > 0);
    fclose(file);
    return text;
}

static sl_status least(const operands *o)
{
    return sl_mxv(o->w, NULL, NULL, SL_MIN_PLUS_FP32, o->A, o->u, NULL);
}

/* The trace names cuSPARSE for the products that it computes, and for no others. */
static void test_trace(void **state)
{
    static const struct {
        product run;
        const char *line;
    } products[] = {{full_vector, "mxv plus_times_fp32: cuda by cuSPARSE, "},
                    {full_first, "mxm plus_times_fp32: cuda by cuSPARSE, "},
                    {full_second, "mxm plus_times_fp32: cuda by cuSPARSE, "},
                    {short_rows, "mxm plus_times_fp32: cuda by cuSPARSE, "},
                    {least, "mxv min_plus_fp32: cuda, "}};
    for (size_t k = 0; k < sizeof products / sizeof *products; k++) {
        char *text = traced(products[k].run);
        if (!strstr(text, products[k].line))
            fail_msg("no line '%s' in:\n%s", products[k].line, text);
        free(text);
    }
}

static int begin(void **state)
{
    setenv("SEMLA_CUSPARSE", CUSPARSE_FAILS_FILE, 1);
    setenv("SEMLA_ENGINE", "cuda", 1); /* no fallback: a call that the GPU declines is an error */
    return sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK;
}

static int end(void **state)
{
    sl_context_free(ctx);
    return 0;
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures),
                                       cmocka_unit_test(test_memory), cmocka_unit_test(test_trace)};
    if (begin(NULL) != 0) {
        printf("engine cuda skipped: there is no GPU\n");
        return 0;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    end(NULL);
    return failed;
}
