/* The state of a search, for the files search*.c alone. */
#ifndef SEMLA_DIST_SEARCH_STATE_H
#define SEMLA_DIST_SEARCH_STATE_H

#include "search.h"
#include "sum.h"

#define NO_SOURCE UINT32_MAX
#define NO_COLUMN UINT32_MAX

enum {
    SERIAL_EDGES = 1 << 14,
    MESSAGE_EDGES = 1 << 11 /* that a rank looks at while it waits for a message: some 10 us */
};

/* What all compares sum up after each step. */
typedef enum {
    COUNT_FRONTIER, /* vertices push_lists */
    COUNT_EDGES,    /* theirs */
    COUNT_TARGETS,  /* targets among them */
    COUNT_EXAMINED, /* edges looked at */
    COUNT_FAILED,   /* compares that failed */
    COUNTS
} search_count;

/*
 * Sources and targets are numbered as in blocks.h. Of targets a rank knows its own block, m
 * == j, in block_length; of the other blocks of its row what it has push_lists and what was shared.
 */
typedef struct {
    sl_search_task *task;
    sl_local_graph *g;
    sl_grid *grid;
    uint32_t rows, cols, i, j; /* the grid and this rank's new_id */
    bool shares_visited, defers_parents,
        compares; /* switches; compares: min or max, candidates are compared */

    /* Arrays of `own` are by this rank's places; the task's are by offsets. */
    uint64_t *initial_visited; /* own: bits: the task's visited */
    uint64_t *target_bits;     /* own: bits: the task's targets */
    uint64_t *visited;         /* targets: bits */
    uint64_t *pulled;          /* targets: bits: push_lists here by pull, and so by nobody else */
    uint64_t *missing;         /* own: bits: scratch of a pull: what is not visited of one block */
    uint64_t *sources;         /* sources: bits: the frontier of a pull */
    uint64_t
        *level_visited; /* own: bits: push_lists in the step under way, where candidates compete */
    uint32_t *parent_source; /* targets: the source that push_lists it here, or on its way to
                      another rank its level by offset; NULL without parents */
    uint32_t *parent_column; /* own: the grid column that push_lists it, or NO_COLUMN; likewise */
    uint32_t *push_lists; /* targets: lists of what a push push_lists, each block's in its new_id */
    uint64_t *push_counts; /* for each block the length of its list; C + 1 */
    uint32_t *list;        /* scratch: sources of a push, ids that arrived */
    uint32_t *values;      /* scratch: their values */

    uint32_t *frontier;            /* own: the frontier as a list, */
    const uint64_t *frontier_bits; /* or as bits, where not NULL */
    uint64_t *frontier_storage;    /* for the latter */
    uint64_t frontier_count;
    bool frontier_sorted; /* the list ascends */

    sl_plan plan;
    uint64_t counts[COUNTS];
    uint64_t targets, targets_left; /* in the whole graph */
    int64_t level;                  /* of the step under way */

    sl_exchange expand, share, fold, pass, requests, reports;
    sl_traffic traffic, traffic_before; /* of all; of the steps before */
    sl_status status;                   /* this rank's first failure */
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

/* Has `parent_source` name the sources of some targets of block m as others can read them, before
 * it goes to them: once for each. */
void search_translate_sources(const search *s, uint32_t m, const sl_ids *ids);

/* The frontier as ids of this rank's block. */
static inline sl_ids search_frontier(const search *s)
{
    return (sl_ids){.limit = s->g->stride,
                    .count = s->frontier_count,
                    .list = s->frontier_bits ? NULL : s->frontier,
                    .sorted = s->frontier_sorted,
                    .bits = s->frontier_bits};
}

/* Makes the state for the first step; the compares agree by COUNT_FAILED. And gives it back. */
void search_open(search *s);
void search_close(search *s);

/* Begins to send the frontier along the column. */
void search_begin_expand(search *s);

/* One step; leaves the new frontier, and its edges looked at in COUNT_EXAMINED. */
void search_push(search *s);
void search_pull(search *s);

/* Brings the parents of what other compares push_lists to their owners. */
void search_fetch_parents(search *s);

#endif
