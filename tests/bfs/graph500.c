/* The Graph500 benchmark at small scales. */
#include <math.h>
#include <string.h>

#include <semla/bfs.h>

#include "library_context.h"

static void assert_ordered(const sl_statistics *s)
{
    assert_true(s->min > 0 && s->min <= s->first_quartile && s->first_quartile <= s->median);
    assert_true(s->median <= s->third_quartile && s->third_quartile <= s->max);
    assert_true(s->mean >= s->min * (1 - 1e-12) && s->mean <= s->max * (1 + 1e-12));
    assert_true(s->stddev >= 0 && isfinite(s->stddev));
}

/* The number of vertices with an edge to another vertex. */
static uint64_t count_candidates(const sl_graph500_options *options)
{
    sl_edges edges;
    const sl_generator model = {.model = SL_MODEL_KRONECKER,
                                .seed = options->seed,
                                .scale = options->scale,
                                .edge_factor = options->edge_factor};
    OK(ctx, sl_generate(&edges, ctx, &model));
    bool *joined = test_calloc(edges.nrows, sizeof *joined);
    for (uint64_t e = 0; e < edges.count; e++)
        if (edges.row[e] != edges.col[e])
            joined[edges.row[e]] = joined[edges.col[e]] = true;
    uint64_t count = 0;
    for (uint64_t v = 0; v < edges.nrows; v++)
        count += joined[v];
    test_free(joined);
    sl_edges_free(&edges);
    return count;
}

static void small_scales(void **state)
{
    (void)state;
    const bool by_engine =
        sl_generator_supported(ctx, &(sl_generator){.model = SL_MODEL_KRONECKER, .scale = 4});
    for (unsigned scale = 4; scale <= 10; scale++) {
        for (sl_direction direction = SL_AUTO; direction <= SL_PULL; direction++) {
            const sl_graph500_options options = {.scale = scale,
                                                 .seed = scale,
                                                 .direction = direction,
                                                 .deterministic = scale % 2,
                                                 .int64 = scale % 3 == 0};
            sl_graph500_report r;
            memset(&r, 0xff, sizeof r);
            OK(ctx, sl_graph500(&r, ctx, &options));
            const uint64_t possible = count_candidates(&options);
            assert_int_equal(r.scale, scale);
            assert_true(r.edge_factor == 16);
            assert_int_equal(r.parent_bits, scale % 3 ? 32 : 64);
            assert_int_equal(r.vertices, 1u << scale);
            assert_int_equal(r.input_edges, 16u << scale);
            assert_int_equal(r.roots, possible < 64 ? possible : 64);
            assert_string_equal(r.failure.reason, "");
            assert_int_equal(r.valid, r.roots);
            assert_true(r.construction_seconds > 0);
            assert_true(r.generation_seconds >= 0);
            assert_int_equal(r.generation_seconds == 0, by_engine);
            assert_true(r.preparation_seconds > 0 &&
                        r.preparation_seconds < r.construction_seconds);
            assert_true(r.validation_seconds > 0);
            assert_ordered(&r.seconds);
            assert_ordered(&r.edges);
            assert_ordered(&r.teps);
            assert_true(r.edges.max <= (double)r.input_edges);
            /* nearly all edges are in the giant component */
            assert_true(r.edges.median > 0.9 * (double)r.input_edges);
            assert_true(r.teps.max <= r.edges.max / r.seconds.min * (1 + 1e-12));
        }
    }
}

/* All roots of a graph of many components: the edges of every component are counted by union-find
 * over the generated edges, self-loops and duplicates included. */
