/* Statuses and messages of failures. */
#include <semla/engine.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "la/core/account.h"

const char *sl_status_string(sl_status status)
{
    switch (status) {
    case SL_OK:
        return "success";
    case SL_NO_VALUE:
        return "no entry";
    case SL_INVALID:
        return "invalid argument";
    case SL_OUT_OF_RANGE:
        return "index out of range";
    case SL_MISMATCH:
        return "shapes, types or contexts do not match";
    case SL_NO_MEMORY:
        return "out of memory";
    case SL_IO:
        return "input or output failed";
    case SL_SYNTAX:
        return "malformed input";
    case SL_UNSUPPORTED:
        return "not supported";
    case SL_ENGINE_FAULT:
        return "engine failed";
    case SL_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

sl_status sl_fail(sl_context *ctx, sl_status status, const char *format, ...)
{
    if (ctx) {
        char why[160] = "";
        if (status == SL_NO_MEMORY)
            sl_account_explain(ctx, why, sizeof why);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(ctx->message, sizeof ctx->message - strlen(why), format, arguments);
        va_end(arguments);
        if (!strstr(ctx->message, why)) /* the message may be a copy that has the text already */
            strcat(ctx->message, why);
    }
    return status;
}

const char *sl_context_message(const sl_context *ctx)
{
    return ctx ? ctx->message : "";
}
