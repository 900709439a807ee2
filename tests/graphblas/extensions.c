/*
 * Vectors as lists, operators that read indices, and sort: values compared with plain loops, and the codes of wrong
 * arguments. random_calls.c compares the same functions with SuiteSparse:GraphBLAS 10.
 */
#include "support.h"
#include <GraphBLAS.h>

enum { SIZE = 12, COUNT = 5 };

#define GRB_OK(call) assert_int_equal(call, GrB_SUCCESS)

/* The lists of the tests: values at the indices 1, 3, 5, ... of a vector. */
static const int numbers[COUNT] = {7, 2, 9, 4, 0};
static const double absent = -1000;

static GrB_Vector make_vector(GrB_Type type, GrB_Index size, const int *values, int count, int step)
{
    GrB_Vector v = NULL;
    GRB_OK(GrB_Vector_new(&v, type, size));
    for (int k = 0; k < count; k++)
        GRB_OK(GrB_Vector_setElement_INT32(v, values[k], (GrB_Index)(step * k + step / 2)));
    return v;
}

static GrB_Vector make_list(GrB_Type type)
{
    return make_vector(type, 2 * COUNT, numbers, COUNT, 2);
}

/* u(i) = 10 + i, without entry 9. */
static GrB_Vector make_operand(void)
{
    GrB_Vector u = NULL;
    GRB_OK(GrB_Vector_new(&u, GrB_FP64, SIZE));
    for (GrB_Index i = 0; i < SIZE; i++)
        if (i != 9)
            GRB_OK(GrB_Vector_setElement_FP64(u, 10 + (double)i, i));
    return u;
}

/* A(i, j) = 100 i + j, without entries where 3 divides i + j. */
static GrB_Matrix make_matrix(GrB_Index nrows, GrB_Index ncols)
{
    GrB_Matrix A = NULL;
    GRB_OK(GrB_Matrix_new(&A, GrB_FP64, nrows, ncols));
    for (GrB_Index i = 0; i < nrows; i++)
        for (GrB_Index j = 0; j < ncols; j++)
            if ((i + j) % 3 != 0)
                GRB_OK(GrB_Matrix_setElement_FP64(A, 100 * (double)i + (double)j, i, j));
    return A;
}

static double entry(GrB_Vector v, GrB_Index i)
{
    double x = absent;
    const GrB_Info info = GrB_Vector_extractElement_FP64(&x, v, i);
    assert_true(info == GrB_SUCCESS || info == GrB_NO_VALUE);
    return x;
}

static double element(GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    double x = absent;
    const GrB_Info info = GrB_Matrix_extractElement_FP64(&x, A, i, j);
    assert_true(info == GrB_SUCCESS || info == GrB_NO_VALUE);
    return x;
}

static GrB_Descriptor make_descriptor(int field, int value)
{
    GrB_Descriptor desc = NULL;
    int32_t set = -1;
    GRB_OK(GrB_Descriptor_new(&desc));
    GRB_OK(GrB_Descriptor_set(desc, (GrB_Desc_Field)field, (GrB_Desc_Value)value));
    GRB_OK(GrB_Descriptor_get_INT32(desc, &set, (GrB_Field)field));
    assert_int_equal(set, value);
    return desc;
}

/* ---- lists ---------------------------------------------------------------------------------- */

static void test_descriptors(void **state)
{
    (void)state;
    GrB_Descriptor desc = make_descriptor(GxB_COLINDEX_LIST, GxB_IS_STRIDE);
    assert_int_equal(GrB_Descriptor_set_INT32(desc, 5, (GrB_Field)GxB_COLINDEX_LIST),
                     GrB_INVALID_VALUE);
    assert_int_equal(
        GrB_Descriptor_set(desc, (GrB_Desc_Field)GxB_VALUE_LIST, (GrB_Desc_Value)GxB_IS_STRIDE),
        GrB_INVALID_VALUE);
    GRB_OK(GrB_Descriptor_set_INT32(desc, GxB_USE_INDICES, (GrB_Field)GxB_ROWINDEX_LIST));
    GRB_OK(GrB_Descriptor_set_INT32(desc, GrB_TRAN, GrB_INP0_FIELD));
    int32_t field = 0;
    GRB_OK(GrB_Descriptor_get_INT32(desc, &field, (GrB_Field)GxB_COLINDEX_LIST));
    assert_int_equal(field, GxB_IS_STRIDE);
    GRB_OK(GrB_Descriptor_get_INT32(desc, &field, GrB_INP0_FIELD));
    assert_int_equal(field, GrB_TRAN);
    GrB_Descriptor_free(&desc);
}

static void test_extract(void **state)
{
    (void)state;
    const GrB_Type list_types[] = {GrB_INT8, GrB_UINT16, GrB_INT32, GrB_UINT64, GrB_FP64};
    GrB_Descriptor indices = make_descriptor(GxB_ROWINDEX_LIST, GxB_USE_INDICES);
    GrB_Vector u = make_operand(), w = NULL, all = NULL;
    GRB_OK(GrB_Vector_new(&w, GrB_FP64, COUNT));
    for (size_t t = 0; t < sizeof list_types / sizeof *list_types; t++) {
        GrB_Vector list = make_list(list_types[t]);
        GRB_OK(GxB_Vector_extract_Vector(w, NULL, NULL, u, list, NULL));
        for (int k = 0; k < COUNT; k++)
            assert_true(entry(w, (GrB_Index)k) == (numbers[k] == 9 ? absent : 10 + numbers[k]));
        GRB_OK(GxB_Vector_extract_Vector(w, NULL, NULL, u, list, indices));
        for (int k = 0; k < COUNT; k++)
            assert_true(entry(w, (GrB_Index)k) == (k == 4 ? absent : 10 + 2 * k + 1));
        GrB_Vector_free(&list);
    }
    GRB_OK(GrB_Vector_new(&all, GrB_FP64, SIZE));
    GRB_OK(GxB_Vector_extract_Vector(all, NULL, NULL, u, NULL, indices));
    for (GrB_Index i = 0; i < SIZE; i++)
        assert_true(entry(all, i) == entry(u, i));
    GrB_Vector_free(&all);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
    GrB_Descriptor_free(&indices);
}

