/* Private to team_search.cu: what devices tell each other, and how what they found goes from one
 * to another. */
#ifndef SEMLA_CUDA_TEAM_EXCHANGE_CUH
#define SEMLA_CUDA_TEAM_EXCHANGE_CUH

#include "bfs_passes.cuh"
#include "team_kernels.h"

struct team_state {
    block_state b;
    group_bfs_state t; /* all but `now`, which is b.now */
    step_counts of[GROUP_MAX_RANKS];
    unsigned sent; /* the step's finds are on their way already */
    unsigned lost;
};

/* ---- between devices --------------------------------------------------------------------- */

__device__ inline void store_release(unsigned long long *to, unsigned long long value)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
#else
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
#endif
}

__device__ inline unsigned long long load_acquire(const unsigned long long *from)
{
    unsigned long long value;
#ifdef __CUDA_ARCH__
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
#else
    value = __atomic_load_n(from, __ATOMIC_ACQUIRE);
#endif
    return value;
}

__device__ inline step_counts *letter_of(const group_bfs_params &s, uint32_t at, uint32_t from,
                                         count_t round)
{
    return (step_counts *)s.peer[at] + round % 2 * s.size + from;
}

/* A block's copy of everybody's last letter. */
__device__ inline void take_letter(const group_bfs_params &s, team_state *t, count_t round)
{
    const uint32_t q = threadIdx.x;
    if (q >= s.size)
        return;
    const step_counts *letter = s.direct ? letter_of(s, s.rank, q, round) : s.come + q;
    for (int k = 0; k < COUNT_PARTS; k++)
        t->of[q].part[k] = s.direct ? __ldcg(letter->part + k) : letter->part[k];
}

/* One thread of the first block to each rank: tells it, and waits for what it tells. */
__device__ inline void correspond(const group_bfs_params &s, const team_state *t)
{
    const uint32_t q = threadIdx.x;
    const count_t round = t->t.round;
    if (q >= s.size)
        return;
    step_counts *to = letter_of(s, q, s.rank, round);
    for (int k = 0; k < COUNT_PARTS; k++)
        ((volatile unsigned long long *)to->part)[k] = t->t.own.part[k];
    __threadfence_system();
    store_release(&to->round, round + 1);
    const step_counts *from = letter_of(s, s.rank, q, round);
    const count_t began = device_clock();
    while (load_acquire(&from->round) != round + 1) {
        __nanosleep(20);
        if (device_clock() - began > s.patience) {
            s.standing->stage = GROUP_TIMED_OUT;
            return;
        }
    }
}

/*
 * A barrier of all devices, after send(); what was sent is seen by all after it. Each block then
 * has everybody's letter. Where the host carries letters they have come with this launch.
 */
__device__ inline bool meet(const group_bfs_params &s, team_state *t)
{
    if (s.direct) {
        if (blockIdx.x == 0)
            correspond(s, t);
        cooperative_groups::this_grid().sync();
        take_letter(s, t, t->t.round);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        t->lost = *(volatile group_bfs_stage *)&s.standing->stage == GROUP_TIMED_OUT;
        t->t.round++;
        t->t.letters += s.size - 1;
    }
    __syncthreads();
    return !t->lost;
}

/* ---- what was found goes out, and what comes is made a frontier --------------------------- */

__device__ inline uint32_t id_of(const group_bfs_params &s, uint32_t new_id, uint32_t rank)
{
    return (new_id / GROUP_LINE * s.size + rank) * GROUP_LINE + new_id % GROUP_LINE;
}

/* In the block of a rank what is sent in a round, and read when that has ended. */
__device__ inline uint32_t *front_of(const group_bfs_params &s, uint32_t at, count_t round)
{
    return (uint32_t *)(s.peer[at] + s.block.front) + round % 2 * s.block.words;
}

__device__ inline uint32_t *lists_of(const group_bfs_params &s, uint32_t at, count_t round)
{
    return (uint32_t *)(s.peer[at] + s.block.lists) + round % 2 * s.size * s.block.room;
}

