/* The loop over steps: their direction, the frontier's form, when targets end it. */
#include <string.h>

#include "search.h"

/* The in-edges, made on demand; the bitmaps of a pull. */
static sl_status prepare_pull(run *r)
{
    search *s = &r->s;
    sl_matrix *A = r->call->traversal->A, *At;
    if (!s->frontier)
        s->frontier = sl_malloc(s->words * sizeof *s->frontier);
    if (!s->found)
        s->found = sl_malloc(s->words * sizeof *s->found);
    if (!s->frontier || !s->found)
        return sl_fail(r->call->ctx, SL_NO_MEMORY, "closure: out of memory");
    if (s->in_start)
        return SL_OK;
    sl_status status = sl_matrix_transpose_pattern(&At, A, true);
    return status == SL_OK ? sl_openmp_rows(&s->in_start, &s->in_index, At, &s->kept->compact)
                           : status;
}

/* The frontier in the form that the direction needs. */
static void frontier_to_bits(search *s)
{
    if (s->in_bits)
        return;
    memset(s->frontier, 0, s->words * sizeof *s->frontier);
    bool shared = s->threads > 1 && s->tail - s->head > SERIAL_EDGES;
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
    for (uint64_t w = 0; w < s->words; w++)
        for (uint64_t bits = s->frontier[w]; bits; bits &= bits - 1)
            s->queue[s->tail++] = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(bits);
    s->in_bits = false;
}

static uint64_t targets_in_frontier(const run *r)
{
    const search *s = &r->s;
    uint64_t count = 0;
    if (s->in_bits)
        for (uint64_t w = 0; w < s->words; w++)
            count += (uint64_t)__builtin_popcountll(s->frontier[w] & r->target_bits[w]);
    else
        for (uint64_t k = s->head; k < s->tail; k++)
            count += bit_test(r->target_bits, s->queue[k]);
    return count;
}

/* What an edge and a vertex cost a pull in the layout by degree, to an edge of a push: the
 * neighbours most likely reached come first, so that pull finds one sooner than the plan
 * takes it to, which is as if by chance. */
static const double layout_edge = 0.3, layout_vertex = 0.5;

/*
 * Kolganov's change_state (2018, figure 3): while frontiers grow, from push to pull when the last
 * step looked at many edges, and not back; when they shrink, by the frontier's vertices.
 */
static bool kolganov_pulls(const search *s)
{
    const double n = (double)s->n, factor = (double)s->edges / n / 2;
    const double count = (double)s->plan.frontier, rest = (n - count) * factor + n;
    if (s->plan.frontier > s->former)
        return s->in_bits || (double)s->former_edges >= rest / s->alpha;
    return count >= rest / (factor * s->beta);
}

static bool pulls(search *s)
{
    const double push = (double)s->plan.push_edges;
    sl_plan_decide(&s->plan, s->n, s->edges);
    if (s->alpha > 0)
        return kolganov_pulls(s);
    if (!s->by_degree)
        return s->plan.direction == SL_PULL;
    const double missing = (double)s->plan.missing;
    return s->weight * (layout_edge * s->plan.pull_edges + layout_vertex * missing) < push;
}

static sl_status one_step(run *r)
{
    search *s = &r->s;
    double started = sl_seconds();
    sl_direction direction = r->options->direction;
    if (direction == SL_AUTO)
        direction = pulls(s) ? SL_PULL : SL_PUSH;
    sl_iteration step = {.direction = direction, .edges_exact = true, .frontier = s->plan.frontier};
    s->former = s->plan.frontier;
    s->former_edges = s->plan.push_edges;
    if (direction == SL_PULL) {
        sl_status status = prepare_pull(r);
        if (status != SL_OK)
            return status;
        frontier_to_bits(s);
        if (s->by_degree)
            sl_openmp_pull_by_degree(s, &step);
        else
            sl_openmp_pull(s, &step);
    } else {
        frontier_to_queue(s);
        sl_openmp_push(s, &step);
    }
    s->plan.missing -= s->plan.frontier;
    s->plan.missing_edges -=
        s->plan.push_edges < s->plan.missing_edges ? s->plan.push_edges : s->plan.missing_edges;
    step.seconds = sl_seconds() - started;
    if (!r->options->log)
        return SL_OK;
    sl_status status = sl_iteration_log_append(r->options->log, &step);
    return status == SL_OK ? SL_OK : sl_fail(r->call->ctx, SL_NO_MEMORY, "closure: out of memory");
}

sl_status sl_openmp_steps(run *r)
{
    search *s = &r->s;
    const sl_closure_options *o = r->options;
    uint64_t all = o->targets ? r->targets.start[1] : 0;
    for (s->number++; s->plan.frontier > 0; s->number++) {
        bool met = o->until == SL_UNTIL_ALL ? r->targets_left == 0 : r->targets_left < all;
        if ((o->targets && met) || (o->bounded && (uint64_t)s->number > o->max_iterations))
            return SL_OK;
        sl_status status = one_step(r);
        if (status != SL_OK)
            return status;
        if (o->targets)
            r->targets_left -= targets_in_frontier(r);
    }
    return SL_OK;
}
