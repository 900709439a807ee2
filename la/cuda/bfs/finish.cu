/*
 * The end of a search: what it found, in its own order, becomes entries of the caller's vectors,
 * in a pass over the caller's vertices. Most parents are first neighbours, whose numbers stand
 * in the caller's order in the layout: of those one bit is looked up, and no parent. So it is of
 * vertices of trees that were taken out, which are found if their root is.
 */
#include "frontier.cuh"
#include "search.cuh"

/*
 * A warp goes through the caller's bitmaps by chunks. What has a new_id in a chunk lies together
 * in numbered_new_id and numbered_first: a lane takes ell4 of those at once. Who was not found by the first
 * neighbour is put together and looked up in turn, so that no lane waits for the others' loads.
 * Parents meet the vertices again in shared memory.
 */
enum {
    RESULT_WARPS = RESULT_THREADS / 32,
    ROW = 128,                  /* vertices that a warp takes at once, */
    AT_ONCE = ROW * RESULT_ROWS /* and has under way */
};

/* Words of a chunk at most; fewer with levels, which need as much room again. */
constexpr unsigned most_words(bool levels)
{
    return levels ? RESULT_CHUNK / 2 : RESULT_CHUNK;
}

template <bool LEVELS> struct finish_room {
    static constexpr unsigned room = 32 * most_words(LEVELS) + 8; /* from a multiple of four on */
    uint32_t parent[room];             /* the caller's numbers, or CUDA_NO_VERTEX */
    uint32_t depth[LEVELS ? room : 4]; /* of those found, or CUDA_NO_VERTEX: of one that hangs */
    uint16_t left[AT_ONCE];            /* who was not found by the first neighbour */
};

/* Of a word of the chunk: as in the layout, or in the caller's own order. */
__device__ static uint2 kept_word(const cuda_graph &g, uint64_t w)
{
    const uint64_t first = 32 * w;
    if (first >= g.old_n)
        return uint2{0, g.numbered ? g.n + g.tree_vertices : g.old_n};
    if (g.numbered)
        return __ldcs(g.numbered + w);
    return uint2{first + 32 <= g.old_n ? ~0u : ~(~0u << g.old_n % 32), (uint32_t)first};
}

/* A bit that another pass wrote; here it stays in the first cache. */
__device__ static bool bit_after(const uint32_t *bits, uint32_t v)
{
    return bits[v / 32] >> v % 32 & 1;
}

/* ---- who was found, and by whom ---------------------------------------------------------- */

/* Those of a chunk that have a new_id, by their numbers there: from begin on up to stop. In the
 * room they stand from `base` on, begin or up to three before. */
struct finish_chunk {
    uint32_t begin, stop, base;
};

struct finish_rows {
    uint4 new_id[RESULT_ROWS], first[RESULT_ROWS];
};

/* From `at` on: the places, and the first neighbours; behind the last there is room to read. */
template <bool USUAL>
__device__ static void take_rows(const bfs_params &s, const finish_chunk &c, uint32_t at,
                                 finish_rows *rows)
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

/* Four of a lane: puts their first neighbours into the room if these are their parents, else the
 * places, and notes them in left. */
template <bool USUAL>
__device__ static void look_up_four(const bfs_params &s, const finish_chunk &c, uint32_t e,
                                    uint4 places, uint4 firsts, uint32_t *room, uint16_t *left,
                                    unsigned *count)
{
    const unsigned lower = (1u << threadIdx.x % 32) - 1;
    const uint32_t new_id[] = {places.x, places.y, places.z, places.w};
    uint32_t value[] = {firsts.x, firsts.y, firsts.z, firsts.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const bool there = e + i - c.begin < c.stop - c.begin;
        const bool by_first =
            there && (USUAL || s.by_first) && bit_after(s.by_first, root_of(s.graph, new_id[i]));
        const unsigned others = __ballot_sync(full_warp, there && !by_first);
        if (there && !by_first) {
            left[*count + __popc(others & lower)] = (uint16_t)(e + i - c.base);
            value[i] = new_id[i];
        }
        *count += __popc(others);
    }
    if (e < c.stop)
        *(uint4 *)(room + (e - c.base)) = uint4{value[0], value[1], value[2], value[3]};
}

