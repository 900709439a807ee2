/* The frontier of a product over a pattern: its list and counts, and the choice of push or pull. */
#include <math.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/products/pattern_product.h"
#include "cuda/products/product_tuning.h"
#include "cuda/products/row_facts.h"
#include "cuda/runtime/traversal_switches.h"

sl_status sl_cuda_list_vector(sl_context *ctx, const cuda_vector *u, uint64_t n,
                              const cuda_row_starts *rows, const cuda_bit_array *mask,
                              unsigned edge_bits)
{
    cuda_frontier_list *list = u->frontier_list;
    const cuda_bit_array bits = {u->bits, n};
    cuda_report report;
    CUDA_TRY(sl_cuda_frontier_list_room(ctx, list, n));
    CUDA_TRY(sl_cuda_report_to(ctx, &report, list, edge_bits));
    return sl_cuda_status(ctx, "kernel list_frontier",
                          sl_cuda_list_frontier(list->frontier, &bits, rows,
                                                u->nvals < n / FRONTIER_SPARSE, mask, report));
}

/* Lists the entries of u, with counts of them, and of the mask's if they are wanted. */
static sl_status list_frontier(cuda_pattern_product *r, bool counts_mask)
{
    const cuda_row_starts rows = cuda_pattern_starts(r, r->along);
    const cuda_bit_array mask = {counts_mask ? r->k.mask : NULL, r->k.n};
    return sl_cuda_list_vector(r->s.call->ctx, r->u, r->inner, &rows, &mask,
                               cuda_pattern_edge_bits(r));
}

/* Makes a list of u along these rows; does not wait for its counts. */
static sl_status new_list(cuda_pattern_product *r, bool counts_mask)
{
    sl_cuda_forget_list(r->u);
    CUDA_TRY(sl_cuda_new_frontier_list(r->s.call->ctx, &r->u->frontier_list, r->along));
    return list_frontier(r, counts_mask);
}

/* Sets r->counts from the list of u, which is made if there is none along these rows. */
static sl_status count_exactly(cuda_pattern_product *r)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_frontier_list *list;
    CUDA_TRY(sl_cuda_get_frontier_list(ctx, &list, r->u, r->along));
    if (!list) {
        CUDA_TRY(new_list(r, true));
        CUDA_TRY(sl_cuda_get_frontier_list(ctx, &list, r->u, r->along));
        r->mask_counted = true;
    }
    r->counts = *list->counts;
    r->u->nvals = r->counts.vertices;
    return SL_OK;
}

/* With so many entries a pull is likely, which needs no list and no exact number of edges. */
static bool is_sampled(const cuda_pattern_product *r)
{
    return r->direction == SL_AUTO && r->inner >= FRONTIER_SAMPLED && r->u->nvals != CUDA_UNKNOWN &&
           r->u->nvals >= r->inner / FRONTIER_SPARSE;
}

/* Sets r->counts, with an estimate of the edges. */
static sl_status sample(cuda_pattern_product *r)
{
    sl_context *ctx = r->s.call->ctx;
    const cuda_row_starts rows = cuda_pattern_starts(r, r->along);
    cuda_frontier_list *list;
    cuda_report report;
    CUDA_TRY(sl_cuda_new_frontier_list(ctx, &list, NULL));
    sl_status status = sl_cuda_report_to(ctx, &report, list, cuda_pattern_edge_bits(r));
    if (status == SL_OK)
        status = cuda_launched(&r->s, "kernel count_sample",
                               sl_cuda_sample_frontier(&r->k, r->u->bits, r->inner, &rows, report));
    if (status == SL_OK)
        status = sl_cuda_frontier_list_wait(ctx, list);
    if (status == SL_OK) {
        const cuda_frontier_counts *part = list->counts;
        const double share = (double)r->u->nvals / (double)(part->vertices ? part->vertices : 1);
        r->counts = (cuda_frontier_counts){.vertices = r->u->nvals,
                                           .edges = (uint64_t)(share * (double)part->edges),
                                           .wanted = part->wanted};
        r->mask_counted = true;
    }
    sl_cuda_free_frontier_list(list);
    return status;
}

/* Sets r->counts. */
static sl_status count_frontier(cuda_pattern_product *r)
{
    sl_context *ctx = r->s.call->ctx;
    cuda_frontier_list *list;
    if (r->edges != CUDA_UNKNOWN && r->u->nvals != CUDA_UNKNOWN) {
        r->counts = (cuda_frontier_counts){.vertices = r->u->nvals, .edges = r->edges};
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_get_frontier_list(ctx, &list, r->u, r->along));
    if (!list)
        CUDA_TRY(sl_cuda_finish_writes(ctx, r->u)); /* the mask is counted, too */
    return list || !is_sampled(r) ? count_exactly(r) : sample(r);
}

