/*
 * vxm and mxv where they are the step of a search: terms are 1 or a vertex's number, and
 * the result is all that the output holds afterwards. One kernel looks at the mask, stores
 * the result, counts and lists it.
 */
#include <string.h>

#include "matrix_rows.h"
#include "pattern_product_kernels.h"
#include "vector_result.h"
#include "operations.h"

typedef struct {
    cuda_scratch s;
    const sl_object *matrix;
    cuda_vector *u;
    cuda_matrix *A;
    bool by_rows;             /* A's rows are the frontier's, and not the result's */
    const cuda_matrix *along; /* whose rows a push goes along, or NULL */
    cuda_step k;
    /* Entries that the mask lets through, and about how many edges they have. */
    uint64_t missing, missing_edges;
    cuda_frontier_counts counts; /* of u */
    bool in_place;               /* the output is u, whose arrays serve again */
    cuda_frontier_list *made;           /* of the result, unless it is u's */
} step;

/* ---- whose it is -------------------------------------------------------------------- */

static bool is_pattern_product(sl_semiring semiring)
{
    sl_binary_code multiply = semiring->multiply->code;
    sl_monoid add = semiring->add;
    if (sl_semiring_is_user_defined(semiring))
        return false;
    if (multiply == SL_BINARY_PAIR)
        return add->idempotent;
    return (multiply == SL_BINARY_SECONDI || multiply == SL_BINARY_FIRSTJ) &&
           (add->any || add->code == SL_MONOID_MIN || add->code == SL_MONOID_MAX);
}

static const sl_object *matrix_of(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->b : call->a;
}

bool sl_cuda_is_step(const sl_call *call)
{
    const sl_object *A = matrix_of(call);
    bool wraps = call->out->type == SL_INT32 && A->nrows > (uint64_t)INT32_MAX + 1;
    bool replaced = call->mask ? (call->flags & SL_REPLACE) != 0 : !(call->flags & SL_COMPLEMENT);
    return !call->accum && replaced && !wraps && is_pattern_product(call->semiring) &&
           call->out->type == call->semiring->result && A->nrows == A->ncols &&
           sl_cuda_edge_bits(A->nrows, cuda_matrix_of(A)->nnz) > 0;
}

/* ---- what the kernels are told ---------------------------------------------------------- */

/* Of a pattern alone the mask's own bits will do. */
static sl_status take_mask(step *r)
{
    const sl_call *call = r->s.call;
    if (!call->mask)
        return SL_OK;
    if (!(call->flags & SL_STRUCTURE))
        return sl_cuda_allowed_bits(&r->s, &r->k.mask);
    r->k.mask = cuda_vector_of(call->mask)->bits;
    r->k.complement = call->flags & SL_COMPLEMENT;
    return SL_OK;
}

static cuda_choice choice_of(sl_semiring semiring)
{
    if (!semiring->multiply->positional || semiring->add->any)
        return CUDA_ANY;
    return semiring->add->code == SL_MONOID_MAX ? CUDA_MAX : CUDA_MIN;
}

static sl_status prepare(step *r)
{
    const sl_call *call = r->s.call;
    sl_type type = call->semiring->result;
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), type);
    r->k = (cuda_step){.n = r->matrix->nrows,
                       .parents = call->semiring->multiply->positional,
                       .choice = choice_of(call->semiring),
                       .size = sl_type_size(type),
                       .multiprocessors = cuda_processors()};
    memcpy(&r->k.one, &one.as, sizeof r->k.one);
    CUDA_TRY(take_mask(r));
    r->in_place = r->u == cuda_vector_of(call->out) && r->k.mask != r->u->bits;
    return SL_OK;
}

/* The matrix's other side, its own where the pattern is symmetric; made only if asked. */
static sl_status other_side(step *r, const cuda_matrix **other, bool make)
{
    sl_matrix *At;
    cuda_matrix *made = r->A->transposed;
    CUDA_TRY(sl_matrix_transpose_pattern(&At, (sl_matrix *)r->matrix, false));
    if (At) {
        CUDA_TRY(sl_object_migrate(&At->object, &sl_store_cuda));
        made = cuda_matrix_of(&At->object);
    }
    if (!made && make)
        CUDA_TRY(sl_cuda_transposed(&made, r->matrix, r->A));
    *other = made;
    return SL_OK;
}

