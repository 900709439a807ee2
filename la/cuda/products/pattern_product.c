/*
 * Products over a pattern: vxm and mxv with terms that are 1 or the id of a vertex (pair, secondi,
 * firstj), where the output is replaced by the result. One kernel tests the mask, stores the
 * result, counts it and, for a push, lists it, so that a product with the result as its vector
 * starts at once (frontier_list.h). The result of a matrix that is not square is only counted, as
 * no such product follows.
 *
 * An advance over such a semiring is the product delta<!pi, replace> = q' A. The same kernel stores
 * the result into pi as well. Only a push for the least or the greatest id needs a second launch,
 * over the list of the result, because the candidates of a vertex compete until the kernel ends.
 *
 * Push or pull is chosen by the cost model of direction.h, on the host. The counts of u come from
 * the kernel that computed it. The mask is counted only if the direction depends on it: a push of
 * fewer edges than a pull would cost to read the mask alone needs no count. So a product costs one
 * launch, and one count of the mask with a wait where the frontier is large.
 *
 * Where the matrix has a reordered graph, the vectors are brought into its order (sl_cuda_order_of_product), and stay
 * there: pushes walk the rows of that graph, and pulls are those of a search. They find any parent; for the least or the
 * greatest, another pull by what was found examines the caller's rows, in which ids ascend.
 */
#include <string.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/operations/vector_result.h"
#include "cuda/products/pattern_product_kernels.h"
#include "cuda/products/product_tuning.h"
#include "cuda/reorder/reordered_graph.h"
#include "cuda/runtime/traversal_switches.h"
#include "cuda/search/device/launch.h"

typedef struct {
    cuda_scratch s;
    const sl_object *matrix;
    cuda_vector *u;
    cuda_matrix *A;
    uint64_t inner;          /* the size of u */
    bool by_rows;            /* u's entries select rows of A, else columns */
    cuda_vector *pi;         /* advance: also receives the result; else NULL */
    sl_direction direction;  /* SL_AUTO: the cost model decides */
    bool pushes;             /* the direction taken */
    const cuda_graph *graph; /* the reordered graph of A, in whose order the vectors are; or NULL */
    const cuda_matrix
        *along; /* a push examines the rows of this matrix; NULL: only pull is possible */
    cuda_pattern_params k;
    cuda_frontier_counts counts; /* of u */
    bool mask_counted;           /* counts.wanted has the bits of the mask */
    bool in_place;               /* the output is u: its arrays are reused */
    cuda_frontier_list *made;    /* list of the result, unless in_place */
} product;

/* ---- which products --------------------------------------------------------------------- */

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
    const sl_binary_op multiply = call->semiring->multiply;
    return u->own_indices && !sl_semiring_is_user_defined(call->semiring) &&
           multiply->code == (vxm ? SL_BINARY_FIRST : SL_BINARY_SECOND) &&
           multiply->result == u->type && is_choice(call->semiring->add);
}

static const sl_object *matrix_of(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->b : call->a;
}

bool sl_cuda_is_pattern_advance(const sl_call *call)
{
    return is_pattern_semiring(call->semiring) &&
           sl_cuda_edge_bits(call->a->nrows, cuda_matrix_of(call->a)->nnz) > 0;
}

bool sl_cuda_is_pattern_product(const sl_call *call)
{
    const sl_object *A = matrix_of(call);
    const uint64_t longer = A->nrows > A->ncols ? A->nrows : A->ncols;
    bool wraps = call->out->type == SL_INT32 && longer > (uint64_t)INT32_MAX + 1;
    bool replaced = call->mask ? (call->flags & SL_REPLACE) != 0 : !(call->flags & SL_COMPLEMENT);
    return !call->accum && replaced && !wraps &&
           (is_pattern_semiring(call->semiring) || multiplies_own_indices(call)) &&
           call->out->type == call->semiring->result &&
           sl_cuda_edge_bits(longer, cuda_matrix_of(A)->nnz) > 0;
}

