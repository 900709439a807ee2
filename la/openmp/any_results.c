/* The entries of a product over `any`, from the ids that its level reached and their parents. O(size of w) time. */
#include <string.h>

#include <semla/flags.h>

#include "openmp/any_product.h"

/* Indices of w that a thread takes at once. */
enum { PIECE = 2048 };

sl_status sl_openmp_any_no_memory(const any_product *p)
{
    return sl_fail(p->call->ctx, SL_NO_MEMORY, "%s: out of memory", sl_operation_name(p->call->op));
}

/* The value of the entry with this id that was reached. */
static uint64_t value_at(const any_product *p, uint64_t id)
{
    const uint64_t parent = p->s.out.new_parent[id];
    uint64_t value = parent;
    if (p->value == VALUE_OF_VECTOR)
        sl_openmp_copy_value(&value, (const char *)p->vector.arrays.values + parent * p->size,
                             p->size);
    return value;
}

/* ---- many entries: arrays of the size of w ---------------------------------------------------- */

/* Writes the values of a piece, of whose indices some were reached. Without branches on that, which would be
 * mispredicted: the parent of another index is taken as 0. */
#define WRITE_VALUES(T)                                                                            \
    static void write_##T(T *to, const T *from, const uint32_t *parent, const int8_t *reached,     \
                          uint64_t count)                                                          \
    {                                                                                              \
        for (uint64_t k = 0; k < count; k++) {                                                     \
            const uint32_t index = parent[k] & (uint32_t)-reached[k];                              \
            to[k] = from ? from[index] : (T)index;                                                 \
        }                                                                                          \
    }
WRITE_VALUES(uint8_t)
WRITE_VALUES(uint16_t)
WRITE_VALUES(uint32_t)
WRITE_VALUES(uint64_t)
#undef WRITE_VALUES

static void write_values(const any_product *p, uint64_t first, const uint32_t *parent,
                         uint64_t count)
{
    const void *from = p->value == VALUE_OF_VECTOR ? p->vector.arrays.values : NULL;
    const int8_t *reached = p->result.present + first;
    void *to = (char *)p->result.values + first * p->size;
    if (p->size == 1)
        write_uint8_t(to, from, parent, reached, count);
    else if (p->size == 2)
        write_uint16_t(to, from, parent, reached, count);
    else if (p->size == 4)
        write_uint32_t(to, from, parent, reached, count);
    else
        write_uint64_t(to, from, parent, reached, count);
}

static void write_ones(const any_product *p, uint64_t first, uint64_t count)
{
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), p->call->out->type);
    char *to = (char *)p->result.values + first * p->size;
    for (uint64_t k = 0; k < count; k++)
        sl_openmp_copy_value(to + k * p->size, &one.as, p->size);
}

static void write_piece(const any_product *p, uint64_t first, uint64_t count)
{
    const search *s = &p->s;
    const uint32_t *ids = s->graph.new_id ? s->graph.new_id + first : NULL;
    const uint32_t *found = s->out.new_parent;
    int8_t *present = p->result.present + first;
    uint32_t parent[PIECE];
    for (uint64_t k = 0; ids && k < count; k++)
        present[k] = bit_test(s->frontier, ids[k]);
    for (uint64_t k = 0; !ids && k < count; k++)
        present[k] = bit_test(s->frontier, first + k);
    if (p->value == VALUE_ONE) {
        write_ones(p, first, count);
        return;
    }
    for (uint64_t k = 0; ids && k < count; k++)
        parent[k] = found[ids[k]];
    write_values(p, first, ids ? parent : found + first, count);
}

static void write_arrays(const any_product *p)
{
    const uint64_t m = p->result.size;
#pragma omp parallel for num_threads(p->s.threads) if (m > SL_SERIAL_EDGES)
    for (uint64_t first = 0; first < m; first += PIECE)
        write_piece(p, first, m - first < PIECE ? m - first : PIECE);
}

/* The arrays of w, if it has arrays that are not read: new pages would cost as much as the product. */
static sl_status reuse_arrays(any_product *p)
{
    const sl_object *w = p->call->out;
    if (w == p->call->mask)
        return SL_OK;
    if (w == p->vector.object && !p->vector.is_list && p->value != VALUE_OF_VECTOR) {
        p->result = p->vector.arrays;
        p->vector.object = NULL;
    } else if (w != p->u && !sl_openmp_is_list(w)) {
        return sl_openmp_open(&p->result, w);
    }
    return SL_OK;
}

static sl_status make_arrays(any_product *p)
{
    const uint64_t m = p->call->out->nrows;
    const sl_status status = reuse_arrays(p);
    if (status != SL_OK)
        return status;
    p->result.nvals = p->s.plan.frontier;
    if (!p->result.present)
        p->result = (sl_bitmap){.size = m,
                                .nvals = p->s.plan.frontier,
                                .present = sl_malloc(m + 1),
                                .values = sl_malloc((m + 1) * p->size)};
    if (!p->result.present || !p->result.values)
        return sl_openmp_any_no_memory(p); /* w has its own arrays still */
    write_arrays(p);
    return SL_OK;
}

/* ---- few entries: a list, which other operations read faster ---------------------------------- */

/* The indices that were reached, ascending. */
static void list_reached(uint64_t *list, const search *s, int8_t *flags, uint64_t m)
{
    for (uint64_t w = 0; w < s->graph.words; w++)
        for (uint64_t bits = s->frontier[w]; bits; bits &= bits - 1)
            flags[old_id(s, 64 * w + (uint64_t)__builtin_ctzll(bits))] = 1;
    sl_list_flags(list, flags, m);
}

sl_status sl_openmp_any_new_list(any_product *p, uint64_t count)
{
    const sl_object *w = p->call->out;
    const bool valued = p->value != VALUE_ONE;
    p->list = (sl_arrays){.format = SL_FORMAT_LIST,
                          .type = w->type,
                          .nrows = w->nrows,
                          .ncols = 1,
                          .nvals = count,
                          .rows = sl_malloc((count + 1) * sizeof *p->list.rows),
                          .values = valued ? sl_malloc((count + 1) * p->size) : NULL};
    return p->list.rows && (p->list.values || !valued) ? SL_OK : sl_openmp_any_no_memory(p);
}

static sl_status make_list(any_product *p)
{
    const sl_object *w = p->call->out;
    const uint64_t count = p->s.plan.frontier;
    int8_t *flags = sl_calloc(w->nrows + 1, 1);
    sl_status status = flags ? sl_openmp_any_new_list(p, count) : sl_openmp_any_no_memory(p);
    if (status != SL_OK) {
        sl_free(flags);
        return status;
    }
    list_reached(p->list.rows, &p->s, flags, w->nrows);
    sl_free(flags);
    for (uint64_t k = 0; p->list.values && k < count; k++) {
        const uint64_t value = value_at(p, new_id(&p->s, p->list.rows[k]));
        sl_openmp_copy_value((char *)p->list.values + k * p->size, &value, p->size);
    }
    return SL_OK;
}

/* ---- the result ------------------------------------------------------------------------------- */

sl_status sl_openmp_any_results(any_product *p)
{
    return p->s.plan.frontier < p->call->out->nrows / LEAST_SHARE ? make_list(p) : make_arrays(p);
}

sl_status sl_openmp_any_take(any_product *p)
{
    if (!p->result.present)
        return sl_openmp_take_list(p->call->out, &p->list);
    const sl_status status = sl_openmp_close(&p->result, p->call->out);
    p->result = (sl_bitmap){0};
    return status;
}
