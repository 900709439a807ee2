/* Calls of one operation, for random_calls.c: X(name, the numbers may be any, statement). */
#include "random_calls.h"

/* clang-format off */
#define VECTOR_CALLS(X)                                                                                                \
    X(vxm, 0, GrB_vxm(a->W, a->vmask, a->accum, a->semiring, a->u, a->A, a->desc))                                     \
    X(mxv, 0, GrB_mxv(a->W, a->vmask, a->accum, a->semiring, a->A, a->u, a->desc))                                     \
    X(add_vector_op, 1, GrB_eWiseAdd(a->W, a->vmask, a->accum, a->op, a->u, a->v, a->desc))                            \
    X(add_vector_monoid, 1, GrB_eWiseAdd(a->W, a->vmask, a->accum, a->monoid, a->u, a->v, a->desc))                    \
    X(add_vector_semiring, 1, GrB_eWiseAdd(a->W, a->vmask, a->accum, a->semiring, a->u, a->v, a->desc))                \
    X(mult_vector_op, 1, GrB_eWiseMult(a->W, a->vmask, a->accum, a->op, a->u, a->v, a->desc))                          \
    X(mult_vector_monoid, 1, GrB_eWiseMult(a->W, a->vmask, a->accum, a->monoid, a->u, a->v, a->desc))                  \
    X(mult_vector_semiring, 1, GrB_eWiseMult(a->W, a->vmask, a->accum, a->semiring, a->u, a->v, a->desc))              \
    X(extract_vector, 1, GrB_extract(a->W, a->vmask, a->accum, a->u, a->I_, a->ni, a->desc))                           \
    X(extract_column, 1, GrB_extract(a->W, a->vmask, a->accum, a->A, a->I_, a->ni, a->j, a->desc))                     \
    X(assign_vector, 1, GrB_assign(a->W, a->vmask, a->accum, a->u, a->I_, a->ni, a->desc))                             \
    X(assign_vector_scalar, 1, GrB_assign(a->W, a->vmask, a->accum, a->S, a->I_, a->ni, a->desc))                      \
    X(apply_vector, 1, GrB_apply(a->W, a->vmask, a->accum, a->unary, a->u, a->desc))                                   \
    X(apply_vector_1st_scalar, 1, GrB_apply(a->W, a->vmask, a->accum, a->op, a->S, a->u, a->desc))                     \
    X(apply_vector_2nd_scalar, 1, GrB_apply(a->W, a->vmask, a->accum, a->op, a->u, a->S, a->desc))                     \
    X(apply_vector_index_scalar, 1, GrB_apply(a->W, a->vmask, a->accum, a->index, a->u, a->S, a->desc))                \
    X(select_vector_scalar, 1, GrB_select(a->W, a->vmask, a->accum, a->index, a->u, a->S, a->desc))                    \
    X(reduce_rows_monoid, 0, GrB_reduce(a->W, a->vmask, a->accum, a->monoid, a->A, a->desc))                           \
    X(reduce_rows_op, 0, GrB_reduce(a->W, a->vmask, a->accum, a->op, a->A, a->desc))                                   \
    X(set_vector_scalar, 1, GrB_Vector_setElement(a->W, a->S, a->i))                                                   \
    X(remove_vector, 1, GrB_Vector_removeElement(a->W, a->i))                                                          \
    X(clear_vector, 1, GrB_Vector_clear(a->W))                                                                         \
    X(resize_vector, 1, GrB_Vector_resize(a->W, a->i + 1))                                                             \
    X(wait_vector, 1, GrB_wait(a->W, a->k > 3 ? GrB_COMPLETE : a->k > -3 ? GrB_MATERIALIZE : (GrB_WaitMode)a->k))
/* With a value x. */
#define VECTOR_VALUE_CALLS(X)                                                                                          \
    X(assign_vector_value, 1, GrB_assign(a->W, a->vmask, a->accum, x, a->I_, a->ni, a->desc))                          \
    X(apply_vector_1st, 1, GrB_apply(a->W, a->vmask, a->accum, a->op, x, a->u, a->desc))                               \
    X(apply_vector_2nd, 1, GrB_apply(a->W, a->vmask, a->accum, a->op, a->u, x, a->desc))                               \
    X(apply_vector_index, 1, GrB_apply(a->W, a->vmask, a->accum, a->index, a->u, x, a->desc))                          \
    X(select_vector, 1, GrB_select(a->W, a->vmask, a->accum, a->index, a->u, x, a->desc))                              \
    X(set_vector, 1, GrB_Vector_setElement(a->W, x, a->i))
