/*
 * The end of a search: what it found, in its own order, becomes entries of the caller's vectors,
 * in a pass over the caller's vertices. Most parents are first neighbours, whose numbers stand
 * in the caller's order in the layout: of those one bit is looked up, and no parent. So it is of
 * vertices of trees that were taken out, which are found if their root is.
 */
#include "frontier.cuh"
#include "search.cuh"

/*
 * A warp goes through the caller's bitmaps by chunks. What has a place in a chunk lies together
 * in kept_place and kept_first: a lane takes four of those at once. Who was not found by the first
 * neighbour is put together and looked up in turn, so that no lane waits for the others' loads.
 * Parents meet the vertices again in shared memory.
 */
enum {
    FINISH_WARPS = FINISH_THREADS / 32,
    ROW = 128,                  /* vertices that a warp takes at once, */
    AT_ONCE = ROW * FINISH_ROWS /* and has under way */
};

/* Words of a chunk at most; fewer with levels, which need as much room again. */
constexpr unsigned most_words(bool levels)
{
    return levels ? FINISH_CHUNK / 2 : FINISH_CHUNK;
}

template <bool LEVELS> struct finish_room {
    static constexpr unsigned room = 32 * most_words(LEVELS) + 8; /* from a multiple of four on */
    uint32_t parent[room];             /* the caller's numbers, or CUDA_NOWHERE */
    uint32_t depth[LEVELS ? room : 4]; /* of those found, or CUDA_NOWHERE: of one that hangs */
    uint16_t left[AT_ONCE];            /* who was not found by the first neighbour */
};

/* Of a word of the chunk: as in the layout, or in the caller's own order. */
__device__ static uint2 kept_word(const cuda_adjacency &g, uint64_t w)
{
    const uint64_t first = 32 * w;
    if (first >= g.callers)
        return uint2{0, g.kept ? g.n + g.trees : g.callers};
    if (g.kept)
        return __ldcs(g.kept + w);
    return uint2{first + 32 <= g.callers ? ~0u : ~(~0u << g.callers % 32), (uint32_t)first};
}

/* A bit that another pass wrote; here it stays in the first cache. */
__device__ static bool bit_after(const uint32_t *bits, uint32_t v)
{
    return bits[v / 32] >> v % 32 & 1;
}

/* ---- who was found, and by whom ---------------------------------------------------------- */

/* Those of a chunk that have a place, by their numbers there: from begin on up to stop. In the
 * room they stand from `base` on, begin or up to three before. */
struct finish_chunk {
    uint32_t begin, stop, base;
};

struct finish_rows {
    uint4 place[FINISH_ROWS], first[FINISH_ROWS];
};

/* From `at` on: the places, and the first neighbours; behind the last there is room to read. */
template <bool USUAL>
__device__ static void take_rows(const cuda_persistent &s, const finish_chunk &c, uint32_t at,
                                 finish_rows *rows)
{
    const cuda_adjacency &g = s.graph;
    const uint32_t own = at + 4 * (threadIdx.x % 32);
#pragma unroll
    for (int r = 0; r < FINISH_ROWS; r++) {
        const uint32_t e = own + ROW * r;
        if (e >= c.stop)
            continue;
        rows->place[r] = USUAL || g.kept ? __ldcs((const uint4 *)(g.kept_place + e))
                                         : uint4{e, e + 1, e + 2, e + 3};
        if (USUAL || g.kept_first)
            rows->first[r] = __ldcs((const uint4 *)(g.kept_first + e));
    }
}

/* Four of a lane: puts their first neighbours into the room if these are their parents, else the
 * places, and notes them in left. */
template <bool USUAL>
__device__ static void look_up_four(const cuda_persistent &s, const finish_chunk &c, uint32_t e,
                                    uint4 places, uint4 firsts, uint32_t *room, uint16_t *left,
                                    unsigned *count)
{
    const unsigned lower = (1u << threadIdx.x % 32) - 1;
    const uint32_t place[] = {places.x, places.y, places.z, places.w};
    uint32_t value[] = {firsts.x, firsts.y, firsts.z, firsts.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const bool there = e + i - c.begin < c.stop - c.begin;
        const bool by_first =
            there && (USUAL || s.by_first) && bit_after(s.by_first, root_of(s.graph, place[i]));
        const unsigned others = __ballot_sync(full_warp, there && !by_first);
        if (there && !by_first) {
            left[*count + __popc(others & lower)] = (uint16_t)(e + i - c.base);
            value[i] = place[i];
        }
        *count += __popc(others);
    }
    if (e < c.stop)
        *(uint4 *)(room + (e - c.base)) = uint4{value[0], value[1], value[2], value[3]};
}

