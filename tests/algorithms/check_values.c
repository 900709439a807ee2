/* Runs algorithms that give each vertex or edge a value, and checks the results; see check_all.h. */
#include "check_all.h"

#include <math.h>
#include <string.h>

void check_components(subject *s)
{
    sl_vector *component;
    sl_check_result result;
    OK(s->ctx, sl_components(&component, s->A));
    int64_t *array = full_array(s->ctx, component, SL_INT64);
    assert_int_equal(sl_check_components(&result, &s->view, array), SL_OK);
    ASSERT_VALID(s, result, "components");
    sl_free(array);
}

void check_scc(subject *s)
{
    sl_vector *component;
    sl_check_result result;
    uint64_t count;
    OK(s->ctx, sl_scc(&component, &count, s->A));
    int64_t *array = full_array(s->ctx, component, SL_INT64);
    assert_int_equal(sl_check_scc(&result, &s->view, array, count), SL_OK);
    ASSERT_VALID(s, result, "scc");
    sl_free(array);
}

void check_label_propagation(subject *s, uint64_t *random)
{
    const uint64_t most = 1 + test_random(random) % 12;
    sl_vector *label;
    sl_communities c;
    sl_check_result result;
    uint64_t different = 0;
    OK(s->ctx, sl_label_propagation(&label, s->A, most, &c));
    assert_true(c.iterations == most || (c.converged && c.iterations < most));
    int64_t *array = full_array(s->ctx, label, SL_INT64);
    assert_int_equal(sl_check_label_propagation(&result, &s->view, array, c.iterations), SL_OK);
    ASSERT_VALID(s, result, "label_propagation");
    bool *used = sl_calloc(s->view.vertices + 1, sizeof *used);
    for (uint64_t v = 0; v < s->view.vertices; v++) {
        different += !used[array[v]];
        used[array[v]] = true;
    }
    assert_int_equal(c.communities, different);
    sl_free(used);
    sl_free(array);
}

/*
 * The graph with lengths. In half of the trials these are height(v) - height(u) + a random number
 * from 0, so that lengths can be negative, but cycles cannot.
 */
static sl_matrix *with_lengths(subject *s, sl_type type, uint64_t *random)
{
    const uint64_t m = s->rows.start[s->rows.nrows];
    const bool negative = type != SL_UINT8 && test_random(random) % 2;
    const uint64_t salt = test_random(random);
    sl_csr rows = s->rows;
    rows.type = type;
    rows.start = sl_malloc((rows.nrows + 1) * sizeof(uint64_t));
    rows.index = sl_malloc((m + 1) * sizeof(uint64_t));
    rows.values = sl_malloc((m + 1) * 8);
    memcpy(rows.start, s->rows.start, (rows.nrows + 1) * sizeof(uint64_t));
    memcpy(rows.index, s->rows.index, m * sizeof(uint64_t));
    for (uint64_t u = 0; u < rows.nrows; u++)
        for (uint64_t e = rows.start[u]; e < rows.start[u + 1]; e++) {
            int64_t length = (int64_t)(test_random(random) % 8);
            if (negative)
                length += (int64_t)((rows.index[e] ^ salt) % 13) - (int64_t)((u ^ salt) % 13);
            switch (type) {
            case SL_INT32:
                ((int32_t *)rows.values)[e] = (int32_t)length;
                break;
            case SL_UINT8:
                ((uint8_t *)rows.values)[e] = (uint8_t)length;
                break;
            case SL_INT64:
                ((int64_t *)rows.values)[e] = length;
                break;
            case SL_FP32:
                ((float *)rows.values)[e] = 0.5f * (float)length;
                break;
            default:
                ((double *)rows.values)[e] = negative ? (double)length : 0.1 * (double)length;
            }
        }
    sl_matrix *A;
    OK(s->ctx, sl_matrix_take_csr(&A, s->ctx, &rows));
    return A;
}

