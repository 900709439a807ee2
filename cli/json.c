/* JSON output with cJSON. */
#include "cli/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command_messages.h"
#include "cli/shown.h"
#include "cli/shown_copy.h"

static cJSON *add(cJSON *parent, const char *name, cJSON *item)
{
    cJSON_bool added = item != NULL;
    if (added && parent)
        added =
            name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item);
    if (!added)
        out_of_memory();
    return item;
}

cJSON *json_object(cJSON *parent, const char *name)
{
    return add(parent, name, cJSON_CreateObject());
}

cJSON *json_array(cJSON *parent, const char *name)
{
    return add(parent, name, cJSON_CreateArray());
}

void json_count(cJSON *parent, const char *name, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    add(parent, name, cJSON_CreateRaw(digits));
}

void json_integer(cJSON *parent, const char *name, int64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    add(parent, name, cJSON_CreateRaw(digits));
}

void json_number(cJSON *parent, const char *name, double value)
{
    add(parent, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

/* A copy in which each byte that is not part of UTF-8 is replaced by \xNN; to be freed. */
static char *as_utf8(const char *text)
{
    char *copy = sl_malloc(4 * strlen(text) + 1), *out = copy;
    if (!copy)
        out_of_memory();
    for (size_t length; *text; text += length) {
        length = utf8_length(text);
        if (length == 0) {
            out += sprintf(out, "\\x%02x", (unsigned char)*text);
            length = 1;
        } else {
            memcpy(out, text, length);
            out += length;
        }
    }
    *out = '\0';
    return copy;
}

void json_text(cJSON *parent, const char *name, const char *value)
{
    char *text = as_utf8(value);
    add(parent, name, cJSON_CreateString(text));
    sl_free(text);
}

void json_bool(cJSON *parent, const char *name, bool value)
{
    add(parent, name, cJSON_CreateBool(value));
}

void json_null(cJSON *parent, const char *name)
{
    add(parent, name, cJSON_CreateNull());
}

/* Writes a JSON text and a line feed. cJSON escapes the controls of ASCII, and writes line feeds and tabs
 * between the members; the other characters that control a terminal are escaped here. */
static void put_json(const char *text)
{
    uint32_t code;
    for (size_t length; *text; text += length) {
        length = utf8_length(text);
        if ((unsigned char)*text >= 0x7f && is_hidden(&code, text, length))
            printf("\\u%04x", code);
        else
            fwrite(text, 1, length, stdout);
    }
    putchar('\n');
}

void json_print(cJSON *root)
{
    char *text = cJSON_Print(root);
    if (!text)
        out_of_memory();
    messages_json_printed();
    put_json(text);
    cJSON_free(text);
    cJSON_Delete(root);
}
