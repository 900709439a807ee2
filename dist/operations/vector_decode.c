/* Decodes messages with entries of vectors, to one vector. */
#include <semla/flags.h>

#include "dist/operations/vector_messages_format.h"

/* One received message. */
typedef struct {
    uint64_t count, limit; /* entries; the length of its block */
    uint64_t shift;        /* added to its indices */
    bool wide;             /* indices of 8 bytes each, at coded.in; else coded by `code` */
    sl_codec_code code;
    sl_encoded coded;
    sl_message_values values;
    const uint8_t *value; /* the values */
} message;

/* The messages of one exchange. */
typedef struct {
    const sl_messages *x;
    const sl_decoding *decoding;
    message *all; /* one for each member */
    size_t value_size;
    uint64_t size;    /* of the vector */
    uint64_t entries; /* of all messages */
    bool ones;        /* every value is 1 */
    uint32_t *list;   /* scratch: the indices of one message, */
    uint64_t *bits;   /* or their bitmap, allocated when one is read */
    uint64_t longest; /* indices of a bitmap */
} received;

static sl_status malformed(const sl_messages *x, int member)
{
    return sl_fail(x->grid->ctx, SL_ENGINE_FAULT,
                   "malformed message from rank %d of %d of a grid row or column", member,
                   x->members);
}

/* Reads the head of a message. False: it is malformed. */
static bool read_head(message *m, const uint8_t *in, uint64_t bytes, size_t value_size)
{
    const bool narrow = sl_fits_codecs(m->limit);
    if (bytes < (narrow ? 2 : 1 + sizeof m->count) || in[0] > SL_VALUES_EACH)
        return false;
    m->values = (sl_message_values)in[0];
    m->wide = !narrow;
    if (narrow) {
        if (!sl_codec_read_head(&m->code, &m->coded, in + 1, bytes - 1, m->limit))
            return false;
        m->count = m->coded.count;
    } else {
        memcpy(&m->count, in + 1, sizeof m->count);
        m->coded =
            (sl_encoded){.in = in + 1 + sizeof m->count, .bytes = bytes - 1 - sizeof m->count};
        if (m->count > m->limit || m->count > m->coded.bytes / sizeof(uint64_t))
            return false;
    }
    const uint64_t values = m->values == SL_VALUES_EACH   ? m->count * value_size
                            : m->values == SL_VALUES_SAME ? (m->count > 0) * value_size
                                                          : 0;
    if (values > m->coded.bytes)
        return false;
    m->coded.bytes -= values;
    m->value = m->coded.in + m->coded.bytes;
    return narrow || m->coded.bytes == m->count * sizeof(uint64_t);
}

static void count_traffic(const received *r, int member)
{
    const message *m = &r->all[member];
    const sl_phase phase = r->decoding->phase;
    sl_traffic *traffic = &r->x->grid->traffic;
    if (member == r->x->me)
        return;
    const uint64_t bytes = r->x->in_bytes[member],
                   values = r->x->in_begin[member] + bytes - (uint64_t)(m->value - r->x->in);
    traffic->messages[phase]++;
    traffic->bytes[phase][m->wide ? SL_ENCODING_PLAIN : m->code] += bytes - values;
    traffic->bytes[phase][SL_ENCODING_VALUES] += values;
    traffic->host_bytes[phase] += bytes;
}

static sl_status open_received(received *r)
{
    const sl_messages *x = r->x;
    const sl_local_blocks *blocks = r->decoding->blocks;
    const bool sums = r->decoding->join == SL_JOIN_SUMS;
    const uint64_t own = sl_local_blocks_begin(blocks, (uint32_t)x->me);
    const bool other = sl_type_is_user_defined(r->decoding->type); /* has no value 1 */
    uint64_t longest = 0, most = 0;
    r->value_size = sl_type_size(r->decoding->type);
    r->size = sums ? sl_local_blocks_begin(blocks, (uint32_t)x->me + 1) - own
                   : sl_local_blocks_length(blocks);
    r->ones = true;
    r->all = sl_calloc((size_t)x->members, sizeof *r->all);
    if (!r->all)
        return sl_fail(x->grid->ctx, SL_NO_MEMORY, "out of memory");
    for (int k = 0; k < x->members; k++) {
        message *m = &r->all[k];
        m->shift = sums ? 0 : sl_local_blocks_begin(blocks, (uint32_t)k);
        m->limit = sums ? r->size : sl_local_blocks_begin(blocks, (uint32_t)k + 1) - m->shift;
        if (!read_head(m, x->in + x->in_begin[k], x->in_bytes[k], r->value_size) ||
            (other && m->values == SL_VALUES_ONE && m->count > 0))
            return malformed(x, k);
        count_traffic(r, k);
        r->entries += m->count;
        r->ones &= m->values == SL_VALUES_ONE || m->count == 0;
        longest = !m->wide && m->limit > longest ? m->limit : longest;
        most = !m->wide && m->count > most ? m->count : most;
    }
    r->ones &= r->decoding->fill == SL_FILL_RECEIVED;
    r->longest = longest;
    r->list = sl_malloc((most + 1) * sizeof *r->list);
    return r->list ? SL_OK : sl_fail(x->grid->ctx, SL_NO_MEMORY, "out of memory");
}

