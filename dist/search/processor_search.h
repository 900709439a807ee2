/*
 * Distributed breadth-first search, direction-optimising, on the processors of the ranks.
 *
 * Sources: Bisson, Bernaschi and Mastrostefano (2014), algorithm 2; visited bitmaps are shared
 * along rows and columns (Ueno and Suzumura 2013, section V-F.2); pull by Beamer, Buluc, Asanovic
 * and Patterson, "Distributed Memory Breadth-First Search Revisited" (2013).
 *
 * A level. The owners' frontiers are expanded along grid columns, and shared along grid rows as
 * newly visited vertices. A push follows the edges of the frontier and folds the vertices reached
 * along grid rows to their owners. A pull searches the in-edges of missing vertices: each block of
 * targets passes through the ranks of its row, one after another, with a bitmap of the vertices
 * that are still missing, and ends at its owner.
 *
 * Only vertices are sent. Each rank keeps the parents that it found; the owners fetch them when the
 * search has ended.
 */
#ifndef SEMLA_DIST_SEARCH_H
#define SEMLA_DIST_SEARCH_H

#include "dist/exchange/exchange.h"
#include "dist/search/local_graph.h"

/* One level, and the traffic that this rank received for it. */
typedef struct {
    sl_iteration iteration;
    sl_traffic traffic;
} sl_search_level;

/* A search: its operands, options and results. All arrays are of this rank's own vertices. */
typedef struct {
    sl_grid *grid;
    sl_local_graph *graph; /* with ascending ids if the choice is min or max */
    int threads;
    unsigned switches;
    sl_monoid_code choice;  /* among candidates for a parent: any, min or max */
    sl_direction direction; /* of every level, or SL_AUTO */
    bool bounded;
    uint64_t max_iterations;
    bool has_targets;
    sl_until until;
    const uint64_t *visited;  /* bitmap: vertices visited at the start */
    const uint64_t *frontier; /* bitmap: the first frontier */
    const uint64_t *targets;  /* bitmap, or NULL */
    uint64_t *reached;  /* out, bitmap: vertices reached, without vertices visited at the start */
    bool parents;       /* whether parents are computed; the same on every rank */
    sl_integers parent; /* out: of vertices reached; NULL without parents or own vertices */
    sl_integers level;  /* out: their levels, or NULL */
    sl_iteration_log *log;   /* out, or NULL */
    sl_traffic *traffic;     /* the traffic is added to it; or NULL */
    sl_search_level *levels; /* out: the first `levels_room` levels; or NULL */
    uint64_t levels_room, level_count;
    bool complete; /* out: no rank failed; else there are no parents */
} sl_search_task;

/*
 * Runs a search. A failure on a rank ends the search on all ranks, but only that rank returns the
 * error; the caller lets the ranks agree. Collective. SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_search_run(sl_search_task *task);

#endif
