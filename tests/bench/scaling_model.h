/* The cost model of docs/scaling.md: the time of a search on a grid of GPUs. */
#ifndef SEMLA_BENCH_SCALING_MODEL_H
#define SEMLA_BENCH_SCALING_MODEL_H

#include <stdbool.h>

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
} scaling_machine;

/* Bytes that a rank receives in one search, by phase of the exchange. */
typedef struct {
    double expand, share, fold, pass, parents;
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

/* The fractions of the vertices of a Kronecker graph with any edge, and with exactly one edge. */
void scaling_degrees(int scale, double *any, double *one);

scaling_cost scaling_of(const scaling_machine *m, int scale, int rows, int cols);

/* The cost on the fastest grid of this number of GPUs. */
scaling_cost scaling_best(const scaling_machine *m, int scale, int gpus);

#endif