static void close_received(received *r)
{
    sl_free(r->all);
    sl_free(r->list);
    sl_free(r->bits);
}

/* ---- values ----------------------------------------------------------------------------- */

/* The source of values of a message: value k is at first + k * step. */
typedef struct {
    const uint8_t *first;
    size_t step, size;
    sl_scalar one;
} values;

static void open_values(values *v, const received *r, const message *m)
{
    v->size = r->value_size;
    v->one = sl_scalar_cast(sl_scalar_bool(true), r->decoding->type);
    v->first = m->values == SL_VALUES_ONE ? (const uint8_t *)&v->one.as : m->value;
    v->step = m->values == SL_VALUES_EACH ? r->value_size : 0;
}

/* ---- a list --------------------------------------------------------------------------- */

/* Decodes the indices of a message to arrays from number `at`. */
static bool list_indices(uint64_t *rows, const received *r, const message *m)
{
    if (m->wide) {
        uint64_t last = 0;
        memcpy(rows, m->coded.in, m->coded.bytes);
        for (uint64_t k = 0; k < m->count; last = rows[k++] + 1)
            if (rows[k] < last || rows[k] >= m->limit)
                return false;
    } else {
        if (!sl_codecs[m->code]->list(r->list, &m->coded))
            return false;
        for (uint64_t k = 0; k < m->count; k++)
            rows[k] = r->list[k];
    }
    for (uint64_t k = 0; k < m->count; k++)
        rows[k] += m->shift;
    return true;
}

/* Appends the entries of messages first to last to arrays of the format LIST. */
static sl_status list_messages(sl_arrays *arrays, const received *r, int first, int last)
{
    uint64_t at = 0;
    for (int k = first; k <= last; k++) {
        const message *m = &r->all[k];
        values v;
        if (!list_indices(arrays->rows + at, r, m))
            return malformed(r->x, k);
        open_values(&v, r, m);
        char *to = arrays->values ? (char *)arrays->values + at * v.size : NULL;
        if (to && v.step)
            memcpy(to, v.first, m->count * v.size);
        for (uint64_t e = 0; to && !v.step && e < m->count; e++)
            sl_copy_value(to + e * v.size, v.first, v.size);
        at += m->count;
    }
    return SL_OK;
}

/* ---- a bitmap ------------------------------------------------------------------------- */

/* Writes the entries of a message, which r->bits marks, where there is none yet. */
static void put(sl_arrays *arrays, const received *r, const message *m)
{
    int8_t *present = arrays->present + m->shift;
    values v;
    open_values(&v, r, m);
    const uint8_t *value = v.first;
    for (uint64_t w = 0; arrays->values && w < sl_bits_words(m->limit); w++)
        for (uint64_t left = r->bits[w]; left; left &= left - 1, value += v.step) {
            const uint64_t at = 64 * w + (uint64_t)__builtin_ctzll(left);
            if (!present[at])
                sl_copy_value((char *)arrays->values + (m->shift + at) * v.size, value, v.size);
        }
    sl_add_flags(present, r->bits, m->limit);
}

/* Writes the entries of messages first to last to arrays of the format BITMAP. */
static sl_status join_in_bitmap(sl_arrays *arrays, received *r, int first, int last)
{
    if (!r->bits)
        r->bits = sl_malloc((sl_bits_words(r->longest) + 1) * sizeof *r->bits);
    if (!r->bits)
        return sl_fail(r->x->grid->ctx, SL_NO_MEMORY, "out of memory");
    for (int k = first; k <= last; k++) {
        const message *m = &r->all[k];
        memset(r->bits, 0, sl_bits_words(m->limit) * sizeof *r->bits);
        if (!sl_codecs[m->code]->bits(r->bits, &m->coded))
            return malformed(r->x, k);
        put(arrays, r, m);
    }
    return SL_OK;
}

