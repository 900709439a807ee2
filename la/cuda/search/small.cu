/*
 * Steps of push by one block alone, for as long as the frontier is small: a graph of
 * large diameter has thousands of such steps, and a step then costs a few barriers
 * of a block and neither a launch nor the host (Luo, Wong, Hwu, "An Effective GPU
 * Implementation of Breadth-First Search", DAC 2010).
 */
#include <cub/block/block_scan.cuh>

#include "common.cuh"

__device__ static count_t nanoseconds()
{
    count_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* What the block has of the step under way. */
struct shared_step {
    unsigned found; /* vertices written behind the frontier */
    unsigned targets;
    count_t edges;
};

/* What a thread has found, to be added up after the step. */
struct finds {
    count_t edges;
    unsigned targets;
};

template <cuda_choice CHOICE>
__device__ static void look_at(const cuda_search &s, uint32_t u, uint64_t e, uint64_t tail,
                               long long number, shared_step *step, finds *own)
{
    uint32_t v = s.index[e];
    if (!claim<CHOICE>(s, v, u, number))
        return;
    s.queue[tail + atomicAdd(&step->found, 1u)] = v;
    own->edges += row_length(s, v);
    own->targets += s.targets && bit_of(s.targets, v);
}

/* The first of the block's rows whose end is above e. */
__device__ static unsigned row_of(const unsigned *ends, unsigned e)
{
    unsigned low = 0, high = SMALL_THREADS - 1;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (ends[middle] > e)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

template <cuda_choice CHOICE>
__global__ static void __launch_bounds__(SMALL_THREADS)
    small(cuda_search s, uint64_t head, uint64_t tail, uint64_t edges, long long number,
          uint64_t most, uint64_t targets, cuda_small_step *steps, cuda_small_result *result)
{
    typedef cub::BlockScan<unsigned, SMALL_THREADS> block_scan;
    __shared__ typename block_scan::TempStorage scratch;
    __shared__ unsigned ends[SMALL_THREADS];   /* of the rows that the threads hold, summed up */
    __shared__ uint32_t vertex[SMALL_THREADS]; /* whose they are */
    __shared__ uint64_t offset[SMALL_THREADS]; /* edge e of the sum is index[offset + e] */
    __shared__ shared_step step;
    const unsigned t = threadIdx.x;
    count_t done = 0, met = 0, found_edges = 0;

    while (done < most && head < tail && tail - head <= SMALL_FRONTIER && edges <= SMALL_EDGES &&
           !(s.targets && met >= targets)) {
        count_t began = nanoseconds();
        finds own = {0, 0};
        if (t == 0)
            step = shared_step{0, 0, 0};
        for (uint64_t first = head; first < tail; first += SMALL_THREADS) {
            bool have = first + t < tail;
            uint32_t u = have ? s.queue[first + t] : 0;
            uint64_t begin = have ? s.start[u] : 0;
            unsigned length = have ? (unsigned)(s.start[u + (uint64_t)1] - begin) : 0;
            /* A barrier, too: the step is begun, the last rows are done with. */
            if (!__syncthreads_or(length > SMALL_ALONE)) {
                for (unsigned k = 0; k < length; k++)
                    look_at<CHOICE>(s, u, begin + k, tail, number, &step, &own);
                continue;
            }
            unsigned end, all;
            block_scan(scratch).InclusiveSum(length, end, all);
            ends[t] = end;
            vertex[t] = u;
            offset[t] = begin - (end - length); /* may wrap; with e added it is right again */
            __syncthreads();
            for (unsigned e = t; e < all; e += SMALL_THREADS) {
                unsigned k = row_of(ends, e);
                look_at<CHOICE>(s, vertex[k], offset[k] + e, tail, number, &step, &own);
            }
        }
        count_t own_edges = warp_sum(own.edges), own_targets = warp_sum(own.targets);
        if (t % 32 == 0) {
            atomicAdd(&step.edges, own_edges);
            atomicAdd(&step.targets, (unsigned)own_targets);
        }
        __syncthreads();
        unsigned found = step.found;
        if (CHOICE != CUDA_ANY)
            for (unsigned k = t; k < found; k += SMALL_THREADS) {
                uint32_t v = s.queue[tail + k];
                atomicOr(s.visited + v / 32, (uint32_t)1 << (v % 32));
            }
        if (t == 0)
            steps[done] = cuda_small_step{tail - head, edges, nanoseconds() - began};
        head = tail;
        tail += found;
        edges = step.edges;
        found_edges += edges;
        met += step.targets;
        done++;
        number++;
        __threadfence_block();
        __syncthreads(); /* all have read the step, and the visited bits are set */
    }
    if (t == 0)
        *result = cuda_small_result{done, tail, tail - head, edges, found_edges, met};
}

cudaError_t sl_cuda_small(const cuda_search *s, uint64_t head, uint64_t tail, uint64_t edges,
                          long long number, uint64_t most, uint64_t targets, cuda_small_step *steps,
                          cuda_small_result *result, cudaStream_t stream)
{
    uint64_t bound = most < SMALL_LEVELS ? most : SMALL_LEVELS;
#define LAUNCH(CHOICE)                                                                             \
    small<CHOICE><<<1, SMALL_THREADS, 0, stream>>>(*s, head, tail, edges, number, bound, targets,  \
                                                   steps, result)
    WITH_CHOICE(s->choice, LAUNCH);
#undef LAUNCH
    return cudaGetLastError();
}
