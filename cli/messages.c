/* Messages and the line of progress, on stderr. */
#include "messages.h"

#include <stdio.h>
#include <stdlib.h>

static const char *command_name = "semla";
static bool progress_shown;
static void (*before_abort)(void);

void messages_set_command(const char *command)
{
    command_name = command;
}

const char *messages_command(void)
{
    return command_name;
}

static void print_message(const char *kind, const char *format, va_list list)
{
    progress_end();
    fprintf(stderr, "%s: %s", command_name, kind);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

int failed(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_message("", format, list);
    va_end(list);
    return EXIT_FAILED;
}

int failed_status(const sl_context *ctx, sl_status status)
{
    const char *message = sl_context_message(ctx);
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
    fflush(NULL);
    if (before_abort)
        before_abort();
    exit(status);
}

void progress_show(const char *format, va_list list)
{
    progress_end();
    vfprintf(stderr, format, list);
    fflush(stderr);
    progress_shown = true;
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}