/* Ranges: as three values of a vector, and as arrays of 2 or 3. */
static void test_ranges(void **state)
{
    (void)state;
    static const int ranges[][3] = {{1, 9, 3}, {9, 1, -2}, {4, 4, 1}, {5, 2, 1}, {2, 6, 0}};
    GrB_Descriptor stride = make_descriptor(GxB_ROWINDEX_LIST, GxB_IS_STRIDE);
    GrB_Vector u = make_operand();
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        const int begin = ranges[r][0], end = ranges[r][1], step = ranges[r][2];
        GrB_Index count = 0, expected[SIZE];
        for (int i = begin; step > 0 ? i <= end : step < 0 && i >= end; i += step)
            expected[count++] = (GrB_Index)i;
        GrB_Vector list = make_vector(GrB_INT64, 3, ranges[r], 3, 1), w = NULL;
        const GrB_Index array[] = {(GrB_Index)begin, (GrB_Index)end,
                                   (GrB_Index)(step < 0 ? -step : step)};
        GRB_OK(GrB_Vector_new(&w, GrB_FP64, count));
        for (int way = 0; way < 3; way++) {
            GRB_OK(GrB_Vector_clear(w));
            if (way == 0)
                GRB_OK(GxB_Vector_extract_Vector(w, NULL, NULL, u, list, stride));
            else if (way == 1)
                GRB_OK(GrB_Vector_extract(w, NULL, NULL, u, array,
                                          step < 0 ? GxB_BACKWARDS : GxB_STRIDE, NULL));
            else if (step == 1)
                GRB_OK(GrB_Vector_extract(w, NULL, NULL, u, array, GxB_RANGE, NULL));
            else
                continue;
            for (GrB_Index k = 0; k < count; k++)
                assert_true(entry(w, k) == entry(u, expected[k]));
        }
        /* An empty scalar removes the entries of the range. */
        GrB_Scalar empty = NULL;
        GrB_Vector copy = NULL;
        GRB_OK(GrB_Scalar_new(&empty, GrB_FP64));
        GRB_OK(GrB_Vector_dup(&copy, u));
        GRB_OK(GxB_Vector_assign_Scalar_Vector(copy, NULL, NULL, empty, list, stride));
        for (GrB_Index k = 0; k < count; k++)
            assert_true(entry(copy, expected[k]) == absent);
        GrB_Vector_free(&copy);
        GrB_Scalar_free(&empty);
        GrB_Vector_free(&w);
        GrB_Vector_free(&list);
    }
    GrB_Vector_free(&u);
    GrB_Descriptor_free(&stride);
}

static void test_assign(void **state)
{
    (void)state;
    GrB_Vector list = make_list(GrB_UINT32), u = make_operand(), part = NULL;
    GrB_Scalar s = NULL;
    GrB_Matrix C = make_matrix(SIZE, SIZE), D = NULL;
    GRB_OK(GrB_Vector_new(&part, GrB_FP64, COUNT));
    for (int k = 0; k < COUNT - 1; k++)
        GRB_OK(GrB_Vector_setElement_FP64(part, -k, (GrB_Index)k));
    GRB_OK(GxB_Vector_assign_Vector(u, NULL, NULL, part, list, NULL));
    for (int k = 0; k < COUNT; k++)
        assert_true(entry(u, (GrB_Index)numbers[k]) == (k == COUNT - 1 ? absent : -k));
    assert_true(entry(u, 1) == 11);
    GRB_OK(GrB_Scalar_new(&s, GrB_INT32));
    GRB_OK(GrB_Scalar_setElement_INT32(s, 5));
    GRB_OK(GxB_Vector_assign_Scalar_Vector(u, NULL, GrB_PLUS_FP64, s, list, NULL));
    assert_true(entry(u, 7) == 5 && entry(u, 2) == 4 && entry(u, 1) == 11);
    /* Rows, columns and parts of a matrix. */
    GRB_OK(GxB_Col_assign_Vector(C, NULL, NULL, part, list, 3, NULL));
    GRB_OK(GxB_Row_assign_Vector(C, NULL, NULL, part, 1, list, NULL));
    for (int k = 0; k < COUNT; k++) {
        assert_true(element(C, (GrB_Index)numbers[k], 3) == (k == COUNT - 1 ? absent : -k));
        assert_true(element(C, 1, (GrB_Index)numbers[k]) == (k == COUNT - 1 ? absent : -k));
    }
    GRB_OK(GxB_Col_extract_Vector(part, NULL, NULL, C, list, 3, NULL));
    for (int k = 0; k < COUNT; k++)
        assert_true(entry(part, (GrB_Index)k) == element(C, (GrB_Index)numbers[k], 3));
    GRB_OK(GrB_Matrix_new(&D, GrB_FP64, COUNT, SIZE));
    GRB_OK(GxB_Matrix_extract_Vector(D, NULL, NULL, C, list, NULL, NULL));
    for (int k = 0; k < COUNT; k++)
        for (GrB_Index j = 0; j < SIZE; j++)
            assert_true(element(D, (GrB_Index)k, j) == element(C, (GrB_Index)numbers[k], j));
    GRB_OK(GrB_Matrix_clear(C));
    GRB_OK(GxB_Matrix_assign_Vector(C, NULL, NULL, D, list, NULL, NULL));
    for (int k = 0; k < COUNT; k++)
        for (GrB_Index j = 0; j < SIZE; j++)
            assert_true(element(D, (GrB_Index)k, j) == element(C, (GrB_Index)numbers[k], j));
    GRB_OK(GxB_Matrix_assign_Scalar_Vector(C, NULL, NULL, s, list, list, NULL));
    for (int k = 0; k < COUNT; k++)
        for (int l = 0; l < COUNT; l++)
            assert_true(element(C, (GrB_Index)numbers[k], (GrB_Index)numbers[l]) == 5);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&D);
    GrB_Scalar_free(&s);
    GrB_Vector_free(&list);
    GrB_Vector_free(&u);
    GrB_Vector_free(&part);
}