/* ---- vectors --------------------------------------------------------------------------- */

/* Replaces the values by global indices, or by zeros. */
static void fill_values(sl_arrays *arrays, const received *r)
{
    const sl_local_blocks *blocks = r->decoding->blocks;
    const uint64_t count = arrays->format == SL_FORMAT_LIST ? arrays->nvals : r->size;
    const uint64_t *rows = arrays->rows;
    uint64_t *value = arrays->values, k = 0;
    if (r->decoding->fill == SL_FILL_ZEROS)
        memset(value, 0, count * sizeof *value);
    if (r->decoding->fill != SL_FILL_INDICES)
        return;
    for (uint32_t m = 0; m < blocks->count; m++) {
        const uint64_t begin = sl_local_blocks_begin(blocks, m),
                       end = sl_local_blocks_begin(blocks, m + 1),
                       global = sl_distribution_begin(&blocks->of,
                                                      blocks->first + (uint64_t)m * blocks->stride);
        for (; k < count && (rows ? rows[k] : k) < end; k++)
            value[k] = (rows ? rows[k] : k) - begin + global;
    }
}

/* Makes a vector of messages first to last: as a bitmap, or, if their indices differ, as a list. */
static sl_status make(sl_vector **v, received *r, bool bitmap, int first, int last)
{
    sl_grid *grid = r->x->grid;
    uint64_t entries = 0;
    for (int k = first; k <= last; k++)
        entries += r->all[k].count;
    const uint64_t places = bitmap ? r->size : entries;
    sl_arrays arrays = {.format = bitmap ? SL_FORMAT_BITMAP : SL_FORMAT_LIST,
                        .type = r->decoding->type,
                        .nrows = r->size,
                        .ncols = 1,
                        .nvals = bitmap ? 0 : entries, /* take counts flags */
                        .trusted = true};
    if (bitmap)
        arrays.present = sl_calloc(places + 1, 1);
    else
        arrays.rows = sl_malloc((places + 1) * sizeof *arrays.rows);
    if (!r->ones)
        arrays.values = sl_malloc((places + 1) * r->value_size);
    sl_status status =
        (arrays.present || arrays.rows) && (arrays.values || r->ones)
            ? SL_OK
            : sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory for %zu entries", (size_t)entries);
    if (status == SL_OK)
        status = bitmap ? join_in_bitmap(&arrays, r, first, last)
                        : list_messages(&arrays, r, first, last);
    if (status == SL_OK && !r->ones)
        fill_values(&arrays, r);
    if (status == SL_OK) {
        status = sl_vector_take(v, grid->local, &arrays);
        if (status < 0)
            sl_grid_local_failed(grid, status);
    }
    sl_arrays_free(&arrays);
    return status;
}

/* Sums the vectors of the messages in the order of the members. */
static sl_status add_up(sl_vector **sums, received *r)
{
    sl_grid *grid = r->x->grid;
    sl_status status = SL_OK;
    for (int k = 0; k < r->x->members && status == SL_OK; k++) {
        sl_vector *more = NULL;
        if (*sums && r->all[k].count == 0)
            continue;
        status = make(&more, r, sl_suits_bitmap(r->all[k].count, r->size), k, k);
        if (!*sums) {
            *sums = more;
            continue;
        }
        if (status == SL_OK) {
            status = sl_vector_ewise_add(*sums, NULL, NULL, r->decoding->sum, *sums, more, NULL);
            if (status < 0)
                sl_grid_local_failed(grid, status);
        }
        sl_vector_free(more);
    }
    return status;
}

sl_status sl_vector_decode(sl_vector **v, const sl_messages *x, const sl_decoding *decoding)
{
    received r = {.x = x, .decoding = decoding};
    *v = NULL;
    sl_status status = open_received(&r);
    const bool sums = decoding->join == SL_JOIN_SUMS;
    const bool bitmap = sl_suits_bitmap(r.entries, r.size);
    if (status == SL_OK && sums && !(bitmap && decoding->any))
        status = add_up(v, &r);
    else if (status == SL_OK)
        status = make(v, &r, bitmap, 0, x->members - 1);
    close_received(&r);
    if (status != SL_OK) {
        sl_vector_free(*v);
        *v = NULL;
    }
    return status;
}
