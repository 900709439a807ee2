/* The report of `semla run`: the graph, arguments, results, times and the verdict as named facts.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/run.h"

/* A name as people read it: "by_distance" as "By distance". */
static run_name label_of(const char *name)
{
    run_name label;
    snprintf(label.text, sizeof label.text, "%s", name);
    for (char *c = label.text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    label.text[0] = (char)toupper((unsigned char)label.text[0]);
    return label;
}

/* The `top` greatest numbers in falling order, equal ones by rising vertex. NaN and infinities are
 * left out. O(vertices x top). */
static void report_greatest(run_state *run, const char *title, const char *name,
                            const sl_value *value)
{
    const uint64_t n = run->g.nrows, most = run->o->top < n ? run->o->top : n;
    ranked *rows = sl_malloc((most + 1) * sizeof *rows);
    uint64_t count = 0;
    if (!rows)
        out_of_memory();
    for (uint64_t v = 0; v < n; v++) {
        const double number = value->numbers[v];
        if (!isfinite(number) || (count == most && (most == 0 || number <= rows[most - 1].value)))
            continue;
        uint64_t at = count < most ? count++ : most - 1;
        for (; at > 0 && rows[at - 1].value < number; at--)
            rows[at] = rows[at - 1];
        rows[at] = (ranked){v, number};
    }
    report_ranking(&run->r, title, name, rows, count);
    sl_free(rows);
}

/* One argument or result; `label` NULL: in JSON only. */
static void report_value(run_state *run, const char *label, const char *name, sl_kind kind,
                         const sl_value *value)
{
    switch (kind) {
    case SL_KIND_FLAG:
        report_bool(&run->r, label, name, value->flag);
        break;
    case SL_KIND_COUNT:
        report_count(&run->r, label, name, value->count);
        break;
    case SL_KIND_NUMBER:
        report_number(&run->r, label, name, value->number);
        break;
    case SL_KIND_TEXT:
        report_text(&run->r, label, name, value->text);
        break;
    case SL_KIND_VERTEX:
        report_vertex(&run->r, label, name, value->count);
        break;
    case SL_KIND_COUNTS:
        report_list(&run->r, label, name, value->list, value->count);
        break;
    case SL_KIND_VERTICES:
        report_vertices(&run->r, label, name, value->list, value->count);
        break;
    default: /* vectors and matrices go to files, rankings come last */
        break;
    }
}

void run_report_graph(run_state *run)
{
    const graph *g = &run->g;
    char text[400], engines[200] = "";
    size_t used = 0;
    const char *name;
    snprintf(text, sizeof text, "%s: %s vertices, %s edges%s; %s in %s", g->name,
             text_of_count(g->nrows).text, text_of_count(g->entries).text,
             run->symmetric ? " (each undirected edge counted twice)" : " (directed)",
             run->o->graph.is_model ? "made" : "read", text_of_seconds(g->seconds).text);
    for (size_t i = 0; (name = sl_context_engine(run->ctx, i)) && used < sizeof engines; i++)
        used += (size_t)snprintf(engines + used, sizeof engines - used, "%s%s", i ? ", then " : "",
                                 name);
    report *r = &run->r;
    r->names = &g->names;
    report_text(r, "Graph", NULL, text);
    report_text(r, "Engine", NULL, engines);
    report_text(r, NULL, "algorithm", run_algorithm_name(run->o->algorithm).text);
    report_text(r, NULL, "graph", g->name);
    report_count(r, NULL, "vertices", g->nrows);
    report_count(r, NULL, "edges", g->entries);
    report_bool(r, NULL, "symmetric", run->symmetric);
    report_text(r, NULL, "engine", sl_context_engine(run->ctx, 0));
}

/* People see the arguments that were given or chosen, JSON has the defaults too. */
void run_report_arguments(run_state *run)
{
    for (int k = 0; run->o->algorithm->arguments[k].name; k++) {
        const sl_argument *argument = &run->o->algorithm->arguments[k];
        const sl_value *value = &run->call.arguments[k];
        const bool is_default = argument->kind == SL_KIND_FLAG
                                    ? !value->flag
                                    : argument->initial && !run->o->arguments[k].given;
        const run_name label = label_of(argument->name);
        if (value->given)
            report_value(run, is_default ? NULL : label.text, argument->name, argument->kind,
                         value);
    }
}

void run_report_results(run_state *run)
{
    for (int k = 0; run->o->algorithm->results[k].name; k++) {
        const sl_result *result = &run->o->algorithm->results[k];
        const sl_value *value = &run->call.results[k];
        if (!value->given)
            continue;
        if (result->kind == SL_KIND_RANKING)
            report_greatest(run, result->help, result->name, value);
        else
            report_value(run, label_of(result->name).text, result->name, result->kind, value);
    }
}

/* The time, and how many operations fell back if there is an engine to fall back to. On a grid the first
 * engine is the grid's, which has no other: a part of an operation falls back from the rank's first engine. */
static void report_time(run_state *run)
{
    const run_times *times = &run->times;
    char text[240];
    const size_t first = strcmp(sl_context_engine(run->ctx, 0), "grid") == 0;
    const int used = snprintf(text, sizeof text, "%s%s", text_of_seconds(times->median).text,
                              times->count > 1 ? " (median)" : "");
    if (sl_context_engine(run->ctx, first + 1))
        snprintf(text + used, sizeof text - (size_t)used, "; %s of %s operations fell back from %s",
                 text_of_count(run->fallbacks).text, text_of_count(run->operations).text,
                 sl_context_engine(run->ctx, first));
    report_text(&run->r, "Time", NULL, text);
}

void run_report_end(run_state *run)
{
    report *r = &run->r;
    const run_times *times = &run->times;
    char text[240];
    report_time(run);
    report_seconds(r, NULL, "seconds", times->median);
    if (times->count > 1) {
        report_text(r, "Runs", NULL, text_of_times(times).text);
        report_count(r, NULL, "repeat", times->count);
        report_seconds(r, NULL, "min_seconds", times->min);
        report_seconds(r, NULL, "median_seconds", times->median);
        report_seconds(r, NULL, "max_seconds", times->max);
        report_seconds(r, NULL, "first_seconds", times->first);
    }
    report_seconds(r, NULL, "read_seconds", run->g.seconds);
    report_count(r, NULL, "operations", run->operations);
    report_count(r, NULL, "fallbacks", run->fallbacks);
    if (!run->o->check)
        return;
    if (run->verdict.valid)
        snprintf(text, sizeof text, "ok, by %s (%s)", run->o->algorithm->check,
                 text_of_seconds(run->check_seconds).text);
    else
        snprintf(text, sizeof text, "NOT VALID: %s", run->verdict.reason);
    report_text(r, "Check", NULL, text);
    report_bool(r, NULL, "valid", run->verdict.valid);
    report_seconds(r, NULL, "check_seconds", run->check_seconds);
    if (!run->verdict.valid)
        report_text(r, NULL, "reason", run->verdict.reason);
}
