/* Graphs on a grid whose ranks have devices, beside the same on one process, and searches of both.
 */
#ifndef SEMLA_TESTS_DIST_TEAM_H
#define SEMLA_TESTS_DIST_TEAM_H

#include "ranks.h"
#include "support.h"

extern sl_context *one; /* of one rank, on the host */
extern int rows, cols;  /* of the grid that is tried */

typedef struct {
    sl_context *ctx; /* of a grid */
    sl_matrix *A, *whole;
    uint64_t n;
} pair;

/* What a search is asked. */
typedef struct {
    sl_semiring semiring;
    sl_direction direction;
    uint64_t most; /* steps; 0: all */
    unsigned sources;
} question;

typedef struct {
    sl_vector *pi, *level;
    sl_iteration_log log;
} answer;

sl_matrix *make(sl_context *ctx, const sl_generator *model, bool directed);
void open_pair(pair *g, const sl_generator *model, bool directed);
void close_pair(pair *g);

answer ask(sl_context *ctx, const sl_matrix *A, const question *q);
void drop(answer *a);

/* Of Kronecker graphs that devices make: blocks of less than 1,024 vertices do not begin with
 * words, and are made by the hosts. */
unsigned device_scale(void);

/* Trees are held against the tuples by all ranks together, which agree on what is wrong; the
 * searches go this way (SEMLA_DIST). */
void try_trees(const char *way);

#endif
