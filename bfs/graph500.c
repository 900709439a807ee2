/*
 * The Graph500 benchmark, specification 3.0: kernel 1 makes the matrix, kernel 2 searches it from
 * random roots, kernel 3 (graph500_paths.c) computes the shortest paths from the same roots.
 *
 * The edges are generated on the host, on each process of a grid its part, or by the engine inside
 * kernel 1 (sl_generator_supported); then the host never holds an array as long as the edges.
 * Kernel 3 needs weights; of duplicates the least weight counts. The rate of a search counts the
 * input edges in its component, duplicates and self-loops included: half the sum of `endpoints`
 * over the reached vertices.
 */
#include <semla/edge_generator.h>

#include "bfs/graph500.h"

#include <math.h>
#include <omp.h>

enum { DEFAULT_ROOTS = 64, DEFAULT_EDGE_FACTOR = 16 };

static sl_status no_memory(sl_context *ctx, const char *what)
{
    return sl_fail(ctx, SL_NO_MEMORY, "graph500: no memory for %s", what);
}

/* Counts the ends of edges at each vertex, and marks the vertices with an edge to another vertex:
 * those that can be roots. */
static sl_status count_endpoints(sl_benchmark *b, const sl_edges *edges, uint8_t **joined)
{
    const uint64_t n = edges->nrows;
    b->endpoints = sl_calloc(n, sizeof *b->endpoints);
    *joined = sl_calloc(n, 1);
    if (!b->endpoints || !*joined)
        return no_memory(b->ctx, "the degrees");
    for (uint64_t e = 0; e < edges->count; e++) {
        const uint64_t u = edges->row[e], v = edges->col[e];
        b->endpoints[u]++;
        b->endpoints[v]++;
        if (u != v)
            (*joined)[u] = (*joined)[v] = 1;
    }
    return SL_OK;
}

/* The marks of all processes as a vector with an entry for each marked vertex. */
static sl_status gather_marks(sl_benchmark *b, sl_vector **marks, const uint8_t *joined)
{
    const uint64_t n = b->report->vertices;
    uint64_t *index = sl_malloc((n + 1) * sizeof *index), count = 0;
    sl_status status = sl_agree(b->ctx, index ? SL_OK : no_memory(b->ctx, "the roots"));
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        if (joined[v])
            index[count++] = v;
    if (status == SL_OK)
        status = sl_vector_new(marks, b->ctx, SL_BOOL, n);
    if (status == SL_OK)
        status = sl_vector_build(*marks, index, NULL, count, SL_LOR_BOOL);
    sl_free(index);
    return status;
}

/*
 * Draws distinct roots among the marked vertices, at most the number of the options. Candidates are
 * a i + c modulo the number of vertices for i = 0, 1, ...; as that number is a power of two and a
 * is odd, each vertex is a candidate once. The roots do not depend on the grid.
 */
static sl_status draw_roots(sl_benchmark *b, const sl_vector *marks)
{
    const uint64_t asked = b->options->roots ? b->options->roots : DEFAULT_ROOTS;
    const uint64_t key = sl_random(b->options->seed, 0), n = b->report->vertices;
    const uint64_t step = sl_random(key, 0) | 1, first = sl_random(key, 1);
    uint64_t roots, drawn = 0;
    sl_status status = sl_vector_nvals(&roots, marks);
    roots = status == SL_OK && roots < asked ? roots : asked;
    b->roots = sl_malloc((roots + 1) * sizeof *b->roots);
    b->quantities = sl_calloc(QUANTITIES * roots + 1, sizeof *b->quantities);
    if (status == SL_OK && (!b->roots || !b->quantities))
        status = no_memory(b->ctx, "the roots");
    status = sl_agree(b->ctx, status);
    for (uint64_t i = 0; status == SL_OK && drawn < roots; i++) {
        sl_scalar mark;
        const uint64_t v = (first + step * i) & (n - 1);
        sl_status is_marked = sl_vector_get(&mark, marks, v);
        if (is_marked == SL_OK)
            b->roots[drawn++] = v;
        else if (is_marked != SL_NO_VALUE)
            status = is_marked;
    }
    b->drawn = (unsigned)drawn;
    return status;
}

