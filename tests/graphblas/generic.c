/* Every name of the GraphBLAS C API that stands for several functions, with values of every type. */
#include <GraphBLAS.h>

static int failures;
static void check(bool condition, int line, const char *text)
{
    if (condition)
        return;
    printf("line %d: %s\n", line, text);
    failures++;
}
#define CHECK(condition) check(condition, __LINE__, #condition)
#define OK(call)         check((call) == GrB_SUCCESS, __LINE__, #call)

enum { SIZE = 3 };

static void twice(void *z, const void *x)
{
    *(double *)z = 2 * *(const double *)x;
}
static void plus(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x + *(const double *)y;
}
static void row(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y)
{
    (void)x, (void)j, (void)y;
    *(double *)z = (double)i;
}

/* Objects with entries of a type. */
typedef struct {
    GrB_Matrix A, C;
    GrB_Vector u, w;
    GrB_Scalar s;
} objects;

static void make(objects *o, GrB_Type type)
{
    OK(GrB_Matrix_new(&o->A, type, SIZE, SIZE));
    OK(GrB_Matrix_new(&o->C, type, SIZE, SIZE));
    OK(GrB_Vector_new(&o->u, type, SIZE));
    OK(GrB_Vector_new(&o->w, type, SIZE));
    OK(GrB_Scalar_new(&o->s, type));
}

static void free_objects(objects *o)
{
    OK(GrB_free(&o->A));
    OK(GrB_free(&o->C));
    OK(GrB_free(&o->u));
    OK(GrB_free(&o->w));
    OK(GrB_free(&o->s));
    CHECK(!o->A && !o->s);
}

