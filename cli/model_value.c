/* Parts of the text that names a model, and the values in them. */
#include "cli/model_part.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

model_parse_result wrong(model_error *error, span part, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    error->offset = (size_t)(part.at - part.text);
    error->length = part.length;
    return MODEL_WRONG;
}

bool split(span *part, const char *mark, span *rest)
{
    const char *end = part->at + part->length;
    const char *at = memmem(part->at, part->length, mark, strlen(mark));
    const char *next = at ? at + strlen(mark) : end;
    *rest = (span){part->text, next, (size_t)(end - next)};
    part->length = (size_t)((at ? at : end) - part->at);
    return at != NULL;
}

int printed_length(span part)
{
    return part.length > 60 ? 60 : (int)part.length;
}

static model_parse_result read_count(uint64_t *value, span part, model_error *error)
{
    if (part.length == 0)
        return wrong(error, part, "a number is missing");
    if (!isdigit((unsigned char)*part.at))
        return wrong(error, part, "'%.*s' is not a number", printed_length(part), part.at);
    char *end;
    errno = 0;
    unsigned long long number = strtoull(part.at, &end, 10);
    size_t digits = (size_t)(end - part.at);
    uint64_t unit = 1;
    if (digits + 1 == part.length)
        unit = *end == 'k' ? 1000 : *end == 'M' ? 1000000 : *end == 'G' ? 1000000000 : 0;
    else if (digits != part.length)
        unit = 0;
    if (unit == 0)
        return wrong(error, part, "'%.*s' is not a number", printed_length(part), part.at);
    if (errno || __builtin_mul_overflow((uint64_t)number, unit, value))
        return wrong(error, part, "'%.*s' is too large", printed_length(part), part.at);
    return MODEL_OK;
}

/* Reads a decimal number; false if the part is something else. */
static bool read_real(double *value, span part)
{
    char digits[32];
    if (part.length == 0 || part.length >= sizeof digits || memchr(part.at, 'x', part.length))
        return false; /* strtod accepts hexadecimal numbers */
    memcpy(digits, part.at, part.length);
    digits[part.length] = '\0';
    const char *first = digits + (*digits == '-');
    char *end;
    *value = strtod(digits, &end);
    return (isdigit((unsigned char)*first) || *first == '.') && *end == '\0' && isfinite(*value);
}

static model_parse_result read_factor(double *value, span part, model_error *error)
{
    if (read_real(value, part) && *value > 0)
        return MODEL_OK;
    return wrong(error, part, "'%.*s' is not a number above 0", printed_length(part), part.at);
}

static model_parse_result read_probability(double *value, span part, model_error *error)
{
    if (read_real(value, part) && *value >= 0 && *value <= 1)
        return MODEL_OK;
    return wrong(error, part, "'%.*s' is not a probability from 0 to 1", printed_length(part),
                 part.at);
}

/* Reads FIRST..LAST: integers if both are written as such. */
static model_parse_result read_weights(sl_generator *model, span part, model_error *error)
{
    const double limit = 0x1p53;
    span first = part, last;
    if (!split(&first, "..", &last) || !read_real(&model->least_weight, first) ||
        !read_real(&model->greatest_weight, last))
        return wrong(error, part,
                     "'%.*s' is not a range of weights, such as 1..255 (integers) or 0.0..1.0 "
                     "(reals)",
                     printed_length(part), part.at);
    model->weighted = true;
    model->integer_weights = true;
    for (size_t k = 0; k < part.length; k++)
        if (strchr(".eE", part.at[k]) &&
            (part.at + k < first.at + first.length || part.at + k >= last.at))
            model->integer_weights = false;
    if (model->least_weight > model->greatest_weight ||
        (!model->integer_weights && model->least_weight == model->greatest_weight))
        return wrong(error, part, "the second weight must be above the first");
    if (model->integer_weights &&
        (fabs(model->least_weight) >= limit || fabs(model->greatest_weight) >= limit))
        return wrong(error, part, "integer weights must be above -2^53 and below 2^53");
    if (model->least_weight == 0 && model->greatest_weight == 0)
        return wrong(error, part, "the weights must not all be 0");
    return MODEL_OK;
}

static model_parse_result read_sides(sl_generator *model, span part, const model_syntax *syntax,
                                     model_error *error)
{
    span whole = part, rest;
    for (int i = 0;; i++) {
        bool more = split(&part, "x", &rest);
        if (i == syntax->max_sides || (!more && i + 1 < syntax->min_sides))
            return wrong(error, whole, "'%s' needs %s sides, as in %s:%s", syntax->name,
                         syntax->max_sides == 3 ? "2 or 3" : "2", syntax->name,
                         syntax->max_sides == 3 ? "20x30 or 20x30x40" : "20x30");
        model_parse_result result = read_count(&model->side[i], part, error);
        if (result == MODEL_OK && model->side[i] == 0)
            result = wrong(error, part, "a side must be at least 1");
        if (result != MODEL_OK || !more)
            return result;
        part = rest;
    }
}

model_parse_result read_value(sl_generator *model, key k, span part, const model_syntax *syntax,
                              model_error *error)
{
    uint64_t scale;
    model_parse_result result;
    switch (k) {
    case KEY_SCALE:
        result = read_count(&scale, part, error);
        if (result == MODEL_OK && scale > 40)
            return wrong(error, part, "the scale must be 0 to 40");
        if (result == MODEL_OK)
            model->scale = (unsigned)scale;
        return result;
    case KEY_EDGEFACTOR:
        return read_factor(&model->edge_factor, part, error);
    case KEY_A:
        return read_probability(&model->a, part, error);
    case KEY_B:
        return read_probability(&model->b, part, error);
    case KEY_C:
        return read_probability(&model->c, part, error);
    case KEY_WEIGHTS:
        return read_weights(model, part, error);
    case KEY_VERTICES:
        return read_count(&model->vertices, part, error);
    case KEY_EDGES:
        return read_count(&model->edges, part, error);
    case KEY_SIDES:
        return read_sides(model, part, syntax, error);
    default:
        return read_count(&model->seed, part, error);
    }
}
