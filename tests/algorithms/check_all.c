/* Runs algorithms on one graph and checks each result; see check_all.h. */
#include "check_all.h"

void subject_check(subject *s)
{
    uint64_t random = s->seed;
    check_components(s);
    check_scc(s);
    check_label_propagation(s, &random);
    check_multi_source(s, &random);
    check_khop(s, &random);
    check_st_connected(s, &random);
    check_sssp(s, &random);
    check_pagerank(s, &random);
    check_betweenness(s, &random);
    check_closeness(s, &random);
    if (!s->symmetric)
        return;
    check_diameter(s, &random);
    check_bipartite(s);
    check_independent_set(s, &random);
    check_triangles(s);
    check_local_clustering(s);
    check_core_numbers(s);
    check_ktruss(s);
}
