/*
 * The baseline of bench_bfs: breadth-first search as an expert writes it with SuiteSparse directly.
 */
#ifndef SEMLA_BENCH_SUITESPARSE_LOOP_H
#define SEMLA_BENCH_SUITESPARSE_LOOP_H

#include <GraphBLAS.h>

/* A graph as such a program stores it: the matrix, its transpose (the same handle if symmetric) and
 * the out-degrees. */
typedef struct {
    GrB_Matrix A, At;
    GrB_Vector degree; /* int64; vertices of degree > 0 */
    GrB_Index n, edges;
} loop_graph;

/* Copies the arrays of a pattern. Aborts on failure. */
void loop_graph_make(loop_graph *g, GrB_Index n, const GrB_Index *start, const GrB_Index *index);
void loop_graph_free(loop_graph *g);

/* Direction-optimising search by masked products over any_secondi; *pi is a new vector, owned by
 * the caller. */
void loop_search(GrB_Vector *pi, const loop_graph *g, GrB_Index source);

#endif
