/*
 * Several threads call the GraphBLAS C API at the same time, each with objects of its own and with operators that all
 * share; results must be those of one thread.
 */
#include "support.h"
#include <GraphBLAS.h>

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 40, SIZE = 12 };

static GrB_BinaryOp shared_op;
static GrB_Monoid shared_monoid;
static GrB_Semiring shared_semiring;
static GrB_Matrix shared_matrix; /* read only */

static void plus(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x + *(const double *)y;
}

/* What a thread has seen: a sum, and the codes of calls that should fail. */
typedef struct {
    int number;
    double sum;
    GrB_Info info;
    bool messages;
} result;

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if (r->info == GrB_SUCCESS)                                                                \
            r->info = (call);                                                                      \
    } while (0)

static void run_round(result *r, int round)
{
    GrB_Matrix A = NULL, C = NULL;
    GrB_Vector u = NULL;
    GrB_UnaryOp none = NULL;
    GrB_Type type = NULL;
    GrB_Monoid monoid = NULL;
    const char *message = "";
    char expected[32];
    double sum = 0;
    TRY(GrB_Type_new(&type, 8));
    TRY(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE));
    TRY(GrB_Matrix_new(&C, GrB_FP64, SIZE, SIZE));
    TRY(GrB_Vector_new(&u, GrB_FP64, SIZE));
    TRY(GrB_Monoid_new(&monoid, shared_op, 0.0));
    for (GrB_Index k = 0; k < SIZE; k++) {
        TRY(GrB_Matrix_setElement(A, (double)(r->number + round), k, (k + 1) % SIZE));
        TRY(GrB_Vector_setElement(u, 1.0, k));
    }
    TRY(GrB_mxm(C, NULL, NULL, shared_semiring, A, shared_matrix, NULL));
    TRY(GrB_vxm(u, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, u, A, NULL));
    TRY(GrB_eWiseAdd(C, NULL, NULL, shared_op, C, A, NULL));
    TRY(GrB_reduce(&sum, NULL, round % 2 ? shared_monoid : monoid, C, NULL));
    r->sum += sum;
    TRY(GrB_reduce(&sum, NULL, shared_monoid, u, NULL));
    r->sum += sum;
    /* Each object has the message of its own last failure. */
    const GrB_Index beyond = (GrB_Index)(1000 + r->number);
    if (GrB_Vector_setElement(u, 1.0, beyond) != GrB_INVALID_INDEX ||
        GrB_apply(u, NULL, NULL, none, u, NULL) != GrB_NULL_POINTER)
        r->info = GrB_PANIC;
    TRY(GrB_error(&message, u));
    snprintf(expected, sizeof expected, "%d", (int)beyond);
    r->messages = r->messages && strstr(message, expected);
    GrB_free(&monoid);
    GrB_free(&A);
    GrB_free(&C);
    GrB_free(&u);
    GrB_free(&type);
}

static void *run_thread(void *data)
{
    result *r = data;
    for (int round = 0; round < ROUNDS; round++)
        run_round(r, round);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    result alone[THREADS] = {0}, together[THREADS] = {0};
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        alone[t] = together[t] = (result){.number = t, .messages = true};
        run_thread(&alone[t]);
    }
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, run_thread, &together[t]), 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++) {
        assert_int_equal(alone[t].info, GrB_SUCCESS);
        assert_int_equal(together[t].info, GrB_SUCCESS);
        assert_true(alone[t].messages && together[t].messages);
        assert_true(together[t].sum == alone[t].sum && alone[t].sum > 0);
    }
}

int main(void)
{
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS ||
        GrB_BinaryOp_new(&shared_op, plus, GrB_FP64, GrB_FP64, GrB_FP64) != GrB_SUCCESS ||
        GrB_Monoid_new(&shared_monoid, shared_op, 0.0) != GrB_SUCCESS ||
        GrB_Semiring_new(&shared_semiring, shared_monoid, GrB_TIMES_FP64) != GrB_SUCCESS ||
        GrB_Matrix_new(&shared_matrix, GrB_FP64, SIZE, SIZE) != GrB_SUCCESS)
        return 1;
    for (GrB_Index k = 0; k < SIZE; k++)
        if (GrB_Matrix_setElement(shared_matrix, 2.0, k, k) != GrB_SUCCESS)
            return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    GrB_free(&shared_matrix);
    GrB_free(&shared_semiring);
    GrB_free(&shared_monoid);
    GrB_free(&shared_op);
    return failed || GrB_finalize() != GrB_SUCCESS;
}
