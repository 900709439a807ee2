/*
 * Injects faults for the command to find. The functions here replace library functions of the same
 * name: they call the original with dlsym(RTLD_NEXT) and corrupt the result as SEMLA_FAULT says.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <semla/algorithms.h>

static bool fault(const char *name)
{
    const char *wanted = getenv("SEMLA_FAULT");
    return wanted && strcmp(wanted, name) == 0;
}

/* The original function, which the dynamic linker finds in the library. */
static void *library_function(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        abort();
    return function;
}

/* Corrupts the level or the parent of the last vertex. Searches that only pull are not changed. */
sl_status sl_bfs(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                 const sl_bfs_options *options)
{
    sl_status (*search)(sl_vector **, sl_vector **, const sl_matrix *, uint64_t,
                        const sl_bfs_options *);
    *(void **)&search = library_function("sl_bfs");
    sl_context *ctx = sl_matrix_context(A);
    if (fault("status"))
        return sl_fail(ctx, SL_UNSUPPORTED, "injected fault");
    sl_status status = search(parent, level, A, source, options);
    uint64_t last = sl_matrix_nrows(A) - 1;
    if (status != SL_OK || (options && options->direction == SL_PULL))
        return status;
    if (fault("level") && level)
        status = sl_vector_set(*level, last, sl_scalar_int64(99));
    if (fault("parent") && parent)
        status = sl_vector_set(*parent, last, sl_scalar_int64((int64_t)last));
    return status;
}

/* The fault "paths": the distance of the last vertex that has a parent becomes greater. */
sl_status sl_closure(sl_vector *pi, const sl_vector *q, const sl_matrix *A, sl_semiring semiring,
                     const sl_closure_options *options)
{
    sl_status (*closure)(sl_vector *, const sl_vector *, const sl_matrix *, sl_semiring,
                         const sl_closure_options *);
    *(void **)&closure = library_function("sl_closure");
    sl_status status = closure(pi, q, A, semiring, options);
    if (status != SL_OK || !options || !options->parent || !fault("paths"))
        return status;
    uint64_t v = sl_vector_size(pi) - 1;
    sl_scalar distance;
    while (sl_vector_get(&distance, pi, v) == SL_NO_VALUE)
        v--;
    return sl_vector_set(pi, v, sl_scalar_fp64(1000));
}

/* ---- algorithms: the fault "algorithm" makes each result wrong ------------- */

/* Sets the last element to 30: wrong, but a possible vertex. */
static sl_status corrupt(sl_vector *v, sl_status status)
{
    if (status != SL_OK || !fault("algorithm"))
        return status;
    return sl_vector_set(v, sl_vector_size(v) - 1, sl_scalar_int64(30));
}

sl_status sl_components(sl_vector **component, const sl_matrix *A)
{
    sl_status (*call)(sl_vector **, const sl_matrix *);
    *(void **)&call = library_function("sl_components");
    return corrupt(*component, call(component, A));
}

sl_status sl_khop(sl_vector **level, const sl_matrix *A, const uint64_t *sources, uint64_t count,
                  uint64_t hops)
{
    sl_status (*call)(sl_vector **, const sl_matrix *, const uint64_t *, uint64_t, uint64_t);
    *(void **)&call = library_function("sl_khop");
    return corrupt(*level, call(level, A, sources, count, hops));
}

sl_status sl_scc(sl_vector **component, uint64_t *count, const sl_matrix *A)
{
    sl_status (*call)(sl_vector **, uint64_t *, const sl_matrix *);
    *(void **)&call = library_function("sl_scc");
    return corrupt(*component, call(component, count, A));
}

sl_status sl_sssp(sl_vector **distance, sl_vector **parent, const sl_matrix *A, uint64_t source)
{
    sl_status (*call)(sl_vector **, sl_vector **, const sl_matrix *, uint64_t);
    *(void **)&call = library_function("sl_sssp");
    return corrupt(*distance, call(distance, parent, A, source));
}

sl_status sl_spanning_forest(sl_matrix **forest, sl_forest_summary *summary, const sl_matrix *A)
{
    sl_status (*call)(sl_matrix **, sl_forest_summary *, const sl_matrix *);
    *(void **)&call = library_function("sl_spanning_forest");
    sl_status status = call(forest, summary, A);
    summary->trees += fault("algorithm");
    return status;
}

sl_status sl_independent_set(sl_vector **set, const sl_matrix *A, uint64_t seed)
{
    sl_status (*call)(sl_vector **, const sl_matrix *, uint64_t);
    *(void **)&call = library_function("sl_independent_set");
    sl_status status = call(set, A, seed);
    return status == SL_OK && fault("algorithm") ? sl_vector_clear(*set) : status;
}

sl_status sl_label_propagation(sl_vector **label, const sl_matrix *A, uint64_t max_iterations,
                               sl_communities *result)
{
    sl_status (*call)(sl_vector **, const sl_matrix *, uint64_t, sl_communities *);
    *(void **)&call = library_function("sl_label_propagation");
    return corrupt(*label, call(label, A, max_iterations, result));
}

