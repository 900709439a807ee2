/* What names and the first characters of files tell of their format, apart from the table of formats. */
#include "io/files/common.h"
#include "io/formats/format.h"

size_t uncompressed_length(const char *path)
{
    return strlen(path) - strlen(compression_suffix(compression_of_name(path)));
}

/* The format of a text that starts with `word`, in any case, and where `then` is not NULL contains that
 * soon afterwards. The first that fits counts. */
static const struct {
    const char *word, *then, *title;
} foreign[] = {{"*", NULL, "Pajek"},
               {"<", "<graphml", "GraphML"},
               {"<", "<gexf", "GEXF"},
               {"<", NULL, "XML"},
               {"strict", "{", "DOT"},
               {"digraph", "{", "DOT"},
               {"graph", "{", "DOT"},
               {"//", "{", "DOT"},
               {"/*", "{", "DOT"},
               {"graph", "[", "GML"},
               {"creator", "[", "GML"},
               {"{", NULL, "JSON"},
               {"[", NULL, "JSON"},
               {">>graph6<<", NULL, "graph6"},
               {">>sparse6<<", NULL, "sparse6"},
               {"dl", "n", "UCINET DL"}};

const char *format_of_text(const char *begin, const char *end)
{
    enum { NEAR = 2000 }; /* an XML document may start with a comment */
    const size_t near = end - begin < NEAR ? (size_t)(end - begin) : NEAR;
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++) {
        const size_t length = strlen(foreign[k].word);
        const char *then = foreign[k].then;
        if (length <= near && strncasecmp(begin, foreign[k].word, length) == 0 &&
            (!then || memmem(begin + length - 1, near - length + 1, then, strlen(then))))
            return foreign[k].title;
    }
    return NULL;
}
