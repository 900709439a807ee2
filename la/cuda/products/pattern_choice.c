/* Which products are over a pattern, in which order their vectors are, and when the matrix is reordered for them. */
#include "cuda/operations/cuda_operations.h"
#include "cuda/products/pattern_product.h"
#include "cuda/products/product_tuning.h"
#include "cuda/runtime/traversal_switches.h"

static bool is_choice(sl_monoid add)
{
    return add->any || add->code == SL_MONOID_MIN || add->code == SL_MONOID_MAX;
}

static bool is_pattern_semiring(sl_semiring semiring)
{
    sl_binary_code multiply = semiring->multiply->code;
    sl_monoid add = semiring->add;
    if (sl_semiring_is_user_defined(semiring))
        return false;
    if (multiply == SL_BINARY_PAIR)
        return add->idempotent;
    return (multiply == SL_BINARY_SECONDI || multiply == SL_BINARY_FIRSTJ) && is_choice(add);
}

/* True if the terms are values of the vector, and these are the ids of its entries. */
static bool multiplies_own_indices(const sl_call *call)
{
    const bool vxm = call->op == SL_OP_VXM;
    const sl_object *u = vxm ? call->a : call->b;
    const sl_binary_op multiply = call->operators.semiring->multiply;
    return u->own_indices && !sl_semiring_is_user_defined(call->operators.semiring) &&
           multiply->code == (vxm ? SL_BINARY_FIRST : SL_BINARY_SECOND) &&
           multiply->result == u->type && is_choice(call->operators.semiring->add);
}

bool sl_cuda_is_pattern_advance(const sl_call *call)
{
    return is_pattern_semiring(call->operators.semiring) &&
           sl_cuda_edge_bits(call->a->nrows, cuda_matrix_of(call->a)->nnz) > 0;
}

/* True if nothing is left of the output, and its type holds the ids of so many vertices, or what the terms are. */
static bool replaces_output(const sl_call *call, uint64_t vertices)
{
    bool wraps = call->out->type == SL_INT32 && vertices > (uint64_t)INT32_MAX + 1;
    bool replaced = call->mask ? (call->flags & SL_REPLACE) != 0 : !(call->flags & SL_COMPLEMENT);
    return !call->accum && replaced && !wraps &&
           call->out->type == call->operators.semiring->result;
}

bool sl_cuda_is_pattern_product(const sl_call *call)
{
    const sl_object *A = cuda_pattern_matrix(call);
    const uint64_t longer = A->nrows > A->ncols ? A->nrows : A->ncols;
    return replaces_output(call, longer) &&
           (is_pattern_semiring(call->operators.semiring) || multiplies_own_indices(call)) &&
           sl_cuda_edge_bits(longer, cuda_matrix_of(A)->nnz) > 0;
}

bool sl_cuda_finds_any(const sl_call *call, uint64_t vertices)
{
    const sl_semiring semiring = call->operators.semiring;
    return replaces_output(call, vertices) && is_pattern_semiring(semiring) &&
           sl_cuda_pattern_choice(semiring) == CUDA_ANY;
}

bool sl_cuda_takes_writes(const sl_call *call)
{
    const cuda_vector *u = cuda_vector_of(call->op == SL_OP_VXM ? call->a : call->b);
    return call->mask && call->mask != call->out && (call->flags & SL_STRUCTURE) &&
           cuda_vector_of(call->mask)->waits_for == u && sl_cuda_is_pattern_product(call);
}

cuda_choice sl_cuda_pattern_choice(sl_semiring semiring)
{
    if (semiring->multiply->code == SL_BINARY_PAIR || semiring->add->any)
        return CUDA_ANY;
    return semiring->add->code == SL_MONOID_MAX ? CUDA_MAX : CUDA_MIN;
}

cuda_degree_order *sl_cuda_order_of_graph(const sl_call *call)
{
    const sl_object *A = cuda_pattern_matrix(call);
    const cuda_reordered_graph *graph = cuda_reordered_of(cuda_matrix_of(A));
    cuda_switches on;
    return graph && !call->ctx->of_rank && !graph->pinned && !sl_cuda_is_pruned(graph) &&
                   graph->view.slot[0] && cuda_order_pays(graph->order) &&
                   sl_cuda_switches(&on, call->ctx) == SL_OK && on.reorder && on.ell
               ? graph->order
               : NULL;
}

cuda_degree_order *sl_cuda_order_of_pattern(const sl_call *call)
{
    return sl_cuda_pattern_choice(call->operators.semiring) == CUDA_ANY
               ? sl_cuda_order_of_graph(call)
               : NULL;
}

/* ---- the making of the order ---------------------------------------------------------------- */

/* Kept with a matrix: pulls that could have read its reordered graph. */
static const cuda_derived_kind pulls_kind = {.name = "count of pulls", .release = sl_free};

sl_status sl_cuda_count_pattern_pull(sl_context *ctx, cuda_matrix *A)
{
    unsigned *pulls = cuda_find_derived(A->derived, &pulls_kind);
    if (!pulls) {
        pulls = sl_calloc(1, sizeof *pulls);
        if (!pulls)
            return cuda_no_host_memory(ctx);
        CUDA_TRY(sl_cuda_keep_derived(ctx, &A->derived, &pulls_kind, pulls));
    }
    ++*pulls;
    return SL_OK;
}

bool sl_cuda_wants_order(const sl_call *call)
{
    const cuda_matrix *A = cuda_matrix_of(cuda_pattern_matrix(call));
    unsigned *pulls = cuda_find_derived(A->derived, &pulls_kind);
    return pulls && *pulls == PATTERN_PULLS_BEFORE_ORDER && (*pulls)++;
}
