/* Private to algorithms/: the parts of the algorithm for minimum spanning forests. */
#ifndef SEMLA_ALGORITHMS_SPANNING_PARTS_H
#define SEMLA_ALGORITHMS_SPANNING_PARTS_H

#include <semla/la.h>

/* A forest in progress. Vectors have an element per vertex; all but A are owned. */
typedef struct {
    const sl_matrix *A;
    sl_context *ctx;
    uint64_t n;
    sl_type type;     /* of the weights: A's, int8 for a bool matrix */
    sl_matrix *edges; /* of `type`: between different trees; the rows of the hub's tree are empty */
    bool has_hub;
    uint64_t hub;      /* read if has_hub: a vertex of the tree that chooses no edges */
    sl_vector *tree;   /* int64, full: the root of each vertex */
    sl_vector *index;  /* int64, full: 0, 1, 2, ... */
    sl_vector *weight; /* of the chosen edges, at the roots that chose them in earlier rounds */
    sl_vector *end[2]; /* int64: their ends, the lesser first */
    sl_progress progress;
} sl_boruvka;

/* One round: each tree chooses the least of `edges` that leaves it, stores it, and is joined to the
 * tree at its other end. `edges` is not changed. */
sl_status sl_boruvka_round(sl_boruvka *b);

#endif