/* The endpoint counts of all processes as a vector in the engine's memory. */
static sl_status make_endpoint_vector(sl_benchmark *b)
{
    const uint64_t n = b->report->vertices;
    uint64_t *index = sl_malloc((n + 1) * sizeof *index), count = 0;
    sl_status status = sl_agree(b->ctx, index ? SL_OK : no_memory(b->ctx, "the degrees"));
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        if (b->endpoints[v]) {
            index[count] = v;
            b->endpoints[count++] = b->endpoints[v];
        }
    if (status == SL_OK)
        status = sl_vector_new(&b->endpoint_vector, b->ctx, SL_INT64, n);
    if (status == SL_OK) /* uint64 below 2^63 and int64 have the same bits */
        status = sl_vector_build(b->endpoint_vector, index, b->endpoints, count, SL_PLUS_INT64);
    sl_free(index);
    return status;
}

static void describe_model(sl_benchmark *b)
{
    sl_graph500_report *r = b->report;
    r->scale = b->model.scale;
    r->edge_factor = b->model.edge_factor != 0 ? b->model.edge_factor : DEFAULT_EDGE_FACTOR;
    r->vertices = UINT64_C(1) << r->scale;
    r->input_edges = (uint64_t)round(ldexp(r->edge_factor, (int)r->scale));
    r->parent_bits = b->options->int64 || r->scale > 31 ? 64 : 32;
}

static sl_status generate(sl_benchmark *b, sl_edges *edges)
{
    const double start = sl_benchmark_now();
    sl_status status = sl_generate(edges, b->ctx, &b->model);
    b->report->generation_seconds = sl_benchmark_now() - start;
    if (status == SL_OK)
        describe_model(b);
    return status;
}

/* Kernel 1: makes the matrix of the undirected graph and prepares it for searches and, if kernel 3 will
 * run, for shortest paths. edges NULL: the engine generates the edges too. */
static sl_status construct(sl_benchmark *b, const sl_edges *edges)
{
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS,
                                        .duplicates = SL_DUPLICATES_MIN};
    const double start = sl_benchmark_now();
    sl_status status = edges ? sl_matrix_from_edges(&b->A, b->ctx, edges, &undirected)
                             : sl_matrix_generate(&b->A, b->ctx, &b->model, &undirected);
    const double built = sl_benchmark_now();
    if (status == SL_OK)
        status = sl_matrix_optimize(b->A, SL_FOR_TRAVERSAL | (b->options->prune ? SL_PRUNED : 0) |
                                              (b->options->sssp ? SL_FOR_PATHS : 0));
    b->report->construction_seconds = sl_benchmark_now() - start;
    b->report->preparation_seconds = sl_benchmark_now() - built;
    return status == SL_OK ? sl_matrix_placement(&b->report->placement, b->A) : status;
}

/* The roots and the graph if an engine generates the edges. The graph is last, so that the first search
 * follows its preparation: counting degrees in between evicts the graph from the device's caches. */
static sl_status prepare_on_engine(sl_benchmark *b)
{
    sl_vector *marks = NULL;
    describe_model(b);
    sl_status status = sl_generator_degrees(&b->endpoint_vector, &marks, b->ctx, &b->model);
    if (status == SL_OK)
        status = draw_roots(b, marks);
    sl_vector_free(marks);
    return status == SL_OK ? construct(b, NULL) : status;
}