/* Counts the bits of the mask; waits, unless u was listed just now or the number is known. */
static sl_status count_mask(cuda_pattern_product *r, uint64_t *bits)
{
    const sl_call *call = r->s.call;
    *bits = r->counts.wanted;
    if (r->mask_counted)
        return SL_OK;
    if (call->flags & SL_STRUCTURE) {
        CUDA_TRY(sl_cuda_count_entries(call->mask, cuda_vector_of(call->mask)));
        *bits = cuda_vector_of(call->mask)->nvals;
        return SL_OK;
    }
    return sl_cuda_count_bitmap(call->ctx, bits, r->k.mask, cuda_words(r->k.n));
}

/* Rows of the result that the mask admits. */
static sl_status count_admitted(cuda_pattern_product *r, uint64_t *admitted)
{
    uint64_t bits;
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

/* The rows of a pull that have entries, as far as known. */
static sl_status count_rows(cuda_pattern_product *r, uint64_t *rows)
{
    const cuda_row_facts *facts;
    cuda_matrix *pulled = r->A;
    *rows = r->graph ? r->graph->n : r->k.n;
    if (r->graph)
        return SL_OK;
    if (r->by_rows)
        CUDA_TRY(sl_cuda_transposed_pattern(&pulled, r->matrix, r->A, false));
    if (!pulled)
        return SL_OK;
    CUDA_TRY(sl_cuda_find_row_facts(&facts, &r->s, pulled, r->k.n));
    *rows = facts->with_entries;
    return SL_OK;
}

/* Sets r->pushes. The edges of admitted rows are estimated: the mean number for each row with entries. The complement
 * of a mask is assumed to admit all rows without entries, which a search does not reach. */
static sl_status choose(cuda_pattern_product *r)
{
    sl_direction_policy policy = sl_plan_policy;
    uint64_t admitted, rows;
    if (r->graph)
        CUDA_TRY(read_policy(&policy, r->s.call->ctx));
    r->pushes = r->direction == SL_PUSH ||
                (r->direction == SL_AUTO && (double)r->counts.edges <= policy.bit * (double)r->k.n);
    if (r->pushes || r->direction == SL_PULL)
        return SL_OK;
    CUDA_TRY(count_admitted(r, &admitted));
    CUDA_TRY(count_rows(r, &rows));
    const double push_edge = r->k.choice == CUDA_ANY ? 1 : COMPETING_EDGE;
    const double n = (double)rows, edges = (double)r->A->nnz,
                 rest = (double)admitted - (r->k.complement ? (double)r->k.n - n : 0);
    const double unvisited = rest > 0 ? fmin(rest, n) : 0;
    r->pushes = !sl_next_level_pulls(
        &(sl_level_counts){.vertices = n,
                           .edges = edges,
                           .frontier = (double)r->counts.vertices,
                           .frontier_edges = push_edge * (double)r->counts.edges,
                           .unvisited = unvisited,
                           .unvisited_edges = edges * unvisited / n},
        &policy);
    return SL_OK;
}

static bool has_list(const cuda_pattern_product *r)
{
    return r->u->frontier_list && r->u->frontier_list->serial == r->along->serial;
}

/* Entries so few that a push is the choice, whatever the lengths of their rows. */
static bool is_few(const cuda_pattern_product *r)
{
    return r->direction == SL_AUTO && r->edges == CUDA_UNKNOWN && !r->pi && !has_list(r) &&
           r->u->nvals <= CUDA_HOST_LIST_MAX;
}

/* Lists u for a push. The counts of a new list are not waited for, as the push reads them, unless an advance wants
 * them. */
static sl_status list_for_push(cuda_pattern_product *r)
{
    if (!has_list(r) && !r->pi) {
        CUDA_TRY(new_list(r, false));
        r->k.reads_counts = true;
        return SL_OK;
    }
    CUDA_TRY(count_exactly(r)); /* the edges may be an estimate */
    return r->u->frontier_list->frontier.list ? SL_OK : list_frontier(r, false);
}

sl_status sl_cuda_choose_pattern_direction(cuda_pattern_product *r)
{
    r->pushes = is_few(r);
    if (r->pushes) {
        r->counts = (cuda_frontier_counts){.vertices = r->u->nvals};
    } else {
        CUDA_TRY(count_frontier(r));
        CUDA_TRY(choose(r));
    }
    return r->pushes ? list_for_push(r) : SL_OK;
}
