/* Adds a row to a result. A thread per entry: the columns of a row differ, so that values need no
 * atomics, and rows that follow each other are launches that do. */
#include "cuda/operations/algebra.cuh"
#include "cuda/products/few_entries.h"

template <typename T> __global__ static void push_row(cuda_few_entries p, T u)
{
    const T *values = (const T *)p.values;
    T *t = (T *)p.t;
    const uint64_t end = p.start[p.row + 1];
    for (uint64_t e = p.start[p.row] + first_thread(); e < end; e += all_threads()) {
        const uint32_t c = p.index[e], bit = (uint32_t)1 << (c % 32);
        const T a = values ? values[e] : T(1);
        const T term = p.matrix_first ? binary(p.multiply, a, u) : binary(p.multiply, u, a);
        const bool there = atomicOr(p.bits + c / 32, bit) & bit;
        t[c] = there ? binary(p.add, t[c], term) : term;
    }
}

cudaError_t sl_cuda_push_row(const cuda_few_entries *p)
{
#define CALL(T)                                                                                    \
    launch_blocks({grid_of(p->nnz, cuda_processors())}, push_row<T>, *p, scalar_as<T>(&p->u))
    WITH_TYPE(p->type, CALL);
#undef CALL
}