/* The graph and the roots. The edges are freed. */
static sl_status prepare(sl_benchmark *b)
{
    sl_edges edges = {0};
    if (b->generated)
        return prepare_on_engine(b);
    sl_vector *marks = NULL;
    uint8_t *joined = NULL;
    sl_status status = generate(b, &edges);
    if (status == SL_OK)
        status = construct(b, &edges);
    if (status == SL_OK)
        status = sl_agree(b->ctx, count_endpoints(b, &edges, &joined));
    sl_edges_free(&edges);
    if (status == SL_OK)
        status = gather_marks(b, &marks, joined);
    sl_free(joined);
    if (status == SL_OK)
        status = draw_roots(b, marks);
    sl_vector_free(marks);
    if (status == SL_OK && b->in_place)
        status = make_endpoint_vector(b);
    else if (status == SL_OK && !b->options->skip_validation)
        status = sl_matrix_copy_csr(&b->csr, b->A);
    return status;
}

static sl_bfs_options search_options(const sl_benchmark *b)
{
    return (sl_bfs_options){.direction = b->options->direction,
                            .deterministic = b->options->deterministic,
                            .int32 = b->report->parent_bits == 32};
}

/* Kernel 2 for one root. */
static sl_status search(sl_benchmark *b, unsigned i)
{
    const sl_bfs_options options = search_options(b);
    double *seconds = sl_benchmark_quantity(b, SECONDS), *edges = sl_benchmark_quantity(b, EDGES),
           *teps = sl_benchmark_quantity(b, TEPS);
    sl_vector *tree = NULL;
    const double start = sl_benchmark_now();
    sl_status status = sl_bfs(&tree, NULL, b->A, b->roots[i], &options);
    seconds[i] = sl_benchmark_now() - start;
    uint64_t endpoints = 0;
    if (status == SL_OK)
        status = sl_benchmark_validate(b, b->roots[i], tree, &endpoints);
    sl_vector_free(tree);
    const uint64_t traversed = endpoints / 2;
    edges[i] = (double)traversed;
    teps[i] = edges[i] / seconds[i];
    return status;
}

/*
 * Measures the energy of searches one after another, as the Green Graph500 does: the mean power
 * while the searches run. They are repeated, because meters are updated only a few times a second.
 */
static sl_status measure_energy(sl_benchmark *b)
{
    sl_graph500_report *r = b->report;
    const sl_bfs_options options = search_options(b);
    double before, after;
    sl_status status = sl_context_energy(b->ctx, &before);
    const double start = sl_benchmark_now();
    for (unsigned i = 0; status == SL_OK && r->energy_seconds < b->options->energy_seconds; i++) {
        sl_vector *tree = NULL;
        status = sl_bfs(&tree, NULL, b->A, b->roots[i % r->roots], &options);
        sl_vector_free(tree);
        r->energy_seconds = sl_benchmark_now() - start;
    }
    if (status == SL_OK)
        status = sl_context_energy(b->ctx, &after);
    if (status != SL_OK)
        return status;
    r->joules = after - before;
    r->watts = r->joules / r->energy_seconds;
    r->mteps_per_watt = r->watts > 0 ? 1e-6 * r->teps.mean / r->watts : 0;
    return SL_OK;
}

/*
 * Runs a kernel for all roots, or up to the first result that is not valid. *done is the number of
 * roots, *valid the number of valid results, which the kernel counts.
 */
static sl_status for_all_roots(sl_benchmark *b, sl_status (*kernel)(sl_benchmark *, unsigned),
                               unsigned *done, const unsigned *valid)
{
    bool all_valid = true;
    while (*done < b->drawn && all_valid) {
        sl_status status = kernel(b, *done);
        if (status != SL_OK)
            return status;
        ++*done;
        all_valid = b->options->skip_validation || *valid == *done;
        b->progress.done++;
        if (b->options->progress)
            b->options->progress(b->options->progress_data, (unsigned)b->progress.done,
                                 (unsigned)b->progress.total);
    }
    return SL_OK;
}

/* The statistics of `count` values of one quantity. */
static void summarise(sl_statistics *s, const sl_benchmark *b, quantity which, unsigned count,
                      bool harmonic)
{
    sl_statistics_of(s, sl_benchmark_quantity(b, which), count, harmonic);
}