#define MATRIX_CALLS(X)                                                                                                \
    X(mxm, 0, GrB_mxm(a->C, a->mask, a->accum, a->semiring, a->A, a->B, a->desc))                                      \
    X(add_matrix_op, 1, GrB_eWiseAdd(a->C, a->mask, a->accum, a->op, a->A, a->B, a->desc))                             \
    X(add_matrix_monoid, 1, GrB_eWiseAdd(a->C, a->mask, a->accum, a->monoid, a->A, a->B, a->desc))                     \
    X(add_matrix_semiring, 1, GrB_eWiseAdd(a->C, a->mask, a->accum, a->semiring, a->A, a->B, a->desc))                 \
    X(mult_matrix_op, 1, GrB_eWiseMult(a->C, a->mask, a->accum, a->op, a->A, a->B, a->desc))                           \
    X(mult_matrix_monoid, 1, GrB_eWiseMult(a->C, a->mask, a->accum, a->monoid, a->A, a->B, a->desc))                   \
    X(mult_matrix_semiring, 1, GrB_eWiseMult(a->C, a->mask, a->accum, a->semiring, a->A, a->B, a->desc))               \
    X(extract_matrix, 1, GrB_extract(a->C, a->mask, a->accum, a->A, a->I_, a->ni, a->J_, a->nj, a->desc))              \
    X(assign_matrix, 1, GrB_assign(a->C, a->mask, a->accum, a->A, a->I_, a->ni, a->J_, a->nj, a->desc))                \
    X(assign_column, 1, GrB_assign(a->C, a->vmask, a->accum, a->u, a->I_, a->ni, a->j, a->desc))                       \
    X(assign_row, 1, GrB_assign(a->C, a->vmask, a->accum, a->u, a->i, a->J_, a->nj, a->desc))                          \
    X(assign_matrix_scalar, 1, GrB_assign(a->C, a->mask, a->accum, a->S, a->I_, a->ni, a->J_, a->nj, a->desc))         \
    X(apply_matrix, 1, GrB_apply(a->C, a->mask, a->accum, a->unary, a->A, a->desc))                                    \
    X(apply_matrix_1st_scalar, 1, GrB_apply(a->C, a->mask, a->accum, a->op, a->S, a->A, a->desc))                      \
    X(apply_matrix_2nd_scalar, 1, GrB_apply(a->C, a->mask, a->accum, a->op, a->A, a->S, a->desc))                      \
    X(apply_matrix_index_scalar, 1, GrB_apply(a->C, a->mask, a->accum, a->index, a->A, a->S, a->desc))                 \
    X(select_matrix_scalar, 1, GrB_select(a->C, a->mask, a->accum, a->index, a->A, a->S, a->desc))                     \
    X(transpose, 1, GrB_transpose(a->C, a->mask, a->accum, a->A, a->desc))                                             \
    X(set_matrix_scalar, 1, GrB_Matrix_setElement(a->C, a->S, a->i, a->j))                                             \
    X(remove_matrix, 1, GrB_Matrix_removeElement(a->C, a->i, a->j))                                                    \
    X(clear_matrix, 1, GrB_Matrix_clear(a->C))                                                                         \
    X(resize_matrix, 1, GrB_Matrix_resize(a->C, a->i + 1, a->j + 1))                                                   \
    X(wait_matrix, 1, GrB_wait(a->C, GrB_MATERIALIZE))
#define MATRIX_VALUE_CALLS(X)                                                                                          \
    X(assign_matrix_value, 1, GrB_assign(a->C, a->mask, a->accum, x, a->I_, a->ni, a->J_, a->nj, a->desc))             \
    X(apply_matrix_1st, 1, GrB_apply(a->C, a->mask, a->accum, a->op, x, a->A, a->desc))                                \
    X(apply_matrix_2nd, 1, GrB_apply(a->C, a->mask, a->accum, a->op, a->A, x, a->desc))                                \
    X(apply_matrix_index, 1, GrB_apply(a->C, a->mask, a->accum, a->index, a->A, x, a->desc))                           \
    X(select_matrix, 1, GrB_select(a->C, a->mask, a->accum, a->index, a->A, x, a->desc))                               \
    X(set_matrix, 1, GrB_Matrix_setElement(a->C, x, a->i, a->j))