static cuda_choice choice_of(sl_semiring semiring)
{
    if (semiring->multiply->code == SL_BINARY_PAIR || semiring->add->any)
        return CUDA_ANY;
    return semiring->add->code == SL_MONOID_MAX ? CUDA_MAX : CUDA_MIN;
}

cuda_degree_order *sl_cuda_order_of_product(const sl_call *call)
{
    const sl_object *A = matrix_of(call);
    const cuda_reordered_graph *graph = cuda_reordered_of(cuda_matrix_of(A));
    cuda_switches on;
    const bool is_pattern = call->op == SL_OP_ADVANCE ? sl_cuda_is_pattern_advance(call)
                                                      : sl_cuda_is_pattern_product(call);
    return is_pattern && graph && !call->ctx->of_rank && !graph->pinned &&
                   !sl_cuda_is_pruned(graph) && graph->view.slot[0] &&
                   cuda_order_pays(graph->order) && sl_cuda_switches(&on, call->ctx) == SL_OK &&
                   on.reorder && on.ell
               ? graph->order
               : NULL;
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* A structural mask is used as it is; another one is converted to a bitmap of its true values. */
static sl_status take_mask(product *r)
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

static sl_status prepare(product *r)
{
    const sl_call *call = r->s.call;
    sl_type type = call->semiring->result;
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), type);
    r->inner = r->by_rows ? r->matrix->nrows : r->matrix->ncols;
    r->k = (cuda_pattern_params){.n = r->by_rows ? r->matrix->ncols : r->matrix->nrows,
                                 .parents = call->semiring->multiply->code != SL_BINARY_PAIR,
                                 .choice = choice_of(call->semiring),
                                 .size = sl_type_size(type)};
    memcpy(&r->k.one, &one.as, sizeof r->k.one);
    CUDA_TRY(take_mask(r));
    if (r->u->order) { /* by one order of all vectors: engine.c */
        r->graph = &cuda_reordered_of(r->A)->view;
        r->k.old_id = r->graph->old_id;
    }
    if (r->pi) {
        r->k.pi_bits = r->pi->bits;
        r->k.pi_values = r->pi->values;
    }
    r->in_place = r->u == cuda_vector_of(call->out) && r->k.mask != r->u->bits;
    return SL_OK;
}

/* The transpose: the matrix itself if its pattern is symmetric. NULL if it does not exist yet and
 * `make` is false. */
static sl_status other_side(product *r, const cuda_matrix **other, bool make)
{
    sl_matrix *At;
    cuda_matrix *made = sl_cuda_kept_transposed(r->A);
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

static unsigned edge_bits(const product *r)
{
    return sl_cuda_edge_bits(r->k.n > r->inner ? r->k.n : r->inner, r->A->nnz);
}

/* Where the rows of M begin that a push examines. */
static cuda_row_starts starts_of(const product *r, const cuda_matrix *M)
{
    return r->graph ? (cuda_row_starts){r->graph->start, r->graph->wide, r->graph->n}
                    : (cuda_row_starts){M->start, true, UINT64_MAX};
}

static bool is_square(const product *r)
{
    return r->k.n == r->inner;
}

/* ---- the frontier ----------------------------------------------------------------------- */

/* Lists u's entries, with counts of them and of the mask's. */
static sl_status list_frontier(product *r)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_frontier_list *list = r->u->frontier_list;
    const cuda_row_starts rows = starts_of(r, r->along);
    cuda_report report;
    CUDA_TRY(sl_cuda_frontier_list_room(ctx, list, r->inner));
    CUDA_TRY(sl_cuda_report_to(ctx, &report, list, edge_bits(r)));
    return cuda_launched(&r->s, "kernel list_frontier",
                         sl_cuda_list_frontier(list->frontier, r->u->bits, r->inner, &rows,
                                               r->k.mask, r->k.n,
                                               r->u->nvals < r->inner / FRONTIER_SPARSE, report));
}