/* Values of a program's type, which no operator combines: equal indices get the value once. */
static void test_build_scalar_of_user_type(void **state)
{
    (void)state;
    const double stored = 2.5;
    const GrB_Index indices[] = {3, 1, 3, 3}, columns[] = {0, 2, 0, 1};
    double got = 0;
    GrB_Index nvals = 0;
    GrB_Type type = NULL;
    GrB_Scalar s = NULL;
    GrB_Vector w = NULL;
    GrB_Matrix C = NULL;
    GRB_OK(GrB_Type_new(&type, sizeof stored));
    GRB_OK(GrB_Scalar_new(&s, type));
    GRB_OK(GrB_Scalar_setElement_UDT(s, (void *)&stored));
    GRB_OK(GrB_Vector_new(&w, type, 5));
    GRB_OK(GxB_Vector_build_Scalar(w, indices, s, 4));
    GRB_OK(GrB_Vector_nvals(&nvals, w));
    assert_int_equal(nvals, 2);
    GRB_OK(GrB_Vector_extractElement_UDT(&got, w, 3));
    assert_true(got == stored);
    GRB_OK(GrB_Matrix_new(&C, type, 5, 4));
    GRB_OK(GxB_Matrix_build_Scalar(C, indices, columns, s, 4));
    GRB_OK(GrB_Matrix_nvals(&nvals, C));
    assert_int_equal(nvals, 3);
    GRB_OK(GrB_Matrix_extractElement_UDT(&got, C, 3, 1));
    assert_true(got == stored);
    GrB_free(&C);
    GrB_free(&w);
    GrB_free(&s);
    GrB_free(&type);
}

static void test_tuples(void **state)
{
    (void)state;
    GrB_Vector list = make_list(GrB_INT16), w = NULL, rows = NULL, cols = NULL, values = NULL;
    GrB_Descriptor places = make_descriptor(GxB_VALUE_LIST, GxB_USE_INDICES);
    GrB_Matrix A = make_matrix(4, 5), C = NULL;
    GrB_Scalar s = NULL;
    GrB_Index size = 0, nvals = 0;
    int32_t code = 0;
    GRB_OK(GrB_Vector_new(&w, GrB_FP64, SIZE));
    GRB_OK(GxB_Vector_build_Vector(w, list, list, NULL, places));
    for (int k = 0; k < COUNT; k++)
        assert_true(entry(w, (GrB_Index)numbers[k]) == 2 * k + 1);
    assert_int_equal(GxB_Vector_build_Vector(w, list, list, NULL, NULL), GrB_OUTPUT_NOT_EMPTY);
    /* The vectors get all entries of an object, their types and their number. */
    GRB_OK(GrB_Vector_new(&rows, GrB_BOOL, 1));
    GRB_OK(GrB_Vector_new(&cols, GrB_BOOL, 1));
    GRB_OK(GrB_Vector_new(&values, GrB_BOOL, 1));
    GRB_OK(GxB_Matrix_extractTuples_Vector(rows, cols, values, A, NULL));
    GRB_OK(GrB_Matrix_nvals(&nvals, A));
    GRB_OK(GrB_Vector_size(&size, values));
    assert_int_equal(size, nvals);
    GRB_OK(GrB_Vector_get_INT32(values, &code, GrB_EL_TYPE_CODE));
    assert_int_equal(code, GrB_FP64_CODE);
    GRB_OK(GrB_Vector_get_INT32(cols, &code, GrB_EL_TYPE_CODE));
    assert_int_equal(code, GrB_UINT64_CODE);
    for (GrB_Index k = 0; k < nvals; k++)
        assert_true(entry(values, k) == 100 * entry(rows, k) + entry(cols, k));
    GRB_OK(GrB_Matrix_new(&C, GrB_FP64, 4, 5));
    GRB_OK(GxB_Matrix_build_Vector(C, rows, cols, values, NULL, NULL));
    for (GrB_Index i = 0; i < 4; i++)
        for (GrB_Index j = 0; j < 5; j++)
            assert_true(element(C, i, j) == element(A, i, j));
    GRB_OK(GrB_Scalar_new(&s, GrB_INT32));
    GRB_OK(GrB_Scalar_setElement_INT32(s, 6));
    GRB_OK(GrB_Matrix_clear(C));
    GRB_OK(GxB_Matrix_build_Scalar_Vector(C, rows, cols, s, NULL));
    for (GrB_Index i = 0; i < 4; i++)
        for (GrB_Index j = 0; j < 5; j++)
            assert_true(element(C, i, j) == (element(A, i, j) == absent ? absent : 6));
    GRB_OK(GrB_Vector_clear(w));
    GRB_OK(GxB_Vector_build_Scalar_Vector(w, list, s, NULL));
    GRB_OK(GxB_Vector_extractTuples_Vector(rows, NULL, w, NULL));
    GRB_OK(GrB_Vector_nvals(&nvals, rows));
    assert_int_equal(nvals, COUNT);
    assert_true(entry(rows, 0) == 0 && entry(rows, COUNT - 1) == 9);
    assert_int_equal(GxB_Vector_extractTuples_Vector(w, NULL, w, NULL), GrB_NOT_IMPLEMENTED);
    assert_int_equal(GxB_Vector_extractTuples_Vector(rows, rows, w, NULL), GrB_NOT_IMPLEMENTED);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&C);
    GrB_Scalar_free(&s);
    GrB_Vector_free(&list);
    GrB_Vector_free(&w);
    GrB_Vector_free(&rows);
    GrB_Vector_free(&cols);
    GrB_Vector_free(&values);
    GrB_Descriptor_free(&places);
}

