/* The state of delta-stepping on the host. Private to the OpenMP engine. */
#ifndef SEMLA_OPENMP_PATHS_H
#define SEMLA_OPENMP_PATHS_H

#include "openmp/buckets.h"
#include "openmp/make_length_rows.h"

/* No predecessor. */
#define NO_VERTEX UINT32_MAX

enum { FAR_SAMPLE = 64 };

/* What a thread tells the others about its vertices beyond the window. */
typedef struct {
    double least; /* value; infinity: there are none */
    unsigned count;
    double sample[FAR_SAMPLE];
} sl_far_pile;

/* Counters of one step, which two steps use by turns. */
typedef struct {
    uint64_t tail;   /* vertices in the shared frontier; may exceed its room */
    uint64_t cursor; /* vertices that threads have taken from it */
    unsigned next;   /* the least bucket that is not empty, over all threads */
    bool failed;     /* a thread has no memory, or the call is cancelled */
} sl_step;

/* Shortest paths from `source`. All arrays have n elements. */
typedef struct {
    sl_context *ctx;
    sl_status status;     /* SL_OK, or why the first thread has ended the search */
    sl_progress progress; /* vertices relaxed, a vertex as often as it was; threads add to `done` */
    uint64_t n, source;
    const uint64_t *start;
    const sl_openmp_lengths *lengths;
    int threads;
    void *d;             /* values, of the type lengths->type; see unset in paths_template.h */
    uint32_t *frontier;  /* scratch: vertices of the current bucket, of all threads */
    uint64_t room;       /* elements allocated for the frontier */
    sl_buckets *buckets; /* per thread */
    unsigned *least;     /* per thread: its first bucket that is not empty */
    sl_far_pile *far;    /* per thread */
    double delta;        /* the width of a bucket, unless few vertices are near */
    /* The window: bucket k has the values from base + k * width on; inverse is 1 / width. */
    double base, inverse;
    sl_step steps[2];
    bool ended;     /* no vertices are left beyond the window */
    uint32_t *best; /* predecessors, or NULL */
} sl_paths;

/* Chooses the next window from p->far; sets p->ended if there is none. One thread calls it. */
void sl_openmp_next_window(sl_paths *p);

/*
 * Gives vertices without a predecessor one among the vertices of equal value, level by level.
 * `visit` offers u to the vertices at the ends of its edges: see paths_template.h. SL_NO_MEMORY,
 * SL_CANCELLED.
 */
typedef struct sl_flat_search {
    const sl_paths *paths;
    uint32_t *candidate; /* the least predecessor of the level; NO_VERTEX: none */
    uint32_t *next;      /* vertices that the level reaches */
    uint64_t reached;    /* their number */
} sl_flat_search;
sl_status sl_openmp_search_flat(sl_paths *p, void (*visit)(sl_flat_search *s, uint32_t u));

/* Operation of the engine: the closures with sl_traversal.shortest_paths. */
sl_status sl_openmp_shortest_paths(sl_call *call);

/* Operation of the engine: makes the rows and the scratch that such closures keep with the matrix. */
sl_status sl_openmp_prepare_paths(sl_call *call);

/* predecessors.c */
sl_status sl_openmp_predecessors(sl_call *call);

/* True if the engine has the operation for the call's type. */
bool sl_openmp_has_shortest_paths(const sl_call *call);

#endif
