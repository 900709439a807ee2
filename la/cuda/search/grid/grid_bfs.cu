/*
 * The passes of a two-dimensional search on one device: the expansion's end, push and pull, and the
 * owner's part of the fold (Bisson, Bernaschi, Mastrostefano 2014, algorithm 2, lines 5 to 14). Push
 * walks the frontier's edges with a binary search (section 3.2 there); pull is that of one device
 * (pull.cuh), with the early exit; the ranks of a row search the same targets at once, each among its
 * own sources, and the owner takes the first find.
 */
#include "cuda/data/frontier.cuh"
#include "cuda/search/device/pull.cuh"
#include "cuda/search/grid/grid_bfs_kernels.h"
#include "cuda/search/grid/grid_tuning.h"
#include "cuda/search/part/part_kernels.h"

/* ---- sets of other processes ------------------------------------------------------------------- */

/* The sets of `count` processes of a line, from the one that is `first` places after some process: kernel parameters. A
 * kernel that reads more sets than fit is launched several times. */
struct grid_sets {
    uint32_t first, count;
    const uint32_t *of[GRID_SETS];
};

static grid_sets sets_from(const uint32_t **sets, uint32_t members, uint32_t place, uint32_t first)
{
    grid_sets part = {first, members - first < GRID_SETS ? members - first : GRID_SETS, {}};
    for (uint32_t k = 0; k < part.count; k++)
        part.of[k] = sets[(place + first + k) % members];
    return part;
}

/* Word w of set k, of which the first `words` words are read. */
__device__ static uint32_t word_of_set(const grid_sets &sets, uint32_t k, uint64_t w,
                                       uint32_t words)
{
    return sets.of[k] && w < words ? sets.of[k][w] : 0;
}

