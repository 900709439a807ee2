/* One search as `semla bfs` makes it: what was asked, what came of it. */
#ifndef SEMLA_CLI_SEARCH_H
#define SEMLA_CLI_SEARCH_H

#include "grid.h"
#include "tree.h"

typedef struct {
    common_options common;
    graph_options graph;
    bool has_source;
    uint64_t source;     /* an id */
    vertex_list targets; /* ids */
    sl_bfs_options search;
    bool plain;
    bool prune, cluster; /* prepares so */
    bool validate;
    const char *output;
} bfs_options;

typedef struct {
    sl_context *ctx;
    graph g;
    bool symmetric;
    uint64_t source; /* an index, like all below */
    int64_t source_degree;
    vertex_list targets;
    tree t;
    sl_iteration_log log;
    bool bound_met;                 /* went as far as --max-depth allows */
    bool targets_met;               /* ended by its targets */
    sl_placement placement;         /* of the graph, prepared */
    double component_edges;         /* edges of the reached part, undirected ones once */
    uint64_t operations, fallbacks; /* of the search; passed on by the chain's first engine */
    double prepare_seconds, seconds, validate_seconds;
    sl_check_result verdict; /* if it was asked for */
} search_result;

/* Loads the graph, searches, and validates if asked to. Returns an exit status;
 * `r` is to be freed in any case. */
int search_run(search_result *r, const bfs_options *o);
void search_free(search_result *r);

/* The result on stdout, for people or as JSON. */
void search_print(const search_result *r, const bfs_options *o);
void search_print_json(const search_result *r, const bfs_options *o);

#endif