static void test_wrong_lists(void **state)
{
    (void)state;
    static const int beyond[] = {1, SIZE}, negative[] = {1, -1}, two[] = {1, 2};
    GrB_Descriptor stride = make_descriptor(GxB_ROWINDEX_LIST, GxB_IS_STRIDE);
    GrB_Vector u = make_operand(), w = NULL, full = NULL;
    GrB_Type type = NULL;
    GRB_OK(GrB_Vector_new(&w, GrB_FP64, 2));
    GRB_OK(GrB_Vector_new(&full, GrB_FP64, SIZE));
    GrB_Vector far = make_vector(GrB_FP32, 2, beyond, 2, 1),
               below = make_vector(GrB_INT32, 2, negative, 2, 1),
               list = make_vector(GrB_INT32, 2, two, 2, 1), other = NULL;
    GRB_OK(GrB_Type_new(&type, 8));
    GRB_OK(GrB_Vector_new(&other, type, 2));
    assert_int_equal(GxB_Vector_extract_Vector(w, NULL, NULL, u, far, NULL),
                     GrB_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(GxB_Vector_extract_Vector(w, NULL, NULL, u, below, NULL),
                     GrB_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(GxB_Vector_extract_Vector(w, NULL, NULL, u, other, NULL), GrB_DOMAIN_MISMATCH);
    assert_int_equal(GxB_Vector_extract_Vector(w, NULL, NULL, u, list, stride), GrB_INVALID_VALUE);
    assert_int_equal(GxB_Vector_extract_Vector(w, NULL, NULL, u, NULL, NULL),
                     GrB_DIMENSION_MISMATCH);
    assert_int_equal(GxB_Vector_extract_Vector(NULL, NULL, NULL, u, list, NULL), GrB_NULL_POINTER);
    assert_int_equal(GxB_Vector_extract_Vector(w, NULL, NULL, u, (GrB_Vector)type, NULL),
                     GrB_UNINITIALIZED_OBJECT);
    assert_int_equal(GxB_Vector_extract_Vector(w, NULL, NULL, u, list, (GrB_Descriptor)type),
                     GrB_UNINITIALIZED_OBJECT);
    assert_int_equal(GxB_Vector_build_Vector(full, list, list, NULL, stride), GrB_INVALID_VALUE);
    assert_int_equal(GxB_Vector_build_Vector(full, list, u, NULL, NULL), GrB_INVALID_VALUE);
    assert_int_equal(GxB_Vector_build_Vector(full, NULL, list, NULL, NULL), GrB_NULL_POINTER);
    assert_int_equal(GxB_Vector_build_Vector(full, list, NULL, NULL, NULL), GrB_NULL_POINTER);
    assert_int_equal(GxB_Vector_build_Vector(full, far, list, NULL, NULL), GrB_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(GxB_Vector_extractTuples_Vector(w, NULL, NULL, NULL), GrB_NULL_POINTER);
    GrB_Index nvals = 1;
    GRB_OK(GrB_Vector_nvals(&nvals, full));
    assert_int_equal(nvals, 0);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
    GrB_Vector_free(&full);
    GrB_Vector_free(&far);
    GrB_Vector_free(&below);
    GrB_Vector_free(&list);
    GrB_Vector_free(&other);
    GrB_Type_free(&type);
    GrB_Descriptor_free(&stride);
}

/* ---- operators that read indices ------------------------------------------------------------- */

static double place(double x, GrB_Index ix, GrB_Index jx, double y, GrB_Index iy, GrB_Index jy)
{
    const GrB_Index digits = ix + 12 * (jx + 12 * (iy + 12 * jy));
    return x + 2 * y + 4096 * (double)digits;
}

static void with_indices(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y,
                         GrB_Index iy, GrB_Index jy, const void *theta)
{
    *(double *)z =
        place(*(const double *)x, ix, jx, *(const float *)y, iy, jy) + *(const int64_t *)theta;
}

enum { THETA = 3 };

/* z and x are fp64, y is fp32. What the operator is made of is freed. */
static GrB_BinaryOp make_operator(void)
{
    GxB_IndexBinaryOp index = NULL;
    GrB_BinaryOp op = NULL;
    GrB_Scalar theta = NULL;
    GRB_OK(GxB_IndexBinaryOp_new(&index, with_indices, GrB_FP64, GrB_FP64, GrB_FP32, GrB_INT64,
                                 "with_indices", NULL));
    GRB_OK(GrB_Scalar_new(&theta, GrB_INT8));
    assert_int_equal(GxB_BinaryOp_new_IndexOp(&op, index, theta), GrB_EMPTY_OBJECT);
    GRB_OK(GrB_Scalar_setElement_INT32(theta, THETA));
    GRB_OK(GxB_BinaryOp_new_IndexOp(&op, index, theta));
    GRB_OK(GxB_IndexBinaryOp_free(&index));
    GRB_OK(GrB_Scalar_free(&theta));
    return op;
}

static void test_elementwise(void **state)
{
    (void)state;
    GrB_BinaryOp op = make_operator();
    GrB_Matrix A = make_matrix(4, 5), B = make_matrix(5, 4), C = NULL, U = NULL, M = NULL;
    GrB_Scalar alpha = NULL;
    GRB_OK(GrB_Scalar_new(&alpha, GrB_FP64));
    GRB_OK(GrB_Scalar_setElement_FP64(alpha, 7));
    GRB_OK(GrB_Matrix_removeElement(A, 1, 0));
    GRB_OK(GrB_Matrix_removeElement(B, 2, 0));
    GRB_OK(GrB_Matrix_new(&C, GrB_FP64, 4, 5));
    GRB_OK(GrB_Matrix_new(&U, GrB_FP64, 4, 5));
    GRB_OK(GrB_Matrix_new(&M, GrB_FP64, 4, 5));
    GRB_OK(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, op, A, B, GrB_DESC_T1));
    GRB_OK(GxB_Matrix_eWiseUnion(U, NULL, NULL, op, A, alpha, B, alpha, GrB_DESC_T1));
    GRB_OK(GrB_Matrix_eWiseMult_BinaryOp(M, NULL, NULL, op, A, B, GrB_DESC_T1));
    for (GrB_Index i = 0; i < 4; i++)
        for (GrB_Index j = 0; j < 5; j++) {
            const double a = element(A, i, j), b = element(B, j, i);
            const bool first = a != absent, second = b != absent;
            const double both = place(a, i, j, b, i, j) + THETA;
            assert_true(element(M, i, j) == (first && second ? both : absent));
            assert_true(element(C, i, j) == (first && second ? both : first ? a : b));
            assert_true(element(U, i, j) ==
                        (first || second ? place(first ? a : 7, i, j, second ? b : 7, i, j) + THETA
                                         : absent));
        }
    /* Under a mask, with an accumulator: only where A and M have entries. */
    GRB_OK(GrB_Matrix_assign_FP64(C, NULL, NULL, 1, GrB_ALL, 4, GrB_ALL, 5, NULL));
    GRB_OK(GrB_Matrix_eWiseAdd_BinaryOp(C, M, GrB_PLUS_FP64, op, A, A, GrB_DESC_S));
    for (GrB_Index i = 0; i < 4; i++)
        for (GrB_Index j = 0; j < 5; j++) {
            const double a = element(A, i, j);
            const bool changed = a != absent && element(M, i, j) != absent;
            assert_true(element(C, i, j) == (changed ? 1 + place(a, i, j, a, i, j) + THETA : 1));
        }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&U);
    GrB_Matrix_free(&M);
    GrB_Scalar_free(&alpha);
    GrB_BinaryOp_free(&op);
}

static void test_products(void **state)
{
    (void)state;
    GrB_BinaryOp op = make_operator();
    GrB_Semiring ring = NULL;
    GrB_Matrix A = make_matrix(4, 5), B = make_matrix(3, 5), C = NULL, K = NULL;
    GrB_Vector u = NULL, w = NULL;
    GRB_OK(GrB_Semiring_new(&ring, GrB_MAX_MONOID_FP64, op));
    GRB_OK(GrB_BinaryOp_free(&op)); /* the semiring holds it */
    op = make_operator();
    GRB_OK(GrB_Matrix_new(&C, GrB_FP64, 4, 3));
    GRB_OK(GrB_mxm(C, NULL, NULL, ring, A, B, GrB_DESC_T1));
    for (GrB_Index i = 0; i < 4; i++)
        for (GrB_Index j = 0; j < 3; j++) {
            double greatest = absent;
            for (GrB_Index k = 0; k < 5; k++)
                if (element(A, i, k) != absent && element(B, j, k) != absent)
                    greatest = fmax(greatest,
                                    place(element(A, i, k), i, k, element(B, j, k), k, j) + THETA);
            assert_true(element(C, i, j) == greatest);
        }
    GRB_OK(GrB_Vector_new(&u, GrB_FP64, 5));
    GRB_OK(GrB_Vector_new(&w, GrB_FP64, 4));
    GRB_OK(GrB_Vector_setElement_FP64(u, 3, 4));
    GRB_OK(GrB_mxv(w, NULL, NULL, ring, A, u, NULL));
    for (GrB_Index i = 0; i < 4; i++)
        assert_true(
            entry(w, i) ==
            (element(A, i, 4) == absent ? absent : place(element(A, i, 4), i, 4, 3, 4, 0) + THETA));
    GRB_OK(GrB_vxm(w, NULL, NULL, ring, u, A, GrB_DESC_T1));
    for (GrB_Index i = 0; i < 4; i++)
        assert_true(
            entry(w, i) ==
            (element(A, i, 4) == absent ? absent : place(3, 0, 4, element(A, i, 4), 4, i) + THETA));
    GRB_OK(GrB_Matrix_new(&K, GrB_FP64, 12, 25));
    GRB_OK(GrB_Matrix_kronecker_BinaryOp(K, NULL, NULL, op, A, B, NULL));
    for (GrB_Index i = 0; i < 12; i++)
        for (GrB_Index j = 0; j < 25; j++) {
            const double a = element(A, i / 3, j / 5), b = element(B, i % 3, j % 5);
            assert_true(element(K, i, j) ==
                        (a == absent || b == absent
                             ? absent
                             : place(a, i / 3, j / 5, b, i % 3, j % 5) + THETA));
        }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&K);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
    GrB_Semiring_free(&ring);
    GrB_BinaryOp_free(&op);
}