static void check_lengths(subject *s, const sl_matrix *A, uint64_t source)
{
    const sl_type type = sl_matrix_type(A);
    const bool real = type == SL_FP32 || type == SL_FP64;
    sl_vector *distance, *parent;
    sl_check_result result;
    sl_csr rows;
    void *distances;
    OK(s->ctx, sl_sssp(&distance, &parent, A, source));
    assert_int_equal(sl_vector_type(distance), real ? SL_FP64 : SL_INT64);
    OK(s->ctx, sl_distance_array(&distances, distance));
    OK(s->ctx, sl_matrix_copy_csr(&rows, A));
    int64_t *parents = int64_array(s->ctx, parent);
    assert_int_equal(sl_check_sssp(&result, &rows, source, distances, parents), SL_OK);
    ASSERT_VALID(s, result, "sssp, its tree");
    assert_int_equal(sl_check_sssp(&result, &rows, source, distances, NULL), SL_OK);
    ASSERT_VALID(s, result, "sssp, its distances");
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_free(distances);
    sl_free(parents);
    sl_vector_free(distance);
}

void check_sssp(subject *s, uint64_t *random)
{
    static const sl_type types[] = {SL_INT32, SL_UINT8, SL_INT64, SL_FP32, SL_FP64};
    check_lengths(s, s->A, draw_vertex(s, random));
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        sl_matrix *A = with_lengths(s, types[k], random);
        check_lengths(s, A, draw_vertex(s, random));
        sl_matrix_free(A);
    }
}

void check_pagerank(subject *s, uint64_t *random)
{
    for (int trial = 0; trial < 3; trial++) {
        const uint64_t n = s->view.vertices;
        double *jump = NULL;
        sl_vector *weights = NULL, *rank;
        if (trial == 1) { /* a few vertices, one of them with weight 0 */
            double sum = 0;
            jump = sl_calloc(n, sizeof *jump);
            OK(s->ctx, sl_vector_new(&weights, s->ctx, SL_FP64, n));
            for (int k = 0; k < 4; k++) {
                uint64_t v = draw_vertex(s, random);
                jump[v] = k == 0 ? 0 : 1 + (double)(test_random(random) % 9);
                OK(s->ctx, sl_vector_set(weights, v, sl_scalar_fp64(jump[v])));
            }
            for (uint64_t v = 0; v < n; v++)
                sum += jump[v];
            for (uint64_t v = 0; v < n; v++)
                jump[v] /= sum;
        }
        sl_pagerank_options o = {.personalisation = weights,
                                 .damping = trial == 2 ? 0.5 : 0,
                                 .tolerance = trial == 2 ? 1e-12 : 0};
        sl_pagerank_result r;
        sl_check_result result;
        OK(s->ctx, sl_pagerank(&rank, s->A, &o, &r));
        assert_true(r.converged && r.iterations <= 100);
        double *array = full_array(s->ctx, rank, SL_FP64);
        assert_int_equal(sl_check_pagerank(&result, &s->view, array, jump, &o, r.residual + 1e-12),
                         SL_OK);
        ASSERT_VALID(s, result, "pagerank");
        sl_free(array);
        sl_free(jump);
        sl_vector_free(weights);
    }
}

void check_betweenness(subject *s, uint64_t *random)
{
    enum { MOST = 7 };
    const double n = (double)s->view.vertices;
    uint64_t list[MOST], count = test_random(random) % (MOST + 1);
    for (uint64_t k = 0; k < count; k++)
        list[k] = draw_vertex(s, random);
    for (int form = 0; form < 5; form++) {
        const bool all = form % 2 == 0 && n < 100;
        const uint64_t *sources = all ? SL_ALL : list;
        sl_betweenness_options o = {.batch = (uint64_t)form * 3,
                                    .normalised = form == 2 || form == 3,
                                    .sampled = form == 1 && count > 0,
                                    .edges = form == 4 ? SL_EDGES_DIRECTED : SL_EDGES_AS_DECLARED};
        double scale = sl_matrix_is_declared_symmetric(s->A) && form != 4 ? 0.5 : 1;
        if (o.sampled)
            scale *= n / (double)count;
        if (o.normalised)
            scale = 0;
        sl_vector *centrality;
        sl_check_result result;
        OK(s->ctx, sl_betweenness(&centrality, s->A, sources, count, &o));
        double *array = full_array(s->ctx, centrality, SL_FP64);
        for (uint64_t v = 0; o.normalised && v < s->view.vertices; v++)
            assert_true(array[v] >= 0 && array[v] <= 1 + 1e-12);
        assert_int_equal(sl_check_betweenness(&result, &s->view, sources, count, scale, array),
                         SL_OK);
        ASSERT_VALID(s, result, "betweenness");
        sl_free(array);
    }
}

