/*
 * A direction-optimising breadth-first search over several devices. Each has all edges into its
 * own vertices, so that both ways of a step look at own targets alone and need one thing of the
 * others: the frontier, as bits for a pull, as a list for a push. It is the only thing that travels
 * (the expand of Bisson, Bernaschi, Mastrostefano 2014, on a grid of one column, where there is
 * nothing to fold); parents stay with their owners.
 *
 * Between devices that reach each other's memory it is one launch on each (direct access as
 * in Mitsuishi, Suzuki, Matsuoka 2016, 5.2): finds are written into the others' memory, a line
 * at a time, and a letter of each tells the others that they are there. Else the launch ends where
 * something has to travel, the host sees to that, and the next one goes on.
 */
#include "search_passes.cuh"
#include "search_pull.cuh"
#include "search_push.cuh"
#include "team_end.cuh"
#include "team_kernels.h"

struct team_state {
    block_state b;
    cuda_team_standing t; /* all but `now`, which is b.now */
    cuda_letter of[TEAM_MOST];
    unsigned lost;
};

/* ---- between devices --------------------------------------------------------------------- */

__device__ static void store_release(unsigned long long *to, unsigned long long value)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
#else
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
#endif
}

__device__ static unsigned long long load_acquire(const unsigned long long *from)
{
    unsigned long long value;
#ifdef __CUDA_ARCH__
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
#else
    value = __atomic_load_n(from, __ATOMIC_ACQUIRE);
#endif
    return value;
}

__device__ static cuda_letter *letter_of(const cuda_team_search &s, uint32_t at, uint32_t from,
                                         count_t round)
{
    return (cuda_letter *)s.peer[at] + round % 2 * s.size + from;
}

/* One thread of the first block to each rank: tells it, and waits for what it tells. */
__device__ static void correspond(const cuda_team_search &s, const team_state *t)
{
    const uint32_t q = threadIdx.x;
    const count_t round = t->t.round;
    if (q >= s.size)
        return;
    cuda_letter *to = letter_of(s, q, s.rank, round);
    for (int k = 0; k < LETTER_LENGTH; k++)
        ((volatile unsigned long long *)to->part)[k] = t->t.own.part[k];
    __threadfence_system();
    store_release(&to->round, round + 1);
    const cuda_letter *from = letter_of(s, s.rank, q, round);
    const count_t began = device_clock();
    while (load_acquire(&from->round) != round + 1) {
        __nanosleep(20);
        if (device_clock() - began > s.patience) {
            s.standing->stage = TEAM_LOST;
            return;
        }
    }
}

/*
 * A barrier of all devices; what was written before it is seen by all after it. Each block then has
 * everybody's letter. Where the host carries letters it has done so before this launch.
 */
__device__ static bool meet(const cuda_team_search &s, team_state *t)
{
    if (s.direct) {
        __threadfence_system();
        cooperative_groups::this_grid().sync();
        if (blockIdx.x == 0)
            correspond(s, t);
        cooperative_groups::this_grid().sync();
    }
    if (threadIdx.x < s.size) {
        const cuda_letter *letter = letter_of(s, s.rank, threadIdx.x, t->t.round);
        for (int k = 0; k < LETTER_LENGTH; k++)
            t->of[threadIdx.x].part[k] = __ldcg(letter->part + k);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        t->lost = *(volatile cuda_team_stage *)&s.standing->stage == TEAM_LOST;
        t->t.round++;
        t->t.letters += s.size - 1;
    }
    __syncthreads();
    return !t->lost;
}

/* ---- what was found goes out, and what comes is made a frontier --------------------------- */

__device__ static uint32_t id_of(const cuda_team_search &s, uint32_t place, uint32_t rank)
{
    return (place / TEAM_LINE * s.size + rank) * TEAM_LINE + place % TEAM_LINE;
}

__device__ static uint32_t *lists_of(const cuda_team_search &s, uint32_t at)
{
    return (uint32_t *)(s.peer[at] + s.block.lists);
}

