/* Kernels over the entries of matrices, one thread per entry: matching, filters, unions,
 * positions. */
#include "cuda/operations/entries.cuh"

/* The position in B of the entry with the row and column of A's entry e, or CUDA_NO_PARTNER. */
__device__ static uint64_t partner_of(const cuda_matrix_rows &A, const cuda_matrix_rows &B,
                                      uint64_t e)
{
    const uint64_t row = row_of_entry(A.start, A.nrows, e), stop = B.start[row + 1];
    const uint64_t at = first_at(B.index, B.start[row], stop, A.index[e]);
    return at < stop && B.index[at] == A.index[e] ? at : CUDA_NO_PARTNER;
}

__global__ static void match(cuda_match m)
{
    FOR_EACH_WORD(m.A.nnz)
    {
        bool keep = false;
        if (v < m.A.nnz) {
            const uint64_t at = partner_of(m.A, m.B, v);
            if (m.partner)
                m.partner[v] = at;
            keep = (at != CUDA_NO_PARTNER && (!m.truth || m.truth[at])) != m.complement;
        }
        keep_entry(m.kept, w, keep);
    }
}

cudaError_t sl_cuda_match(const cuda_match *m)
{
    return launch(m->A.nnz, match, *m);
}

__global__ static void keep_flagged(cuda_kept kept, const bool *flag, uint64_t nnz)
{
    FOR_EACH_WORD(nnz)
    {
        keep_entry(kept, w, v < nnz && flag[v]);
    }
}

cudaError_t sl_cuda_keep_flagged(const cuda_kept *kept, const bool *flag, uint64_t nnz)
{
    return launch(nnz, keep_flagged, *kept, flag, nnz);
}

template <typename V>
__global__ static void filter(uint64_t *to_start, uint32_t *to_index, V *to_values, cuda_kept kept,
                              cuda_matrix_rows from)
{
    const V *values = (const V *)from.values;
    for (uint64_t e = first_thread(); e < from.nnz; e += all_threads()) {
        if (!is_kept(kept, e))
            continue;
        const uint64_t at = kept_before(kept, e);
        to_index[at] = from.index[e];
        if (values)
            to_values[at] = values[e];
    }
    for (uint64_t row = first_thread(); row <= from.nrows; row += all_threads())
        to_start[row] = kept_before(kept, from.start[row]);
}

cudaError_t sl_cuda_filter(uint64_t *to_start, uint32_t *to_index, void *to_values,
                           const cuda_kept *kept, const cuda_matrix_rows *from)
{
    const uint64_t threads = from->nnz > from->nrows ? from->nnz : from->nrows + 1;
#define CALL(V) launch(threads, filter<V>, to_start, to_index, (V *)to_values, *kept, *from)
    WITH_SIZE(from->size, CALL);
#undef CALL
}

/* The position of an entry: the entries of A before it plus those that only B has before it. */
template <typename V> __global__ static void unite(cuda_union u)
{
    const V *a = (const V *)u.a_values, *b = (const V *)u.b_values;
    V *to = (V *)u.values;
    for (uint64_t e = first_thread(); e < u.a_nnz; e += all_threads()) {
        uint64_t row = row_of_entry(u.a_start, u.nrows, e);
        uint64_t upto = first_at(u.b_index, u.b_start[row], u.b_start[row + 1], u.a_index[e]);
        uint64_t at = e + kept_before(u.alone, upto);
        u.index[at] = u.a_index[e];
        if (to)
            to[at] = a[e];
    }
    for (uint64_t f = first_thread(); f < u.b_nnz; f += all_threads()) {
        if (!is_kept(u.alone, f))
            continue;
        const uint64_t alone = kept_before(u.alone, f);
        uint64_t row = row_of_entry(u.b_start, u.nrows, f);
        uint64_t at = alone + first_at(u.a_index, u.a_start[row], u.a_start[row + 1], u.b_index[f]);
        u.index[at] = u.b_index[f];
        if (to)
            to[at] = b[f];
    }
    for (uint64_t row = first_thread(); row <= u.nrows; row += all_threads())
        u.start[row] = u.a_start[row] + kept_before(u.alone, u.b_start[row]);
}

cudaError_t sl_cuda_unite(const cuda_union *u, size_t size)
{
    uint64_t most = u->a_nnz > u->b_nnz ? u->a_nnz : u->b_nnz;
#define CALL(V) launch(most > u->nrows ? most : u->nrows + 1, unite<V>, *u)
    WITH_SIZE(size, CALL);
#undef CALL
}

template <typename V>
__global__ static void gather_partners(V *to, const V *from, const uint64_t *partner, uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        to[e] = partner[e] == CUDA_NO_PARTNER ? V(0) : from[partner[e]];
}

cudaError_t sl_cuda_gather_partners(void *to, const void *from, const uint64_t *partner,
                                    size_t size, uint64_t nnz)
{
#define CALL(V) launch(nnz, gather_partners<V>, (V *)to, (const V *)from, partner, nnz)
    WITH_SIZE(size, CALL);
#undef CALL
}

template <typename V>
__global__ static void scatter_matched(V *to, const V *from, const uint64_t *partner,
                                       cuda_kept kept, uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        if (partner[e] != CUDA_NO_PARTNER)
            to[partner[e] + kept_before(kept, e)] = from[e];
}

cudaError_t sl_cuda_scatter_matched(void *to, const void *from, const uint64_t *partner,
                                    const cuda_kept *kept, size_t size, uint64_t nnz)
{
#define CALL(V) launch(nnz, scatter_matched<V>, (V *)to, (const V *)from, partner, *kept, nnz)
    WITH_SIZE(size, CALL);
#undef CALL
}

template <typename T>
__global__ static void positions(T *to, bool rows, const uint64_t *start, const uint32_t *index,
                                 uint64_t nnz, uint64_t nrows)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        to[e] = (T)(rows ? row_of_entry(start, nrows, e) : index[e]);
}

cudaError_t sl_cuda_positions(void *to, sl_type type, bool rows, const uint64_t *start,
                              const uint32_t *index, uint64_t nnz, uint64_t nrows)
{
    return type == SL_INT32
               ? launch(nnz, positions<int32_t>, (int32_t *)to, rows, start, index, nnz, nrows)
               : launch(nnz, positions<int64_t>, (int64_t *)to, rows, start, index, nnz, nrows);
}
