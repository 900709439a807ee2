/*
 * Private to `semla run`: its options and a run in progress. Everything that is particular to one
 * algorithm comes from the registry (<semla/registry.h>).
 */
#ifndef SEMLA_CLI_RUN_H
#define SEMLA_CLI_RUN_H

#include <semla/registry.h>

#include "cli/graph.h"
#include "cli/repeat.h"
#include "cli/report.h"
#include "cli/suggest.h"

/* What the command line says about one argument of the algorithm. */
typedef struct {
    bool given;
    sl_value value; /* a flag, a count or a number */
    name_list vertices;
    const char *path; /* the file of a vector */
} run_argument;

typedef struct {
    common_options common;
    graph_options graph;
    const sl_algorithm *algorithm;
    const sl_algorithm
        *named; /* the algorithm of the command line, known before it is parsed; or NULL */
    run_argument arguments[SL_MAX_ARGUMENTS];
    const char *paths[SL_MAX_RESULTS]; /* the file of each result that is SL_RESULT_FILE, or NULL */
    const char *out;                   /* the file of the main result, or NULL */
    bool check, has_top;
    uint64_t top;    /* vertices of the ranking */
    uint64_t repeat; /* runs; the last one is reported */
} run_options;

/* Parses the command line. Returns an exit status; --help exits. run_options_free frees it. */
int run_options_parse(run_options *o, int argc, char **argv);
void run_options_free(run_options *o);

/* The list of algorithms with their options, for people or as JSON. */
void run_print_list(bool as_json);

/* A name of the registry as the command line spells it: '-' for '_', and `sources` without the s,
 * as the option is repeated. */
typedef struct {
    char text[40];
} run_name;
run_name run_name_of(const char *name);
run_name run_algorithm_name(const sl_algorithm *algorithm);
run_name run_option_name(const char *name, sl_kind kind);

/* "; did you mean 'PREFIXsssp'?" for a misspelt algorithm, or "". */
suggestion run_suggest_algorithm(const char *name, const char *prefix);

/* The short form of an option; 0: it has none. */
char run_option_letter(const char *option);

/* The metavariable of an option's value ("N"), NULL for a flag. */
const char *run_option_value(sl_kind kind);

/* A run in progress. */
typedef struct {
    const run_options *o;
    sl_context *ctx;
    graph g;
    bool symmetric;
    sl_algorithm_call call;
    uint64_t *lists[SL_MAX_ARGUMENTS];    /* the arguments' vertices; owned */
    sl_vector *vectors[SL_MAX_ARGUMENTS]; /* the arguments' vectors; owned */
    report r;
    run_times times; /* of all runs */
    double check_seconds;
    uint64_t operations, fallbacks; /* of the algorithm, in the first engine */
    sl_check_result verdict;        /* if the result was checked */
} run_state;

/* True if a result of this kind is a matrix. */
bool run_is_matrix(sl_kind kind);

/* The result that --out writes: the first object that is not SL_RESULT_FILE. -1: there is none. */
int run_main_result(const sl_algorithm *algorithm);

/* Appends the graph and the engines, the arguments, the results, the times and the verdict to the
 * report. */
void run_report_graph(run_state *run);
void run_report_arguments(run_state *run);
void run_report_results(run_state *run);
void run_report_end(run_state *run);

/* Writes the files of --out and --NAME. Returns an exit status. */
int run_write_files(run_state *run);

#endif