static void test_wrong_operators(void **state)
{
    (void)state;
    GrB_BinaryOp op = make_operator(), none = NULL;
    GxB_IndexBinaryOp index = NULL;
    GrB_Type type = NULL;
    GrB_Scalar theta = NULL;
    GrB_Monoid monoid = NULL;
    GrB_Vector u = make_operand(), w = NULL;
    const GrB_Index list[] = {1};
    const double values[] = {1};
    const char *message = NULL;
    GRB_OK(GrB_Type_new(&type, 8));
    GRB_OK(GrB_Scalar_new(&theta, type));
    GRB_OK(GrB_Vector_new(&w, GrB_FP64, SIZE));
    assert_int_equal(GxB_IndexBinaryOp_new(NULL, with_indices, GrB_FP64, GrB_FP64, GrB_FP64,
                                           GrB_FP64, NULL, NULL),
                     GrB_NULL_POINTER);
    assert_int_equal(
        GxB_IndexBinaryOp_new(&index, NULL, GrB_FP64, GrB_FP64, GrB_FP64, GrB_FP64, NULL, NULL),
        GrB_NULL_POINTER);
    assert_int_equal(
        GxB_IndexBinaryOp_new(&index, with_indices, GrB_FP64, GrB_FP64, GrB_FP64, NULL, NULL, NULL),
        GrB_NULL_POINTER);
    GRB_OK(GxB_IndexBinaryOp_new(&index, with_indices, GrB_FP64, GrB_FP64, GrB_FP64, GrB_FP64, NULL,
                                 NULL));
    GRB_OK(GxB_IndexBinaryOp_wait(index, GrB_MATERIALIZE));
    assert_int_equal(GxB_BinaryOp_new_IndexOp(&none, index, theta), GrB_DOMAIN_MISMATCH);
    GRB_OK(GxB_IndexBinaryOp_error(&message, index));
    assert_non_null(strstr(message, "theta"));
    assert_int_equal(GxB_BinaryOp_new_IndexOp(&none, index, NULL), GrB_NULL_POINTER);
    assert_int_equal(GxB_BinaryOp_new_IndexOp(&none, NULL, theta), GrB_NULL_POINTER);
    assert_int_equal(GxB_BinaryOp_new_IndexOp(&none, (GxB_IndexBinaryOp)op, theta),
                     GrB_UNINITIALIZED_OBJECT);
    assert_int_equal(GrB_Vector_assign(w, NULL, op, u, GrB_ALL, SIZE, NULL), GrB_DOMAIN_MISMATCH);
    assert_int_equal(GrB_Vector_build_FP64(w, list, values, 1, op), GrB_DOMAIN_MISMATCH);
    assert_int_equal(GrB_Vector_apply_BinaryOp1st_FP64(w, NULL, NULL, op, 1, u, NULL),
                     GrB_DOMAIN_MISMATCH);
    assert_int_equal(GrB_Vector_apply_BinaryOp2nd_FP64(w, NULL, NULL, op, u, 1, NULL),
                     GrB_DOMAIN_MISMATCH);
    assert_int_equal(GrB_Monoid_new_FP64(&monoid, op, 0), GrB_DOMAIN_MISMATCH);
    assert_int_equal(GxB_Vector_sort(w, NULL, op, u, NULL), GrB_DOMAIN_MISMATCH);
    GRB_OK(GxB_IndexBinaryOp_free(&index));
    GrB_BinaryOp_free(&op);
    GrB_Type_free(&type);
    GrB_Scalar_free(&theta);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
}