/* Their places in the room become their parents. */
template <bool USUAL>
__device__ static void look_up_left(const bfs_params &s, const finish_chunk &c, uint32_t *room,
                                    const uint16_t *left, unsigned count)
{
    for (unsigned k = threadIdx.x % 32; k < count; k += 32) {
        const uint32_t at = left[k], new_id = room[at];
        uint32_t parent = CUDA_NO_VERTEX;
        if (bit_after(s.visited, root_of(s.graph, new_id))) {
            const bool searched = !in_tree(s.graph, new_id);
            parent = !searched         ? s.graph.numbered_first[c.base + at]
                     : USUAL || s.from ? s.from[new_id]
                                       : 0;
            if (searched && (USUAL || (s.from && s.graph.old_id)) && parent != CUDA_NO_VERTEX)
                parent = __ldg(s.graph.old_id + parent);
        }
        room[at] = parent;
    }
}

/* The depths of who was found, of the chunk's from `at` on. */
__device__ static void look_up_depths(const bfs_params &s, const finish_chunk &c, uint32_t at,
                                      const uint32_t *parents, uint32_t *depths)
{
    const uint32_t stop = c.stop - at < AT_ONCE ? c.stop : at + AT_ONCE;
#pragma unroll 4
    for (uint32_t e = (at > c.begin ? at : c.begin) + threadIdx.x % 32; e < stop; e += 32) {
        const uint32_t new_id = s.graph.numbered ? s.graph.numbered_new_id[e] : e;
        if (parents[e - c.base] != CUDA_NO_VERTEX)
            depths[e - c.base] = in_tree(s.graph, new_id) ? CUDA_NO_VERTEX : s.depth[new_id];
    }
}

/* The level of the caller's v, which hangs and was found. */
__device__ static uint32_t level_of(const bfs_params &s, uint32_t v)
{
    const uint32_t new_id = place_of(s.graph, v), root = root_of(s.graph, new_id);
    if (root == root_of(s.graph, place_of(s.graph, s.source)))
        return tree_distance(s.graph, s.source, v);
    return s.depth[root] + (new_id & CUDA_DEEP_IN_TREE ? height_of(s.graph, v) : 1);
}

/* ---- what becomes of it ----------------------------------------------------------------- */

/* x of the vertices v, ..., of which `found` wants all that may be written. `whole`: all others may
 * be written too, as there nobody reads them. */
template <unsigned SOME>
__device__ static void write_some(const cuda_integers &to, uint64_t v, const uint32_t *x,
                                  unsigned found, bool whole)
{
    if (whole && SOME == 4 && to.narrow) {
        __stcs((int4 *)((int *)to.values + v),
               make_int4((int)x[0], (int)x[1], (int)x[SOME - 2], (int)x[SOME - 1]));
    } else if (whole && SOME == 2 && !to.narrow) {
        __stcs((longlong2 *)((long long *)to.values + v), make_longlong2(x[0], x[1]));
    } else {
#pragma unroll
        for (unsigned i = 0; i < SOME; i++)
            if (found >> i & 1)
                put_integer(to, v + i, x[i]);
    }
}

template <unsigned SOME>
__device__ static void write_levels(const bfs_params &s, uint64_t v, uint32_t *x,
                                    unsigned found, bool whole)
{
#pragma unroll
    for (unsigned i = 0; i < SOME; i++)
        if (found >> i & 1 && x[i] == CUDA_NO_VERTEX)
            x[i] = level_of(s, (uint32_t)v + i);
    write_some<SOME>(s.level, v, x, found, whole);
}

/* A chunk's words, of which a lane has one, become entries of the caller's vectors, SOME vertices
 * to a lane. Returns the lane's count of new entries of level. */
