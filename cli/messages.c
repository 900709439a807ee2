/* Messages and the line of progress, on stderr, and failures as JSON, on stdout. */
#include "messages.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *command_name = "semla";
static double timeout; /* seconds; 0: none */
static bool progress_shown;
static void (*before_abort)(void);
static bool as_json, json_printed;
static char first_failure[5000]; /* the text of the first failure, for JSON; room for a path */

void messages_set_command(const char *command)
{
    command_name = command;
}

const char *messages_command(void)
{
    return command_name;
}

void messages_set_timeout(double seconds)
{
    timeout = seconds;
}

static void print_message(const char *kind, const char *format, va_list list)
{
    progress_end();
    fprintf(stderr, "%s: %s", command_name, kind);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

/* Keeps the text of the first failure; further ones are its consequences. */
static void keep_failure(const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    if (!*first_failure)
        vsnprintf(first_failure, sizeof first_failure, format, again);
    va_end(again);
}

int failed(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    keep_failure(format, list);
    print_message("", format, list);
    va_end(list);
    return EXIT_FAILED;
}

int failed_status(const sl_context *ctx, sl_status status)
{
    const char *message = sl_context_message(ctx);
    if (status == SL_CANCELLED) {
        failed("stopped after %g s (--timeout): %s", timeout, message);
        return EXIT_TIMEOUT;
    }
    sl_context_memory memory;
    sl_context_get_memory(ctx, &memory);
    return failed("%s%s", *message ? message : sl_status_string(status),
                  status == SL_NO_MEMORY && memory.limit > 0 ? "; --max-memory sets the limit"
                                                             : "");
}

int usage_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    keep_failure(format, list);
    print_message("", format, list);
    va_end(list);
    return EINVAL;
}

void warn(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_message("warning: ", format, list);
    va_end(list);
}

void messages_before_abort(void (*call)(void))
{
    before_abort = call;
}

_Noreturn void out_of_memory(void)
{
    const int status = failed("out of memory");
    messages_end(status);
    fflush(NULL);
    if (before_abort)
        before_abort();
    exit(status);
}

/* ---- failures as JSON --------------------------------------------------- */

void messages_as_json(void)
{
    as_json = true;
}

void messages_json_printed(void)
{
    json_printed = true;
}

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

/* Writes a JSON string without allocating memory. */
static void put_json_text(const char *text)
{
    putchar('"');
    for (size_t length; *text; text += length) {
        length = utf8_length(text);
        const unsigned char byte = (unsigned char)*text;
        if (length == 0) {
            printf("\\\\x%02x", byte);
            length = 1;
        } else if (byte < ' ') {
            printf("\\u%04x", byte);
        } else if (byte == '"' || byte == '\\') {
            printf("\\%c", byte);
        } else {
            fwrite(text, 1, length, stdout);
        }
    }
    putchar('"');
}

void messages_end(int exit_status)
{
    if (!as_json || json_printed || exit_status == EXIT_DONE)
        return;
    json_printed = true;
    fputs("{\n\t\"error\":\t", stdout);
    put_json_text(*first_failure ? first_failure
                                 : "the command line is wrong; the message is on standard error");
    printf(",\n\t\"status\":\t%d\n}\n", exit_status);
}

/* ---- progress ----------------------------------------------------------- */

enum { LINE = 512, USUAL_WIDTH = 80 };

/* Columns of the terminal that is stderr. */
static size_t terminal_width(void)
{
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : USUAL_WIDTH;
}

/* Cuts a line to `most` characters, so that it does not wrap, and replaces control characters. */
static void fit_line(char *line, size_t most)
{
    size_t shown = 0;
    while (*line && shown < most) {
        const size_t length = utf8_length(line);
        if (length == 0 || iscntrl((unsigned char)*line))
            *line = '?';
        line += length > 0 ? length : 1;
        shown++;
    }
    *line = '\0';
}

void progress_show(const char *format, va_list list)
{
    char line[LINE];
    progress_end();
    vsnprintf(line, sizeof line, format, list);
    fit_line(line, terminal_width() - 1); /* in the last column some terminals wrap at once */
    fputs(line, stderr);
    fflush(stderr);
    progress_shown = true;
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}
