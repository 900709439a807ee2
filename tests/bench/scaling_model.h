/* The cost model of docs/scaling.md: the time of a search on a grid of GPUs. */
#ifndef SEMLA_BENCH_SCALING_MODEL_H
#define SEMLA_BENCH_SCALING_MODEL_H

#include <stdbool.h>

/* Hubs, the vertices of most edges, may be delegated: their bits are known to all ranks of a row and of
 * a column, or to all ranks. The other vertices then look for parents among hubs where their edges are,
 * and ask the owners of other neighbours by messages (scaling_hubs.c). */
typedef enum { HUBS_OF_ONE_RANK, HUBS_OF_ROWS_AND_COLUMNS, HUBS_OF_ALL } scaling_hubs;

/*
 * The machine and the assumptions about the program. Units: seconds, bytes, and bytes per second.
 */
typedef struct {
    int host;             /* GPUs per host */
    double memory;        /* per GPU */
    double network;       /* rate per GPU, each way */
    double network_delay; /* latency of a message to a GPU of another host */
    double link;          /* rate of a GPU to those of its host, each way */
    double link_delay;
    double issue;    /* time to post one more message while others are under way */
    double turn;     /* time to start on one block of a pull */
    double examined; /* edges examined, relative to one GPU with neighbours in degree order */
    double cached;   /* fraction of bit tests that hit a cache, because they test hubs */
    double overlap;  /* fraction of the smaller of work and exchange that is hidden */
    int pushes, pulls;
    bool compact; /* no ids and bits for isolated vertices */
    bool pruned;  /* nor for vertices with one edge, which are trees outside the 2-core */
    bool packed;  /* parents are sent as ranks in degree order, of variable length */
    scaling_hubs hubs;
} scaling_machine;

/* Bytes that a rank receives in one search, by phase of the exchange. */
typedef struct {
    double expand, share, fold, pass, parents;
    double asked; /* messages between vertices that are not hubs */
} scaling_bytes;

typedef struct {
    int rows, cols;
    double edges; /* edges that count for TEPS */
    scaling_bytes bytes;
    double work, network, link, delay; /* seconds: on the GPU, receiving, and latencies */
    double seconds;                    /* of a search */
    double memory;                     /* bytes on one GPU, with the arrays of dist/ */
    bool too_many;                     /* a grid row or column has more than 2^32 ids */
} scaling_cost;

/* The edge factor of all graphs, and the greatest scale. */
enum { EDGE_FACTOR = 16, MOST_SCALE = 60 };

/* Vertices of a Kronecker graph whose numbers have k ones are alike: as a share of all vertices, and the
 * mean of their degrees, which are Poisson distributed. */
typedef struct {
    double share[MOST_SCALE + 1], mean[MOST_SCALE + 1];
} scaling_classes;
void scaling_classes_of(scaling_classes *classes, int scale);

/* What delegating the vertices of at most `ones` ones as hubs brings. */
typedef struct {
    int ones;
    double hubs; /* their share of all vertices */
    double
        asked; /* edges between other vertices along which a parent is asked for, per vertex: those of
                     vertices that have no hub as neighbour */
} scaling_delegation;
/* Kept until it is called for another scale. */
const scaling_delegation *scaling_delegation_of(int scale, int ones, bool pruned);

/* Mean bits of the rank of a neighbour in degree order. */
double scaling_rank_bits(int scale);

/* The fractions of the vertices of a Kronecker graph with any edge, and with exactly one edge. */
void scaling_degrees(int scale, double *any, double *one);

scaling_cost scaling_of(const scaling_machine *m, int scale, int rows, int cols);

/* The cost on the fastest grid of this number of GPUs. */
scaling_cost scaling_best(const scaling_machine *m, int scale, int gpus);

#endif
