/* The model of docs/scaling.md: what a search costs on a grid of GPUs. */
#ifndef SEMLA_BENCH_SCALING_MODEL_H
#define SEMLA_BENCH_SCALING_MODEL_H

#include <stdbool.h>

/* The machine, and what is assumed of the program. Seconds, bytes, and bytes per second. */
typedef struct {
    int host;             /* GPUs of one */
    double memory;        /* of one GPU */
    double network;       /* rate, each way, per GPU */
    double network_delay; /* of one message from GPU to GPU of another host */
    double link;          /* rate, each way, of one GPU to those of its host */
    double link_delay;
    double issue;    /* to post one message more, where several are under way */
    double turn;     /* to start on one block of a pull */
    double examined; /* edges looked at, of one GPU's with neighbours by falling degree: times */
    double cached;   /* share of the bit tests that hit hubs, and so a cache */
    double overlap;  /* share of the lesser of work and exchange that the other hides */
    int pushes, pulls;
    bool compact; /* isolated vertices are left out of all numbers and bitmaps */
} scaling_machine;

/* Bytes that a rank receives in a search, by phase of the exchange. */
typedef struct {
    double expand, share, fold, pass, parents;
} scaling_bytes;

typedef struct {
    int rows, cols;
    double edges; /* that count for TEPS */
    scaling_bytes bytes;
    double work, network, link, delay; /* seconds: on the GPU, moving, and waiting */
    double seconds;                    /* of a search */
    double memory;                     /* bytes on one GPU, by the arrays of dist/ as they are */
    bool too_many;                     /* places of a grid row or column: more than 2^32 */
} scaling_cost;

/* Shares of a Kronecker graph's vertices that have any edge, and exactly one. */
void scaling_degrees(int scale, double *any, double *one);

scaling_cost scaling_of(const scaling_machine *m, int scale, int rows, int cols);

/* On the quickest grid of so many GPUs. */
scaling_cost scaling_best(const scaling_machine *m, int scale, int gpus);

#endif
