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
 * Push or pull is chosen by the cost model of direction.h, on the host. The counts of u come from the kernel that
 * computed it. A push that has u listed first, because it has few entries or its edges have been estimated, reads them
 * on the device, and the host does not wait for them. The mask is counted only if the direction depends on it: a push
 * of fewer edges than a pull would cost to read the mask alone needs no count. So a product costs one launch, and one
 * count of the mask with a wait where the frontier is large. The kernel also does the writes that wait for u
 * (data/device_vector.h), if u has few entries: a level of a search written as a loop is then one launch and one wait.
 *
 * Where the matrix has a reordered graph, and any parent will do, the vectors are brought into its order
 * (pattern_choice.c), and stay there: pushes walk the rows of that graph, and pulls run as in a search. The id of the
 * parent that they find is written to the values once it is read (`found` in data/device_vector.h). For the least or
 * the greatest id pulls read the caller's rows, in which ids ascend.
 */
#include <string.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/products/pattern_product.h"
#include "cuda/products/product_tuning.h"
#include "cuda/search/device/launch.h"

/* ---- parameters ----------------------------------------------------------------------------- */

/* A structural mask is used as it is; another one is converted to a bitmap of its true values. */
static sl_status take_mask(cuda_pattern_product *r)
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

/* True if all terms of a vertex compete for the least or greatest id. */
static bool competes(const cuda_pattern_product *r)
{
    return r->k.choice != CUDA_ANY;
}

static sl_status prepare(cuda_pattern_product *r)
{
    const sl_call *call = r->s.call;
    sl_type type = call->operators.semiring->result;
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), type);
    r->inner = r->by_rows ? r->matrix->nrows : r->matrix->ncols;
    r->k =
        (cuda_pattern_params){.n = r->by_rows ? r->matrix->ncols : r->matrix->nrows,
                              .parents = call->operators.semiring->multiply->code != SL_BINARY_PAIR,
                              .choice = sl_cuda_pattern_choice(call->operators.semiring),
                              .size = sl_type_size(type)};
    memcpy(&r->k.one, &one.as, sizeof r->k.one);
    CUDA_TRY(take_mask(r));
    if (r->u->order) { /* one order of all vectors: engine.c */
        r->order = r->u->order;
        r->graph = &cuda_reordered_of(r->A)->view;
        r->sources = r->graph->n;
    }
    if (r->graph)
        r->k.old_id = r->graph->old_id;
    if (r->pi) {
        r->k.pi_bits = r->pi->bits;
        r->k.pi_values = r->pi->values;
    }
    r->in_place = r->u == cuda_vector_of(call->out) && r->k.mask != r->u->bits;
    return SL_OK;
}

static bool is_square(const cuda_pattern_product *r)
{
    return r->k.n == r->inner;
}

/* ---- push and pull ------------------------------------------------------------------------ */

/* Sets the result's values and where its counts are reported: new memory, or u's if in place. */
static sl_status new_result(cuda_pattern_product *r)
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
        r->k.rows = cuda_pattern_starts(r, rows);
    return sl_cuda_report_to(ctx, &r->k.report, list, cuda_pattern_edge_bits(r));
}

uint64_t sl_cuda_graph_product_words(const cuda_graph *graph, uint64_t n)
{
    const uint64_t words = cuda_words(n), searched = sl_cuda_bfs_words(graph->n);
    return words > searched ? words : searched;
}

/* A bitmap for the result; zero: without a bit. */
static sl_status new_bits(cuda_pattern_product *r, bool zero)
{
    const uint64_t words =
        r->graph ? sl_cuda_graph_product_words(r->graph, r->k.n) : cuda_words(r->k.n);
    r->k.bits = r->zero;
    if (r->zero)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->k.bits, words * sizeof *r->k.bits));
    return zero ? sl_cuda_zero(r->s.call->ctx, r->k.bits, words * sizeof *r->k.bits) : SL_OK;
}

