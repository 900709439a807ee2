/*
 * Shortest paths in graphs of short rows, such as road networks, whose searches have thousands of
 * iterations with few vertices: delta-stepping with a near and a far list (Davidson, Baxter, Garland,
 * Owens, IPDPS 2014), in which an iteration costs one barrier and a chain of four dependent reads.
 *
 * An iteration relaxes all edges of the frontier, one row per thread. A vertex that gets a better
 * value within the limit is appended to the next frontier at once, by the first thread that sets its
 * bit there. The bits of two frontiers alternate: a vertex clears its own bit of the frontier that
 * is read, so that the bitmap is 0 when the frontier after the next one uses it. A value that is
 * improved while it is read is found by the next iteration, whose frontier has the vertex again.
 * Vertices beyond the limit go to the far list. A vertex that enters a frontier later stays in that
 * list; its value is then within the old limit, by which it is recognised when the list is split.
 *
 * Launches (sparse_groups.cuh): small frontiers by one cluster, larger ones by the whole device;
 * each returns when the frontier is for the other one. A frontier is in parts: one in the shared
 * memory of each block of the cluster, and one in device memory for vertices that find no room
 * there, of which all blocks take equal shares. Far vertices are collected in shared memory, too.
 * Counters in device memory are used by turns of three: one is read, one is added to, and one is
 * cleared that all blocks have read before the last barrier.
 */
#include "cuda/operations/ordered_key.cuh"
#include "cuda/paths/sparse_groups.cuh"

/* Edges that a thread relaxes at once. */
enum { EDGES_AT_ONCE = 4 };

/* What changes from iteration to iteration; the same in all blocks. */
template <typename T> struct sparse_turn {
    unsigned pass, pile; /* numbers of iterations and of far lists */
    T limit;
    sparse_total total;
};

__device__ static unsigned lanes_below()
{
    return (1u << threadIdx.x % 32) - 1;
}

/* Appends each lane's `count` (at most EDGES_AT_ONCE) vertices v[k] with bit k of `which` to the
 * next frontier. One atomic addition per warp reserves their places. */
template <typename T, typename Group, int COUNT>
__device__ static void push_near(const sparse_paths_params &b, const Group &group, sparse_block &s,
                                 const sparse_turn<T> &now, unsigned which,
                                 const uint32_t (&v)[COUNT])
{
    const unsigned to = (now.pass + 1) % 2;
    unsigned votes[COUNT], all = 0, at = 0;
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        votes[k] = __ballot_sync(full_warp, which >> k & 1);
        all += __popc(votes[k]);
    }
    if (!all)
        return;
    sparse_block &target = group.block_of(s, threadIdx.x / 32);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&s.found[now.pass % 2], all);
        at = Group::list_size ? atomicAdd(&target.near_count[to], all) : 0;
    }
    at = __shfl_sync(full_warp, at, 0);
    const unsigned room = Group::list_size - min(at, Group::list_size), kept = min(all, room);
    count_t base = 0;
    if (kept < all) {
        if (threadIdx.x % 32 == 0) {
            atomicAdd(&s.spilled[now.pass % 2], all - kept);
            base = atomicAdd((count_t *)&b.state->near[(now.pass + 1) % 3], (count_t)(all - kept));
        }
        base = __shfl_sync(full_warp, base, 0);
    }
    unsigned before = 0;
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        const unsigned place = before + __popc(votes[k] & lanes_below());
        before += __popc(votes[k]);
        if (!(which >> k & 1))
            continue;
        if (place < kept)
            target.near[to][at + place] = v[k];
        else
            b.near[to][base + place - kept] = v[k];
    }
}

/* The same for the far list. `best`: the lane's best value of a far vertex, an inverted key. */
template <typename T, int COUNT>
__device__ static void push_far(const sparse_paths_params &b, sparse_block &s,
                                const sparse_turn<T> &now, unsigned which,
                                const uint32_t (&v)[COUNT], count_t best)
{
    if (!__any_sync(full_warp, best != 0))
        return;
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t other = __shfl_xor_sync(full_warp, best, offset);
        best = other > best ? other : best;
    }
    if (threadIdx.x % 32 == 0)
        atomicMax(&s.best, best);
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        const unsigned votes = __ballot_sync(full_warp, which >> k & 1);
        unsigned at = 0;
        if (!votes)
            continue;
        if (threadIdx.x % 32 == 0)
            at = atomicAdd(&s.far_count, (unsigned)__popc(votes));
        at = __shfl_sync(full_warp, at, 0) + __popc(votes & lanes_below());
        if (!(which >> k & 1))
            continue;
        if (at < SPARSE_FAR)
            s.far[at] = v[k];
        else
            b.far[now.pile % 2][atomicAdd((count_t *)&b.state->far[now.pile % 3], 1ull)] = v[k];
    }
}

