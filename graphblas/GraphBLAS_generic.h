/*
 * The names of the GraphBLAS C API that stand for several functions, as C11 generic selections: GrB_free(&A) calls
 * GrB_Matrix_free for a matrix. Included by GraphBLAS.h. A selection checks its branches that are not taken, too,
 * so that each has a default, and the default is the function for values of user-defined types.
 */
#ifndef SEMLA_GRAPHBLAS_GENERIC_H
#define SEMLA_GRAPHBLAS_GENERIC_H

/* clang-format off */

/* The first and the second of some arguments, which are followed by a 0. */
#define SEMLA_GRB_FIRST(a, ...) a
#define SEMLA_GRB_SECOND(a, b, ...) b

/* The function f_TYPE for a value, and for a pointer to values. On Linux int64_t is long; long long
 * has as many bits. */
#define SEMLA_GRB_VALUE_CASES(f)                                                                                       \
    bool: f##_BOOL, int8_t: f##_INT8, int16_t: f##_INT16, int32_t: f##_INT32, int64_t: f##_INT64, uint8_t: f##_UINT8,  \
    uint16_t: f##_UINT16, uint32_t: f##_UINT32, uint64_t: f##_UINT64, float: f##_FP32, double: f##_FP64,               \
    long long: f##_INT64, unsigned long long: f##_UINT64
#define SEMLA_GRB_POINTER_CASES(f)                                                                                     \
    bool *: f##_BOOL, int8_t *: f##_INT8, int16_t *: f##_INT16, int32_t *: f##_INT32, int64_t *: f##_INT64,            \
    uint8_t *: f##_UINT8, uint16_t *: f##_UINT16, uint32_t *: f##_UINT32, uint64_t *: f##_UINT64, float *: f##_FP32,   \
    double *: f##_FP64, const bool *: f##_BOOL, const int8_t *: f##_INT8, const int16_t *: f##_INT16,                  \
    const int32_t *: f##_INT32, const int64_t *: f##_INT64, const uint8_t *: f##_UINT8, const uint16_t *: f##_UINT16,  \
    const uint32_t *: f##_UINT32, const uint64_t *: f##_UINT64, const float *: f##_FP32, const double *: f##_FP64
