/* Messages on stderr, and failures as JSON, on stdout. */
#include "cli/command_messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress_line.h"
#include "cli/shown.h"

enum { MOST_TEXT = 8192 }; /* bytes of a message; room for a path */

static const char *command_name = "semla";
static double timeout; /* seconds; 0: none */
static void (*before_abort)(void);
static bool as_json, json_printed;
static char first_failure[MOST_TEXT]; /* the text of the first failure, for JSON */

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
    static char text[MOST_TEXT]; /* a message may say that no memory is left */
    progress_end();
    vsnprintf(text, sizeof text, format, list);
    fprintf(stderr, "%s: %s", command_name, kind);
    put_shown(stderr, text);
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

/* Writes a JSON string without allocating memory. */
static void put_json_text(const char *text)
{
    putchar('"');
    for (size_t length; *text; text += length) {
        length = utf8_length(text);
        const unsigned char byte = (unsigned char)*text;
        uint32_t code;
        if (length == 0) {
            printf("\\\\x%02x", byte);
            length = 1;
        } else if (is_hidden(&code, text, length)) {
            printf("\\u%04x", code);
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
