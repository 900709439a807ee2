/* Private to the OpenMP engine: the state of a traversal that settles. */
#ifndef SEMLA_OPENMP_SEARCH_H
#define SEMLA_OPENMP_SEARCH_H

#include <semla/engine.h>

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
    uint64_t n, words, edges;
    const uint64_t *start; /* rows: out-edges */
    const uint32_t *index;
    const uint64_t *in_start; /* columns: in-edges; NULL until a pull needs them */
    const uint32_t *in_index;
    const uint32_t *label; /* the caller's number of each vertex; NULL: the same */
    sl_monoid_code choice; /* among the candidates for a parent: any, min or max */

    int64_t *parent; /* n, by the caller's numbers; NULL where only the pattern is asked for */
    uint32_t *via;   /* n, by the kernels' numbers: parents that are translated at the end,
                        when that can be done in passing; or NULL */
    int64_t *level;  /* n, by the caller's, or NULL */
    int64_t number;  /* of the step under way, from 1 */

    uint64_t *visited;  /* bits */
    uint64_t *frontier; /* bits: valid while `in_bits` */
    uint64_t *found;    /* bits: what a pull finds */
    bool in_bits;

    uint32_t *queue;
    uint32_t *from; /* scratch of a push: who found what stands at that place of the queue */
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

/* Makes u the parent of v, which nobody else does at the same time. */
static inline void set_parent(const search *s, uint64_t v, uint64_t u)
{
    if (s->via)
        s->via[v] = (uint32_t)u;
    else if (s->parent)
        s->parent[label(s, v)] = (int64_t)label(s, u);
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
void sl_openmp_push(search *s, sl_step *step);

/* One step from the frontier's bits, over in-edges. The same. */
void sl_openmp_pull(search *s, sl_step *step);

/*
 * A matrix's rows with 32-bit column indices, half the memory traffic of a
 * traversal, made at first need and kept until the matrix is written. They are
 * renumbered as `order`, the matrix or that whose transpose it is, has it. The
 * entries of a row ascend by the caller's numbers.
 */
sl_status sl_openmp_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A,
                         const sl_compact *order);

/*
 * Numbers the vertices of a graph without hubs so that neighbours are near:
 * blobs of connected vertices, grown breadth first, one beside another. Its
 * searches go through thousands of narrow levels, each of which touches the rows
 * of vertices from everywhere; numbered so, these lie on few pages. Leaves
 * label and place NULL where the graph is not such, or small.
 */
sl_status sl_openmp_order(sl_compact *order, sl_context *ctx, const sl_csr *rows);

/* The engine's operations. */
sl_status sl_openmp_optimize(sl_call *call);
sl_status sl_openmp_closure(sl_call *call);

#endif
