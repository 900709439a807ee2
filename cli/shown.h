/*
 * Texts for people, on a terminal: labels, file names and arguments are not under the command's
 * control, and characters of them could move the cursor, set the window's title or reverse the
 * order of what follows. Such characters are escaped: controls of ASCII as \x1b, as are bytes that
 * are not part of UTF-8; controls of Unicode (U+0080 to U+009F, line and paragraph separators, marks
 * of the writing direction) as \u202e.
 */
#ifndef SEMLA_CLI_SHOWN_H
#define SEMLA_CLI_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The number of bytes of the UTF-8 sequence at `text`; 0 if there is no valid one. */
size_t utf8_length(const char *text);

/* True if the character that the UTF-8 sequence of `length` bytes encodes is escaped; *code is the
 * character. */
bool is_hidden(uint32_t *code, const char *text, size_t length);

/* Writes a text to a stream, escaped. Allocates no memory. */
void put_shown(FILE *stream, const char *text);
/* The same, cut to the columns of a line; each character is taken to have one. */
void put_shown_columns(FILE *stream, const char *text, size_t most);

/* The number of bytes of the first `size` bytes of a text, or of all that there are, when shown. */
size_t shown_length(const char *text, size_t size);

#endif
