/* Tuples in the host's memory: see sl_tuple_memory. */
#include "dist/operations/rank_tuples.h"

#include <string.h>

static sl_status allocate(sl_context *ctx, void **array, uint64_t bytes)
{
    *array = sl_malloc(bytes > 0 ? bytes : 1);
    return *array ? SL_OK
                  : sl_fail(ctx, SL_NO_MEMORY, "out of memory for %zu bytes", (size_t)bytes);
}

static sl_status copy(sl_context *ctx, void *to, const void *from, uint64_t bytes)
{
    if (bytes > 0)
        memcpy(to, from, bytes);
    return SL_OK;
}

/* ---- objects ----------------------------------------------------------------------- */

static sl_status read(sl_tuples *t, sl_object *object)
{
    uint64_t count = t->count;
    return object->is_matrix
               ? sl_matrix_extract_tuples(t->rows, t->cols, t->values, &count, (sl_matrix *)object)
               : sl_vector_extract_tuples(t->rows, t->values, &count, (sl_vector *)object);
}

static sl_status build(sl_object *object, const sl_tuples *t, sl_binary_op dup)
{
    return object->is_matrix
               ? sl_matrix_build((sl_matrix *)object, t->rows, t->cols, t->values, t->count, dup)
               : sl_vector_build((sl_vector *)object, t->rows, t->values, t->count, dup);
}

static sl_status take(sl_vector **made, sl_context *ctx, sl_arrays *arrays, void **values)
{
    const sl_status status = sl_vector_take(made, ctx, arrays);
    *values = arrays->values;
    return status;
}

static sl_status take_bitmap(sl_vector **made, sl_context *ctx, sl_arrays *arrays, void **values,
                             const uint64_t *present)
{
    arrays->format = SL_FORMAT_BITMAP;
    arrays->nvals = 0;
    arrays->present = sl_malloc(arrays->nrows);
    if (!arrays->present)
        return sl_fail(ctx, SL_NO_MEMORY, "out of memory for %zu bytes", (size_t)arrays->nrows);
    for (uint64_t k = 0; k < arrays->nrows; k++) {
        arrays->present[k] = (int8_t)present[k];
        arrays->nvals += present[k];
    }
    const sl_status status = take(made, ctx, arrays, values);
    sl_free(arrays->present);
    return status;
}

static sl_status make_vector(sl_vector **made, sl_context *ctx, sl_type type, uint64_t size,
                             void **values, const uint64_t *present)
{
    sl_arrays arrays = {.format = SL_FORMAT_FULL,
                        .type = type,
                        .nrows = size,
                        .ncols = 1,
                        .nvals = size,
                        .values = *values,
                        .trusted = true};
    if (size == 0)
        return sl_vector_new(made, ctx, type, 0);
    return present ? take_bitmap(made, ctx, &arrays, values, present)
                   : take(made, ctx, &arrays, values);
}

/* ---- indices ----------------------------------------------------------------------- */

static sl_status to_global(sl_context *ctx, uint64_t *numbers, uint64_t count,
                           const sl_local_blocks *blocks)
{
    if (blocks->stride == 1) /* consecutive blocks */
        for (uint64_t k = 0, begin = sl_distribution_begin(&blocks->of, blocks->first); k < count;
             k++)
            numbers[k] += begin;
    else
        for (uint64_t k = 0; k < count; k++)
            numbers[k] = sl_global_index(blocks, numbers[k]);
    return SL_OK;
}

static sl_status to_local(sl_context *ctx, uint64_t *numbers, uint64_t count,
                          const sl_local_blocks *blocks)
{
    for (uint64_t k = 0; k < count; k++)
        numbers[k] = sl_local_index(blocks, numbers[k]);
    return SL_OK;
}

static sl_status add(sl_context *ctx, uint64_t *to, const uint64_t *from, uint64_t count,
                     uint64_t addend)
{
    for (uint64_t k = 0; k < count; k++)
        to[k] = from[k] + addend;
    return SL_OK;
}

static sl_status fill(sl_context *ctx, uint64_t *numbers, uint64_t count, uint64_t number)
{
    for (uint64_t k = 0; k < count; k++)
        numbers[k] = number;
    return SL_OK;
}

static sl_status pair(sl_context *ctx, uint64_t *to, const uint64_t *a, uint64_t a_count,
                      const uint64_t *b, uint64_t b_count, uint64_t factor)
{
    for (uint64_t i = 0; i < a_count; i++)
        for (uint64_t j = 0; j < b_count; j++)
            *to++ = a[i] * factor + b[j];
    return SL_OK;
}

static sl_status repeat(sl_context *ctx, void *to, const void *from, size_t size, uint64_t count,
                        uint64_t times, bool each)
{
    const uint64_t inner = each ? times : count, outer = each ? count : times;
    char *at = to;
    for (uint64_t i = 0; i < outer; i++)
        for (uint64_t j = 0; j < inner; j++, at += size)
            memcpy(at, (const char *)from + (each ? i : j) * size, size);
    return SL_OK;
}

static sl_status look_up(sl_context *ctx, uint64_t *numbers, uint64_t count, const uint64_t *table)
{
    for (uint64_t k = 0; k < count; k++)
        numbers[k] = table[numbers[k]];
    return SL_OK;
}