sl_status sl_pagerank(sl_vector **rank, const sl_matrix *A, const sl_pagerank_options *options,
                      sl_pagerank_result *result)
{
    sl_status (*call)(sl_vector **, const sl_matrix *, const sl_pagerank_options *,
                      sl_pagerank_result *);
    *(void **)&call = library_function("sl_pagerank");
    return corrupt(*rank, call(rank, A, options, result));
}

sl_status sl_betweenness(sl_vector **centrality, const sl_matrix *A, const uint64_t *sources,
                         uint64_t count, const sl_betweenness_options *options)
{
    sl_status (*call)(sl_vector **, const sl_matrix *, const uint64_t *, uint64_t,
                      const sl_betweenness_options *);
    *(void **)&call = library_function("sl_betweenness");
    return corrupt(*centrality, call(centrality, A, sources, count, options));
}

sl_status sl_closeness(sl_vector **closeness, const sl_matrix *A, const uint64_t *sources,
                       uint64_t count, const sl_closeness_options *options)
{
    sl_status (*call)(sl_vector **, const sl_matrix *, const uint64_t *, uint64_t,
                      const sl_closeness_options *);
    *(void **)&call = library_function("sl_closeness");
    return corrupt(*closeness, call(closeness, A, sources, count, options));
}

sl_status sl_triangles(uint64_t *count, sl_vector **per_vertex, const sl_matrix *A)
{
    sl_status (*call)(uint64_t *, sl_vector **, const sl_matrix *);
    *(void **)&call = library_function("sl_triangles");
    return corrupt(*per_vertex, call(count, per_vertex, A));
}

sl_status sl_local_clustering(sl_vector **coefficient, const sl_matrix *A,
                              sl_clustering *clustering)
{
    sl_status (*call)(sl_vector **, const sl_matrix *, sl_clustering *);
    *(void **)&call = library_function("sl_local_clustering");
    return corrupt(*coefficient, call(coefficient, A, clustering));
}

sl_status sl_core_numbers(sl_vector **core, uint64_t *greatest, const sl_matrix *A)
{
    sl_status (*call)(sl_vector **, uint64_t *, const sl_matrix *);
    *(void **)&call = library_function("sl_core_numbers");
    return corrupt(*core, call(core, greatest, A));
}

sl_status sl_ktruss(sl_matrix **truss, const sl_matrix *A, uint64_t k)
{
    sl_status (*call)(sl_matrix **, const sl_matrix *, uint64_t);
    *(void **)&call = library_function("sl_ktruss");
    sl_status status = call(truss, A, k);
    return status == SL_OK && fault("algorithm")
               ? sl_matrix_set(*truss, sl_matrix_nrows(A) - 1, 0, sl_scalar_int64(1000))
               : status;
}

sl_status sl_multi_source_bfs(sl_matrix **parent, sl_matrix **level, const sl_matrix *A,
                              const uint64_t *sources, uint64_t count,
                              const sl_multi_source_options *options)
{
    sl_status (*call)(sl_matrix **, sl_matrix **, const sl_matrix *, const uint64_t *, uint64_t,
                      const sl_multi_source_options *);
    *(void **)&call = library_function("sl_multi_source_bfs");
    sl_status status = call(parent, level, A, sources, count, options);
    return status == SL_OK && fault("algorithm")
               ? sl_matrix_set(*level, 0, sl_matrix_nrows(A) - 1, sl_scalar_int64(12345))
               : status;
}

sl_status sl_st_connected(bool *connected, uint64_t *distance, sl_vector **path, const sl_matrix *A,
                          uint64_t s, uint64_t t)
{
    sl_status (*call)(bool *, uint64_t *, sl_vector **, const sl_matrix *, uint64_t, uint64_t);
    *(void **)&call = library_function("sl_st_connected");
    sl_status status = call(connected, distance, path, A, s, t);
    *distance += fault("algorithm");
    return status;
}

sl_status sl_pseudo_diameter(sl_diameter *diameter, const sl_matrix *A,
                             const sl_diameter_options *options)
{
    sl_status (*call)(sl_diameter *, const sl_matrix *, const sl_diameter_options *);
    *(void **)&call = library_function("sl_pseudo_diameter");
    sl_status status = call(diameter, A, options);
    diameter->lower += fault("algorithm");
    return status;
}

sl_status sl_bipartite(bool *bipartite, sl_vector **side, sl_vector **cycle, const sl_matrix *A)
{
    sl_status (*call)(bool *, sl_vector **, sl_vector **, const sl_matrix *);
    *(void **)&call = library_function("sl_bipartite");
    sl_status status = call(bipartite, side, cycle, A);
    return *side ? status : corrupt(*cycle, status);
}

/* ---- engines ---------------------------------------------------------------- */

sl_status sl_engine_describe(size_t position, sl_engine_info *info)
{
    sl_status (*describe)(size_t, sl_engine_info *);
    *(void **)&describe = library_function("sl_engine_describe");
    sl_status status = describe(position, info);
    if (status == SL_OK && fault("absent") && strcmp(info->name, "openmp") == 0) {
        info->present = false;
        info->unavailable_reason = "removed by the test";
    }
    return status;
}
