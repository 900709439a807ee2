/*
 * The head of NumPy's array files (NEP 1, "A simple file format for NumPy arrays"):
 * a magic, the version, the length of what follows, and a Python dictionary,
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (34,), }
 *
 * filled up with blanks to a multiple of 64 bytes. Versions 1, 2 and 3 are read.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "vector.h"

static const char magic[] = "\x93NUMPY"; /* two bytes of version follow */
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

char *npy_put_head(char *out, sl_type type, uint64_t size)
{
    char *text = out + PREFIX;
    char order = sl_type_size(type) == 1 ? '|' : NATIVE;
    memcpy(out, magic, MAGIC);
    out[MAGIC] = 1;
    out[MAGIC + 1] = 0;
    int length = snprintf(text, NPY_LONGEST - PREFIX,
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

static sl_status wrong(const parser *t, sl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static sl_status wrong(const parser *t, sl_status status, const char *format, ...)
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

/* Goes past this character, if it stands there. */
static bool take(parser *t, char c)
{
    skip_space(t);
    if (t->p == t->end || *t->p != c)
        return false;
    t->p++;
    return true;
}

static sl_status expect(parser *t, char c)
{
    return take(t, c) ? SL_OK : wrong(t, SL_SYNTAX, "expected '%c' in the array's head", c);
}

/* A quoted string; without escapes, which none of those that can occur has. */
static sl_status parse_string(parser *t, const char **word, size_t *length)
{
    char quote = take(t, '\'') ? '\'' : take(t, '"') ? '"' : '\0';
    const char *close = quote ? memchr(t->p, quote, (size_t)(t->end - t->p)) : NULL;
    *word = t->p;
    *length = close ? (size_t)(close - t->p) : 0;
    if (!close)
        return wrong(t, SL_SYNTAX, "expected a string in the array's head");
    t->p = close + 1;
    return SL_OK;
}

static sl_status parse_descr(parser *t, npy_head *head)
{
    const char *word, *start = t->p;
    size_t length;
    if (take(t, '['))
        return wrong(t, SL_UNSUPPORTED, "elements with fields are not supported");
    sl_status status = parse_string(t, &word, &length);
    if (status != SL_OK)
        return status;
    for (int type = 0; type < SL_TYPE_COUNT && length == 3; type++)
        if (memcmp(word + 1, codes[type], 2) == 0 && memchr("<>=|", word[0], 4)) {
            head->type = (sl_type)type;
            head->swapped = word[0] == OTHER && sl_type_size(head->type) > 1;
            return SL_OK;
        }
    t->p = start;
    return wrong(t, SL_UNSUPPORTED, "elements of type '%.*s' are not supported",
                 length < 40 ? (int)length : 40, word);
}

/* A number up to 2^60. */
static sl_status parse_length(parser *t, uint64_t *length)
{
    skip_space(t);
    const char *first = t->p;
    for (*length = 0; t->p < t->end && is_digit(*t->p); t->p++) {
        *length = 10 * *length + (uint64_t)(*t->p - '0');
        if (*length > UINT64_C(1) << 60)
            return wrong(t, SL_OUT_OF_RANGE, "an array of more than 2^60 elements");
    }
    return t->p > first ? SL_OK : wrong(t, SL_SYNTAX, "expected a length in the array's shape");
}

/* (34,): one dimension, or others of length 1. */
static sl_status parse_shape(parser *t, npy_head *head)
{
    const char *start = t->p;
    int dimensions = 0, longer = 0;
    head->size = 1;
    sl_status status = expect(t, '(');
    while (status == SL_OK && !take(t, ')')) {
        uint64_t length;
        if ((status = parse_length(t, &length)) != SL_OK)
            return status;
        dimensions++;
        longer += length != 1;
        if (length != 1)
            head->size = length;
        if (!take(t, ',') && (t->p == t->end || *t->p != ')'))
            return wrong(t, SL_SYNTAX, "expected ',' or ')' in the array's shape");
    }
    if (status == SL_OK && (dimensions == 0 || longer > 1)) {
        t->p = start;
        return wrong(t, SL_MISMATCH, "an array of %d dimensions is no vector", dimensions);
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
    return wrong(t, SL_SYNTAX, "expected True or False in the array's head");
}

static sl_status parse_dictionary(parser *t, npy_head *head)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    unsigned seen = 0;
    sl_status status = expect(t, '{');
    while (status == SL_OK && !take(t, '}')) {
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
            return wrong(t, SL_SYNTAX, "an array's head has descr, fortran_order and shape, once");
        }
        seen |= 1u << key;
        status = key == 0 ? parse_descr(t, head) : key == 1 ? parse_bool(t) : parse_shape(t, head);
        if (status == SL_OK && !take(t, ',') && (t->p == t->end || *t->p != '}'))
            return wrong(t, SL_SYNTAX, "expected ',' or '}' in the array's head");
    }
    if (status == SL_OK && seen != 7)
        return wrong(t, SL_SYNTAX, "the array's head lacks %s",
                     !(seen & 1) ? "descr" : (!(seen & 2) ? "fortran_order" : "shape"));
    return status;
}

sl_status npy_parse_head(npy_head *head, const char *bytes, size_t count, char message[128],
                         size_t *at)
{
    const unsigned char *b = (const unsigned char *)bytes;
    parser t = {.message = message};
    *at = 0;
    *head = (npy_head){0};
    if (count < MAGIC + 2 || memcmp(bytes, magic, MAGIC) != 0)
        return wrong(&t, SL_SYNTAX, "no NumPy array: it does not start with \\x93NUMPY");
    *at = MAGIC;
    if (b[MAGIC] < 1 || b[MAGIC] > 3)
        return wrong(&t, SL_UNSUPPORTED, "version %d of NumPy's format is not supported", b[MAGIC]);
    *at += 2;
    size_t digits = b[MAGIC] == 1 ? 2 : 4, length = 0;
    for (size_t k = 0; k < digits && *at + k < count; k++)
        length |= (size_t)b[*at + k] << 8 * k;
    if (count < *at + digits || length > count - *at - digits)
        return wrong(&t, SL_SYNTAX, "the array's head is cut off, or longer than %zu bytes", count);
    t.p = bytes + *at + digits;
    t.end = t.p + length;
    sl_status status = parse_dictionary(&t, head);
    skip_space(&t);
    if (status == SL_OK && t.p != t.end)
        status = wrong(&t, SL_SYNTAX, "expected the end of the array's head");
    *at = (size_t)(t.p - bytes);
    head->bytes = (size_t)(t.end - bytes);
    return status;
}