#define SEMLA_GRB_BY_VALUE(f, x) _Generic((x), SEMLA_GRB_VALUE_CASES(f), default: f##_UDT)
#define SEMLA_GRB_BY_VALUE_OR_SCALAR(f, x)                                                                             \
    _Generic((x), SEMLA_GRB_VALUE_CASES(f), GrB_Scalar: f##_Scalar, default: f##_UDT)
#define SEMLA_GRB_BY_POINTER(f, x) _Generic((x), SEMLA_GRB_POINTER_CASES(f), default: f##_UDT)
#define SEMLA_GRB_BY_POINTER_OR_SCALAR(f, x)                                                                           \
    _Generic((x), SEMLA_GRB_POINTER_CASES(f), GrB_Scalar: f##_Scalar, default: f##_UDT)
/* The function f_KIND for an operator, and GrB_KIND_f for an object. */
#define SEMLA_GRB_BY_OPERATOR(f, op)                                                                                   \
    _Generic((op), GrB_Monoid: f##_Monoid, GrB_Semiring: f##_Semiring, default: f##_BinaryOp)
#define SEMLA_GRB_OBJECT_CASES(pointer, f)                                                                             \
    GrB_Type pointer: GrB_Type_##f, GrB_UnaryOp pointer: GrB_UnaryOp_##f, GrB_BinaryOp pointer: GrB_BinaryOp_##f,      \
    GrB_IndexUnaryOp pointer: GrB_IndexUnaryOp_##f, GrB_Monoid pointer: GrB_Monoid_##f,                                \
    GrB_Semiring pointer: GrB_Semiring_##f, GrB_Descriptor pointer: GrB_Descriptor_##f,                                \
    GrB_Scalar pointer: GrB_Scalar_##f, GrB_Vector pointer: GrB_Vector_##f,                                            \
    GrB_Matrix pointer: GrB_Matrix_##f SEMLA_GXB_OBJECT_CASES(pointer, f)
#ifdef SEMLA_GRB_NO_GXB
#define SEMLA_GXB_OBJECT_CASES(pointer, f)
#else
#define SEMLA_GXB_OBJECT_CASES(pointer, f) , GxB_IndexBinaryOp pointer: GxB_IndexBinaryOp_##f
#endif
#define SEMLA_GRB_BY_OBJECT(f, object) _Generic((object), SEMLA_GRB_OBJECT_CASES(, f))
#define SEMLA_GRB_BY_OBJECT_OR_GLOBAL(f, object)                                                                       \
    _Generic((object), SEMLA_GRB_OBJECT_CASES(, f), GrB_Global: GrB_Global_##f)

/* ---- objects ------------------------------------------------------------------------ */

#define GrB_free(object) _Generic((object), SEMLA_GRB_OBJECT_CASES(*, free))(object)
#define GrB_wait(object, mode) SEMLA_GRB_BY_OBJECT(wait, object)(object, mode)
#define GrB_error(message, object) SEMLA_GRB_BY_OBJECT(error, object)(message, object)
#define GrB_get(object, value, ...)                                                                                    \
    _Generic((value), GrB_Scalar: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(get_Scalar, object),                                   \
        char *: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(get_String, object),                                                     \
        int32_t *: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(get_INT32, object),                                                   \
        size_t *: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(get_SIZE, object),                                                     \
        default: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(get_VOID, object))(object, value, __VA_ARGS__)
#define GrB_set(object, value, ...)                                                                                    \
    _Generic((value), GrB_Scalar: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(set_Scalar, object),                                   \
        char *: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(set_String, object),                                                     \
        void *: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(set_VOID, object),                                                       \
        default: SEMLA_GRB_BY_OBJECT_OR_GLOBAL(set_INT32, object))(object, value, __VA_ARGS__)
#define GrB_Monoid_new(monoid, op, identity) SEMLA_GRB_BY_VALUE(GrB_Monoid_new, identity)(monoid, op, identity)

/* ---- entries ------------------------------------------------------------------------- */

#define GrB_Scalar_setElement(s, x) SEMLA_GRB_BY_VALUE(GrB_Scalar_setElement, x)(s, x)
#define GrB_Scalar_extractElement(x, s) SEMLA_GRB_BY_POINTER(GrB_Scalar_extractElement, x)(x, s)
#define GrB_Vector_build(w, I, X, nvals, dup) SEMLA_GRB_BY_POINTER(GrB_Vector_build, X)(w, I, X, nvals, dup)
#define GrB_Vector_setElement(w, x, i) SEMLA_GRB_BY_VALUE_OR_SCALAR(GrB_Vector_setElement, x)(w, x, i)
#define GrB_Vector_extractElement(x, v, i) SEMLA_GRB_BY_POINTER_OR_SCALAR(GrB_Vector_extractElement, x)(x, v, i)
#define GrB_Vector_extractTuples(I, X, nvals, v) SEMLA_GRB_BY_POINTER(GrB_Vector_extractTuples, X)(I, X, nvals, v)
#define GrB_Matrix_build(C, I, J, X, nvals, dup) SEMLA_GRB_BY_POINTER(GrB_Matrix_build, X)(C, I, J, X, nvals, dup)
#define GrB_Matrix_setElement(C, x, i, j) SEMLA_GRB_BY_VALUE_OR_SCALAR(GrB_Matrix_setElement, x)(C, x, i, j)
#define GrB_Matrix_extractElement(x, A, i, j)                                                                          \
    SEMLA_GRB_BY_POINTER_OR_SCALAR(GrB_Matrix_extractElement, x)(x, A, i, j)
#define GrB_Matrix_extractTuples(I, J, X, nvals, A)                                                                    \
    SEMLA_GRB_BY_POINTER(GrB_Matrix_extractTuples, X)(I, J, X, nvals, A)
#define GrB_Matrix_import(A, type, nrows, ncols, Ap, Ai, Ax, Ap_len, Ai_len, Ax_len, format)                           \
    SEMLA_GRB_BY_POINTER(GrB_Matrix_import, Ax)(A, type, nrows, ncols, Ap, Ai, Ax, Ap_len, Ai_len, Ax_len, format)
#define GrB_Matrix_export(Ap, Ai, Ax, Ap_len, Ai_len, Ax_len, format, A)                                               \
    SEMLA_GRB_BY_POINTER(GrB_Matrix_export, Ax)(Ap, Ai, Ax, Ap_len, Ai_len, Ax_len, format, A)

/* ---- operations ------------------------------------------------------------------------ */

#define GrB_eWiseAdd(C, mask, accum, op, A, B, desc)                                                                   \
    _Generic((C), GrB_Vector: SEMLA_GRB_BY_OPERATOR(GrB_Vector_eWiseAdd, op),                                          \
        GrB_Matrix: SEMLA_GRB_BY_OPERATOR(GrB_Matrix_eWiseAdd, op))(C, mask, accum, op, A, B, desc)
#define GrB_eWiseMult(C, mask, accum, op, A, B, desc)                                                                  \
    _Generic((C), GrB_Vector: SEMLA_GRB_BY_OPERATOR(GrB_Vector_eWiseMult, op),                                         \
        GrB_Matrix: SEMLA_GRB_BY_OPERATOR(GrB_Matrix_eWiseMult, op))(C, mask, accum, op, A, B, desc)
#define GrB_kronecker(C, mask, accum, op, A, B, desc)                                                                  \
    SEMLA_GRB_BY_OPERATOR(GrB_Matrix_kronecker, op)(C, mask, accum, op, A, B, desc)

#define GrB_extract(C, mask, accum, A, ...)                                                                            \
    _Generic((C), GrB_Vector: _Generic((A), GrB_Vector: GrB_Vector_extract, default: GrB_Col_extract),                 \
        GrB_Matrix: GrB_Matrix_extract)(C, mask, accum, A, __VA_ARGS__)
/* A vector is assigned to a column of a matrix if a list of indices follows it, otherwise to a row. */
#define GrB_assign(C, mask, accum, A, i, ...)                                                                          \
    _Generic((C),                                                                                                      \
        GrB_Vector: _Generic((A), SEMLA_GRB_VALUE_CASES(GrB_Vector_assign), GrB_Scalar: GrB_Vector_assign_Scalar,      \
            GrB_Vector: GrB_Vector_assign, default: GrB_Vector_assign_UDT),                                            \
        GrB_Matrix: _Generic((A), SEMLA_GRB_VALUE_CASES(GrB_Matrix_assign), GrB_Scalar: GrB_Matrix_assign_Scalar,      \
            GrB_Matrix: GrB_Matrix_assign,                                                                             \
            GrB_Vector: _Generic((i), GrB_Index *: GrB_Col_assign, const GrB_Index *: GrB_Col_assign,                  \
                default: GrB_Row_assign),                                                                              \
            default: GrB_Matrix_assign_UDT))(C, mask, accum, A, i, __VA_ARGS__)

/* KIND is Vector or Matrix; `a` and `b` follow the operator. */
#define SEMLA_GRB_APPLY(KIND, op, a, b)                                                                                \
    _Generic((op), GrB_UnaryOp: GrB_##KIND##_apply,                                                                    \
        GrB_IndexUnaryOp: SEMLA_GRB_BY_VALUE_OR_SCALAR(GrB_##KIND##_apply_IndexOp, b),                                 \
        default: _Generic((a), GrB_##KIND: SEMLA_GRB_BY_VALUE_OR_SCALAR(GrB_##KIND##_apply_BinaryOp2nd, b),            \
            default: SEMLA_GRB_BY_VALUE_OR_SCALAR(GrB_##KIND##_apply_BinaryOp1st, a)))
#define GrB_apply(C, mask, accum, op, ...)                                                                             \
    _Generic((C),                                                                                                      \
        GrB_Vector: SEMLA_GRB_APPLY(Vector, op, SEMLA_GRB_FIRST(__VA_ARGS__, 0), SEMLA_GRB_SECOND(__VA_ARGS__, 0)),    \
        GrB_Matrix: SEMLA_GRB_APPLY(Matrix, op, SEMLA_GRB_FIRST(__VA_ARGS__, 0), SEMLA_GRB_SECOND(__VA_ARGS__, 0)))(   \
        C, mask, accum, op, __VA_ARGS__)
#define GrB_select(C, mask, accum, op, A, thunk, desc)                                                                 \
    _Generic((C), GrB_Vector: SEMLA_GRB_BY_VALUE_OR_SCALAR(GrB_Vector_select, thunk),                                  \
        GrB_Matrix: SEMLA_GRB_BY_VALUE_OR_SCALAR(GrB_Matrix_select, thunk))(C, mask, accum, op, A, thunk, desc)

/* To a vector: (w, mask, accum, op, A, desc). To a value: (&x, accum, op, u, desc). */
#define SEMLA_GRB_REDUCE(f, x, op)                                                                                     \
    _Generic((x), SEMLA_GRB_POINTER_CASES(f),                                                                          \
        GrB_Scalar: _Generic((op), GrB_BinaryOp: f##_BinaryOp_Scalar, default: f##_Monoid_Scalar), default: f##_UDT)
#define GrB_reduce(x, accum, op, u, ...)                                                                               \
    _Generic((u), GrB_Monoid: GrB_Matrix_reduce_Monoid, GrB_BinaryOp: GrB_Matrix_reduce_BinaryOp,                      \
        GrB_Vector: SEMLA_GRB_REDUCE(GrB_Vector_reduce, x, op),                                                        \
        GrB_Matrix: SEMLA_GRB_REDUCE(GrB_Matrix_reduce, x, op))(x, accum, op, u, __VA_ARGS__)

/* clang-format on */
#endif
