/*
 * Converts the result of a search from reordered ids to the caller's ids and writes parents and
 * levels.
 *
 * About 95 % of the vertices have their first neighbour as parent. For these only one bit per
 * vertex (parent_is_first) is read, and the parent is the first neighbour, stored in the caller's
 * order and read sequentially. The others are compacted per warp and looked up by gathers. Vertices
 * of pruned trees are visited if the root of their tree is, and have a precomputed parent.
 *
 * A warp takes chunks of the caller's bitmaps. The caller's vertices that have a reordered id, in
 * the caller's order, are numbered consecutively: numbered_new_id and numbered_first have their ids
 * and first neighbours, and `kept` has, for each bitmap word, which vertices these are and the
 * number of the first. A lane loads four of them at once; parents and levels pass through shared
 * memory (result_buffer) to the lanes that write the caller's words.
 *
 * Launch: RESULT_THREADS threads, RESULT_BLOCKS_PER_SM blocks per multiprocessor.
 * Traffic at scale 26: 0.65 GB, 155 us at copy bandwidth; measured 285 us, bound by gathers of
 * bits.
 */
#include "cuda/data/frontier.cuh"
#include "cuda/search/device/bfs_device.cuh"

enum {
    RESULT_WARPS = RESULT_THREADS / 32,
    ROW = 128,                  /* vertices that a warp loads by one instruction */
    AT_ONCE = ROW * RESULT_ROWS /* vertices with loads in flight at once */
};

/* Most bitmap words of a chunk; half of them with levels, which take as much shared memory again.
 */
constexpr unsigned max_words(bool levels)
{
    return levels ? RESULT_CHUNK / 2 : RESULT_CHUNK;
}

/* Shared memory of a warp. Index k is the k-th vertex of the chunk from its base on. */
template <bool LEVELS> struct result_buffer {
    static constexpr unsigned room = 32 * max_words(LEVELS) + 8; /* bases are multiples of four */
    uint32_t parent[room];             /* the caller's ids, or CUDA_NO_VERTEX: not visited */
    uint32_t depth[LEVELS ? room : 4]; /* CUDA_NO_VERTEX: of a pruned tree */
    uint16_t others[AT_ONCE];          /* vertices with another parent than the first neighbour */
};

/* Which vertices of bitmap word w have a reordered id, and the number of the first of them. */
__device__ static uint2 load_kept(const cuda_graph &g, uint64_t w)
{
    const uint64_t first = 32 * w;
    if (first >= g.old_n)
        return uint2{0, g.numbered ? g.n + g.tree_vertices : g.old_n};
    if (g.numbered)
        return __ldcs(g.numbered + w);
    return uint2{first + 32 <= g.old_n ? ~0u : ~(~0u << g.old_n % 32), (uint32_t)first};
}

/* A bit that another kernel wrote, read through L1. */
__device__ static bool cached_bit(const uint32_t *bits, uint32_t v)
{
    return bits[v / 32] >> v % 32 & 1;
}

/* ---- parents and depths of a chunk ---------------------------------------------------------- */

/* The vertices of a chunk that have a reordered id: numbers begin to stop - 1. Number k is at k -
 * base in the buffer; base is begin rounded down to a multiple of four. */
struct result_chunk {
    uint32_t begin, stop, base;
};

struct result_rows {
    uint4 new_id[RESULT_ROWS], first[RESULT_ROWS];
};

/* Loads the ids and first neighbours from number `at` on. The arrays may be read beyond their end.
 */
template <bool USUAL>
__device__ static void load_rows(const bfs_params &s, const result_chunk &c, uint32_t at,
                                 result_rows *rows)
{
    const cuda_graph &g = s.graph;
    const uint32_t own = at + 4 * (threadIdx.x % 32);
#pragma unroll
    for (int r = 0; r < RESULT_ROWS; r++) {
        const uint32_t e = own + ROW * r;
        if (e >= c.stop)
            continue;
        rows->new_id[r] = USUAL || g.numbered ? __ldcs((const uint4 *)(g.numbered_new_id + e))
                                              : uint4{e, e + 1, e + 2, e + 3};
        if (USUAL || g.numbered_first)
            rows->first[r] = __ldcs((const uint4 *)(g.numbered_first + e));
    }
}

/* Four vertices per lane: stores the first neighbour in the buffer if it is the parent, otherwise
 * the vertex's id, and appends the vertex to `others`. */