/* ---- sort ---------------------------------------------------------------------------------------- */

static void by_last_digit(void *z, const void *x, const void *y)
{
    *(bool *)z = fmod(*(const double *)x, 10) < fmod(*(const double *)y, 10);
}

/* Checks one line: C and P are sorted as A would be by insertion, and entries that compare equal stay in order. */
static void check_line(GrB_Matrix C, GrB_Matrix P, GrB_Matrix A, GrB_Index line, GrB_Index length,
                       bool column)
{
    double sorted[SIZE];
    GrB_Index places[SIZE], count = 0;
    for (GrB_Index k = 0; k < length; k++) {
        const double x = column ? element(A, k, line) : element(A, line, k);
        if (x == absent)
            continue;
        GrB_Index at = count++;
        for (; at > 0 && fmod(x, 10) < fmod(sorted[at - 1], 10); at--) {
            sorted[at] = sorted[at - 1];
            places[at] = places[at - 1];
        }
        sorted[at] = x;
        places[at] = k;
    }
    for (GrB_Index k = 0; k < length; k++) {
        assert_true((column ? element(C, k, line) : element(C, line, k)) ==
                    (k < count ? sorted[k] : absent));
        assert_true((column ? element(P, k, line) : element(P, line, k)) ==
                    (k < count ? (double)places[k] : absent));
    }
}

