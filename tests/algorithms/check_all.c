/* Runs algorithms on one graph and checks each result; see check_all.h. */
#include "check_one.h"

void subject_make(subject *s, const char *name, sl_engine_choice engine, const sl_edges *edges,
                  unsigned flags, uint64_t seed)
{
    const sl_read_options options = {.flags = flags};
    *s = (subject){.name = name, .seed = seed};
    assert_int_equal(sl_context_create(&s->ctx, engine), SL_OK);
    s->engine = sl_context_engine(s->ctx, 0);
    OK(s->ctx, sl_matrix_from_edges(&s->A, s->ctx, edges, &options));
    OK(s->ctx, sl_matrix_copy_csr(&s->rows, s->A));
    s->view = sl_view_of(&s->rows);
    OK(s->ctx, sl_matrix_is_symmetric(&s->symmetric, s->A));
}

void subject_free(subject *s)
{
    sl_free(s->rows.start);
    sl_free(s->rows.index);
    sl_free(s->rows.values);
    sl_matrix_free(s->A);
    sl_context_free(s->ctx);
}

int64_t *int64_array(sl_context *ctx, sl_vector *v)
{
    int64_t *array;
    OK(ctx, sl_search_array(&array, v));
    sl_vector_free(v);
    return array;
}

void *full_array(sl_context *ctx, sl_vector *v, sl_type type)
{
    uint64_t count = sl_vector_size(v), there;
    void *array = sl_malloc((count + 1) * 8);
    assert_int_equal(sl_vector_type(v), type);
    OK(ctx, sl_vector_nvals(&there, v));
    assert_int_equal(there, count);
    OK(ctx, sl_vector_extract_tuples(NULL, array, &count, v));
    sl_vector_free(v);
    return array;
}

uint64_t draw_vertex(const subject *s, uint64_t *random)
{
    return test_random(random) % s->view.vertices;
}

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