template <bool USUAL, bool LEVELS>
__device__ static void look_up_first(const bfs_params &s, const result_chunk &c, uint32_t e,
                                     uint4 ids, uint4 firsts, result_buffer<LEVELS> &to,
                                     unsigned *count)
{
    const unsigned lower = (1u << threadIdx.x % 32) - 1;
    const uint32_t new_id[] = {ids.x, ids.y, ids.z, ids.w};
    uint32_t value[] = {firsts.x, firsts.y, firsts.z, firsts.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const bool there = e + i - c.begin < c.stop - c.begin;
        const bool is_first = there && (USUAL || s.work.parent_is_first) &&
                              cached_bit(s.work.parent_is_first, root_of(s.graph, new_id[i]));
        const unsigned missing = __ballot_sync(full_warp, there && !is_first);
        if (there && !is_first) {
            to.others[*count + __popc(missing & lower)] = (uint16_t)(e + i - c.base);
            value[i] = new_id[i];
        }
        *count += __popc(missing);
    }
    if (e < c.stop)
        *(uint4 *)(to.parent + (e - c.base)) = uint4{value[0], value[1], value[2], value[3]};
}

/* Replaces the ids of the `count` others in the buffer by their parents. */
template <bool USUAL>
__device__ static void look_up_others(const bfs_params &s, const result_chunk &c, uint32_t *parents,
                                      const uint16_t *others, unsigned count)
{
    for (unsigned k = threadIdx.x % 32; k < count; k += 32) {
        const uint32_t at = others[k], new_id = parents[at];
        uint32_t parent = CUDA_NO_VERTEX;
        if (cached_bit(s.work.visited, root_of(s.graph, new_id))) {
            const bool searched = !in_tree(s.graph, new_id);
            parent = !searched                ? s.graph.numbered_first[c.base + at]
                     : USUAL || s.work.parent ? s.work.parent[new_id]
                                              : 0;
            if (searched && (USUAL || (s.work.parent && s.graph.old_id)) &&
                parent != CUDA_NO_VERTEX)
                parent = __ldg(s.graph.old_id + parent);
        }
        parents[at] = parent;
    }
}

/* Stores the depths of the visited vertices from number `at` on. */
__device__ static void look_up_depths(const bfs_params &s, const result_chunk &c, uint32_t at,
                                      const uint32_t *parents, uint32_t *depths)
{
    const uint32_t stop = c.stop - at < AT_ONCE ? c.stop : at + AT_ONCE;
#pragma unroll 4
    for (uint32_t e = (at > c.begin ? at : c.begin) + threadIdx.x % 32; e < stop; e += 32) {
        const uint32_t new_id = s.graph.numbered ? s.graph.numbered_new_id[e] : e;
        if (parents[e - c.base] != CUDA_NO_VERTEX)
            depths[e - c.base] = in_tree(s.graph, new_id) ? CUDA_NO_VERTEX : s.work.depth[new_id];
    }
}

/* The level of the caller's vertex v, which is visited and in a pruned tree. */
__device__ static uint32_t level_of(const bfs_params &s, uint32_t v)
{
    const uint32_t new_id = new_id_of(s.graph, v), root = root_of(s.graph, new_id);
    if (root == root_of(s.graph, new_id_of(s.graph, s.options.source)))
        return tree_distance(s.graph, s.options.source, v);
    return s.work.depth[root] + (new_id & CUDA_DEEP_IN_TREE ? height_of(s.graph, v) : 1);
}

/* ---- writing the caller's vectors ------------------------------------------------------------ */

/* Writes x to the elements v ... v + SOME - 1 whose bits are set in `found`. whole: the others have
 * no entry, so they may be overwritten, by one vector store. */
template <unsigned SOME>
__device__ static void write_some(const cuda_integers &to, uint64_t v, const uint32_t *x,
                                  unsigned found, bool whole)
{
    if (whole && SOME == 4 && to.int32) {
        __stcs((int4 *)((int *)to.values + v),
               make_int4((int)x[0], (int)x[1], (int)x[SOME - 2], (int)x[SOME - 1]));
    } else if (whole && SOME == 2 && !to.int32) {
        __stcs((longlong2 *)((long long *)to.values + v), make_longlong2(x[0], x[1]));
    } else {
#pragma unroll
        for (unsigned i = 0; i < SOME; i++)
            if (found >> i & 1)
                put_integer(to, v + i, x[i]);
    }
}

template <unsigned SOME>
__device__ static void write_levels(const bfs_params &s, uint64_t v, uint32_t *x, unsigned found,
                                    bool whole)
{
#pragma unroll
    for (unsigned i = 0; i < SOME; i++)
        if (found >> i & 1 && x[i] == CUDA_NO_VERTEX)
            x[i] = level_of(s, (uint32_t)v + i);
    write_some<SOME>(s.result.level, v, x, found, whole);
}

