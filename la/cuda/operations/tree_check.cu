/*
 * Kernels that check a parent tree against generated tuples (tree_check.c): one thread per vertex
 * or per tuple. Flags and levels are written by several threads with the same value, so these races
 * are benign; faults are minima by atomicMin.
 */
#include "cuda/operations/tuple_kernels.h"
#include "cuda/runtime/common.cuh"

__device__ static void note(unsigned long long *fault, uint64_t v, uint64_t other)
{
    atomicMin(fault, (count_t)(v << 32 | (other & 0xffffffff)));
}

__device__ static bool has_parent(const cuda_parent_tree &t, uint64_t v)
{
    return t.packed ? t.packed[v] != UINT32_MAX : bit_of(t.bits, (uint32_t)v);
}

/* The parent of a vertex that has one. */
__device__ static long long parent_of(const cuda_parent_tree &t, uint64_t v)
{
    return t.packed ? (long long)t.packed[v] : integer_at(t.parent, v);
}

__global__ static void tree_pack(cuda_parent_tree t, uint32_t *packed, const uint32_t *bits,
                                 cuda_integers parent, uint64_t first, uint64_t count)
{
    for (uint64_t v = first_thread(); v < count; v += all_threads()) {
        bool there = bit_of(bits, (uint32_t)v);
        long long p = there ? integer_at(parent, v) : 0;
        bool right = p >= 0 && p < (long long)t.n;
        if (!right)
            note(&t.check->no_parent, first + v, (uint64_t)p);
        packed[v] = there && right ? (uint32_t)p : UINT32_MAX;
    }
}

cudaError_t sl_cuda_tree_pack(const cuda_parent_tree *t, uint32_t *packed, const uint32_t *bits,
                              cuda_integers parent, uint64_t first, uint64_t count)
{
    return launch(count, tree_pack, *t, packed, bits, parent, first, count);
}

__global__ static void tree_begin(cuda_parent_tree t)
{
    count_t reached = 0;
    for (uint64_t v = first_thread(); v < t.n; v += all_threads()) {
        bool there = has_parent(t, v);
        long long p = there ? parent_of(t, v) : 0;
        reached += there;
        if (there && (p < 0 || p >= (long long)t.n || !has_parent(t, (uint64_t)p)))
            note(&t.check->no_parent, v, (uint64_t)p);
        t.level[v] = !there ? TREE_NONE : v == t.root ? 0 : TREE_OPEN;
    }
    reached = warp_sum(reached);
    if (threadIdx.x % 32 == 0 && reached)
        atomicAdd(&t.check->reached, reached);
}

cudaError_t sl_cuda_tree_begin(const cuda_parent_tree *t)
{
    return launch(t->n, tree_begin, *t);
}

__global__ static void tree_deepen(cuda_parent_tree t, int d)
{
    count_t found = 0;
    for (uint64_t v = first_thread(); v < t.n; v += all_threads())
        if (t.level[v] == TREE_OPEN && __ldcg(t.level + parent_of(t, v)) == d - 1) {
            t.level[v] = d;
            found++;
        }
    found = warp_sum(found);
    if (threadIdx.x % 32 == 0 && found)
        atomicAdd(&t.check->found, found);
}

cudaError_t sl_cuda_tree_deepen(const cuda_parent_tree *t, int d)
{
    return launch(t->n, tree_deepen, *t, d);
}

/* One direction of an edge: u may be the parent of v. */
__device__ static void check_direction(const cuda_parent_tree &t, uint64_t v, uint64_t u)
{
    if (parent_of(t, v) == (long long)u && !bit_now(t.is_edge, (uint32_t)v))
        atomicOr(t.is_edge + v / 32, 1u << v % 32);
}

__global__ static void tree_edges(cuda_parent_tree t,
                                  const __grid_constant__ sl_edge_generator source, uint64_t first,
                                  uint64_t last)
{
    for (uint64_t k = first + first_thread(); k < last; k += all_threads()) {
        uint64_t u, v;
        sl_generate_edge(&source, k, &u, &v);
        int at_u = __ldg(t.level + u), at_v = __ldg(t.level + v);
        if (u == v || (at_u == TREE_NONE && at_v == TREE_NONE))
            continue;
        if (at_u == TREE_NONE || at_v == TREE_NONE) {
            note(&t.check->leaves, at_u == TREE_NONE ? v : u, at_u == TREE_NONE ? u : v);
        } else if (at_u - at_v > 1 || at_v - at_u > 1) {
            note(&t.check->skips, u < v ? u : v, u < v ? v : u);
        } else if (at_u != at_v) {
            bool down = at_u < at_v; /* a parent is one level above */
            check_direction(t, down ? v : u, down ? u : v);
        }
    }
}

cudaError_t sl_cuda_tree_edges(const cuda_parent_tree *t, const sl_edge_generator *source,
                               uint64_t first, uint64_t last)
{
    return launch(last - first, tree_edges, *t, *source, first, last);
}

__global__ static void tree_end(cuda_parent_tree t)
{
    for (uint64_t v = first_thread(); v < t.n; v += all_threads()) {
        if (t.level[v] == TREE_OPEN)
            note(&t.check->cycle, v, (uint64_t)parent_of(t, v));
        else if (t.level[v] != TREE_NONE && v != t.root && !bit_of(t.is_edge, (uint32_t)v))
            note(&t.check->no_edge, v, (uint64_t)parent_of(t, v));
    }
}

cudaError_t sl_cuda_tree_end(const cuda_parent_tree *t)
{
    return launch(t->n, tree_end, *t);
}
