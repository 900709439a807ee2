/* Encodes the entries of a vector: the codec of the indices is chosen for each message. */
#include <semla/flags.h>

#include "dist/operations/vector_messages_format.h"

/* The entries that are sent: arrays of the format BITMAP or LIST, which are copies, or those of the
 * vector itself, moved out while they are read. */
typedef struct {
    sl_grid *grid;
    sl_arrays arrays;
    const sl_object *vector; /* NULL: the arrays are copies */
    sl_bitmap opened;        /* the arrays of the vector */
    sl_message_values values;
    size_t value_size;
    uint32_t *list; /* scratch: the indices of one message, */
    uint64_t *bits; /* or their bitmap */
} source;

/* The entries of one message: indices begin to end - 1; of a LIST numbers first to first + count -
 * 1. */
typedef struct {
    uint64_t begin, end, first, count;
} range;

/* Moves the arrays of the vector back. */
static sl_status close_source(source *s)
{
    sl_status status = SL_OK;
    if (s->vector) {
        status = sl_store_host.close(&s->opened, s->vector, sl_handle(s->vector, &sl_store_host));
        if (status < 0)
            sl_grid_local_failed(s->grid, status);
    } else {
        sl_arrays_free(&s->arrays);
    }
    sl_free(s->list);
    sl_free(s->bits);
    return status;
}

static bool is_true(const source *s, uint64_t at)
{
    const char *values = s->arrays.values;
    const sl_scalar x =
        sl_scalar_load(s->arrays.type, values + (s->arrays.iso ? 0 : at) * s->value_size);
    return sl_scalar_cast(x, SL_BOOL).as.bool_;
}

/* Removes the entries whose value is false. */
static void keep_true(source *s)
{
    sl_arrays *a = &s->arrays;
    uint64_t kept = 0;
    if (!a->values) /* every value is 1 */
        return;
    if (a->format == SL_FORMAT_BITMAP) {
        for (uint64_t k = 0; k < a->nrows; k++)
            a->present[k] = a->present[k] && is_true(s, k);
        return;
    }
    for (uint64_t k = 0; k < a->nvals; k++)
        if (is_true(s, k))
            a->rows[kept++] = a->rows[k];
    a->nvals = kept;
}

/* Whether the local context keeps a vector in host memory only. */
static bool is_on_host(const sl_object *vector)
{
    return sl_handle(vector, &sl_store_host) &&
           vector->ctx->chain[0]->store->memory == SL_MEMORY_HOST;
}

/* Whether the entries are read as a bitmap: if they are many, or if the vector is kept as one. */
static bool reads_bitmap(const sl_object *vector, uint64_t entries)
{
    return sl_suits_bitmap(entries, vector->nrows) ||
           (sl_fits_codecs(vector->nrows) && is_on_host(vector) &&
            !sl_store_host.is_list(vector, sl_handle(vector, &sl_store_host)));
}

/* Whether the arrays of a vector are read in place: its pattern alone is sent. */
static bool in_place(const sl_object *vector, bool bitmap, sl_send what)
{
    return bitmap && what == SL_SEND_PATTERN && is_on_host(vector);
}

/* Finds or copies the arrays of a vector. */
static sl_status read_arrays(source *s, const sl_object *vector, bool bitmap, sl_send what)
{
    if (!in_place(vector, bitmap, what)) {
        SL_TRY_LOCAL(s->grid, sl_vector_copy_out(&s->arrays, (const sl_vector *)vector,
                                                 bitmap ? SL_FORMAT_BITMAP : SL_FORMAT_LIST));
        return SL_OK;
    }
    sl_context *outside = sl_store_enter(&sl_store_host, vector->ctx);
    const sl_status status =
        sl_store_host.open(&s->opened, vector, sl_handle(vector, &sl_store_host));
    sl_store_leave(&sl_store_host, vector->ctx, outside);
    if (status != SL_OK)
        return sl_grid_local_failed(s->grid, status);
    s->vector = vector;
    s->arrays = (sl_arrays){.format = SL_FORMAT_BITMAP,
                            .type = vector->type,
                            .nrows = vector->nrows,
                            .present = s->opened.present};
    return SL_OK;
}

/* Opens the entries of a vector, which need closing even after a failure. */
static sl_status open_source(source *s, sl_grid *grid, const sl_object *vector, sl_send what)
{
    uint64_t entries;
    *s = (source){.grid = grid, .value_size = sl_type_size(vector->type)};
    SL_TRY_LOCAL(grid, sl_vector_nvals(&entries, (const sl_vector *)vector));
    const bool bitmap = reads_bitmap(vector, entries);
    SL_TRY(read_arrays(s, vector, bitmap, what));
    if (what == SL_SEND_TRUE)
        keep_true(s);
    if (what == SL_SEND_ENTRIES && s->arrays.values)
        s->values = s->arrays.iso ? SL_VALUES_SAME : SL_VALUES_EACH;
    if (bitmap)
        s->bits = sl_malloc(sl_bits_words(vector->nrows) * sizeof *s->bits);
    else if (sl_fits_codecs(vector->nrows))
        s->list = sl_malloc((entries + 1) * sizeof *s->list);
    return s->bits || s->list || !sl_fits_codecs(vector->nrows)
               ? SL_OK
               : sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory to send %zu entries",
                         (size_t)entries);
}