/* Writes the entries of a chunk's bitmap words, of which each lane holds one, SOME vertices per
 * lane at a time. Returns the number of new entries of level in the lane's word. */
template <unsigned SOME, bool LEVELS>
__device__ static unsigned write_chunk(const bfs_params &s, const result_chunk &c, uint64_t first,
                                       unsigned each, uint2 kept,
                                       const result_buffer<LEVELS> &buffer)
{
    constexpr unsigned LANES = 32 / SOME; /* lanes that share a word */
    const cuda_graph &g = s.graph;
    const unsigned lane = threadIdx.x % 32;
    const bool owns_word = lane < each && first + lane < (g.old_n + 31) / 32;
    const uint32_t old_bits = s.options.from_source ? 0
                              : owns_word           ? s.result.pi[first + lane]
                                                    : ~0u;
    uint32_t fresh = 0;
    for (unsigned j = 0; j < each; j += SOME) {
        const unsigned word = j + lane / LANES, shift = lane % LANES * SOME;
        const uint32_t bits = __shfl_sync(full_warp, kept.x, word);
        const uint32_t has =
            s.options.from_source ? 0 : __shfl_sync(full_warp, old_bits, word) >> shift;
        uint32_t at = __shfl_sync(full_warp, kept.y, word) - c.base;
        at += __popc(bits & ((1u << shift) - 1));
        uint32_t parent[SOME], depth[SOME], found = 0;
#pragma unroll
        for (unsigned i = 0; i < SOME; i++) {
            const bool is = bits >> shift >> i & 1;
            parent[i] = is ? buffer.parent[at] : CUDA_NO_VERTEX;
            depth[i] = LEVELS && is ? buffer.depth[at] : 0;
            at += is;
            found |= (unsigned)(!(has >> i & 1) && parent[i] != CUDA_NO_VERTEX) << i;
        }
        if (!__any_sync(full_warp, found))
            continue;
        const uint64_t v = 32 * (first + word) + shift;
        const bool whole = !(has & ((1u << SOME) - 1)) && v + SOME <= g.old_n;
        if (s.result.parent.values && s.work.parent)
            write_some<SOME>(s.result.parent, v, parent, found, whole);
        if (LEVELS) /* level may have entries where pi has none */
            write_levels<SOME>(s, v, depth, found, whole && s.options.from_source);
        if (s.result.reached && found)
            for (unsigned i = 0; i < SOME; i++)
                if (found >> i & 1)
                    s.result.reached[v + i] = 1;
        found <<= shift;
#pragma unroll
        for (unsigned offset = 1; offset < LANES; offset *= 2)
            found |= __shfl_xor_sync(full_warp, found, offset);
        const uint32_t own = __shfl_sync(full_warp, found, (lane - j) * LANES % 32);
        fresh = lane - j < SOME ? own : fresh;
    }
    if (!owns_word || !(fresh || s.options.from_source))
        return 0;
    s.result.pi[first + lane] = old_bits | fresh;
    if (!LEVELS)
        return 0;
    const uint32_t old = s.options.from_source ? 0 : s.result.level_bits[first + lane];
    s.result.level_bits[first + lane] = old | fresh;
    return __popc(fresh & ~old);
}

/* ---- the source ------------------------------------------------------------------------- */

/* A source in a pruned tree: on the path from it to the root, parents are reversed. */
__device__ static void reverse_path(const bfs_params &s)
{
    put_integer(s.result.parent, s.options.source, s.options.source);
    for (uint32_t v = s.options.source, u; (u = s.graph.tree_parent[v]) != CUDA_NO_VERTEX; v = u)
        put_integer(s.result.parent, u, v);
}

/* Writes the entry of the source. By one thread, after all others. */
__device__ static void write_source(const bfs_params &s)
{
    const uint32_t v = s.options.source;
    if (in_tree(s.graph, new_id_of(s.graph, v))) {
        if (s.result.parent.values)
            reverse_path(s);
        return;
    }
    atomicOr(s.result.pi + v / 32, 1u << v % 32);
    if (s.result.parent.values)
        put_integer(s.result.parent, v, s.options.source_parent);
    if (s.result.reached)
        s.result.reached[v] = 1;
    if (s.result.level.values) {
        atomicOr(s.result.level_bits + v / 32, 1u << v % 32);
        put_integer(s.result.level, v, 0);
    }
}

/* ---- kernel ------------------------------------------------------------------------------ */

/* USUAL: a reordered graph with parent_is_first, so that several tests are decided at compile time.
 */