/* Sets r->counts: u is listed unless it has a list along these rows. */
static sl_status count_frontier(product *r)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_frontier_list *list;
    CUDA_TRY(sl_cuda_get_frontier_list(ctx, &list, r->u, r->along));
    if (!list) {
        sl_cuda_forget_list(r->u);
        CUDA_TRY(sl_cuda_new_frontier_list(ctx, &r->u->frontier_list, r->along));
        CUDA_TRY(list_frontier(r));
        CUDA_TRY(sl_cuda_get_frontier_list(ctx, &list, r->u, r->along));
        r->mask_counted = true;
    }
    r->counts = *list->counts;
    return SL_OK;
}

/* Counts the bits of the mask; waits, unless u was listed just now or the number is known. */
static sl_status count_mask(product *r, unsigned long long *bits)
{
    const sl_call *call = r->s.call;
    unsigned long long *counter;
    *bits = r->counts.wanted;
    if (r->mask_counted)
        return SL_OK;
    if (call->flags & SL_STRUCTURE) {
        CUDA_TRY(sl_cuda_count_entries(call->mask, cuda_vector_of(call->mask)));
        *bits = cuda_vector_of(call->mask)->nvals;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &counter, sizeof *counter));
    CUDA_TRY(sl_cuda_zero(call->ctx, counter, sizeof *counter));
    CUDA_TRY(cuda_launched(&r->s, "kernel count_bits",
                           sl_cuda_count_bits(counter, r->k.mask, cuda_words(r->k.n))));
    return sl_cuda_fetch(call->ctx, "kernel count_bits", bits, counter, sizeof *bits);
}

/* Rows of the result that the mask admits. */
static sl_status count_admitted(product *r, uint64_t *admitted)
{
    unsigned long long bits;
    *admitted = r->k.n;
    if (!r->k.mask)
        return SL_OK;
    CUDA_TRY(count_mask(r, &bits));
    *admitted = r->k.complement ? r->k.n - bits : bits;
    return SL_OK;
}

/* The costs of levels over a reordered graph, as for searches. */
static sl_status read_policy(sl_direction_policy *policy, sl_context *ctx)
{
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, ctx));
    *policy = on.policy;
    return SL_OK;
}

/* The edges of admitted rows are estimated: the mean number for each. */
static sl_status choose_direction(product *r)
{
    const double n = r->graph ? r->graph->n : (double)r->k.n, without_edges = (double)r->k.n - n;
    sl_direction_policy policy = sl_plan_policy;
    uint64_t admitted;
    if (r->graph)
        CUDA_TRY(read_policy(&policy, r->s.call->ctx));
    r->pushes = r->direction == SL_PUSH ||
                (r->direction == SL_AUTO && (double)r->counts.edges <= policy.bit * (double)r->k.n);
    if (r->pushes || r->direction == SL_PULL)
        return SL_OK;
    CUDA_TRY(count_admitted(r, &admitted));
    const double rest = (double)admitted - without_edges, unvisited = rest > 0 ? rest : 0;
    const double edges = (double)r->A->nnz;
    r->pushes = !sl_next_level_pulls(&(sl_level_counts){.vertices = n,
                                                        .edges = edges,
                                                        .frontier = (double)r->counts.vertices,
                                                        .frontier_edges = (double)r->counts.edges,
                                                        .unvisited = unvisited,
                                                        .unvisited_edges = edges * unvisited / n},
                                     &policy);
    return SL_OK;
}

/* ---- push and pull ------------------------------------------------------------------------ */

/* Sets the result's values and where its counts are reported: new memory, or u's if in place. */
static sl_status new_result(product *r)
{
    sl_context *ctx = r->s.call->ctx;
    const cuda_matrix *rows = r->along ? r->along : r->A;
    cuda_frontier_list *list = r->u->frontier_list;
    if (!r->in_place) {
        CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->k.values, r->k.n * r->k.size));
        CUDA_TRY(sl_cuda_new_frontier_list(ctx, &r->made, is_square(r) ? rows : NULL));
        list = r->made;
    } else {
        r->k.values = r->u->values; /* u is read as a pattern */
        if (!list)
            CUDA_TRY(sl_cuda_new_frontier_list(ctx, &r->u->frontier_list, rows));
        list = r->u->frontier_list;
        list->serial = rows->serial;
    }
    if (is_square(r))
        r->k.rows = starts_of(r, rows);
    return sl_cuda_report_to(ctx, &r->k.report, list, edge_bits(r));
}

