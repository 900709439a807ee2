/* The state of a search, private to the files search*.c. */
#ifndef SEMLA_DIST_SEARCH_STATE_H
#define SEMLA_DIST_SEARCH_STATE_H

#include "dist/exchange/sum.h"
#include "dist/search/processor_search.h"

#define NO_SOURCE UINT32_MAX
#define NO_COLUMN UINT32_MAX

enum {
    MESSAGE_EDGES = 1 << 11 /* edges that a rank examines in the latency of a message, 10 us */
};

/* Counts that are summed over all ranks after each level. */
typedef enum {
    COUNT_FRONTIER, /* vertices of the new frontier */
    COUNT_EDGES,    /* their edges */
    COUNT_TARGETS,  /* targets among them */
    COUNT_EXAMINED, /* edges examined */
    COUNT_FAILED,   /* ranks that failed */
    COUNTS
} search_count;

/* The frontier of this rank: own vertices, as a list, or as a bitmap if `bits` is not NULL. */
typedef struct {
    uint32_t *list; /* [own] */
    const uint64_t *bits;
    uint64_t *storage; /* memory of the bitmap */
    uint64_t count;
    uint64_t limit; /* the ids are below this, on every rank */
    bool sorted;    /* the list ascends */
} search_frontier_set;

/* This rank is in row i and column j of the grid. */
typedef struct {
    uint32_t rows, cols, i, j;
} search_place;

/* Bitmaps. Arrays [own] are by this rank's new_ids. */
typedef struct {
    uint64_t *task_visited; /* [own] */
    uint64_t *task_targets; /* [own] */
    uint64_t *visited;      /* [targets] */
    uint64_t *pulled;       /* [targets] reached here by a pull, so by no other rank */
    uint64_t *missing;      /* [own] scratch of a pull: missing vertices of one block */
    uint64_t *sources;      /* [sources] the frontier of a pull */
    uint64_t *in_level;     /* [own] reached in this level, if candidates are compared */
} search_bitmaps;

/* Which vertex reached each target, before its owner knows. */
typedef struct {
    uint32_t *
        source; /* [targets] the source that reached it here; before it is sent, its offset in the grid
                         column; NULL without parents */
    uint32_t *column; /* [own] the grid column that reached it, or NO_COLUMN; likewise */
} search_parents;

/*
 * State of a search on one rank. Sources and targets have the ids of local_graph.h; the arrays of the task are by
 * offset. A rank knows the visited targets of its own block (m == j) exactly; of the other blocks of its row it
 * knows the targets that it reached and the targets that were shared.
 */
typedef struct {
    sl_search_task *task;
    sl_local_graph *g;
    sl_grid *grid;
    search_place place;
    bool shares_visited, defers_parents;
    bool compares; /* min or max: candidates are compared */

    search_bitmaps bits;
    search_parents parents;
    uint32_t *push_lists;  /* [targets] for each block the targets reached by a push */
    uint64_t *push_counts; /* [C + 1] the length of each list */
    uint32_t *list;        /* scratch: sources of a push, received ids */
    uint32_t *values;      /* scratch: their values */
    search_frontier_set frontier;

    sl_plan plan;
    sl_progress progress; /* vertices visited on all ranks */
    uint64_t counts[COUNTS];
    uint64_t targets, targets_left; /* targets in the whole graph; not yet visited ones */
    int64_t level;                  /* the current level, from 1 */

    struct {
        sl_exchange expand, share, fold, pass, requests, reports;
    } messages;
    sl_traffic traffic, traffic_before; /* in all levels; in the earlier levels */
    sl_status status;                   /* the first failure of this rank */
} search;

static inline void search_note(search *s, sl_status status)
{
    if (s->status == SL_OK)
        s->status = status;
}

/* The words of one block in a bitmap of targets. */
static inline uint64_t *block_bits(const search *s, uint64_t *bits, uint32_t block)
{
    return bits + block * s->g->words;
}

/* Replaces parent_source of the given targets of block m by offsets that other ranks understand.
 * Call it once for each target, before its parent is sent. */
void search_translate_sources(const search *s, uint32_t m, const sl_ids *ids);

/* The frontier as a set of ids of this rank's block. */
static inline sl_ids search_frontier(const search *s)
{
    return (sl_ids){.limit = s->frontier.limit,
                    .count = s->frontier.count,
                    .list = s->frontier.bits ? NULL : s->frontier.list,
                    .sorted = s->frontier.sorted,
                    .bits = s->frontier.bits};
}

/* Prepares the first level, and frees the state. Collective; failures are summed in COUNT_FAILED.
 */
void search_open(search *s);
void search_close(search *s);

/* Begins to send the frontier along the grid column. */
void search_begin_expand(search *s);

/* One level: computes the new frontier and adds the edges examined to COUNT_EXAMINED. */
void search_push(search *s);
void search_pull(search *s);

/* Writes the parents of all own vertices reached, after fetching the parents that other ranks know. */
void search_fetch_parents(search *s);

#endif
