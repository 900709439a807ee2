/* <semla/grb.h> in a program in which semla initialises GraphBLAS, and the program finalises it. */
#include "grb_exchange.h"

static sl_status hand_over_and_take_back(void *data)
{
    GrB_Matrix matrix;
    GrB_Vector vector;
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    allocator_pause(true);
    matrix = ring(GrB_FP64, 6);
    MUST(GrB_Matrix_wait(matrix, GrB_MATERIALIZE));
    MUST(GrB_Vector_new(&vector, GrB_FP64, 6));
    MUST(GrB_Vector_setElement_FP64(vector, 1, 2));
    MUST(GrB_Vector_wait(vector, GrB_MATERIALIZE));
    allocator_pause(false);
    sl_status status = sl_matrix_from_grb(&A, ctx, &matrix);
    if (status == SL_OK)
        status = sl_vector_from_grb(&v, ctx, &vector);
    if (status == SL_OK)
        status = sl_matrix_to_grb(&matrix, &A);
    if (status == SL_OK)
        status = sl_vector_to_grb(&vector, &v);
    allocator_pause(true);
    assert_true((A != NULL) == (matrix == NULL) && (v != NULL) == (vector == NULL));
    if (A)
        OK(ctx, sl_matrix_to_grb(&matrix, &A));
    check_ring(matrix, 6);
    sl_vector_free(v);
    MUST(GrB_Matrix_free(&matrix));
    MUST(GrB_Vector_free(&vector));
    allocator_pause(false);
    return status;
}

static void test_memory_runs_out(void **state)
{
    assert_true(allocator_fail_each(hand_over_and_take_back, NULL) > 0);
}

/* An object created in a context with a memory limit is counted until it is freed, by semla or by
 * GraphBLAS. */
static void test_memory_is_counted(void **state)
{
    sl_context *limited;
    sl_context_memory memory;
    assert_int_equal(sl_context_create(&limited, SL_ENGINE_AUTO), SL_OK);
    OK(limited, sl_context_set_memory_limit(limited, 1 << 20));
    sl_vector *v;
    GrB_Vector vector;
    OK(limited, sl_vector_new(&v, limited, SL_FP64, 1000));
    OK(limited, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    OK(limited, sl_vector_set(v, 3, sl_scalar_fp64(2)));
    OK(limited, sl_vector_to_grb(&vector, &v));
    sl_context_get_memory(limited, &memory);
    assert_true(memory.used >= 8000);
    MUST(GrB_Vector_free(&vector));
    sl_context_get_memory(limited, &memory);
    assert_int_equal(memory.used, 0);
    sl_context_free(limited);
}

static int finalize(void **state)
{
    sl_context_free(ctx);
    const bool leak = allocator_alive() != 0;
    return GrB_finalize() != GrB_SUCCESS || leak;
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {HANDOVER_TESTS, cmocka_unit_test(test_memory_runs_out),
                                       cmocka_unit_test(test_memory_is_counted)};
    return cmocka_run_group_tests(tests, make_context, finalize);
}
