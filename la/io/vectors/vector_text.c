/* Reads vectors from text: a line "index value" for each entry, comments with # or %. */
#include <inttypes.h>

#include "io/files/scan.h"
#include "io/vectors/vector_read.h"

/* The type of the values: from the header, or that of all values so far. */
typedef struct {
    bool has_header;
    bool has_negative; /* without a header: a value so far is negative */
    sl_type type;
} text_form;

/* Scans the header if the first line is one; any other line that starts with # is a comment. */
static void scan_header_line(vector_reader *r, text_form *form)
{
    const input *s = &r->input;
    const size_t length = sizeof VECTOR_HEADER - 1;
    bool overflow = false;
    uint64_t size;
    sl_type type;
    if ((size_t)(s->end - s->begin) <= length || memcmp(s->begin, VECTOR_HEADER, length) != 0)
        return;
    const char *p = scan_digits(s->begin + length, &size, &overflow);
    if (!p || *p != ' ')
        return;
    const char *name = p + 1;
    p = name;
    while (*p != '\n' && skip_blanks(p) == p)
        p++;
    if (!vector_type_of_name(&type, name, (size_t)(p - name)) || *skip_blanks(p) != '\n')
        return;
    *form = (text_form){.has_header = true, .type = type};
    r->size = size;
}

/* Scans an integer from `least` to `most`. */
static sl_status scan_signed(const input *s, const char **p, int64_t least, int64_t most,
                             int64_t *value)
{
    bool overflow = false;
    const char *end = scan_int64(*p, value, &overflow);
    if (!end && !overflow)
        return input_expected(s, *p, "an integer");
    if (overflow || *value < least || *value > most)
        return input_fail(s, *p, SL_OUT_OF_RANGE,
                          "the value is out of range: must be %" PRId64 " to %" PRId64, least,
                          most);
    *p = end;
    return SL_OK;
}

static sl_status scan_unsigned(const input *s, const char **p, uint64_t most, uint64_t *value)
{
    bool overflow = false;
    const char *end = scan_digits(*p, value, &overflow);
    if (!end && !overflow)
        return input_expected(s, *p, "an unsigned integer");
    if (overflow || *value > most)
        return input_fail(s, *p, SL_OUT_OF_RANGE, "the value is above the limit %" PRIu64, most);
    *p = end;
    return SL_OK;
}

/* Scans a floating-point value of type fp32 or fp64. */
static sl_status scan_floating(const input *s, const char **p, sl_type type, double *value)
{
    const char *word = *p;
    sl_status status = scan_fp64(s, p, "a number", value);
    if (status != SL_OK || type == SL_FP64)
        return status;
    const number_fault fault = float_fault(word, *value);
    return fault == NUMBER_STORED ? SL_OK : number_fails(s, word, fault, "fp32");
}

/* Scans a value of a type that is known from the header. */
static sl_status scan_typed(const input *s, const char **p, sl_type type, sl_scalar *value)
{
    const unsigned bits = 8 * (unsigned)sl_type_size(type);
    sl_scalar wide = {.type = SL_INT64};
    sl_status status;
    if (type == SL_FP32 || type == SL_FP64) {
        wide.type = SL_FP64;
        status = scan_floating(s, p, type, &wide.as.fp64_);
    } else if (type == SL_BOOL || type == SL_UINT8 || type == SL_UINT16 || type == SL_UINT32 ||
               type == SL_UINT64) {
        wide.type = SL_UINT64;
        status =
            scan_unsigned(s, p, type == SL_BOOL ? 1 : UINT64_MAX >> (64 - bits), &wide.as.uint64_);
    } else {
        const int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));
        status = scan_signed(s, p, -most - 1, most, &wide.as.int64_);
    }
    *value = sl_scalar_cast(wide, type);
    return status;
}

/*
 * Converts the integers that were read so far to floating point, because there is a value at p that
 * is none. Fails if that would round one of them.
 */