/* Kernel 2 and, if it is asked for and all trees are valid, kernel 3. */
static sl_status run_kernels(sl_benchmark *b)
{
    sl_graph500_report *r = b->report;
    b->progress.operation = "graph500";
    b->progress.total = (b->options->sssp ? 2 : 1) * (uint64_t)b->drawn;
    sl_progress_begin(b->ctx, &b->progress);
    sl_status status = for_all_roots(b, search, &r->roots, &r->valid);
    const bool valid = b->options->skip_validation || r->valid == r->roots;
    if (status == SL_OK && b->options->sssp && valid)
        status = for_all_roots(b, sl_benchmark_paths, &r->sssp.roots, &r->sssp.valid);
    if (status != SL_OK)
        return status;
    r->first_seconds = r->roots ? sl_benchmark_quantity(b, SECONDS)[0] : 0;
    summarise(&r->seconds, b, SECONDS, r->roots, false);
    summarise(&r->edges, b, EDGES, r->roots, false);
    summarise(&r->teps, b, TEPS, r->roots, true);
    summarise(&r->sssp.seconds, b, PATH_SECONDS, r->sssp.roots, false);
    summarise(&r->sssp.teps, b, PATH_TEPS, r->sssp.roots, true);
    return SL_OK;
}

static sl_status agree_on_arguments(sl_graph500_report *report, sl_context *ctx,
                                    const sl_graph500_options *options)
{
    static const sl_graph500_options none;
    const sl_graph500_options *o = options ? options : &none;
    sl_status status = SL_OK;
    if (!report || !ctx || !options)
        status = sl_fail(ctx, SL_INVALID, "graph500: %s is NULL",
                         !report ? "report" : (!ctx ? "ctx" : "options"));
    return sl_agree_arguments(ctx, status, "graph500",
                              "scale %u\nedge_factor %.17g\nseed %llu\nroots %u\nsssp %d\n"
                              "prune %d\nskip_validation %d\nvalidate_in_place %d\n"
                              "energy_seconds %.17g\ndeterministic %d\nint64 %d\ndirection %d\n",
                              o->scale, o->edge_factor, (unsigned long long)o->seed, o->roots,
                              o->sssp, o->prune, o->skip_validation, o->validate_in_place,
                              o->energy_seconds, o->deterministic, o->int64, (int)o->direction);
}

sl_status sl_graph500(sl_graph500_report *report, sl_context *ctx,
                      const sl_graph500_options *options)
{
    if (report)
        *report = (sl_graph500_report){0};
    sl_status status = agree_on_arguments(report, ctx, options);
    if (status != SL_OK)
        return status;
    sl_benchmark b = {.ctx = ctx,
                      .options = options,
                      .report = report,
                      .model = {.model = SL_MODEL_KRONECKER,
                                .seed = options->seed,
                                .scale = options->scale,
                                .edge_factor = options->edge_factor,
                                .weighted = options->sssp},
                      .in_place = options->validate_in_place};
    b.generated = sl_generator_supported(ctx, &b.model);
    if (!b.generated && sl_context_processes(ctx) > 1)
        b.in_place = true;
    /* Generating and validating use the threads and the memory limit of the context too. */
    int threads = omp_get_max_threads();
    sl_context *before = sl_context_charge(ctx);
    omp_set_num_threads(sl_context_threads(ctx));
    status = prepare(&b);
    if (status == SL_OK && options->energy_seconds > 0)
        status = sl_context_energy(ctx, &(double){0}); /* fail before a long run, not after it */
    if (status == SL_OK)
        status = run_kernels(&b);
    if (status == SL_OK && options->energy_seconds > 0 && report->roots > 0)
        status = measure_energy(&b);
    sl_progress_end(ctx, &b.progress);
    omp_set_num_threads(threads);
    sl_context_charge(before);
    sl_free(b.quantities);
    sl_free(b.roots);
    sl_free(b.endpoints);
    sl_vector_free(b.endpoint_vector);
    sl_free(b.csr.start);
    sl_free(b.csr.index);
    sl_free(b.csr.values);
    sl_matrix_free(b.A);
    if (status != SL_OK)
        *report = (sl_graph500_report){0};
    return status;
}
