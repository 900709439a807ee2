/* Copies of texts in which characters that control a terminal are escaped. */
#include "cli/shown_copy.h"

#include <semla/la.h>
#include <string.h>

#include "cli/command_messages.h"
#include "cli/shown.h"

static bool is_shown_as_is(const char *text)
{
    uint32_t code;
    for (size_t length; *text; text += length) {
        length = utf8_length(text);
        if (length == 0 || is_hidden(&code, text, length))
            return false;
    }
    return true;
}

/* An escaped copy. The list keeps it reachable for as long as the caller may use it. */
typedef struct kept_text {
    struct kept_text *next;
    char text[];
} kept_text;

const char *shown(const char *text)
{
    static kept_text *kept;
    if (is_shown_as_is(text))
        return text;
    const size_t size = shown_length(text, SIZE_MAX) + 1;
    kept_text *copy = sl_malloc(sizeof *copy + size);
    FILE *stream = copy ? fmemopen(copy->text, size, "w") : NULL;
    if (!stream)
        out_of_memory();
    put_shown(stream, text);
    fclose(stream);
    copy->next = kept;
    kept = copy;
    return copy->text;
}
