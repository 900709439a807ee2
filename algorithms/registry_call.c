/*
 * A call of a registered algorithm: default values, checks of the arguments, run, check and summary
 * as its description states.
 */
#include "algorithms/describe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/graph_tools.h>

/* ---- arguments ---------------------------------------------------------- */

static sl_value default_value(const sl_argument *argument)
{
    const char *text = argument->initial;
    const bool is_false = argument->kind == SL_KIND_FLAG && !(argument->flags & SL_ARGUMENT_GRAPH);
    sl_value value = {.given = text || is_false};
    if (text && argument->kind == SL_KIND_COUNT)
        value.count = strtoull(text, NULL, 10);
    else if (text && argument->kind == SL_KIND_NUMBER)
        value.number = strtod(text, NULL);
    return value;
}

void sl_algorithm_begin(sl_algorithm_call *call, const sl_algorithm *algorithm, const sl_matrix *A)
{
    if (!call)
        return;
    *call = (sl_algorithm_call){.algorithm = algorithm, .A = A};
    for (int k = 0; algorithm && algorithm->arguments[k].name; k++)
        call->arguments[k] = default_value(&algorithm->arguments[k]);
    for (int k = 0; k < SL_MAX_RESULTS; k++)
        call->wanted[k] = true;
}

/* True if the caller has set an argument of that name to something other than its default. */
static bool is_set(const sl_algorithm_call *call, const char *name)
{
    for (int k = 0; call->algorithm->arguments[k].name; k++) {
        const sl_argument *argument = &call->algorithm->arguments[k];
        const sl_value *value = &call->arguments[k], initial = default_value(argument);
        if (strcmp(argument->name, name) == 0)
            return value->given &&
                   (!initial.given || value->flag != initial.flag ||
                    value->count != initial.count || value->number != initial.number);
    }
    return false;
}

static sl_status check_bounds(sl_context *ctx, const char *name, const sl_argument *argument,
                              const sl_value *value)
{
    if (argument->kind == SL_KIND_COUNT && value->count < argument->minimum)
        return sl_fail(ctx, SL_INVALID, "%s: %s is %" PRIu64 "; the least value is %" PRIu64, name,
                       argument->name, value->count, argument->minimum);
    if (argument->kind != SL_KIND_NUMBER)
        return SL_OK;
    const double number = value->number;
    if (!(number > 0) || !isfinite(number))
        return sl_fail(ctx, SL_INVALID, "%s: %s is %g; it must be a number above 0", name,
                       argument->name, number);
    if (argument->below > 0 && number >= argument->below)
        return sl_fail(ctx, SL_INVALID, "%s: %s is %g; it must be below %g", name, argument->name,
                       number, argument->below);
    return SL_OK;
}

static sl_status check_argument(const sl_algorithm_call *call, int k)
{
    const sl_algorithm *algorithm = call->algorithm;
    const sl_argument *argument = &algorithm->arguments[k];
    const sl_value *value = &call->arguments[k];
    sl_context *ctx = sl_matrix_context(call->A);
    if (!value->given && argument->flags & SL_ARGUMENT_REQUIRED)
        return sl_fail(ctx, SL_INVALID, "%s: %s is missing", algorithm->name, argument->name);
    if (!value->given)
        return SL_OK;
    if (argument->kind == SL_KIND_VERTEX)
        return sl_require_vertices(algorithm->name, argument->name, call->A, &value->count, 1);
    if (argument->kind == SL_KIND_VERTICES)
        return sl_require_vertices(algorithm->name, "source", call->A, value->list, value->count);
    if (is_set(call, argument->name) && argument->excludes && is_set(call, argument->excludes))
        return sl_fail(ctx, SL_INVALID, "%s: %s and %s cannot both be given", algorithm->name,
                       argument->name, argument->excludes);
    if (is_set(call, argument->name) && argument->needs && !is_set(call, argument->needs))
        return sl_fail(ctx, SL_INVALID, "%s: %s needs %s", algorithm->name, argument->name,
                       argument->needs);
    return check_bounds(ctx, algorithm->name, argument, value);
}

/* Vertex of greatest out-degree, the first of them: 0 in a graph without edges. */
static sl_status find_hub(uint64_t *hub, const sl_algorithm_call *call)
{
    sl_vector *degrees = NULL;
    uint64_t edges;
    sl_status status;
    *hub = 0;
    TRY(sl_require_vertices(call->algorithm->name, "vertex", call->A, hub, 1));
    TRY(sl_matrix_nvals(&edges, call->A));
    if (edges == 0)
        goto out;
    TRY(sl_degrees(&degrees, call->A));
    TRY(sl_first_of_extreme(hub, degrees, SL_MAX_MONOID_INT64));
out:
    sl_vector_free(degrees);
    return status;
}

