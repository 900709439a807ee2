/*
 * The rounds of shortest paths of one device (grid_paths_rounds.c has the rounds of several) in one cooperative launch:
 *
 *     take    arrive    continue, in a new bucket    push    decide
 *
 * with a barrier of the grid between two of them. All blocks take the same decisions from the same counters. A counter
 * is cleared only while no block reads or adds to it: rounds use two sets of them by turns, buckets
 * two sums, and each clears those of the next one while it pushes.
 *
 * Launch: as many blocks of FRONTIER_THREADS threads as fit on the device. Shared memory: a
 * take_scratch of each warp, or a found_queue. Cost: O(edges relaxed), and in each round O(n / 32)
 * and three or four barriers.
 */
#include <cooperative_groups.h>

#include "cuda/paths/grid_paths.cuh"

/* What changes from round to round; the same in all threads. */
struct paths_round {
    double limit;
    bool advanced, defers; /* the limit has grown since the last round; see grid_paths */
    count_t most;          /* vertices taken in a round of this bucket */
    unsigned number, bucket;
};

/* What the host's closures decide (grid_paths_rounds.c). False: the launch ends, for the pull or at the end. */
__device__ static bool decide(const grid_paths_alone &a, paths_round &r)
{
    grid_rounds_state *const state = a.state;
    const count_t edges = a.g.block.p.nnz, taken = __ldcg(&state->counts[r.number % 2].taken),
                  settled = __ldcg(&state->settled_edges),
                  nearest = max((count_t)__ldcg(&state->counts[r.number % 2].nearest),
                                (count_t)__ldcg(&state->open[r.bucket % 2]));
    const bool ended = __ldcg(&a.g.block.state->next[r.number % 2]) == 0;
    r.defers |= !a.pulled && settled * GRID_PATHS_DEFER > edges;
    const count_t done = settled + (r.defers ? a.short_edges : 0);
    const bool ready = done >= edges || (edges - done) * GRID_PATHS_SHARE <= edges;
    const bool pulls = !a.pulled && (ready || (nearest == 0 && r.defers));
    r.most = max(r.most, taken);
    if (ended && (pulls || nearest == 0)) {
        if (first_thread() == 0) {
            state->pulls = pulls;
            state->limit = r.limit;
        }
        return false;
    }
    const bool is_tail = !ready && nearest > 0 && taken < r.most / GRID_PATHS_TAIL;
    r.advanced = ended || is_tail;
    if (r.advanced) {
        r.limit = value_of_key(~nearest) + a.width;
        r.bucket++;
        r.most = 0;
    }
    return true;
}

template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    run_rounds(const __grid_constant__ grid_paths_alone a)
{
    __shared__ union {
        take_scratch take[FRONTIER_THREADS / 32];
        found_queue found;
    } shared;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const grid_paths &g = a.g;
    grid_rounds_state *const state = a.state;
    paths_round r = {a.limit, false, false, 0, 0, 0};
    for (;; r.number++) {
        const unsigned turn = r.number % 2;
        count_t *const packed = (count_t *)&g.block.state->next[turn];
        count_t *const open = (count_t *)&state->open[r.bucket % 2];
        take_waiting(g.own, &state->counts[turn], (const T *)g.own.p.t_values, r.limit, a.middle,
                     shared.take[threadIdx.x / 32]);
        grid.sync();
        const grid_relax_message taken = {a.middle, &state->counts[turn].taken, 0, 0};
        const T limit = limit_of<T>(r.limit);
        count_t nearest = 0, edges = 0;
        arrive_from<T, W>(g, packed, taken, limit, &nearest, &edges);
        add_block_sum((count_t *)&state->settled_edges, edges);
        if (r.advanced) {
            if (threadIdx.x == 0)
                shared.found.count = 0;
            grid.sync();
            continue_open<T, W>(g, packed, shared.found, limit, &nearest);
        }
        note_nearest(open, nearest);
        grid.sync();
        push_pieces<T, W>(g, unpack(__ldcg(packed), g.block.edge_bits), r.defers);
        if (first_thread() == 0) {
            g.block.state->next[turn ^ 1] = 0;
            state->counts[turn ^ 1].taken = 0;
            state->counts[turn ^ 1].nearest = 0;
            state->open[(r.bucket + 1) % 2] = 0;
        }
        grid.sync();
        if (!decide(a, r))
            break;
    }
}

cudaError_t sl_cuda_grid_paths_run_alone(const grid_paths_alone *a)
{
#define CALL(T, W) launch_resident({FRONTIER_THREADS}, run_rounds<T, W>, *a)
    WITH_LENGTHS(a->g.block.p.type, a->g.narrow, CALL);
#undef CALL
}
