/* Functions of SuiteSparse:GraphBLAS 3.2 that the GraphBLAS C Test Suite calls, made of the C API 2.1. */
#include "GraphBLAS.h"
#undef GrB_init

void suite_new_semirings(void); /* names.c */

GrB_Info suite_init(GrB_Mode mode)
{
    const GrB_Info info = GrB_init(mode);
    if (info == GrB_SUCCESS)
        suite_new_semirings();
    return info;
}

/* ---- fields --------------------------------------------------------------------------------------- */

GrB_Info GxB_Desc_get(GrB_Descriptor desc, GrB_Desc_Field field, GrB_Desc_Value *value)
{
    int32_t found = 0;
    const GrB_Info info = GrB_Descriptor_get_INT32(desc, &found, (GrB_Field)field);
    *value = (GrB_Desc_Value)found;
    return info;
}

/* NULL: user-defined. */
static GrB_Type type_of_code(int32_t code)
{
    switch (code) {
#define X(T)                                                                                       \
    case GrB_##T##_CODE:                                                                           \
        return GrB_##T;
        X(BOOL)
        X(INT8)
        X(INT16)
        X(INT32)
        X(INT64)
        X(UINT8)
        X(UINT16)
        X(UINT32)
        X(UINT64)
        X(FP32)
        X(FP64)
#undef X
    default:
        return NULL;
    }
}

#define TYPE_OF(KIND, name, FIELD)                                                                 \
    GrB_Info GxB_##KIND##_##name(GrB_Type *type, GrB_##KIND op)                                    \
    {                                                                                              \
        int32_t code = 0;                                                                          \
        const GrB_Info info = GrB_##KIND##_get_INT32(op, &code, FIELD);                            \
        *type = type_of_code(code);                                                                \
        return info;                                                                               \
    }
TYPE_OF(UnaryOp, xtype, GrB_INP0_TYPE_CODE)
TYPE_OF(UnaryOp, ztype, GrB_OUTP_TYPE_CODE)
TYPE_OF(BinaryOp, xtype, GrB_INP0_TYPE_CODE)
TYPE_OF(BinaryOp, ytype, GrB_INP1_TYPE_CODE)
TYPE_OF(BinaryOp, ztype, GrB_OUTP_TYPE_CODE)

/* The suite's tables. */
int find_Monoid(GrB_Monoid monoid);
int find_Semiring(GrB_Semiring semiring);
void get_Monoid_BinaryOp(int index, GrB_BinaryOp *op);
void get_Semiring_BinaryOp(int index, GrB_BinaryOp *op);
void get_Semiring_Monoid(int index, GrB_Monoid *monoid);

#define PART_OF(KIND, name, PART, of_user)                                                         \
    GrB_Info GxB_##KIND##_##name(GrB_##PART *part, GrB_##KIND object)                              \
    {                                                                                              \
        const int index = find_##KIND(object);                                                     \
        if (index < 0)                                                                             \
            *part = of_user;                                                                       \
        else                                                                                       \
            get_##KIND##_##PART(index, part);                                                      \
        return GrB_SUCCESS;                                                                        \
    }
PART_OF(Monoid, operator, BinaryOp, GrB_PLUS_FP32)
PART_OF(Semiring, multiply, BinaryOp, GrB_PLUS_FP32)
PART_OF(Semiring, add, Monoid, GrB_PLUS_MONOID_FP32)

/* ---- select ---------------------------------------------------------------------------------- */

enum { EQ, NE, GT, GE, LT, LE, COMPARISONS, TRIL = COMPARISONS, TRIU, DIAG, OFFDIAG, USER };

struct suite_select {
    int kind;
    bool zero; /* compares with zero, not with the thunk */
    GxB_select_function f;
};

#define X(NAME, kind, zero)                                                                        \
    static struct suite_select select_##NAME = {kind, zero, NULL};                                 \
    GxB_SelectOp GxB_##NAME = &select_##NAME;