/* ---- an iteration ------------------------------------------------------------------------- */

/* Relaxes the row of u in the lanes with `there`. By all threads of the warp. */
template <typename T, typename W, typename Group>
__device__ static void relax_row(const sparse_paths_params &b, const Group &group, sparse_block &s,
                                 const length_rows<T, W> &rows, const sparse_turn<T> &now,
                                 bool there, uint32_t u)
{
    uint32_t *const near_bits = b.near_bits[(now.pass + 1) % 2];
    uint64_t e = there ? rows.start[u] : 0;
    const uint64_t end = there ? rows.start[u + (uint64_t)1] : 0;
    const T from = there ? value_now(rows.d + u) : (T)0;
    if (there)
        atomicAnd(b.near_bits[now.pass % 2] + u / 32, ~(1u << u % 32));
    for (; __any_sync(full_warp, e < end); e += EDGES_AT_ONCE) {
        uint32_t v[EDGES_AT_ONCE], word[EDGES_AT_ONCE];
        T z[EDGES_AT_ONCE];
        unsigned near = 0, far = 0;
        count_t best = 0;
#pragma unroll
        for (int k = 0; k < EDGES_AT_ONCE; k++) {
            const bool is = e + k < end;
            v[k] = is ? rows.index[e + k] : u;
            z[k] = is ? from + (T)rows.length[e + k] : no_distance<T>();
        }
#pragma unroll
        for (int k = 0; k < EDGES_AT_ONCE; k++)
            word[k] = e + k < end && z[k] < value_now(rows.d + v[k]);
#pragma unroll
        for (int k = 0; k < EDGES_AT_ONCE; k++) {
            if (!word[k])
                continue;
            const bool within = z[k] <= now.limit;
            improve_value((T *)b.x.p.t_values + v[k], z[k], SL_BINARY_MIN);
            (within ? near : far) |= 1u << k;
            word[k] = atomicOr((within ? near_bits : b.far_bits) + v[k] / 32, 1u << v[k] % 32);
            if (within)
                continue;
            const count_t key = ~ordered_key((double)z[k]);
            best = key > best ? key : best;
        }
#pragma unroll
        for (int k = 0; k < EDGES_AT_ONCE; k++)
            if ((near | far) >> k & 1 && word[k] >> v[k] % 32 & 1) {
                near &= ~(1u << k);
                far &= ~(1u << k);
            }
        push_near(b, group, s, now, near, v);
        push_far(b, s, now, far, v, best);
    }
}

/* Relaxes the rows of the frontier: the block's own part, then its share of the part in device
 * memory. */
template <typename T, typename W, typename Group>
__device__ static void relax_rows(const sparse_paths_params &b, const Group &group, sparse_block &s,
                                  const length_rows<T, W> &rows, const sparse_turn<T> &now)
{
    const unsigned lane = threadIdx.x % 32, turn = now.pass % 2;
    const unsigned own = min(s.near_count[turn], Group::list_size);
    for (unsigned k = threadIdx.x; k - lane < own; k += SPARSE_THREADS)
        relax_row(b, group, s, rows, now, k < own, k < own ? s.near[turn][k] : 0);
    for (count_t k = group.first_thread(); k - lane < now.total.spilled; k += group.all_threads()) {
        const bool there = k < now.total.spilled;
        relax_row(b, group, s, rows, now, there, there ? __ldcg(b.near[turn] + k) : 0);
    }
}

/* ---- the far list ------------------------------------------------------------------------- */

/* The next limit: delta beyond the best far value, or beyond the last limit if the vertex with that
 * value has left the list. */
template <typename T> __device__ static T limit_after(T limit, count_t best, double delta)
{
    const double next = fmax((double)limit, value_of_key(~best)) + delta;
    const double most = (double)no_distance<T>();
    const T rounded = next < most ? (T)next : no_distance<T>();
    return rounded > limit ? rounded : no_distance<T>();
}