/* A new bitmap for the result, with the words of a search's bitmaps if a search's pull writes it. */
static sl_status new_bits(product *r)
{
    const uint64_t words = cuda_words(r->k.n);
    const uint64_t searched = r->graph ? sl_cuda_bfs_words(r->graph->n) : 0;
    return sl_cuda_scratch_take(&r->s, &r->k.bits,
                                (words > searched ? words : searched) * sizeof *r->k.bits);
}

static sl_status launch_push(product *r, cuda_frontier to)
{
    sl_context *ctx = r->s.call->ctx;
    r->k.start = starts_of(r, r->along);
    r->k.index = r->graph ? r->graph->index : r->along->index;
    if (r->k.choice != CUDA_ANY) /* all bits set: greatest as unsigned, least as signed */
        CUDA_TRY(
            sl_cuda_status(ctx, "cudaMemsetAsync",
                           cudaMemsetAsync(r->k.values, 0xff, r->k.n * r->k.size, cuda_stream())));
    return cuda_launched(&r->s, "kernel pattern_push",
                         sl_cuda_pattern_push(&r->k, r->u->frontier_list->frontier,
                                              r->counts.vertices, r->counts.edges, r->counts.tall,
                                              to));
}

/* The result replaces u: the two lists change roles, and so do u's bitmap, which the kernel clears,
 * and the empty one. */
static sl_status push_in_place(product *r)
{
    cuda_frontier_list *list = r->u->frontier_list;
    CUDA_TRY(sl_cuda_frontier_list_spare(r->s.call->ctx, list, r->k.n));
    r->k.bits = list->zero;
    r->k.clear = r->u->bits;
    CUDA_TRY(launch_push(r, sl_cuda_frontier_in(list->spare, r->k.n)));
    void *listed = list->memory;
    list->memory = list->spare;
    list->spare = listed;
    list->zero = r->u->bits;
    r->u->bits = r->k.bits;
    return sl_cuda_frontier_list_room(r->s.call->ctx, list, r->k.n);
}

static sl_status push(product *r)
{
    sl_context *ctx = r->s.call->ctx;
    if (!r->u->frontier_list->frontier.list)
        CUDA_TRY(list_frontier(r));
    CUDA_TRY(new_result(r));
    if (r->in_place)
        return push_in_place(r);
    CUDA_TRY(new_bits(r));
    CUDA_TRY(sl_cuda_zero(ctx, r->k.bits, cuda_words(r->k.n) * sizeof *r->k.bits));
    if (is_square(r))
        CUDA_TRY(sl_cuda_frontier_list_room(ctx, r->made, r->k.n));
    return launch_push(r, r->made->frontier);
}

/* u's bitmap, copied if u is pi, because a pull changes pi's bitmap. */
static sl_status frontier_bits(product *r, const uint32_t **bits)
{
    const uint64_t bytes = cuda_words(r->k.n) * sizeof **bits;
    uint32_t *copy;
    *bits = r->u->bits;
    if (r->u != r->pi)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &copy, bytes));
    *bits = copy;
    return sl_cuda_copy(r->s.call->ctx, copy, r->u->bits, bytes);
}

