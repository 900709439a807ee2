/* The data of `semla parity`: searches to compare, a reference search, and the differences. */
#ifndef SEMLA_CLI_PARITY_H
#define SEMLA_CLI_PARITY_H

#include "cli/graph.h"

enum { PARITY_SHOWN = 3 }; /* differences that each row stores; the others are only counted */

/* One difference between a search and the reference. */
typedef struct {
    uint64_t source;
    bool deterministic; /* the semiring: min_secondi, else any_secondi */
    enum { LEVEL_DIFFERS, PARENT_DIFFERS, TREE_INVALID, SEARCH_FAILED } kind;
    uint64_t vertex;       /* LEVEL_DIFFERS, PARENT_DIFFERS */
    int64_t expected, got; /* for the same kinds: the level or the parent */
    char reason[200];      /* TREE_INVALID, SEARCH_FAILED */
} difference;

/* One row of the table: all searches with one engine, form and direction. */
typedef struct {
    const char *engine;
    grid_options grid; /* if given, the engine runs on each rank of this grid */
    bool plain;        /* sl_bfs_plain, else sl_bfs */
    sl_direction direction;
    uint64_t searches; /* alternately with min_secondi and any_secondi */
    double seconds;    /* duration of the searches, without the comparison */
    uint64_t differences;
    bool levels, parents, trees; /* false after a difference of that kind */
    difference first[PARITY_SHOWN];
} parity_row;

/* The queue-based search that all others are compared with. The arrays have one element per vertex.
 */
typedef struct {
    const sl_graph_view *view;
    uint64_t source;
    int64_t *level, *parent;
} reference;

/*
 * Searches from the source of the reference as the row says: once with min_secondi, where levels
 * and parents must equal the reference, and once with any_secondi, where levels must be equal and
 * the tree must be valid. Adds the differences to the row; a search that fails is one, too. Skips
 * the searches if the row has taken `limit` seconds already (0: no limit). Errors: SL_NO_MEMORY.
 * Collective.
 */
sl_status parity_compare(parity_row *row, const sl_matrix *A, const reference *ref, double limit);

/* The whole comparison, for the report. */
typedef struct {
    const graph_options *graph;
    vertex_names names;
    uint64_t vertices, entries;
    vertex_list sources; /* indices */
    parity_row *rows;
    size_t nrows;
} parity_report;

bool parity_agrees(const parity_report *r);
void parity_print(const parity_report *r);
void parity_print_json(const parity_report *r);

#endif
