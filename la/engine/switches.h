/*
 * The environment variable SEMLA_TRAVERSAL, which switches techniques of traversals off so that the
 * gain of each can be measured.
 */
#ifndef SEMLA_SWITCHES_H
#define SEMLA_SWITCHES_H

#include <semla/context.h>
#include <semla/for_module.h>

/*
 * Words of the environment variable SEMLA_TRAVERSAL. Each switches one technique of traversals
 * off (`no...`) or on, so that its gain can be measured; results do not change. An engine ignores
 * the words of techniques that it does not have. X(NAME, word)
 */
#define SL_SWITCHES(X)                                                                             \
    X(NOPERSISTENT, nopersistent)       /* one launch per level, not one per search */             \
    X(NOREORDER, noreorder)             /* search the matrix's own rows, not the reordered copy */ \
    X(NOELL, noell)                     /* no arrays of first neighbours (ELL slots) */            \
    X(NOPRUNING, nopruning)             /* sl_matrix_optimize keeps trees in the searched graph */ \
    X(NOHUBS, nohubs)                   /* no frontier bits of hubs in shared memory */            \
    X(NOBALANCE, nobalance)             /* push assigns rows, not equal numbers of edges */        \
    X(NOSMALLFRONTIER, nosmallfrontier) /* no separate kernel for small frontiers */               \
    X(NODELTA, nodelta)                 /* Bellman-Ford instead of delta-stepping */               \
    X(NOTILES, notiles)                 /* no sums of full vectors over tiles */                   \
    X(TILES, tiles)                     /* these sums over tiles, also where they do not pay */    \
    X(DEGREEORDER, degreeorder) /* paths of one GPU by degree, also where it does not pay */       \
    X(PINNED, pinned)           /* half of a reordered graph's edges in host memory */             \
    X(KOLGANOV, kolganov)       /* choose directions by Kolganov's rule */

typedef enum {
#define X(NAME, name) SL_SWITCH_##NAME,
    SL_SWITCHES(X)
#undef X
        SL_SWITCH_COUNT
} sl_switch;

/* The value of SEMLA_TRAVERSAL. */
typedef struct {
    unsigned off;       /* one bit per word: see sl_switched */
    double alpha, beta; /* thresholds of Kolganov's rule (2018, figure 3); 0: rule not selected */
    double delta;       /* factor on the width of delta-stepping's buckets; 1 by default */
    double weight;      /* factor on the expected cost of a pull; 1 by default */
    double pieces;      /* in which tiles are made; 0: by size */
} sl_switches;

/*
 * Parses SEMLA_TRAVERSAL: words separated by commas, and alpha=NUMBER, beta=NUMBER,
 * weight=NUMBER, delta=NUMBER, pieces=NUMBER with numbers above 0. SL_INVALID names the first unknown word.
 */
SL_FOR_MODULE sl_status sl_switches_read(sl_switches *switches, sl_context *ctx);

static inline bool sl_switched(unsigned off, sl_switch which)
{
    return off >> which & 1;
}

#endif