static sl_status pull_reordered(product *r, const uint32_t *frontier)
{
    cuda_scratch *s = &r->s;
    const uint64_t n = r->graph->n, words = sl_cuda_bfs_words(r->graph->n);
    const uint64_t all_words = cuda_words(r->k.n);
    uint32_t *block; /* one, as each allocation would take a part of a short level's time */
    CUDA_TRY(sl_cuda_scratch_take(s, &block, (3 * words + n) * sizeof *block + sizeof(bfs_counts)));
    cuda_pull_scratch x = {.counts = (bfs_counts *)block};
    x.visited = block + sizeof(bfs_counts) / sizeof *block;
    x.previous = x.visited + words;
    const bool any = r->k.choice == CUDA_ANY;
    if (r->k.parents && any) {
        x.parent_is_first = x.previous + words;
        x.parent = x.parent_is_first + words;
    }
    const uint32_t hubs = sl_cuda_bfs_hub_words((uint32_t)words);
    CUDA_TRY(cuda_launched(
        s, "kernel pull_level",
        sl_cuda_pattern_pull_reordered(&r->k, r->graph, &x, frontier, all_words,
                                       hubs < all_words ? hubs : (uint32_t)all_words)));
    if (any)
        return cuda_launched(s, "kernel write_found",
                             sl_cuda_pattern_write_found(&r->k, r->graph, &x));
    r->k.mask = r->k.bits;
    r->k.complement = false;
    r->k.new_id = r->graph->new_id;
    r->k.start = (cuda_row_starts){r->A->start, true, UINT64_MAX};
    r->k.index = r->A->index;
    return cuda_launched(s, "kernel pattern_pull", sl_cuda_pattern_pull(&r->k, frontier));
}

/* Kept with a matrix: pulls that could have read its reordered graph. */
static const cuda_derived_kind pulls_kind = {.name = "count of pulls", .release = sl_free};

static sl_status count_pull(const product *r)
{
    unsigned *pulls = cuda_find_derived(r->A->derived, &pulls_kind);
    if (!pulls) {
        pulls = sl_calloc(1, sizeof *pulls);
        if (!pulls)
            return cuda_no_host_memory(r->s.call->ctx);
        CUDA_TRY(sl_cuda_keep_derived(r->s.call->ctx, &r->A->derived, &pulls_kind, pulls));
    }
    ++*pulls;
    return SL_OK;
}

bool sl_cuda_wants_order(const sl_call *call)
{
    const cuda_matrix *A = cuda_matrix_of(matrix_of(call));
    unsigned *pulls = cuda_find_derived(A->derived, &pulls_kind);
    return pulls && *pulls == PATTERN_PULLS_BEFORE_ORDER && (*pulls)++;
}

static sl_status pull_matrix(product *r, const uint32_t *frontier)
{
    const cuda_matrix *columns = r->A;
    if (r->by_rows)
        CUDA_TRY(other_side(r, &columns, true));
    if (columns == r->A && !r->pi)
        CUDA_TRY(count_pull(r));
    r->k.start = starts_of(r, columns);
    r->k.index = columns->index;
    return cuda_launched(&r->s, "kernel pattern_pull", sl_cuda_pattern_pull(&r->k, frontier));
}

static sl_status pull(product *r)
{
    const uint32_t *frontier;
    CUDA_TRY(new_result(r));
    CUDA_TRY(new_bits(r));
    CUDA_TRY(frontier_bits(r, &frontier));
    CUDA_TRY((r->graph ? pull_reordered : pull_matrix)(r, frontier));
    if (!r->in_place)
        return SL_OK;
    sl_cuda_scratch_detach(&r->s, r->k.bits);
    sl_cuda_free(r->u->bits);
    r->u->bits = r->k.bits;
    sl_cuda_frontier_list_reset(r->u->frontier_list);
    return SL_OK;
}

static sl_status multiply(product *r)
{
    CUDA_TRY(prepare(r));
    r->along = r->A;
    if (!r->by_rows)
        CUDA_TRY(other_side(r, &r->along, false));
    if (!r->along)
        return pull(r);
    CUDA_TRY(count_frontier(r));
    CUDA_TRY(choose_direction(r));
    if (r->graph)
        atomic_fetch_add(&r->u->order->examined,
                         r->pushes ? r->counts.vertices + r->counts.edges : r->k.n);
    return r->pushes ? push(r) : pull(r);
}

