/* Private to the OpenMP engine: the state of a traversal that settles. */
#ifndef SEMLA_OPENMP_SEARCH_H
#define SEMLA_OPENMP_SEARCH_H

#include <omp.h>
#include <string.h>

#include <semla/engine.h>

#include "prepared.h"

/* A vertex without a parent yet, while several candidates compete for it. */
#define NO_PARENT (-1)

/*
 * Vertices are settled once each, so that one queue serves all levels: the
 * frontier is queue[head .. tail), what a push finds is written behind it. A
 * pull keeps frontier and finds as bits instead. Bit v of a bitmap is bit v % 64
 * of word v / 64.
 */
typedef struct {
    int threads;
    sl_openmp_prepared *kept; /* with the matrix that is searched */
    uint64_t n, words, edges;
    uint64_t places, all_words; /* that of those left out included: see all_places */
    const uint64_t *start;      /* rows: out-edges */
    const uint32_t *index;
    const uint64_t *in_start; /* columns: in-edges; NULL until a pull needs them */
    const uint32_t *in_index;
    bool by_degree;           /* the layout (layout.c) is what is searched */
    const uint32_t *in_first; /* of it: see sl_compact; NULL where that is switched off */
    uint64_t in_longer;
    double alpha, beta, weight;    /* of the choice of directions: see sl_switches */
    uint64_t former, former_edges; /* of the frontier before this one */
    const uint32_t *label;         /* the caller's number of each vertex; NULL: the same */
    const uint32_t *place;         /* its inverse */
    const sl_trees *tree;          /* that are left out, or NULL: none is */
    uint64_t source;               /* where some are, in the caller's numbers */
    sl_monoid_code choice;         /* among the candidates for a parent: any, min or max */

    sl_integers parent; /* by the caller's numbers; none where only the pattern is asked for */
    sl_integers level;  /* likewise, or none */
    /* The same by the kernels' numbers, to be put into the caller's order at the end, when
     * that can be done in passing; or NULL. */
    uint32_t *via, *depth;
    int64_t number; /* of the step under way, from 1 */

    uint64_t *visited;  /* bits */
    uint64_t *frontier; /* bits: valid while `in_bits` */
    uint64_t *found;    /* bits: what a pull finds */
    bool in_bits;       /* the last step was a pull */

    uint32_t *queue;
    uint32_t *from; /* scratch of a push, or NULL: who found what stands there in the queue */
    uint64_t head, tail;
    uint32_t *hubs; /* scratch of a push: vertices whose edges all threads share */

    /* Which of two ways to push alone is faster here, found out on the first levels. */
    struct {
        unsigned levels;
        double seconds[2];
        uint64_t edges[2];
    } trial;

    sl_plan plan; /* of the frontier and of what is missing */
} search;

/* A vector that the search writes, as arrays. */
typedef struct {
    const sl_object *vector; /* or NULL */
    sl_bitmap arrays;
    bool fresh;    /* they are new, */
    sl_csr before; /* and this is what the vector held */
} result;

/* Everything that a search borrows or owns, to be given back in any case. */
typedef struct {
    search s;
    const sl_closure_options *options;
    sl_call *call;
    result pi, level;
    sl_csr targets;    /* their list */
    uint64_t *settled; /* bits: what pi held at the start */
    uint64_t *target_bits;
    uint64_t targets_left;
} run;

/* The words of a bitmap of n vertices; there is room for a bit n, which is never set. */
static inline uint64_t search_words(uint64_t n)
{
    return n / 64 + 1;
}

/* Where the places of trees begin: behind that room. */
static inline uint64_t tree_places(uint64_t n)
{
    return search_words(n) * 64;
}

/* All places of a layout by degree, that of those left out included. */
static inline uint64_t all_places(const sl_compact *layout)
{
    return layout->tree.count ? tree_places(layout->count) + layout->tree.count : layout->count + 1;
}

static inline bool bit_test(const uint64_t *bits, uint64_t v)
{
    return bits[v / 64] >> (v % 64) & 1;
}

static inline void bit_set(uint64_t *bits, uint64_t v)
{
    bits[v / 64] |= (uint64_t)1 << (v % 64);
}

/* The caller's number of a vertex. */
static inline uint64_t label(const search *s, uint64_t v)
{
    return s->label ? s->label[v] : v;
}

/* The kernels' number of the caller's vertex; n where the layout by degree leaves it out, more
 * where it is in a tree. */
static inline uint64_t place(const search *s, uint64_t v)
{
    return s->place ? s->place[v] : v;
}

/* Makes u the parent of v, which nobody else does at the same time. */
static inline void set_parent(const search *s, uint64_t v, uint64_t u)
{
    if (s->via)
        s->via[v] = (uint32_t)label(s, u);
    else if (s->parent.values)
        sl_integers_set(s->parent, label(s, v), (int64_t)label(s, u));
}

