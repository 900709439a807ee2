/*
 * Vertices of trees that the layout leaves out (prune.c). What is found of them follows from the
 * vertex searched that the tree hangs from, its root: their parents are the vertices above
 * them. Unless the search began in the same tree: then it is one from the root on, and in the end
 * the way from the source up to there is turned around.
 *
 * They have places behind all others, from a word's beginning on, so that what holds of them is
 * filled in when the search is over, and is then put into the caller's order with all the rest.
 */
#include "search.h"

sl_status sl_openmp_begins_at_one(bool *one, const sl_traversal *t, const sl_csr *q)
{
    uint64_t settled;
    sl_csr pi = {0};
    *one = false;
    if (t->options->bounded || t->options->targets || q->start[1] != 1)
        return SL_OK;
    sl_status status = sl_store_host.nvals(&settled, t->pi, sl_handle(t->pi, &sl_store_host));
    if (status != SL_OK || settled != 1)
        return status;
    status = sl_openmp_list(&pi, t->pi);
    *one = status == SL_OK && pi.index[0] == q->index[0];
    sl_openmp_list_free(&pi);
    return status;
}

/* Of the places of trees. */
static bool hangs(const search *s, uint64_t place)
{
    return place > s->n;
}

static uint64_t height_of(const search *s, uint64_t place)
{
    return hangs(s, place) ? s->tree->height[place - tree_places(s->n)] : 0;
}

static uint32_t above(const search *s, uint64_t place)
{
    return s->tree->up[place - tree_places(s->n)];
}

static uint64_t root_of(const search *s, uint64_t place)
{
    return hangs(s, place) ? s->tree->root[place - tree_places(s->n)] : place;
}

uint64_t sl_openmp_begin_in_tree(search *s, uint64_t source)
{
    const uint64_t from = place(s, source), root = root_of(s, from);
    s->source = source;
    s->number = (int64_t)height_of(s, from);
    set_level(s, root);
    return root;
}

/* ---- the end ---------------------------------------------------------------------------- */

/* Steps between two vertices of one tree, by their places: from both up to where the ways meet. */
static uint32_t steps_between(const search *s, uint64_t u, uint64_t v)
{
    uint32_t steps = 0;
    for (; u != v; steps++)
        if (height_of(s, u) >= height_of(s, v))
            u = place(s, above(s, u));
        else
            v = place(s, above(s, v));
    return steps;
}

/* Who is reached, of a word of trees: those whose roots are. */
static uint64_t reached(const search *s, const uint32_t *root, uint64_t count)
{
    uint64_t bits = 0;
    for (uint64_t k = 0; k < count; k++)
        bits |= (uint64_t)bit_test(s->visited, root[k]) << k;
    return bits;
}

static void set_depths(const search *s, uint64_t first, uint64_t count)
{
    const uint64_t base = tree_places(s->n), source = place(s, s->source);
    const uint64_t root = hangs(s, source) ? root_of(s, source) : s->n;
    for (uint64_t k = first; k < first + count; k++)
        s->depth[base + k] = s->tree->root[k] == root
                                 ? steps_between(s, source, base + k)
                                 : s->depth[s->tree->root[k]] + s->tree->height[k];
}

/* On the way from a source in a tree up to the root parents are the ones before. */
static void turn_around(const search *s)
{
    uint64_t v = s->source;
    while (hangs(s, place(s, v))) {
        const uint32_t u = above(s, place(s, v));
        s->via[place(s, u)] = (uint32_t)v;
        v = u;
    }
}

void sl_openmp_end_in_trees(search *s)
{
    const sl_trees *tree = s->tree;
    const uint64_t base = tree_places(s->n);
#pragma omp parallel for num_threads(s->threads) if (tree->count > SERIAL_EDGES)
    for (uint64_t first = 0; first < tree->count; first += 64) {
        const uint64_t count = tree->count - first < 64 ? tree->count - first : 64;
        s->visited[(base + first) / 64] |= reached(s, tree->root + first, count);
        if (s->via)
            memcpy(s->via + base + first, tree->up + first, count * sizeof *s->via);
        if (s->depth)
            set_depths(s, first, count);
    }
    if (s->via)
        turn_around(s);
}