/* The result has no entry in common with a mask that is complemented, unless it replaces the mask. */
static void note_disjoint(product *r, cuda_vector *out)
{
    const sl_call *call = r->s.call;
    const unsigned outside = SL_STRUCTURE | SL_COMPLEMENT;
    cuda_vector *mask =
        call->mask && (call->flags & outside) == outside ? cuda_vector_of(call->mask) : NULL;
    out->pattern = out->disjoint_from = 0;
    out->lent = out->indices = false;
    if (!mask || mask == out)
        return;
    if (!mask->pattern)
        mask->pattern = sl_cuda_serial();
    out->disjoint_from = mask->pattern;
}

static void hand_over(product *r, cuda_vector *out)
{
    if (!r->in_place) {
        cuda_degree_order *order = sl_cuda_own_order(r->u->order); /* u may be out */
        sl_cuda_clear_vector(out);
        sl_cuda_set_order(out, order);
        sl_cuda_drop_order(order);
        sl_cuda_scratch_detach(&r->s, r->k.bits);
        sl_cuda_scratch_detach(&r->s, r->k.values);
        out->bits = r->k.bits;
        out->values = r->k.values;
        out->frontier_list = r->made;
    }
    out->nvals = CUDA_UNKNOWN;
    note_disjoint(r, out);
}

static sl_status multiply_patterns(product *r)
{
    sl_status status = multiply(r);
    if (status == SL_OK) {
        hand_over(r, cuda_vector_of(r->s.call->out));
    } else { /* the kernel may not have reported */
        sl_cuda_free_frontier_list(r->made);
        sl_cuda_forget_list(r->u);
    }
    sl_cuda_scratch_release(&r->s);
    return status;
}

sl_status sl_cuda_pattern_product(sl_call *call)
{
    bool vxm = call->op == SL_OP_VXM;
    const sl_object *matrix = matrix_of(call);
    unsigned turned = call->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A);
    product r = {.s = {.call = call},
                 .matrix = matrix,
                 .u = cuda_vector_of(vxm ? call->a : call->b),
                 .A = cuda_matrix_of(matrix),
                 .by_rows = vxm == !turned};
    return multiply_patterns(&r);
}

/* ---- advance ------------------------------------------------------------------------------ */

/* Waits for the counts of the result, and stores into pi what the kernel has not stored. */
static sl_status complete_pi(product *r, cuda_vector *delta, cuda_frontier_counts *counts)
{
    cuda_vector *pi = r->pi;
    cuda_frontier_list *list;
    CUDA_TRY(sl_cuda_get_frontier_list(r->s.call->ctx, &list, delta, NULL));
    *counts = *list->counts;
    delta->nvals = counts->vertices;
    sl_cuda_drop_frontier_list(pi);
    if (pi->nvals != CUDA_UNKNOWN)
        pi->nvals += counts->vertices;
    if (!r->pushes || r->k.choice == CUDA_ANY)
        return SL_OK;
    return cuda_launched(&r->s, "kernel write_list",
                         sl_cuda_write_list(pi->bits, pi->values, delta->values, 0, r->k.size,
                                            list->frontier.list, counts->vertices));
}

sl_status sl_cuda_pattern_advance(sl_call *call, sl_iteration *step)
{
    const sl_traversal *t = call->traversal;
    cuda_vector *delta = cuda_vector_of(t->delta);
    cuda_frontier_counts counts;
    sl_call as_product = {.op = SL_OP_VXM,
                          .ctx = call->ctx,
                          .out = t->delta,
                          .mask = t->pi,
                          .a = t->q,
                          .b = call->a,
                          .semiring = call->semiring,
                          .flags = SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT};
    product r = {.s = {.call = &as_product},
                 .matrix = call->a,
                 .u = cuda_vector_of(t->q),
                 .A = cuda_matrix_of(call->a),
                 .by_rows = true,
                 .pi = cuda_vector_of(t->pi),
                 .direction = t->direction};
    CUDA_TRY(multiply_patterns(&r));
    CUDA_TRY(complete_pi(&r, delta, &counts));
    *step = (sl_iteration){.direction = r.pushes ? SL_PUSH : SL_PULL,
                           .edges_exact = true,
                           .frontier = r.counts.vertices,
                           .edges = r.pushes ? r.counts.edges : counts.seen};
    return SL_OK;
}
