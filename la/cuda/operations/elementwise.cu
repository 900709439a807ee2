/* Operators on entries: element-wise operations, apply and select. Vectors: one warp per word of
 * the bitmap, one thread per index. Matrices: one thread per entry. */
#include "cuda/operations/algebra.cuh"
#include "cuda/operations/matrix_kernels.h"

/* ---- elementwise -------------------------------------------------------------- */

template <typename Op>
__device__ static typename Op::Z combine(int code, typename Op::X x, typename Op::Y y, uint64_t v)
{
    if constexpr (Op::positional) /* index of the entry (v, 0) of a column */
        return code == SL_BINARY_FIRSTI || code == SL_BINARY_SECONDI ? (typename Op::Z)v : 0;
    else
        return Op::of(code, x, y);
}

/* Full vectors: a thread loads the operands of FULL_BATCH entries before it combines them. */
template <typename Op>
__device__ static void ewise_full(const cuda_ewise &e, typename Op::X alpha, typename Op::Y beta)
{
    const typename Op::X *a = (const typename Op::X *)e.a_values;
    const typename Op::Y *b = (const typename Op::Y *)e.b_values;
    typename Op::Z *to = (typename Op::Z *)e.values;
    typename Op::X x[FULL_BATCH];
    typename Op::Y y[FULL_BATCH];
    for (uint64_t first = first_thread(); first < e.n; first += FULL_BATCH * all_threads()) {
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++) {
            const uint64_t v = first + k * all_threads();
            x[k] = a && v < e.n ? a[v] : alpha;
            y[k] = b && v < e.n ? b[v] : beta;
        }
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++) {
            const uint64_t v = first + k * all_threads();
            if (v < e.n)
                to[v] = combine<Op>(e.code, x[k], y[k], v);
        }
    }
}

template <typename Op>
__global__ static void ewise(cuda_ewise e, typename Op::X alpha, typename Op::Y beta)
{
    using X = typename Op::X;
    using Y = typename Op::Y;
    using Z = typename Op::Z;
    if (!e.a_bits && !e.b_bits && !e.bits) {
        ewise_full<Op>(e, alpha, beta);
        return;
    }
    const X *a = (const X *)e.a_values;
    const Y *b = (const Y *)e.b_values;
    Z *to = (Z *)e.values;
    FOR_EACH_WORD(e.n)
    {
        uint32_t a_word = e.a_bits ? e.a_bits[w] : full_warp;
        uint32_t b_word = e.b_bits ? e.b_bits[w] : full_warp;
        uint32_t word = e.join == CUDA_INTERSECTION ? a_word & b_word : a_word | b_word;
        if (v < e.n && (word >> lane & 1)) {
            bool has_a = a_word >> lane & 1, has_b = b_word >> lane & 1;
            X x = has_a && e.a_values ? a[v] : alpha;
            Y y = has_b && e.b_values ? b[v] : beta;
            if ((has_a && has_b) || e.join == CUDA_FILLED_UNION)
                to[v] = combine<Op>(e.code, x, y, v);
            else
                to[v] = has_a ? cast<Z>(x) : cast<Z>(y);
        }
        uint32_t valid = __ballot_sync(full_warp, v < e.n);
        if (lane == 0 && e.bits)
            e.bits[w] = word & valid;
    }
}

/* ---- apply and select --------------------------------------------------------- */

template <typename Op>
__global__ static void apply(typename Op::Z *to, const typename Op::X *from, const uint32_t *bits,
                             int code, uint64_t n)
{
    typename Op::X x[FULL_BATCH];
    for (uint64_t first = first_thread(); first < n; first += FULL_BATCH * all_threads()) {
        bool has[FULL_BATCH];
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++) {
            const uint64_t v = first + k * all_threads();
            has[k] = v < n && (!bits || bit_of(bits, (uint32_t)v));
            if (has[k])
                x[k] = from[v];
        }
#pragma unroll
        for (int k = 0; k < FULL_BATCH; k++)
            if (has[k])
                to[first + k * all_threads()] = Op::of(code, x[k]);
    }
}

/* The result of an index operator as a value and, for select, as a bit. */
template <typename Op>
__global__ static void apply_index(typename Op::Z *to, uint32_t *kept, const typename Op::X *from,
                                   const uint32_t *bits, int code, typename Op::Y thunk, uint64_t n)
{
    using X = typename Op::X;
    FOR_EACH_WORD(n)
    {
        bool has = v < n && (!bits || (bits[w] >> lane & 1));
        typename Op::Z z = 0;
        if (has)
            z = Op::of(code, from ? from[v] : X(0), (int64_t)v, 0, thunk);
        if (has && to)
            to[v] = z;
        uint32_t keep = __ballot_sync(full_warp, has && z != 0);
        if (kept && lane == 0)
            kept[w] = keep;
    }
}

