/*
 * The vectors that a search writes. They are opened as arrays before the search, and receive the
 * vertices reached, their parents and levels at its end. O(vertices) time.
 */
#include <string.h>

#include "openmp/products.h"
#include "openmp/search.h"

sl_status sl_openmp_list(sl_csr *list, const sl_object *v)
{
    return sl_store_host.export_arrays(list, v, sl_handle(v, &sl_store_host));
}

void sl_openmp_list_free(sl_csr *list)
{
    sl_free(list->start);
    sl_free(list->index);
    sl_free(list->values);
}

/* ---- arrays of a vector --------------------------------------------------------------- */

/* A vector with at most 1 / SPARSE_SHARE of all entries gets new arrays. */
enum { SPARSE_SHARE = 16 };

/*
 * Moves the arrays of a vector out; or allocates new ones, which are not filled with zeros by one
 * thread: each thread first touches what it writes at the end.
 */
static sl_status open_result(result *o, bool zeros)
{
    const sl_object *v = o->vector;
    void *handle = sl_handle(v, &sl_store_host);
    uint64_t nvals;
    sl_status status = sl_openmp_entries(&nvals, v);
    o->replaced = status == SL_OK && nvals <= v->nrows / SPARSE_SHARE;
    if (status == SL_OK && !o->replaced)
        return sl_store_host.open(&o->arrays, v, handle);
    if (status == SL_OK)
        status = sl_openmp_list(&o->old_entries, v);
    if (status != SL_OK)
        return status;
    o->arrays.size = v->nrows;
    o->arrays.present = zeros ? sl_calloc(v->nrows, 1) : sl_malloc(v->nrows);
    o->arrays.values = sl_malloc(v->nrows * sl_type_size(v->type));
    if (o->arrays.present && o->arrays.values)
        return SL_OK;
    return sl_fail(v->ctx, SL_NO_MEMORY, "closure: out of memory");
}

/* Adds the old entries of a vector that the search did not reach. */
static void restore_entries(result *o)
{
    const size_t size = sl_type_size(o->vector->type);
    const sl_scalar one = sl_scalar_cast(sl_scalar_int64(1), o->vector->type);
    const char *values = o->old_entries.values;
    for (uint64_t e = 0; e < o->old_entries.start[1]; e++) {
        uint64_t v = o->old_entries.index[e];
        if (o->arrays.present[v])
            continue;
        o->arrays.present[v] = 1;
        o->arrays.nvals++;
        memcpy((char *)o->arrays.values + v * size, values ? values + e * size : (char *)&one.as,
               size);
    }
}

static sl_status close_result(result *o)
{
    if (o->replaced)
        restore_entries(o);
    return sl_store_host.close(&o->arrays, o->vector, sl_handle(o->vector, &sl_store_host));
}

/* ---- vertices reached ----------------------------------------------------------------- */

/* Adds entries for the bits of one word; returns the number of new ones. */
static uint64_t mark(int8_t *present, uint64_t w, uint64_t bits)
{
    uint64_t added = 0;
    if (bits == ~(uint64_t)0) {
        for (uint64_t k = 0; k < 64; k++)
            added += !present[64 * w + k];
        memset(present + 64 * w, 1, 64);
        return added;
    }
    for (; bits; bits &= bits - 1) {
        uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(bits);
        added += !present[v];
        present[v] = 1;
    }
    return added;
}

/* Adds the vertices reached to pi and level. */
static void write_visited(run *r)
{
    const search *s = &r->s;
    bool *truth = s->out.parent.values ? NULL : r->pi.arrays.values;
    for (uint64_t w = 0; w < s->graph.words; w++) {
        uint64_t bits = s->visited[w] & ~r->initial_visited[w];
        r->pi.arrays.nvals += mark(r->pi.arrays.present, w, bits);
        if (s->out.level.values)
            r->level.arrays.nvals += mark(r->level.arrays.present, w, bits);
        for (; truth && bits; bits &= bits - 1)
            truth[64 * w + (uint64_t)__builtin_ctzll(bits)] = true;
    }
}

/*
 * The same from a reordered graph. Results are written in the caller's order; reads are local, as
 * vertices of one degree keep the caller's order. There are no branches on the visited bits, which
 * are unpredictable.
 */
enum { PIECE = 2048 };

static uint64_t add_entries(result *o, uint64_t first, const bool *reached, uint64_t count)
{
    int8_t *present = o->arrays.present + first;
    uint64_t added = 0;
    if (o->replaced)
        memset(present, 0, count);
    for (uint64_t v = 0; v < count; v++) {
        added += reached[v] & !present[v];
        present[v] |= reached[v];
    }
    return added;
}

