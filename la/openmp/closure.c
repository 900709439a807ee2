/*
 * The closure over semirings that settle: a direction-optimising breadth-first
 * search (Beamer, Asanovic, Patterson, SC 2012) on the matrix's own arrays. The
 * whole loop is one operation, so that a level costs its edges and no calls.
 */
#include <string.h>

#include "search.h"

static sl_status no_memory(sl_call *call)
{
    return sl_fail(call->ctx, SL_NO_MEMORY, "closure: out of memory");
}

static void *array(uint64_t count)
{
    return sl_malloc(count * sizeof(uint64_t));
}

/* ---- the beginning -------------------------------------------------------------------- */

static void visit(search *s, uint64_t v)
{
    if (v == s->n)
        return;
    bit_set(s->visited, v);
    if (v > s->n)
        return;
    s->plan.missing--;
    s->plan.missing_edges -= degree(s, v);
}

/* What pi holds is visited. */
static void begin_visited(run *r)
{
    search *s = &r->s;
    const int8_t *present = r->pi.arrays.present;
    const uint64_t n = r->pi.arrays.size;
    memset(s->visited, 0, s->all_words * sizeof *s->visited);
    if (r->pi.fresh) {
        for (uint64_t e = 0; e < r->pi.before.start[1]; e++)
            visit(s, place(s, r->pi.before.index[e]));
    } else {
        for (const int8_t *at = present; (at = memchr(at, 1, n - (uint64_t)(at - present))); at++)
            visit(s, place(s, (uint64_t)(at - present)));
    }
    memcpy(r->settled, s->visited, s->all_words * sizeof *s->visited);
}

/* Whether pi holds an entry. */
static bool holds(const result *pi, uint64_t v)
{
    if (!pi->fresh)
        return pi->arrays.present[v];
    const uint64_t *index = pi->before.index;
    uint64_t from = 0, to = pi->before.start[1];
    while (from < to) {
        uint64_t middle = (from + to) / 2;
        if (index[middle] < v)
            from = middle + 1;
        else
            to = middle;
    }
    return from < pi->before.start[1] && index[from] == v;
}

/* Targets that are visited are met. */
static void begin_targets(run *r)
{
    const search *s = &r->s;
    memset(r->target_bits, 0, s->words * sizeof *r->target_bits);
    r->targets_left = r->targets.start[1];
    for (uint64_t t = 0; t < r->targets.start[1]; t++) {
        uint64_t v = r->targets.index[t], k = place(s, v);
        if (k < s->n)
            bit_set(r->target_bits, k);
        r->targets_left -= holds(&r->pi, v);
    }
}

/* The root of the source's tree may be found, which pi does not hold. */
static uint64_t begin_without_trees(search *s, uint64_t source)
{
    const uint64_t root = sl_openmp_begin_in_tree(s, source);
    if (root != place(s, source))
        visit(s, root);
    return root;
}

/* The frontier is q. */
static void begin(run *r, const sl_csr *q)
{
    search *s = &r->s;
    begin_visited(r);
    if (s->choice != SL_MONOID_ANY && s->parent.values)
        for (uint64_t v = 0; v < s->n; v++)
            if (!bit_test(s->visited, v))
                sl_integers_set(s->parent, label(s, v), NO_PARENT);
    for (uint64_t k = 0; k < q->start[1]; k++) {
        uint64_t v = s->tree ? begin_without_trees(s, q->index[k]) : place(s, q->index[k]);
        if (v == s->n)
            continue;
        s->queue[s->tail++] = (uint32_t)v;
        s->plan.push_edges += degree(s, v);
    }
    s->plan.frontier = q->start[1];
    if (r->options->targets)
        begin_targets(r);
}

/* ---- all of it ------------------------------------------------------------------------ */

/* With all memory at hand: moves the vectors out, searches, moves them back. */
static sl_status search_between(run *r, const sl_csr *q)
{
    sl_status status = sl_openmp_open_results(r);
    if (status != SL_OK)
        return status;
    begin(r, q);
    status = sl_openmp_steps(r);
    if (r->s.tree)
        sl_openmp_end_in_trees(&r->s);
    sl_status closed = sl_openmp_close_results(r);
    return status == SL_OK ? closed : status;
}

/* The layout by degree serves where any parent will do. */
static void use_by_degree(search *s, const sl_openmp_prepared *kept,
                          const sl_openmp_prepared *in_kept, unsigned off)
{
    const sl_compact *out = &kept->by_degree, *in = &in_kept->by_degree;
    s->n = out->count;
    s->start = out->start;
    s->index = out->index;
    s->in_start = in->start;
    s->in_index = in->index;
    s->by_degree = true;
    s->in_first = sl_switched(off, SL_SWITCH_NOSLOTS) ? NULL : in->first;
    s->in_longer = in->longer;
    s->label = out->label;
    s->place = out->place;
    s->tree = out->tree.count ? &out->tree : NULL;
    s->places = all_places(out);
}