static void test_sort(void **state)
{
    (void)state;
    GrB_BinaryOp op = NULL;
    GrB_Matrix A = NULL, C = NULL, P = NULL, turned = NULL;
    GrB_Vector u = make_operand(), w = NULL, p = NULL;
    GRB_OK(GrB_BinaryOp_new(&op, by_last_digit, GrB_BOOL, GrB_FP64, GrB_FP64));
    GRB_OK(GrB_Matrix_new(&A, GrB_INT32, 7, SIZE));
    GRB_OK(GrB_Matrix_new(&C, GrB_INT32, 7, SIZE));
    GRB_OK(GrB_Matrix_new(&P, GrB_UINT32, 7, SIZE));
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < SIZE; j++)
            if (i != 3 && (i * j) % 5 != 2)
                GRB_OK(GrB_Matrix_setElement_INT32(A, (i * 37 + j * j * 53) % 71, (GrB_Index)i,
                                                   (GrB_Index)j));
    GRB_OK(GxB_sort(C, P, op, A, NULL));
    for (GrB_Index i = 0; i < 7; i++)
        check_line(C, P, A, i, SIZE, false);
    GRB_OK(GxB_sort(C, P, op, A, GrB_DESC_T0));
    for (GrB_Index j = 0; j < SIZE; j++)
        check_line(C, P, A, j, 7, true);
    GRB_OK(GxB_Matrix_sort(A, NULL, op, A, GrB_DESC_T0)); /* in place */
    for (GrB_Index i = 0; i < 7; i++)
        for (GrB_Index j = 0; j < SIZE; j++)
            assert_true(element(A, i, j) == element(C, i, j));
    GRB_OK(GrB_Vector_new(&w, GrB_FP64, SIZE));
    GRB_OK(GrB_Vector_new(&p, GrB_INT64, SIZE));
    GRB_OK(GxB_Vector_sort(w, p, GrB_GT_FP64, u, NULL));
    for (GrB_Index k = 0, i = SIZE; k < SIZE - 1; k++) {
        i -= i == 10 ? 2 : 1; /* u has no entry 9 */
        assert_true(entry(w, k) == entry(u, i) && entry(p, k) == (double)i);
    }
    assert_true(entry(w, SIZE - 1) == absent && entry(p, SIZE - 1) == absent);
    assert_int_equal(GxB_Vector_sort(NULL, NULL, GrB_LT_FP64, u, NULL), GrB_NULL_POINTER);
    assert_int_equal(GxB_Vector_sort(w, NULL, NULL, u, NULL), GrB_NULL_POINTER);
    assert_int_equal(GxB_Vector_sort(w, NULL, GrB_LT_FP64, NULL, NULL), GrB_NULL_POINTER);
    assert_int_equal(GxB_Vector_sort(w, NULL, GrB_PLUS_FP64, u, NULL), GrB_DOMAIN_MISMATCH);
    assert_int_equal(GxB_Vector_sort(p, NULL, GrB_LT_FP64, u, NULL), GrB_DOMAIN_MISMATCH);
    assert_int_equal(GxB_Vector_sort(NULL, w, GrB_LT_FP64, u, NULL), GrB_DOMAIN_MISMATCH);
    assert_int_equal(GxB_Vector_sort(u, u, GrB_LT_FP64, u, NULL), GrB_NOT_IMPLEMENTED);
    GRB_OK(GrB_Matrix_new(&turned, GrB_INT32, SIZE, 7));
    assert_int_equal(GxB_Matrix_sort(turned, NULL, GrB_LT_FP64, A, GrB_DESC_T0),
                     GrB_DIMENSION_MISMATCH);
    assert_int_equal(GxB_Matrix_sort((GrB_Matrix)op, NULL, GrB_LT_FP64, A, NULL),
                     GrB_UNINITIALIZED_OBJECT);
    GrB_BinaryOp_free(&op);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&P);
    GrB_Matrix_free(&turned);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
    GrB_Vector_free(&p);
}

/* ---- operators that do not read values ------------------------------------------------------------ */

static void test_positional_unary(void **state)
{
    (void)state;
    GrB_Matrix A = make_matrix(SIZE, COUNT), C = NULL, T = NULL;
    GrB_Vector u = make_operand(), w = NULL;
    int32_t code = 0;
    GRB_OK(GrB_Matrix_new(&C, GrB_INT32, SIZE, COUNT));
    GRB_OK(GrB_Matrix_new(&T, GrB_FP64, COUNT, SIZE));
    GRB_OK(GrB_Vector_new(&w, GrB_INT64, SIZE));
    GRB_OK(GrB_Matrix_apply(C, NULL, NULL, GxB_POSITIONI1_INT32, A, NULL));
    GRB_OK(GrB_Matrix_apply(T, NULL, NULL, GxB_POSITIONJ_INT64, A, GrB_DESC_T0));
    GRB_OK(GrB_Vector_apply(w, NULL, NULL, GxB_POSITIONI_INT64, u, NULL));
    for (GrB_Index i = 0; i < SIZE; i++) {
        assert_true(entry(w, i) == (i == 9 ? absent : (double)i));
        for (GrB_Index j = 0; j < COUNT; j++) {
            double x = absent, y = absent;
            const GrB_Info info = (i + j) % 3 == 0 ? GrB_NO_VALUE : GrB_SUCCESS;
            assert_int_equal(GrB_Matrix_extractElement_FP64(&x, C, i, j), info);
            assert_int_equal(GrB_Matrix_extractElement_FP64(&y, T, j, i), info);
            assert_true(info != GrB_SUCCESS || (x == (double)i + 1 && y == (double)i));
        }
    }
    GRB_OK(GrB_Vector_apply(w, NULL, NULL, GxB_POSITIONJ1_INT32, u, NULL));
    assert_true(entry(w, 3) == 1);
    GRB_OK(GrB_UnaryOp_get_INT32(GxB_POSITIONJ1_INT32, &code, GrB_OUTP_TYPE_CODE));
    assert_int_equal(code, GrB_INT32_CODE);
    assert_int_equal(GrB_UnaryOp_get_INT32(GxB_POSITIONJ1_INT32, &code, GrB_INP0_TYPE_CODE),
                     GrB_NO_VALUE);
    assert_int_equal(GrB_Matrix_apply(C, NULL, NULL, GxB_POSITIONI_INT64, NULL, NULL),
                     GrB_NULL_POINTER);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&T);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
}

