/*
 * Validation of a search tree by a device group against the tuples of the generator. Every rank
 * gets the parents of all vertices and checks its share of the tuples; which tree edges exist, and
 * the faults found, are combined. Cost: O(tuples / ranks) and an allgather of 4 bytes per vertex.
 */
#include "cuda/operations/tree_check.h"
#include "cuda/search/part/rank_bits.h"
#include "cuda/search/part/search_vectors.h"
#include "cuda/search/row/partition.h"
#include "cuda/search/row/step_counts.h"

typedef struct {
    cuda_tree_checker c;
    const sl_device_grid *row;
    const uint64_t *begin;
    uint64_t n;
    uint32_t *parents; /* n: of all ranks */
    bool root_is_right;
} tree_check_state;

static sl_status agree(const tree_check_state *k, sl_status status)
{
    return cuda_grid_agree(k->row, status);
}

/* Combines the faults: the smallest vertex of each kind. */
static sl_status join_faults(tree_check_state *k)
{
    cuda_tree_check all[GROUP_MAX_MEMBERS], *found = &k->c.found;
    CUDA_TRY(k->row->group->gather(k->row->group, found, all, sizeof *found));
    for (int q = 0; q < k->row->group->size; q++) {
        const unsigned long long theirs[] = {all[q].no_parent, all[q].cycle, all[q].leaves,
                                             all[q].skips, all[q].no_edge};
        unsigned long long *const ours[] = {&found->no_parent, &found->cycle, &found->leaves,
                                            &found->skips, &found->no_edge};
        for (size_t f = 0; f < sizeof ours / sizeof *ours; f++)
            *ours[f] = theirs[f] < *ours[f] ? theirs[f] : *ours[f];
    }
    return SL_OK;
}

/* Packs this rank's parents into their place in the array of all parents. */
static sl_status pack(tree_check_state *k)
{
    sl_call *call = k->c.s.call;
    const uint64_t *own = k->begin + k->row->group->rank;
    CUDA_TRY(sl_cuda_migrate_bitmap(call->a, NULL, true));
    const cuda_vector *parent = cuda_vector_of(call->a);
    CUDA_TRY(sl_cuda_tree_checker_begin(&k->c, k->n));
    CUDA_TRY(sl_cuda_scratch_take(&k->c.s, &k->parents, k->n * sizeof *k->parents));
    k->c.t.packed = k->parents;
    const cuda_integers numbers = {parent->values, call->a->type == SL_INT32};
    return cuda_launched(&k->c.s, "kernel tree_pack",
                         sl_cuda_tree_pack(&k->c.t, k->parents + own[0], parent->bits, numbers,
                                           own[0], own[1] - own[0]));
}

/* Checks the parent of the root and marks values that are no vertices. */
static sl_status look_at_parents(tree_check_state *k)
{
    const uint32_t root = k->c.t.root;
    uint32_t parent;
    CUDA_TRY(sl_cuda_fetch(k->c.s.call->ctx, "the root's parent", &parent, k->parents + root,
                           sizeof parent));
    k->root_is_right = parent == root;
    CUDA_TRY(cuda_launched(&k->c.s, "kernel tree_begin", sl_cuda_tree_begin(&k->c.t)));
    return sl_cuda_tree_checker_read(&k->c, "kernel tree_begin");
}

/* Computes levels, and compares this rank's share of the tuples with them. */
static sl_status compare(tree_check_state *k, int *depth)
{
    const sl_edge_generator *source = k->c.s.call->edges;
    const uint64_t size = (uint64_t)k->row->group->size, rank = (uint64_t)k->row->group->rank;
    const uint64_t first = source->count / size * rank;
    const uint64_t last = rank + 1 == size ? source->count : first + source->count / size;
    CUDA_TRY(sl_cuda_tree_checker_levels(&k->c, depth));
    return cuda_launched(&k->c.s, "kernel tree_edges",
                         sl_cuda_tree_edges(&k->c.t, source, first, last));
}

static sl_status end(tree_check_state *k)
{
    CUDA_TRY(cuda_launched(&k->c.s, "kernel tree_end", sl_cuda_tree_end(&k->c.t)));
    return sl_cuda_tree_checker_read(&k->c, "kernel tree_end");
}

static sl_status check_tree(tree_check_state *k)
{
    sl_context *ctx = k->c.s.call->ctx;
    sl_tree_check *check = k->c.s.call->tree;
    cuda_grid_links *links;
    int depth = 0;
    CUDA_TRY(agree(k, pack(k)));
    CUDA_TRY(sl_cuda_grid_gather(&links, k->row, ctx, SL_ALONG_ALL, k->parents, sizeof *k->parents,
                                 k->begin));
    CUDA_TRY(agree(k, look_at_parents(k)));
    if (!k->root_is_right) {
        *check = (sl_tree_check){.fault = SL_TREE_NO_ROOT, .vertex = k->c.t.root};
        return SL_OK;
    }
    CUDA_TRY(join_faults(k));
    if (sl_cuda_name_fault(check, &k->c.found)) /* a vertex with an invalid parent has no level */
        return SL_OK;
    CUDA_TRY(agree(k, compare(k, &depth)));
    CUDA_TRY(sl_cuda_join_rank_bits(k->row, ctx, k->c.t.is_edge, cuda_words(k->n)));
    CUDA_TRY(agree(k, end(k)));
    CUDA_TRY(join_faults(k));
    if (!sl_cuda_name_fault(check, &k->c.found))
        *check = (sl_tree_check){.reached = k->c.found.reached, .depth = depth};
    return SL_OK;
}

sl_status sl_cuda_group_check_tree(const sl_device_grid *row, sl_call *call, const uint64_t *begin)
{
    tree_check_state k = {
        .c = {.s = {.call = call}}, .row = row, .begin = begin, .n = begin[row->group->size]};
    sl_status status = check_tree(&k);
    sl_cuda_scratch_release(&k.c.s);
    return status;
}