/* The vertex of a list that a thread has, if `there`. */
struct listed_vertex {
    bool there;
    uint32_t v;
};

/* Puts a vertex into the next frontier, into the next far list, or nowhere if it is within the old
 * limit and so was in a frontier. */
template <typename T, typename W, typename Group>
__device__ static void split_vertex(const sparse_paths_params &b, const Group &group,
                                    sparse_block &s, const length_rows<T, W> &rows,
                                    const sparse_turn<T> &now, T old_limit, listed_vertex own)
{
    const bool there = own.there;
    const uint32_t v = own.v;
    const uint32_t one[1] = {v};
    const T value = there ? value_now(rows.d + v) : (T)0;
    const bool is_far = there && value > now.limit;
    if (there && !is_far)
        atomicAnd(b.far_bits + v / 32, ~(1u << v % 32));
    push_near(b, group, s, now, there && !is_far && value > old_limit, one);
    push_far(b, s, now, is_far, one, is_far ? ~ordered_key((double)value) : 0);
}

/* Splits the far list by the next limit. */
template <typename T, typename W, typename Group>
__device__ static void split_far(const sparse_paths_params &b, const Group &group, sparse_block &s,
                                 const length_rows<T, W> &rows, sparse_turn<T> &now)
{
    enum { EACH = SPARSE_FAR / SPARSE_THREADS };
    const unsigned lane = threadIdx.x % 32, own = min(s.far_count, (unsigned)SPARSE_FAR);
    const uint32_t *list = b.far[now.pile % 2];
    const count_t count = __ldcg(&b.state->far[now.pile % 3]);
    const T old_limit = now.limit;
    uint32_t v[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const unsigned at = threadIdx.x + k * SPARSE_THREADS;
        v[k] = at < own ? s.far[at] : 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        s.far_count = 0;
        s.best = 0;
    }
    __syncthreads();
    now.pile++;
    now.limit = limit_after(now.limit, now.total.best, b.delta);
#pragma unroll
    for (int k = 0; k < EACH; k++)
        split_vertex(b, group, s, rows, now, old_limit,
                     {threadIdx.x + k * SPARSE_THREADS < own, v[k]});
    for (count_t k = group.first_thread(); k - lane < count; k += group.all_threads())
        split_vertex(b, group, s, rows, now, old_limit,
                     {k < count, k < count ? __ldcg(list + k) : 0});
    if (group.first_thread() == 0)
        b.state->far[(now.pile + 1) % 3] = 0;
}

/* ---- the kernels -------------------------------------------------------------------------- */

/* Moves what is in shared memory to the lists in device memory, and saves the state. */
template <typename T, typename Group>
__device__ static void leave(const sparse_paths_params &b, const Group &group, sparse_block &s,
                             const sparse_turn<T> &now, bool done)
{
    sparse_paths_state *state = b.state;
    const unsigned turn = now.pass % 2, own = min(s.near_count[turn], Group::list_size);
    const unsigned far = min(s.far_count, (unsigned)SPARSE_FAR);
    for (unsigned k = threadIdx.x; k < own; k += SPARSE_THREADS)
        b.near[turn][atomicAdd((count_t *)&state->near[now.pass % 3], 1ull)] = s.near[turn][k];
    for (unsigned k = threadIdx.x; k < far; k += SPARSE_THREADS)
        b.far[now.pile % 2][atomicAdd((count_t *)&state->far[now.pile % 3], 1ull)] = s.far[k];
    if (group.first_thread() != 0)
        return;
    state->pass = now.pass;
    state->pile = now.pile;
    state->best = now.total.best;
    state->done = done;
    memcpy(&state->limit, &now.limit, sizeof now.limit);
}

/* All blocks take the same decisions from the same counts. */
template <typename T, typename W, typename Group>
__global__ static void __launch_bounds__(SPARSE_THREADS, 1)
    sparse_paths(const __grid_constant__ sparse_paths_params b)
{
    __shared__ sparse_block s;
    const Group group(b.state);
    const length_rows<T, W> rows(b.x);
    sparse_paths_state *state = b.state;
    if (state->done)
        return;
    sparse_turn<T> now;
    now.pass = state->pass;
    now.pile = state->pile;
    memcpy(&now.limit, &state->limit, sizeof now.limit);
    now.total.found = now.total.spilled = state->near[now.pass % 3];
    now.total.best = state->best;
    if (threadIdx.x < 2)
        s.near_count[threadIdx.x] = s.found[threadIdx.x] = s.spilled[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        s.far_count = 0;
        s.best = group.rank == 0 ? now.total.best : 0;
    }
    group.sync();
    for (; (now.total.found > 0 || now.total.best) && !group.leaves(now.total.found); now.pass++) {
        if (now.total.found > 0)
            relax_rows(b, group, s, rows, now);
        else
            split_far(b, group, s, rows, now);
        if (group.first_thread() == 0)
            state->near[(now.pass + 2) % 3] = 0;
        now.total = group.exchange(s, now.pass);
    }
    leave(b, group, s, now, now.total.found == 0 && !now.total.best);
}

