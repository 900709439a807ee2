/* Closures of several frontiers over semirings of searches: what the kernels share. Private to the
 * OpenMP engine. */
#ifndef SEMLA_OPENMP_CLOSURES_H
#define SEMLA_OPENMP_CLOSURES_H

#include <omp.h>

#include "openmp/prepared_graph.h"

/* Rows that are searched from together: the bits of a word. */
enum { SL_CLOSURE_ROWS = 64 };

/* The level of a vertex that a search on one thread has not reached. */
#define SL_LEVEL_UNREACHED UINT32_MAX

/* A call. Ids are the graph's. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    int threads;
    uint64_t n;                       /* vertices of the graph */
    const uint64_t *start, *in_start; /* rows: out-edges; columns: in-edges, NULL until they are */
    const uint32_t *index, *in_index; /* needed: sl_openmp_closures_need_in_edges */
    const uint32_t *old_id, *new_id;  /* NULL: the graph is in the caller's order. new_id: n for
                                         vertices that it leaves out, which have no edges */
    bool degree_order;
    sl_monoid_code choice; /* among candidates for a parent: any, min or max */
    bool levels, parents;  /* are wanted */
    uint64_t most;         /* iterations */
    sl_csr q;              /* the frontiers, by the caller's ids; lent */
} sl_closures_call;

/* Makes the in-edges of the graph known. The entries of a row have the caller's order, unless the
 * graph is in degree order. SL_NO_MEMORY. */
sl_status sl_openmp_closures_need_in_edges(sl_closures_call *c);

/* The caller's id of a vertex. */
static inline uint32_t sl_closures_old_id(const sl_closures_call *c, uint64_t v)
{
    return c->old_id ? c->old_id[v] : (uint32_t)v;
}

/*
 * What the searches from some rows, at most SL_CLOSURE_ROWS, have found. The level and the parent (the
 * caller's id) of vertex v by search s, if it has reached v, are number v * by_vertex + s * by_row of
 * their arrays. Vertex n stands for all that the graph leaves out.
 */
typedef struct {
    uint64_t first, count; /* rows */
    uint64_t reached;      /* pairs of a row and a vertex, without vertices left out */
    const uint64_t *seen;  /* [n] bit s: search s has reached the vertex; NULL: it has if its level
                              is not SL_LEVEL_UNREACHED */
    const void *level;     /* uint32_t if `wide`, else uint16_t; NULL: not wanted */
    bool wide;
    const uint32_t *parent; /* NULL: not wanted */
    uint64_t by_vertex, by_row;
} sl_closures_found;

/* The results, as arrays that replace the contents of pi and level. */
typedef struct sl_closures_results sl_closures_results;

/* SL_NO_MEMORY; *results is NULL then. */
sl_status sl_openmp_closures_open(sl_closures_results **results, const sl_call *call);
/* Adds the next rows, in ascending order. SL_NO_MEMORY. */
sl_status sl_openmp_closures_add(sl_closures_results *results, const sl_closures_call *c,
                                 const sl_closures_found *found);
/* Moves the arrays to pi and level, to which all rows were added. */
sl_status sl_openmp_closures_close(sl_closures_results *results);
/* NULL is allowed. */
void sl_openmp_closures_free(sl_closures_results *results);

/*
 * Searches from all rows from number `first` on, SL_CLOSURE_ROWS together, and adds what they find to
 * the results. *next: the first row that was not searched from, as searches have too many levels for
 * the kernel; else the number of rows. SL_NO_MEMORY, SL_CANCELLED.
 */
sl_status sl_openmp_closures_batches(uint64_t *next, sl_closures_call *c,
                                     sl_closures_results *results, uint64_t first);

/* The same, a search on each thread, for all rows. */
sl_status sl_openmp_closures_singly(sl_closures_call *c, sl_closures_results *results,
                                    uint64_t first);

/* Operation of the engine. */
sl_status sl_openmp_closures(sl_call *call);

#endif