template <unsigned SOME, bool LEVELS, bool USUAL>
__global__ static void __launch_bounds__(RESULT_THREADS, RESULT_BLOCKS_PER_SM)
    write_results(const __grid_constant__ bfs_params s, unsigned each)
{
    extern __shared__ uint4 shared[];
    result_buffer<LEVELS> &buffer = ((result_buffer<LEVELS> *)shared)[threadIdx.x / 32];
    if (s.work.state->stop != BFS_DONE)
        return; /* the search kernel has reported to the host */
    const uint64_t words = (s.graph.old_n + 31) / 32, stride = all_threads() / 32 * each;
    const unsigned lane = threadIdx.x % 32, word = lane < each ? lane : each;
    bfs_counts *counts = s.work.counts + COUNT_SETS - 1;
    count_t levels = 0;
    uint64_t first = first_thread() / 32 * each;
    uint2 next = load_kept(s.graph, first + word);
    for (; first < words; first += stride) {
        const uint2 kept = uint2{lane < each ? next.x : 0, next.y};
        result_chunk c;
        c.begin = __shfl_sync(full_warp, kept.y, 0);
        c.stop = __shfl_sync(full_warp, kept.y + __popc(kept.x), each - 1);
        c.base = c.begin & ~3u;
        next = load_kept(s.graph, first + stride + word);
        for (uint32_t at = c.base; at < c.stop; at += AT_ONCE) {
            result_rows rows;
            unsigned others = 0;
            load_rows<USUAL>(s, c, at, &rows);
#pragma unroll
            for (int r = 0; r < RESULT_ROWS; r++)
                if (at + ROW * r < c.stop)
                    look_up_first<USUAL>(s, c, at + ROW * r + 4 * lane, rows.new_id[r],
                                         rows.first[r], buffer, &others);
            __syncwarp();
            look_up_others<USUAL>(s, c, buffer.parent, buffer.others, others);
            __syncwarp();
            if (LEVELS)
                look_up_depths(s, c, at, buffer.parent, buffer.depth);
        }
        __syncwarp();
        levels += write_chunk<SOME, LEVELS>(s, c, first, each, kept, buffer);
        __syncwarp();
    }
    if (LEVELS && !s.options.from_source)
        add_to_counts(counts, levels, 0, 0);
    if (!is_last_block(s.work.ticket) || threadIdx.x != 0)
        return;
    if (s.options.from_source && s.options.source != CUDA_NO_VERTEX)
        write_source(s);
    bfs_state now = *s.work.state;
    now.new_levels = __ldcg(&counts->vertices);
    report_state(s, now);
}

/* Bitmap words per chunk: a multiple of four, so that about AT_ONCE of its vertices have a
 * reordered id. */
static unsigned chunk_for(const cuda_graph *g, unsigned most)
{
    const double share = g->numbered ? ((double)g->n + g->tree_vertices) / g->old_n : 1;
    const unsigned words = (unsigned)(AT_ONCE / 32 / share);
    return words < 4 ? 4 : (words < most ? words : most) / 4 * 4;
}

/* Launches as many blocks as are resident at once; their number is queried at the first launch. */
template <unsigned SOME, bool LEVELS, bool USUAL> static cudaError_t write_as(const bfs_params *s)
{
    const size_t room = RESULT_WARPS * sizeof(result_buffer<LEVELS>);
    void (*const kernel)(bfs_params, unsigned) = write_results<SOME, LEVELS, USUAL>;
    static int resident;
    cudaError_t error = cudaSuccess;
    if (resident == 0)
        error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
    if (resident == 0 && error == cudaSuccess)
        error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, RESULT_THREADS, room);
    if (error != cudaSuccess)
        return error;
    const unsigned each = chunk_for(&s->graph, max_words(LEVELS));
    const uint64_t own = 32 * each * RESULT_WARPS, chunks = (s->graph.old_n + own - 1) / own;
    const uint64_t most = (uint64_t)cuda_processors() * (unsigned)resident;
    const unsigned blocks = chunks < 1 ? 1 : (unsigned)(chunks < most ? chunks : most);
    return launch_blocks({blocks, RESULT_THREADS, room}, kernel, *s, each);
}

template <unsigned SOME> static cudaError_t launch_some(const bfs_params *s)
{
    const bool usual =
        s->graph.numbered && s->work.parent_is_first && s->work.parent && s->graph.old_id;
    if (s->result.level.values)
        return usual ? write_as<SOME, true, true>(s) : write_as<SOME, true, false>(s);
    return usual ? write_as<SOME, false, true>(s) : write_as<SOME, false, false>(s);
}

cudaError_t sl_cuda_bfs_write_results(const bfs_params *s)
{
    const bool wide = s->result.parent.values && !s->result.parent.int32;
    return wide ? launch_some<2>(s) : launch_some<4>(s);
}