/*
 * A push of few vertices does the writes that wait for u, if its mask waits for them and no entry of u is allowed: no
 * entry of the result then replaces a value that is still to be written. Otherwise they are done before. A push for the
 * least or greatest id wants all bits set where ids may compete: in u's array either all are set now, or u's values are
 * still wanted and those of other vertices are set already.
 */
static sl_status take_waiting_writes(cuda_pattern_product *r)
{
    const sl_call *call = r->s.call;
    const unsigned outside = SL_STRUCTURE | SL_COMPLEMENT;
    if (r->u->waiting.count == 0)
        return SL_OK;
    if (!r->pushes || r->counts.vertices > PUSH_WRITES || !call->mask ||
        (call->flags & outside) != outside || cuda_vector_of(call->mask)->waits_for != r->u ||
        (competes(r) && r->in_place && !r->u->frontier_list->rest_ones))
        return sl_cuda_finish_writes(call->ctx, r->u);
    r->k.writes = sl_cuda_waiting_writes(r->u);
    r->k.resets = competes(r) && r->in_place;
    r->k.written = r->u->bits;
    return SL_OK;
}

static sl_status launch_push(cuda_pattern_product *r, cuda_frontier to)
{
    sl_context *ctx = r->s.call->ctx;
    r->k.start = cuda_pattern_starts(r, r->along);
    r->k.index = r->graph ? r->graph->index : r->along->index;
    if (competes(r) && !r->k.resets) /* all bits set: greatest as unsigned, least as signed */
        CUDA_TRY(
            sl_cuda_status(ctx, "cudaMemsetAsync",
                           cudaMemsetAsync(r->k.values, 0xff, r->k.n * r->k.size, cuda_stream())));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel pattern_push",
                      sl_cuda_pattern_push(&r->k, r->u->frontier_list->frontier, r->counts.vertices,
                                           r->counts.edges, r->counts.tall, to)));
    sl_cuda_forget_writes(r->u);
    return SL_OK;
}

/* The result replaces u: the two lists change roles, and so do u's bitmap, which the kernel clears,
 * and the empty one. */
static sl_status push_in_place(cuda_pattern_product *r)
{
    cuda_frontier_list *list = r->u->frontier_list;
    CUDA_TRY(sl_cuda_frontier_list_spare(r->s.call->ctx, list, r->k.n));
    r->k.bits = list->zero;
    r->k.clear = r->u->bits;
    CUDA_TRY(launch_push(r, sl_cuda_frontier_in(list->spare, r->k.n)));
    void *listed = list->memory;
    list->rest_ones = competes(r);
    list->memory = list->spare;
    list->spare = listed;
    list->zero = r->u->bits;
    r->u->bits = r->k.bits;
    return sl_cuda_frontier_list_room(r->s.call->ctx, list, r->k.n);
}

static sl_status push(cuda_pattern_product *r)
{
    sl_context *ctx = r->s.call->ctx;
    CUDA_TRY(new_result(r));
    if (r->in_place)
        return push_in_place(r);
    CUDA_TRY(new_bits(r, true));
    if (is_square(r))
        CUDA_TRY(sl_cuda_frontier_list_room(ctx, r->made, r->k.n));
    return launch_push(r, r->made->frontier);
}

/* u's bitmap, copied if u is pi, because a pull changes pi's bitmap. */
static sl_status frontier_bits(cuda_pattern_product *r, const uint32_t **bits)
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

/* Whether the ids of the vertices found are written once they are read: they are then numbered as the result is. */
static bool writes_ids_later(const cuda_pattern_product *r)
{
    return r->order == r->u->order;
}

/* What a pull over a reordered graph found, as values: ones to pi alone, or the ids of the vertices r->found. */
static sl_status write_found(cuda_pattern_product *r)
{
    cuda_entry_writes writes = {.count = 0};
    const cuda_entry_write write = {
        .place = r->found, .old_id = r->graph->old_id, .one = r->k.one, .size = r->k.size};
    if (r->found && !writes_ids_later(r)) {
        writes.write[writes.count] = write;
        writes.write[writes.count].bits = r->k.bits;
        writes.write[writes.count++].to = r->k.values;
    }
    if (r->pi) {
        writes.write[writes.count] = write;
        writes.write[writes.count].bits = r->k.pi_bits;
        writes.write[writes.count++].to = r->k.pi_values;
    }
    return writes.count == 0
               ? SL_OK
               : cuda_launched(&r->s, "kernel write_at_bits",
                               sl_cuda_write_at_bits(&writes, r->k.bits, r->graph->n));
}

