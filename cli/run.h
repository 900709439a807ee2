/* `semla run`: what was asked, a run in progress, and the workflows. */
#ifndef SEMLA_CLI_RUN_H
#define SEMLA_CLI_RUN_H

#include <semla/checks.h>

#include "graph.h"
#include "report.h"

/* Options that only some workflows take: a bit each. */
enum {
    TAKES_SOURCE = 1 << 0, /* one */
    TAKES_SOURCES = 1 << 1,
    TAKES_TARGET = 1 << 2,
    TAKES_DEPTH = 1 << 3,
    TAKES_HOPS = 1 << 4,
    TAKES_DETERMINISTIC = 1 << 5,
    TAKES_PARENTS = 1 << 6,
    TAKES_SEARCHES = 1 << 7,
    TAKES_WALK = 1 << 8, /* damping, tolerance, iterations */
    TAKES_SAMPLES = 1 << 9,
    TAKES_BATCH = 1 << 10,
    TAKES_NORMALISED = 1 << 11,
    TAKES_TOP = 1 << 12,
    TAKES_OUT = 1 << 13,
    NEEDS_ENDS = 1 << 14, /* a source and a target have to be given */
    FROM_HUB = 1 << 15    /* without a source: from a vertex of greatest out-degree */
};

typedef struct run_job run_job;

typedef struct {
    const char *name, *summary;
    unsigned takes;
    sl_status (*run)(run_job *job);
} workflow;

/* By name, ended by a NULL name; cli/run_searches.c and cli/run_values.c. */
extern const workflow search_workflows[], value_workflows[];

typedef struct {
    common_options common;
    graph_options graph;
    const workflow *workflow;
    unsigned given;      /* bits of options that were given */
    vertex_list sources; /* ids */
    uint64_t target;     /* an id */
    bool deterministic, normalised, check;
    uint64_t depth, hops, searches, iterations, samples, seed, batch, top;
    double damping, tolerance;
    const char *out, *parents; /* files */
} run_options;

/* For run_options, whose members' zeros are defaults but for `top`. */
extern const struct argp run_argp;

struct run_job {
    const run_options *o;
    sl_context *ctx;
    graph g;
    bool symmetric;
    vertex_list sources; /* indices, like all below */
    uint64_t target;
    sl_csr rows; /* the graph as plain arrays, if it is checked */
    report r;
    double started, seconds, check_seconds;
    sl_context_counts before;
    uint64_t operations, fallbacks; /* of the workflow; by the chain's first engine */
    sl_verdict verdict;             /* if it was checked */
    const char *checked_by;

    /* What goes to files: a vector, or a matrix of one row per source. */
    sl_vector *out, *parents;
    sl_matrix *out_rows, *parent_rows;
    bool out_is_vertices; /* out's values are vertices */
};

/* The time of the workflow itself: from begin to end; status is passed on. */
void job_begin(run_job *job);
sl_status job_end(run_job *job, sl_status status);

/* True if the result is to be checked: then `rows` is the graph, and the time until
 * job_checked is the check's. *status is not SL_OK if that failed. */
bool job_checks(run_job *job, sl_graph_view *view, sl_status *status);
sl_status job_checked(run_job *job, sl_status status, const char *by);

/* Elements of a vector that is full, of its type, from sl_malloc. */
void *job_values(sl_status *status, const sl_vector *v);

/* Appends a table of the greatest values, an element per vertex; NaN and infinities
 * are left out. */
void job_rank(run_job *job, const char *title, const double *values);

/* Ids of vertices, in place; and of one. */
void job_ids(const run_job *job, uint64_t *vertices, size_t count);
uint64_t job_id(const run_job *job, uint64_t vertex);

/* Writes what --out and --parents ask for. Returns an exit status. */
int job_write(run_job *job);

#endif
