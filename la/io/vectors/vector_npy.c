/* Reads vectors from NumPy array files. */
#include <inttypes.h>

#include "io/vectors/vector_read.h"

/* Reads the elements, `total` bytes, from the rest of the file. */
static sl_status load_elements(vector_reader *r, const npy_header *header, uint64_t total)
{
    input *s = &r->input;
    const size_t bytes = sl_type_size(header->type);
    uint64_t loaded = 0, capacity = 0;
    if (!s->compressed && s->size && s->size != header->bytes + total)
        return input_fail(s, s->begin + header->bytes, SL_SYNTAX,
                          "the elements have %" PRIu64 " bytes; the shape requires %" PRIu64,
                          s->size - header->bytes, total);
    sl_status status = input_next_records(s, s->begin + header->bytes, bytes);
    for (; status == SL_OK && s->begin != s->end; status = input_next(s)) {
        const uint64_t count = (uint64_t)(s->end - s->begin);
        if (count > total - loaded)
            return input_fail(s, s->begin + (total - loaded), SL_SYNTAX,
                              "more elements than the %" PRIu64 " of the shape", header->size);
        if (loaded + count > capacity) {
            capacity = 2 * capacity > loaded + count ? 2 * capacity : loaded + count;
            void *larger = sl_realloc(r->values, capacity);
            if (!larger)
                return sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for the elements", r->path);
            r->values = larger;
        }
        memcpy((char *)r->values + loaded, s->begin, count);
        loaded += count;
    }
    if (status == SL_OK && (loaded != total || input_remainder(s) > 0))
        return input_fail(s, s->end, SL_SYNTAX,
                          "the file ends after %" PRIu64 " of %" PRIu64 " elements", loaded / bytes,
                          header->size);
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

static sl_status check_bools(const vector_reader *r, const npy_header *header)
{
    const unsigned char *values = r->values;
    for (uint64_t k = 0; k < header->size; k++)
        if (values[k] > 1)
            return sl_fail(r->ctx, SL_SYNTAX,
                           "%s: byte %" PRIu64 ": element %" PRIu64 " is %d; a bool must be 0 or 1",
                           r->path, header->bytes + k, k, values[k]);
    return SL_OK;
}

/* Makes an entry of every element that is not equal to the fill value. */
static sl_status make_entries(vector_reader *r, const npy_header *header)
{
    const size_t bytes = sl_type_size(header->type);
    char *values = r->values;
    sl_scalar fill;
    if (r->options->fill) {
        sl_status status = vector_fill(&fill, r->ctx, header->type, r->options->fill);
        if (status != SL_OK)
            return status;
    }
    r->index = sl_malloc((header->size + 1) * sizeof *r->index);
    if (!r->index)
        return sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for the elements", r->path);
    for (uint64_t k = 0; k < header->size; k++) {
        if (r->options->fill &&
            sl_scalar_equal(sl_scalar_load(header->type, values + k * bytes), fill))
            continue;
        r->index[r->count] = k;
        memmove(values + r->count * bytes, values + k * bytes, bytes);
        r->count++;
    }
    return SL_OK;
}

sl_status read_vector_npy(vector_reader *r)
{
    input *s = &r->input;
    npy_header header;
    char message[128];
    size_t at;
    sl_status status =
        npy_parse_header(&header, s->begin, (size_t)(s->end - s->begin), message, &at);
    if (status != SL_OK)
        return input_fail(s, s->begin + at, status, "%s", message);
    const size_t bytes = sl_type_size(header.type);
    r->type = header.type;
    r->size = header.size;
    status = load_elements(r, &header, header.size * bytes);
    if (status == SL_OK && header.swapped)
        swap_bytes(r->values, header.size, bytes);
    if (status == SL_OK && header.type == SL_BOOL)
        status = check_bools(r, &header);
    return status == SL_OK ? make_entries(r, &header) : status;
}