#define SCALAR_CALLS(X)                                                                                                \
    X(reduce_vector_scalar, 0, GrB_reduce(a->S, a->accum, a->monoid, a->u, a->desc))                                   \
    X(reduce_vector_op_scalar, 0, GrB_reduce(a->S, a->accum, a->op, a->u, a->desc))                                    \
    X(reduce_matrix_scalar, 0, GrB_reduce(a->S, a->accum, a->monoid, a->A, a->desc))                                   \
    X(reduce_matrix_op_scalar, 0, GrB_reduce(a->S, a->accum, a->op, a->A, a->desc))                                    \
    X(get_vector_scalar, 1, GrB_Vector_extractElement(a->S, a->u, a->i))                                               \
    X(get_matrix_scalar, 1, GrB_Matrix_extractElement(a->S, a->A, a->i, a->j))                                         \
    X(clear_scalar, 1, GrB_Scalar_clear(a->S))
#define SCALAR_VALUE_CALLS(X)                                                                                          \
    X(set_scalar, 1, GrB_Scalar_setElement(a->S, x))
/* To a value at `room`. */
#define VALUE_CALLS(X)                                                                                                 \
    X(reduce_vector, 0, GrB_reduce((value *)room, a->accum, a->monoid, a->u, a->desc))                                 \
    X(reduce_matrix, 0, GrB_reduce((value *)room, a->accum, a->monoid, a->A, a->desc))                                 \
    X(get_vector, 1, GrB_Vector_extractElement((value *)room, a->u, a->i))                                             \
    X(get_matrix, 1, GrB_Matrix_extractElement((value *)room, a->A, a->i, a->j))                                       \
    X(get_scalar, 1, GrB_Scalar_extractElement((value *)room, a->S))
#define COUNT_CALLS(X)                                                                                                 \
    X(nvals_vector, 1, GrB_Vector_nvals(&n, a->u)) X(nvals_matrix, 1, GrB_Matrix_nvals(&n, a->A))                      \
    X(nvals_scalar, 1, GrB_Scalar_nvals(&n, a->S)) X(size, 1, GrB_Vector_size(&n, a->u))                               \
    X(nrows, 1, GrB_Matrix_nrows(&n, a->A)) X(ncols, 1, GrB_Matrix_ncols(&n, a->A))

#define X(name, any, call) static void do_##name(arguments *a) { end_vector(a, call); }
VECTOR_CALLS(X)
#undef X
#define X(name, any, call) static void do_##name(arguments *a) { end_matrix(a, call); }
MATRIX_CALLS(X)
#undef X
#define X(name, any, call) static void do_##name(arguments *a) { end_scalar(a, call); }
SCALAR_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a)                                                                                \
    { GrB_Info info = GrB_PANIC; WITH_VALUE(a->type, a->k, info = call) end_vector(a, info); }
VECTOR_VALUE_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a)                                                                                \
    { GrB_Info info = GrB_PANIC; WITH_VALUE(a->type, a->k, info = call) end_matrix(a, info); }
MATRIX_VALUE_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a)                                                                                \
    { GrB_Info info = GrB_PANIC; WITH_VALUE(a->type, a->k, info = call) end_scalar(a, info); }
SCALAR_VALUE_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a)                                                                                \
    {                                                                                                                  \
        int64_t room[8] = {0};                                                                                         \
        GrB_Info info = GrB_PANIC;                                                                                     \
        memcpy(room, value_of(a->type, a->k), sizeof room);                                                            \
        BY_TYPE(a->type, info = call)                                                                                  \
        end_value(a, info, room);                                                                                      \
    }
VALUE_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a) { GrB_Index n = 0; GrB_Info info = call; end_count(info, n); }
COUNT_CALLS(X)
#undef X
/* clang-format on */

const random_call operation_calls[] = {
#define X(name, any, call) {#name, any, do_##name},
    VECTOR_CALLS(X) VECTOR_VALUE_CALLS(X) MATRIX_CALLS(X) MATRIX_VALUE_CALLS(X) SCALAR_CALLS(X)
        SCALAR_VALUE_CALLS(X) VALUE_CALLS(X) COUNT_CALLS(X)
#undef X
            {NULL, false, NULL},
};