/* The number of the first entry of a LIST with an index of at least `index`. */
static uint64_t find(const sl_arrays *a, uint64_t index)
{
    uint64_t low = 0, high = a->nvals;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (a->rows[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static range range_of(const source *s, uint64_t begin, uint64_t end)
{
    const sl_arrays *a = &s->arrays;
    range r = {.begin = begin, .end = end};
    if (a->format == SL_FORMAT_LIST) {
        r.first = find(a, begin);
        r.count = find(a, end) - r.first;
    } else {
        const int8_t *present = a->present;
        uint64_t count = 0;
        for (uint64_t k = begin; k < end; k++)
            count += (uint64_t)present[k];
        r.count = count;
    }
    return r;
}

/* An upper bound of the bytes of a message. */
static uint64_t bound(const source *s, const range *r)
{
    const uint64_t limit = r->end - r->begin;
    uint64_t bytes = 1 + (s->values == SL_VALUES_EACH ? r->count : 1) * s->value_size;
    if (!sl_fits_codecs(limit))
        return bytes + (1 + r->count) * sizeof(uint64_t);
    const sl_codec_code code = sl_codec_choose(r->count, limit, SL_CODECS_ALL);
    return bytes + SL_CODEC_HEAD + sl_codecs[code]->bound(r->count, limit);
}

uint64_t sl_vector_message_room(uint64_t limit, size_t value_size)
{
    return sl_fits_codecs(limit)
               ? 1 + sl_codec_capacity(limit, SL_CODECS_ALL) + (limit ? limit : 1) * value_size
               : UINT64_MAX;
}

static uint64_t encode_wide(uint8_t *out, const source *s, const range *r)
{
    memcpy(out, &r->count, sizeof r->count);
    for (uint64_t k = 0; k < r->count; k++) {
        const uint64_t index = s->arrays.rows[r->first + k] - r->begin;
        memcpy(out + (1 + k) * sizeof index, &index, sizeof index);
    }
    return (1 + r->count) * sizeof(uint64_t);
}

static uint64_t encode_indices(uint8_t *out, const source *s, const range *r)
{
    const sl_arrays *a = &s->arrays;
    sl_ids ids = {.limit = r->end - r->begin, .count = r->count, .sorted = true};
    if (!sl_fits_codecs(ids.limit))
        return encode_wide(out, s, r);
    if (a->format == SL_FORMAT_LIST) {
        for (uint64_t k = 0; k < r->count; k++)
            s->list[k] = (uint32_t)(a->rows[r->first + k] - r->begin);
        ids.list = s->list;
    } else {
        sl_pack_flags(s->bits, a->present + r->begin, ids.limit);
        ids.bits = s->bits;
    }
    return sl_codec_encode(out, &ids, SL_CODECS_ALL, NULL);
}

static uint64_t encode_values(uint8_t *out, const source *s, const range *r)
{
    const size_t size = s->value_size;
    const char *values = s->arrays.values;
    if (s->values == SL_VALUES_ONE || r->count == 0)
        return 0;
    if (s->values == SL_VALUES_SAME) {
        memcpy(out, values, size);
        return size;
    }
    if (s->arrays.format == SL_FORMAT_LIST || r->count == r->end - r->begin) {
        const uint64_t first = s->arrays.format == SL_FORMAT_LIST ? r->first : r->begin;
        memcpy(out, values + first * size, r->count * size);
        return r->count * size;
    }
    for (uint64_t w = 0; w < sl_bits_words(r->end - r->begin); w++) /* those of encode_indices */
        for (uint64_t left = s->bits[w]; left; left &= left - 1, out += size) {
            const uint64_t at = r->begin + 64 * w + (uint64_t)__builtin_ctzll(left);
            sl_copy_value(out, values + at * size, size);
        }
    return r->count * size;
}

/* Encodes message m at `out`, and returns its length. */
static uint64_t encode(uint8_t *out, const source *s, const range *r)
{
    uint64_t at = 0;
    out[at++] = (uint8_t)s->values;
    at += encode_indices(out + at, s, r);
    return at + encode_values(out + at, s, r);
}

/* Encodes one message of a block, or of all indices if blocks is NULL. */
static range part(const source *s, const sl_local_blocks *blocks, uint32_t m)
{
    if (!blocks)
        return range_of(s, 0, s->arrays.nrows);
    return range_of(s, sl_local_blocks_begin(blocks, m), sl_local_blocks_begin(blocks, m + 1));
}

sl_status sl_vector_encode(sl_messages *x, const sl_object *vector, const sl_local_blocks *blocks,
                           sl_send what)
{
    const uint32_t count = blocks ? (uint32_t)x->members : 1;
    source s;
    sl_status status = open_source(&s, x->grid, vector, what);
    uint64_t room = 0, at = 0;
    for (uint32_t m = 0; m < count && status == SL_OK; m++) {
        const range r = part(&s, blocks, m);
        room += bound(&s, &r);
    }
    if (status == SL_OK) {
        x->out = sl_malloc(room);
        if (!x->out)
            status = sl_fail(x->grid->ctx, SL_NO_MEMORY, "out of memory: %zu bytes of messages",
                             (size_t)room);
    }
    for (uint32_t m = 0; m < count && status == SL_OK; m++) {
        const range r = part(&s, blocks, m);
        x->out_begin[m] = at;
        x->out_bytes[m] = encode(x->out + at, &s, &r);
        at += x->out_bytes[m];
    }
    for (int m = 1; m < x->members && !blocks && status == SL_OK; m++)
        x->out_bytes[m] = x->out_bytes[0];
    const sl_status closed = close_source(&s);
    return status == SL_OK ? closed : status;
}
