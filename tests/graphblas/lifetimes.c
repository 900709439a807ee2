/*
 * Lifetimes of objects of the GraphBLAS C API: parts freed before and after what uses them, after GrB_finalize, and
 * GrB_init again. Sanitizers find what is freed too early, twice or never; the allocator counts what is left.
 */
#include "support.h"
#include <GraphBLAS.h>

#define GRB_OK(call) assert_int_equal(call, GrB_SUCCESS)

static void plus(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x + *(const double *)y;
}

/* A type, and what is made of it, each of the one before. */
enum { TYPE, OPERATOR, MONOID, SEMIRING, MATRIX, VECTOR, SCALAR, PARTS };
typedef struct {
    GrB_Type type;
    GrB_BinaryOp op;
    GrB_Monoid monoid;
    GrB_Semiring semiring;
    GrB_Matrix A;
    GrB_Vector u;
    GrB_Scalar s;
} chain;

static void make_chain(chain *c)
{
    const double zero = 0, two = 2;
    GRB_OK(GrB_Type_new(&c->type, sizeof(double)));
    GRB_OK(GrB_BinaryOp_new(&c->op, plus, c->type, c->type, c->type));
    GRB_OK(GrB_Monoid_new(&c->monoid, c->op, (void *)&zero));
    GRB_OK(GrB_Semiring_new(&c->semiring, c->monoid, c->op));
    GRB_OK(GrB_Matrix_new(&c->A, c->type, 3, 3));
    GRB_OK(GrB_Vector_new(&c->u, c->type, 3));
    GRB_OK(GrB_Scalar_new(&c->s, c->type));
    GRB_OK(GrB_Matrix_setElement(c->A, (void *)&two, 1, 2));
    GRB_OK(GrB_Vector_setElement(c->u, (void *)&two, 1));
    GRB_OK(GrB_Scalar_setElement(c->s, (void *)&two));
}

static void free_part(chain *c, int part)
{
    switch (part) {
    case TYPE:
        GRB_OK(GrB_free(&c->type));
        assert_null(c->type);
        break;
    case OPERATOR:
        GRB_OK(GrB_free(&c->op));
        break;
    case MONOID:
        GRB_OK(GrB_free(&c->monoid));
        break;
    case SEMIRING:
        GRB_OK(GrB_free(&c->semiring));
        break;
    case MATRIX:
        GRB_OK(GrB_free(&c->A));
        break;
    case VECTOR:
        GRB_OK(GrB_free(&c->u));
        break;
    default:
        GRB_OK(GrB_free(&c->s));
        break;
    }
}

/* Uses what is left of a chain. */
static void use(chain *c)
{
    double x = 0;
    const double two = 2;
    if (c->semiring && c->A && c->u) {
        GRB_OK(GrB_Vector_clear(c->u));
        GRB_OK(GrB_Vector_setElement(c->u, (void *)&two, 1));
        GRB_OK(GrB_vxm(c->u, NULL, NULL, c->semiring, c->u, c->A, NULL));
        GRB_OK(GrB_Vector_extractElement((void *)&x, c->u, 2));
        assert_true(x == 4);
    }
    if (c->monoid && c->u)
        GRB_OK(GrB_reduce((void *)&x, NULL, c->monoid, c->u, NULL));
    if (c->s)
        GRB_OK(GrB_Scalar_extractElement((void *)&x, c->s));
}

/* Each part is freed first, then the others in both directions. */
static void test_orders(void **state)
{
    (void)state;
    GRB_OK(GrB_init(GrB_NONBLOCKING));
    for (int first = 0; first < PARTS; first++)
        for (int step = 1; step <= PARTS - 1; step += PARTS - 2) {
            chain c;
            make_chain(&c);
            for (int k = 0, part = first; k < PARTS; k++, part = (part + step) % PARTS) {
                use(&c);
                free_part(&c, part);
            }
        }
    GRB_OK(GrB_finalize());
}

/* Objects outlive GrB_finalize, cannot be used until GrB_init, and can then. */
static void test_finalize(void **state)
{
    (void)state;
    const long before = allocator_alive();
    for (int freed = 0; freed <= PARTS; freed++) {
        GrB_Index nvals = 0;
        chain c;
        GRB_OK(GrB_init(GrB_BLOCKING));
        assert_int_equal(GrB_init(GrB_BLOCKING), GrB_INVALID_VALUE);
        make_chain(&c);
        for (int part = 0; part < freed; part++)
            free_part(&c, part);
        GRB_OK(GrB_finalize());
        assert_int_equal(GrB_finalize(), GrB_PANIC);
        assert_int_equal(GrB_Vector_nvals(&nvals, c.u), GrB_PANIC);
        if (freed % 2 == 0) {
            GRB_OK(GrB_init(GrB_NONBLOCKING));
            use(&c);
            GRB_OK(GrB_finalize());
        }
        for (int part = freed; part < PARTS; part++)
            free_part(&c, part);
        assert_int_equal(allocator_alive(), before);
    }
}

/* A handle that is NULL, or of a predefined object, can be freed. */
static void test_nothing(void **state)
{
    (void)state;
    GrB_Matrix A = NULL;
    GrB_BinaryOp op = GrB_PLUS_FP64;
    GrB_Type type = GrB_FP64;
    GRB_OK(GrB_Matrix_free(&A));
    GRB_OK(GrB_Matrix_free(NULL));
    GRB_OK(GrB_free(&op));
    GRB_OK(GrB_free(&type));
    GRB_OK(GrB_init(GrB_NONBLOCKING));
    GRB_OK(GrB_Matrix_new(&A, GrB_FP64, 2, 2));
    GRB_OK(GrB_free(&A));
    GRB_OK(GrB_free(&A));
    GRB_OK(GrB_finalize());
}

/* An object keeps the message of the last call that failed on it, also after calls on others have failed. */
static void test_messages(void **state)
{
    (void)state;
    GrB_Vector u = NULL, v = NULL;
    const char *first = "", *second = "";
    GRB_OK(GrB_init(GrB_NONBLOCKING));
    GRB_OK(GrB_Vector_new(&u, GrB_FP64, 3));
    GRB_OK(GrB_Vector_new(&v, GrB_FP64, 4));
    GRB_OK(GrB_error(&first, u));
    assert_string_equal(first, "");
    assert_int_equal(GrB_eWiseAdd(u, NULL, NULL, GrB_PLUS_FP64, u, v, NULL),
                     GrB_DIMENSION_MISMATCH);
    assert_int_equal(GrB_Vector_setElement(v, 1.0, 9), GrB_INVALID_INDEX);
    GRB_OK(GrB_error(&first, u));
    GRB_OK(GrB_error(&second, v));
    assert_string_not_equal(first, "");
    assert_non_null(strstr(second, "9"));
    assert_string_not_equal(first, second);
    GRB_OK(GrB_free(&u));
    GRB_OK(GrB_free(&v));
    GRB_OK(GrB_finalize());
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders), cmocka_unit_test(test_finalize),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