template <unsigned SOME, bool LEVELS>
__device__ static unsigned write_chunk(const bfs_params &s, const finish_chunk &c,
                                       uint64_t first, unsigned each, uint2 kept,
                                       const finish_room<LEVELS> &room)
{
    constexpr unsigned LANES = 32 / SOME; /* that share a word */
    const cuda_graph &g = s.graph;
    const unsigned lane = threadIdx.x % 32;
    const bool mine = lane < each && first + lane < (g.old_n + 31) / 32;
    const uint32_t held = s.fresh ? 0 : mine ? s.pi[first + lane] : ~0u;
    uint32_t fresh = 0;
    for (unsigned j = 0; j < each; j += SOME) {
        const unsigned word = j + lane / LANES, shift = lane % LANES * SOME;
        const uint32_t bits = __shfl_sync(full_warp, kept.x, word);
        const uint32_t has = s.fresh ? 0 : __shfl_sync(full_warp, held, word) >> shift;
        uint32_t at = __shfl_sync(full_warp, kept.y, word) - c.base;
        at += __popc(bits & ((1u << shift) - 1));
        uint32_t parent[SOME], depth[SOME], found = 0;
#pragma unroll
        for (unsigned i = 0; i < SOME; i++) {
            const bool is = bits >> shift >> i & 1;
            parent[i] = is ? room.parent[at] : CUDA_NO_VERTEX;
            depth[i] = LEVELS && is ? room.depth[at] : 0;
            at += is;
            found |= (unsigned)(!(has >> i & 1) && parent[i] != CUDA_NO_VERTEX) << i;
        }
        if (!__any_sync(full_warp, found))
            continue;
        const uint64_t v = 32 * (first + word) + shift;
        const bool whole = !(has & ((1u << SOME) - 1)) && v + SOME <= g.old_n;
        if (s.parent.values && s.from)
            write_some<SOME>(s.parent, v, parent, found, whole);
        if (LEVELS) /* which may have entries where pi has none */
            write_levels<SOME>(s, v, depth, found, whole && s.fresh);
        if (s.truth && found)
            for (unsigned i = 0; i < SOME; i++)
                if (found >> i & 1)
                    s.truth[v + i] = 1;
        found <<= shift;
#pragma unroll
        for (unsigned apart = 1; apart < LANES; apart *= 2)
            found |= __shfl_xor_sync(full_warp, found, apart);
        const uint32_t own = __shfl_sync(full_warp, found, (lane - j) * LANES % 32);
        fresh = lane - j < SOME ? own : fresh;
    }
    if (!mine || !(fresh || s.fresh))
        return 0;
    s.pi[first + lane] = held | fresh;
    if (!LEVELS)
        return 0;
    const uint32_t old = s.fresh ? 0 : s.level_bits[first + lane];
    s.level_bits[first + lane] = old | fresh;
    return __popc(fresh & ~old);
}

/* ---- the source ------------------------------------------------------------------------- */

/* On the way from a source in a tree up to the root parents are the ones before. */
__device__ static void turn_around(const bfs_params &s)
{
    put_integer(s.parent, s.source, s.source);
    for (uint32_t v = s.source, u; (u = s.graph.tree_parent[v]) != CUDA_NO_VERTEX; v = u)
        put_integer(s.parent, u, v);
}

/* A fresh search's source that has no new_id, as it has no edge, or hangs. By one thread, when all
 * others have written. */
__device__ static void enter_source(const bfs_params &s)
{
    const uint32_t v = s.source, new_id = place_of(s.graph, v);
    if (s.parent.values && in_tree(s.graph, new_id))
        turn_around(s);
    if (new_id != CUDA_NO_VERTEX)
        return;
    atomicOr(s.pi + v / 32, 1u << v % 32);
    if (s.parent.values)
        put_integer(s.parent, v, v);
    if (s.truth)
        s.truth[v] = 1;
    if (s.level.values) {
        atomicOr(s.level_bits + v / 32, 1u << v % 32);
        put_integer(s.level, v, 0);
    }
}

/* ---- all of it -------------------------------------------------------------------------- */

