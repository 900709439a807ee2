/* Vectors out of NumPy's arrays. */
#include <inttypes.h>

#include "vector_read.h"

/* Appends the rest of the file to the values, which are to be `total` bytes. */
static sl_status load_elements(vector_reader *r, const npy_head *head, uint64_t total)
{
    source *s = &r->source;
    const size_t bytes = sl_type_size(head->type);
    uint64_t have = 0, room = 0;
    if (!s->packed && s->size && s->size != head->bytes + total)
        return source_fail(s, s->begin + head->bytes, SL_SYNTAX,
                           "%" PRIu64 " bytes of elements, where the shape asks for %" PRIu64,
                           s->size - head->bytes, total);
    sl_status status = source_next_from(s, s->begin + head->bytes, bytes);
    for (; status == SL_OK && s->begin != s->end; status = source_next(s)) {
        const uint64_t count = (uint64_t)(s->end - s->begin);
        if (count > total - have)
            return source_fail(s, s->begin + (total - have), SL_SYNTAX,
                               "more than the %" PRIu64 " elements of the shape", head->size);
        if (have + count > room) {
            room = 2 * room > have + count ? 2 * room : have + count;
            void *larger = sl_realloc(r->values, room);
            if (!larger)
                return sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for its elements", r->path);
            r->values = larger;
        }
        memcpy((char *)r->values + have, s->begin, count);
        have += count;
    }
    if (status == SL_OK && (have != total || source_rest(s) > 0))
        return source_fail(s, s->end, SL_SYNTAX,
                           "the file ends after %" PRIu64 " of %" PRIu64 " elements", have / bytes,
                           head->size);
    return status;
}

static void swap_bytes(char *values, uint64_t count, size_t bytes)
{
    for (uint64_t k = 0; k < count; k++, values += bytes)
        for (size_t low = 0, high = bytes - 1; low < high; low++, high--) {
            char kept = values[low];
            values[low] = values[high];
            values[high] = kept;
        }
}

static sl_status check_bools(const vector_reader *r, const npy_head *head)
{
    const unsigned char *values = r->values;
    for (uint64_t k = 0; k < head->size; k++)
        if (values[k] > 1)
            return sl_fail(r->ctx, SL_SYNTAX,
                           "%s: byte %" PRIu64 ": element %" PRIu64 " is %d, which is no bool",
                           r->path, head->bytes + k, k, values[k]);
    return SL_OK;
}

/* Every element is an entry, but for those that are equal to the fill. */
static sl_status make_entries(vector_reader *r, const npy_head *head)
{
    const size_t bytes = sl_type_size(head->type);
    char *values = r->values;
    sl_scalar fill;
    if (r->options->fill) {
        sl_status status = vector_fill(&fill, r->ctx, head->type, r->options->fill);
        if (status != SL_OK)
            return status;
    }
    r->index = sl_malloc((head->size + 1) * sizeof *r->index);
    if (!r->index)
        return sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for its elements", r->path);
    for (uint64_t k = 0; k < head->size; k++) {
        if (r->options->fill &&
            sl_scalar_equal(sl_scalar_load(head->type, values + k * bytes), fill))
            continue;
        r->index[r->count] = k;
        memmove(values + r->count * bytes, values + k * bytes, bytes);
        r->count++;
    }
    return SL_OK;
}

sl_status read_vector_npy(vector_reader *r)
{
    source *s = &r->source;
    npy_head head;
    char message[128];
    size_t at;
    sl_status status = npy_parse_head(&head, s->begin, (size_t)(s->end - s->begin), message, &at);
    if (status != SL_OK)
        return source_fail(s, s->begin + at, status, "%s", message);
    const size_t bytes = sl_type_size(head.type);
    r->type = head.type;
    r->size = head.size;
    status = load_elements(r, &head, head.size * bytes);
    if (status == SL_OK && head.swapped)
        swap_bytes(r->values, head.size, bytes);
    if (status == SL_OK && head.type == SL_BOOL)
        status = check_bools(r, &head);
    return status == SL_OK ? make_entries(r, &head) : status;
}
