/* Records the operations of a context with its observer. */
#include "cli/timeline.h"

#include <stdio.h>
#include <string.h>

#include "cli/command_output.h"

static void keep(void *data, const sl_operation_record *record)
{
    timeline *t = data;
    if (t->count == TIMELINE_MOST_EVENTS) {
        t->dropped++;
        return;
    }
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        timeline_event *events = sl_realloc(t->events, room * sizeof *events);
        if (!events)
            out_of_memory();
        t->events = events;
        t->room = room;
    }
    timeline_event *e = &t->events[t->count++];
    *e = (timeline_event){.phase = t->phase,
                          .started = record->started - t->origin,
                          .seconds = record->seconds,
                          .bytes_copied = record->bytes_copied,
                          .fell_back = record->fell_back};
    snprintf(e->operation, sizeof e->operation, "%s", record->operation);
    snprintf(e->operator_name, sizeof e->operator_name, "%s", record->operator_name);
    snprintf(e->engine, sizeof e->engine, "%s", record->engine);
    snprintf(e->reason, sizeof e->reason, "%s", record->reason);
}

void timeline_begin(timeline *t, sl_context *ctx)
{
    *t = (timeline){.origin = seconds_now(), .phase = ""};
    sl_context_set_observer(ctx, keep, t);
}

void timeline_end(sl_context *ctx)
{
    sl_context_set_observer(ctx, NULL, NULL);
}

void timeline_free(timeline *t)
{
    sl_free(t->events);
    *t = (timeline){0};
}

void timeline_phase(timeline *t, const char *phase)
{
    t->phase = phase;
}

void timeline_json(cJSON *root, const timeline *t)
{
    cJSON *object = json_object(root, "timeline");
    json_count(object, "dropped", t->dropped);
    cJSON *operations = json_array(object, "operations");
    for (size_t k = 0; k < t->count; k++) {
        const timeline_event *e = &t->events[k];
        cJSON *o = json_object(operations, NULL);
        json_text(o, "phase", e->phase);
        json_text(o, "operation", e->operation);
        json_text(o, "operator", e->operator_name);
        json_text(o, "engine", e->engine);
        json_number(o, "started", e->started);
        json_number(o, "seconds", e->seconds);
        json_count(o, "bytes_copied", e->bytes_copied);
        json_bool(o, "fell_back", e->fell_back);
        if (*e->reason)
            json_text(o, "reason", e->reason);
    }
}

/* Names a row of the trace. */
static void name_row(cJSON *events, uint64_t row, const char *name)
{
    cJSON *e = json_object(events, NULL);
    json_text(e, "name", "thread_name");
    json_text(e, "ph", "M");
    json_count(e, "pid", 1);
    json_count(e, "tid", row);
    json_text(json_object(e, "args"), "name", name);
}

cJSON *timeline_chrome_trace(const timeline *t)
{
    cJSON *root = json_object(NULL, NULL);
    json_text(root, "displayTimeUnit", "ms");
    cJSON *events = json_array(root, "traceEvents");
    enum { MOST_ROWS = 8 };
    const char *engines[MOST_ROWS];
    size_t rows = 0;
    for (size_t k = 0; k < t->count; k++) {
        const timeline_event *event = &t->events[k];
        size_t row = 0;
        while (row < rows && strcmp(engines[row], event->engine) != 0)
            row++;
        if (row == rows && rows < MOST_ROWS) {
            name_row(events, row, event->engine);
            engines[rows++] = event->engine;
        }
        cJSON *e = json_object(events, NULL);
        json_text(e, "name", event->operation);
        json_text(e, "cat", event->phase);
        json_text(e, "ph", "X");
        json_number(e, "ts", 1e6 * event->started);
        json_number(e, "dur", 1e6 * event->seconds);
        json_count(e, "pid", 1);
        json_count(e, "tid", row);
        cJSON *facts = json_object(e, "args");
        json_text(facts, "operator", event->operator_name);
        json_count(facts, "bytes_copied", event->bytes_copied);
        json_bool(facts, "fell_back", event->fell_back);
        if (*event->reason)
            json_text(facts, "reason", event->reason);
    }
    return root;
}
