/* Escapes characters that control a terminal. */
#include "cli/shown.h"

#include <string.h>

size_t utf8_length(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    const size_t length = byte[0] < 0x80   ? 1
                          : byte[0] < 0xc2 ? 0
                          : byte[0] < 0xe0 ? 2
                          : byte[0] < 0xf0 ? 3
                          : byte[0] < 0xf5 ? 4
                                           : 0;
    for (size_t k = 1; k < length; k++)
        if ((byte[k] & 0xc0) != 0x80)
            return 0;
    const bool too_long =
        (byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xf0 && byte[1] < 0x90);
    const bool surrogate = byte[0] == 0xed && byte[1] > 0x9f;
    const bool too_large = byte[0] == 0xf4 && byte[1] > 0x8f;
    return too_long || surrogate || too_large ? 0 : length;
}

/* The character that a valid sequence encodes. */
static uint32_t decode(const char *text, size_t length)
{
    const unsigned char *byte = (const unsigned char *)text;
    uint32_t code = length == 1 ? byte[0] : byte[0] & (0x7fu >> length);
    for (size_t k = 1; k < length; k++)
        code = code << 6 | (byte[k] & 0x3f);
    return code;
}

bool is_hidden(uint32_t *code, const char *text, size_t length)
{
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0, 0x1f},        /* controls of ASCII */
        {0x7f, 0x9f},     /* DEL, and the controls of 8 bits */
        {0x61c, 0x61c},   /* mark of the writing direction */
        {0x200e, 0x200f}, /* likewise */
        {0x2028, 0x202e}, /* separators of lines and paragraphs; embeddings and overrides */
        {0x2066, 0x2069}, /* isolates of the writing direction */
        {0xfeff, 0xfeff}, /* mark of the byte order, which has no width */
        {0xfff9, 0xfffb}, /* annotations */
    };
    *code = decode(text, length);
    for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++)
        if (*code >= hidden[k].first && *code <= hidden[k].last)
            return true;
    return false;
}

enum { LONGEST = 8 }; /* room for an escaped character and a final 0 */

/* Writes the first character of *text as it is shown to `out`, and moves *text behind it. Returns
 * the number of bytes written. */
static size_t take_shown(char out[LONGEST], const char **text)
{
    const size_t length = utf8_length(*text);
    const unsigned char byte = (unsigned char)**text;
    uint32_t code = byte;
    const bool hidden = length == 0 || is_hidden(&code, *text, length);
    if (!hidden)
        memcpy(out, *text, length);
    *text += length > 0 ? length : 1;
    if (hidden)
        return (size_t)snprintf(out, LONGEST, length < 2 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    return length;
}

/* The columns of a terminal that `length` escaped bytes take: the bytes of UTF-8 that begin a character. */
static size_t columns_of(const char *bytes, size_t length)
{
    size_t columns = 0;
    for (size_t k = 0; k < length; k++)
        columns += ((unsigned char)bytes[k] & 0xc0) != 0x80;
    return columns;
}

void put_shown_columns(FILE *stream, const char *text, size_t most)
{
    char buffer[512]; /* stderr has none */
    size_t used = 0, columns = 0;
    while (*text) {
        const size_t length = take_shown(buffer + used, &text);
        columns += columns_of(buffer + used, length);
        if (columns > most)
            break;
        used += length;
        if (used + LONGEST > sizeof buffer) {
            fwrite(buffer, 1, used, stream);
            used = 0;
        }
    }
    fwrite(buffer, 1, used, stream);
}

void put_shown(FILE *stream, const char *text)
{
    put_shown_columns(stream, text, SIZE_MAX);
}

size_t shown_length(const char *text, size_t size)
{
    char out[LONGEST];
    const char *at = text;
    size_t length = 0;
    while (*at && (size_t)(at - text) < size)
        length += take_shown(out, &at);
    return length;
}