X(TRIL, TRIL, false)
X(TRIU, TRIU, false)
X(DIAG, DIAG, false)
X(OFFDIAG, OFFDIAG, false)
X(NONZERO, NE, true)
X(EQ_ZERO, EQ, true)
X(GT_ZERO, GT, true)
X(GE_ZERO, GE, true)
X(LT_ZERO, LT, true)
X(LE_ZERO, LE, true)
X(NE_THUNK, NE, false)
X(EQ_THUNK, EQ, false)
X(GT_THUNK, GT, false)
X(GE_THUNK, GE, false)
X(LT_THUNK, LT, false)
X(LE_THUNK, LE, false)
#undef X

static GxB_select_function running; /* the user-defined function of the select that runs */

static void run_user(void *z, const void *x, GrB_Index i, GrB_Index j, const void *thunk)
{
    *(bool *)z = running(i, j, x, thunk);
}

GrB_Info GxB_SelectOp_new(GxB_SelectOp *op, GxB_select_function f, GrB_Type x, GrB_Type thunk)
{
    (void)x, (void)thunk;
    *op = malloc(sizeof **op);
    **op = (struct suite_select){USER, false, f};
    return GrB_SUCCESS;
}

static GrB_IndexUnaryOp index_operator(GxB_SelectOp op, GrB_Type type)
{
    GrB_IndexUnaryOp made = NULL;
#define X(T)                                                                                       \
    if (type == GrB_##T && op->kind < COMPARISONS) {                                               \
        const GrB_IndexUnaryOp all[] = {GrB_VALUEEQ_##T, GrB_VALUENE_##T, GrB_VALUEGT_##T,         \
                                        GrB_VALUEGE_##T, GrB_VALUELT_##T, GrB_VALUELE_##T};        \
        return all[op->kind];                                                                      \
    }
    /* clang-format off */
    X(BOOL) X(INT8) X(INT16) X(INT32) X(INT64) X(UINT8) X(UINT16) X(UINT32) X(UINT64) X(FP32) X(FP64)
    /* clang-format on */
#undef X
        switch (op->kind)
    {
    case TRIL:
        return GrB_TRIL;
    case TRIU:
        return GrB_TRIU;
    case DIAG:
        return GrB_DIAG;
    case OFFDIAG:
        return GrB_OFFDIAG;
    default:
        running = op->f;
        GrB_IndexUnaryOp_new(&made, run_user, GrB_BOOL, type, GrB_INT64);
        return made;
    }
}

/* A missing thunk is zero. */
static GrB_Scalar thunk_of(GxB_SelectOp op, GrB_Scalar thunk)
{
    static GrB_Scalar none;
    if (thunk && !op->zero)
        return thunk;
    if (!none) {
        GrB_Scalar_new(&none, GrB_INT64);
        GrB_Scalar_setElement_INT64(none, 0);
    }
    return none;
}

#define SELECT(KIND, name)                                                                         \
    GrB_Info suite_select_##name(GrB_##KIND C, GrB_##KIND mask, GrB_BinaryOp accum,                \
                                 GxB_SelectOp op, GrB_##KIND A, GrB_Scalar thunk,                  \
                                 GrB_Descriptor desc)                                              \
    {                                                                                              \
        GrB_Type type = NULL;                                                                      \
        const GrB_Info info = GxB_##KIND##_type(&type, A);                                         \
        return info != GrB_SUCCESS                                                                 \
                   ? info                                                                          \
                   : GrB_##KIND##_select_Scalar(C, mask, accum, index_operator(op, type), A,       \
                                                thunk_of(op, thunk), desc);                        \
    }
SELECT(Matrix, matrix)
SELECT(Vector, vector)

/* ---- subassign: the region is extracted, assigned to as a whole and written back ------------------------------ */

static GrB_Index count_of(const GrB_Index *I, GrB_Index ni, GrB_Index all)
{
    if (I == GrB_ALL)
        return all;
    if (ni == GxB_RANGE)
        return I[GxB_END] - I[GxB_BEGIN] + 1;
    if (ni == GxB_STRIDE)
        return (I[GxB_END] - I[GxB_BEGIN]) / I[GxB_INC] + 1;
    return ni == GxB_BACKWARDS ? (I[GxB_BEGIN] - I[GxB_END]) / I[GxB_INC] + 1 : ni;
}

