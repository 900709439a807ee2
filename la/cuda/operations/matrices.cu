/* Kernels over the entries of matrices, one thread per entry: matching, filters, unions,
 * positions. */
#include "cuda/operations/entries.cuh"

__global__ static void match(uint64_t *partner, const uint64_t *a_start, const uint32_t *a_index,
                             uint64_t nnz, const uint64_t *b_start, const uint32_t *b_index,
                             uint64_t nrows)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads()) {
        uint64_t row = row_of_entry(a_start, nrows, e), stop = b_start[row + 1];
        uint64_t at = first_at(b_index, b_start[row], stop, a_index[e]);
        partner[e] = at < stop && b_index[at] == a_index[e] ? at : CUDA_NO_PARTNER;
    }
}

cudaError_t sl_cuda_match(uint64_t *partner, const uint64_t *a_start, const uint32_t *a_index,
                          uint64_t nnz, const uint64_t *b_start, const uint32_t *b_index,
                          uint64_t nrows)
{
    return launch(nnz, match, partner, a_start, a_index, nnz, b_start, b_index, nrows);
}

__global__ static void keep_matched(cuda_kept kept, const uint64_t *partner, const bool *truth,
                                    bool complement, uint64_t nnz)
{
    FOR_EACH_WORD(nnz)
    {
        const uint64_t at = v < nnz ? partner[v] : CUDA_NO_PARTNER;
        const bool through = at != CUDA_NO_PARTNER && (!truth || truth[at]);
        keep_entry(kept, w, v < nnz && through != complement);
    }
}

cudaError_t sl_cuda_keep_matched(const cuda_kept *kept, const uint64_t *partner, const bool *truth,
                                 bool complement, uint64_t nnz)
{
    return launch(nnz, keep_matched, *kept, partner, truth, complement, nnz);
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