/* What was found as a list, straight into everybody's room for it. */
__device__ static void send_list(const cuda_team_search &s, cuda_tally *tally)
{
    const uint32_t words = s.own.words;
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t bits = w < words ? __ldcg(s.own.found + w) : 0;
        count_t at, sum;
        if (!__any_sync(full_warp, bits))
            continue;
        reserve(tally, __popc(bits), 0, &at, &sum);
        for (uint32_t left = bits; left; left &= left - 1, at++) {
            uint32_t id = id_of(s, 32 * w + __ffs(left) - 1, s.rank);
            if (!s.direct)
                s.mine[at] = id;
            for (uint32_t k = 0; s.direct && k < s.size; k++)
                lists_of(s, k)[(uint64_t)s.rank * s.block.room + at] = id;
        }
    }
}

/* The same as bits, lines in turns with the other ranks'. */
__device__ static void send_bits(const cuda_team_search &s)
{
    const uint32_t groups = s.own.words / 4, line = TEAM_LINE / 128;
    for (uint64_t g = first_thread(); g < groups; g += all_threads()) {
        uint4 bits = four(s.own.found, g);
        uint64_t to = (g / line * s.size + s.rank) * line + g % line;
        for (uint32_t k = 1; k <= s.size; k++) {
            uint32_t q = s.rank + k < s.size ? s.rank + k : s.rank + k - s.size;
            ((uint4 *)(s.peer[q] + s.block.front))[to] = bits;
        }
    }
}

/* What the host brought as bits. */
__device__ static void take_bits(const cuda_team_search &s, uint32_t *front)
{
    const uint32_t groups = s.block.words / 4, line = TEAM_LINE / 128;
    for (uint64_t g = first_thread(); g < groups; g += all_threads()) {
        uint64_t from = g / line / s.size * line + g % line;
        ((uint4 *)front)[g] = ((const uint4 *)s.arrived)[g / line % s.size * (s.chunk / 4) + from];
    }
}

/* Entry number k of all lists. */
__device__ static uint32_t listed(const cuda_team_search &s, const team_state *t, count_t k)
{
    uint32_t q = 0;
    for (; k >= t->of[q].part[LETTER_VERTICES]; q++)
        k -= t->of[q].part[LETTER_VERTICES];
    uint32_t entry = __ldcg(s.direct ? lists_of(s, s.rank) + (uint64_t)q * s.block.room + k
                                     : s.arrived + (uint64_t)q * s.chunk + k);
    return s.coded ? id_of(s, entry, q) : entry;
}

__device__ static void set_listed(const cuda_team_search &s, const team_state *t, uint32_t *front)
{
    for (count_t k = first_thread(); k < t->b.now.count; k += all_threads()) {
        uint32_t u = listed(s, t, k);
        atomicOr(front + u / 32, 1u << u % 32);
    }
}

/* The queue of a push: of what came as lists those that have edges here. */
template <typename Offset>
__device__ static void queue_listed(const cuda_team_search &s, const team_state *t,
                                    cuda_tally *tally)
{
    const count_t all = t->b.now.count;
    for (count_t first = first_thread() / 32 * 32; first < all; first += all_threads()) {
        count_t k = first + threadIdx.x % 32, at, sum;
        uint32_t u = k < all ? listed(s, t, k) : 0;
        Offset degree = k < all ? degree_of<Offset>(s.own.graph, u) : 0;
        reserve(tally, degree > 0, degree, &at, &sum);
        if (degree > 0) {
            s.own.queue[at] = u;
            s.own.ends[at] = sum + degree;
        }
    }
}

/* ---- steps ---------------------------------------------------------------------------------- */

template <typename Offset, bool SLOTTED>
__device__ static cuda_tally *pull_step(const cuda_team_search &s, team_state *t, cuda_tally *tally)
{
    uint32_t *front = (uint32_t *)(s.peer[s.rank] + s.block.front);
    if (t->t.listed) {
        for (uint64_t g = first_thread(); g < s.block.words / 4; g += all_threads())
            ((uint4 *)front)[g] = uint4{};
        cooperative_groups::this_grid().sync();
        set_listed(s, t, front);
        cooperative_groups::this_grid().sync();
    } else if (!s.direct) {
        take_bits(s, front);
        cooperative_groups::this_grid().sync();
    }
    pull<Offset, SLOTTED>(s.own, &t->b, front, s.own.found, tally);
    tally = turn(s.own, &t->b);
    if (threadIdx.x == 0)
        t->t.own.part[LETTER_SEEN] = t->b.last.seen;
    return tally;
}

