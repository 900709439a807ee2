/*
 * The environment variable SEMLA_TRAVERSAL, which switches techniques of traversals off so that the
 * gain of each can be measured.
 */
#ifndef SEMLA_SWITCHES_H
#define SEMLA_SWITCHES_H

#include <semla/context.h>

/*
 * Techniques of searches that the environment switches off, or on, of all engines: each
 * heeds those that it has. X(NAME, word)
 */
#define SL_SWITCHES(X)                                                                             \
    X(NOPERSISTENT, nopersistent) /* step by step instead of one launch */                         \
    X(NOLAYOUT, nolayout)         /* on the rows as they are */                                    \
    X(NOSLOTS, noslots)           /* without arrays of first neighbours */                         \
    X(NOPRUNING, nopruning)       /* trees stay in, when a layout is made */                       \
    X(NONUMBERING, nonumbering)   /* nor are vertices of short rows numbered anew then */          \
    X(NOHUBS, nohubs)             /* without bits of hubs in shared memory */                      \
    X(NOSHARES, noshares)         /* pushes are shared by rows, not by edges */                    \
    X(NOCLUSTER, nocluster)       /* narrow steps are done like wide ones */                       \
    X(NOFIRST, nofirst)           /* parents that are first neighbours are written, too */         \
    X(NOFRESH, nofresh)           /* a search from one vertex begins as one from many */           \
    X(NOSTEPS, nosteps)           /* products of a loop are not steps of a search */               \
    X(NOAHEAD, noahead)           /* nor done before they are asked for */                         \
    X(NOBUCKETS, nobuckets)       /* closures step by step, not in the order of values */          \
    X(PINNED, pinned)             /* half of a layout's columns in the host's memory */            \
    X(KOLGANOV, kolganov)         /* directions by his rule */

typedef enum {
#define X(NAME, name) SL_SWITCH_##NAME,
    SL_SWITCHES(X)
#undef X
        SL_SWITCH_COUNT
} sl_switch;

/* What SEMLA_TRAVERSAL says. */
typedef struct {
    unsigned off;       /* sl_switched */
    double alpha, beta; /* of Kolganov's rule (2018, figure 3); 0: it is not asked for */
    double width;       /* of what a closure in order takes together: 1 */
    double weight;      /* of what a pull in the layout by degree is expected to cost, if not: 1 */
} sl_switches;

/*
 * Its words, with commas between them, among which may be alpha=NUMBER, beta=NUMBER, weight=NUMBER
 * and width=NUMBER, above 0. SL_INVALID names one that is none.
 */
sl_status sl_switches_read(sl_switches *switches, sl_context *ctx);

static inline bool sl_switched(unsigned off, sl_switch which)
{
    return off >> which & 1;
}

#endif