static sl_status pull_reordered(cuda_pattern_product *r, const uint32_t *frontier)
{
    cuda_scratch *s = &r->s;
    const uint64_t words = sl_cuda_bfs_words(r->graph->n), all_words = cuda_words(r->k.n),
                   read = cuda_words(r->inner);
    uint32_t *block; /* one, as each allocation would take a part of a short level's time */
    CUDA_TRY(sl_cuda_scratch_take(s, &block, 2 * words * sizeof *block + sizeof(bfs_counts)));
    cuda_pull_scratch x = {.counts = (bfs_counts *)block};
    x.visited = block + sizeof(bfs_counts) / sizeof *block;
    x.previous = x.visited + words;
    if (r->k.parents) {
        CUDA_TRY(sl_cuda_scratch_take(s, &r->found, r->graph->n * sizeof *r->found));
        x.parent = r->found;
    }
    const uint32_t hubs = sl_cuda_bfs_hub_words(sl_cuda_bfs_words((uint32_t)r->sources));
    CUDA_TRY(cuda_launched(s, "kernel pull_level",
                           sl_cuda_pattern_pull_reordered(&r->k, r->graph, &x, frontier, all_words,
                                                          hubs < read ? hubs : (uint32_t)read)));
    if (r->counts_edges)
        r->made->serial = r->along->serial;
    return write_found(r);
}

static sl_status pull_matrix(cuda_pattern_product *r, const uint32_t *frontier)
{
    cuda_matrix *columns = r->A;
    if (r->by_rows)
        CUDA_TRY(sl_cuda_transposed_pattern(&columns, r->matrix, r->A, true));
    if (columns == r->A && !r->pi && !competes(r))
        CUDA_TRY(sl_cuda_count_pattern_pull(r->s.call->ctx, r->A));
    r->k.start = cuda_pattern_starts(r, columns);
    r->k.index = columns->index;
    return cuda_launched(&r->s, "kernel pattern_pull", sl_cuda_pattern_pull(&r->k, frontier));
}

static sl_status pull(cuda_pattern_product *r)
{
    const uint32_t *frontier;
    CUDA_TRY(new_result(r));
    CUDA_TRY(new_bits(r, false));
    CUDA_TRY(frontier_bits(r, &frontier));
    CUDA_TRY((r->graph ? pull_reordered : pull_matrix)(r, frontier));
    if (!r->in_place)
        return SL_OK;
    sl_cuda_scratch_detach(&r->s, r->k.bits);
    sl_cuda_free(r->u->bits);
    r->u->bits = r->k.bits;
    r->u->frontier_list->rest_ones = false;
    sl_cuda_frontier_list_reset(r->u->frontier_list);
    return SL_OK;
}

static sl_status multiply(cuda_pattern_product *r)
{
    CUDA_TRY(prepare(r));
    r->along = r->A;
    if (!r->by_rows)
        CUDA_TRY(sl_cuda_transposed_pattern(&r->along, r->matrix, r->A, false));
    if (r->along)
        CUDA_TRY(sl_cuda_choose_pattern_direction(r));
    CUDA_TRY(take_waiting_writes(r));
    if (!r->along)
        return pull(r);
    if (r->graph)
        atomic_fetch_add(&r->order->examined,
                         r->pushes ? r->counts.vertices + r->counts.edges : r->k.n);
    return r->pushes ? push(r) : pull(r);
}

