/* What `semla parity` compares and finds. */
#ifndef SEMLA_CLI_PARITY_H
#define SEMLA_CLI_PARITY_H

#include "graph.h"

enum { PARITY_SHOWN = 3 }; /* differences kept per row */

/* One way in which a search is not what it should be. */
typedef struct {
    uint64_t source;
    bool deterministic; /* under min_secondi, else any_secondi */
    enum { LEVEL_DIFFERS, PARENT_DIFFERS, TREE_INVALID, SEARCH_FAILED } kind;
    uint64_t vertex;       /* LEVEL_DIFFERS, PARENT_DIFFERS */
    int64_t expected, got; /* likewise: levels; parents, as indices */
    char reason[200];      /* TREE_INVALID, SEARCH_FAILED */
} difference;

/* One way of searching: an engine, a form, a direction. */
typedef struct {
    const char *engine;
    grid_options grid; /* where the engine is each rank's */
    bool plain;
    sl_direction direction;
    uint64_t searches; /* the first under min_secondi, then by turns */
    double seconds; /* of the searches alone */
    uint64_t differences;
    bool levels, parents, trees; /* false where a difference of that kind was met */
    difference first[PARITY_SHOWN];
} parity_row;

/* A search by queue: what all others have to equal. Arrays of one element per vertex. */
typedef struct {
    const sl_graph_view *view;
    uint64_t source;
    int64_t *level, *parent;
} yardstick;

/*
 * Searches from the yardstick's source the row's way, once under min_secondi (levels
 * and parents bit for bit) and once under any_secondi (levels bit for bit, the tree
 * valid), and adds what differs to the row. A search that fails is a difference too.
 * Where the row has searched for `limit` seconds (0: no limit) it does so no more.
 * The status is about the comparison: SL_NO_MEMORY. Collective.
 */
sl_status parity_compare(parity_row *row, const sl_matrix *A, const yardstick *y, double limit);

/* All that was compared, for the report. */
typedef struct {
    const graph_options *graph;
    const uint64_t *ids;
    uint64_t vertices, entries;
    vertex_list sources; /* indices */
    parity_row *rows;
    size_t nrows;
} parity_report;

bool parity_holds(const parity_report *r);
void parity_print(const parity_report *r);
void parity_print_json(const parity_report *r);

#endif