/* Copies the values of the vertices reached, by new id; values read of others are masked. */
#define TRANSLATE(T)                                                                               \
    static inline void translate_##T(                                                              \
        T *restrict to, const uint32_t *restrict from, const uint32_t *restrict new_id,            \
        const bool *restrict reached, uint64_t count, const bool replaced)                         \
    {                                                                                              \
        for (uint64_t v = 0; v < count; v++) {                                                     \
            const T value = (T)from[new_id[v]], mask = (T)-reached[v];                             \
            to[v] = replaced ? value & mask : (value & mask) | (to[v] & ~mask);                    \
        }                                                                                          \
    }
TRANSLATE(int32_t)
TRANSLATE(int64_t)
#undef TRANSLATE

static void write_values(result *o, uint64_t first, const uint32_t *from, const uint32_t *new_id,
                         const bool *reached, uint64_t count)
{
    int32_t *narrow = (int32_t *)o->arrays.values + first;
    int64_t *wide = (int64_t *)o->arrays.values + first;
    const bool is_narrow = o->vector->type == SL_INT32;
    if (is_narrow && o->replaced)
        translate_int32_t(narrow, from, new_id, reached, count, true);
    else if (is_narrow)
        translate_int32_t(narrow, from, new_id, reached, count, false);
    else if (o->replaced)
        translate_int64_t(wide, from, new_id, reached, count, true);
    else
        translate_int64_t(wide, from, new_id, reached, count, false);
}

static void write_truth(result *o, uint64_t first, const bool *reached, uint64_t count)
{
    bool *to = (bool *)o->arrays.values + first;
    if (o->replaced)
        memcpy(to, reached, count * sizeof *to);
    for (uint64_t v = 0; !o->replaced && v < count; v++)
        to[v] = reached[v] || to[v];
}

static void write_visited_reordered(run *r)
{
    const search s = r->s;
    const uint64_t n = r->pi.arrays.size;
    uint64_t *bits = r->initial_visited, found = 0, levels = 0;
    for (uint64_t w = 0; w < s.graph.all_words; w++)
        bits[w] ^= s.visited[w];
#pragma omp parallel for num_threads(s.threads) reduction(+ : found, levels) if (n > SL_SERIAL_EDGES)
    for (uint64_t first = 0; first < n; first += PIECE) {
        const uint64_t count = n - first < PIECE ? n - first : PIECE;
        const uint32_t *new_id = s.graph.new_id + first;
        bool reached[PIECE];
        for (uint64_t v = 0; v < count; v++)
            reached[v] = bit_test(bits, new_id[v]);
        found += add_entries(&r->pi, first, reached, count);
        if (s.out.new_parent)
            write_values(&r->pi, first, s.out.new_parent, new_id, reached, count);
        if (!s.out.parent.values)
            write_truth(&r->pi, first, reached, count);
        if (s.out.level.values) {
            levels += add_entries(&r->level, first, reached, count);
            write_values(&r->level, first, s.out.new_level, new_id, reached, count);
        }
    }
    r->pi.arrays.nvals += found;
    r->level.arrays.nvals += levels;
}

/* ---- opening and closing -------------------------------------------------------------- */

/* Leaves a vector unchanged, whether or not it is open. */
static void abandon(result *o)
{
    if (o->vector && !o->replaced && o->arrays.present)
        close_result(o);
    sl_free(o->arrays.present);
    sl_free(o->arrays.values);
    o->arrays = (sl_bitmap){0};
}

sl_status sl_openmp_open_results(run *r)
{
    const bool zeros = !r->s.graph.old_id;
    sl_status status = open_result(&r->pi, zeros);
    if (status == SL_OK && r->level.vector)
        status = open_result(&r->level, zeros);
    if (status != SL_OK) {
        abandon(&r->pi);
        abandon(&r->level);
        return status;
    }
    if (r->call->operators.semiring->result_is_index)
        r->s.out.parent = (sl_integers){r->pi.arrays.values, r->pi.vector->type == SL_INT32};
    if (r->level.vector)
        r->s.out.level = (sl_integers){r->level.arrays.values, r->level.vector->type == SL_INT32};
    return SL_OK;
}

sl_status sl_openmp_close_results(run *r)
{
    if (r->s.graph.old_id)
        write_visited_reordered(r);
    else
        write_visited(r);
    sl_status pi = close_result(&r->pi);
    sl_status level = r->level.vector ? close_result(&r->level) : SL_OK;
    return pi == SL_OK ? level : pi;
}