static sl_status find(sl_context *ctx, uint64_t *numbers, uint64_t count, const uint64_t *ascending,
                      uint64_t length)
{
    for (uint64_t k = 0; k < count; k++) {
        uint64_t low = 0, high = length;
        while (low + 1 < high) {
            uint64_t middle = low + (high - low) / 2;
            if (ascending[middle] <= numbers[k])
                low = middle;
            else
                high = middle;
        }
        numbers[k] = low;
    }
    return SL_OK;
}

static sl_status owners(sl_context *ctx, uint32_t *to, const sl_tuples *t,
                        const sl_owner_rule *rule)
{
    for (uint64_t k = 0; k < t->count; k++)
        to[k] = sl_owner_of(rule, t->rows, t->cols, k);
    return SL_OK;
}

/* ---- values ------------------------------------------------------------------------ */

static uint64_t index_at(const sl_tuples *t, uint64_t k)
{
    const char *at = (const char *)t->values + k * sl_type_size(t->type);
    sl_scalar index = sl_scalar_load(t->type, at);
    return t->type == SL_UINT64 ? index.as.uint64_
                                : (uint64_t)sl_scalar_cast(index, SL_INT64).as.int64_;
}

static sl_status indices(sl_context *ctx, uint64_t *numbers, uint64_t *outside, const sl_tuples *t,
                         uint64_t bound)
{
    *outside = t->count;
    for (uint64_t k = 0; k < t->count; k++) {
        numbers[k] = index_at(t, k);
        if (numbers[k] >= bound && *outside == t->count)
            *outside = k;
    }
    return SL_OK;
}

static sl_status attach(sl_context *ctx, sl_tuples *list, const sl_tuples *vector)
{
    const size_t size = sl_type_size(list->type);
    uint64_t l = 0; /* the positions of the list ascend, too */
    for (uint64_t k = 0; k < list->count; k++) {
        while (l < vector->count && vector->rows[l] < list->cols[k])
            l++;
        const bool has = l < vector->count && vector->rows[l] == list->cols[k];
        if (has)
            memcpy((char *)list->values + k * size, (const char *)vector->values + l * size, size);
        else
            memset((char *)list->values + k * size, 0, size);
        list->cols[k] = has;
    }
    return SL_OK;
}

/* ---- operators that read indices ---------------------------------------------------- */

/* The value of a positional operator at entry (i, j). */
static void put_position(void *z, sl_binary_op op, uint64_t i, uint64_t j)
{
    const bool row = op->code == SL_BINARY_FIRSTI || op->code == SL_BINARY_SECONDI;
    const sl_scalar index = sl_scalar_cast(sl_scalar_uint64(row ? i : j), op->result);
    memcpy(z, &index.as, sl_type_size(op->result));
}

/* The value of tuple k in the type that the operator reads; `room` is used for a conversion. */
static const void *operand(sl_scalar *room, sl_type wanted, const sl_tuples *t, uint64_t k)
{
    const char *value = (const char *)t->values + k * sl_type_size(t->type);
    *room = sl_scalar_cast(sl_scalar_load(t->type, value), wanted);
    return sl_scalar_bytes(room);
}

static sl_status evaluate(sl_context *ctx, void *to, const sl_tuples *t, const sl_index_rule *rule)
{
    const sl_index_op op = rule->index;
    const size_t size = sl_type_size(op ? op->result : rule->binary->result);
    for (uint64_t k = 0; k < t->count; k++) {
        const uint64_t i = sl_global_index(&rule->rows, t->rows[k]);
        const uint64_t j = t->cols ? sl_global_index(&rule->cols, t->cols[k]) : 0;
        char *z = (char *)to + k * size;
        sl_scalar x;
        if (op)
            op->eval(z, op->positional ? NULL : operand(&x, op->type, t, k), (int64_t)i, (int64_t)j,
                     sl_scalar_bytes(&rule->thunk));
        else
            put_position(z, rule->binary, i, j);
    }
    return SL_OK;
}

/* ---- selection ---------------------------------------------------------------------- */

static sl_status passes(sl_context *ctx, bool *kept, const sl_tuples *t, const sl_tuple_filter *f)
{
    for (uint64_t k = 0; k < t->count; k++)
        kept[k] = sl_tuple_passes(f, t->rows, t->cols, k);
    return SL_OK;
}

static sl_status keep(sl_context *ctx, sl_tuples *t, const bool *kept)
{
    const size_t size = sl_type_size(t->type);
    uint64_t count = 0;
    for (uint64_t k = 0; k < t->count; k++) {
        if (!kept[k])
            continue;
        t->rows[count] = t->rows[k];
        if (t->cols)
            t->cols[count] = t->cols[k];
        if (t->values)
            memmove((char *)t->values + count * size, (char *)t->values + k * size, size);
        count++;
    }
    t->count = count;
    return SL_OK;
}

const sl_tuple_memory sl_host_tuple_memory = {.allocate = allocate,
                                              .release = sl_free,
                                              .copy = copy,
                                              .read = read,
                                              .build = build,
                                              .make_vector = make_vector,
                                              .to_global = to_global,
                                              .to_local = to_local,
                                              .add = add,
                                              .fill = fill,
                                              .pair = pair,
                                              .repeat = repeat,
                                              .look_up = look_up,
                                              .find = find,
                                              .owners = owners,
                                              .indices = indices,
                                              .attach = attach,
                                              .evaluate = evaluate,
                                              .passes = passes,
                                              .keep = keep};