static sl_status take_hub(sl_algorithm_call *call, int k)
{
    uint64_t hub;
    sl_status status = find_hub(&hub, call);
    if (status != SL_OK)
        return status;
    call->arguments[k] = sl_count_value(hub);
    if (call->algorithm->arguments[k].kind == SL_KIND_VERTEX)
        return SL_OK;
    sl_context *ctx = sl_matrix_context(call->A);
    status = sl_make_list(&call->arguments[k], 1);
    if (status != SL_OK)
        sl_fail(ctx, status, "%s: no memory for the source", call->algorithm->name);
    status = sl_agree(ctx, status);
    if (status == SL_OK)
        call->arguments[k].list[0] = hub;
    call->owned_sources = call->arguments[k].list;
    return status;
}

/* Appends a line for an argument to `lines`, of `room` bytes: see sl_agree_arguments. */
static void describe(char *lines, size_t room, sl_context *ctx, const sl_argument *argument,
                     const sl_value *value)
{
    const size_t used = strlen(lines);
    const bool counted = argument->kind == SL_KIND_COUNT || argument->kind == SL_KIND_VERTEX;
    char *at = lines + used;
    room -= used;
    if (!value->given)
        snprintf(at, room, "%s none\n", argument->name);
    else if (argument->kind == SL_KIND_FLAG)
        snprintf(at, room, "%s %d\n", argument->name, value->flag);
    else if (argument->kind == SL_KIND_NUMBER)
        snprintf(at, room, "%s %.17g\n", argument->name, value->number);
    else if (counted)
        snprintf(at, room, "%s %" PRIu64 "\n", argument->name, value->count);
    else if (argument->kind == SL_KIND_VERTICES)
        snprintf(at, room, "%s #%llx\n", argument->name,
                 sl_list_hash(ctx, value->list, value->count));
    else
        snprintf(at, room, "%s given\n", argument->name);
}

/* Checks the arguments and agrees on them with the other processes. */
static sl_status check_arguments(const sl_algorithm_call *call)
{
    const sl_algorithm *algorithm = call->algorithm;
    char lines[1024] = "";
    sl_status status = sl_require_square(algorithm->name, call->A);
    for (int k = 0; algorithm->arguments[k].name; k++) {
        if (status == SL_OK)
            status = check_argument(call, k);
        describe(lines, sizeof lines, sl_matrix_context(call->A), &algorithm->arguments[k],
                 &call->arguments[k]);
    }
    return AGREE(call->A, status, algorithm->name, "%s", lines);
}

sl_status sl_algorithm_prepare(sl_algorithm_call *call)
{
    if (!call || !call->algorithm)
        return SL_INVALID;
    sl_status status = check_arguments(call);
    for (int k = 0; status == SL_OK && call->algorithm->arguments[k].name; k++)
        if (!call->arguments[k].given && call->algorithm->arguments[k].flags & SL_ARGUMENT_HUB)
            status = take_hub(call, k);
    if (status == SL_OK && call->algorithm->prepare)
        status = call->algorithm->prepare(call);
    return status;
}

/* ---- a call ------------------------------------------------------------- */

sl_status sl_algorithm_run(sl_algorithm_call *call)
{
    if (!call || !call->algorithm)
        return SL_INVALID;
    sl_status status = call->algorithm->run(call);
    for (int k = 0; status == SL_OK && k < SL_MAX_RESULTS; k++) {
        sl_value *r = &call->results[k];
        r->given = r->given || r->list || r->vector || r->matrix;
    }
    return status;
}

sl_status sl_algorithm_check(sl_check_result *result, const sl_algorithm_call *call,
                             const sl_csr *graph)
{
    if (!call || !call->algorithm)
        return SL_INVALID;
    sl_context *ctx = sl_matrix_context(call->A);
    sl_status status = SL_OK;
    if (!result || !graph)
        status = sl_fail(ctx, SL_INVALID, "%s: %s is NULL", call->algorithm->name,
                         result ? "graph" : "result");
    status = AGREE(call->A, status, call->algorithm->name, "check %d\n", true);
    if (result)
        *result = (sl_check_result){0};
    if (status != SL_OK)
        return status;
    status = call->algorithm->verify(result, call, graph);
    if (status == SL_NO_MEMORY)
        sl_fail(ctx, status, "%s: no memory for the check", call->algorithm->name);
    return sl_agree(ctx, status);
}

sl_status sl_algorithm_summarise(sl_algorithm_call *call)
{
    if (!call || !call->algorithm)
        return SL_INVALID;
    if (!call->algorithm->summarise)
        return SL_OK;
    sl_context *ctx = sl_matrix_context(call->A);
    sl_status status = call->algorithm->summarise(call);
    if (status == SL_NO_MEMORY)
        sl_fail(ctx, status, "%s: no memory for the summary", call->algorithm->name);
    return sl_agree(ctx, status);
}

void sl_algorithm_end(sl_algorithm_call *call)
{
    if (!call)
        return;
    for (int k = 0; k < SL_MAX_RESULTS; k++) {
        sl_free(call->results[k].list);
        sl_free(call->results[k].numbers);
        sl_vector_free(call->results[k].vector);
        sl_matrix_free(call->results[k].matrix);
        call->results[k] = (sl_value){0};
    }
    sl_free(call->owned_sources);
    sl_free(call->for_check);
    call->owned_sources = call->for_check = NULL;
}
