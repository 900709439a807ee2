/*
 * Products of a matrix and a vector whose few entries the host has: a launch per entry adds its row to
 * the result. Nothing is waited for, listed or counted.
 */
#include "cuda/products/few_entries.h"

#include <string.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/operations/vector_result.h"

typedef struct {
    const sl_object *matrix, *vector;
    bool vector_first, rows; /* rows: the vector's entries select rows of the matrix */
} operands;

static operands operands_of(const sl_call *call)
{
    const bool vxm = call->op == SL_OP_VXM;
    const unsigned transposed = call->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A);
    return (operands){.matrix = vxm ? call->b : call->a,
                      .vector = vxm ? call->a : call->b,
                      .vector_first = vxm,
                      .rows = vxm == !transposed};
}

/* The matrix whose rows are added, or NULL if it does not exist yet. */
static const cuda_matrix *rows_of(const operands *o)
{
    const cuda_matrix *A = cuda_matrix_of(o->matrix);
    return o->rows ? A : sl_cuda_kept_transposed(A);
}

static bool reads_matrix(const sl_call *call, const operands *o)
{
    const sl_binary_op multiply = call->operators.semiring->multiply;
    return o->vector_first ? multiply->reads_y : multiply->reads_x;
}

/* True if one table operator of one type multiplies, and another one adds. */
static bool has_plain_operators(const sl_call *call)
{
    const sl_semiring ring = call->operators.semiring;
    return !sl_semiring_is_user_defined(ring) && cuda_kind_of(ring->multiply) == CUDA_VALUES &&
           cuda_kind_of(ring->add->op) == CUDA_VALUES;
}

/* Products over a pattern keep the list of their result for the next one. */
bool sl_cuda_is_few_entries_product(const sl_call *call)
{
    if ((call->op != SL_OP_VXM && call->op != SL_OP_MXV) || call->mask ||
        (call->flags & SL_COMPLEMENT) || !has_plain_operators(call) ||
        sl_cuda_is_pattern_product(call))
        return false;
    const operands o = operands_of(call);
    const cuda_matrix *rows = rows_of(&o);
    return cuda_is_host_list(cuda_vector_of(o.vector)) && rows && rows->start && rows->index &&
           (!rows->values || !reads_matrix(call, &o) ||
            o.matrix->type == call->operators.semiring->multiply->type);
}

static sl_status push_rows(cuda_scratch *s, cuda_entries *t)
{
    const sl_call *call = s->call;
    const operands o = operands_of(call);
    const cuda_matrix *rows = rows_of(&o);
    const cuda_vector *u = cuda_vector_of(o.vector);
    const sl_type type = call->operators.semiring->multiply->type;
    const uint64_t n = call->out->nrows;
    CUDA_TRY(sl_cuda_new_entries(s, t, n, type));
    CUDA_TRY(sl_cuda_zero(call->ctx, t->bits, cuda_words(n) * sizeof *t->bits));
    cuda_few_entries p = {.start = rows->start,
                          .index = rows->index,
                          .values = reads_matrix(call, &o) ? rows->values : NULL,
                          .nnz = rows->nnz,
                          .bits = t->bits,
                          .t = t->values,
                          .type = type,
                          .add = (int)call->operators.semiring->add->op->code,
                          .multiply = (int)call->operators.semiring->multiply->code,
                          .matrix_first = !o.vector_first};
    for (uint64_t k = 0; k < u->nvals; k++) {
        const sl_scalar value =
            sl_scalar_cast(sl_scalar_load(o.vector->type, &u->host_list.value[k]), type);
        memcpy(&p.u, &value.as, sizeof p.u);
        p.row = u->host_list.index[k];
        CUDA_TRY(cuda_launched(s, "kernel push_row", sl_cuda_push_row(&p)));
    }
    return SL_OK;
}

sl_status sl_cuda_few_entries_product(sl_call *call)
{
    cuda_scratch s = {.call = call};
    cuda_entries t;
    sl_status status = push_rows(&s, &t);
    if (status == SL_OK)
        status = sl_cuda_write_output(&s, &t, NULL, NULL);
    sl_cuda_scratch_release(&s);
    return status;
}
