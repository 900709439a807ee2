/*
 * A breadth-first search over the grid: Bisson, Bernaschi and Mastrostefano (2014),
 * algorithm 2, with visited bits shared along rows and columns (Ueno and Suzumura 2013,
 * V-F.2) and with pull, whose blocks go along the row in turn (Beamer, Buluc, Asanovic and
 * Patterson, "Distributed Memory Breadth-First Search Revisited", 2013). For dist/.
 *
 * A step: owners' frontiers are expanded along grid columns, and along grid rows, where they
 * are visited now. Push goes along the edges of the frontier, and what it finds is folded
 * along rows to the owners. Pull looks for the parents of what is not visited: a block of
 * targets passes through the ranks of its row one after another, with the bits of what was
 * found, so that each rank leaves alone what one before it has found, and ends at its owner.
 * Either way only vertices travel. Each rank keeps the parents that it found by itself, and
 * owners fetch them when the search is over.
 */
#ifndef SEMLA_DIST_SEARCH_H
#define SEMLA_DIST_SEARCH_H

#include "exchange.h"
#include "local_graph.h"

/* What can be switched off, to see what it is good for: SEMLA_DIST, words with commas. */
typedef enum {
    SL_DIST_NOCODECS = 1,   /* nocodecs: id lists of four bytes each alone */
    SL_DIST_NOVISITED = 2,  /* novisited: visited vertices are not shared */
    SL_DIST_NODEFERRED = 4, /* nodeferred: each vertex travels with its parent at once */
    SL_DIST_NODEVICES = 8,  /* nodevices: by the hosts' processors, although there are devices */
    SL_DIST_CODECS = 16,    /* codecs: between devices of one host, too */
    SL_DIST_NOORDER = 32    /* noorder: places ascend with the vertices */
} sl_dist_switch;

/* The switches that a text names, and the way of exchanging data between devices, if any, else
 * NULL (static). SL_INVALID: a word that is none of these; *bad is where it begins. */
sl_status sl_dist_switches_parse(unsigned *switches, const char **transport, const char *text,
                                 const char **bad);

/* One step, and what this rank received for it. */
typedef struct {
    sl_iteration step;
    sl_traffic traffic;
} sl_search_level;

/* What a search is about; all arrays are of this rank's vertices. */
typedef struct {
    sl_grid *grid;
    sl_local_graph *blocks; /* not by degree where the choice is min or max */
    int threads;
    unsigned switches;
    sl_monoid_code choice;  /* among candidates for a parent: any, min or max */
    sl_direction direction; /* of every step */
    bool bounded;
    uint64_t max_iterations;
    bool has_targets;
    sl_until until;
    const uint64_t *visited;  /* bits: settled at the start */
    const uint64_t *frontier; /* bits: q */
    const uint64_t *targets;  /* bits, or NULL */
    uint64_t *reached;        /* bits: receives what was found, switches what was visited */
    bool parents;             /* whether they are asked for: the same on every rank */
    sl_integers parent;       /* of what was found; NULL where none is asked for, or no vertex */
    sl_integers level;        /* likewise */
    sl_iteration_log *log;    /* or NULL */
    sl_traffic *traffic;      /* or NULL: receives the sum, parents included */
    sl_search_level *levels;  /* or NULL: receives the first `levels_room` steps */
    uint64_t levels_room, level_count;
    bool complete; /* receives whether no rank failed; else there are no parents */
} sl_search_task;

/*
 * Runs it. Collective. A failure on one rank ends the search on all; only that rank returns
 * it, the caller sees to it that the ranks agree. SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_search_run(sl_search_task *task);

#endif