/* Of all vertices, exact and estimated from random ones, which may repeat. */
void check_closeness(subject *s, uint64_t *random)
{
    enum { MOST = 7 };
    uint64_t list[MOST], count = test_random(random) % (MOST + 1);
    for (uint64_t k = 0; k < count; k++)
        list[k] = draw_vertex(s, random);
    for (int form = 0; form < 3; form++) {
        const uint64_t *sources = form == 0 && s->view.vertices < 100 ? SL_ALL : list;
        const sl_closeness_options o = {.estimate = form == 2};
        sl_vector *closeness;
        sl_check_result result;
        void *array;
        uint64_t entries;
        OK(s->ctx, sl_closeness(&closeness, s->A, sources, count, &o));
        OK(s->ctx, sl_vector_nvals(&entries, closeness));
        assert_true(entries == s->view.vertices || (sources && !o.estimate));
        OK(s->ctx, sl_distance_array(&array, closeness));
        assert_int_equal(sl_check_closeness(&result, &s->view, sources, count, &o, array), SL_OK);
        ASSERT_VALID(s, result, "closeness");
        sl_free(array);
        sl_vector_free(closeness);
    }
}

void check_triangles(subject *s)
{
    uint64_t count, again;
    sl_vector *per_vertex;
    sl_check_result result;
    OK(s->ctx, sl_triangles(&count, NULL, s->A));
    OK(s->ctx, sl_triangles(&again, &per_vertex, s->A));
    assert_int_equal(count, again);
    int64_t *array = full_array(s->ctx, per_vertex, SL_INT64);
    assert_int_equal(sl_check_triangles(&result, &s->view, count, array), SL_OK);
    ASSERT_VALID(s, result, "triangles");
    sl_free(array);
}

void check_local_clustering(subject *s)
{
    sl_vector *coefficient;
    sl_clustering clustering;
    sl_check_result result;
    OK(s->ctx, sl_local_clustering(&coefficient, s->A, &clustering));
    double *array = full_array(s->ctx, coefficient, SL_FP64);
    assert_int_equal(sl_check_local_clustering(&result, &s->view, array, &clustering), SL_OK);
    ASSERT_VALID(s, result, "local_clustering");
    sl_free(array);
}

void check_core_numbers(subject *s)
{
    uint64_t greatest = UINT64_MAX;
    int64_t most = 0;
    sl_vector *core;
    sl_check_result result;
    OK(s->ctx, sl_core_numbers(&core, &greatest, s->A));
    int64_t *array = full_array(s->ctx, core, SL_INT64);
    assert_int_equal(sl_check_core_numbers(&result, &s->view, array), SL_OK);
    ASSERT_VALID(s, result, "core_numbers");
    for (uint64_t v = 0; v < s->view.vertices; v++)
        most = array[v] > most ? array[v] : most;
    assert_int_equal(greatest, most);
    sl_free(array);
}

void check_ktruss(subject *s)
{
    static const uint64_t numbers[] = {3, 4, 5, 7, UINT64_MAX};
    for (size_t t = 0; t < sizeof numbers / sizeof *numbers; t++) {
        sl_matrix *truss;
        sl_arrays entries;
        sl_check_result result;
        OK(s->ctx, sl_ktruss(&truss, s->A, numbers[t]));
        assert_int_equal(sl_matrix_type(truss), SL_INT64);
        OK(s->ctx, sl_matrix_copy_whole(&entries, truss));
        OK(s->ctx, sl_arrays_expand(s->ctx, &entries));
        assert_int_equal(sl_check_ktruss(&result, &s->view, numbers[t], entries.rows, entries.cols,
                                         entries.values, entries.nvals),
                         SL_OK);
        ASSERT_VALID(s, result, "ktruss");
        sl_arrays_free(&entries);
        sl_matrix_free(truss);
    }
}
