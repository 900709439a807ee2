/*
 * The file of a report: a template of HTML in which marks of the form @NAME@ are replaced by the style,
 * the scripts and the data; and the data of a page that was written before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/page.h"
#include "cli/page_files.h"

/* What precedes the data in the page. A text in JSON cannot contain it: see write_json. */
static const char data_mark[] = "<script type=\"application/json\" id=\"report\">";
static const char data_end[] = "</script>";
enum { FORMAT_VERSION = 1 }; /* of the tree; page.c writes it */

static const char *part(const char *name)
{
    const page_file *file = page_files;
    while (strcmp(file->name, name) != 0)
        file++;
    return file->text;
}

/* Writes JSON in which "<" is \u003c, so that a text cannot end the element that contains it. */
static void write_json(const cJSON *root, FILE *stream)
{
    char *text = cJSON_PrintUnformatted(root);
    if (!text)
        out_of_memory();
    for (const char *at = text, *next; *at; at = next) {
        next = at + strcspn(at, "<");
        fwrite(at, 1, (size_t)(next - at), stream);
        if (*next == '<') {
            fputs("\\u003c", stream);
            next++;
        }
    }
    cJSON_free(text);
}

/* Writes what a mark of the template stands for. */
static void write_mark(const char *mark, size_t length, const cJSON *root, const cJSON *other,
                       FILE *stream)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)length, mark);
    if (strcmp(name, "report") == 0)
        write_json(root, stream);
    else if (strcmp(name, "against") == 0)
        other ? write_json(other, stream) : (void)fputs("null", stream);
    else
        fputs(part(name), stream);
}

int page_write(const cJSON *root, const cJSON *other, sl_context *ctx, const char *path, bool force)
{
    output_file file;
    if (output_open(&file, ctx, path, force) != EXIT_DONE)
        return EXIT_FAILED;
    for (const char *at = part("page.html"); *at;) {
        const char *mark = strchr(at, '@');
        const char *end = mark ? strchr(mark + 1, '@') : NULL;
        if (!end) {
            fputs(at, file.stream);
            break;
        }
        fwrite(at, 1, (size_t)(mark - at), file.stream);
        write_mark(mark + 1, (size_t)(end - mark - 1), root, other, file.stream);
        at = end + 1;
    }
    return output_close(&file);
}

/* ---- reading ---------------------------------------------------------------- */

/* The whole file with a final 0; NULL, with a message printed, if it cannot be read. To be freed. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        failed("%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    size_t size = 0, room = 1 << 20, got;
    char *text = sl_malloc(room);
    if (!text)
        out_of_memory();
    while ((got = fread(text + size, 1, room - 1 - size, file)) > 0) {
        size += got;
        if (size + 1 == room && !(text = sl_realloc(text, room *= 2)))
            out_of_memory();
    }
    text[size] = '\0';
    const bool unread = ferror(file);
    if (unread)
        failed("%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    if (unread)
        sl_free(text);
    return unread ? NULL : text;
}

int page_read(cJSON **root, const char *path)
{
    *root = NULL;
    char *text = read_text(path);
    if (!text)
        return EXIT_FAILED;
    const char *data = strstr(text, data_mark);
    char *end = data ? strstr(data, data_end) : NULL;
    if (end) {
        *end = '\0';
        *root = cJSON_Parse(data + strlen(data_mark));
    }
    sl_free(text);
    const cJSON *format = cJSON_GetObjectItem(*root, "format");
    const cJSON *version = cJSON_GetObjectItem(*root, "version");
    if (cJSON_IsString(format) && strcmp(format->valuestring, "semla report") == 0 &&
        cJSON_IsNumber(version) && version->valueint == FORMAT_VERSION)
        return EXIT_DONE;
    const bool other_version = cJSON_IsNumber(version) && version->valueint != FORMAT_VERSION;
    const int number = other_version ? version->valueint : 0;
    cJSON_Delete(*root);
    *root = NULL;
    if (other_version)
        return failed("%s: a report of format %d; this semla compares reports of format %d", path,
                      number, (int)FORMAT_VERSION);
    return failed("%s: not a page of 'semla report', or cut off: it has no data of a report", path);
}
