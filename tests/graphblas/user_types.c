/*
 * GxB_Type_new and operators with definitions in C, on a GPU alone (SEMLA_ENGINE=cuda): each call
 * gives the values that the functions give, and a type without a definition is not computed with.
 */
#include "support.h"
#include <GraphBLAS.h>

enum { SIZE = 50 };

#define GRB_OK(call) assert_int_equal(call, GrB_SUCCESS)

/* A function and its text. */
#define DEFINE(name, ...)                                                                          \
    __VA_ARGS__                                                                                    \
    static const char name##_text[] = #__VA_ARGS__;

DEFINE(
    edge, typedef struct {
        float length;
        uint32_t hops;
    } edge;)
DEFINE(
    shorter, static void shorter(void *to, const void *first, const void *second) {
        const edge *x = (const edge *)first, *y = (const edge *)second;
        const GrB_Index one =
            x->length < y->length || (x->length == y->length && x->hops <= y->hops);
        *(edge *)to = one ? *x : *y;
    })
DEFINE(
    append, static void append(void *to, const void *first, const void *second) {
        const edge *x = (const edge *)first, *y = (const edge *)second;
        edge *z = (edge *)to;
        z->length = x->length + y->length;
        z->hops = x->hops + y->hops;
    })
DEFINE(
    hops,
    static void hops(void *z, const void *x) { *(int32_t *)z = (int32_t)((const edge *)x)->hops; })
DEFINE(
    longer_than,
    static void longer_than(void *z, const void *x, GrB_Index i, GrB_Index j, const void *thunk) {
        *(bool *)z = ((const edge *)x)->length > *(const float *)thunk && i + j > 0;
    })

typedef struct {
    GrB_Type type;
    GrB_BinaryOp shorter, append;
    GrB_UnaryOp hops;
    GrB_IndexUnaryOp longer_than;
    GrB_Monoid shortest;
    GrB_Semiring paths;
} algebra;

/* definition: of the type. */
static void begin_algebra(algebra *a, const char *definition)
{
    const edge none = {1e30F, UINT32_MAX};
    GRB_OK(GxB_Type_new(&a->type, sizeof(edge), "edge", definition));
    GRB_OK(
        GxB_BinaryOp_new(&a->shorter, shorter, a->type, a->type, a->type, "shorter", shorter_text));
    GRB_OK(GxB_BinaryOp_new(&a->append, append, a->type, a->type, a->type, "append", append_text));
    GRB_OK(GxB_UnaryOp_new(&a->hops, hops, GrB_INT32, a->type, "hops", hops_text));
    GRB_OK(GxB_IndexUnaryOp_new(&a->longer_than, longer_than, GrB_BOOL, a->type, GrB_FP32,
                                "longer_than", longer_than_text));
    GRB_OK(GrB_Monoid_new_UDT(&a->shortest, a->shorter, &none));
    GRB_OK(GrB_Semiring_new(&a->paths, a->shortest, a->append));
}

static void end_algebra(algebra *a)
{
    GRB_OK(GrB_Semiring_free(&a->paths));
    GRB_OK(GrB_Monoid_free(&a->shortest));
    GRB_OK(GrB_IndexUnaryOp_free(&a->longer_than));
    GRB_OK(GrB_UnaryOp_free(&a->hops));
    GRB_OK(GrB_BinaryOp_free(&a->append));
    GRB_OK(GrB_BinaryOp_free(&a->shorter));
    GRB_OK(GrB_Type_free(&a->type));
}

/* i -> i + 1 of length 1, and i -> i + 2 of length 1.5. */
static GrB_Matrix edges_of(GrB_Type type)
{
    GrB_Index rows[2 * SIZE], cols[2 * SIZE], count = 0;
    edge values[2 * SIZE];
    GrB_Matrix A = NULL;
    for (GrB_Index i = 0; i < SIZE; i++)
        for (GrB_Index step = 1; step <= 2 && i + step < SIZE; step++) {
            rows[count] = i;
            cols[count] = i + step;
            values[count++] = (edge){0.5F + 0.5F * (float)step, 1};
        }
    GRB_OK(GrB_Matrix_new(&A, type, SIZE, SIZE));
    GRB_OK(GrB_Matrix_build_UDT(A, rows, cols, values, count, NULL));
    return A;
}

static void test_paths(void **state)
{
    algebra a;
    GrB_Vector d = NULL, h = NULL;
    GrB_Matrix C = NULL;
    GrB_Index count;
    int32_t last;
    edge end, least;
    (void)state;
    begin_algebra(&a, edge_text);
    GrB_Matrix A = edges_of(a.type);
    GRB_OK(GrB_Vector_new(&d, a.type, SIZE));
    GRB_OK(GrB_Vector_new(&h, GrB_INT32, SIZE));
    GRB_OK(GrB_Matrix_new(&C, a.type, SIZE, SIZE));
    GRB_OK(GrB_Vector_setElement_UDT(d, &(edge){0, 0}, 0));
    for (int round = 0; round < SIZE; round++)
        GRB_OK(GrB_vxm(d, NULL, a.shorter, a.paths, d, A, NULL));
    GRB_OK(GrB_Vector_extractElement_UDT(&end, d, SIZE - 1));
    assert_true(end.length == 24 * 1.5F + 1 && end.hops == 25);
    GRB_OK(GrB_Vector_apply(h, NULL, NULL, a.hops, d, NULL));
    GRB_OK(GrB_Vector_extractElement_INT32(&last, h, SIZE - 1));
    assert_int_equal(last, 25);
    GRB_OK(GrB_Matrix_select_FP32(C, NULL, NULL, a.longer_than, A, 1, NULL));
    GRB_OK(GrB_Matrix_nvals(&count, C));
    assert_int_equal(count, SIZE - 2);
    GRB_OK(GrB_Matrix_reduce_UDT(&least, NULL, a.shortest, C, NULL));
    assert_true(least.length == 1.5F && least.hops == 1);
    GRB_OK(GrB_Matrix_free(&A));
    GRB_OK(GrB_Matrix_free(&C));
    GRB_OK(GrB_Vector_free(&d));
    GRB_OK(GrB_Vector_free(&h));
    end_algebra(&a);
}

/* A definition that does not name the type is none. */
static void test_no_definition(void **state)
{
    static const char *const definitions[] = {NULL, "", "typedef struct { float x, y; } other;"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        algebra a;
        GrB_Matrix C = NULL;
        begin_algebra(&a, definitions[k]);
        GrB_Matrix A = edges_of(a.type);
        GRB_OK(GrB_Matrix_new(&C, a.type, SIZE, SIZE));
        assert_int_equal(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, a.append, A, A, NULL),
                         GrB_NOT_IMPLEMENTED);
        GRB_OK(GrB_Matrix_free(&A));
        GRB_OK(GrB_Matrix_free(&C));
        end_algebra(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths),
                                       cmocka_unit_test(test_no_definition)};
    if (!has_gpu()) {
        print_message("engine cuda skipped\n");
        return 0;
    }
    GRB_OK(GrB_init(GrB_NONBLOCKING));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    GRB_OK(GrB_finalize());
    return failed;
}
