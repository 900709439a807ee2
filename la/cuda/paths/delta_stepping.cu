/*
 * Delta-stepping with two piles (Davidson, Baxter, Garland, Owens, "Work-Efficient Parallel GPU
 * Methods for Single-Source Shortest Paths", IPDPS 2014: near and far). Only vertices whose value
 * is within `limit` are relaxed; the limit is the best value of the far pile plus delta. So few
 * vertices are relaxed more than once.
 *
 * One cooperative launch. An iteration relaxes the frontier's edges and lists the vertices with a
 * new or better value; after a barrier the list is split into the next frontier and the far pile.
 * When the frontier is empty, the far pile is split by a new limit.
 *
 * The far pile is a list in which vertices may be out of date: as values only improve and limits
 * only grow, a vertex that has entered a frontier never returns to the far pile, so that one bit
 * per vertex (far_bits) tells which entries of the list are still valid.
 *
 * Launch: as many blocks of FRONTIER_THREADS threads as fit on the device. Shared memory: a
 * found_queue, in which a block collects vertices. Cost: O(edges relaxed) and two barriers per
 * iteration.
 */
#include <cooperative_groups.h>

#include "cuda/operations/ordered_key.cuh"
#include "cuda/paths/delta_stepping_kernels.h"
#include "cuda/paths/lengths.cuh"

/* The value, negated for max_plus, so that better values are lower. */
template <typename R, typename T>
__device__ static double priority_of(const relax_params &x, T value)
{
    return R::add_code(x.p) == SL_BINARY_MAX ? -(double)value : (double)value;
}

/* ---- splitting lists into near and far ------------------------------------------------------ */

/* A list of vertices: those within the limit become frontier[turn], the others go to the far pile. */
struct list_split {
    const uint32_t *list;
    count_t count;
    double limit;
    unsigned turn;
    uint32_t *far;
    far_pile *pile;
};

/* The list has the improved vertices, or (FROM_FAR) is a far pile itself, whose vertices without a
 * far bit are skipped. One vertex per thread; blocks take pieces of the list in turn. */
template <typename R, bool FROM_FAR>
__device__ static void split_list(const relax_params &x, const delta_stepping_params &b,
                                  found_queue &found, const list_split &split)
{
    const count_t count = split.count;
    const unsigned turn = split.turn;
    using T = typename R::T;
    const unsigned piece = items_per_block(count, FRONTIER_THREADS);
    count_t added = 0, best_key = 0;
    for (count_t first = (count_t)blockIdx.x * piece; first < count;
         first += (count_t)gridDim.x * piece) {
        const count_t k = first + threadIdx.x;
        bool there = threadIdx.x < piece && k < count, is_far = false;
        const uint32_t v = there ? __ldcg(split.list + k) : 0, bit = 1u << v % 32;
        const bool was_far = there && bit_now(b.far_bits, v);
        if (!FROM_FAR && there)
            added += mark_present(x, v);
        if (FROM_FAR)
            there = was_far;
        if (there) {
            const T value = value_now((const T *)x.p.t_values + v);
            const double priority = priority_of<R>(x, value);
            is_far = priority > split.limit; /* false for NaN */
            if (is_far) {
                const count_t key = ~ordered_key(priority);
                best_key = key > best_key ? key : best_key;
                if (!was_far)
                    atomicOr(b.far_bits + v / 32, bit);
            } else {
                if (was_far)
                    atomicAnd(b.far_bits + v / 32, ~bit);
                ((T *)x.frontier_values)[v] = value;
                found_one(found, v);
            }
        }
        append(split.far, &split.pile->count, is_far && (FROM_FAR || !was_far), v);
        flush(found, x.frontier[turn], x.p.start,
              {x.edge_bits, &x.state->next[turn], &x.state->tall[turn]});
    }
    added = warp_sum(added);
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t other = __shfl_xor_sync(full_warp, best_key, offset);
        best_key = other > best_key ? other : best_key;
    }
    if (threadIdx.x % 32 != 0)
        return;
    if (added)
        atomicAdd(&x.state->added, added);
    if (best_key > __ldcg(&split.pile->best))
        atomicMax(&split.pile->best, best_key);
}

/* ---- iterations ----------------------------------------------------------------------------- */

/* All blocks take the same decisions from the same counters. A counter is cleared only while no
 * block reads or adds to it: there are three far piles and two lists of improved vertices by turns,
 * and one of each is cleared in an iteration. */
template <typename R>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    delta_stepping(const __grid_constant__ relax_params x,
                   const __grid_constant__ delta_stepping_params b)
{
    __shared__ found_queue found;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    relax_state *state = x.state;
    far_pile *piles = b.state->far;
    const bool first = first_thread() == 0;
    frontier_size size = unpack(__ldcg(&state->next[0]), x.edge_bits);
    double limit = -INFINITY;
    unsigned turn = 0, pass = 0;
    count_t done = 0;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    init_unset_values<R>(x, turn, size);
    grid.sync();
    for (;; turn ^= 1, size = unpack(__ldcg(&state->next[turn]), x.edge_bits)) {
        if (size.vertices == 0) {
            const count_t count = __ldcg(&piles[pass % 3].count);
            if (count == 0)
                break;
            limit = value_of_key(~__ldcg(&piles[pass % 3].best)) + b.delta;
            split_list<R, true>(x, b, found,
                                {b.far[pass % 2], count, limit, turn ^ 1, b.far[(pass + 1) % 2],
                                 &piles[(pass + 1) % 3]});
            pass++;
            if (first)
                piles[(pass + 1) % 3] = far_pile{};
            grid.sync();
            continue;
        }
        count_t *improved = &b.state->improved[done % 2];
        walk_frontier(
            x, turn, size, [&](uint64_t e, uint32_t inner) { relax_edge<R>(x, found, e, inner); },
            [&] { flush_improved(found, b.improved, improved); });
        grid.sync();
        split_list<R, false>(
            x, b, found,
            {b.improved, __ldcg(improved), limit, turn ^ 1, b.far[pass % 2], &piles[pass % 3]});
        done++;
        if (first) {
            state->next[turn] = 0;
            state->tall[turn] = 0;
            b.state->improved[done % 2] = 0;
        }
        grid.sync();
    }
    if (first)
        state->iterations = done;
}

cudaError_t sl_cuda_delta_stepping_launch(const relax_params *x, const delta_stepping_params *b)
{
    const cuda_product *p = &x->p;
#define LAUNCH(R)  launch_resident({FRONTIER_THREADS}, delta_stepping<R>, *x, *b)
#define CALL(T, W) launch_resident({FRONTIER_THREADS}, delta_stepping<length_ring<T, W>>, *x, *b)
    if (b->by_length)
        WITH_LENGTHS(p->type, b->narrow, CALL);
    PRECOMPILED_DELTA_STEPPING(RING_AHEAD)
    WITH_TYPE(p->type, RING_OF_TYPE);
#undef CALL
#undef LAUNCH
}
