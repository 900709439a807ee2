/* Device functions of dependencies (dependencies.c): rows, and numbers with exponents. */
#ifndef SEMLA_CUDA_DEPENDENCIES_CUH
#define SEMLA_CUDA_DEPENDENCIES_CUH

#include "cuda/fixpoint/dependencies_kernels.h"
#include "cuda/runtime/common.cuh"

/* Numbers of paths above this are stored with exponents. A level multiplies a number by less than
 * 2^32, so that those of the next level are still in the range of fp64. */
static constexpr double largest_paths = 0x1p512;

/* Columns [begin, end) of a row. */
struct dependency_row {
    uint64_t begin, end;
};

__device__ inline dependency_row row_at(const dependency_params &p, const dependency_rows &rows,
                                        uint64_t v)
{
    if (p.narrow) {
        const uint32_t *start = (const uint32_t *)rows.start + v;
        return {start[0], start[1]};
    }
    const uint64_t *start = (const uint64_t *)rows.start + v;
    return {start[0], start[1]};
}

/* Edges that a pair of vertex v has in both directions that the kernels read. */
__device__ inline count_t edges_of(const dependency_params &p, uint64_t v)
{
    const dependency_row out = row_at(p, p.out, v);
    if (p.mirrored)
        return out.end - out.begin;
    const dependency_row in = row_at(p, p.in, v);
    return out.end - out.begin + in.end - in.begin;
}

/* 2^k for k <= 0; 0 below the normal numbers of fp64. */
__device__ inline double power_of_two(int k)
{
    return k < -1022 ? 0 : __hiloint2double((k + 1023) << 20, 0);
}

/*
 * A sum of numbers of paths, x * 2^exponent. The exponent is the greatest of those that were added,
 * so no term is scaled up. Without exponents (`Extended` false) they are 0.
 */
template <bool Extended> struct path_sum {
    double x;
    int exponent;

    __device__ void add(double other, int other_exponent)
    {
        if (!Extended) {
            x += other;
        } else if (other_exponent > exponent) {
            x = x * power_of_two(exponent - other_exponent) + other;
            exponent = other_exponent;
        } else {
            x += other * power_of_two(other_exponent - exponent);
        }
    }

    __device__ void add(const path_sum &other)
    {
        add(other.x, other.exponent);
    }

    __device__ path_sum of_lane_xor(int offset) const
    {
        return {__shfl_xor_sync(full_warp, x, offset),
                Extended ? __shfl_xor_sync(full_warp, exponent, offset) : 0};
    }
};

/* Stores the number of paths of a pair, x >= 1. True if the next level needs exponents. */
template <bool Extended>
__device__ inline bool put_paths(const dependency_params &p, uint32_t pair,
                                 const path_sum<Extended> &sum)
{
    if (!Extended) {
        p.paths[pair] = sum.x;
        return sum.x > largest_paths;
    }
    const int high = __double2hiint(sum.x), k = (high >> 20) - 1023;
    p.paths[pair] = __hiloint2double(high - (k << 20), __double2loint(sum.x));
    p.exponent[pair] = sum.exponent + k;
    return false;
}

/* A sum of flows of successors, times 2^own, where `own` is the exponent of the pair that they are
 * summed for. It is not greater than a successor's, so no flow is scaled up. */
template <bool Extended> struct flow_sum {
    double x;
    int own;

    __device__ void add(double flow, int exponent)
    {
        x += Extended ? flow * power_of_two(own - exponent) : flow;
    }

    __device__ void add(const flow_sum &other)
    {
        x += other.x;
    }

    __device__ flow_sum of_lane_xor(int offset) const
    {
        return {__shfl_xor_sync(full_warp, x, offset), own};
    }
};

/* Stores the dependency of a pair in place of its paths, and its flow. */
template <bool Extended>
__device__ inline void put_dependency(const dependency_params &p, uint32_t pair,
                                      const flow_sum<Extended> &sum)
{
    const double paths = p.paths[pair], dependency = paths * sum.x;
    p.paths[pair] = dependency;
    p.flow[pair] = (1 + dependency) / paths;
}

#endif