/* Their places in the room become their parents. */
template <bool USUAL>
__device__ static void look_up_left(const cuda_persistent &s, const finish_chunk &c, uint32_t *room,
                                    const uint16_t *left, unsigned count)
{
    for (unsigned k = threadIdx.x % 32; k < count; k += 32) {
        const uint32_t at = left[k], place = room[at];
        uint32_t parent = CUDA_NOWHERE;
        if (bit_after(s.visited, root_of(s.graph, place))) {
            const bool searched = !hangs(s.graph, place);
            parent = !searched         ? s.graph.kept_first[c.base + at]
                     : USUAL || s.from ? s.from[place]
                                       : 0;
            if (searched && (USUAL || (s.from && s.graph.label)) && parent != CUDA_NOWHERE)
                parent = __ldg(s.graph.label + parent);
        }
        room[at] = parent;
    }
}

/* The depths of who was found, of the chunk's from `at` on. */
__device__ static void look_up_depths(const cuda_persistent &s, const finish_chunk &c, uint32_t at,
                                      const uint32_t *parents, uint32_t *depths)
{
    const uint32_t stop = c.stop - at < AT_ONCE ? c.stop : at + AT_ONCE;
#pragma unroll 4
    for (uint32_t e = (at > c.begin ? at : c.begin) + threadIdx.x % 32; e < stop; e += 32) {
        const uint32_t place = s.graph.kept ? s.graph.kept_place[e] : e;
        if (parents[e - c.base] != CUDA_NOWHERE)
            depths[e - c.base] = hangs(s.graph, place) ? CUDA_NOWHERE : s.depth[place];
    }
}

