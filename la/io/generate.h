/* What the generators share: numbered random draws and the scrambling of labels. */
#ifndef SEMLA_IO_GENERATE_H
#define SEMLA_IO_GENERATE_H

#include <semla/io.h>

/* Vertices and edges of a model, each: what a matrix can have, and what an
 * array of indices can hold. */
#define GENERATE_LIMIT (UINT64_C(1) << 60)

/*
 * Draw number `position` of the stream `key`: the generator splitmix64 entered
 * anywhere (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). A draw depends on nothing but its number.
 */
static inline uint64_t draw(uint64_t key, uint64_t position)
{
    uint64_t z = key + (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The key of one of the streams of a seed. */
static inline uint64_t stream(uint64_t seed, uint64_t number)
{
    return draw(draw(seed, 0), number);
}

/* A draw as a number below n, by its high bits (Lemire, TOMACS 29(1), 2019,
 * without the rejection: the bias is below n / 2^64). */
static inline uint64_t below(uint64_t random, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)random * n) >> 64);
}

/*
 * A bijection on [0, 2^bits) that depends on a key. Each round adds and
 * multiplies by an odd number modulo 2^bits, which carries low bits upwards, and
 * folds the upper half onto the lower, which carries high bits down. Each of
 * these steps can be undone, hence so can all of them.
 */
enum { SCRAMBLE_ROUNDS = 3 };
typedef struct {
    unsigned fold;
    uint64_t mask;
    uint64_t add[SCRAMBLE_ROUNDS];
    uint64_t multiply[SCRAMBLE_ROUNDS];
} scramble;

static inline scramble scramble_make(uint64_t key, unsigned bits)
{
    scramble s = {.fold = (bits + 1) / 2, .mask = (UINT64_C(1) << bits) - 1};
    for (unsigned i = 0; i < SCRAMBLE_ROUNDS; i++) {
        s.add[i] = draw(key, 2 * i);
        s.multiply[i] = draw(key, 2 * i + 1) | 1;
    }
    return s;
}

static inline uint64_t scrambled(const scramble *s, uint64_t x)
{
    for (unsigned i = 0; i < SCRAMBLE_ROUNDS; i++) {
        x = ((x + s->add[i]) * s->multiply[i]) & s->mask;
        x ^= x >> s->fold;
    }
    return x;
}

/* Of a model's tuples, numbered from 0, those that this process makes: all, but where
 * several share the context. */
typedef struct {
    uint64_t first, count;
} tuple_part;

/*
 * Makes `edges` a square pattern of `vertices`, with room for this process's part of
 * `count` tuples to be filled in. On failure *edges is zeroed. Errors: SL_INVALID (one of the two
 * is beyond GENERATE_LIMIT), SL_NO_MEMORY.
 */
sl_status sl_generate_room(sl_edges *edges, sl_context *ctx, uint64_t vertices, uint64_t count,
                           tuple_part *part);

/* Each fills in one family of models, checking the sizes that it reads. On
 * failure *edges is zeroed. Errors: as sl_generate. */
sl_status sl_generate_kronecker(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_uniform(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_path(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_star(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_complete(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_grid(sl_edges *edges, sl_context *ctx, const sl_generator *model);
sl_status sl_generate_road(sl_edges *edges, sl_context *ctx, const sl_generator *model);

#endif
