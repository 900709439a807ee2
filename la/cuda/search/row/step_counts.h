/* Step counts: the message that each rank of a device group sends to the others after each level of
 * a search. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_STEP_COUNTS_H
#define SEMLA_CUDA_STEP_COUNTS_H

/* The most ranks of a device group that searches, and of one that only gathers arrays and checks trees. */
enum { GROUP_MAX_RANKS = 16, GROUP_MAX_MEMBERS = 1024 };

/* What a rank reports to the others after each level; the first message has the sources instead. */
typedef enum {
    COUNT_VERTICES,      /* vertices that the level visited; first: vertices of q */
    COUNT_EDGES,         /* sum of their degrees, by the degree of their word's first vertex */
    COUNT_EXAMINED,      /* edges that were read */
    COUNT_SETTLED,       /* first: vertices of pi */
    COUNT_SETTLED_EDGES, /* first: the sum of their degrees */
    COUNT_ISOLATED,      /* first: entries of q without edges, which have no source id */
    COUNT_PARTS
} step_counts_part;

typedef struct {
    unsigned long long count[COUNT_PARTS];
    unsigned long long round; /* written last, with release semantics: the group's round, from 1 */
} step_counts;

/* Room for the step counts of two rounds before an outbox. */
enum { GROUP_BARRIER_BYTES = 2048 };

#endif
