/*
 * Reads and writes the header of NumPy array files (NEP 1, "A simple file format for NumPy
 * arrays"): a magic number, the version, the length of the rest, and a Python dictionary,
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (34,), }
 *
 * padded with blanks to a multiple of 64 bytes. Versions 1, 2 and 3 are read, version 1 is written.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/files/scan_number.h"
#include "io/vectors/vector.h"

static const char magic[] = "\x93NUMPY"; /* followed by two bytes of version */
enum { MAGIC = sizeof magic - 1, PREFIX = MAGIC + 4, ALIGNMENT = 64 };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { NATIVE = '<', OTHER = '>' };
#else
enum { NATIVE = '>', OTHER = '<' };
#endif

static const char *const codes[SL_TYPE_COUNT] = {
    [SL_BOOL] = "b1",   [SL_INT8] = "i1",  [SL_INT16] = "i2",  [SL_INT32] = "i4",
    [SL_INT64] = "i8",  [SL_UINT8] = "u1", [SL_UINT16] = "u2", [SL_UINT32] = "u4",
    [SL_UINT64] = "u8", [SL_FP32] = "f4",  [SL_FP64] = "f8"};
static const char byte_orders[] = {'<', '>', '=', '|'};

char *npy_put_header(char *out, sl_type type, uint64_t size)
{
    char *text = out + PREFIX;
    char order = sl_type_size(type) == 1 ? '|' : NATIVE;
    memcpy(out, magic, MAGIC);
    out[MAGIC] = 1;
    out[MAGIC + 1] = 0;
    int length = snprintf(text, NPY_MAX_HEADER - PREFIX,
                          "{'descr': '%c%s', 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
                          order, codes[type], size);
    size_t whole = (PREFIX + (size_t)length + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    memset(text + length, ' ', whole - PREFIX - (size_t)length);
    out[whole - 1] = '\n';
    out[MAGIC + 2] = (char)(whole - PREFIX);
    out[MAGIC + 3] = 0;
    return out + whole;
}

/* ---- parsing ------------------------------------------------------------ */

typedef struct {
    const char *p, *end;
    char *message;
} parser;

static sl_status npy_error(const parser *t, sl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static sl_status npy_error(const parser *t, sl_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(t->message, 128, format, list);
    va_end(list);
    return status;
}

static void skip_space(parser *t)
{
    while (t->p < t->end && (*t->p == ' ' || *t->p == '\n' || *t->p == '\t'))
        t->p++;
}

/* Skips white space and the character c, if it is next. */
static bool skip_char(parser *t, char c)
{
    skip_space(t);
    if (t->p == t->end || *t->p != c)
        return false;
    t->p++;
    return true;
}

static sl_status expect(parser *t, char c)
{
    return skip_char(t, c) ? SL_OK
                           : npy_error(t, SL_SYNTAX, "expected '%c' in the header of the array", c);
}

/* Parses a quoted string. Escapes are not supported; no valid header contains any. */
static sl_status parse_string(parser *t, const char **word, size_t *length)
{
    char quote = skip_char(t, '\'') ? '\'' : skip_char(t, '"') ? '"' : '\0';
    const char *close = quote ? memchr(t->p, quote, (size_t)(t->end - t->p)) : NULL;
    *word = t->p;
    *length = close ? (size_t)(close - t->p) : 0;
    if (!close)
        return npy_error(t, SL_SYNTAX, "expected a string in the header of the array");
    t->p = close + 1;
    return SL_OK;
}

static sl_status parse_descr(parser *t, npy_header *header)
{
    const char *word, *start = t->p;
    size_t length;
    if (skip_char(t, '['))
        return npy_error(t, SL_UNSUPPORTED, "structured element types are not supported");
    sl_status status = parse_string(t, &word, &length);
    if (status != SL_OK)
        return status;
    for (int type = 0; type < SL_TYPE_COUNT && length == 3; type++)
        if (memcmp(word + 1, codes[type], 2) == 0 &&
            memchr(byte_orders, word[0], sizeof byte_orders)) {
            header->type = (sl_type)type;
            header->swapped = word[0] == OTHER && sl_type_size(header->type) > 1;
            return SL_OK;
        }
    t->p = start;
    return npy_error(t, SL_UNSUPPORTED, "elements of type '%.*s' are not supported",
                     length < 40 ? (int)length : 40, word);
}

/* Parses a number up to 2^60. */
static sl_status parse_length(parser *t, uint64_t *length)
{
    skip_space(t);
    const char *first = t->p;
    for (*length = 0; t->p < t->end && is_digit(*t->p); t->p++) {
        *length = 10 * *length + (uint64_t)(*t->p - '0');
        if (*length > UINT64_C(1) << 60)
            return npy_error(t, SL_OUT_OF_RANGE, "the array has more than 2^60 elements");
    }
    return t->p > first ? SL_OK
                        : npy_error(t, SL_SYNTAX, "expected a length in the shape of the array");
}

/* Parses a shape such as (34,): at most one dimension is longer than 1. */
static sl_status parse_shape(parser *t, npy_header *header)
{
    const char *start = t->p;
    int dimensions = 0, longer = 0;
    header->size = 1;
    sl_status status = expect(t, '(');
    while (status == SL_OK && !skip_char(t, ')')) {
        uint64_t length;
        if ((status = parse_length(t, &length)) != SL_OK)
            return status;
        dimensions++;
        longer += length != 1;
        if (length != 1)
            header->size = length;
        if (!skip_char(t, ',') && (t->p == t->end || *t->p != ')'))
            return npy_error(t, SL_SYNTAX, "expected ',' or ')' in the shape of the array");
    }
    if (status == SL_OK && (dimensions == 0 || longer > 1)) {
        t->p = start;
        return npy_error(t, SL_MISMATCH, "the array has %d dimensions; a vector has 1", dimensions);
    }
    return status;
}

static sl_status parse_bool(parser *t)
{
    static const char *const words[] = {"True", "False"};
    skip_space(t);
    for (size_t k = 0; k < 2; k++) {
        size_t length = strlen(words[k]);
        if ((size_t)(t->end - t->p) >= length && memcmp(t->p, words[k], length) == 0) {
            t->p += length;
            return SL_OK;
        }
    }
    return npy_error(t, SL_SYNTAX, "expected True or False in the header of the array");
}

static sl_status parse_dictionary(parser *t, npy_header *header)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    unsigned seen = 0;
    sl_status status = expect(t, '{');
    while (status == SL_OK && !skip_char(t, '}')) {
        const char *word;
        size_t length;
        skip_space(t);
        const char *start = t->p;
        status = parse_string(t, &word, &length);
        if (status == SL_OK)
            status = expect(t, ':');
        if (status != SL_OK)
            return status;
        unsigned key = 0;
        while (key < 3 && (strlen(keys[key]) != length || memcmp(keys[key], word, length) != 0))
            key++;
        if (key == 3 || seen & 1u << key) {
            t->p = start;
            return npy_error(t, SL_SYNTAX,
                             "the header of the array must have the keys descr, fortran_order and "
                             "shape, each once");
        }
        seen |= 1u << key;
        status = key == 0   ? parse_descr(t, header)
                 : key == 1 ? parse_bool(t)
                            : parse_shape(t, header);
        if (status == SL_OK && !skip_char(t, ',') && (t->p == t->end || *t->p != '}'))
            return npy_error(t, SL_SYNTAX, "expected ',' or '}' in the header of the array");
    }
    if (status == SL_OK && seen != 7)
        return npy_error(t, SL_SYNTAX, "the header of the array has no key %s",
                         !(seen & 1) ? "descr" : (!(seen & 2) ? "fortran_order" : "shape"));
    return status;
}

sl_status npy_parse_header(npy_header *header, const char *bytes, size_t count, char message[128],
                           size_t *at)
{
    const unsigned char *b = (const unsigned char *)bytes;
    parser t = {.message = message};
    *at = 0;
    *header = (npy_header){0};
    if (count < MAGIC + 2 || memcmp(bytes, magic, MAGIC) != 0)
        return npy_error(&t, SL_SYNTAX,
                         "not a NumPy array: the magic number \\x93NUMPY is missing");
    *at = MAGIC;
    if (b[MAGIC] < 1 || b[MAGIC] > 3)
        return npy_error(&t, SL_UNSUPPORTED,
                         "version %d of the NumPy format is not supported; must be 1 to 3",
                         b[MAGIC]);
    *at += 2;
    size_t digits = b[MAGIC] == 1 ? 2 : 4, length = 0;
    for (size_t k = 0; k < digits && *at + k < count; k++)
        length |= (size_t)b[*at + k] << 8 * k;
    if (count < *at + digits || length > count - *at - digits)
        return npy_error(&t, SL_SYNTAX,
                         "the header of the array is truncated or longer than %zu bytes", count);
    t.p = bytes + *at + digits;
    t.end = t.p + length;
    sl_status status = parse_dictionary(&t, header);
    skip_space(&t);
    if (status == SL_OK && t.p != t.end)
        status = npy_error(&t, SL_SYNTAX, "expected the end of the header of the array");
    *at = (size_t)(t.p - bytes);
    header->bytes = (size_t)(t.end - bytes);
    return status;
}
