/* Runs algorithms on one graph and checks each result. */
#ifndef SEMLA_TESTS_ALGORITHMS_CHECK_ALL_H
#define SEMLA_TESTS_ALGORITHMS_CHECK_ALL_H

#include <semla/checks.h>

#include "support.h"

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

/* Runs all algorithms with random sources, options and lengths by the seed. */
void subject_check(subject *s);

/* One algorithm each. */
void check_components(subject *s);
void check_scc(subject *s);
void check_label_propagation(subject *s, uint64_t *random);
void check_multi_source(subject *s, uint64_t *random);
void check_khop(subject *s, uint64_t *random);
void check_st_connected(subject *s, uint64_t *random);
void check_diameter(subject *s, uint64_t *random);
void check_bipartite(subject *s);
void check_independent_set(subject *s, uint64_t *random);
void check_sssp(subject *s, uint64_t *random);
void check_pagerank(subject *s, uint64_t *random);
void check_betweenness(subject *s, uint64_t *random);
void check_closeness(subject *s, uint64_t *random);
void check_triangles(subject *s);
void check_local_clustering(subject *s);
void check_core_numbers(subject *s);
void check_ktruss(subject *s);

#endif
