/*
 * Checks a parent tree against the tuples of a generated graph, which are generated again. First
 * the levels are computed from the parents, one level per launch. Then each tuple is visited once:
 * its two ends must be at most one level apart, and it proves that an edge from parent to child
 * exists.
 */
#include "cuda/operations/tree_check.h"
#include "cuda/operations/cuda_operations.h"

sl_status sl_cuda_tree_checker_begin(cuda_tree_checker *c, uint64_t n)
{
    const sl_call *call = c->s.call;
    const uint64_t words = cuda_words(n);
    c->t = (cuda_parent_tree){.n = (uint32_t)n, .root = (uint32_t)call->row};
    CUDA_TRY(sl_cuda_scratch_take(&c->s, &c->t.level, n * sizeof *c->t.level));
    CUDA_TRY(sl_cuda_scratch_take(&c->s, &c->t.is_edge, words * sizeof *c->t.is_edge));
    CUDA_TRY(sl_cuda_scratch_take(&c->s, &c->t.check, sizeof *c->t.check));
    CUDA_TRY(sl_cuda_zero(call->ctx, c->t.is_edge, words * sizeof *c->t.is_edge));
    CUDA_TRY(cuda_launched(&c->s, "cudaMemsetAsync",
                           cudaMemsetAsync(c->t.check, 0xff, sizeof *c->t.check, cuda_stream())));
    return sl_cuda_zero(call->ctx, &c->t.check->reached, sizeof c->t.check->reached);
}

sl_status sl_cuda_tree_checker_read(cuda_tree_checker *c, const char *what)
{
    return sl_cuda_fetch(c->s.call->ctx, what, &c->found, c->t.check, sizeof c->found);
}

sl_status sl_cuda_tree_checker_levels(cuda_tree_checker *c, int *depth)
{
    uint64_t left = c->found.reached - 1;
    for (*depth = 0; left > 0; ++*depth, left -= c->found.found) {
        CUDA_TRY(sl_cuda_zero(c->s.call->ctx, &c->t.check->found, sizeof c->t.check->found));
        CUDA_TRY(
            cuda_launched(&c->s, "kernel tree_deepen", sl_cuda_tree_deepen(&c->t, *depth + 1)));
        CUDA_TRY(sl_cuda_tree_checker_read(c, "kernel tree_deepen"));
        if (c->found.found == 0)
            return SL_OK; /* tree_end reports the vertices without a level */
    }
    return SL_OK;
}

static sl_status compare(cuda_tree_checker *c)
{
    const sl_edge_generator *source = c->s.call->edges;
    CUDA_TRY(cuda_launched(&c->s, "kernel tree_edges",
                           sl_cuda_tree_edges(&c->t, source, 0, source->count)));
    CUDA_TRY(cuda_launched(&c->s, "kernel tree_end", sl_cuda_tree_end(&c->t)));
    return sl_cuda_tree_checker_read(c, "kernel tree_end");
}

bool sl_cuda_name_fault(sl_tree_check *check, const cuda_tree_check *found)
{
    const struct {
        sl_tree_fault fault;
        unsigned long long least;
    } faults[] = {{SL_TREE_NO_PARENT, found->no_parent},
                  {SL_TREE_CYCLE, found->cycle},
                  {SL_TREE_LEAVES, found->leaves},
                  {SL_TREE_SKIPS, found->skips},
                  {SL_TREE_NO_EDGE, found->no_edge}};
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        if (faults[k].least != UINT64_MAX) {
            check->fault = faults[k].fault;
            check->vertex = faults[k].least >> 32;
            check->other = faults[k].least & UINT32_MAX;
            return true;
        }
    return false;
}

/* True if the root is its own parent. */
static sl_status root_is_own_parent(cuda_tree_checker *c, bool *right)
{
    const sl_call *call = c->s.call;
    uint32_t word;
    uint64_t parent = 0; /* its first bytes are read */
    const size_t size = sl_type_size(call->a->type);
    CUDA_TRY(sl_cuda_fetch(call->ctx, "the root's entry", &word, c->t.bits + call->row / 32,
                           sizeof word));
    CUDA_TRY(sl_cuda_fetch(call->ctx, "the root's parent", &parent,
                           (const char *)c->t.parent.values + call->row * size, size));
    *right = (word >> call->row % 32 & 1) && parent == call->row;
    return SL_OK;
}

static sl_status check_tree(cuda_tree_checker *c)
{
    sl_tree_check *check = c->s.call->tree;
    bool right;
    int depth = 0;
    const cuda_vector *parent = cuda_vector_of(c->s.call->a);
    CUDA_TRY(sl_cuda_tree_checker_begin(c, c->s.call->a->nrows));
    c->t.bits = parent->bits;
    c->t.parent = (cuda_integers){parent->values, c->s.call->a->type == SL_INT32};
    CUDA_TRY(root_is_own_parent(c, &right));
    if (!right) {
        *check = (sl_tree_check){.fault = SL_TREE_NO_ROOT, .vertex = c->s.call->row};
        return SL_OK;
    }
    CUDA_TRY(cuda_launched(&c->s, "kernel tree_begin", sl_cuda_tree_begin(&c->t)));
    CUDA_TRY(sl_cuda_tree_checker_read(c, "kernel tree_begin"));
    if (sl_cuda_name_fault(check, &c->found)) /* A parent that is not a vertex gets no level. */
        return SL_OK;
    CUDA_TRY(sl_cuda_tree_checker_levels(c, &depth));
    CUDA_TRY(compare(c));
    if (!sl_cuda_name_fault(check, &c->found))
        *check = (sl_tree_check){.reached = c->found.reached, .depth = depth};
    return SL_OK;
}

sl_status sl_cuda_check_tree(sl_call *call)
{
    cuda_tree_checker c = {.s = {.call = call}};
    sl_status status = check_tree(&c);
    sl_cuda_scratch_release(&c.s);
    return status;
}