/* Whether it is there and serves this search. */
static sl_status may_use_by_degree(bool *may, const search *s, const sl_traversal *t,
                                   const sl_compact *layout, const sl_csr *q, unsigned off)
{
    *may = layout->label && s->choice == SL_MONOID_ANY && !sl_switched(off, SL_SWITCH_NOLAYOUT);
    return *may && layout->tree.count ? sl_openmp_begins_at_one(may, t, q) : SL_OK;
}

/* What is searched. */
static sl_status use_graph(search *s, const sl_traversal *t, const sl_csr *q, unsigned off)
{
    sl_matrix *A = t->A;
    sl_openmp_prepared *kept, *in_kept;
    bool by_degree = false;
    sl_status status = sl_openmp_prepared_of(&kept, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&in_kept, A->transpose ? A->transpose : A);
    if (status == SL_OK)
        status = may_use_by_degree(&by_degree, s, t, &kept->by_degree, q, off);
    if (status != SL_OK)
        return status;
    s->kept = kept;
    if (by_degree) {
        use_by_degree(s, kept, in_kept, off);
        return SL_OK;
    }
    s->n = A->object.nrows;
    status = sl_openmp_rows(&s->start, &s->index, A, &kept->compact);
    s->label = kept->compact.label;
    s->place = kept->compact.place;
    s->places = s->n + 1;
    return status;
}

/* The arrays of a search. What is per vertex and large stays with the matrix. */
static sl_status allocate(run *r, const sl_csr *q)
{
    search *s = &r->s;
    s->words = search_words(s->n);
    s->all_words = search_words(s->places - 1);
    s->visited = array(s->all_words);
    s->hubs = sl_malloc((s->edges / HUB_EDGES + 1) * sizeof *s->hubs);
    r->settled = array(s->all_words);
    r->target_bits = array(s->words);
    bool parents = r->call->semiring->result_is_index;
    bool via = s->label && parents && s->choice == SL_MONOID_ANY;
    bool depth = s->label && r->options->level, from = !s->by_degree;
    /* Each vertex enters the queue once by q and once by being found. */
    uint64_t room = s->places + q->start[1];
    uint32_t *rooms = sl_openmp_scratch(s->kept, (1 + via + depth + from) * room, s->threads);
    if (!s->visited || !r->settled || !rooms || !s->hubs || !r->target_bits)
        return no_memory(r->call);
    s->queue = rooms;
    s->via = via ? rooms += room : NULL;
    s->depth = depth ? rooms += room : NULL;
    s->from = from ? rooms += room : NULL;
    return SL_OK;
}

sl_status sl_openmp_closure(sl_call *call)
{
    const sl_traversal *t = call->traversal;
    run r = {.call = call, .options = t->options, .pi.vector = t->pi};
    search *s = &r.s;
    sl_csr q = {0};
    sl_switches switches;
    if (t->options->level)
        r.level.vector = sl_object_of_vector(t->options->level);
    s->choice = call->semiring->result_is_index ? call->semiring->add->code : SL_MONOID_ANY;
    s->threads = sl_context_threads(call->ctx);
    sl_status status = sl_switches_read(&switches, call->ctx);
    if (status != SL_OK)
        return status;
    s->alpha = switches.alpha;
    s->beta = switches.beta;
    s->weight = switches.weight;
    status = sl_openmp_list(&q, t->q);
    if (status == SL_OK)
        status = use_graph(s, t, &q, switches.off);
    if (status == SL_OK && t->options->targets)
        status = sl_openmp_list(&r.targets, sl_object_of_vector(t->options->targets));
    if (status == SL_OK && q.start[1] > 0) {
        s->edges = s->start[s->n];
        s->plan.missing = s->n;
        s->plan.missing_edges = s->edges;
        status = allocate(&r, &q);
        if (status == SL_OK)
            status = search_between(&r, &q);
    }
    sl_free(s->visited);
    sl_free(s->frontier);
    sl_free(s->found);
    sl_free(s->hubs);
    sl_free(r.settled);
    sl_free(r.target_bits);
    sl_openmp_list_free(&r.pi.before);
    sl_openmp_list_free(&r.level.before);
    sl_openmp_list_free(&q);
    sl_openmp_list_free(&r.targets);
    return status;
}