template <typename Offset>
__device__ static cuda_tally *push_step(const cuda_team_search &s, team_state *t, cuda_tally *tally)
{
    uint32_t *front = (uint32_t *)(s.peer[s.rank] + s.block.front);
    for (uint64_t g = first_thread(); g < s.own.words / 4; g += all_threads())
        ((uint4 *)s.own.before)[g] = four(s.own.visited, g);
    if (t->t.listed) {
        queue_listed<Offset>(s, t, tally);
    } else {
        if (!s.direct) {
            take_bits(s, front);
            cooperative_groups::this_grid().sync();
        }
        list<Offset>(s.own, front, s.block.words, 0, tally);
    }
    tally = turn(s.own, &t->b);
    if (threadIdx.x == 0) {
        t->b.now.head = 0;
        t->b.now.tail = listed_vertices(t->b.last);
        t->b.now.edges = t->t.own.part[LETTER_SEEN] = listed_edges(t->b.last);
    }
    __syncthreads();
    push<Offset, false>(s.own, t->b.now, tally);
    tally = turn(s.own, &t->b);
    derive<Offset>(s.own, s.own.found, tally);
    return turn(s.own, &t->b);
}

template <typename Offset, bool SLOTTED>
__device__ static cuda_tally *step(const cuda_team_search &s, team_state *t, cuda_tally *tally)
{
    tally =
        t->b.now.pulling ? pull_step<Offset, SLOTTED>(s, t, tally) : push_step<Offset>(s, t, tally);
    if (threadIdx.x == 0) {
        t->b.now.steps++;
        t->b.now.entries += t->b.last.vertices;
        t->t.own.part[LETTER_VERTICES] = t->b.last.vertices;
        t->t.own.part[LETTER_EDGES] = t->b.last.edges;
    }
    return tally;
}

/* ---- beginning and end ------------------------------------------------------------------------
 */

/* pi is visited; q is what was found last. Tallies as begin()'s, of q those of `listed`. */
template <typename Offset>
__device__ static void begin_part(const cuda_team_search &s, cuda_tally *tally)
{
    const cuda_persistent &own = s.own;
    const cuda_adjacency &g = own.graph;
    const Offset *in = (const Offset *)g.in_start;
    const uint32_t words = (g.callers + 31) / 32;
    count_t vertices = 0, edges = 0, entries = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t settled = own.pi[w], starts_here = own.q[w];
        entries += __popc(settled) + ((count_t)__popc(starts_here & ~settled) << ENTRY_BITS);
        for (uint32_t left = settled; left; left &= left - 1) {
            uint32_t p = g.place[32 * w + __ffs(left) - 1];
            if (p == CUDA_NOWHERE)
                continue;
            atomicOr(own.visited + p / 32, 1u << p % 32);
            if (own.from)
                own.from[p] = CUDA_NOWHERE;
            vertices++;
            edges += in[p + 1] - in[p];
        }
        for (uint32_t left = starts_here; left; left &= left - 1) {
            uint32_t u = s.id[32 * w + __ffs(left) - 1];
            if (u == CUDA_NOWHERE) {
                atomicAdd(&s.standing->own.part[LETTER_LONELY], 1ull);
                continue;
            }
            uint32_t p = u / TEAM_LINE / s.size * TEAM_LINE + u % TEAM_LINE;
            atomicOr(own.found + p / 32, 1u << p % 32);
            count_t degree = p < g.n ? in[p + 1] - in[p] : 0;
            atomicAdd(&tally->listed, ((count_t)1 << LIST_EDGE_BITS) + degree);
        }
    }
    add_tally(tally, vertices, edges, entries);
}

template <typename Offset>
__device__ static cuda_tally *start(const cuda_team_search &s, team_state *t)
{
    clear(s.own);
    for (uint64_t w = first_thread(); w < s.own.words; w += all_threads())
        s.own.found[w] = 0;
    cuda_tally *tally = turn(s.own, &t->b);
    begin_part<Offset>(s, tally);
    tally = turn(s.own, &t->b);
    if (threadIdx.x == 0) {
        const count_t entries = ((count_t)1 << ENTRY_BITS) - 1;
        const cuda_tally &last = t->b.last;
        t->b.now.entries = last.seen & entries;
        t->t.began = device_clock();
        t->b.now.missing = s.vertices;
        t->b.now.missing_edges = s.edges;
        t->t.own.part[LETTER_VERTICES] = listed_vertices(last);
        t->t.own.part[LETTER_EDGES] = listed_edges(last);
        t->t.own.part[LETTER_SETTLED] = last.vertices;
        t->t.own.part[LETTER_SETTLED_EDGES] = last.edges;
        t->t.own.part[LETTER_REFUSED] = last.seen >> ENTRY_BITS;
        t->t.own.part[LETTER_LONELY] = __ldcg(&s.standing->own.part[LETTER_LONELY]);
    }
    return tally;
}