static void edges_of_components(void **state)
{
    (void)state;
    const sl_graph500_options options = {.scale = 6, .edge_factor = 0.9, .seed = 4, .roots = 1000};
    sl_graph500_report r;
    OK(ctx, sl_graph500(&r, ctx, &options));
    assert_int_equal(r.roots, count_candidates(&options));
    assert_int_equal(r.valid, r.roots);

    sl_edges edges;
    OK(ctx,
       sl_generate(&edges, ctx,
                   &(sl_generator){
                       .model = SL_MODEL_KRONECKER, .seed = 4, .scale = 6, .edge_factor = 0.9}));
    uint64_t part[64], tuples[64] = {0};
    bool joined[64] = {false};
    for (uint64_t v = 0; v < 64; v++)
        part[v] = v;
    for (uint64_t e = 0; e < edges.count; e++) {
        uint64_t a = part[edges.row[e]], b = part[edges.col[e]];
        for (uint64_t v = 0; v < 64; v++)
            part[v] = part[v] == a ? b : part[v];
        if (edges.row[e] != edges.col[e])
            joined[edges.row[e]] = joined[edges.col[e]] = true;
    }
    for (uint64_t e = 0; e < edges.count; e++)
        tuples[part[edges.row[e]]]++;
    double least = INFINITY, most = 0, sum = 0, loops = 0;
    for (uint64_t v = 0; v < 64; v++) {
        if (!joined[v])
            continue;
        double here = (double)tuples[part[v]];
        least = here < least ? here : least;
        most = here > most ? here : most;
        sum += here;
    }
    for (uint64_t e = 0; e < edges.count; e++)
        loops += edges.row[e] == edges.col[e];
    assert_true(loops > 0 && least < most); /* the case is not trivial */
    assert_true(r.edges.min == least && r.edges.max == most);
    assert_true(fabs(r.edges.mean - sum / r.roots) < 1e-9);
    sl_edges_free(&edges);
}

/* A graph of one vertex has only self-loops, and so no roots. */
static void no_roots(void **state)
{
    (void)state;
    const sl_graph500_options options = {.scale = 0};
    const sl_statistics zero = {0};
    sl_graph500_report r;
    OK(ctx, sl_graph500(&r, ctx, &options));
    assert_int_equal(r.vertices, 1);
    assert_int_equal(r.input_edges, 16);
    assert_true(r.roots == 0 && r.valid == 0);
    assert_memory_equal(&r.teps, &zero, sizeof zero);
}

static void few_roots(void **state)
{
    (void)state;
    sl_graph500_report r;
    OK(ctx, sl_graph500(&r, ctx, &(sl_graph500_options){.scale = 6, .roots = 3}));
    assert_true(r.roots == 3 && r.valid == 3);
    OK(ctx, sl_graph500(&r, ctx, &(sl_graph500_options){.scale = 1, .roots = UINT32_MAX}));
    assert_true(r.roots == 2 && r.valid == 2);
}

static void without_validation(void **state)
{
    (void)state;
    sl_graph500_report r;
    OK(ctx, sl_graph500(&r, ctx, &(sl_graph500_options){.scale = 7, .skip_validation = true}));
    assert_true(r.roots == 64 && r.valid == 0 && r.validation_seconds == 0);
    assert_ordered(&r.edges);
    assert_ordered(&r.teps);
}

typedef struct {
    unsigned calls, of;
    bool in_order;
} progress_seen;

static void see_progress(void *data, unsigned done, unsigned of)
{
    progress_seen *seen = data;
    seen->in_order &= done == ++seen->calls;
    seen->of = of;
}

static void progress(void **state)
{
    (void)state;
    progress_seen seen = {.in_order = true};
    sl_graph500_report r;
    OK(ctx,
       sl_graph500(&r, ctx,
                   &(sl_graph500_options){
                       .scale = 6, .roots = 5, .progress = see_progress, .progress_data = &seen}));
    assert_true(seen.calls == 5 && seen.of == 5 && seen.in_order);
}

/* The same seed gives the same graph and roots, another seed others. */
static void seeds(void **state)
{
    (void)state;
    sl_graph500_options options = {.scale = 8, .edge_factor = 1, .seed = 1};
    sl_graph500_report a, again, b;
    OK(ctx, sl_graph500(&a, ctx, &options));
    OK(ctx, sl_graph500(&again, ctx, &options));
    options.seed = 2;
    OK(ctx, sl_graph500(&b, ctx, &options));
    assert_memory_equal(&a.edges, &again.edges, sizeof a.edges);
    assert_memory_not_equal(&a.edges, &b.edges, sizeof a.edges);
}