GrB_Info suite_open_matrix(GrB_Matrix *S, GrB_Matrix C, const GrB_Index *I, GrB_Index ni,
                           const GrB_Index *J, GrB_Index nj)
{
    GrB_Type type;
    GrB_Index nrows, ncols;
    GxB_Matrix_type(&type, C);
    GrB_Matrix_nrows(&nrows, C);
    GrB_Matrix_ncols(&ncols, C);
    GrB_Matrix_new(S, type, count_of(I, ni, nrows), count_of(J, nj, ncols));
    return GrB_Matrix_extract(*S, NULL, NULL, C, I, ni, J, nj, NULL);
}

GrB_Info suite_close_matrix(GrB_Matrix *S, GrB_Matrix C, const GrB_Index *I, GrB_Index ni,
                            const GrB_Index *J, GrB_Index nj, GrB_Info info)
{
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_assign(C, NULL, NULL, *S, I, ni, J, nj, NULL);
    GrB_Matrix_free(S);
    return info;
}

GrB_Info suite_open_vector(GrB_Vector *s, GrB_Vector w, const GrB_Index *I, GrB_Index ni)
{
    GrB_Type type;
    GrB_Index size;
    GxB_Vector_type(&type, w);
    GrB_Vector_size(&size, w);
    GrB_Vector_new(s, type, count_of(I, ni, size));
    return GrB_Vector_extract(*s, NULL, NULL, w, I, ni, NULL);
}

GrB_Info suite_close_vector(GrB_Vector *s, GrB_Vector w, const GrB_Index *I, GrB_Index ni,
                            GrB_Info info)
{
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign(w, NULL, NULL, *s, I, ni, NULL);
    GrB_Vector_free(s);
    return info;
}

GrB_Info suite_subassign_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Matrix A,
                                const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,
                                GrB_Descriptor desc)
{
    GrB_Matrix S;
    GrB_Info info = suite_open_matrix(&S, C, I, ni, J, nj);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_assign(S, mask, accum, A, GrB_ALL, 0, GrB_ALL, 0, desc);
    return suite_close_matrix(&S, C, I, ni, J, nj, info);
}

GrB_Info suite_subassign_vector(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                                const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc)
{
    GrB_Vector s;
    GrB_Info info = suite_open_vector(&s, w, I, ni);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign(s, mask, accum, u, GrB_ALL, 0, desc);
    return suite_close_vector(&s, w, I, ni, info);
}

/* The part of a column, or of a row (`turned` is then GrB_DESC_T0). */
static GrB_Info open_line(GrB_Vector *s, GrB_Matrix C, const GrB_Index *I, GrB_Index ni,
                          GrB_Index line, GrB_Descriptor turned)
{
    GrB_Type type;
    GrB_Index length;
    GxB_Matrix_type(&type, C);
    if (turned)
        GrB_Matrix_ncols(&length, C);
    else
        GrB_Matrix_nrows(&length, C);
    GrB_Vector_new(s, type, count_of(I, ni, length));
    return GrB_Col_extract(*s, NULL, NULL, C, I, ni, line, turned);
}

GrB_Info suite_subassign_column(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                                const GrB_Index *I, GrB_Index ni, GrB_Index j, GrB_Descriptor desc)
{
    GrB_Vector s;
    GrB_Info info = open_line(&s, C, I, ni, j, NULL);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign(s, mask, accum, u, GrB_ALL, 0, desc);
    if (info == GrB_SUCCESS)
        info = GrB_Col_assign(C, NULL, NULL, s, I, ni, j, NULL);
    GrB_Vector_free(&s);
    return info;
}

GrB_Info suite_subassign_row(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                             GrB_Index i, const GrB_Index *J, GrB_Index nj, GrB_Descriptor desc)
{
    GrB_Vector s;
    GrB_Info info = open_line(&s, C, J, nj, i, GrB_DESC_T0);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_assign(s, mask, accum, u, GrB_ALL, 0, desc);
    if (info == GrB_SUCCESS)
        info = GrB_Row_assign(C, NULL, NULL, s, i, J, nj, NULL);
    GrB_Vector_free(&s);
    return info;
}