/* The distances of all vertices but the source are unknown; the source is the frontier. */
template <typename T> __global__ static void begin(const sparse_paths_params b)
{
    T *d = (T *)b.x.p.t_values;
    for (uint64_t v = first_thread(); v < b.x.n; v += all_threads())
        if (v != b.source)
            d[v] = no_distance<T>();
    if (first_thread() != 0)
        return;
    b.near[0][0] = (uint32_t)b.source;
    b.state->near[0] = 1;
    memcpy(&b.state->limit, d + b.source, sizeof *d);
}

/* The entries of pi are the vertices with a distance. */
template <typename T> __global__ static void end(const sparse_paths_params b)
{
    const T *d = (const T *)b.x.p.t_values;
    FOR_EACH_WORD(b.x.n)
    {
        const bool is = v < b.x.n && d[v] < no_distance<T>();
        const unsigned word = __ballot_sync(full_warp, is);
        if (lane == 0)
            b.x.p.bits[w] = word;
    }
}

/* ---- launches ----------------------------------------------------------------------------- */

/* The largest cluster that the device supports; 1 before compute capability 9.0. */
template <typename K> static cudaError_t find_cluster(unsigned *blocks, K kernel)
{
    cudaFuncAttributes code;
    cudaError_t error = cudaFuncGetAttributes(&code, kernel);
    *blocks = 1;
    if (error != cudaSuccess || code.ptxVersion < 90)
        return error;
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error != cudaSuccess)
        return error;
    int most = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = SPARSE_CLUSTER;
    config.blockDim = SPARSE_THREADS;
    error = cudaOccupancyMaxPotentialClusterSize(&most, kernel, &config);
    *blocks = most < SPARSE_CLUSTER ? (unsigned)most : SPARSE_CLUSTER;
    return error;
}

template <typename T, typename W> static cudaError_t launch(const sparse_paths_params *b)
{
    static unsigned cluster; /* 0: not known yet */
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    cudaError_t error = cudaSuccess;
    if (!cluster)
        error = find_cluster(&cluster, sparse_paths<T, W, sparse_cluster>);
    if (error != cudaSuccess)
        return error;
    config.gridDim = cluster;
    config.blockDim = SPARSE_THREADS;
    config.stream = cuda_stream();
    config.attrs = &attribute;
    config.numAttrs = cluster > 1;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    error = cudaLaunchKernelEx(&config, sparse_paths<T, W, sparse_cluster>, *b);
    if (error != cudaSuccess || b->x.n <= SPARSE_MOST)
        return error;
    config.gridDim = cuda_processors() < SPARSE_BLOCKS ? cuda_processors() : SPARSE_BLOCKS;
    config.numAttrs = 1;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    return cudaLaunchKernelEx(&config, sparse_paths<T, W, sparse_grid>, *b);
}

cudaError_t sl_cuda_sparse_paths(const sparse_paths_params *b)
{
#define CALL(T, W) launch<T, W>(b)
    WITH_LENGTHS(b->x.p.type, b->narrow, CALL);
#undef CALL
}

static unsigned blocks_of(const sparse_paths_params *b)
{
    return blocks_for(b->x.n);
}

cudaError_t sl_cuda_sparse_paths_begin(const sparse_paths_params *b)
{
#define CALL(T, W) launch_blocks({blocks_of(b)}, begin<T>, *b)
    WITH_LENGTHS(b->x.p.type, b->narrow, CALL);
#undef CALL
}

cudaError_t sl_cuda_sparse_paths_end(const sparse_paths_params *b)
{
#define CALL(T, W) launch_blocks({blocks_of(b)}, end<T>, *b)
    WITH_LENGTHS(b->x.p.type, b->narrow, CALL);
#undef CALL
}
