/* The kernels of products over `any`: push and pull, in pieces of indices. O(entries) time. */
#include <string.h>

#include <semla/flags.h>

#include "openmp/any_product.h"

enum {
    AHEAD = 16,          /* pull: a row is prefetched so many rows before it is read */
    PIECE_INDICES = 1024 /* indices of a piece of work */
};

/* The value of the products of entry k of the vector. */
static inline uint64_t value_at(const any_product *p, uint64_t k)
{
    uint64_t value = k;
    if (p->value == VALUE_OF_VECTOR)
        memcpy(&value, (const char *)p->vector.values + k * p->size, p->size);
    return value;
}

/* Writes an entry. Several threads may write entries of the same index: any of them may remain. */
static inline void put(const any_product *p, uint64_t v, uint64_t value)
{
    if (p->value != VALUE_ONE)
        switch (p->size) {
        case 1:
            __atomic_store_n((uint8_t *)p->result.values + v, (uint8_t)value, __ATOMIC_RELAXED);
            break;
        case 2:
            __atomic_store_n((uint16_t *)p->result.values + v, (uint16_t)value, __ATOMIC_RELAXED);
            break;
        case 4:
            __atomic_store_n((uint32_t *)p->result.values + v, (uint32_t)value, __ATOMIC_RELAXED);
            break;
        default:
            __atomic_store_n((uint64_t *)p->result.values + v, value, __ATOMIC_RELAXED);
        }
    __atomic_store_n(&p->result.present[v], ENTRY, __ATOMIC_RELAXED);
}

/* The indices begin to end - 1 that have a state and a row with entries. Without branches, which
 * would be mispredicted. Returns their number. */
static unsigned list_indices(uint32_t *list, const int8_t *present, int8_t state,
                             const uint64_t *start, uint64_t begin, uint64_t end)
{
    unsigned count = 0;
    for (uint64_t k = begin; k < end; k++) {
        list[count] = (uint32_t)k;
        count += (present[k] == state) & (start[k + 1] > start[k]);
    }
    return count;
}

/* The kernels copy the product, because a flag that they write could be any of its members. */
static void push_piece(const any_product *product, uint64_t piece)
{
    const any_product g = *product, *p = &g;
    const uint64_t begin = piece * PIECE_INDICES, n = p->vector.size;
    const uint64_t end = begin + PIECE_INDICES < n ? begin + PIECE_INDICES : n;
    uint32_t list[PIECE_INDICES + 1];
    const unsigned count = list_indices(list, p->vector.present, ENTRY, p->push_start, begin, end);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t k = list[i];
        const uint64_t value = value_at(p, k);
        __builtin_prefetch(p->push_index + p->push_start[list[i + AHEAD < count ? i + AHEAD : i]]);
        for (uint64_t e = p->push_start[k]; e < p->push_start[k + 1]; e++) {
            const uint32_t v = p->push_index[e];
            if (__atomic_load_n(&p->result.present[v], __ATOMIC_RELAXED) == OPEN)
                put(p, v, value);
        }
    }
}

static void pull_piece(const any_product *product, uint64_t piece)
{
    const any_product g = *product, *p = &g;
    const uint64_t begin = piece * PIECE_INDICES, m = p->result.size;
    const uint64_t end = begin + PIECE_INDICES < m ? begin + PIECE_INDICES : m;
    uint32_t list[PIECE_INDICES + 1];
    const unsigned count = list_indices(list, p->result.present, OPEN, p->pull_start, begin, end);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t v = list[i];
        __builtin_prefetch(p->pull_index + p->pull_start[list[i + AHEAD < count ? i + AHEAD : i]]);
        for (uint64_t e = p->pull_start[v]; e < p->pull_start[v + 1]; e++) {
            const uint32_t k = p->pull_index[e];
            if (p->frontier[k / 64] >> (k % 64) & 1) {
                put(p, v, value_at(p, k));
                break;
            }
        }
    }
}

static sl_status make_frontier(any_product *p)
{
    p->frontier = sl_calloc(p->vector.size / 64 + 1, sizeof *p->frontier);
    if (!p->frontier)
        return sl_fail(p->call->ctx, SL_NO_MEMORY, "%s: out of memory",
                       sl_operation_name(p->call->op));
    sl_pack_flags(p->frontier, p->vector.present, p->vector.size);
    return SL_OK;
}

sl_status sl_openmp_any_run(any_product *p, bool pull, double work)
{
    const int threads = sl_openmp_threads_for(p->call->ctx, (uint64_t)work);
    if (pull) {
        const sl_status status = make_frontier(p);
        if (status != SL_OK)
            return status;
    }
    p->pieces =
        (sl_openmp_pieces){.ctx = p->call->ctx,
                           .operation = sl_operation_name(p->call->op),
                           .count = (pull ? p->result.size : p->vector.size) / PIECE_INDICES + 1};
#pragma omp parallel num_threads(threads) if (threads > 1)
    for (uint64_t piece; sl_openmp_take(&p->pieces, &piece);)
        if (pull)
            pull_piece(p, piece);
        else
            push_piece(p, piece);
    return p->pieces.status;
}
