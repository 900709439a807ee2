/* The graphs of bench_lagraph, plain algorithms to check results, and semla's own calls. Needs no other header of
 * semla: the benchmark is also built over another GraphBLAS library. */
#ifndef SEMLA_BENCH_LAGRAPH_GRAPH_H
#define SEMLA_BENCH_LAGRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

/* An undirected graph without loops: sorted neighbours, and lengths from 1 to 255, equal in both directions. */
typedef struct {
    uint64_t n, entries;
    uint64_t *start;     /* n + 1 elements */
    uint64_t *neighbour; /* `entries` elements */
    int32_t *length;     /* the same */
} plain_graph;

/* Makes kronecker:SCALE (edge factor 16, the probabilities of Graph500) or grid:SIDE. Exits on failure. */
void plain_graph_make(plain_graph *g, const char *model);
void plain_graph_free(plain_graph *g);
/* Random vertices that have neighbours. */
void plain_graph_sources(const plain_graph *g, uint64_t *sources, int count);

/* Plain algorithms. Arrays of n elements; -1 is a vertex that was not reached. */
void plain_levels(int64_t *level, const plain_graph *g, uint64_t source);
void plain_distances(int64_t *distance, const plain_graph *g, uint64_t source);
void plain_components(uint64_t *component,
                      const plain_graph *g); /* the least vertex of the component */
uint64_t plain_triangles(const plain_graph *g);
void plain_pagerank(double *rank, const plain_graph *g, double damping, double tolerance);
void plain_betweenness(double *centrality, const plain_graph *g, const uint64_t *sources,
                       int count);

/* Wall-clock time in milliseconds. */
double milliseconds(void);
/* Memory, or the program ends. */
void *memory(uint64_t count, uint64_t size);

/* semla's own call of an algorithm, in the context that SEMLA_GRB names: the milliseconds of one call; negative if the
 * benchmark was built without semla, or for another name. */
typedef enum {
    CALL_BFS,
    CALL_PARENTS,
    CALL_LEVELS,
    CALL_PAGERANK,
    CALL_COMPONENTS,
    CALL_TRIANGLES,
    CALL_PATHS,
    CALL_BETWEENNESS
} semla_call;
void semla_start(const plain_graph *g);
double semla_time(semla_call call, const uint64_t *sources, int count);
void semla_stop(void);

#endif