/* ---- decisions --------------------------------------------------------------------------------
 */

__device__ static void record_step(const cuda_team_search &s, team_state *t, count_t frontier,
                                   count_t seen)
{
    cuda_standing *now = &t->b.now;
    if (first_thread() == 0)
        s.own.steps[now->recorded] =
            cuda_search_step{frontier, seen, device_clock() - t->t.began, now->pulling};
    now->recorded++;
}

/* What everybody found. The step under way is over. */
__device__ static void account(const cuda_team_search &s, team_state *t)
{
    cuda_standing *now = &t->b.now;
    count_t sum[LETTER_LENGTH] = {}, most = 0;
    for (uint32_t q = 0; q < s.size; q++) {
        for (int k = 0; k < LETTER_LENGTH; k++)
            sum[k] += t->of[q].part[k];
        count_t found = t->of[q].part[LETTER_VERTICES];
        most = found > most ? found : most;
    }
    if (now->steps > 0) {
        record_step(s, t, now->count + (now->steps == 1 ? sum[LETTER_LONELY] : 0),
                    sum[LETTER_SEEN]);
        now->missing = less(now->missing, sum[LETTER_VERTICES]);
        now->missing_edges = less(now->missing_edges, sum[LETTER_EDGES]);
    } else {
        now->missing = less(now->missing, sum[LETTER_SETTLED]);
        now->missing_edges = less(now->missing_edges, sum[LETTER_SETTLED_EDGES]);
        if (sum[LETTER_VERTICES] == 0 && sum[LETTER_LONELY] > 0 && s.own.most > 0) {
            now->steps++; /* which finds nothing */
            record_step(s, t, sum[LETTER_LONELY], 0);
        }
    }
    now->count = sum[LETTER_VERTICES];
    now->edges = sum[LETTER_EDGES];
    now->stop = sum[LETTER_REFUSED] ? CUDA_OUTSIDE : CUDA_GOES_ON;
    t->t.most = (unsigned)most;
    t->t.listed = most <= s.block.room;
}

/* As the search of one device does; each rank looks up every row of a push's frontier, which are
 * not counted beyond CUDA_SEARCHED_VERTICES. */
__device__ static bool pulls(const cuda_team_search &s, const cuda_standing &now)
{
    const cuda_policy &policy = s.own.policy;
    if (now.count > CUDA_SEARCHED_VERTICES)
        return true;
    if (s.own.direction)
        return s.own.direction == 2;
    double push = (double)now.edges, most = (double)now.missing_edges;
    if (policy.alpha > 0)
        return now.pulling ? (double)now.count >= (double)s.vertices / policy.beta
                           : push > most / policy.alpha;
    double share = push / (double)s.edges, missing = (double)now.missing;
    double pull = share > 0 && missing / share < most ? missing / share : most;
    push += (double)TEAM_ROW_COST * s.size * (double)now.count;
    return policy.weight * (pull + missing + (double)s.vertices / 64) < push;
}

__device__ static void decide(const cuda_team_search &s, team_state *t)
{
    cuda_standing *now = &t->b.now;
    if (now->stop == CUDA_OUTSIDE)
        return;
    now->pulling = pulls(s, *now);
    now->stop = now->count == 0 || now->steps >= s.own.most ? CUDA_SEARCHED
                : now->recorded == SEARCH_STEPS             ? CUDA_STEPS_RECORDED
                                                            : CUDA_GOES_ON;
    t->t.began = device_clock();
}

/* ---- the whole ----------------------------------------------------------------------------------
 */

__device__ static void leave(const cuda_team_search &s, team_state *t, cuda_team_stage stage)
{
    __syncthreads();
    if (first_thread() == 0) {
        t->t.now = t->b.now;
        t->t.stage = t->lost ? TEAM_LOST : stage;
        *s.standing = t->t;
        *s.result = t->t;
    }
}

