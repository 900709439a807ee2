/*
 * Results of vertices in pruned trees (prune.c), which follow from the root of the tree, a vertex
 * of the graph searched: the parent of a vertex is its tree parent, and its level the level of the
 * root plus its height. If the source is in a tree, the search begins at the root of that tree, and
 * at its end the parents on the path from the source to the root are reversed.
 *
 * Vertices in trees have ids after all others, beginning at a word of a bitmap, so that their
 * results are written to the caller's order together with the others. O(vertices in trees) time.
 */
#include "openmp/search.h"

/* True for an id of a vertex in a tree. */
static bool in_tree(const search *s, uint64_t new_id)
{
    return new_id > s->graph.n;
}

static uint64_t height_of(const search *s, uint64_t new_id)
{
    return in_tree(s, new_id) ? s->trees->height[new_id - tree_ids_begin(s->graph.n)] : 0;
}

static uint32_t tree_parent_of(const search *s, uint64_t new_id)
{
    return s->trees->tree_parent[new_id - tree_ids_begin(s->graph.n)];
}

static uint64_t root_of(const search *s, uint64_t new_id)
{
    return in_tree(s, new_id) ? s->trees->root[new_id - tree_ids_begin(s->graph.n)] : new_id;
}

uint64_t sl_openmp_trees_begin(search *s, uint64_t source)
{
    const uint64_t from = new_id(s, source), root = root_of(s, from);
    s->source = source;
    s->level_number = (int64_t)height_of(s, from);
    set_level(s, root);
    return root;
}

/* ---- results ----------------------------------------------------------------------------- */

/* The distance of two vertices of one tree: the number of steps from both to their common ancestor.
 */
static uint32_t distance_in_tree(const search *s, uint64_t u, uint64_t v)
{
    uint32_t steps = 0;
    for (; u != v; steps++)
        if (height_of(s, u) >= height_of(s, v))
            u = new_id(s, tree_parent_of(s, u));
        else
            v = new_id(s, tree_parent_of(s, v));
    return steps;
}

/* One word of the visited bitmap of vertices in trees: those with a visited root. */
static uint64_t reached(const search *s, const uint32_t *root, uint64_t count)
{
    uint64_t bits = 0;
    for (uint64_t k = 0; k < count; k++)
        bits |= (uint64_t)bit_test(s->visited, root[k]) << k;
    return bits;
}

static void set_depths(const search *s, uint64_t first, uint64_t count)
{
    const uint64_t base = tree_ids_begin(s->graph.n), source = new_id(s, s->source);
    const uint64_t root = in_tree(s, source) ? root_of(s, source) : s->graph.n;
    for (uint64_t k = first; k < first + count; k++)
        s->out.new_level[base + k] =
            s->trees->root[k] == root ? distance_in_tree(s, source, base + k)
                                      : s->out.new_level[s->trees->root[k]] + s->trees->height[k];
}

/* Reverses the parents on the path from the source to the root of its tree. */
static void reverse_path(const search *s)
{
    uint64_t v = s->source;
    while (in_tree(s, new_id(s, v))) {
        const uint32_t u = tree_parent_of(s, new_id(s, v));
        s->out.new_parent[new_id(s, u)] = (uint32_t)v;
        v = u;
    }
}

void sl_openmp_trees_end(search *s)
{
    const sl_openmp_trees *tree = s->trees;
    const uint64_t base = tree_ids_begin(s->graph.n);
#pragma omp parallel for num_threads(s->threads) if (tree->count > SL_SERIAL_EDGES)
    for (uint64_t first = 0; first < tree->count; first += 64) {
        const uint64_t count = tree->count - first < 64 ? tree->count - first : 64;
        s->visited[(base + first) / 64] |= reached(s, tree->root + first, count);
        if (s->out.new_parent)
            memcpy(s->out.new_parent + base + first, tree->tree_parent + first,
                   count * sizeof *s->out.new_parent);
        if (s->out.new_level)
            set_depths(s, first, count);
    }
    if (s->out.new_parent)
        reverse_path(s);
}
