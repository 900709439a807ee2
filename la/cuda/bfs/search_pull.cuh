/*
 * A step over what is missing: four words of the visited bitmap to a warp, and of those the
 * first neighbours. Who does not find a parent there waits until there is one for each lane of
 * the warp: then the next slots are loaded and tested at once, and last, of whom slots do not
 * hold all, the rows. Where words lack few vertices these wait at once.
 */
#ifndef SEMLA_CUDA_SEARCH_PULL_CUH
#define SEMLA_CUDA_SEARCH_PULL_CUH

#include "search.cuh"

/* Of a vertex that waits: its first neighbour is not in the frontier. */
#define TRIED ((uint32_t)1 << 31)

/* The frontier's first words, where hubs are, in shared memory. */
__device__ inline void load_hubs(const bfs_params &s, block_state *b, const uint32_t *frontier)
{
    for (uint32_t w = threadIdx.x; w < s.hub_words; w += blockDim.x)
        b->hubs[w] = __ldcg(frontier + w);
    if (threadIdx.x == 0)
        b->hub_limit = 32 * s.hub_words;
    __syncthreads();
}

__device__ inline bool is_in(const block_state *b, const uint32_t *frontier, uint32_t u)
{
    uint32_t word = u < b->hub_limit ? b->hubs[u / 32] : __ldcg(frontier + u / 32);
    return word >> u % 32 & 1;
}

/* Looks for a parent in index[begin .. end), together where that takes one lane long. */
template <typename Offset>
__device__ inline bool pull_row(const bfs_params &s, const block_state *b,
                                const uint32_t *frontier, Offset begin, Offset end,
                                uint32_t *parent, unsigned *seen)
{
    const uint32_t *index = s.graph.in_index;
    const unsigned lane = threadIdx.x % 32;
    bool hit = false;
    for (int k = 0; k < PULL_PER_THREAD && !hit && begin < end; k += 4) {
        uint32_t u[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            u[i] = begin + i < end ? __ldg(column<Offset>(s.graph, index, begin + i)) : UINT32_MAX;
#pragma unroll
        for (int i = 3; i >= 0; i--)
            if (u[i] != UINT32_MAX && is_in(b, frontier, u[i])) {
                hit = true;
                *parent = u[i];
            }
        *seen += end - begin < 4 ? end - begin : 4;
        begin = end - begin < 4 ? end : begin + 4;
    }
    for (unsigned rest = __ballot_sync(full_warp, !hit && begin < end); rest; rest &= rest - 1) {
        int helped = __ffs(rest) - 1;
        Offset from = __shfl_sync(full_warp, begin, helped);
        Offset to = __shfl_sync(full_warp, end, helped);
        while (from < to) {
            unsigned now = to - from < 32 ? (unsigned)(to - from) : 32;
            uint32_t u = lane < now ? __ldg(column<Offset>(s.graph, index, from + lane)) : 0;
            unsigned hits = __ballot_sync(full_warp, lane < now && is_in(b, frontier, u));
            u = __shfl_sync(full_warp, u, hits ? __ffs(hits) - 1 : 0);
            if (lane == helped) {
                *seen += now;
                hit = hits != 0;
                *parent = u;
            }
            if (hits)
                break;
            from += now;
        }
    }
    return hit;
}

/* A vertex to a lane; tried: slot 0 did not settle it. All lanes take part. */
template <typename Offset, bool SLOTTED>
__device__ inline bool pull_vertex(const bfs_params &s, const block_state *b,
                                   const uint32_t *frontier, bool active, bool tried, uint32_t v,
                                   uint32_t *parent, unsigned *seen)
{
    const cuda_graph &g = s.graph;
    const Offset *start = (const Offset *)g.in_start;
    bool hit = false;
    if (SLOTTED) {
        uint32_t u[SLOTS];
#pragma unroll
        for (int k = 0; k < SLOTS; k++)
            u[k] =
                active && (k || !tried) && v < g.slot_count[k] ? __ldg(g.slot[k] + v) : UINT32_MAX;
#pragma unroll
        for (int k = SLOTS - 1; k >= 0; k--) {
            *seen += u[k] != UINT32_MAX;
            if (u[k] != UINT32_MAX && is_in(b, frontier, u[k])) {
                hit = true;
                *parent = u[k];
            }
        }
        active = active && !hit && v < g.slot_count[SLOTS];
    }
    if (!__any_sync(full_warp, active))
        return hit;
    Offset begin = active ? __ldg(start + v) + (SLOTTED ? SLOTS : 0) : 0;
    Offset end = active ? __ldg(start + v + 1) : 0;
    return pull_row<Offset>(s, b, frontier, begin, end, parent, seen) || hit;
}

/* Goes through the last vertices that wait, a lane each. Their words have been written. */
template <typename Offset, bool SLOTTED>
__device__ __forceinline__ void pull_waiting(const bfs_params &s, const block_state *b,
                                             const uint32_t *frontier, uint32_t *found,
                                             const uint32_t *waiting, unsigned count,
                                             unsigned *vertices, count_t *edges, unsigned *seen)
{
    const unsigned lane = threadIdx.x % 32;
    __syncwarp();
    const uint32_t waits = lane < count ? waiting[lane] : 0, v = waits & ~TRIED;
    uint32_t parent = 0;
    if (pull_vertex<Offset, SLOTTED>(s, b, frontier, lane < count, waits & TRIED, v, &parent,
                                     seen)) {
        uint32_t bit = 1u << v % 32;
        record(s, v, parent, b->now);
        atomicOr(found + v / 32, bit);
        atomicOr(s.visited + v / 32, bit);
        ++*vertices;
        *edges += edges_of<Offset>(s.graph, v / 32, bit);
    }
    __syncwarp();
}

/* Puts what four words lack behind those who wait, slot 0 untried; returns how many do then. */
__device__ inline unsigned wait_all(const uint32_t visited[4], uint32_t base, uint32_t *waiting,
                                    unsigned total)
{
    const uint32_t lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        if (!(visited[j] >> lane & 1))
            waiting[total + __popc(~visited[j] & ((1u << lane) - 1))] = base + 32 * j;
        total += __popc(~visited[j]);
    }
    return total;
}