/* Finds of a word as entries of a list, from number `at` on: straight into everybody's room. */
__device__ inline void post(const group_bfs_params &s, const team_state *t, uint32_t w,
                            uint32_t bits, count_t at)
{
    for (uint32_t left = bits; left; left &= left - 1, at++) {
        uint32_t id = id_of(s, 32 * w + __ffs(left) - 1, s.rank);
        if (!s.direct)
            s.mine[at] = id;
        for (uint32_t k = 0; s.direct && k < s.size; k++)
            lists_of(s, k, t->t.round)[(uint64_t)s.rank * s.block.room + at] = id;
    }
}

__device__ inline void send_list(const group_bfs_params &s, const team_state *t, bfs_counts *tally)
{
    const uint32_t words = s.own.work.words;
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t bits = w < words ? __ldcg(s.own.work.next_frontier + w) : 0;
        count_t at, sum;
        if (!__any_sync(full_warp, bits))
            continue;
        reserve(tally, __popc(bits), 0, &at, &sum);
        post(s, t, w, bits, at);
    }
}

/* The same as bits, lines in turns with the other ranks'. */
__device__ inline void send_bits(const group_bfs_params &s, const team_state *t)
{
    const uint32_t groups = s.own.work.words / 4, line = GROUP_LINE / 128;
    for (uint64_t g = first_thread(); g < groups; g += all_threads()) {
        uint4 bits = load_group(s.own.work.next_frontier, g);
        uint64_t to = (g / line * s.size + s.rank) * line + g % line;
        for (uint32_t k = 1; k <= s.size; k++) {
            uint32_t q = s.rank + k < s.size ? s.rank + k : s.rank + k - s.size;
            ((uint4 *)front_of(s, q, t->t.round))[to] = bits;
        }
    }
}

/* The end of a pass that sends: what a block has written is there for all before its first thread
 * comes to the barrier, which is before a letter says so. */
__device__ inline bfs_counts *turn_sent(const group_bfs_params &s, team_state *t)
{
    __syncthreads();
    if (threadIdx.x == 0 && s.direct && s.size > 1)
        __threadfence_system();
    return grid_barrier(s.own, &t->b);
}

/* What a step found goes out; where the host carries data a list is laid ready, and bits are. */
__device__ inline bfs_counts *send(const group_bfs_params &s, team_state *t, bfs_counts *tally)
{
    __syncthreads();
    if (t->sent)
        return tally;
    if (t->t.own.part[COUNT_VERTICES] > s.most_listed) {
        if (s.direct)
            send_bits(s, t);
    } else if (!s.coded) {
        send_list(s, t, tally);
    }
    return turn_sent(s, t);
}

/* Whether rank q's finds came as a list; the host has all come alike. */
__device__ inline bool is_list(const group_bfs_params &s, const team_state *t, uint32_t q)
{
    return (s.direct ? t->of[q].part[COUNT_VERTICES] : t->t.most) <= s.most_listed;
}

/* How many did. */
__device__ inline uint32_t lists(const group_bfs_params &s, const team_state *t)
{
    uint32_t count = 0;
    for (uint32_t q = 0; q < s.size; q++)
        count += is_list(s, t, q);
    return count;
}

/* Number k of the parts by the order in which they come: from both sides in turns. */
__device__ inline uint32_t part_at(const group_bfs_params &s, uint32_t k)
{
    const uint32_t away = (k + 1) / 2;
    return (s.rank + (k % 2 ? s.size - away : away)) % s.size;
}

/* Waits for part q, if it is on its way; false: in vain, and the host will know. */
__device__ inline bool await(const group_bfs_params &s, team_state *t, uint32_t q)
{
    bool there = true;
    if (s.arriving && threadIdx.x == 0) {
        const step_counts *letter = letter_of(s, s.rank, q, t->t.round + 1);
        const count_t began = device_clock();
        while (there && load_acquire(&letter->round) != t->t.round) {
            __nanosleep(20);
            there = device_clock() - began <= s.patience;
        }
        t->t.exchanging += device_clock() - began;
        if (!there)
            *(volatile group_bfs_stage *)&s.standing->stage = GROUP_TIMED_OUT;
    }
    return __syncthreads_and(there);
}

