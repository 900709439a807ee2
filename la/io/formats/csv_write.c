/* Writer of comma- and tab-separated edge lists, with labels if the edges have them. */
#include "io/files/common.h"
#include "io/files/put_number.h"
#include "io/formats/format.h"

static char delimiter_of(const writer *w)
{
    return has_suffix(w->path, uncompressed_length(w->path), ".tsv") ? '\t' : ',';
}

/* True if a label must be quoted: it contains a delimiter, a quote or a line break, or begins or
 * ends with a blank. */
static bool needs_quotes(const char *label, char delimiter)
{
    const char marks[] = {delimiter, '"', '\n', '\r', '\0'};
    const size_t length = strlen(label);
    return length == 0 || label[strcspn(label, marks)] != '\0' || label[0] == ' ' ||
           label[0] == '\t' || label[length - 1] == ' ' || label[length - 1] == '\t';
}

static void write_label(writer *w, const char *label, char delimiter)
{
    const bool quoted = needs_quotes(label, delimiter);
    if (quoted)
        output_write(&w->output, "\"", 1);
    while (*label) {
        const size_t length = strcspn(label, "\"");
        output_write(&w->output, label, length);
        label += length;
        if (*label == '"') {
            output_write(&w->output, "\"\"", 2);
            label++;
        }
    }
    if (quoted)
        output_write(&w->output, "\"", 1);
}

static void write_vertex(writer *w, uint64_t v, char after, char delimiter)
{
    const sl_labels *labels = &w->edges->labels;
    if (labels->count > 0)
        write_label(w, labels->text + labels->start[v], delimiter);
    char *out = output_reserve(&w->output), *end = out;
    if (labels->count == 0)
        end = put_index(out, v + w->base);
    *end++ = after;
    output_commit(&w->output, (size_t)(end - out));
}

static void write_line(writer *w, uint64_t i, uint64_t j, const sl_scalar *value)
{
    const char delimiter = delimiter_of(w);
    write_vertex(w, i, delimiter, delimiter);
    write_vertex(w, j, value ? delimiter : '\n', delimiter);
    if (!value)
        return;
    char *out = output_reserve(&w->output), *end = put_value(out, *value);
    *end++ = '\n';
    output_commit(&w->output, (size_t)(end - out));
}

sl_status write_csv(writer *w)
{
    const char delimiter = delimiter_of(w);
    if (w->first)
        output_print(&w->output, w->valued ? "source%ctarget%cweight\n" : "source%ctarget\n",
                     delimiter, delimiter);
    write_each(w, write_line);
    return SL_OK;
}
