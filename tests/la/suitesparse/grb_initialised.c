/* <semla/grb.h> in a program that initialises GraphBLAS before it creates a context of semla. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grb_exchange.h"

/* Arrays allocated by the C library pass through semla into GraphBLAS and back. */
static void test_arrays(void **state)
{
    sl_arrays arrays = {
        .format = SL_FORMAT_CSR, .type = SL_FP64, .nrows = 2, .ncols = 2, .nvals = 2};
    arrays.start = sl_calloc(3, sizeof *arrays.start);
    arrays.cols = sl_calloc(2, sizeof *arrays.cols);
    arrays.values = sl_calloc(2, sizeof(double));
    arrays.start[1] = 1;
    arrays.start[2] = 2;
    sl_matrix *A;
    GrB_Matrix matrix;
    OK(ctx, sl_matrix_take(&A, ctx, &arrays));
    OK(ctx, sl_matrix_to_grb(&matrix, &A));
    GrB_Index *start = NULL, *index = NULL, sizes[3];
    void *values = NULL;
    MUST(GxB_Matrix_unpack_CSR(matrix, &start, &index, &values, &sizes[0], &sizes[1], &sizes[2],
                               NULL, NULL, NULL));
    assert_true(start[2] == 2 && index[1] == 0);
    free(start);
    free(index);
    free(values);
    MUST(GrB_Matrix_free(&matrix));
}

static void test_no_limit(void **state)
{
    sl_context_memory memory;
    assert_int_equal(sl_context_set_memory_limit(ctx, 1 << 20), SL_UNSUPPORTED);
    SAYS("the program initialised GraphBLAS");
    sl_context_get_memory(ctx, &memory);
    assert_true(memory.limit == 0 && memory.used == 0);
}

/* Run in a process of its own, because an allocator is set for a whole process. */
static int create_with_an_allocator(void)
{
    pid_t child = fork();
    if (child == 0) {
        allocator_install_only();
        sl_context *made = (sl_context *)1;
        sl_status status = sl_context_create(&made, SL_ENGINE_AUTO);
        _exit(status == SL_UNSUPPORTED && !made ? 0 : 1);
    }
    int status = 1;
    return child < 0 || waitpid(child, &status, 0) != child ? 1 : status;
}

static void test_no_allocator(void **state)
{
    assert_int_equal(*(int *)*state, 0);
}

static int begin(void **state)
{
    static int refused;
    refused = create_with_an_allocator();
    *state = &refused;
    return sl_context_create(&ctx, SL_ENGINE_AUTO);
}

static int finalize(void **state)
{
    sl_context_free(ctx);
    return GrB_finalize() != GrB_SUCCESS;
}

int main(void)
{
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS)
        return 1;
    const struct CMUnitTest tests[] = {HANDOVER_TESTS, cmocka_unit_test(test_arrays),
                                       cmocka_unit_test(test_no_limit),
                                       cmocka_unit_test(test_no_allocator)};
    return cmocka_run_group_tests(tests, begin, finalize);
}