static void test_monoids_of_bits(void **state)
{
    (void)state;
    GrB_Vector u = make_vector(GrB_UINT16, COUNT, numbers, COUNT, 1);
    GrB_Vector truths = make_vector(GrB_BOOL, COUNT, numbers, COUNT, 1);
    uint16_t bits = 1;
    bool equal = true;
    GRB_OK(GrB_Vector_reduce_UINT16(&bits, NULL, GxB_BOR_UINT16_MONOID, u, NULL));
    assert_int_equal(bits, 7 | 2 | 9 | 4);
    GRB_OK(GrB_Vector_reduce_UINT16(&bits, NULL, GxB_BXOR_UINT16_MONOID, u, NULL));
    assert_int_equal(bits, 7 ^ 2 ^ 9 ^ 4);
    GRB_OK(GrB_Vector_reduce_UINT16(&bits, NULL, GxB_BAND_UINT16_MONOID, u, NULL));
    assert_int_equal(bits, 0);
    GRB_OK(GrB_Vector_clear(u));
    GRB_OK(GrB_Vector_reduce_UINT16(&bits, NULL, GxB_BXNOR_UINT16_MONOID, u, NULL));
    assert_int_equal(bits, 0xffff);
    GRB_OK(GrB_Vector_reduce_BOOL(&equal, NULL, GxB_EQ_BOOL_MONOID, truths, NULL));
    assert_false(equal); /* one of the five values is false */
    GrB_Vector_free(&u);
    GrB_Vector_free(&truths);
}

/* Values that an operator does not read may be of a user-defined type, for which there is no cast. */
static void test_unread_values(void **state)
{
    (void)state;
    static const char values[2][12] = {"one", "two"};
    const GrB_Index indices[] = {0, 2};
    GrB_Type type = NULL;
    GrB_Vector u = NULL, v = make_operand(), w = NULL;
    GRB_OK(GrB_Type_new(&type, sizeof values[0]));
    GRB_OK(GrB_Vector_new(&u, type, SIZE));
    GRB_OK(GrB_Vector_new(&w, GrB_FP64, SIZE));
    GRB_OK(GrB_Vector_build_UDT(u, indices, values, 2, NULL));
    GRB_OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_ONEB_FP64, u, u, NULL));
    assert_true(entry(w, 0) == 1 && entry(w, 1) == absent && entry(w, 2) == 1);
    GRB_OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_SECOND_FP64, u, v, NULL));
    assert_true(entry(w, 0) == 10 && entry(w, 1) == absent && entry(w, 2) == 12);
    GRB_OK(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_FIRST_FP64, v, u, NULL));
    assert_true(entry(w, 0) == 10 && entry(w, 1) == absent && entry(w, 2) == 12);
    assert_int_equal(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_FIRST_FP64, u, v, NULL),
                     GrB_DOMAIN_MISMATCH);
    assert_int_equal(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_PLUS_FP64, u, v, NULL),
                     GrB_DOMAIN_MISMATCH);
    GrB_Vector_free(&u);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
    GrB_Type_free(&type);
}

/* ---- before GrB_init ----------------------------------------------------------------------------- */

static void test_uninitialised(void **state)
{
    (void)state;
    GRB_OK(GrB_finalize());
    assert_int_equal(GxB_Vector_extract_Vector(NULL, NULL, NULL, NULL, NULL, NULL), GrB_PANIC);
    assert_int_equal(GxB_Vector_build_Vector(NULL, NULL, NULL, NULL, NULL), GrB_PANIC);
    assert_int_equal(GxB_Matrix_build_Vector(NULL, NULL, NULL, NULL, NULL, NULL), GrB_PANIC);
    assert_int_equal(GxB_Vector_extractTuples_Vector(NULL, NULL, NULL, NULL), GrB_PANIC);
    assert_int_equal(GxB_BinaryOp_new_IndexOp(NULL, NULL, NULL), GrB_PANIC);
    assert_int_equal(GxB_Matrix_sort(NULL, NULL, NULL, NULL, NULL), GrB_PANIC);
    GRB_OK(GrB_init(GrB_BLOCKING));
}

int main(void)
{
    GRB_OK(GrB_init(GrB_NONBLOCKING));
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_build_scalar_of_user_type),
                                       cmocka_unit_test(test_descriptors),
                                       cmocka_unit_test(test_extract),
                                       cmocka_unit_test(test_ranges),
                                       cmocka_unit_test(test_assign),
                                       cmocka_unit_test(test_tuples),
                                       cmocka_unit_test(test_wrong_lists),
                                       cmocka_unit_test(test_elementwise),
                                       cmocka_unit_test(test_products),
                                       cmocka_unit_test(test_wrong_operators),
                                       cmocka_unit_test(test_sort),
                                       cmocka_unit_test(test_positional_unary),
                                       cmocka_unit_test(test_monoids_of_bits),
                                       cmocka_unit_test(test_unread_values),
                                       cmocka_unit_test(test_uninitialised)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    GRB_OK(GrB_finalize());
    return failed;
}
