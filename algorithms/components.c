/*
 * Connected components: the closure over min_first, from all vertices, of the undirected graph, in
 * which each vertex has its own number at first. A directed graph is made undirected by adding the
 * mirror edges. O(edges) for an engine that joins trees of vertices, as la/cuda/fixpoint/ and
 * la/openmp/ do.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/* *undirected is A, or a new pattern with the mirror edges, which is also stored in *owned. */
static sl_status make_undirected(const sl_matrix **undirected, sl_matrix **owned,
                                 const sl_matrix *A)
{
    const uint64_t n = sl_matrix_nrows(A);
    bool symmetric;
    sl_status status;
    *undirected = A;
    TRY(sl_matrix_is_symmetric(&symmetric, A));
    if (symmetric)
        return SL_OK;
    TRY(sl_matrix_new(owned, sl_matrix_context(A), SL_BOOL, n, n));
    TRY(sl_matrix_ewise_add(*owned, NULL, NULL, SL_PAIR_BOOL, A, A,
                            sl_descriptor_get(SL_TRANSPOSE_B)));
    TRY(sl_matrix_promise_symmetric(*owned));
    *undirected = *owned;
out:
    return status;
}

sl_status sl_components(sl_vector **component, const sl_matrix *A)
{
    if (component)
        *component = NULL;
    const sl_matrix *undirected;
    sl_matrix *owned = NULL;
    sl_vector *label = NULL;
    sl_status status = sl_require_output("components", A, component, "component");
    status = AGREE(A, status, "components", "component %d\n", component != NULL);
    if (status != SL_OK)
        return status;
    TRY(make_undirected(&undirected, &owned, A));
    TRY(sl_vector_indices(&label, A));
    TRY(sl_closure(label, label, undirected, SL_MIN_FIRST_INT64, NULL));
out:
    sl_matrix_free(owned);
    sl_return_vector(component, label, status);
    return status;
}
