/*
 * Models of graphs whose tuples are functions of their number: whoever makes tuple k makes
 * the same one, on the host (la/io/) or on a device (an engine), alone or with others.
 * CUDA compiles this file too.
 */
#ifndef SEMLA_TUPLES_H
#define SEMLA_TUPLES_H

#include <semla/la.h>

#ifdef __CUDACC__
#define SL_ANYWHERE __host__ __device__
#else
#define SL_ANYWHERE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Draw number `position` of the stream `key`: the generator splitmix64 entered
 * anywhere (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). A draw depends on nothing but its number.
 */
SL_ANYWHERE static inline uint64_t sl_draw(uint64_t key, uint64_t position)
{
    uint64_t z = key + (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The key of one of the streams of a seed. */
static inline uint64_t sl_stream(uint64_t seed, uint64_t number)
{
    return sl_draw(sl_draw(seed, 0), number);
}

/* A draw as a number below n, by its high bits (Lemire, TOMACS 29(1), 2019,
 * without the rejection: the bias is below n / 2^64). */
SL_ANYWHERE static inline uint64_t sl_below(uint64_t random, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)random * n) >> 64);
}

/*
 * A bijection on [0, 2^bits) that depends on a key. Each round adds and
 * multiplies by an odd number modulo 2^bits, which carries low bits upwards, and
 * folds the upper half onto the lower, which carries high bits down. Each of
 * these steps can be undone, hence so can all of them.
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
        s.add[i] = sl_draw(key, 2 * i);
        s.multiply[i] = sl_draw(key, 2 * i + 1) | 1;
    }
    return s;
}

SL_ANYWHERE static inline uint64_t sl_scrambled(const sl_scramble *s, uint64_t x)
{
    for (unsigned i = 0; i < SL_SCRAMBLE_ROUNDS; i++) {
        x = ((x + s->add[i]) * s->multiply[i]) & s->mask;
        x ^= x >> s->fold;
    }
    return x;
}

/* ---- tuples ------------------------------------------------------------------------- */

typedef enum { SL_TUPLES_KRONECKER, SL_TUPLES_UNIFORM } sl_tuple_model;

/* All that the tuples of a model depend on, and what graph they stand for. */
typedef struct sl_tuple_source {
    sl_tuple_model model;
    uint64_t vertices, count; /* of tuples: number 0 to count - 1 */
    uint64_t key;             /* of the draws */
    unsigned scale;           /* KRONECKER: 2^scale vertices, whose labels are */
    sl_scramble labels;       /* scrambled */
    bool mirrored;            /* a tuple also stands for the entry (col, row) */
    bool no_loops;            /* one with row == col for none */
} sl_tuple_source;

/* One level down: the quadrant that `random` falls into adds a bit to each end. A, B and C
 * end at 0.57, 0.76 and 0.95 of 2^32. */
SL_ANYWHERE static inline void sl_descend(uint64_t *row, uint64_t *col, uint32_t random)
{
    uint64_t beyond_a = random >= (uint32_t)(0.57 * 4294967296.0 + 0.5);
    uint64_t beyond_b = random >= (uint32_t)(0.76 * 4294967296.0 + 0.5);
    uint64_t beyond_c = random >= (uint32_t)(0.95 * 4294967296.0 + 0.5);
    *row = *row << 1 | beyond_b;
    *col = *col << 1 | (beyond_a ^ beyond_b ^ beyond_c);
}

/*
 * The generator of the Graph500 specification (section "Generating the edge
 * list"): each edge descends `scale` times into one of the four quadrants of the
 * adjacency matrix. A level takes 32 bits of a draw. The specification permutes
 * the edges afterwards; here they are independent of each other to begin with.
 */
SL_ANYWHERE static inline void sl_kronecker_tuple(const sl_tuple_source *s, uint64_t k,
                                                  uint64_t *row, uint64_t *col)
{
    uint64_t position = k * ((s->scale + 1) / 2);
    *row = *col = 0;
    for (unsigned level = 1; level < s->scale; level += 2) {
        uint64_t random = sl_draw(s->key, position++);
        sl_descend(row, col, (uint32_t)random);
        sl_descend(row, col, (uint32_t)(random >> 32));
    }
    if (s->scale % 2 == 1)
        sl_descend(row, col, (uint32_t)sl_draw(s->key, position));
    *row = sl_scrambled(&s->labels, *row);
    *col = sl_scrambled(&s->labels, *col);
}

/* Both ends are drawn from all vertices alike. */
SL_ANYWHERE static inline void sl_uniform_tuple(const sl_tuple_source *s, uint64_t k, uint64_t *row,
                                                uint64_t *col)
{
    *row = sl_below(sl_draw(s->key, 2 * k), s->vertices);
    *col = sl_below(sl_draw(s->key, 2 * k + 1), s->vertices);
}

/* Tuple number k. */
SL_ANYWHERE static inline void sl_tuple(const sl_tuple_source *s, uint64_t k, uint64_t *row,
                                        uint64_t *col)
{
    if (s->model == SL_TUPLES_KRONECKER)
        sl_kronecker_tuple(s, k, row, col);
    else
        sl_uniform_tuple(s, k, row, col);
}

/* ---- by an engine (tuples.c) ---------------------------------------------------------- */

/* True if some engine of the context makes the tuples by itself. */
bool sl_tuples_offered(sl_context *ctx, const sl_tuple_source *source);

/* A pattern with an entry, once each, for all that the tuples stand for. */
sl_status sl_tuples_matrix(sl_matrix **A, sl_context *ctx, const sl_tuple_source *source);

/* How often each vertex is an end of a tuple (int64; of one with row == col twice), and the
 * vertices that a tuple joins to another (bool); no entries elsewhere. */
sl_status sl_tuples_ends(sl_vector **ends, sl_vector **joined, sl_context *ctx,
                         const sl_tuple_source *source);

/* Holds parents (int64 or int32) against the tuples, which count both ways. */
sl_status sl_tuples_check_tree(sl_tree_check *check, const sl_vector *parent,
                               const sl_tuple_source *source, uint64_t root);

#ifdef __cplusplus
}
#endif
#endif
