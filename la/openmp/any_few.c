/*
 * Products over `any` with few terms: the vector is a list. The columns of its rows are listed, sorted, and kept where
 * the mask allows them: O(products) time, whatever the sizes.
 */
#include "openmp/any_product.h"

/* The entries that are copied to rows with 32-bit ids in the time that a list saves over SuiteSparse, about. */
enum { ENTRIES_PER_PRODUCT = 1 << 16 };

/* Rows are made when the products that wanted them have cost as much as making them. */
static bool wants_rows(sl_openmp_prepared *prepared, uint64_t entries)
{
    if (prepared->graph.index || prepared->degree_graph.index)
        return true;
    return ++prepared->few_products > entries / ENTRIES_PER_PRODUCT;
}

sl_status sl_openmp_any_may_list(any_product *p)
{
    sl_openmp_prepared *prepared;
    if (!p->by_vector)
        return SL_OK;
    const sl_status status = sl_openmp_prepared_of(&prepared, p->A);
    const bool rows = status == SL_OK && wants_rows(prepared, p->entries);
    p->listed = rows && sl_openmp_is_list(p->u);
    p->counts_later = rows && !p->listed;
    return status;
}

static const any_operand *mask_of(const any_product *p)
{
    return p->call->mask == p->u ? &p->vector : &p->mask;
}

/* Lists the columns, some of them several times, and notes for each an entry of the vector that reaches it. A mask of
 * arrays is applied. */
static uint64_t list_columns(uint32_t *columns, uint32_t *from, const any_product *p)
{
    const search *s = &p->s;
    const any_operand *u = &p->vector;
    const int8_t *mask = mask_of(p)->arrays.present;
    const int8_t flip = p->call->flags & SL_COMPLEMENT ? 1 : 0;
    uint64_t count = 0;
    for (uint64_t k = 0; k < u->list.nvals; k++) {
        const uint64_t id = new_id(s, u->list.rows[k]);
        if (id == s->graph.n)
            continue;
        for (uint64_t e = s->graph.start[id]; e < s->graph.start[id + 1]; e++) {
            const uint32_t v = (uint32_t)old_id(s, s->graph.index[e]);
            columns[count] = v;
            from[v] = (uint32_t)k;
            count += !mask || (mask[v] ^ flip);
        }
    }
    return count;
}

/* Whether the list has a column. *at: its first index that may have this column or a later one; columns ascend. */
static bool has(const any_operand *list, uint64_t *at, uint64_t column)
{
    uint64_t step = 1, end = *at;
    while (end < list->list.nvals && list->list.rows[end] < column) {
        *at = end + 1;
        end += step;
        step *= 2;
    }
    end = end < list->list.nvals ? end : list->list.nvals;
    while (*at < end) {
        const uint64_t middle = *at + (end - *at) / 2;
        if (list->list.rows[middle] < column)
            *at = middle + 1;
        else
            end = middle;
    }
    return *at < list->list.nvals && list->list.rows[*at] == column;
}

/* Keeps each of the sorted columns once, if a mask that is a list allows it. */
static uint64_t filter(uint32_t *columns, uint64_t count, const any_product *p)
{
    const any_operand *mask = mask_of(p);
    const bool complement = p->call->flags & SL_COMPLEMENT, masked = p->call->mask && mask->is_list;
    uint64_t kept = 0, at = 0;
    for (uint64_t k = 0; k < count; k++)
        if ((kept == 0 || columns[k] != columns[kept - 1]) &&
            (!masked || has(mask, &at, columns[k]) != complement))
            columns[kept++] = columns[k];
    return kept;
}

/* The values of the result: the entries of the vector that reach the columns, or their values. */
static void copy_values(any_product *p, const uint32_t *columns, const uint32_t *from)
{
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), p->list.type);
    const sl_arrays *u = &p->vector.list;
    const char *values = u->values ? u->values : (const void *)&one.as; /* NULL: all are 1 */
    const bool same = !u->values || u->iso;
    char *to = p->list.values;
    for (uint64_t k = 0; k < p->list.nvals; k++, to += p->size) {
        const uint64_t at = from[columns[k]];
        if (p->value == VALUE_INDEX)
            sl_openmp_copy_value(to, &p->vector.list.rows[at], p->size);
        else
            sl_openmp_copy_value(to, values + (same ? 0 : at) * p->size, p->size);
    }
}

/* The columns become the result. */
static sl_status make_list(any_product *p, const uint32_t *columns, uint64_t count,
                           const uint32_t *from)
{
    const sl_status status = sl_openmp_any_new_list(p, count);
    if (status != SL_OK)
        return status;
    for (uint64_t k = 0; k < count; k++)
        p->list.rows[k] = columns[k];
    if (p->list.values)
        copy_values(p, columns, from);
    return SL_OK;
}

sl_status sl_openmp_any_few(any_product *p)
{
    const uint64_t m = p->call->out->nrows;
    uint32_t *columns = sl_malloc(2 * (p->products + 1) * sizeof *columns);
    uint32_t *from = sl_openmp_scratch(p->s.prepared, m, 1);
    sl_status status = columns && from ? SL_OK : sl_openmp_any_no_memory(p);
    if (status == SL_OK) {
        const uint64_t count = list_columns(columns, from, p);
        sl_sort_ids(columns, count, m, columns + p->products + 1);
        status = make_list(p, columns, filter(columns, count, p), from);
    }
    sl_free(columns);
    return status;
}