/* The result has no entry in common with a mask that is complemented, unless it replaces the mask. */
static void note_disjoint(cuda_pattern_product *r, cuda_vector *out)
{
    const sl_call *call = r->s.call;
    const unsigned outside = SL_STRUCTURE | SL_COMPLEMENT;
    cuda_vector *mask =
        call->mask && (call->flags & outside) == outside ? cuda_vector_of(call->mask) : NULL;
    out->pattern = out->disjoint_from = 0;
    out->lent = out->numbered = out->same = false;
    if (!r->k.parents)
        sl_cuda_give_value(out, &r->k.one);
    if (!mask || mask == out)
        return;
    if (!mask->pattern)
        mask->pattern = sl_cuda_serial();
    out->disjoint_from = mask->pattern;
}

static void hand_over(cuda_pattern_product *r, cuda_vector *out)
{
    if (!r->in_place) {
        cuda_degree_order *order = sl_cuda_own_order(r->order); /* u may be out */
        sl_cuda_clear_vector(out);
        sl_cuda_set_order(out, order);
        sl_cuda_drop_order(order);
        sl_cuda_scratch_detach(&r->s, r->k.bits);
        sl_cuda_scratch_detach(&r->s, r->k.values);
        out->bits = r->k.bits;
        out->values = r->k.values;
        out->frontier_list = r->made;
    }
    uint32_t *found = writes_ids_later(r) ? r->found : NULL;
    if (found)
        sl_cuda_scratch_detach(&r->s, found);
    sl_cuda_free(out->found);
    out->found = found;
    out->nvals = CUDA_UNKNOWN;
    note_disjoint(r, out);
}

static sl_status multiply_patterns(cuda_pattern_product *r)
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
    const sl_object *matrix = cuda_pattern_matrix(call);
    unsigned turned = call->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A);
    cuda_pattern_product r = {.s = {.call = call},
                              .matrix = matrix,
                              .u = cuda_vector_of(vxm ? call->a : call->b),
                              .A = cuda_matrix_of(matrix),
                              .by_rows = vxm == !turned,
                              .edges = CUDA_UNKNOWN};
    return multiply_patterns(&r);
}

sl_status sl_cuda_multiply_by_graph(sl_call *call, const cuda_graph_product *product)
{
    cuda_pattern_product r = {.s = {.call = call},
                              .matrix = product->matrix,
                              .u = product->u,
                              .A = cuda_matrix_of(product->matrix),
                              .by_rows = true,
                              .graph = product->graph,
                              .order = product->order,
                              .sources = product->matrix->nrows,
                              .edges = product->edges,
                              .zero = product->bits,
                              .counts_edges = product->symmetric};
    return multiply_patterns(&r);
}

/* ---- advance ------------------------------------------------------------------------------ */

/* Waits for the counts of the result, and stores into pi what the kernel has not stored. */
static sl_status complete_pi(cuda_pattern_product *r, cuda_vector *delta,
                             cuda_frontier_counts *counts)
{
    cuda_vector *pi = r->pi;
    cuda_frontier_list *list;
    CUDA_TRY(sl_cuda_get_frontier_list(r->s.call->ctx, &list, delta, NULL));
    *counts = *list->counts;
    delta->nvals = counts->vertices;
    sl_cuda_drop_frontier_list(pi);
    if (pi->nvals != CUDA_UNKNOWN)
        pi->nvals += counts->vertices;
    if (!r->pushes || !competes(r))
        return SL_OK;
    const cuda_entry_write write = {
        .bits = pi->bits, .to = pi->values, .from = delta->values, .size = r->k.size};
    const cuda_entry_writes writes = {.count = 1, .write = {write}};
    return cuda_launched(&r->s, "kernel write_listed",
                         sl_cuda_write_listed(&writes, list->frontier.list, counts->vertices));
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
                          .operators.semiring = call->operators.semiring,
                          .flags = SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT};
    cuda_pattern_product r = {.s = {.call = &as_product},
                              .matrix = call->a,
                              .u = cuda_vector_of(t->q),
                              .A = cuda_matrix_of(call->a),
                              .by_rows = true,
                              .edges = CUDA_UNKNOWN,
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