/* USUAL: in a layout, with parents of which first neighbours are noted as bits. */
template <unsigned SOME, bool LEVELS, bool USUAL>
__global__ static void __launch_bounds__(RESULT_THREADS, RESULT_BLOCKS_PER_SM)
    finish(const __grid_constant__ bfs_params s, unsigned each)
{
    extern __shared__ uint4 shared[];
    finish_room<LEVELS> &room = ((finish_room<LEVELS> *)shared)[threadIdx.x / 32];
    if (s.standing->stop != BFS_DONE)
        return; /* which has been reported */
    const count_t began = device_clock();
    const uint64_t words = (s.graph.old_n + 31) / 32, stride = all_threads() / 32 * each;
    const unsigned lane = threadIdx.x % 32, ahead = lane < each ? lane : each;
    bfs_counts *tally = s.tally + TALLIES - 1;
    count_t levels = 0;
    uint64_t first = first_thread() / 32 * each;
    uint2 next = kept_word(s.graph, first + ahead);
    for (; first < words; first += stride) {
        const uint2 kept = uint2{lane < each ? next.x : 0, next.y};
        finish_chunk c;
        c.begin = __shfl_sync(full_warp, kept.y, 0);
        c.stop = __shfl_sync(full_warp, kept.y + __popc(kept.x), each - 1);
        c.base = c.begin & ~3u;
        next = kept_word(s.graph, first + stride + ahead);
        for (uint32_t at = c.base; at < c.stop; at += AT_ONCE) {
            finish_rows rows;
            unsigned left = 0;
            take_rows<USUAL>(s, c, at, &rows);
#pragma unroll
            for (int r = 0; r < RESULT_ROWS; r++)
                if (at + ROW * r < c.stop)
                    look_up_four<USUAL>(s, c, at + ROW * r + 4 * lane, rows.new_id[r], rows.first[r],
                                        room.parent, room.left, &left);
            __syncwarp();
            look_up_left<USUAL>(s, c, room.parent, room.left, left);
            __syncwarp();
            if (LEVELS)
                look_up_depths(s, c, at, room.parent, room.depth);
        }
        __syncwarp();
        levels += write_chunk<SOME, LEVELS>(s, c, first, each, kept, room);
        __syncwarp();
    }
    if (LEVELS && !s.fresh)
        add_tally(tally, levels, 0, 0);
    if (!is_last_block(s.ticket) || threadIdx.x != 0)
        return;
    if (s.fresh)
        enter_source(s);
    bfs_state now = *s.standing;
    now.new_levels = __ldcg(&tally->vertices);
    now.finished = device_clock() - began;
    report(s, now);
}

/* Words of a chunk: such that about as many of its vertices have a new_id as a warp has under
 * way; a multiple of four. */
static unsigned chunk_for(const cuda_graph *g, unsigned most)
{
    const double share = g->numbered ? ((double)g->n + g->tree_vertices) / g->old_n : 1;
    const unsigned words = (unsigned)(AT_ONCE / 32 / share);
    return words < 4 ? 4 : (words < most ? words : most) / 4 * 4;
}

/* Blocks of which a multiprocessor holds all at once, found out at the first launch. */
template <unsigned SOME, bool LEVELS, bool USUAL>
static cudaError_t launch(const bfs_params *s, unsigned multiprocessors, cudaStream_t stream)
{
    const size_t room = RESULT_WARPS * sizeof(finish_room<LEVELS>);
    void (*const kernel)(bfs_params, unsigned) = finish<SOME, LEVELS, USUAL>;
    static int at_once;
    cudaError_t error = cudaSuccess;
    if (at_once == 0)
        error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
    if (at_once == 0 && error == cudaSuccess)
        error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, RESULT_THREADS, room);
    if (error != cudaSuccess)
        return error;
    const unsigned each = chunk_for(&s->graph, most_words(LEVELS));
    const uint64_t own = 32 * each * RESULT_WARPS, chunks = (s->graph.old_n + own - 1) / own;
    const uint64_t most = (uint64_t)multiprocessors * (unsigned)at_once;
    const unsigned blocks = chunks < 1 ? 1 : (unsigned)(chunks < most ? chunks : most);
    kernel<<<blocks, RESULT_THREADS, room, stream>>>(*s, each);
    return cudaGetLastError();
}

template <unsigned SOME>
static cudaError_t launch_some(const bfs_params *s, unsigned multiprocessors,
                               cudaStream_t stream)
{
    const bool usual = s->graph.numbered && s->by_first && s->from && s->graph.old_id;
    if (s->level.values)
        return usual ? launch<SOME, true, true>(s, multiprocessors, stream)
                     : launch<SOME, true, false>(s, multiprocessors, stream);
    return usual ? launch<SOME, false, true>(s, multiprocessors, stream)
                 : launch<SOME, false, false>(s, multiprocessors, stream);
}

cudaError_t sl_cuda_bfs_write_results(const bfs_params *s, unsigned multiprocessors,
                                  cudaStream_t stream)
{
    const bool wide = s->parent.values && !s->parent.narrow;
    return wide ? launch_some<2>(s, multiprocessors, stream)
                : launch_some<4>(s, multiprocessors, stream);
}
