/* The parts of the pages of `semla report`: files of cli/page/ and the charting library, which the
 * build embeds (cmake/Embed.cmake). */
#ifndef SEMLA_CLI_PAGE_FILES_H
#define SEMLA_CLI_PAGE_FILES_H

typedef struct {
    const char *name; /* "page.html" */
    const char *text; /* its contents */
} page_file;

/* Ends with an element without a name. */
extern const page_file page_files[];

#endif
