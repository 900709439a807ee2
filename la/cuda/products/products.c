/*
 * Products of a matrix and a vector: the choice between push and pull, and the parameters of the
 * kernels. A push traverses the rows of the vector's entries, a pull the rows of the result. One of
 * the two uses the matrix as it is, the other its transpose.
 */
#include <string.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/products/matrix_vector.h"
#include "cuda/products/reordered_products.h"

/* What a positional operator refers to, in u(0, k) A(k, j) or in A(i, k) u(k, 0). */
static cuda_position position_of(const cuda_matrix_vector *r)
{
    switch (r->multiply->code) {
    case SL_BINARY_FIRSTI:
        return r->vector_first ? CUDA_ONLY : CUDA_OUTER;
    case SL_BINARY_SECONDJ:
        return r->vector_first ? CUDA_OUTER : CUDA_ONLY;
    default:
        return CUDA_INNER;
    }
}

/* Sets the operators. */
static void describe(cuda_matrix_vector *r)
{
    r->p = (cuda_product){.type = r->multiply->type,
                          .kind = r->multiply->positional ? CUDA_POSITION : CUDA_VALUES,
                          .position = position_of(r),
                          .add = (int)r->add->op->code,
                          .multiply = (int)r->multiply->code,
                          .matrix_first = !r->vector_first,
                          .ends = r->add->has_terminal && !r->add->any,
                          .any = r->add->any};
    memcpy(&r->p.terminal, &r->add->terminal.as, sizeof r->p.terminal);
    const sl_scalar neutral = sl_cuda_neutral_value(r->add);
    memcpy(&r->p.neutral, &neutral.as, sizeof r->p.neutral);
}

/* Sets what push and pull have in common. */
static sl_status prepare(cuda_matrix_vector *r)
{
    cuda_scratch *s = &r->s;
    describe(r);
    CUDA_TRY(sl_cuda_allowed_bits(s, &r->p.allowed));
    CUDA_TRY(sl_cuda_new_entries(s, &r->t, r->outer, r->add->type));
    r->t.masked = true;
    r->p.bits = r->t.bits;
    r->p.t_values = r->t.values;
    if (!r->vector)
        return SL_OK;
    const cuda_vector *u = cuda_vector_of(r->vector);
    r->p.u_bits = u->bits;
    return cuda_reads_vector(r)
               ? sl_cuda_values_as(s, &r->p.u_values, u, r->vector, cuda_vector_type(r))
               : SL_OK;
}

/* ---- entries of the vector ------------------------------------------------------------ */

/* Lists the vector's entries along M's rows, which the vector keeps, and counts the indices that the mask allows. */
static sl_status list_now(cuda_matrix_vector *r, const cuda_matrix *M)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_vector *u = cuda_vector_of(r->vector);
    const cuda_row_starts rows = {M->start, true, UINT64_MAX};
    const cuda_bit_array mask = {r->p.allowed, r->outer};
    sl_cuda_forget_list(u);
    CUDA_TRY(sl_cuda_new_frontier_list(ctx, &u->frontier_list, M));
    CUDA_TRY(
        sl_cuda_list_vector(ctx, u, r->inner, &rows, &mask, sl_cuda_edge_bits(r->inner, M->nnz)));
    CUDA_TRY(sl_cuda_frontier_list_wait(ctx, u->frontier_list));
    u->nvals = u->frontier_list->counts->vertices;
    return SL_OK;
}

/* Whether a list can count the vector's entries and M's edges together. If not, the product pulls. */
static bool can_list(const cuda_matrix_vector *r, const cuda_matrix *M)
{
    return r->vector && sl_cuda_edge_bits(r->inner, M->nnz) > 0;
}

/* The vector's entries as a list, the edges of a push along M's rows, and the number of indices
 * that the mask allows, if it was counted. */
static sl_status list_entries(cuda_matrix_vector *r, const cuda_matrix *M)
{
    cuda_frontier_list *list;
    uint64_t wanted = UINT64_MAX;
    CUDA_TRY(sl_cuda_get_frontier_list(r->s.call->ctx, &list, cuda_vector_of(r->vector), M));
    if (!list || !list->frontier.list) {
        CUDA_TRY(list_now(r, M));
        list = cuda_vector_of(r->vector)->frontier_list;
        wanted = list->counts->wanted;
    }
    r->frontier = list->frontier;
    r->plan.frontier = list->counts->vertices;
    r->plan.push_edges = list->counts->edges;
    r->plan.unvisited = r->p.allowed && wanted <= r->outer ? wanted : r->outer;
    /* Edges of the allowed rows are estimated by their share of all vertices. */
    r->plan.unvisited_edges =
        r->outer ? (uint64_t)((double)r->A->nnz * (double)r->plan.unvisited / (double)r->outer) : 0;
    return SL_OK;
}

/* ---- the choice --------------------------------------------------------------------- */

/* The transpose of the matrix; NULL if there is none yet and `make` is false. */
static sl_status transposed_matrix(cuda_matrix_vector *r, cuda_matrix **other, bool make)
{
    if (!cuda_reads_matrix(r))
        return sl_cuda_transposed_pattern(other, r->matrix, r->A, make);
    *other = sl_cuda_kept_transposed(r->A);
    return *other || !make ? SL_OK : sl_cuda_transposed(other, r->matrix, r->A);
}

/* A pull that ends at the first hit uses the cost model of searches. Other pulls examine all
 * rows that the mask allows, but need no atomics. */
static bool push_examines_less(cuda_matrix_vector *r)
{
    if (!r->p.any)
        return r->plan.push_edges < r->A->nnz / PUSH_SHARE;
    sl_plan_decide(&r->plan, r->outer, r->A->nnz);
    return r->plan.direction == SL_PUSH;
}

