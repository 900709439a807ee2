/*
 * The closure over semirings of searches: a direction-optimising breadth-first search (Beamer,
 * Asanovic, Patterson, SC 2012) on the host. This file chooses the graph, allocates the state and
 * prepares the first frontier; levels.c has the loop. O(edges examined + vertices) time; 4 to 16
 * bytes of scratch for each vertex.
 */
#include <string.h>

#include "openmp/search.h"

static sl_status no_memory(sl_call *call)
{
    return sl_fail(call->ctx, SL_NO_MEMORY, "closure: out of memory");
}

static void *array(uint64_t count)
{
    return sl_malloc(count * sizeof(uint64_t));
}

/* ---- the first frontier --------------------------------------------------------------- */

static void visit(search *s, uint64_t v)
{
    if (v == s->graph.n)
        return;
    bit_set(s->visited, v);
    if (v > s->graph.n)
        return;
    s->plan.unvisited--;
    s->plan.unvisited_edges -= degree(s, v);
}

/* Sets the visited bits of the entries of pi. */
static void begin_visited(run *r)
{
    search *s = &r->s;
    const int8_t *present = r->pi.arrays.present;
    const uint64_t n = r->pi.arrays.size;
    memset(s->visited, 0, s->graph.all_words * sizeof *s->visited);
    if (r->pi.replaced) {
        for (uint64_t e = 0; e < r->pi.old_entries.start[1]; e++)
            visit(s, new_id(s, r->pi.old_entries.index[e]));
    } else {
        for (const int8_t *at = present; (at = memchr(at, 1, n - (uint64_t)(at - present))); at++)
            visit(s, new_id(s, (uint64_t)(at - present)));
    }
    memcpy(r->initial_visited, s->visited, s->graph.all_words * sizeof *s->visited);
}

/* True if pi has an entry at v. */
static bool holds(const result *pi, uint64_t v)
{
    if (!pi->replaced)
        return pi->arrays.present[v];
    const uint64_t *index = pi->old_entries.index;
    uint64_t from = 0, to = pi->old_entries.start[1];
    while (from < to) {
        uint64_t middle = (from + to) / 2;
        if (index[middle] < v)
            from = middle + 1;
        else
            to = middle;
    }
    return from < pi->old_entries.start[1] && index[from] == v;
}

/* Sets the bits of the targets and counts those that are not visited. */
static void begin_targets(run *r)
{
    const search *s = &r->s;
    memset(r->target_bits, 0, s->graph.words * sizeof *r->target_bits);
    r->targets_left = r->targets.start[1];
    for (uint64_t t = 0; t < r->targets.start[1]; t++) {
        uint64_t v = r->targets.index[t], k = new_id(s, v);
        if (k < s->graph.n)
            bit_set(r->target_bits, k);
        r->targets_left -= holds(&r->pi, v);
    }
}

/* Begins at the root of the tree of a source that was pruned; pi may have no entry at the root. */
static uint64_t begin_at_tree_root(search *s, uint64_t source)
{
    const uint64_t root = sl_openmp_trees_begin(s, source);
    if (root != new_id(s, source))
        visit(s, root);
    return root;
}

/* Makes the entries of q the frontier. */
static void begin(run *r, const sl_csr *q)
{
    search *s = &r->s;
    begin_visited(r);
    if (s->out.choice != SL_MONOID_ANY && s->out.parent.values)
        for (uint64_t v = 0; v < s->graph.n; v++)
            if (!bit_test(s->visited, v))
                sl_integers_set(s->out.parent, old_id(s, v), NO_PARENT);
    for (uint64_t k = 0; k < q->start[1]; k++) {
        uint64_t v = s->trees ? begin_at_tree_root(s, q->index[k]) : new_id(s, q->index[k]);
        if (v == s->graph.n)
            continue;
        s->queue[s->tail++] = (uint32_t)v;
        s->plan.push_edges += degree(s, v);
    }
    s->plan.frontier = q->start[1];
    if (r->options->targets)
        begin_targets(r);
}

/* ---- the operation -------------------------------------------------------------------- */

/* Searches when all memory is allocated: opens the results, runs all levels, closes the results. */
static sl_status search_between(run *r, const sl_csr *q)
{
    sl_status status = sl_openmp_open_results(r);
    if (status != SL_OK)
        return status;
    begin(r, q);
    sl_progress progress = {.operation = "closure", .total = r->s.graph.n};
    r->progress = &progress;
    sl_progress_begin(r->call->ctx, &progress);
    status = sl_openmp_levels(r);
    sl_progress_end(r->call->ctx, &progress);
    r->progress = NULL;
    if (r->s.trees)
        sl_openmp_trees_end(&r->s);
    sl_status closed = sl_openmp_close_results(r);
    return status == SL_OK ? closed : status;
}

void sl_openmp_use_degree_order(search *s, const sl_openmp_graph *order, const sl_openmp_graph *out,
                                const sl_openmp_graph *in, unsigned off)
{
    s->graph.n = order->count;
    s->graph.start = out->start;
    s->graph.index = out->index;
    s->graph.in_start = in->start;
    s->graph.in_index = in->index;
    s->graph.degree_order = true;
    s->graph.in_ell = sl_switched(off, SL_SWITCH_NOELL) ? NULL : in->ell;
    s->graph.in_ell_only = in->ell_only;
    s->graph.old_id = order->old_id;
    s->graph.new_id = order->new_id;
    s->trees = order->trees.count ? &order->trees : NULL;
    s->graph.id_count = all_ids(order);
}

