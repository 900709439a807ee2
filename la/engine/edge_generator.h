/*
 * Generators of random graphs. Edge k is a function of k and the seed alone, so that hosts, devices
 * and processes can generate any part of the edges independently and get the same graph. Compiled
 * by the C compiler (la/io) and by CUDA (la/cuda).
 */
#ifndef SEMLA_EDGE_GENERATOR_H
#define SEMLA_EDGE_GENERATOR_H

#include <math.h>

#include <semla/la.h>
#include <semla/random.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A bijection on [0, 2^bits) that depends on a key. Each round adds and multiplies by an odd number
 * modulo 2^bits, which propagates low bits upwards, and xors the upper half to the lower one, which
 * propagates high bits downwards. Each step is invertible.
 */
enum { SL_SCRAMBLE_ROUNDS = 3 };
typedef struct {
    unsigned fold;
    uint64_t mask;
    uint64_t add[SL_SCRAMBLE_ROUNDS];
    uint64_t multiply[SL_SCRAMBLE_ROUNDS];
} sl_scramble;

static inline sl_scramble sl_scramble_make(uint64_t key, unsigned bits)
{
    sl_scramble s;
    s.fold = (bits + 1) / 2;
    s.mask = (UINT64_C(1) << bits) - 1;
    for (unsigned i = 0; i < SL_SCRAMBLE_ROUNDS; i++) {
        s.add[i] = sl_random(key, 2 * i);
        s.multiply[i] = sl_random(key, 2 * i + 1) | 1;
    }
    return s;
}

SL_HOST_DEVICE static inline uint64_t sl_scrambled(const sl_scramble *s, uint64_t x)
{
    for (unsigned i = 0; i < SL_SCRAMBLE_ROUNDS; i++) {
        x = ((x + s->add[i]) * s->multiply[i]) & s->mask;
        x ^= x >> s->fold;
    }
    return x;
}

/* ---- weights -------------------------------------------------------------------------- */

/* Random weights: weight number k is a function of k and the key. */
typedef struct {
    bool integers;
    uint64_t key;       /* key of the random stream */
    double least, span; /* reals: from `least` on, in a range of this length */
    int64_t first;      /* integers: the least, not below -2^53 */
    uint64_t count;     /* integers: how many are possible, at most 2^54 + 1 */
} sl_edge_weights;

/* The type of the weights. */
static inline sl_type sl_edge_weights_type(const sl_edge_weights *w)
{
    return w->integers ? SL_INT64 : SL_FP64;
}

/* Real weight number k: the 24 high bits of a random number as a fraction in [0, 1), which fp32
 * holds exactly, of the range. fma rounds once, so that hosts and devices get the same bits. */
SL_HOST_DEVICE static inline double sl_edge_real_weight(const sl_edge_weights *w, uint64_t k)
{
    return fma((double)(sl_random(w->key, k) >> 40) * 0x1p-24, w->span, w->least);
}

/* Integer weight number k. */
SL_HOST_DEVICE static inline int64_t sl_edge_integer_weight(const sl_edge_weights *w, uint64_t k)
{
    return w->first + (int64_t)sl_random_below(sl_random(w->key, k), w->count);
}

/* ---- edges --------------------------------------------------------------------------- */

typedef enum { SL_EDGES_KRONECKER, SL_EDGES_UNIFORM } sl_edge_model;

/* Parameters of a random graph: everything that its edges depend on. */
typedef struct sl_edge_generator {
    sl_edge_model model;
    uint64_t vertices, count; /* number of vertices; number of edges, which are numbered from 0 */
    uint64_t key;             /* key of the random stream */
    unsigned scale;           /* KRONECKER: 2^scale vertices */
    sl_scramble labels;       /* KRONECKER: bijection that scrambles the vertex labels */
    bool mirrored;            /* an edge also represents the entry (col, row) */
    bool no_loops;            /* an edge with row == col represents no entry */
    uint32_t last[3];         /* KRONECKER: see sl_kronecker_descend */
    bool weighted;            /* edges have weights; an entry has the least weight of its edges */
    sl_edge_weights weights;  /* edge number k has weight number k */
} sl_edge_generator;