/* What is decided is sent; false: that is for the host to do. */
__device__ static void send(const cuda_team_search &s, team_state *t, cuda_tally **tally)
{
    if (t->t.listed && !s.coded)
        send_list(s, *tally);
    else if (s.direct)
        send_bits(s);
    *tally = turn(s.own, &t->b);
    if (threadIdx.x == 0 && !s.coded)
        t->t.bytes[t->t.listed] +=
            t->t.listed ? sizeof(uint32_t) * (t->b.now.count - t->t.own.part[LETTER_VERTICES])
                        : sizeof(uint32_t) * (uint64_t)(s.block.words - s.own.words);
}

__device__ static void note_time(team_state *t, count_t since)
{
    if (threadIdx.x == 0)
        t->t.exchanging += device_clock() - since;
    __syncthreads();
}

template <typename Offset, bool SLOTTED>
__global__ static void __launch_bounds__(SEARCH_THREADS, SEARCH_BLOCKS)
    team_search(const __grid_constant__ cuda_team_search s)
{
    __shared__ team_state t;
    if (threadIdx.x == 0) {
        t.t = *s.standing;
        t.b.now = t.t.now;
        t.b.now.recorded = 0;
        t.lost = 0;
    }
    if (threadIdx.x < s.size) /* of the last letters, for a launch that has none to wait for */
        t.of[threadIdx.x] = *letter_of(s, s.rank, threadIdx.x, s.standing->round + 1);
    cooperative_groups::this_grid().sync(); /* before a block that leaves writes them anew */
    cuda_team_stage stage = t.t.stage;
    cuda_tally *tally = s.own.tally + t.b.now.pass % 3;
    if (stage == TEAM_BEGINS)
        tally = start<Offset>(s, &t);
    bool come = stage != TEAM_BEGINS; /* what the host was to bring */
    for (;;) {
        if (stage == TEAM_BEGINS || stage == TEAM_COUNTS) {
            count_t since = device_clock();
            __syncthreads();
            if (!s.direct && !come)
                return leave(s, &t, TEAM_COUNTS);
            if (!meet(s, &t))
                return leave(s, &t, TEAM_LOST);
            if (threadIdx.x == 0)
                account(s, &t);
            come = false;
            note_time(&t, since);
            stage = TEAM_DECIDES;
        }
        if (stage == TEAM_DECIDES) {
            count_t since = device_clock();
            if (threadIdx.x == 0)
                decide(s, &t);
            __syncthreads();
            if (t.b.now.stop != CUDA_GOES_ON)
                break;
            send(s, &t, &tally);
            __syncthreads();
            if (!s.direct)
                return leave(s, &t, TEAM_DATA);
            if (!meet(s, &t))
                return leave(s, &t, TEAM_LOST);
            note_time(&t, since);
        }
        tally = step<Offset, SLOTTED>(s, &t, tally);
        come = false;
        stage = TEAM_COUNTS;
    }
    count_t ended = device_clock();
    if (t.b.now.stop == CUDA_SEARCHED) {
        mark(s.own);
        tally = turn(s.own, &t.b);
        finish(s.own, tally);
        turn(s.own, &t.b);
    }
    if (threadIdx.x == 0) {
        t.b.now.new_levels = t.b.last.vertices;
        t.b.now.finished = device_clock() - ended;
    }
    leave(s, &t, TEAM_DECIDES);
}

typedef void (*team_kernel)(cuda_team_search);

static team_kernel kernel_for(const cuda_adjacency *g)
{
    if (g->slot[0])
        return g->wide ? team_search<uint64_t, true> : team_search<uint32_t, true>;
    return g->wide ? team_search<uint64_t, false> : team_search<uint32_t, false>;
}

cudaError_t sl_cuda_team_blocks(unsigned *blocks, const cuda_adjacency *graph,
                                unsigned multiprocessors)
{
    int each = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_for(graph), SEARCH_THREADS, 0);
    *blocks = multiprocessors * (unsigned)each;
    return error;
}

cudaError_t sl_cuda_team_run(const cuda_team_search *s, unsigned blocks, cudaStream_t stream)
{
    void *arguments[] = {(void *)s};
    return cudaLaunchCooperativeKernel(kernel_for(&s->own.graph), dim3(blocks),
                                       dim3(SEARCH_THREADS), arguments, 0, stream);
}