/* True if there is a graph in degree order for this search: it may want any parent, and trees can
 * only be left out by an unbounded search from one source without targets. */
static bool may_use_degree_order(const search *s, const sl_traversal *t,
                                 const sl_openmp_graph *layout, unsigned off)
{
    const sl_closure_options *o = t->options;
    if (!layout->old_id || s->out.choice != SL_MONOID_ANY || sl_switched(off, SL_SWITCH_NOREORDER))
        return false;
    return layout->trees.count == 0 || (t->from_source && !o->bounded && !o->targets);
}

/* Chooses the graph that is searched. */
static sl_status use_graph(search *s, const sl_traversal *t, unsigned off)
{
    sl_matrix *A = t->A;
    sl_openmp_prepared *prepared, *in_prepared;
    sl_status status = sl_openmp_prepared_of(&prepared, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&in_prepared, A->transpose ? A->transpose : A);
    if (status != SL_OK)
        return status;
    s->prepared = prepared;
    if (may_use_degree_order(s, t, &prepared->degree_graph, off)) {
        sl_openmp_use_degree_order(s, &prepared->degree_graph, &prepared->degree_graph,
                                   &in_prepared->degree_graph, off);
        return SL_OK;
    }
    s->graph.n = A->object.nrows;
    status = sl_openmp_rows(&s->graph.start, &s->graph.index, A, &prepared->graph);
    s->graph.old_id = prepared->graph.old_id;
    s->graph.new_id = prepared->graph.new_id;
    s->graph.id_count = s->graph.n + 1;
    return status;
}

/* Allocates the arrays of the search. Those by vertex are scratch of the matrix. */
static sl_status allocate(run *r, const sl_csr *q)
{
    search *s = &r->s;
    s->graph.words = search_words(s->graph.n);
    s->graph.all_words = search_words(s->graph.id_count - 1);
    s->visited = array(s->graph.all_words);
    s->hubs = sl_malloc((s->graph.edges / HUB_EDGES + 1) * sizeof *s->hubs);
    r->initial_visited = array(s->graph.all_words);
    r->target_bits = array(s->graph.words);
    bool parents = r->call->operators.semiring->result_is_index;
    bool new_parent = s->graph.old_id && parents && s->out.choice == SL_MONOID_ANY;
    bool new_level = s->graph.old_id && r->options->level, from = !s->graph.degree_order;
    /* A vertex enters the queue at most twice: as an entry of q, and when it is reached. */
    uint64_t room = s->graph.id_count + q->start[1];
    uint32_t *rooms =
        sl_openmp_scratch(s->prepared, (1 + new_parent + new_level + from) * room, s->threads);
    if (!s->visited || !r->initial_visited || !rooms || !s->hubs || !r->target_bits)
        return no_memory(r->call);
    s->queue = rooms;
    s->out.new_parent = new_parent ? rooms += room : NULL;
    s->out.new_level = new_level ? rooms += room : NULL;
    s->queue_parent = from ? rooms += room : NULL;
    return SL_OK;
}

int sl_openmp_search_threads(const sl_context *ctx, const search *s)
{
    return sl_openmp_threads_for(ctx, s->graph.n + s->graph.edges);
}

sl_status sl_openmp_closure(sl_call *call)
{
    const sl_traversal *t = call->traversal;
    run r = {.call = call, .options = t->options, .pi.vector = t->pi};
    search *s = &r.s;
    uint64_t one_entry[] = {0, 1}, source = t->options->source;
    sl_csr q = {0}, source_only = {.start = one_entry, .index = &source};
    sl_switches switches;
    if (t->options->level)
        r.level.vector = sl_object_of_vector(t->options->level);
    s->out.choice = call->operators.semiring->result_is_index ? call->operators.semiring->add->code
                                                              : SL_MONOID_ANY;
    sl_status status = sl_switches_read(&switches, call->ctx);
    if (status != SL_OK)
        return status;
    s->model.alpha = switches.alpha;
    s->model.beta = switches.beta;
    s->model.weight = switches.weight;
    if (!t->from_source)
        status = sl_openmp_list(&q, t->q);
    const sl_csr *frontier = t->from_source ? &source_only : &q;
    if (status == SL_OK)
        status = use_graph(s, t, switches.off);
    if (status == SL_OK && t->options->targets)
        status = sl_openmp_list(&r.targets, sl_object_of_vector(t->options->targets));
    if (status == SL_OK && frontier->start[1] > 0) {
        s->graph.edges = s->graph.start[s->graph.n];
        s->threads = sl_openmp_search_threads(call->ctx, s);
        s->plan.unvisited = s->graph.n;
        s->plan.unvisited_edges = s->graph.edges;
        status = allocate(&r, frontier);
        if (status == SL_OK)
            status = search_between(&r, frontier);
    }
    sl_free(s->visited);
    sl_free(s->frontier);
    sl_free(s->next_frontier);
    sl_free(s->hubs);
    sl_free(r.initial_visited);
    sl_free(r.target_bits);
    sl_openmp_list_free(&r.pi.old_entries);
    sl_openmp_list_free(&r.level.old_entries);
    sl_openmp_list_free(&q);
    sl_openmp_list_free(&r.targets);
    return status;
}
