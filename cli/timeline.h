/* The operations of a context as a timeline, in the JSON of a report and as a Chrome trace. */
#ifndef SEMLA_CLI_TIMELINE_H
#define SEMLA_CLI_TIMELINE_H

#include <semla/la.h>

#include "cli/json.h"

/* One operation that ran. */
typedef struct {
    const char *phase; /* static: the step of the command */
    char operation[32], operator_name[48], engine[24];
    char reason[96]; /* why the first engine did not run it, or "" */
    double started;  /* seconds since the beginning of the timeline */
    double seconds;
    uint64_t bytes_copied;
    bool fell_back;
} timeline_event;

enum { TIMELINE_MOST_EVENTS = 5000 };

/* Initialise with timeline_begin; timeline_free frees the events. */
typedef struct {
    double origin; /* of the clock CLOCK_MONOTONIC */
    const char *phase;
    timeline_event *events;
    size_t count, room;
    uint64_t dropped; /* operations after the first TIMELINE_MOST_EVENTS, not kept */
} timeline;

/* Records all operations of the context from now on, until timeline_end. */
void timeline_begin(timeline *t, sl_context *ctx);
void timeline_end(sl_context *ctx);
void timeline_free(timeline *t);

/* Names the step to which the next operations belong: a static string. */
void timeline_phase(timeline *t, const char *phase);

/* Adds the member "timeline". */
void timeline_json(cJSON *root, const timeline *t);

/* A document of the Trace Event Format, which chrome://tracing and Perfetto show: a row per engine.
 * To be deleted. */
cJSON *timeline_chrome_trace(const timeline *t);

#endif