static unsigned edge_bits(const step *r)
{
    return sl_cuda_edge_bits(r->k.n, r->A->nnz);
}

/* ---- the frontier ----------------------------------------------------------------------- */

/* Lists u's entries in its survey, and counts them. */
static sl_status list_frontier(step *r)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_frontier_list *survey = r->u->survey;
    cuda_report report;
    CUDA_TRY(sl_cuda_frontier_list_room(ctx, survey, r->k.n));
    CUDA_TRY(sl_cuda_report_to(ctx, &report, survey, edge_bits(r)));
    return cuda_launched(&r->s, "kernel list_frontier",
                         sl_cuda_list_frontier(survey->frontier, r->u->bits, r->k.n,
                                               r->along->start, r->k.mask, report,
                                               cuda_processors(), cuda_stream()));
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return b < a ? a - b : 0;
}

/* A first step: the mask is counted, and its entries taken to have their share of edges. */
static sl_status count_first(step *r)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_frontier_list *survey;
    sl_cuda_drop_frontier_list(r->u);
    CUDA_TRY(sl_cuda_new_frontier_list(ctx, &r->u->survey, r->along));
    CUDA_TRY(list_frontier(r));
    CUDA_TRY(sl_cuda_get_frontier_list(ctx, &survey, r->u, r->along));
    r->counts = *survey->counts;
    if (r->k.mask)
        r->missing = r->k.complement ? r->k.n - r->counts.wanted : r->counts.wanted;
    if (r->k.n)
        r->missing_edges = (uint64_t)((double)r->A->nnz * (double)r->missing / (double)r->k.n);
    return SL_OK;
}

/* Counts u and what the mask lets through, which is what it did before the step that found
 * u, less u: searches add what they find to the mask. */
static sl_status count_frontier(step *r)
{
    cuda_frontier_list *survey;
    r->missing = r->k.n;
    r->missing_edges = r->A->nnz;
    CUDA_TRY(sl_cuda_get_frontier_list(r->s.call->ctx, &survey, r->u, r->along));
    if (!survey)
        return count_first(r);
    r->counts = *survey->counts;
    if (r->k.mask && survey->missing != CUDA_UNKNOWN) {
        r->missing = less(survey->missing, r->counts.vertices);
        r->missing_edges = less(survey->missing_edges, r->counts.edges);
    }
    return SL_OK;
}

/* ---- the two ways ------------------------------------------------------------------------- */

/* Arrays of the result, and where it is counted: u's or new ones. */
static sl_status new_result(step *r)
{
    sl_context *ctx = r->s.call->ctx;
    const cuda_matrix *rows = r->along ? r->along : r->A;
    cuda_frontier_list *survey = r->u->survey;
    if (!r->in_place) {
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->k.values, r->k.n * r->k.size));
        CUDA_TRY(sl_cuda_new_frontier_list(ctx, &r->made, rows));
        survey = r->made;
    } else {
        r->k.values = r->u->values; /* which nobody reads */
        if (!survey)
            CUDA_TRY(sl_cuda_new_frontier_list(ctx, &r->u->survey, rows));
        survey = r->u->survey;
        survey->serial = rows->serial;
    }
    survey->missing = r->missing;
    survey->missing_edges = r->missing_edges;
    r->k.rows = rows->start;
    return sl_cuda_report_to(ctx, &r->k.report, survey, edge_bits(r));
}

/* The result's bits apart from u's. */
static sl_status new_bits(step *r)
{
    return sl_cuda_scratch_take(&r->s, &r->k.bits, cuda_words(r->k.n) * sizeof *r->k.bits);
}

static sl_status launch_push(step *r, cuda_frontier to)
{
    sl_context *ctx = r->s.call->ctx;
    r->k.start = r->along->start;
    r->k.index = r->along->index;
    if (r->k.choice != CUDA_ANY) /* the greatest without a sign, and less than any parent with */
        CUDA_TRY(
            sl_cuda_status(ctx, "cudaMemsetAsync",
                           cudaMemsetAsync(r->k.values, 0xff, r->k.n * r->k.size, cuda_stream())));
    return cuda_launched(&r->s, "kernel step_push",
                         sl_cuda_step_push(&r->k, r->u->survey->frontier, r->counts.vertices,
                                           r->counts.edges, r->counts.tall, to, cuda_stream()));
}

