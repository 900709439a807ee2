/*
 * The loop over the levels of a search: the choice of a direction, the form of the frontier (queue
 * or bitmap), and the conditions of the end.
 */
#include <string.h>

#include "openmp/search.h"

/* Allocates the bitmaps of a pull, and makes the in-edges of the graph. */
static sl_status prepare_pull(run *r)
{
    search *s = &r->s;
    sl_matrix *A = r->call->traversal->A, *At;
    if (!s->frontier)
        s->frontier = sl_malloc(s->graph.words * sizeof *s->frontier);
    if (!s->next_frontier)
        s->next_frontier = sl_malloc(s->graph.words * sizeof *s->next_frontier);
    if (!s->frontier || !s->next_frontier)
        return sl_fail(r->call->ctx, SL_NO_MEMORY, "closure: out of memory");
    if (s->graph.in_start)
        return SL_OK;
    sl_status status = sl_matrix_transpose_pattern(&At, A, true);
    return status == SL_OK
               ? sl_openmp_rows(&s->graph.in_start, &s->graph.in_index, At, &s->prepared->graph)
               : status;
}

/* Convert the frontier to the form that the direction needs. */
void sl_openmp_frontier_to_bits(search *s)
{
    if (s->in_bits)
        return;
    memset(s->frontier, 0, s->graph.words * sizeof *s->frontier);
    bool shared = s->threads > 1 && s->tail - s->head > SL_SERIAL_EDGES;
#pragma omp parallel for num_threads(s->threads) if (shared)
    for (uint64_t k = s->head; k < s->tail; k++) {
        uint32_t v = s->queue[k];
        if (shared)
            __atomic_fetch_or(&s->frontier[v / 64], (uint64_t)1 << v % 64, __ATOMIC_RELAXED);
        else
            bit_set(s->frontier, v);
    }
    s->head = s->tail;
    s->in_bits = true;
}

static void frontier_to_queue(search *s)
{
    if (!s->in_bits)
        return;
    s->head = s->tail;
    for (uint64_t w = 0; w < s->graph.words; w++)
        for (uint64_t bits = s->frontier[w]; bits; bits &= bits - 1)
            s->queue[s->tail++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
    s->in_bits = false;
}

static uint64_t targets_in_frontier(const run *r)
{
    const search *s = &r->s;
    uint64_t count = 0;
    if (s->in_bits)
        for (uint64_t w = 0; w < s->graph.words; w++)
            count += (uint64_t)__builtin_popcountll(s->frontier[w] & r->target_bits[w]);
    else
        for (uint64_t k = s->head; k < s->tail; k++)
            count += bit_test(r->target_bits, s->queue[k]);
    return count;
}

void sl_openmp_level(search *s, sl_direction direction, sl_iteration *step)
{
    if (direction == SL_PUSH) {
        frontier_to_queue(s);
        sl_openmp_push(s, step);
        return;
    }
    const sl_level_counts counts = sl_openmp_level_counts(s);
    s->pull_work = sl_expected_pull_edges(&counts) + counts.unvisited + (double)s->graph.words;
    sl_openmp_frontier_to_bits(s);
    if (s->graph.degree_order)
        sl_openmp_pull_degree_order(s, step);
    else
        sl_openmp_pull(s, step);
}

static sl_status one_level(run *r, sl_direction direction)
{
    search *s = &r->s;
    double started = sl_seconds();
    sl_iteration step = {.direction = direction, .edges_exact = true, .frontier = s->plan.frontier};
    const sl_status status = direction == SL_PULL ? prepare_pull(r) : SL_OK;
    if (status != SL_OK)
        return status;
    s->prev_frontier = s->plan.frontier;
    s->prev_edges = s->plan.push_edges;
    sl_openmp_level(s, direction, &step);
    sl_openmp_count_visited(s);
    step.seconds = sl_seconds() - started;
    return sl_log_iteration(r->call->ctx, r->options->log, &step);
}

sl_status sl_openmp_levels(run *r)
{
    search *s = &r->s;
    const sl_closure_options *o = r->options;
    const uint64_t all = o->targets ? r->targets.start[1] : 0;
    for (s->level_number++; s->plan.frontier > 0; s->level_number++) {
        bool met = o->until == SL_UNTIL_ALL ? r->targets_left == 0 : r->targets_left < all;
        if ((o->targets && met) || sl_openmp_is_bounded(r, s->level_number))
            return SL_OK;
        r->progress->done = s->graph.n - s->plan.unvisited;
        sl_status status = sl_interrupted(r->call->ctx, "closure");
        const sl_direction direction = sl_openmp_direction(r, s);
        if (status == SL_OK && direction == SL_PUSH && sl_openmp_shares_levels(r)) {
            frontier_to_queue(s);
            status = sl_openmp_push_levels(r);
        } else if (status == SL_OK) {
            status = one_level(r, direction);
        }
        if (status != SL_OK)
            return status;
        if (o->targets)
            r->targets_left -= targets_in_frontier(r);
    }
    return SL_OK;
}
