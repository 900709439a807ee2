/*
 * The Graph500 benchmark, "Graph 500 Benchmark 1 (Search)", specification 2.0:
 * kernel 1 makes the matrix, kernel 2 searches it from random roots.
 */
#include <inttypes.h>
#include <omp.h>
#include <time.h>

#include <semla/bfs.h>

enum { DEFAULT_ROOTS = 64, DEFAULT_EDGE_FACTOR = 16 };

typedef struct {
    sl_context *ctx;
    const sl_graph500_options *options;
    sl_graph500_report *report;
    sl_matrix *A;
    sl_csr csr;         /* A as plain arrays, for the validator; empty if it is skipped */
    uint64_t *ends;     /* tuples' ends at each vertex: both ends of a self-loop count */
    uint64_t *roots;    /* report->roots of them, once they are drawn */
    double *quantities; /* three arrays of report->roots: seconds, edges, edges per second */
} benchmark;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Random number `position` of a seed: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t draw(uint64_t seed, uint64_t position)
{
    uint64_t z = seed + (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static sl_status no_memory(sl_context *ctx, const char *what)
{
    return sl_fail(ctx, SL_NO_MEMORY, "graph500: no memory for %s", what);
}

/* Counts the tuples' ends, and gathers the vertices that an edge joins to
 * another: those that may be roots. */
static sl_status count_ends(benchmark *b, const sl_edges *edges, uint64_t **candidates,
                            uint64_t *count)
{
    const uint64_t n = edges->nrows;
    b->ends = sl_calloc(n, sizeof *b->ends);
    *candidates = sl_calloc(n, sizeof **candidates);
    if (!b->ends || !*candidates)
        return no_memory(b->ctx, "the degrees");
    uint64_t *joined = *candidates; /* a mark each, then the list in their place */
    for (uint64_t e = 0; e < edges->count; e++) {
        const uint64_t u = edges->row[e], v = edges->col[e];
        b->ends[u]++;
        b->ends[v]++;
        if (u != v)
            joined[u] = joined[v] = 1;
    }
    uint64_t found = 0;
    for (uint64_t v = 0; v < n; v++)
        if (joined[v])
            (*candidates)[found++] = v;
    *count = found;
    return SL_OK;
}

/* Draws distinct roots, as many as there are up to the number asked for: the
 * first steps of a shuffle of the candidates (Fisher, Yates). */
static sl_status draw_roots(benchmark *b, uint64_t *candidates, uint64_t count)
{
    const uint64_t asked = b->options->roots ? b->options->roots : DEFAULT_ROOTS;
    const uint64_t roots = asked < count ? asked : count;
    b->roots = sl_malloc((roots + 1) * sizeof *b->roots);
    b->quantities = sl_malloc((3 * roots + 1) * sizeof *b->quantities);
    if (!b->roots || !b->quantities)
        return no_memory(b->ctx, "the roots");
    const uint64_t key = draw(b->options->seed, 0);
    for (uint64_t i = 0; i < roots; i++) {
        const uint64_t j = i + draw(key, i) % (count - i);
        b->roots[i] = candidates[j];
        candidates[j] = candidates[i];
    }
    b->report->roots = (unsigned)roots;
    return SL_OK;
}

static sl_status generate(benchmark *b, sl_edges *edges)
{
    sl_graph500_report *r = b->report;
    const sl_generator model = {.model = SL_MODEL_KRONECKER,
                                .seed = b->options->seed,
                                .scale = b->options->scale,
                                .edge_factor = b->options->edge_factor};
    const double start = now();
    sl_status status = sl_generate(edges, b->ctx, &model);
    r->generation_seconds = now() - start;
    if (status != SL_OK)
        return status;
    r->scale = model.scale;
    r->edge_factor = model.edge_factor != 0 ? model.edge_factor : DEFAULT_EDGE_FACTOR;
    r->vertices = edges->nrows;
    r->input_edges = edges->count;
    return SL_OK;
}

/* Kernel 1: an undirected graph of the tuples, ready to be searched. */
static sl_status construct(benchmark *b, const sl_edges *edges)
{
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    const double start = now();
    sl_status status = sl_matrix_from_edges(&b->A, b->ctx, edges, &undirected);
    if (status == SL_OK)
        status = sl_matrix_optimize(b->A, SL_FOR_TRAVERSAL);
    b->report->construction_seconds = now() - start;
    return status;
}

/* The graph and the roots; the tuples are gone when it returns. */
static sl_status prepare(benchmark *b)
{
    sl_edges edges = {0};
    uint64_t *candidates = NULL, count = 0;
    sl_status status = generate(b, &edges);
    if (status == SL_OK)
        status = construct(b, &edges);
    if (status == SL_OK)
        status = count_ends(b, &edges, &candidates, &count);
    sl_edges_free(&edges);
    if (status == SL_OK)
        status = draw_roots(b, candidates, count);
    sl_free(candidates);
    if (status == SL_OK && !b->options->skip_validation)
        status = sl_matrix_copy_csr(&b->csr, b->A);
    return status;
}

static sl_status validate(benchmark *b, uint64_t root, const int64_t *parent)
{
    sl_graph500_report *r = b->report;
    const sl_graph_view view = {b->csr.nrows, b->csr.start, b->csr.index};
    sl_verdict verdict;
    const double start = now();
    sl_status status = sl_validate_search(&verdict, &view, root, parent, NULL, -1);
    r->validation_seconds += now() - start;
    if (status != SL_OK)
        return sl_fail(b->ctx, status,
                       "graph500: the tree of root %" PRIu64 " cannot be checked: %s", root,
                       sl_status_string(status));
    if (verdict.valid) {
        r->valid++;
    } else {
        r->failed_root = root;
        r->failure = verdict;
    }
    return SL_OK;
}

/* Kernel 2 for one root. The input tuples of its component, duplicates and
 * self-loops included, are what its rate counts. */
static sl_status search(benchmark *b, unsigned i)
{
    const sl_bfs_options options = {.direction = b->options->direction,
                                    .deterministic = b->options->deterministic};
    double *seconds = b->quantities, *edges = seconds + b->report->roots,
           *teps = edges + b->report->roots;
    sl_vector *tree = NULL;
    const double start = now();
    sl_status status = sl_bfs(&tree, NULL, b->A, b->roots[i], &options);
    seconds[i] = now() - start;
    int64_t *parent = NULL;
    if (status == SL_OK)
        status = sl_search_array(&parent, tree);
    sl_vector_free(tree);
    if (status != SL_OK)
        return status;

    uint64_t ends = 0;
    for (uint64_t v = 0; v < b->report->vertices; v++)
        ends += parent[v] == SL_UNREACHED ? 0 : b->ends[v];
    edges[i] = (double)(ends / 2);
    teps[i] = edges[i] / seconds[i];
    if (!b->options->skip_validation)
        status = validate(b, b->roots[i], parent);
    sl_free(parent);
    return status;
}

/* All roots, or up to the first whose tree is not valid. */
static sl_status search_all(benchmark *b)
{
    sl_graph500_report *r = b->report;
    const unsigned roots = r->roots;
    unsigned done = 0;
    bool valid = true;
    while (done < roots && valid) {
        sl_status status = search(b, done);
        if (status != SL_OK)
            return status;
        done++;
        valid = b->options->skip_validation || r->valid == done;
        if (b->options->progress)
            b->options->progress(b->options->progress_data, done, roots);
    }
    r->roots = done;
    sl_statistics_of(&r->seconds, b->quantities, done, false);
    sl_statistics_of(&r->edges, b->quantities + roots, done, false);
    sl_statistics_of(&r->teps, b->quantities + 2 * (size_t)roots, done, true);
    return SL_OK;
}

/*
 * Kernel 2 finds parents, as the specification asks; the levels that the
 * validator holds against the graph follow from these. With skip_validation
 * `valid` stays 0. If no vertex has an edge to another, there are no roots and
 * the statistics are 0. *report is zeroed on failure. Errors: SL_INVALID (NULL;
 * a size that the model cannot have), SL_NO_MEMORY, and those of sl_bfs.
 */
sl_status sl_graph500(sl_graph500_report *report, sl_context *ctx,
                      const sl_graph500_options *options)
{
    if (report)
        *report = (sl_graph500_report){0};
    if (!report || !ctx || !options)
        return sl_fail(ctx, SL_INVALID, "graph500: %s is NULL",
                       !report ? "report" : (!ctx ? "ctx" : "options"));
    benchmark b = {.ctx = ctx, .options = options, .report = report};
    /* What is not an operation of the context keeps to its threads and memory too. */
    int threads = omp_get_max_threads();
    sl_context *before = sl_context_charge(ctx);
    omp_set_num_threads(sl_context_threads(ctx));
    sl_status status = prepare(&b);
    if (status == SL_OK)
        status = search_all(&b);
    omp_set_num_threads(threads);
    sl_context_charge(before);
    sl_free(b.quantities);
    sl_free(b.roots);
    sl_free(b.ends);
    sl_free(b.csr.start);
    sl_free(b.csr.index);
    sl_free(b.csr.values);
    sl_matrix_free(b.A);
    if (status != SL_OK)
        *report = (sl_graph500_report){0};
    return status;
}
