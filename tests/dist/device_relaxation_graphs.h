/* The graphs of device_relaxations.c. */
#ifndef SEMLA_TESTS_DIST_DEVICE_RELAXATION_GRAPHS_H
#define SEMLA_TESTS_DIST_DEVICE_RELAXATION_GRAPHS_H

#include <semla/la.h>

#include <stdint.h>

enum { SHAPES = 14 }; /* a seed chooses one shape, and one of four types */

/* The same on all ranks. */
typedef struct {
    uint64_t seed, random, n, edges, source;
    uint64_t *from, *to;
    int64_t *length;
    sl_type type;
    const char *shape;
} graph;

graph make_graph(uint64_t seed);
void free_graph(graph *g);
/* A number less than the bound. */
uint64_t below(graph *g, uint64_t bound);
void add_edge(graph *g, uint64_t from, uint64_t to, int64_t length);

#endif