/* The level of the caller's v, which hangs and was found. */
__device__ static uint32_t level_of(const cuda_persistent &s, uint32_t v)
{
    const uint32_t place = place_of(s.graph, v), root = root_of(s.graph, place);
    if (root == root_of(s.graph, place_of(s.graph, s.source)))
        return steps_between(s.graph, s.source, v);
    return s.depth[root] + (place & CUDA_FAR ? height_of(s.graph, v) : 1);
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
__device__ static void write_levels(const cuda_persistent &s, uint64_t v, uint32_t *x,
                                    unsigned found, bool whole)
{
#pragma unroll
    for (unsigned i = 0; i < SOME; i++)
        if (found >> i & 1 && x[i] == CUDA_NOWHERE)
            x[i] = level_of(s, (uint32_t)v + i);
    write_some<SOME>(s.level, v, x, found, whole);
}

/* A chunk's words, of which a lane has one, become entries of the caller's vectors, SOME vertices
 * to a lane. Returns the lane's count of new entries of level. */
template <unsigned SOME, bool LEVELS>
__device__ static unsigned write_chunk(const cuda_persistent &s, const finish_chunk &c,
                                       uint64_t first, unsigned each, uint2 kept,
                                       const finish_room<LEVELS> &room)
{
    constexpr unsigned LANES = 32 / SOME; /* that share a word */
    const cuda_adjacency &g = s.graph;
    const unsigned lane = threadIdx.x % 32;
    const bool mine = lane < each && first + lane < (g.callers + 31) / 32;
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
            parent[i] = is ? room.parent[at] : CUDA_NOWHERE;
            depth[i] = LEVELS && is ? room.depth[at] : 0;
            at += is;
            found |= (unsigned)(!(has >> i & 1) && parent[i] != CUDA_NOWHERE) << i;
        }
        if (!__any_sync(full_warp, found))
            continue;
        const uint64_t v = 32 * (first + word) + shift;
        const bool whole = !(has & ((1u << SOME) - 1)) && v + SOME <= g.callers;
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
__device__ static void turn_around(const cuda_persistent &s)
{
    put_integer(s.parent, s.source, s.source);
    for (uint32_t v = s.source, u; (u = s.graph.up[v]) != CUDA_NOWHERE; v = u)
        put_integer(s.parent, u, v);
}

/* A fresh search's source that has no place, as it has no edge, or hangs. By one thread, when all
 * others have written. */
__device__ static void enter_source(const cuda_persistent &s)
{
    const uint32_t v = s.source, place = place_of(s.graph, v);
    if (s.parent.values && hangs(s.graph, place))
        turn_around(s);
    if (place != CUDA_NOWHERE)
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
__global__ static void __launch_bounds__(FINISH_THREADS, FINISH_BLOCKS_PER_SM)
    finish(const __grid_constant__ cuda_persistent s, unsigned each)
{
    extern __shared__ uint4 shared[];
    finish_room<LEVELS> &room = ((finish_room<LEVELS> *)shared)[threadIdx.x / 32];
    if (s.standing->stop != CUDA_SEARCHED)
        return; /* which has been reported */
    const count_t began = device_clock();
    const uint64_t words = (s.graph.callers + 31) / 32, stride = all_threads() / 32 * each;
    const unsigned lane = threadIdx.x % 32, ahead = lane < each ? lane : each;
    cuda_tally *tally = s.tally + TALLIES - 1;
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
            for (int r = 0; r < FINISH_ROWS; r++)
                if (at + ROW * r < c.stop)
                    look_up_four<USUAL>(s, c, at + ROW * r + 4 * lane, rows.place[r], rows.first[r],
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
    cuda_standing now = *s.standing;
    now.new_levels = __ldcg(&tally->vertices);
    now.finished = device_clock() - began;
    report(s, now);
}

/* Words of a chunk: such that about as many of its vertices have a place as a warp has under
 * way; a multiple of four. */
static unsigned chunk_for(const cuda_adjacency *g, unsigned most)
{
    const double share = g->kept ? ((double)g->n + g->trees) / g->callers : 1;
    const unsigned words = (unsigned)(AT_ONCE / 32 / share);
    return words < 4 ? 4 : (words < most ? words : most) / 4 * 4;
}

/* Blocks of which a multiprocessor holds all at once, found out at the first launch. */
template <unsigned SOME, bool LEVELS, bool USUAL>
static cudaError_t launch(const cuda_persistent *s, unsigned multiprocessors, cudaStream_t stream)
{
    const size_t room = FINISH_WARPS * sizeof(finish_room<LEVELS>);
    void (*const kernel)(cuda_persistent, unsigned) = finish<SOME, LEVELS, USUAL>;
    static int at_once;
    cudaError_t error = cudaSuccess;
    if (at_once == 0)
        error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)room);
    if (at_once == 0 && error == cudaSuccess)
        error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, kernel, FINISH_THREADS, room);
    if (error != cudaSuccess)
        return error;
    const unsigned each = chunk_for(&s->graph, most_words(LEVELS));
    const uint64_t own = 32 * each * FINISH_WARPS, chunks = (s->graph.callers + own - 1) / own;
    const uint64_t most = (uint64_t)multiprocessors * (unsigned)at_once;
    const unsigned blocks = chunks < 1 ? 1 : (unsigned)(chunks < most ? chunks : most);
    kernel<<<blocks, FINISH_THREADS, room, stream>>>(*s, each);
    return cudaGetLastError();
}

template <unsigned SOME>
static cudaError_t launch_some(const cuda_persistent *s, unsigned multiprocessors,
                               cudaStream_t stream)
{
    const bool usual = s->graph.kept && s->by_first && s->from && s->graph.label;
    if (s->level.values)
        return usual ? launch<SOME, true, true>(s, multiprocessors, stream)
                     : launch<SOME, true, false>(s, multiprocessors, stream);
    return usual ? launch<SOME, false, true>(s, multiprocessors, stream)
                 : launch<SOME, false, false>(s, multiprocessors, stream);
}

cudaError_t sl_cuda_finish_search(const cuda_persistent *s, unsigned multiprocessors,
                                  cudaStream_t stream)
{
    const bool wide = s->parent.values && !s->parent.narrow;
    return wide ? launch_some<2>(s, multiprocessors, stream)
                : launch_some<4>(s, multiprocessors, stream);
}
