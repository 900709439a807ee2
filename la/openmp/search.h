/* The state of a search, and the kernels of its levels. Private to the OpenMP engine. */
#ifndef SEMLA_OPENMP_SEARCH_H
#define SEMLA_OPENMP_SEARCH_H

#include <omp.h>
#include <string.h>

#include "openmp/prepared_graph.h"

/* Vertices with more edges are hubs. */
enum { HUB_EDGES = 4096 };

/* The parent of a vertex while candidates for it are compared and there is none yet. */
#define NO_PARENT (-1)

/* The time that some levels took. */
typedef struct {
    unsigned levels;
    uint64_t work; /* vertices and edges looked at */
    double seconds;
} level_times;

/* Compares small levels on one thread with small levels on all threads (push_levels.c). */
typedef struct {
    level_times alone;  /* since threads last shared levels */
    level_times shared; /* since the last comparison */
    unsigned needed;    /* levels alone before threads share levels; 0: the usual number */
    unsigned stretch;   /* levels shared since then */
} search_pace;

/* The graph that a search reads. */
typedef struct {
    uint64_t n, edges;
    uint64_t words;               /* words of a bitmap of n vertices */
    uint64_t id_count, all_words; /* with vertices left out and in trees: see all_ids */
    const uint64_t *start;        /* rows: out-edges */
    const uint32_t *index;
    const uint64_t *in_start; /* columns: in-edges; NULL until a pull needs them */
    const uint32_t *in_index;
    bool degree_order;      /* the graph is in degree order */
    const uint32_t *in_ell; /* the first in-neighbours; NULL if they are switched off */
    uint64_t in_ell_only;   /* vertices from this one on have at most one in-neighbour */
    const uint32_t *old_id; /* NULL: the graph is not reordered */
    const uint32_t *new_id; /* NULL: the graph is not reordered */
} search_graph;

/* The constants of the choice of directions: see sl_switches. */
typedef struct {
    double alpha, beta, weight;
} search_direction_model;

/* What a search writes. */
typedef struct {
    sl_monoid_code choice; /* among candidates for a parent: any, min or max */
    sl_integers parent;    /* by old id; NULL if no parents are requested */
    sl_integers level;     /* by old id, or NULL */
    uint32_t *
        new_parent; /* [id_count] parents (old ids) by new id, converted to the caller's order at the end; or NULL */
    uint32_t *new_level; /* [id_count] levels by new id; or NULL */
} search_output;

/*
 * A search. A vertex enters the queue once, so one queue serves all levels: the frontier is
 * queue[head .. tail), and a push appends the next frontier. A pull has frontiers as bitmaps, in
 * which vertex v is bit v % 64 of word v / 64. Ids are ids of the searched graph.
 */
typedef struct {
    int threads;                  /* threads of levels that are divided among threads */
    sl_openmp_prepared *prepared; /* of the matrix */
    search_graph graph;
    search_output out;
    double pull_work; /* edges and vertices that the next pull is expected to examine */
    search_direction_model model;
    uint64_t prev_frontier;       /* vertices of the previous frontier */
    uint64_t prev_edges;          /* edges of the previous frontier */
    const sl_openmp_trees *trees; /* pruned trees, or NULL */
    uint64_t source;              /* the old id of the source, if there are trees */
    int64_t level_number;         /* the current level, from 1 */
    bool only_level;              /* no level follows, so a push leaves out the sizes of the next */
    uint64_t *visited;            /* bitmap */
    uint64_t *frontier;           /* bitmap, valid if `in_bits` */
    uint64_t *next_frontier;      /* bitmap, written by a pull */
    bool in_bits;                 /* the frontier is a bitmap, as after a pull */
    uint32_t *queue;
    uint32_t *queue_parent; /* scratch of a push: the parent of each vertex queued; or NULL */
    uint64_t head, tail;
    uint32_t *hubs; /* scratch of a push: hubs of the frontier */

    /* Comparison of two forms of a push on one thread (push.c), on the first large levels. */
    struct {
        unsigned levels;
        double seconds[2];
        uint64_t edges[2];
    } trial;

    search_pace pace; /* of levels that threads might share */

    sl_plan plan; /* counts of the frontier and of unvisited vertices */
} search;

/* A vector that the search writes, as arrays. */
typedef struct {
    const sl_object *vector; /* or NULL */
    sl_bitmap arrays;        /* the vector's own, or new ones if `replaced` */
    bool replaced;           /* the arrays replace the vector's, */
    sl_csr old_entries;      /* which had these entries */
} result;

/* The operands of a search; everything is closed or freed even if it fails. */
typedef struct {
    search s;
    const sl_closure_options *options;
    sl_call *call;
    result pi, level;
    sl_csr targets;            /* list of the targets */
    uint64_t *initial_visited; /* bitmap: entries of pi at the start */
    uint64_t *target_bits;     /* bitmap */
    uint64_t targets_left;     /* targets that are not visited */
    sl_progress *progress;     /* vertices visited */
} run;