static sl_status convert_to_real(vector_reader *r, const text_form *form, const char *p)
{
    for (uint64_t k = 0; k < r->count; k++) {
        const uint64_t bits = ((uint64_t *)r->values)[k];
        const bool negative = form->type == SL_INT64 && (int64_t)bits < 0;
        const uint64_t magnitude = negative ? 0 - bits : bits;
        const double x = (double)magnitude;
        if (!(x < 0x1p64) || (uint64_t)x != magnitude)
            return input_fail(&r->input, p, SL_OUT_OF_RANGE,
                              "the value %.*s makes the type fp64, which would round the integer "
                              "%s%" PRIu64 " of index %" PRIu64,
                              word_length(p, 40), p, negative ? "-" : "", magnitude, r->index[k]);
        const double signed_x = negative ? -x : x;
        memcpy((char *)r->values + 8 * k, &signed_x, sizeof signed_x);
    }
    return SL_OK;
}

/*
 * Scans a value in a file without header: int64 until the first value above 2^63 - 1, then uint64;
 * fp64 from the first value that is no integer or does not fit.
 */
static sl_status scan_untyped(vector_reader *r, const char **p, text_form *form, sl_scalar *value)
{
    const char *word = *p;
    bool negative = false, overflow = false;
    uint64_t bits = 0;
    const char *end =
        form->type == SL_FP64 ? NULL : scan_integer(word, &bits, &negative, &overflow);
    form->has_negative |= end && negative;
    const bool is_large = end && !negative && bits > INT64_MAX;
    const bool fits = !form->has_negative || (form->type == SL_INT64 && !is_large);
    if (end && fits && (skip_blanks(end) != end || *end == '\n')) {
        form->type = is_large ? SL_UINT64 : form->type;
        *p = end;
        *value = form->type == SL_UINT64 ? sl_scalar_uint64(bits) : sl_scalar_int64((int64_t)bits);
        return SL_OK;
    }
    *value = sl_scalar_fp64(0);
    sl_status status = scan_floating(&r->input, p, SL_FP64, &value->as.fp64_);
    if (status == SL_OK && form->type != SL_FP64) {
        status = convert_to_real(r, form, word);
        form->type = SL_FP64;
    }
    return status;
}

static sl_status scan_entry(vector_reader *r, const char **p, text_form *form)
{
    const input *s = &r->input;
    const char *line = *p;
    const uint64_t limit = r->size ? r->size : UINT64_C(1) << 60;
    uint64_t index;
    sl_scalar value;
    sl_status status = scan_count(s, p, "an index", UINT64_MAX, &index);
    if (status != SL_OK)
        return status;
    if (index >= limit || (form->has_header && r->size == 0))
        return input_fail(s, line, SL_OUT_OF_RANGE,
                          "index %" PRIu64 " is out of range: the vector has size %" PRIu64, index,
                          form->has_header ? r->size : limit);
    if (r->count == r->capacity && (status = vector_grow(r)) != SL_OK)
        return status;
    status =
        form->has_header ? scan_typed(s, p, form->type, &value) : scan_untyped(r, p, form, &value);
    if (status == SL_OK)
        status = scan_blank(s, p, "a blank or the end of the line after the value");
    if (status != SL_OK)
        return status;
    const size_t bytes = sl_type_size(value.type);
    r->index[r->count] = index;
    memcpy((char *)r->values + r->count * bytes, &value.as, bytes);
    r->count++;
    return scan_end_of_line(s, p);
}

sl_status read_vector_text(vector_reader *r)
{
    input *s = &r->input;
    text_form form = {.type = SL_INT64};
    const char *p = s->begin;
    r->size = r->options->size;
    scan_header_line(r, &form);
    sl_status status = vector_grow(r);
    while (status == SL_OK && (status = input_line(s, &p, "#%")) == SL_OK && p != s->end)
        status = scan_entry(r, &p, &form);
    r->type = form.type;
    for (uint64_t k = 0; !form.has_header && r->options->size == 0 && k < r->count; k++)
        r->size = r->index[k] >= r->size ? r->index[k] + 1 : r->size;
    return status;
}

sl_status vector_grow(vector_reader *r)
{
    uint64_t capacity = r->capacity ? 2 * r->capacity : 1024;
    uint64_t *index = sl_realloc(r->index, capacity * sizeof *index);
    r->index = index ? index : r->index;
    void *values = sl_realloc(r->values, capacity * 8);
    r->values = values ? values : r->values;
    if (!index || !values)
        return sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " entries", r->path,
                       capacity);
    r->capacity = capacity;
    return SL_OK;
}