/* u's list and the spare one, and u's bits, which the kernel clears, and the empty ones
 * change places. */
static sl_status push_in_place(step *r)
{
    cuda_frontier_list *survey = r->u->survey;
    CUDA_TRY(sl_cuda_frontier_list_spare(r->s.call->ctx, survey, r->k.n));
    r->k.bits = survey->zero;
    r->k.clear = r->u->bits;
    CUDA_TRY(launch_push(r, sl_cuda_frontier_in(survey->spare, r->k.n)));
    void *listed = survey->memory;
    survey->memory = survey->spare;
    survey->spare = listed;
    survey->zero = r->u->bits;
    r->u->bits = r->k.bits;
    return sl_cuda_frontier_list_room(r->s.call->ctx, survey, r->k.n);
}

static sl_status push(step *r)
{
    sl_context *ctx = r->s.call->ctx;
    if (!r->u->survey->frontier.list)
        CUDA_TRY(list_frontier(r));
    CUDA_TRY(new_result(r));
    if (r->in_place)
        return push_in_place(r);
    CUDA_TRY(new_bits(r));
    CUDA_TRY(sl_cuda_zero(ctx, r->k.bits, cuda_words(r->k.n) * sizeof *r->k.bits));
    CUDA_TRY(sl_cuda_frontier_list_room(ctx, r->made, r->k.n));
    return launch_push(r, r->made->frontier);
}

static sl_status pull(step *r)
{
    const cuda_matrix *columns = r->A;
    if (r->by_rows)
        CUDA_TRY(other_side(r, &columns, true));
    CUDA_TRY(new_result(r));
    CUDA_TRY(new_bits(r));
    r->k.start = columns->start;
    r->k.index = columns->index;
    CUDA_TRY(cuda_launched(&r->s, "kernel step_pull",
                           sl_cuda_step_pull(&r->k, r->u->bits, cuda_stream())));
    if (!r->in_place)
        return SL_OK;
    sl_cuda_scratch_detach(&r->s, r->k.bits);
    sl_cuda_free(r->u->bits);
    r->u->bits = r->k.bits;
    sl_cuda_frontier_list_reset(r->u->survey);
    return SL_OK;
}

static bool push_is_less(step *r)
{
    sl_plan plan = {.frontier = r->counts.vertices,
                    .push_edges = r->counts.edges,
                    .missing = r->missing,
                    .missing_edges = r->missing_edges};
    sl_plan_decide(&plan, r->k.n, r->A->nnz);
    return plan.direction == SL_PUSH;
}

static sl_status multiply(step *r)
{
    CUDA_TRY(prepare(r));
    r->missing = r->missing_edges = CUDA_UNKNOWN;
    r->along = r->A;
    if (!r->by_rows)
        CUDA_TRY(other_side(r, &r->along, false));
    if (!r->along)
        return pull(r);
    CUDA_TRY(count_frontier(r));
    return push_is_less(r) ? push(r) : pull(r);
}

static void hand_over(step *r, cuda_vector *out)
{
    if (r->in_place) {
        out->nvals = CUDA_UNKNOWN;
        return;
    }
    sl_cuda_clear_vector(out);
    sl_cuda_scratch_detach(&r->s, r->k.bits);
    sl_cuda_scratch_detach(&r->s, r->k.values);
    out->bits = r->k.bits;
    out->values = r->k.values;
    out->nvals = CUDA_UNKNOWN;
    out->survey = r->made;
}

sl_status sl_cuda_step(sl_call *call)
{
    bool vxm = call->op == SL_OP_VXM;
    const sl_object *matrix = matrix_of(call);
    unsigned turned = call->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A);
    step r = {.s = {.call = call},
              .matrix = matrix,
              .u = cuda_vector_of(vxm ? call->a : call->b),
              .A = cuda_matrix_of(matrix),
              .by_rows = vxm == !turned};
    sl_status status = multiply(&r);
    if (status == SL_OK) {
        hand_over(&r, cuda_vector_of(call->out));
    } else { /* what was counted may not be there */
        sl_cuda_free_frontier_list(r.made);
        sl_cuda_drop_frontier_list(r.u);
    }
    sl_cuda_scratch_release(&r.s);
    return status;
}