/* The same for the entries of a matrix. */
template <typename Op>
__global__ static void index_entries(typename Op::Z *to, const cuda_matrix_rows from, int code,
                                     typename Op::Y thunk)
{
    using X = typename Op::X;
    const X *values = (const X *)from.values;
    for (uint64_t e = first_thread(); e < from.nnz; e += all_threads())
        to[e] =
            Op::of(code, values ? values[e] : X(0),
                   (int64_t)row_of_entry(from.start, from.nrows, e), (int64_t)from.index[e], thunk);
}

#ifndef __CUDACC_RTC__ /* launches */

template <typename T>
static cudaError_t ewise_as(const cuda_ewise *e, const void *alpha, const void *beta)
{
    T x = scalar_as<T>(alpha), y = scalar_as<T>(beta);
    if (e->kind == CUDA_VALUES)
        return launch(e->n, ewise<table_binary<T, CUDA_VALUES>>, *e, x, y);
    if (e->kind == CUDA_COMPARISON)
        return launch(e->n, ewise<table_binary<T, CUDA_COMPARISON>>, *e, x, y);
    if constexpr (std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>)
        return launch(e->n, ewise<table_binary<T, CUDA_POSITION>>, *e, x, y);
    return cudaErrorInvalidValue;
}

cudaError_t sl_cuda_ewise(const cuda_ewise *e, sl_type type, const void *alpha, const void *beta)
{
    if (e->made.kernel[0]) {
        const void *arguments[] = {e, alpha, beta};
        return launch_compiled({blocks_for(e->n)}, e->made.kernel[0], arguments);
    }
#define CALL(T) ewise_as<T>(e, alpha, beta)
    WITH_TYPE(type, CALL);
#undef CALL
}

cudaError_t sl_cuda_apply(void *to, const void *from, const uint32_t *bits, sl_type type, int code,
                          const cuda_compiled *made, uint64_t n)
{
    unsigned blocks = blocks_for(n);
    if (made->kernel[0]) {
        const void *arguments[] = {&to, &from, &bits, &code, &n};
        return launch_compiled({blocks}, made->kernel[0], arguments);
    }
#define CALL(T)                                                                                    \
    launch_blocks({blocks}, apply<table_unary<T>>, (T *)to, (const T *)from, bits, code, n)
    WITH_TYPE(type, CALL);
#undef CALL
}

template <typename Op> static cudaError_t apply_index_as(const cuda_index_apply &a)
{
    return launch(a.n, apply_index<Op>, (typename Op::Z *)a.to, a.kept,
                  (const typename Op::X *)a.from, a.bits, a.code,
                  scalar_as<typename Op::Y>(a.thunk), a.n);
}

cudaError_t sl_cuda_apply_index(const cuda_index_apply *a)
{
    if (a->made.kernel[0]) {
        const void *arguments[] = {&a->to, &a->kept, &a->from, &a->bits, &a->code, a->thunk, &a->n};
        return launch_compiled({blocks_for(a->n)}, a->made.kernel[0], arguments);
    }
    if (a->positional && a->result == SL_BOOL)
        return apply_index_as<table_position<bool>>(*a);
    if (a->positional && a->result == SL_INT32)
        return apply_index_as<table_position<int32_t>>(*a);
    if (a->positional)
        return apply_index_as<table_position<int64_t>>(*a);
#define CALL(T) apply_index_as<table_value<T>>(*a)
    WITH_TYPE(a->type, CALL);
#undef CALL
}

cudaError_t sl_cuda_index_entries(void *to, sl_type result, const cuda_matrix_rows *from, int code,
                                  const void *thunk, const cuda_compiled *made)
{
    if (made->kernel[0]) {
        const void *arguments[] = {&to, from, &code, thunk};
        return launch_compiled({blocks_for(from->nnz)}, made->kernel[0], arguments);
    }
    int64_t k = scalar_as<int64_t>(thunk);
#define RUN(Z) launch(from->nnz, index_entries<table_position<Z>>, (Z *)to, *from, code, k)
    if (result == SL_BOOL)
        return RUN(bool);
    return result == SL_INT32 ? RUN(int32_t) : RUN(int64_t);
#undef RUN
}

#endif
