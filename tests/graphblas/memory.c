/*
 * Calls of the GraphBLAS C API whose allocations fail one after another: each call returns GrB_OUT_OF_MEMORY, leaks
 * nothing, and leaves its objects valid, so that it succeeds when it is repeated.
 */
#include "support.h"
#include <GraphBLAS.h>

enum { SIZE = 20 };

/* What calls use; made anew while no allocation fails. */
typedef struct {
    GrB_Matrix A, C;
    GrB_Vector u, w;
    GrB_Scalar s;
    GrB_Type type;
    GrB_BinaryOp op;
    GrB_Monoid monoid;
} objects;

#define GRB_OK(call)                                                                               \
    do {                                                                                           \
        const GrB_Info ok_info_ = (call);                                                          \
        if (ok_info_ != GrB_SUCCESS)                                                               \
            fail_msg("%s: %d", #call, (int)ok_info_);                                              \
    } while (0)

static void plus(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x + *(const double *)y;
}
static void negate(void *z, const void *x)
{
    *(double *)z = -*(const double *)x;
}
static void row(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y)
{
    (void)x, (void)j, (void)y;
    *(double *)z = (double)i;
}

static void make(objects *o)
{
    *o = (objects){0};
    GRB_OK(GrB_Matrix_new(&o->A, GrB_FP64, SIZE, SIZE));
    GRB_OK(GrB_Matrix_new(&o->C, GrB_FP64, SIZE, SIZE));
    GRB_OK(GrB_Vector_new(&o->u, GrB_FP64, SIZE));
    GRB_OK(GrB_Vector_new(&o->w, GrB_FP64, SIZE));
    GRB_OK(GrB_Scalar_new(&o->s, GrB_FP64));
    GRB_OK(GrB_Type_new(&o->type, sizeof(double)));
    GRB_OK(GrB_BinaryOp_new(&o->op, plus, GrB_FP64, GrB_FP64, GrB_FP64));
    GRB_OK(GrB_Monoid_new(&o->monoid, o->op, 0.0));
    GRB_OK(GrB_Scalar_setElement(o->s, 2.0));
    for (GrB_Index k = 0; k < SIZE; k++) {
        GRB_OK(GrB_Matrix_setElement(o->A, (double)k, k, k * 7 % SIZE));
        GRB_OK(GrB_Vector_setElement(o->u, (double)k, k));
    }
    GRB_OK(GrB_wait(o->A, GrB_MATERIALIZE));
    GRB_OK(GrB_wait(o->u, GrB_MATERIALIZE));
}

static void free_objects(objects *o)
{
    GrB_free(&o->A);
    GrB_free(&o->C);
    GrB_free(&o->u);
    GrB_free(&o->w);
    GrB_free(&o->s);
    GrB_free(&o->type);
    GrB_free(&o->monoid);
    GrB_free(&o->op);
}

/* A new object exists if and only if the call succeeded; it is freed. */
#define MAKES(KIND, call)                                                                          \
    GrB_##KIND made = NULL;                                                                        \
    const GrB_Info info = call;                                                                    \
    assert_int_equal(made != NULL, info == GrB_SUCCESS);                                           \
    GrB_##KIND##_free(&made);                                                                      \
    return info

static void with_indices(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y,
                         GrB_Index iy, GrB_Index jy, const void *theta)
{
    (void)ix, (void)jx, (void)iy, (void)jy, (void)theta;
    plus(z, x, y);
}

static GrB_Info make_indexed(GrB_BinaryOp *op, GrB_Scalar theta)
{
    GxB_IndexBinaryOp index = NULL;
    GrB_Info info = GxB_IndexBinaryOp_new(&index, with_indices, GrB_FP64, GrB_FP64, GrB_FP64,
                                          GrB_FP64, "name", NULL);
    if (info == GrB_SUCCESS)
        info = GxB_BinaryOp_new_IndexOp(op, index, theta);
    GxB_IndexBinaryOp_free(&index);
    return info;
}

static GrB_Info use_indexed(objects *o)
{
    GrB_BinaryOp op = NULL;
    GrB_Info info = make_indexed(&op, o->s);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_eWiseAdd_BinaryOp(o->C, NULL, NULL, op, o->A, o->A, GrB_DESC_T0);
    GrB_BinaryOp_free(&op);
    return info;
}

static const GrB_Index list[SIZE] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const double values[SIZE] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const float other_values[SIZE] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

/* X(name, statements that end with a return) */
#define CALLS(X)                                                                                   \
    X(type_new, MAKES(Type, GxB_Type_new(&made, 4, "name", NULL)))                                 \
    X(unary_new, MAKES(UnaryOp, GxB_UnaryOp_new(&made, negate, GrB_FP64, GrB_FP64, "name", NULL))) \
    X(binary_new, MAKES(BinaryOp, GrB_BinaryOp_new(&made, plus, o->type, o->type, o->type)))       \
    X(index_new,                                                                                   \
      MAKES(IndexUnaryOp, GrB_IndexUnaryOp_new(&made, row, GrB_FP64, GrB_FP64, o->type)))          \
    X(monoid_new, MAKES(Monoid, GrB_Monoid_new(&made, o->op, 0.0)))                                \
    X(semiring_new, MAKES(Semiring, GrB_Semiring_new(&made, o->monoid, o->op)))                    \
    X(descriptor_new, MAKES(Descriptor, GrB_Descriptor_new(&made)))                                \
    X(scalar_new, MAKES(Scalar, GrB_Scalar_new(&made, o->type)))                                   \
    X(scalar_dup, MAKES(Scalar, GrB_Scalar_dup(&made, o->s)))                                      \
    X(vector_new, MAKES(Vector, GrB_Vector_new(&made, o->type, SIZE)))                             \
    X(vector_dup, MAKES(Vector, GrB_Vector_dup(&made, o->u)))                                      \
    X(matrix_new, MAKES(Matrix, GrB_Matrix_new(&made, o->type, SIZE, SIZE)))                       \
    X(matrix_dup, MAKES(Matrix, GrB_Matrix_dup(&made, o->A)))                                      \
    X(matrix_diag, MAKES(Matrix, GrB_Matrix_diag(&made, o->u, 1)))                                 \
    X(import, MAKES(Matrix, GrB_Matrix_import(&made, GrB_FP64, SIZE, SIZE, list, list, values, 10, \
                                              10, 10, GrB_COO_FORMAT)))                            \
    X(set_name, return GrB_set(o->C, (char *)"a name", GrB_NAME))                                  \
    X(build_vector, return GrB_Vector_build(o->w, list, values, 10, GrB_PLUS_FP64))                \
    X(build_vector_cast, return GrB_Vector_build(o->w, list, other_values, 10, GrB_PLUS_FP32))     \
    X(build_matrix, return GrB_Matrix_build(o->C, list, list, other_values, 10, GrB_PLUS_FP64))    \
    X(tuples, GrB_Index n = SIZE; GrB_Index i[SIZE]; float x[SIZE];                                \
      return GrB_Vector_extractTuples(i, x, &n, o->u))                                             \
    X(export, GrB_Index n = SIZE, m = SIZE, p = SIZE + 1; GrB_Index i[SIZE], s[SIZE + 1];          \
      double x[SIZE]; return GrB_Matrix_export(s, i, x, &p, &n, &m, GrB_CSC_FORMAT, o->A))         \
    X(serialize, char blob[4096]; GrB_Index n = sizeof blob;                                       \
      return GrB_Matrix_serialize(blob, &n, o->A))                                                 \
    X(set_vector, return GrB_Vector_setElement(o->w, 1.0, 3))                                      \
    X(set_matrix, return GrB_Matrix_setElement(o->C, 1.0, 3, 4))                                   \
    X(assign_value, return GrB_assign(o->w, NULL, NULL, 1.0, GrB_ALL, SIZE, NULL))                 \
    X(assign_empty, GrB_Scalar_clear(o->s);                                                        \
      return GrB_assign(o->A, NULL, NULL, o->s, list, 5, list, 5, NULL))                           \
    X(assign_matrix,                                                                               \
      return GrB_assign(o->C, NULL, NULL, o->A, GrB_ALL, SIZE, GrB_ALL, SIZE, NULL))               \
    X(extract_column, return GrB_extract(o->w, NULL, NULL, o->A, GrB_ALL, SIZE, 3, NULL))          \
    X(mxm, return GrB_mxm(o->C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, o->A, o->A, NULL))       \
    X(vxm, return GrB_vxm(o->w, NULL, NULL, GrB_MIN_FIRST_SEMIRING_FP64, o->u, o->A, NULL))        \
    X(add, return GrB_eWiseAdd(o->C, NULL, GrB_PLUS_FP64, o->op, o->A, o->A, GrB_DESC_T0))         \
    X(apply, return GrB_apply(o->w, NULL, NULL, GrB_ROWINDEX_INT32, o->u, 1, NULL))                \
    X(select, return GrB_select(o->C, NULL, NULL, GrB_TRIL, o->A, 0, NULL))                        \
    X(reduce_rows, return GrB_reduce(o->w, NULL, NULL, o->monoid, o->A, NULL))                     \
    X(reduce, return GrB_reduce(o->s, NULL, GrB_PLUS_MONOID_FP64, o->A, NULL))                     \
    X(extract_list, return GxB_Vector_extract_Vector(o->w, NULL, NULL, o->u, o->u, NULL))          \
    X(tuple_lists, return GxB_Vector_extractTuples_Vector(o->w, NULL, o->u, NULL))                 \
    X(build_lists, return GxB_Matrix_build_Vector(o->C, o->u, o->u, o->u, NULL, NULL))             \
    X(index_binary_new, MAKES(BinaryOp, make_indexed(&made, o->s)))                                \
    X(index_binary, return use_indexed(o))                                                         \
    X(sort, return GxB_Matrix_sort(o->C, NULL, GrB_LT_INT32, o->A, GrB_DESC_T0))                   \
    X(transpose, return GrB_transpose(o->C, NULL, NULL, o->A, NULL))

#define X(name, ...)                                                                               \
    static GrB_Info run_##name(objects *o)                                                         \
    {                                                                                              \
        (void)o;                                                                                   \
        __VA_ARGS__;                                                                               \
    }
CALLS(X)
#undef X

static const struct {
    const char *name;
    GrB_Info (*run)(objects *o);
} calls[] = {
#define X(name, ...) {#name, run_##name},
    CALLS(X)
#undef X
};

/* Runs a call with its allocation number n failing; returns whether one failed. */
static bool fails_at(size_t call, long n)
{
    objects o;
    GrB_Index nvals = 0;
    const char *message;
    const long before = allocator_alive();
    make(&o);
    allocator_fail_after(n);
    const GrB_Info info = calls[call].run(&o);
    const bool failed = allocator_has_failed();
    allocator_fail_after(-1);
    if (info != (failed ? GrB_OUT_OF_MEMORY : GrB_SUCCESS) && !(failed && info == GrB_SUCCESS))
        fail_msg("%s, allocation %ld failing: %d", calls[call].name, n, (int)info);
    GRB_OK(GrB_Matrix_nvals(&nvals, o.C));
    GRB_OK(GrB_Vector_nvals(&nvals, o.w));
    GRB_OK(GrB_Matrix_nvals(&nvals, o.A));
    GRB_OK(GrB_error(&message, o.A));
    if (info != GrB_SUCCESS)
        GRB_OK(calls[call].run(&o));
    free_objects(&o);
    if (allocator_alive() != before)
        fail_msg("%s, allocation %ld failing: %ld allocations leaked", calls[call].name, n,
                 allocator_alive() - before);
    return failed;
}

static void test_each_allocation(void **state)
{
    (void)state;
    long allocations = 0;
    for (size_t call = 0; call < sizeof calls / sizeof *calls; call++) {
        assert_false(fails_at(call, 1000000)); /* caches are filled */
        for (long n = 0; fails_at(call, n); n++)
            allocations++;
    }
    assert_true(allocations > 100);
}

static void test_init(void **state)
{
    (void)state;
    GRB_OK(GrB_finalize());
    for (long n = 0;; n++) {
        const long before = allocator_alive();
        allocator_fail_after(n);
        const GrB_Info info = GrB_init(GrB_BLOCKING);
        const bool failed = allocator_has_failed();
        allocator_fail_after(-1);
        if (info == GrB_SUCCESS)
            break;
        assert_true(failed);
        assert_int_equal(info, GrB_OUT_OF_MEMORY);
        assert_int_equal(allocator_alive(), before);
    }
}

int main(void)
{
    allocator_install();
    GRB_OK(GrB_init(GrB_NONBLOCKING));
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_allocation),
                                       cmocka_unit_test(test_init)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    GRB_OK(GrB_finalize());
    return failed;
}