static inline bool bit_test(const uint64_t *bits, uint64_t v)
{
    return bits[v / 64] >> (v % 64) & 1;
}

static inline void bit_set(uint64_t *bits, uint64_t v)
{
    bits[v / 64] |= (uint64_t)1 << (v % 64);
}

static inline uint64_t old_id(const search *s, uint64_t v)
{
    return s->graph.old_id ? s->graph.old_id[v] : v;
}

/* The new id of a vertex: n if the graph leaves it out, more if it is in a pruned tree. */
static inline uint64_t new_id(const search *s, uint64_t v)
{
    return s->graph.new_id ? s->graph.new_id[v] : v;
}

/* Makes u the parent of v. Only one thread writes the parent of v. */
static inline void set_parent(const search *s, uint64_t v, uint64_t u)
{
    if (s->out.new_parent)
        s->out.new_parent[v] = (uint32_t)old_id(s, u);
    else if (s->out.parent.values)
        sl_integers_set(s->out.parent, old_id(s, v), (int64_t)old_id(s, u));
}

static inline void set_level(const search *s, uint64_t v)
{
    if (s->out.new_level)
        s->out.new_level[v] = (uint32_t)s->level_number;
    else if (s->out.level.values)
        sl_integers_set(s->out.level, old_id(s, v), s->level_number);
}

static inline uint64_t degree(const search *s, uint64_t v)
{
    return s->graph.start[v + 1] - s->graph.start[v];
}

/*
 * One level. Push reads the frontier from the queue, pull from its bitmap. They write the next
 * frontier, parents and levels, the edges examined (step->edges), and plan.frontier and
 * plan.push_edges of the next frontier.
 */
void sl_openmp_push(search *s, sl_iteration *step);
void sl_openmp_pull(search *s, sl_iteration *step);
/* Pull on a graph in degree order, for any parent. */
void sl_openmp_pull_degree_order(search *s, sl_iteration *step);

/* One level in a direction, by one of them. The bitmaps of frontiers and, for a pull, the in-edges exist. */
void sl_openmp_level(search *s, sl_direction direction, sl_iteration *step);
/* Makes the frontier a bitmap, in s->frontier. */
void sl_openmp_frontier_to_bits(search *s);

/* All levels, until the options end the search. */
sl_status sl_openmp_levels(run *r);
/* Makes the graph in degree order the one that is searched. order: has the ids; out, in: the rows by which a
 * level pushes and pulls. */
void sl_openmp_use_degree_order(search *s, const sl_openmp_graph *order, const sl_openmp_graph *out,
                                const sl_openmp_graph *in, unsigned off);
/* The number of threads, the same for all levels that are divided: OpenMP ends and starts threads when it
 * changes. */
int sl_openmp_search_threads(const sl_context *ctx, const search *s);
/* What a direction is chosen from. */
sl_level_counts sl_openmp_level_counts(const search *s);
/* Whether a pull costs less than a push, by the cost model of the graph's order. */
bool sl_openmp_pulls(const search *s, const sl_level_counts *counts);
/* The direction of the next level. */
sl_direction sl_openmp_direction(const run *r, const search *s);
/* Counts the vertices reached by a level, the next frontier, as visited. */
void sl_openmp_count_visited(search *s);
/* True if the options end the search before this level. */
bool sl_openmp_is_bounded(const run *r, int64_t level);

/* push_levels.c: consecutive small levels in one parallel region. */

/* True if the next level, a push, is large enough to be shared by threads that run already. */
bool sl_openmp_may_share_level(const search *s);
/* True if threads should share the next levels: it may be faster than one thread. */
bool sl_openmp_shares_levels(const run *r);
/* Runs levels until one is not to be shared. At least one. */
sl_status sl_openmp_push_levels(run *r);

/* What a push of the next level looks at: vertices and edges. */
static inline uint64_t level_work(const search *s)
{
    return s->plan.push_edges + s->plan.frontier;
}

/* The entries of a vector as a list, from sl_malloc. Free it also after a failure. */
sl_status sl_openmp_list(sl_csr *list, const sl_object *v);
void sl_openmp_list_free(sl_csr *list);

/* Opens the arrays of pi and level; after a failure the vectors are unchanged. */
sl_status sl_openmp_open_results(run *r);
/* Writes the vertices reached and closes the arrays; call it even if the search failed. */
sl_status sl_openmp_close_results(run *r);

/* Pruned trees: begins the search at the root of the source's tree, returns the root's new id. */
uint64_t sl_openmp_trees_begin(search *s, uint64_t source);
/* Derives parents and levels of all vertices in trees from their roots. */
void sl_openmp_trees_end(search *s);

/* Operations of the engine. */
sl_status sl_openmp_optimize(sl_call *call);
sl_status sl_openmp_components(sl_call *call); /* components.c */
sl_status sl_openmp_closure(sl_call *call);

#endif