/* What the host brought as bits, of each rank as it comes. */
__device__ inline void take_bits(const group_bfs_params &s, team_state *t, uint32_t *front)
{
    const uint32_t groups = s.own.work.words / 4, line = GROUP_LINE / 128;
    for (uint32_t k = 0; k < s.size; k++) {
        const uint32_t q = part_at(s, k);
        if (!await(s, t, q))
            return;
        const uint32_t *part = s.arrived + (uint64_t)q * s.chunk;
        for (uint64_t g = first_thread(); g < groups; g += all_threads())
            ((uint4 *)front)[(g / line * s.size + q) * line + g % line] = load_group(part, g);
    }
}

/* Waits for parts `from` to to - 1 by the order in which they come. */
__device__ inline bool await_parts(const group_bfs_params &s, team_state *t, uint32_t from,
                                   uint32_t to)
{
    bool there = true;
    for (uint32_t k = from; k < to && there; k++)
        there = await(s, t, part_at(s, k));
    return there;
}

/* How many entries the list of rank q has. */
__device__ inline count_t entries_of(const group_bfs_params &s, const team_state *t, uint32_t q)
{
    return is_list(s, t, q) ? t->of[q].part[COUNT_VERTICES] : 0;
}

/* The same of all those parts. */
__device__ inline count_t listed_of(const group_bfs_params &s, const team_state *t, uint32_t from,
                                    uint32_t to)
{
    count_t sum = 0;
    for (uint32_t k = from; k < to; k++)
        sum += entries_of(s, t, part_at(s, k));
    return sum;
}

/* Entry number k of the lists of part `from` and those behind it. */
__device__ inline uint32_t listed(const group_bfs_params &s, const team_state *t, uint32_t from,
                                  count_t k)
{
    uint32_t q = part_at(s, from);
    for (; k >= entries_of(s, t, q); q = part_at(s, ++from))
        k -= entries_of(s, t, q);
    uint32_t entry =
        __ldcg(s.direct ? lists_of(s, s.rank, t->t.round - 1) + (uint64_t)q * s.block.room + k
                        : s.arrived + (uint64_t)q * s.chunk + k);
    return s.coded ? id_of(s, entry, q) : entry;
}

/* Among bits, room for those of who sent a list. */
__device__ inline void clear_listed(const group_bfs_params &s, const team_state *t, uint32_t *front)
{
    const uint32_t line = GROUP_LINE / 128;
    for (uint64_t g = first_thread(); g < s.block.words / 4; g += all_threads())
        if (is_list(s, t, g / line % s.size))
            ((uint4 *)front)[g] = uint4{};
}

__device__ inline void set_listed(const group_bfs_params &s, team_state *t, uint32_t *front)
{
    const count_t all = await_parts(s, t, 0, s.size) ? listed_of(s, t, 0, s.size) : 0;
    for (count_t k = first_thread(); k < all; k += all_threads()) {
        uint32_t u = listed(s, t, 0, k);
        atomicOr(front + u / 32, 1u << u % 32);
    }
}

/* All that came, as bits. */
__device__ inline const uint32_t *frontier_of(const group_bfs_params &s, team_state *t)
{
    uint32_t *front = front_of(s, s.rank, t->t.round - 1);
    const uint32_t listed = lists(s, t);
    if (listed > 0) {
        clear_listed(s, t, front);
        cooperative_groups::this_grid().sync();
        set_listed(s, t, front);
    } else if (!s.direct) {
        take_bits(s, t, front);
    }
    if (listed > 0 || !s.direct)
        cooperative_groups::this_grid().sync();
    return front;
}

/* The queue of a push: of what came as lists, of those parts, what has edges here. */
template <typename Offset>
__device__ inline void queue_listed(const group_bfs_params &s, team_state *t, uint32_t from,
                                    uint32_t to, bfs_counts *tally)
{
    const count_t all = await_parts(s, t, from, to) ? listed_of(s, t, from, to) : 0;
    for (count_t first = first_thread() / 32 * 32; first < all; first += all_threads()) {
        count_t k = first + threadIdx.x % 32, at, sum;
        uint32_t u = k < all ? listed(s, t, from, k) : 0;
        Offset degree = k < all ? degree_of<Offset>(s.own.graph, u) : 0;
        reserve(tally, degree > 0, degree, &at, &sum);
        if (degree > 0) {
            s.own.work.queue[at] = u;
            s.own.work.ends[at] = sum + degree;
        }
    }
}

#endif
