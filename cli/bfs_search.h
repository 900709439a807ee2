/* The search of `semla bfs`: its options, its result, and how the result is printed. */
#ifndef SEMLA_CLI_SEARCH_H
#define SEMLA_CLI_SEARCH_H

#include "cli/grid_ranks.h"
#include "cli/repeat.h"
#include "cli/tree.h"

/* The command line. Vertices are named as the user writes them (names.h). */
typedef struct {
    common_options common;
    graph_options graph;
    const char *source; /* or NULL */
    name_list targets;
    sl_bfs_options search;
    bool plain; /* sl_bfs_plain instead of sl_bfs */
    bool prune; /* prepare the matrix with SL_PRUNED */
    bool validate;
    uint64_t repeat;    /* searches; the last one is reported */
    const char *output; /* a file, or NULL */
} bfs_options;

/* One search and its result. Vertices are indices. */
typedef struct {
    sl_context *ctx;
    graph g;
    bool symmetric;
    uint64_t source;
    int64_t source_degree; /* edges that leave the source */
    vertex_list targets;
    tree t;
    sl_iteration_log log;
    bool bound_met;                 /* reached the level of --max-depth */
    bool targets_met;               /* stopped because of --target */
    sl_placement placement;         /* where the prepared graph is stored */
    double component_edges;         /* edges of reached vertices; an undirected edge counts once */
    uint64_t operations, fallbacks; /* operations of the search; those that fell back to an engine
                                       after the first */
    run_times times;                /* of all searches */
    double prepare_seconds, validate_seconds;
    sl_check_result verdict; /* if it was asked for */
} search_result;

/* Loads the graph, searches, and validates the tree if --validate was given. Returns an exit
 * status, with a message printed on failure; `r` must be freed in either case. */
int search_run(search_result *r, const bfs_options *o);
void search_free(search_result *r);

/* Print the result on stdout, for people or as JSON. */
void search_print(const search_result *r, const bfs_options *o);
void search_print_json(const search_result *r, const bfs_options *o);

#endif