/* The last random number of quadrant A, of B or of C: a probability, cumulated, of 2^32. It is above
 * 2^-33, so that at least one number belongs to the quadrant. */
static inline uint32_t sl_kronecker_last(double cumulated)
{
    const double numbers = floor(cumulated * 0x1p32 + 0.5);
    return numbers >= 0x1p32 ? UINT32_MAX : (uint32_t)numbers - 1;
}

/*
 * Descends one level: the quadrant that `random` selects appends a bit to row and col. The random
 * numbers of the quadrants A, B and C end at last[0], last[1] and last[2]; the rest belong to D.
 */
SL_HOST_DEVICE static inline void sl_kronecker_descend(uint64_t *row, uint64_t *col,
                                                       const uint32_t *last, uint32_t random)
{
    uint64_t beyond_a = random > last[0];
    uint64_t beyond_b = random > last[1];
    uint64_t beyond_c = random > last[2];
    *row = *row << 1 | beyond_b;
    *col = *col << 1 | (beyond_a ^ beyond_b ^ beyond_c);
}

/*
 * The generator of the Graph500 specification (section "Generating the edge list"): each edge
 * descends `scale` times into one of the four quadrants of the adjacency matrix. A level uses 32
 * bits of a random number. The specification permutes the edges afterwards; this is not necessary
 * here, because the edges are independent of each other.
 */
SL_HOST_DEVICE static inline void sl_kronecker_edge(const sl_edge_generator *s, uint64_t k,
                                                    uint64_t *row, uint64_t *col)
{
    uint64_t position = k * ((s->scale + 1) / 2);
    *row = *col = 0;
    for (unsigned level = 1; level < s->scale; level += 2) {
        uint64_t random = sl_random(s->key, position++);
        sl_kronecker_descend(row, col, s->last, (uint32_t)random);
        sl_kronecker_descend(row, col, s->last, (uint32_t)(random >> 32));
    }
    if (s->scale % 2 == 1)
        sl_kronecker_descend(row, col, s->last, (uint32_t)sl_random(s->key, position));
    *row = sl_scrambled(&s->labels, *row);
    *col = sl_scrambled(&s->labels, *col);
}

/* Both endpoints are uniform. */
SL_HOST_DEVICE static inline void sl_uniform_edge(const sl_edge_generator *s, uint64_t k,
                                                  uint64_t *row, uint64_t *col)
{
    *row = sl_random_below(sl_random(s->key, 2 * k), s->vertices);
    *col = sl_random_below(sl_random(s->key, 2 * k + 1), s->vertices);
}

/* Edge number k. */
SL_HOST_DEVICE static inline void sl_generate_edge(const sl_edge_generator *s, uint64_t k,
                                                   uint64_t *row, uint64_t *col)
{
    if (s->model == SL_EDGES_KRONECKER)
        sl_kronecker_edge(s, k, row, col);
    else
        sl_uniform_edge(s, k, row, col);
}

/* ---- generation by an engine (edge_generator.c) --------------------------------------- */

/* True if an engine of the context can generate the edges. */
bool sl_edge_generator_supported(sl_context *ctx, const sl_edge_generator *generator);

/* A new matrix with one entry for every entry that the edges represent: a pattern, or
 * fp64 or int64 if the edges have weights. */
sl_status sl_edge_generator_matrix(sl_matrix **A, sl_context *ctx,
                                   const sl_edge_generator *generator);

/*
 * Counts the endpoints at each vertex: *degrees (int64; an edge with row == col counts twice) and
 * *non_isolated (bool, true if an edge joins the vertex to another one); no entry elsewhere. Both
 * are new vectors, NULL on failure.
 */
sl_status sl_edge_generator_degrees(sl_vector **degrees, sl_vector **non_isolated, sl_context *ctx,
                                    const sl_edge_generator *generator);

/*
 * Validates the parents (int64 or int32) of a breadth-first search from `root` against the edges,
 * which are undirected; see sl_generator_check_tree.
 */
sl_status sl_edge_generator_check_tree(sl_tree_check *check, const sl_vector *parent,
                                       const sl_edge_generator *generator, uint64_t root);

#ifdef __cplusplus
}
#endif
#endif