static void assert_refused(const sl_graph500_options *options, const char *message)
{
    sl_graph500_report r;
    const sl_graph500_report zero = {0};
    memset(&r, 0xff, sizeof r);
    assert_int_equal(sl_graph500(&r, ctx, options), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), message);
    assert_memory_equal(&r.roots, &zero.roots, sizeof r.roots);
    assert_true(r.vertices == 0 && r.input_edges == 0 && r.failure.reason[0] == 0);
}

static void wrong_options(void **state)
{
    (void)state;
    assert_refused(NULL, "graph500: options is NULL");
    assert_refused(&(sl_graph500_options){.scale = 41}, "generate: scale 41 is above the limit 40");
    assert_refused(&(sl_graph500_options){.scale = 4, .edge_factor = -2},
                   "generate: edge factor is -2; must be a positive number");
    assert_int_equal(sl_graph500(NULL, ctx, &(sl_graph500_options){.scale = 4}), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "graph500: report is NULL");
    sl_graph500_report r;
    assert_int_equal(sl_graph500(&r, NULL, &(sl_graph500_options){.scale = 4}), SL_INVALID);
    assert_int_equal(
        sl_graph500(&r, ctx, &(sl_graph500_options){.scale = 4, .direction = (sl_direction)9}),
        SL_INVALID);
}

static sl_status run_small(void *data)
{
    (void)data;
    sl_graph500_report r;
    sl_status status = sl_graph500(&r, ctx, &(sl_graph500_options){.scale = 4, .roots = 2});
    assert_true(status != SL_OK || r.valid == 2);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    assert_true(allocator_fail_each(run_small, NULL) > 5);
}

static void validated_in_place(void **state)
{
    (void)state;
    for (unsigned scale = 4; scale <= 9; scale++) {
        const sl_graph500_options on_arrays = {
            .scale = scale, .seed = scale, .deterministic = true};
        sl_graph500_options in_place = on_arrays;
        in_place.validate_in_place = true;
        sl_graph500_report r, s;
        OK(ctx, sl_graph500(&r, ctx, &on_arrays));
        OK(ctx, sl_graph500(&s, ctx, &in_place));
        assert_int_equal(s.roots, r.roots);
        assert_int_equal(s.valid, s.roots);
        assert_memory_equal(&s.edges, &r.edges, sizeof s.edges);
    }
}

static void energy_needs_a_meter(void **state)
{
    (void)state;
    sl_context *host;
    double joules = 1;
    OK(NULL, sl_context_create(&host, SL_ENGINE_SUITESPARSE));
    assert_int_equal(sl_context_energy(host, NULL), SL_INVALID);
    assert_int_equal(sl_context_energy(NULL, &joules), SL_INVALID);
    assert_int_equal(sl_context_energy(host, &joules), SL_UNSUPPORTED);
    assert_string_equal(sl_context_message(host),
                        "energy: no engine of this context has a meter: suitesparse has none");
    const sl_graph500_options options = {.scale = 5, .energy_seconds = 0.01};
    sl_graph500_report r;
    assert_int_equal(sl_graph500(&r, host, &options), SL_UNSUPPORTED);
    sl_context_free(host);
}

static void energy_of_a_gpu(void **state)
{
    (void)state;
    sl_context *gpu;
    double joules;
    if (sl_context_create(&gpu, SL_ENGINE_CUDA) != SL_OK)
        skip();
    sl_status status = sl_context_energy(gpu, &joules);
    if (status == SL_UNSUPPORTED) { /* this board or driver has no counter */
        assert_non_null(strstr(sl_context_message(gpu), "energy: "));
    } else {
        const sl_graph500_options options = {.scale = 10, .energy_seconds = 0.5};
        sl_graph500_report r;
        OK(gpu, sl_graph500(&r, gpu, &options));
        assert_true(r.energy_seconds >= 0.5 && r.joules > 0 && r.watts > 1 && r.mteps_per_watt > 0);
    }
    sl_context_free(gpu);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_scales),
        cmocka_unit_test(edges_of_components),
        cmocka_unit_test(no_roots),
        cmocka_unit_test(few_roots),
        cmocka_unit_test(without_validation),
        cmocka_unit_test(progress),
        cmocka_unit_test(seeds),
        cmocka_unit_test(wrong_options),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(validated_in_place),
        cmocka_unit_test(energy_needs_a_meter),
        cmocka_unit_test(energy_of_a_gpu),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
