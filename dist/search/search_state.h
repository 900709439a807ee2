/* The state of a search, for the files search*.c alone. */
#ifndef SEMLA_DIST_SEARCH_STATE_H
#define SEMLA_DIST_SEARCH_STATE_H

#include "search.h"
#include "sum.h"

#define NO_SOURCE UINT32_MAX
#define NO_FINDER UINT32_MAX

enum {
    SERIAL_EDGES = 1 << 14,
    TURN_EDGES = 1 << 11 /* that a rank looks at while it waits for a message: some 10 us */
};

/* What all ranks sum up after each step. */
typedef enum {
    COUNT_FRONTIER, /* vertices found */
    COUNT_EDGES,    /* theirs */
    COUNT_TARGETS,  /* targets among them */
    COUNT_SEEN,     /* edges looked at */
    COUNT_FAILED,   /* ranks that failed */
    COUNTS
} search_count;

/*
 * Sources and targets are numbered as in blocks.h. Of targets a rank knows its own block, m
 * == j, in full; of the other blocks of its row what it has found and what was shared.
 */
typedef struct {
    sl_search_task *task;
    sl_blocks *g;
    sl_grid *grid;
    uint32_t rows, cols, i, j;  /* the grid and this rank's place */
    bool shares, defers, ranks; /* switches; ranks: min or max, candidates are compared */

    /* Arrays of `own` are by this rank's places; the task's are by offsets. */
    uint64_t *settled;  /* own: bits: the task's visited */
    uint64_t *wanted;   /* own: bits: the task's targets */
    uint64_t *visited;  /* targets: bits */
    uint64_t *claims;   /* targets: bits: found here by pull, and so by nobody else */
    uint64_t *missing;  /* own: bits: scratch of a pull: what is not visited of one block */
    uint64_t *sources;  /* sources: bits: the frontier of a pull */
    uint64_t *fresh;    /* own: bits: found in the step under way, where candidates compete */
    uint32_t *via;      /* targets: the source that found it here, or on its way to another
                           rank its number by offset; NULL without parents */
    uint32_t *finder;   /* own: the grid column that found it, or NO_FINDER; likewise */
    uint32_t *found;    /* targets: lists of what a push found, each block's in its place */
    uint64_t *found_in; /* for each block the length of its list; C + 1 */
    uint32_t *list;     /* scratch: sources of a push, ids that arrived */
    uint32_t *values;   /* scratch: their values */

    uint32_t *front;            /* own: the frontier as a list, */
    const uint64_t *front_bits; /* or as bits, where not NULL */
    uint64_t *front_room;       /* for the latter */
    uint64_t front_count;
    bool front_sorted; /* the list ascends */

    sl_plan plan;
    uint64_t counts[COUNTS];
    uint64_t targets, targets_left; /* in the whole graph */
    int64_t number;                 /* of the step under way */

    sl_exchange expand, share, fold, pass, asked, told;
    sl_traffic traffic, so_far; /* of all; of the steps before */
    sl_status status;           /* this rank's first failure */
} search;

static inline void search_note(search *s, sl_status status)
{
    if (s->status == SL_OK)
        s->status = status;
}

/* A block's part of an array of bits over targets. */
static inline uint64_t *block_bits(const search *s, uint64_t *bits, uint32_t block)
{
    return bits + block * s->g->words;
}

/* Has `via` name the sources of some targets of block m as others can read them, before it
 * goes to them: once for each. */
void search_name_sources(const search *s, uint32_t m, const sl_ids *ids);

/* The frontier as ids of this rank's block. */
static inline sl_ids search_front(const search *s)
{
    return (sl_ids){.limit = s->g->stride,
                    .count = s->front_count,
                    .list = s->front_bits ? NULL : s->front,
                    .sorted = s->front_sorted,
                    .bits = s->front_bits};
}

/* Makes the state for the first step; the ranks agree by COUNT_FAILED. And gives it back. */
void search_open(search *s);
void search_close(search *s);

/* Begins to send the frontier along the column. */
void search_begin_expand(search *s);

/* One step; leaves the new frontier, and its edges looked at in COUNT_SEEN. */
void search_push(search *s);
void search_pull(search *s);

/* Brings the parents of what other ranks found to their owners. */
void search_fetch_parents(search *s);

#endif
