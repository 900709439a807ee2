/* Runs algorithms on one graph and checks each result. */
#ifndef SEMLA_TESTS_ALGORITHMS_CHECK_ALL_H
#define SEMLA_TESTS_ALGORITHMS_CHECK_ALL_H

#include "subject.h"

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