/* True if the vector is known to be full: a push would examine all edges. */
static bool is_full(const cuda_matrix_vector *r)
{
    return cuda_vector_of(r->vector)->nvals == r->inner && r->inner > 0;
}

/* Whether a pull traverses the rows of the matrix as it is, not of its transpose. */
static bool rows_are_outer(const cuda_matrix_vector *r)
{
    return r->vector_first == r->transposed;
}

static sl_status multiply(cuda_matrix_vector *r)
{
    cuda_matrix *other;
    CUDA_TRY(prepare(r));
    if (rows_are_outer(r)) {
        CUDA_TRY(transposed_matrix(r, &other, false));
        if (other && can_list(r, other) && !is_full(r)) {
            CUDA_TRY(list_entries(r, other));
            if (push_examines_less(r))
                return sl_cuda_push(r, other);
        }
        return sl_cuda_pull(r, r->A);
    }
    if (can_list(r, r->A) && !is_full(r)) {
        CUDA_TRY(list_entries(r, r->A));
        if (push_examines_less(r) || r->plan.frontier == 0)
            return sl_cuda_push(r, r->A);
    }
    CUDA_TRY(transposed_matrix(r, &other, true));
    return sl_cuda_pull(r, other);
}

static sl_status run_product(cuda_matrix_vector *r)
{
    sl_call *call = r->s.call;
    r->A = cuda_matrix_of(r->matrix);
    r->outer = call->out->nrows;
    r->inner = r->vector ? r->vector->nrows : (r->transposed ? r->matrix->nrows : r->matrix->ncols);
    sl_status status = multiply(r);
    if (status == SL_OK && !r->written)
        status = sl_cuda_write_values(call->out, cuda_vector_of(call->out));
    if (status == SL_OK && !r->written)
        status = sl_cuda_write_output(&r->s, &r->t, r->p.allowed, NULL);
    sl_cuda_scratch_release(&r->s);
    return status;
}

static sl_status dispatch(cuda_matrix_vector *r)
{
    sl_call *call = r->s.call;
    if (sl_cuda_is_few_entries_product(call)) {
        CUDA_TRY(sl_cuda_write_values(call->out, cuda_vector_of(call->out)));
        return sl_cuda_few_entries_product(call);
    }
    return sl_cuda_is_pattern_product(call) ? sl_cuda_pattern_product(call) : run_product(r);
}

static cuda_matrix_vector product_of(sl_call *call)
{
    const bool vxm = call->op == SL_OP_VXM;
    return (cuda_matrix_vector){.s = {.call = call},
                                .matrix = vxm ? call->b : call->a,
                                .vector = vxm ? call->a : call->b,
                                .transposed = call->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A),
                                .vector_first = vxm,
                                .multiply = call->operators.semiring->multiply,
                                .add = call->operators.semiring->add};
}

sl_status sl_cuda_matrix_vector(sl_call *call)
{
    cuda_matrix_vector r = product_of(call);
    return dispatch(&r);
}

/* Whether the product sums the values of a full vector over the pattern of the matrix, or, if *valued, their products
 * with the values of the rows that it pulls. *M: the matrix of these rows, or NULL. */
static bool sums_full_vector(cuda_matrix_vector *r, cuda_matrix **M, bool *valued)
{
    const cuda_vector *u = cuda_vector_of(r->vector);
    r->A = cuda_matrix_of(r->matrix);
    if (!u || !u->values || u->nvals != r->vector->nrows || !r->A || !cuda_reads_vector(r))
        return false;
    describe(r);
    r->p.u_values = u->values;
    *M = rows_are_outer(r) ? r->A : sl_cuda_kept_transposed(r->A);
    *valued = cuda_reads_matrix(r);
    if (!*valued)
        return sl_cuda_sums_values(&r->p);
    r->p.values = *M ? (*M)->values : NULL;
    return sl_cuda_sums_products(&r->p);
}

bool sl_cuda_sums_reordered(const sl_call *call, bool *valued)
{
    cuda_matrix_vector r = product_of((sl_call *)call);
    cuda_matrix *M;
    if (call->mask || !sums_full_vector(&r, &M, valued))
        return false;
    return call->ctx->of_rank || (cuda_has_symmetric_pattern(&r) && (!*valued || M == r.A));
}

bool sl_cuda_find_summed(cuda_summed *found, const sl_call *call)
{
    cuda_matrix_vector r = product_of((sl_call *)call);
    const cuda_vector *u = cuda_vector_of(r.vector);
    cuda_matrix *M;
    bool valued;
    if (!sums_full_vector(&r, &M, &valued) || !cuda_has_values(u) || !cuda_has_rows(r.A) ||
        r.vector->type != cuda_vector_type(&r))
        return false;
    const bool as_it_is = rows_are_outer(&r);
    *found = (cuda_summed){.A = r.A,
                           .M = M,
                           .what = {.rows = as_it_is ? r.matrix->nrows : r.matrix->ncols,
                                    .columns = as_it_is ? r.matrix->ncols : r.matrix->nrows,
                                    .valued = valued,
                                    .type = r.p.type,
                                    .stored = r.matrix->type},
                           .u = u};
    return M;
}

/* Sums of rows are a product with a full vector; its values are not read. */
sl_status sl_cuda_reduce_rows(sl_call *call)
{
    cuda_matrix_vector r = {.s = {.call = call},
                            .matrix = call->a,
                            .transposed = call->flags & SL_TRANSPOSE_A,
                            .multiply =
                                sl_binary_op_get(SL_BINARY_FIRST, call->operators.monoid->type),
                            .add = call->operators.monoid};
    return run_product(&r);
}
