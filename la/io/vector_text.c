/* Vectors as text: a line "index value" for each entry, # and % comments. */
#include <inttypes.h>

#include "scan.h"
#include "vector_read.h"

/* What the head says, or what was found out so far. */
typedef struct {
    bool headed;
    sl_type type;
} text_form;

/* The head, if the first line is one; what else starts so is a comment. */
static void scan_head(vector_reader *r, text_form *form)
{
    const source *s = &r->source;
    const size_t length = sizeof VECTOR_HEAD - 1;
    bool overflow = false;
    uint64_t size;
    sl_type type;
    if ((size_t)(s->end - s->begin) <= length || memcmp(s->begin, VECTOR_HEAD, length) != 0)
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
    *form = (text_form){.headed = true, .type = type};
    r->size = size;
}

/* A whole number from `least` to `most`. */
static sl_status scan_signed(const source *s, const char **p, int64_t least, int64_t most,
                             int64_t *value)
{
    bool overflow = false;
    const char *end = scan_int64(*p, value, &overflow);
    if (!end && !overflow)
        return source_expected(s, *p, "a whole number");
    if (overflow || *value < least || *value > most)
        return source_fail(s, *p, SL_OUT_OF_RANGE,
                           "a value that is not from %" PRId64 " to %" PRId64, least, most);
    *p = end;
    return SL_OK;
}

static sl_status scan_unsigned(const source *s, const char **p, uint64_t most, uint64_t *value)
{
    bool overflow = false;
    const char *end = scan_digits(*p, value, &overflow);
    if (!end && !overflow)
        return source_expected(s, *p, "a whole number from 0");
    if (overflow || *value > most)
        return source_fail(s, *p, SL_OUT_OF_RANGE, "a value above %" PRIu64, most);
    *p = end;
    return SL_OK;
}

static sl_status scan_fraction(const source *s, const char **p, double *value)
{
    const char *end = scan_real(*p, value);
    if (!end)
        return source_expected(s, *p, "a number");
    *p = end;
    return SL_OK;
}

/* A value of a type that is known. */
static sl_status scan_typed(const source *s, const char **p, sl_type type, sl_scalar *value)
{
    const unsigned bits = 8 * (unsigned)sl_type_size(type);
    sl_scalar wide = {.type = SL_INT64};
    sl_status status;
    if (type == SL_FP32 || type == SL_FP64) {
        wide.type = SL_FP64;
        status = scan_fraction(s, p, &wide.as.fp64_);
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

/* Makes the whole numbers so far fractions. */
static void turn_real(vector_reader *r)
{
    for (uint64_t k = 0; k < r->count; k++) {
        double x = (double)((int64_t *)r->values)[k];
        memcpy((char *)r->values + 8 * k, &x, sizeof x);
    }
}

/* A value without a head that tells its type: it is int64 until a value is not. */
static sl_status scan_untyped(vector_reader *r, const char **p, text_form *form, sl_scalar *value)
{
    bool overflow = false;
    int64_t whole;
    const char *end = form->type == SL_INT64 ? scan_int64(*p, &whole, &overflow) : NULL;
    if (end && (skip_blanks(end) != end || *end == '\n')) {
        *p = end;
        *value = sl_scalar_int64(whole);
        return SL_OK;
    }
    *value = sl_scalar_fp64(0);
    sl_status status = scan_fraction(&r->source, p, &value->as.fp64_);
    if (status == SL_OK && form->type == SL_INT64) {
        turn_real(r);
        form->type = SL_FP64;
    }
    return status;
}

static sl_status scan_entry(vector_reader *r, const char **p, text_form *form)
{
    const source *s = &r->source;
    const char *line = *p;
    const uint64_t limit = r->size ? r->size : UINT64_C(1) << 60;
    uint64_t index;
    sl_scalar value;
    sl_status status = scan_count(s, p, "an index", UINT64_MAX, &index);
    if (status != SL_OK)
        return status;
    if (index >= limit || (form->headed && r->size == 0))
        return source_fail(s, line, SL_OUT_OF_RANGE,
                           "index %" PRIu64 " of a vector of size %" PRIu64, index,
                           form->headed ? r->size : limit);
    if (r->count == r->room && (status = vector_grow(r)) != SL_OK)
        return status;
    status = form->headed ? scan_typed(s, p, form->type, &value) : scan_untyped(r, p, form, &value);
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
    source *s = &r->source;
    text_form form = {.type = SL_INT64};
    const char *p = s->begin;
    r->size = r->options->size;
    scan_head(r, &form);
    sl_status status = vector_grow(r);
    while (status == SL_OK && (status = source_line(s, &p, "#%")) == SL_OK && p != s->end)
        status = scan_entry(r, &p, &form);
    r->type = form.type;
    for (uint64_t k = 0; !form.headed && r->options->size == 0 && k < r->count; k++)
        r->size = r->index[k] >= r->size ? r->index[k] + 1 : r->size;
    return status;
}