/* Blocks for the words of `count` blocks of a bitmap. */
static dim3 slices(const grid_bfs *s, uint32_t count)
{
    const unsigned blocks = blocks_for(s->words), each = blocks / count;
    return dim3(each ? each : 1, count);
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* The id of own vertex 32 w + bit, or CUDA_NO_VERTEX. */
__device__ static uint32_t own_id(const grid_bfs &s, uint64_t w, unsigned bit)
{
    const uint2 word = s.numbered[w];
    return word.x >> bit & 1 ? s.numbered_id[word.y + __popc(word.x & ~(~0u << bit))]
                             : CUDA_NO_VERTEX;
}

/* Each thread takes words of every array. */
__global__ static void initialise(grid_bfs s)
{
    const uint64_t parents = s.own_parents ? (uint64_t)s.words * (1 + s.column_bits) : 0;
    if (first_thread() == 0)
        *s.counts = *s.next_counts = grid_bfs_counts{};
    for (uint64_t w = first_thread(); w < (uint64_t)s.cols * s.words; w += all_threads()) {
        s.visited[w] = ~s.has_in_edges[w];
        if (s.parent_is_first)
            s.parent_is_first[w] = 0;
    }
    for (uint64_t w = first_thread(); w < s.words; w += all_threads())
        s.own_visited[w] = s.own_next[w] = s.own_reached[w] = 0;
    for (uint64_t w = first_thread(); w < parents; w += all_threads())
        s.own_parents[w] = 0;
}

/* One thread: the source, if this process owns it. */
__global__ static void begin_at_source(grid_bfs s, uint64_t source)
{
    const uint32_t id = own_id(s, source / 32, source % 32);
    if (id == CUDA_NO_VERTEX) {
        s.counts->isolated = 1;
        return;
    }
    s.own_visited[id / 32] = s.own_next[id / 32] = 1u << id % 32;
    s.visited[(uint64_t)s.j * s.words + id / 32] |= 1u << id % 32;
    s.counts->vertices = s.counts->expanded = s.counts->settled = 1;
    s.counts->edges = s.counts->settled_edges = s.own_word_degree[id / 32];
}

/* Each thread takes words of the caller's bitmaps. */
__global__ static void begin(grid_bfs s, grid_bfs_vectors v)
{
    uint32_t *shared = s.visited + (uint64_t)s.j * s.words;
    count_t settled = 0, settled_edges = 0, isolated = 0, vertices = 0, edges = 0;
    for (uint64_t w = first_thread(); w < (s.own_n + 31) / 32; w += all_threads()) {
        for (uint32_t left = v.pi[w]; left; left &= left - 1) {
            const uint32_t id = own_id(s, w, __ffs(left) - 1);
            if (id == CUDA_NO_VERTEX)
                continue;
            atomicOr(s.own_visited + id / 32, 1u << id % 32);
            atomicOr(shared + id / 32, 1u << id % 32);
            settled++;
            settled_edges += s.own_word_degree[id / 32];
        }
        for (uint32_t left = v.q[w]; left; left &= left - 1) {
            const uint32_t id = own_id(s, w, __ffs(left) - 1);
            if (id == CUDA_NO_VERTEX) {
                isolated++;
                continue;
            }
            atomicOr(s.own_next + id / 32, 1u << id % 32);
            vertices++;
            edges += s.own_word_degree[id / 32];
        }
    }
    count_t sums[] = {vertices, vertices, edges, settled, settled_edges, isolated};
    unsigned long long *to[] = {&s.counts->vertices, &s.counts->expanded,      &s.counts->edges,
                                &s.counts->settled,  &s.counts->settled_edges, &s.counts->isolated};
    for (int k = 0; k < 6; k++)
        add_block_sum(to[k], sums[k]);
}

cudaError_t sl_cuda_grid_bfs_begin(const grid_bfs *s, const grid_bfs_vectors *v)
{
    LAUNCH_TRY(launch((uint64_t)s->cols * s->words, initialise, *s));
    if (!v->whole)
        return launch(s->own_n / 32 + 1, begin, *s, *v);
    return v->source != UINT64_MAX ? launch_blocks({1, 1}, begin_at_source, *s, v->source)
                                   : cudaSuccess;
}

/* ---- expand ------------------------------------------------------------------------------------ */

/* A warp copies a line, of 32 words. */
__global__ static void spread(const __grid_constant__ grid_bfs s,
                              const __grid_constant__ grid_sets sets, uint32_t words)
{
    static_assert(GROUP_LINE == 32 * 32, "a line has a word for each lane");
    for (uint64_t w = first_thread(); w < (uint64_t)sets.count * s.words; w += all_threads()) {
        const uint32_t lines = (uint32_t)(w / 32), lane = (uint32_t)(w % 32);
        const uint32_t k = lines % sets.count, part = sets.first + k, line = lines / sets.count;
        const uint32_t from = 32 * line + lane;
        s.frontier[32 * ((uint64_t)line * s.rows + part) + lane] =
            part == s.i ? s.own_next[from] : word_of_set(sets, k, from, words);
    }
}

cudaError_t sl_cuda_grid_bfs_spread(const grid_bfs *s, const uint32_t **sets, uint32_t words)
{
    for (uint32_t first = 0; first < s->rows; first += GRID_SETS) {
        const grid_sets some = sets_from(sets, s->rows, 0, first);
        LAUNCH_TRY(launch((uint64_t)some.count * s->words, spread, *s, some, words));
    }
    return cudaSuccess;
}

/* Blocks with blockIdx.y = k take set k. */
__global__ static void share(const __grid_constant__ grid_bfs s,
                             const __grid_constant__ grid_sets sets, uint32_t words, bool found)
{
    const uint64_t column = sets.first + blockIdx.y, block = column * s.words;
    if (column == s.j)
        return;
    for (uint64_t w = first_thread(); w < s.words; w += all_threads()) {
        const uint32_t fresh =
            word_of_set(sets, blockIdx.y, w, words) | (found ? s.found[block + w] : 0);
        if (fresh)
            s.visited[block + w] |= fresh;
    }
}

cudaError_t sl_cuda_grid_bfs_share(const grid_bfs *s, const uint32_t **sets, uint32_t words,
                                   bool found)
{
    for (uint32_t first = 0; first < s->cols; first += GRID_SETS) {
        const grid_sets some = sets_from(sets, s->cols, 0, first);
        LAUNCH_TRY(launch_blocks({slices(s, some.count)}, share, *s, some, words, found));
    }
    return cudaSuccess;
}

/* ---- push ------------------------------------------------------------------------------------- */

__global__ static void list_frontier(grid_bfs s)
{
    const cuda_frontier to = {s.list, s.ends};
    for (uint64_t w = first_thread(); w < (uint64_t)s.cols * s.words; w += all_threads())
        s.found[w] = 0;
    list_bits(to, s.frontier, (uint64_t)s.rows * s.words, s.out_start,
              {s.edge_bits, &s.counts->next, &s.counts->tall}, [](uint32_t) {});
}

/* Several threads may reach a target at once: the first sets its bit and writes the parent. */
__global__ static void __launch_bounds__(FRONTIER_THREADS) push_edges(grid_bfs s)
{
    const cuda_frontier from = {s.list, s.ends};
    const frontier_size size = unpack(s.counts->next, s.edge_bits);
    walk(
        from, s.out_start, size, s.counts->tall != 0,
        [&](uint64_t e, uint32_t u) {
            const uint32_t v = s.out_index[e];
            if (!bit_of(s.visited, v) && first_to_set(s.found, v) && s.parent)
                s.parent[v] = u;
        },
        [] {});
}

cudaError_t sl_cuda_grid_bfs_push(const grid_bfs *s)
{
    const uint64_t longest = s->rows > s->cols ? s->rows : s->cols;
    LAUNCH_TRY(launch(longest * s->words, list_frontier, *s));
    return launch_blocks({cuda_processors() * FRONTIER_BLOCKS_PER_SM, FRONTIER_THREADS}, push_edges,
                         *s);
}

/* ---- pull ------------------------------------------------------------------------------------- */

/* Shared memory: block_state. `s` describes the targets as the vertices of one device's search. */
template <bool SLOTTED>
__global__ static void __launch_bounds__(BFS_THREADS, BFS_BLOCKS_PER_SM)
    pull_targets(bfs_params s, const uint32_t *frontier, uint32_t *found, bfs_counts *counts)
{
    __shared__ block_state block;
    if (threadIdx.x == 0)
        block.now.level = 0;
    __syncthreads();
    pull<uint64_t, SLOTTED>(s, &block, frontier, found, counts);
}

cudaError_t sl_cuda_grid_bfs_pull(const grid_bfs *s)
{
    bfs_params p = {};
    p.graph.n = p.graph.old_n = s->cols * s->stride;
    p.graph.start = p.graph.in_start = s->in_start;
    p.graph.index = p.graph.in_index = s->in_index;
    p.graph.wide = true;
    p.graph.host_begin = UINT64_MAX;
    p.graph.word_degree = s->word_degree;
    for (int k = 0; k < ELL_SLOTS && s->slot[0]; k++)
        p.graph.slot[k] = s->slot[k];
    /* Every target that is not visited has an in-edge, and slots without one are marked. */
    for (int k = 0; k <= ELL_SLOTS; k++)
        p.graph.slot_count[k] = s->cols == 1 ? s->slot_count[k] : p.graph.n;
    p.options.hub_words = s->hub_words;
    p.work.words = s->cols * s->words;
    p.work.visited = s->visited;
    p.work.prev_visited = s->previous;
    p.work.parent = s->parent;
    p.work.parent_is_first = s->parent && s->slot[0] ? s->parent_is_first : NULL;
    const auto kernel = s->slot[0] ? pull_targets<true> : pull_targets<false>;
    return launch_blocks({cuda_processors() * BFS_BLOCKS_PER_SM, BFS_THREADS}, kernel, p,
                         s->frontier, s->found, &s->counts->pull);
}

/* ---- fold -------------------------------------------------------------------------------------- */

/* Blocks of other columns, blockIdx.y by number. */
__global__ static void take_found(grid_bfs s)
{
    const uint32_t slice = blockIdx.y + (blockIdx.y >= s.j);
    const uint64_t first = (uint64_t)slice * s.words;
    count_t bits = 0;
    for (uint64_t w = first_thread(); w < s.words; w += all_threads()) {
        const uint32_t word = s.found[first + w];
        bits += __popc(word);
        if (word)
            s.visited[first + w] |= word;
    }
    const count_t sum = warp_sum(bits);
    if (threadIdx.x % 32 == 0 && sum)
        atomicAdd(s.slice_counts + slice, sum);
}

cudaError_t sl_cuda_grid_bfs_take_found(const grid_bfs *s)
{
    return launch_blocks({slices(s, s->cols - 1)}, take_found, *s);
}

/* Calls each(id) on a lane for each bit of the words of a warp, of which lane k has word first + k;
 * the lanes of a call have consecutive ids. */
template <typename EACH> __device__ static void each_bit(uint64_t first, uint32_t word, EACH each)
{
    const uint32_t lane = threadIdx.x % 32;
    for (unsigned some = __ballot_sync(full_warp, word); some; some &= some - 1) {
        const int k = __ffs(some) - 1;
        if (__shfl_sync(full_warp, word, k) >> lane & 1)
            each(32 * (first + k) + lane);
    }
}

/* A warp takes 32 words of own ids, one per lane; words are a multiple of 32. The sets are numbered by their distance
 * from this process's column; a launch for later ones adds to own_next. */
__global__ static void settle(const __grid_constant__ grid_bfs s,
                              const __grid_constant__ grid_sets sets, uint32_t level)
{
    count_t vertices = 0, edges = 0, expanded = 0;
    uint32_t *shared = s.visited + (uint64_t)s.j * s.words;
    const uint32_t *own_found = s.found + (uint64_t)s.j * s.words;
    for (uint64_t first = first_thread() / 32 * 32; first < s.words; first += all_threads()) {
        const uint64_t w = first + threadIdx.x % 32;
        const uint32_t visited = s.own_visited[w];
        uint32_t fresh = 0;
        for (uint32_t k = 0; k < sets.count; k++) {
            const uint32_t distance = sets.first + k, c = (s.j + distance) % s.cols;
            const uint32_t here = distance ? word_of_set(sets, k, w, s.words) : own_found[w];
            const uint32_t bits = here & ~visited & ~fresh;
            fresh |= bits;
            for (unsigned b = 0; bits && b < s.column_bits; b++)
                if (c >> b & 1)
                    s.own_parents[w * (1 + s.column_bits) + 1 + b] |= bits;
        }
        s.own_next[w] = fresh | (sets.first ? s.own_next[w] : 0);
        if (fresh) {
            s.own_visited[w] = visited | fresh;
            s.own_reached[w] |= fresh;
            shared[w] |= fresh;
            vertices += __popc(fresh);
            edges += (count_t)__popc(fresh) * s.own_word_degree[w];
            expanded += 32 * w < s.expanded ? __popc(fresh) : 0;
        }
        if (s.own_depth)
            each_bit(first, fresh, [&](uint64_t id) { s.own_depth[id] = level; });
    }
    if (first_thread() == 0)
        *s.next_counts = grid_bfs_counts{};
    add_block_sum(&s.counts->vertices, vertices);
    add_block_sum(&s.counts->edges, edges);
    add_block_sum(&s.counts->expanded, expanded);
}

cudaError_t sl_cuda_grid_bfs_settle(const grid_bfs *s, const uint32_t **sets, uint32_t level)
{
    for (uint32_t first = 0; first < s->cols; first += GRID_SETS)
        LAUNCH_TRY(launch(s->words, settle, *s, sets_from(sets, s->cols, s->j, first), level));
    return cudaSuccess;
}