/* found: what the step finds, wholly written. */
template <typename Offset, bool SLOTTED>
__device__ __forceinline__ void pull(const bfs_params &s, block_state *b,
                                     const uint32_t *frontier, uint32_t *found, bfs_counts *tally)
{
    const unsigned lane = threadIdx.x % 32;
    const uint32_t groups = s.words / 4, warps = all_threads() / 32;
    uint32_t *waiting = b->waiting[threadIdx.x / 32];
    unsigned total = 0; /* who wait */
    unsigned vertices = 0, seen = 0;
    count_t edges = 0;
    load_hubs(s, b, frontier);
    uint4 ahead = {};             /* the warp's next 32 groups, one to a lane, */
    unsigned open = 0, lacks = 0; /* of which these are not full; in the lane's */
    uint32_t first = first_thread() / 32;
    while (true) {
        while (!open && first < groups) {
            const uint32_t group = first + lane * warps;
            const bool there = group < groups;
            ahead = there ? four(s.visited, group) : uint4{~0u, ~0u, ~0u, ~0u};
            const bool full = (ahead.x & ahead.y & ahead.z & ahead.w) == ~0u;
            if (there)
                ((uint4 *)s.before)[group] = ahead;
            if (there && full)
                ((uint4 *)found)[group] = uint4{};
            lacks = GROUP - __popc(ahead.x) - __popc(ahead.y) - __popc(ahead.z) - __popc(ahead.w);
            open = __ballot_sync(full_warp, !full);
            first += 32 * warps;
        }
        if (!open)
            break;
        const int turn = __ffs(open) - 1;
        const uint32_t group = first - (32 - turn) * warps;
        const uint32_t visited[4] = {
            __shfl_sync(full_warp, ahead.x, turn), __shfl_sync(full_warp, ahead.y, turn),
            __shfl_sync(full_warp, ahead.z, turn), __shfl_sync(full_warp, ahead.w, turn)};
        const uint32_t base = GROUP * group + lane;
        open &= open - 1;
        if (SLOTTED && __shfl_sync(full_warp, lacks, turn) <= PULL_SPARSE) {
            total = wait_all(visited, base, waiting, total);
            if (lane < 4)
                found[4 * group + lane] = 0;
            for (; total >= 32; total -= 32)
                pull_waiting<Offset, SLOTTED>(s, b, frontier, found, waiting + total - 32, 32,
                                              &vertices, &edges, &seen);
            continue;
        }
        uint32_t u[4], own = 0, had = 0;
#pragma unroll
        for (int j = 0; j < 4; j++)
            u[j] = SLOTTED && !(visited[j] >> lane & 1) ? __ldg(s.graph.slot[0] + base + 32 * j)
                                                        : UINT32_MAX;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            uint32_t v = base + 32 * j;
            bool missing = !(visited[j] >> lane & 1);
            bool hit = SLOTTED && missing && is_in(b, frontier, u[j]);
            seen += SLOTTED && missing;
            if (hit)
                record_first(s, v, u[j], b->now);
            uint32_t hits = __ballot_sync(full_warp, hit);
            own = lane == j ? hits : own;
            had = lane == j ? visited[j] : had;
            bool waits = missing && !hit && (!SLOTTED || v < s.graph.slot_count[1]);
            uint32_t wait = __ballot_sync(full_warp, waits);
            if (waits)
                waiting[total + __popc(wait & ((1u << lane) - 1))] = v | TRIED;
            total += __popc(wait);
        }
        if (lane < 4) {
            uint32_t w = 4 * group + lane;
            found[w] = own;
            vertices += __popc(own);
            edges += edges_of<Offset>(s.graph, w, own);
            if (own)
                s.visited[w] = had | own;
            if (own && s.by_first)
                atomicOr(s.by_first + w, own); /* which nobody waits for */
        }
        for (; total >= 32; total -= 32)
            pull_waiting<Offset, SLOTTED>(s, b, frontier, found, waiting + total - 32, 32,
                                          &vertices, &edges, &seen);
    }
    if (total)
        pull_waiting<Offset, SLOTTED>(s, b, frontier, found, waiting, total, &vertices, &edges,
                                      &seen);
    add_tally(tally, vertices, edges, seen);
}

#endif