/* clang-format off */
/* The names that take a value or an array of values of type T. */
#define TEST(T, V)                                                                                                     \
    static void test_##T(void)                                                                                         \
    {                                                                                                                  \
        objects o = {0};                                                                                               \
        GrB_Monoid monoid = NULL;                                                                                      \
        GrB_Matrix imported = NULL;                                                                                    \
        const GrB_Index I[SIZE] = {2, 0, 1}, J[SIZE] = {0, 1, 2};                                                      \
        GrB_Index rows[SIZE], cols[SIZE], n = SIZE, Ap[SIZE + 1], lengths[3] = {SIZE + 1, SIZE, SIZE};                 \
        const V X[SIZE] = {1, 1, 1}, one = 1;                                                                          \
        V x = 0, values[SIZE] = {0};                                                                                   \
        make(&o, GrB_##T);                                                                                             \
        OK(GrB_Monoid_new(&monoid, GrB_TIMES_##T, one));                                                               \
        OK(GrB_Scalar_setElement(o.s, one));                                                                           \
        OK(GrB_Scalar_extractElement(&x, o.s));                                                                        \
        CHECK(x == one);                                                                                               \
        OK(GrB_Vector_build(o.u, I, X, SIZE, GrB_NULL));                                                               \
        OK(GrB_Vector_setElement(o.u, one, 1));                                                                        \
        OK(GrB_Vector_setElement(o.u, o.s, 1));                                                                        \
        OK(GrB_Vector_extractElement(&x, o.u, 2));                                                                     \
        OK(GrB_Vector_extractElement(o.s, o.u, 2));                                                                    \
        OK(GrB_Vector_extractTuples(rows, values, &n, o.u));                                                           \
        CHECK(n == SIZE && values[2] == one);                                                                          \
        OK(GrB_Matrix_build(o.A, I, J, X, SIZE, GrB_TIMES_##T));                                                       \
        OK(GrB_Matrix_setElement(o.A, one, 2, 0));                                                                     \
        OK(GrB_Matrix_setElement(o.A, o.s, 2, 0));                                                                     \
        OK(GrB_Matrix_extractElement(&x, o.A, 2, 0));                                                                  \
        OK(GrB_Matrix_extractElement(o.s, o.A, 2, 0));                                                                 \
        OK(GrB_Matrix_extractTuples(rows, cols, values, &n, o.A));                                                     \
        CHECK(n == SIZE && cols[2] == 0);                                                                              \
        OK(GrB_Matrix_export(Ap, cols, values, &lengths[0], &lengths[1], &lengths[2], GrB_CSR_FORMAT, o.A));           \
        OK(GrB_Matrix_import(&imported, GrB_##T, SIZE, SIZE, Ap, cols, values, SIZE + 1, SIZE, SIZE, GrB_CSR_FORMAT)); \
        OK(GrB_assign(o.w, NULL, NULL, one, I, SIZE, NULL));                                                           \
        OK(GrB_assign(o.w, NULL, NULL, o.s, GrB_ALL, SIZE, NULL));                                                     \
        OK(GrB_assign(o.w, NULL, NULL, o.u, I, SIZE, NULL));                                                           \
        OK(GrB_assign(o.C, NULL, NULL, one, I, SIZE, J, SIZE, NULL));                                                  \
        OK(GrB_assign(o.C, NULL, NULL, o.s, I, SIZE, GrB_ALL, SIZE, NULL));                                            \
        OK(GrB_assign(o.C, NULL, NULL, o.A, I, SIZE, J, SIZE, NULL));                                                  \
        OK(GrB_assign(o.C, NULL, NULL, o.u, I, SIZE, 0, NULL));                                                        \
        OK(GrB_assign(o.C, NULL, NULL, o.u, 0, J, SIZE, NULL));                                                        \
        OK(GrB_apply(o.w, NULL, NULL, GrB_PLUS_##T, one, o.u, NULL));                                                  \
        OK(GrB_apply(o.w, NULL, NULL, GrB_PLUS_##T, o.u, one, NULL));                                                  \
        OK(GrB_apply(o.w, NULL, NULL, GrB_VALUEEQ_##T, o.u, one, NULL));                                               \
        OK(GrB_apply(o.C, NULL, NULL, GrB_PLUS_##T, one, o.A, NULL));                                                  \
        OK(GrB_apply(o.C, NULL, NULL, GrB_PLUS_##T, o.A, one, NULL));                                                  \
        OK(GrB_apply(o.C, NULL, NULL, GrB_VALUEEQ_##T, o.A, one, NULL));                                               \
        OK(GrB_select(o.w, NULL, NULL, GrB_VALUEEQ_##T, o.u, one, NULL));                                              \
        OK(GrB_select(o.C, NULL, NULL, GrB_VALUEEQ_##T, o.A, one, NULL));                                              \
        OK(GrB_Vector_nvals(&n, o.w));                                                                                 \
        CHECK(n == SIZE);                                                                                              \
        OK(GrB_reduce(&x, NULL, monoid, o.u, NULL));                                                                   \
        CHECK(x == one);                                                                                               \
        OK(GrB_reduce(&x, GrB_TIMES_##T, monoid, o.A, NULL));                                                          \
        CHECK(x == one);                                                                                               \
        OK(GrB_free(&monoid));                                                                                         \
        OK(GrB_free(&imported));                                                                                       \
        free_objects(&o);                                                                                              \
    }
/* clang-format on */

#define TYPES(X)                                                                                   \
    X(BOOL, bool)                                                                                  \
    X(INT8, int8_t)                                                                                \
    X(INT16, int16_t)                                                                              \
    X(INT32, int32_t)                                                                              \
    X(INT64, int64_t)                                                                              \
    X(UINT8, uint8_t)                                                                              \
    X(UINT16, uint16_t)                                                                            \
    X(UINT32, uint32_t)                                                                            \
    X(UINT64, uint64_t)                                                                            \
    X(FP32, float)                                                                                 \
    X(FP64, double)
TYPES(TEST)

/* The names that take objects. */
static void test_objects(void)
{
    objects o = {0};
    GrB_Scalar s = NULL;
    GrB_UnaryOp unary = NULL;
    GrB_BinaryOp binary = NULL;
    GrB_IndexUnaryOp index = NULL;
    GrB_Monoid monoid = NULL;
    GrB_Semiring semiring = NULL;
    GrB_Descriptor desc = NULL;
    GrB_Type type = NULL;
    const char *message;
    int32_t number = 0;
    size_t size = 0;
    char name[128];
    make(&o, GrB_FP64);
    OK(GrB_Matrix_setElement(o.A, 3.0, 1, 2));
    OK(GrB_Vector_setElement(o.u, 5.0, 2));
    OK(GrB_Scalar_setElement(o.s, 2.0));
    OK(GrB_Scalar_new(&s, GrB_INT32));
    OK(GrB_Type_new(&type, sizeof(double)));
    OK(GrB_UnaryOp_new(&unary, twice, GrB_FP64, GrB_FP64));
    OK(GrB_BinaryOp_new(&binary, plus, GrB_FP64, GrB_FP64, GrB_FP64));
    OK(GrB_IndexUnaryOp_new(&index, row, GrB_FP64, GrB_FP64, GrB_FP64));
    OK(GrB_Monoid_new(&monoid, binary, 0.0));
    OK(GrB_Semiring_new(&semiring, monoid, binary));
    OK(GrB_Descriptor_new(&desc));

    OK(GrB_eWiseAdd(o.w, NULL, NULL, binary, o.u, o.u, desc));
    OK(GrB_eWiseAdd(o.w, NULL, NULL, monoid, o.u, o.u, desc));
    OK(GrB_eWiseAdd(o.w, NULL, NULL, semiring, o.u, o.u, desc));
    OK(GrB_eWiseMult(o.w, NULL, NULL, binary, o.u, o.u, desc));
    OK(GrB_eWiseMult(o.w, NULL, NULL, monoid, o.u, o.u, desc));
    OK(GrB_eWiseMult(o.w, NULL, NULL, semiring, o.u, o.u, desc));
    OK(GrB_eWiseAdd(o.C, NULL, NULL, binary, o.A, o.A, desc));
    OK(GrB_eWiseAdd(o.C, NULL, NULL, monoid, o.A, o.A, desc));
    OK(GrB_eWiseAdd(o.C, NULL, NULL, semiring, o.A, o.A, desc));
    OK(GrB_eWiseMult(o.C, NULL, NULL, binary, o.A, o.A, desc));
    OK(GrB_eWiseMult(o.C, NULL, NULL, monoid, o.A, o.A, desc));
    OK(GrB_eWiseMult(o.C, NULL, NULL, semiring, o.A, o.A, desc));
    CHECK(GrB_kronecker(o.C, NULL, NULL, binary, o.A, o.A, desc) == GrB_DIMENSION_MISMATCH);
    CHECK(GrB_kronecker(o.C, NULL, NULL, monoid, o.A, o.A, desc) == GrB_DIMENSION_MISMATCH);
    CHECK(GrB_kronecker(o.C, NULL, NULL, semiring, o.A, o.A, desc) == GrB_DIMENSION_MISMATCH);
    OK(GrB_extract(o.w, NULL, NULL, o.u, GrB_ALL, SIZE, desc));
    OK(GrB_extract(o.w, NULL, NULL, o.A, GrB_ALL, SIZE, 2, desc));
    OK(GrB_extract(o.C, NULL, NULL, o.A, GrB_ALL, SIZE, GrB_ALL, SIZE, desc));
    OK(GrB_apply(o.w, NULL, NULL, unary, o.u, desc));
    OK(GrB_apply(o.C, NULL, NULL, unary, o.A, desc));
    OK(GrB_apply(o.w, NULL, NULL, binary, o.s, o.u, desc));
    OK(GrB_apply(o.w, NULL, NULL, binary, o.u, o.s, desc));
    OK(GrB_apply(o.C, NULL, NULL, binary, o.s, o.A, desc));
    OK(GrB_apply(o.C, NULL, NULL, binary, o.A, o.s, desc));
    OK(GrB_apply(o.w, NULL, NULL, index, o.u, o.s, desc));
    OK(GrB_apply(o.C, NULL, NULL, index, o.A, o.s, desc));
    OK(GrB_select(o.w, NULL, NULL, GrB_VALUEGT_FP64, o.u, o.s, desc));
    OK(GrB_select(o.C, NULL, NULL, GrB_VALUEGT_FP64, o.A, o.s, desc));
    OK(GrB_reduce(o.w, NULL, NULL, monoid, o.A, desc));
    OK(GrB_reduce(o.w, NULL, NULL, GrB_PLUS_FP64, o.A, desc));
    OK(GrB_reduce(o.s, NULL, monoid, o.u, desc));
    OK(GrB_reduce(o.s, NULL, GrB_PLUS_FP64, o.u, desc));
    OK(GrB_reduce(o.s, NULL, monoid, o.A, desc));
    OK(GrB_reduce(o.s, NULL, GrB_PLUS_FP64, o.A, desc));

/* Every kind of object has the names below; its name can be set unless it is predefined. */
#define OBJECT(object)                                                                             \
    OK(GrB_wait(object, GrB_MATERIALIZE));                                                         \
    OK(GrB_error(&message, object));                                                               \
    OK(GrB_set(object, (char *)"a name", GrB_NAME));                                               \
    OK(GrB_get(object, &size, GrB_NAME));                                                          \
    CHECK(size == sizeof "a name");                                                                \
    OK(GrB_get(object, name, GrB_NAME));                                                           \
    CHECK(strcmp(name, "a name") == 0);                                                            \
    CHECK(GrB_get(object, (void *)name, GrB_NAME) == GrB_INVALID_VALUE);                           \
    CHECK(GrB_set(object, (void *)name, GrB_NAME, sizeof name) == GrB_INVALID_VALUE);
    OBJECT(type)
    OBJECT(unary)
    OBJECT(binary)
    OBJECT(index)
    OBJECT(monoid)
    OBJECT(semiring)
    OBJECT(desc)
    OBJECT(o.s)
    OBJECT(o.u)
    OBJECT(o.A)
    /* An operand that an operator has not, and a field that it has not. */
    CHECK(GrB_get(unary, &number, GrB_INP1_TYPE_CODE) == GrB_NO_VALUE);
    CHECK(GrB_get(GrB_ROWINDEX_INT32, &number, GrB_INP0_TYPE_CODE) == GrB_NO_VALUE);
    CHECK(GrB_get(GrB_ROWINDEX_INT32, name, GrB_INP0_TYPE_STRING) == GrB_NO_VALUE);
    CHECK(GrB_get(unary, &number, GrB_EL_TYPE_CODE) == GrB_INVALID_VALUE);
    OK(GrB_get(GrB_GLOBAL, &number, GrB_API_VER_MAJOR));
    CHECK(number == 2);
    OK(GrB_get(GrB_GLOBAL, s, GrB_API_VER_MINOR));
    OK(GrB_set(GrB_GLOBAL, (int32_t)GrB_COLMAJOR, GrB_STORAGE_ORIENTATION_HINT));
    OK(GrB_set(o.A, (int32_t)GrB_COLMAJOR, GrB_STORAGE_ORIENTATION_HINT));
    OK(GrB_set(o.A, s, GrB_STORAGE_ORIENTATION_HINT));
    OK(GrB_set(desc, (int32_t)GrB_REPLACE, GrB_OUTP_FIELD));

    OK(GrB_free(&s));
    OK(GrB_free(&type));
    OK(GrB_free(&unary));
    OK(GrB_free(&binary));
    OK(GrB_free(&index));
    OK(GrB_free(&monoid));
    OK(GrB_free(&semiring));
    OK(GrB_free(&desc));
    free_objects(&o);
}

/* Values of user-defined types by their addresses. */
static void test_user_defined(void)
{
    objects o = {0};
    GrB_Type type = NULL;
    const uint64_t bits = 7;
    const void *x = &bits;
    uint64_t got = 0;
    OK(GrB_Type_new(&type, sizeof bits));
    make(&o, type);
    OK(GrB_Scalar_setElement(o.s, x));
    OK(GrB_Vector_setElement(o.u, x, 1));
    OK(GrB_Matrix_setElement(o.A, x, 1, 2));
    OK(GrB_assign(o.w, NULL, NULL, x, GrB_ALL, SIZE, NULL));
    OK(GrB_Matrix_extractElement((void *)&got, o.A, 1, 2));
    CHECK(got == bits);
    free_objects(&o);
    OK(GrB_free(&type));
}

int main(void)
{
    OK(GrB_init(GrB_BLOCKING));
#define RUN(T, V) test_##T();
    TYPES(RUN)
    test_objects();
    test_user_defined();
    OK(GrB_finalize());
    return failures > 0;
}