static inline void set_level(const search *s, uint64_t v)
{
    if (s->depth)
        s->depth[v] = (uint32_t)s->number;
    else if (s->level.values)
        sl_integers_set(s->level, label(s, v), s->number);
}

static inline uint64_t degree(const search *s, uint64_t v)
{
    return s->start[v + 1] - s->start[v];
}

/* Up to this many edges one thread is faster than waking the others. */
enum { SERIAL_EDGES = 1 << 14 };

/* More edges than this make a vertex a hub. */
enum { HUB_EDGES = 4096 };

/* One step from the queue: settles what it reaches, which becomes the frontier.
 * Fills the step's edges and the plan's frontier and push_edges. */
void sl_openmp_push(search *s, sl_iteration *step);

/* One step from the frontier's bits, over in-edges. The same. */
void sl_openmp_pull(search *s, sl_iteration *step);

/* The same by the layout by degree, for any parent. */
void sl_openmp_pull_by_degree(search *s, sl_iteration *step);

/* The entries of a vector as a list, from sl_malloc; to be freed also after a failure. */
sl_status sl_openmp_list(sl_csr *list, const sl_object *v);
void sl_openmp_list_free(sl_csr *list);

/* Opens pi and level, and fills in the search's parent and level; after a failure both are
 * as they were. Then, in any case: writes what was found, and closes them. */
sl_status sl_openmp_open_results(run *r);
sl_status sl_openmp_close_results(run *r);

/* Room for 32-bit numbers that the matrix keeps from search to search, with pages that all
 * threads have touched. NULL: out of memory. */
uint32_t *sl_openmp_scratch(sl_openmp_prepared *of, uint64_t count, int threads);

/* All steps, as the call's options have it. */
sl_status sl_openmp_steps(run *r);

/*
 * A matrix's rows with 32-bit column indices, half the memory traffic of a
 * traversal, made at first need and kept until the matrix is written. They are
 * renumbered as `order`, the matrix or that whose transpose it is, has it. The
 * entries of a row ascend by the caller's numbers.
 */
sl_status sl_openmp_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A,
                         const sl_compact *order);

/* Whether the search begins as sl_bfs does, from one vertex that is all of q and pi, and ends when
 * nothing is left: it can do without trees. */
sl_status sl_openmp_begins_at_one(bool *one, const sl_traversal *t, const sl_csr *q);

/* Where trees are left out: the search is one from the root of the source's tree, if that is in
 * one; its place comes back, and steps count from there on. */
uint64_t sl_openmp_begin_in_tree(search *s, uint64_t source);

/* And in the end: what is found of all that are in trees. */
void sl_openmp_end_in_trees(search *s);

/* True for graphs of short rows: without hubs, their levels are many and narrow. */
bool sl_openmp_is_narrow(const sl_csr *rows);

/*
 * Numbers the vertices of a narrow graph so that neighbours are near: blobs of
 * connected vertices, grown breadth first, one beside another. Its searches go
 * through thousands of levels, each of which touches the rows of vertices from
 * everywhere; numbered so, these lie on few pages. Leaves label and place NULL
 * where the graph is not such, or small.
 */
sl_status sl_openmp_order(sl_compact *order, sl_context *ctx, const sl_csr *rows);

/* Trees on their way out of a symmetric matrix. Arrays are from sl_malloc. */
typedef struct {
    const sl_csr *rows;
    uint32_t *left;  /* entries that each row has left; 0 of who is taken out */
    uint32_t *up;    /* who is taken out hangs from this vertex; PRUNE_NOT: is not */
    uint32_t *queue; /* all that came to have one neighbour, each once */
    uint64_t tail;
} pruning;

/* Takes the trees that hang from the 2-core out. To be freed also after a failure. */
sl_status sl_openmp_prune(pruning *p, sl_context *ctx, const sl_csr *rows);
void sl_openmp_prune_free(pruning *p);

/* Then, when all others have their places: those of trees, and what describes them. */
sl_status sl_openmp_place_trees(sl_compact *made, sl_context *ctx, const pruning *p);

/* Fills in label, place and count of the layout by degree (layout.c): of a matrix and
 * its transpose, which may be the same. `left`: of what pruning left, or NULL. After a failure
 * `order` is to be freed. */
sl_status sl_openmp_order_by_degree(sl_compact *order, sl_context *ctx, const sl_csr *rows,
                                    const sl_csr *in_rows, const uint32_t *left);

/* And the rows of either, with the arrays that describe them. After a failure `made` is to be
 * freed. */
sl_status sl_openmp_rows_by_degree(sl_compact *made, sl_context *ctx, const sl_csr *rows,
                                   const sl_compact *order, const uint32_t *left);

/* The engine's operations. */
sl_status sl_openmp_optimize(sl_call *call);
sl_status sl_openmp_closure(sl_call *call);

#endif
