/* The graph on which algorithms run, how their results are read, and what fails. */
#ifndef SEMLA_TESTS_ALGORITHMS_SUBJECT_H
#define SEMLA_TESTS_ALGORITHMS_SUBJECT_H

#include <semla/checks.h>

#include "support.h"

#include <inttypes.h>

/* A graph, its rows, and the description for the message of a failure. */
typedef struct {
    const char *name, *engine;
    uint64_t seed;
    sl_context *ctx;
    sl_matrix *A;
    sl_csr rows;
    sl_graph_view view;
    bool symmetric;
} subject;

/* The graph of `edges` in a new context; freed by subject_free. */
void subject_make(subject *s, const char *name, sl_engine_choice engine, const sl_edges *edges,
                  unsigned flags, uint64_t seed);
void subject_free(subject *s);

/* Fails with the algorithm, the graph, the engine and the seed. */
#define ASSERT_VALID(s, result, what)                                                              \
    do {                                                                                           \
        if (!(result).valid)                                                                       \
            fail_msg("%s of %s on %s, seed %" PRIu64 ": %s", what, (s)->name, (s)->engine,         \
                     (s)->seed, (result).reason);                                                  \
    } while (0)

/* The values of a search's result, or of a full vector; sl_free. Both free the vector. */
int64_t *int64_array(sl_context *ctx, sl_vector *v);
void *full_array(sl_context *ctx, sl_vector *v, sl_type type);

uint64_t draw_vertex(const subject *s, uint64_t *random);

#endif
