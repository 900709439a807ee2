/*
 * The end of a search: what it found, in its own order, becomes entries of the caller's vectors,
 * in a pass over the caller's vertices. Most parents are first neighbours, whose numbers stand
 * in the caller's order in the layout: of those one bit is looked up, and no parent. So it is of
 * vertices of trees that were taken out, which are found if their root is.
 */
#include "frontier.cuh"
#include "search.cuh"

/*
 * A block goes through the caller's bitmaps by chunks. What has a place in a chunk lies together
 * in kept_place and kept_first, and is shared by the threads; parents meet the vertices again
 * in shared memory. Places of a chunk are on their way while the one before is written.
 */
enum {
    CHUNK_VERTICES = 32 * FINISH_CHUNK,
    AT_ONCE = FINISH_THREADS * FINISH_EACH, /* vertices that a block has under way */
    FINISH_WARPS = FINISH_THREADS / 32
};

struct finish_block {
    uint32_t parent[2][CHUNK_VERTICES]; /* the caller's numbers, or CUDA_NOWHERE, in turns */
    uint2 kept[3][FINISH_CHUNK];        /* as in the layout */
};

/* A chunk's vertices that a thread has under way. */
struct finish_piece {
    uint32_t place[FINISH_EACH], parent[FINISH_EACH];
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

/* How many of a chunk's vertices have a place. */
__device__ static uint32_t count_of(const uint2 *kept, unsigned words)
{
    return kept[words - 1].y + __popc(kept[words - 1].x) - kept[0].y;
}

/* Where the chunk's vertices from `done` on are, and their first neighbours in place of their
 * parents. */
__device__ static void take_piece(const cuda_persistent &s, const uint2 *kept, unsigned words,
                                  uint32_t done, finish_piece *p)
{
    const cuda_adjacency &g = s.graph;
    const uint32_t stop = kept[0].y + count_of(kept, words);
    const uint32_t first = kept[0].y + done + threadIdx.x;
#pragma unroll
    for (int k = 0; k < FINISH_EACH; k++) {
        const uint32_t at = first + k * FINISH_THREADS;
        p->place[k] = at >= stop ? CUDA_NOWHERE : g.kept ? __ldcs(g.kept_place + at) : at;
        if (s.by_first || g.up)
            p->parent[k] = at < stop ? __ldcs(g.kept_first + at) : CUDA_NOWHERE;
    }
}

/* A bit that another pass wrote; here it stays in the first cache. */
__device__ static bool bit_after(const uint32_t *bits, uint32_t v)
{
    return bits[v / 32] >> v % 32 & 1;
}

/* Who was found, and by whom. */
__device__ static void look_up_piece(const cuda_persistent &s, finish_piece *p)
{
    unsigned other = 0; /* who was found, but not by the first neighbour */
#pragma unroll
    for (int k = 0; k < FINISH_EACH; k++) {
        const uint32_t v = p->place[k];
        const bool there = v != CUDA_NOWHERE;
        const uint32_t root = root_of(s.graph, v);
        const bool found = there && bit_after(s.visited, root);
        const bool by_first = there && s.by_first && bit_after(s.by_first, root);
        const bool first = found && (by_first || hangs(s.graph, v));
        if (!first)
            p->parent[k] = found && !s.from ? 0 : CUDA_NOWHERE;
        other |= (unsigned)(found && !first && s.from) << k;
    }
#pragma unroll
    for (int k = 0; k < FINISH_EACH; k++)
        if (other >> k & 1)
            p->parent[k] = s.from[p->place[k]];
    if (s.graph.label)
#pragma unroll
        for (int k = 0; k < FINISH_EACH; k++)
            if (other >> k & 1 && p->parent[k] != CUDA_NOWHERE)
                p->parent[k] = __ldg(s.graph.label + p->parent[k]);
}

/* The level of the caller's v, which was found. */
__device__ static uint32_t level_of(const cuda_persistent &s, uint32_t v, uint32_t place)
{
    if (!hangs(s.graph, place))
        return s.depth[place];
    const uint32_t root = root_of(s.graph, place);
    if (root == root_of(s.graph, place_of(s.graph, s.source)))
        return steps_between(s.graph, s.source, v);
    return s.depth[root] + (place & CUDA_FAR ? height_of(s.graph, v) : 1);
}

/* A warp's words of a chunk become entries of the caller's vectors. Values are written wherever pi
 * had none, whole sectors at a time: where there is no entry nobody reads them. Returns the
 * lane's count of new entries of level. */
__device__ static unsigned write_words(const cuda_persistent &s, uint64_t first, unsigned chunk,
                                       const uint2 *kept, const uint32_t *parents)
{
    const cuda_adjacency &g = s.graph;
    const uint32_t words = (g.callers + 31) / 32, lane = threadIdx.x % 32;
    const uint32_t each = chunk / FINISH_WARPS;
    const uint32_t own = threadIdx.x / 32 * each, begin = kept[0].y;
    const uint64_t word = first + own + lane;
    const bool mine = lane < each && word < words; /* a word of the bitmaps */
    const uint32_t held = s.fresh ? 0 : mine ? s.pi[word] : ~0u;
    uint32_t fresh = 0;
#pragma unroll 4
    for (unsigned j = 0; j < each; j++) {
        const uint64_t v = 32 * (first + own + j) + lane;
        const uint2 k = kept[own + j];
        const uint32_t at = k.y + __popc(k.x & ((1u << lane) - 1));
        const uint32_t parent = k.x >> lane & 1 ? parents[at - begin] : CUDA_NOWHERE;
        const bool has = __shfl_sync(full_warp, held, j) >> lane & 1;
        const uint32_t found = __ballot_sync(full_warp, !has && parent != CUDA_NOWHERE);
        if (!found)
            continue;
        fresh = lane == j ? found : fresh;
        if (!has && v < g.callers) {
            if (s.parent.values && s.from)
                put_integer(s.parent, v, parent);
            if (s.truth)
                s.truth[v] = 1;
        }
        if (s.level.values && found >> lane & 1)
            put_integer(s.level, v,
                        level_of(s, (uint32_t)v, g.kept ? g.kept_place[at] : (uint32_t)v));
    }
    if (!mine || !(fresh || s.fresh))
        return 0;
    s.pi[word] = held | fresh;
    if (!s.level.values)
        return 0;
    const uint32_t old = s.fresh ? 0 : s.level_bits[word];
    s.level_bits[word] = old | fresh;
    return __popc(fresh & ~old);
}

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

__global__ static void __launch_bounds__(FINISH_THREADS, FINISH_BLOCKS_PER_SM)
    finish(const __grid_constant__ cuda_persistent s, unsigned chunk)
{
    extern __shared__ uint4 shared[];
    finish_block &b = *(finish_block *)shared;
    if (s.standing->stop != CUDA_SEARCHED)
        return; /* which has been reported */
    const count_t began = device_clock();
    const uint64_t words = (s.graph.callers + 31) / 32, stride = (uint64_t)gridDim.x * chunk;
    const unsigned t = threadIdx.x;
    cuda_tally *tally = s.tally + TALLIES - 1;
    count_t levels = 0;
    uint64_t first = (uint64_t)blockIdx.x * chunk;
    finish_piece p;
    if (t < chunk)
        b.kept[0][t] = kept_word(s.graph, first + t);
    __syncthreads();
    take_piece(s, b.kept[0], chunk, 0, &p);
    for (unsigned turn = 0; first < words; first += stride, turn++) {
        const uint2 *kept = b.kept[turn % 3];
        uint2 *next = b.kept[(turn + 1) % 3];
        uint32_t *parents = b.parent[turn % 2];
        const uint32_t count = count_of(kept, chunk);
        uint2 next_word;
        if (t < chunk)
            next_word = kept_word(s.graph, first + stride + t);
        for (uint32_t done = 0;; take_piece(s, kept, chunk, done, &p)) {
            look_up_piece(s, &p);
#pragma unroll
            for (int k = 0; k < FINISH_EACH; k++)
                if (p.place[k] != CUDA_NOWHERE)
                    parents[done + k * FINISH_THREADS + t] = p.parent[k];
            done += AT_ONCE;
            if (done >= count)
                break;
        }
        if (t < chunk)
            next[t] = next_word;
        __syncthreads();
        take_piece(s, next, chunk, 0, &p);
        levels += write_words(s, first, chunk, kept, parents);
    }
    if (s.level.values && !s.fresh)
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

/* Words of a chunk: such that about as many of its vertices have a place as a block has under
 * way. */
static unsigned chunk_for(const cuda_adjacency *g)
{
    const double share = g->kept ? ((double)g->n + g->trees) / g->callers : 1;
    const unsigned words = (unsigned)(0.96 * AT_ONCE / 32 / share) / FINISH_WARPS * FINISH_WARPS;
    return words < FINISH_WARPS ? FINISH_WARPS : words < FINISH_CHUNK ? words : FINISH_CHUNK;
}

cudaError_t sl_cuda_finish_search(const cuda_persistent *s, unsigned multiprocessors,
                                  cudaStream_t stream)
{
    static const cudaError_t error = cudaFuncSetAttribute(
        finish, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(finish_block));
    if (error != cudaSuccess)
        return error;
    const unsigned chunk = chunk_for(&s->graph);
    const uint64_t chunks = ((uint64_t)s->graph.callers + 32 * chunk - 1) / (32 * chunk);
    const uint64_t most = (uint64_t)multiprocessors * FINISH_BLOCKS_PER_SM;
    const unsigned blocks = chunks < 1 ? 1 : (unsigned)(chunks < most ? chunks : most);
    finish<<<blocks, FINISH_THREADS, sizeof(finish_block), stream>>>(*s, chunk);
    return cudaGetLastError();
}
