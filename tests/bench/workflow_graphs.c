/* The graphs of bench_workflows: a model, lengths from a hash of both vertices, and sources. */
#include "workflow_graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_edge(uint64_t u, uint64_t v)
{
    uint64_t x = (u < v ? u << 32 | v : v << 32 | u) + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A grid of which 65 % of the edges remain: one large component and many small ones. */
static sl_matrix *lattice(sl_context *ctx, uint64_t side)
{
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    const sl_generator grid = {.seed = 1, .model = SL_MODEL_GRID, .side = {side, side}};
    sl_edges edges;
    sl_matrix *A;
    uint64_t kept = 0;
    MUST(ctx, sl_generate(&edges, ctx, &grid));
    for (uint64_t k = 0; k < edges.count; k++)
        if (hash_edge(edges.row[k], edges.col[k]) % 100 < 65) {
            edges.row[kept] = edges.row[k];
            edges.col[kept++] = edges.col[k];
        }
    edges.count = kept;
    MUST(ctx, sl_matrix_from_edges(&A, ctx, &edges, &undirected));
    sl_edges_free(&edges);
    return A;
}

/* The graph of a file. Edge lists are renumbered, so that vertices without edges that only gaps
 * between the ids make are left out. */
static sl_matrix *read_graph(sl_context *ctx, const char *path, sl_file_format format)
{
    sl_read_options undirected = {.format = format,
                                  .flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS,
                                  .duplicates = SL_DUPLICATES_MIN};
    sl_matrix *A;
    if (format == SL_FORMAT_AUTO)
        format = sl_format_of_name(path);
    if (format == SL_FORMAT_AUTO || format == SL_FORMAT_EDGE_LIST)
        undirected.flags |= SL_READ_RENUMBER;
    uint64_t *ids = NULL;
    MUST(ctx, sl_matrix_read_with(&A, &ids, ctx, path, &undirected));
    sl_free(ids);
    return A;
}

/* A with its own lengths, which are the values of a file, and the pattern of A. */
static void use_values(workflow_graph *g)
{
    g->lengths = g->A;
    MUST(g->ctx, sl_matrix_copy_csr(&g->rows, g->lengths));
    sl_csr pattern;
    MUST(g->ctx, sl_matrix_copy_csr(&pattern, g->lengths));
    sl_free(pattern.values);
    pattern.values = NULL;
    pattern.type = SL_BOOL;
    MUST(g->ctx, sl_matrix_take_csr(&g->A, g->ctx, &pattern));
    MUST(g->ctx, sl_matrix_promise_symmetric(g->A));
    g->view = sl_view_of(&g->rows);
}

static void add_lengths(workflow_graph *g)
{
    sl_csr *rows = &g->rows;
    MUST(g->ctx, sl_matrix_copy_csr(rows, g->A));
    int32_t *length = sl_malloc((rows->start[rows->nrows] + 1) * sizeof *length);
    MUST(g->ctx, length ? SL_OK : SL_NO_MEMORY);
#pragma omp parallel for schedule(dynamic, 1024)
    for (uint64_t u = 0; u < rows->nrows; u++)
        for (uint64_t e = rows->start[u]; e < rows->start[u + 1]; e++)
            length[e] = (int32_t)(1 + hash_edge(u, rows->index[e]) % 255);
    sl_free(rows->values);
    rows->type = SL_INT32;
    rows->values = length;
    MUST(g->ctx, sl_matrix_take_csr(&g->lengths, g->ctx, rows));
    MUST(g->ctx, sl_matrix_copy_csr(rows, g->lengths));
    g->view = sl_view_of(rows);
}

/* The least vertex of the component with the most vertices. */
static int64_t largest_component(const workflow_graph *g, const int64_t *component)
{
    const uint64_t n = g->view.vertices;
    uint64_t *size = calloc(n, sizeof *size), best = 0;
    MUST(g->ctx, size ? SL_OK : SL_NO_MEMORY);
    for (uint64_t v = 0; v < n; v++)
        size[component[v]]++;
    for (uint64_t v = 1; v < n; v++)
        if (size[v] > size[best])
            best = v;
    free(size);
    return (int64_t)best;
}

static void choose_sources(workflow_graph *g)
{
    const uint64_t n = g->view.vertices;
    int64_t *component = malloc(n * sizeof *component);
    MUST(g->ctx, component ? SL_OK : SL_NO_MEMORY);
    MUST(g->ctx, sl_plain_components(component, &g->view));
    const int64_t largest = largest_component(g, component);
    uint64_t state = 12345;
    for (int s = 0; s < WORKFLOW_SOURCES; s++)
        do {
            state = state * 6364136223846793005u + 1442695040888963407u;
            g->sources[s] = (state >> 11) % n;
        } while (component[g->sources[s]] != largest);
    free(component);
}

void workflow_graph_make(workflow_graph *g, sl_context *ctx, const char *model)
{
    *g = (workflow_graph){.ctx = ctx};
    bool pattern = true;
    if (strncmp(model, "lattice:", 8) == 0)
        g->A = lattice(ctx, strtoull(model + 8, NULL, 10));
    else if (strncmp(model, "file:", 5) == 0)
        g->A = read_graph(ctx, model + 5, SL_FORMAT_AUTO);
    else if (strncmp(model, "edges:", 6) == 0)
        g->A = read_graph(ctx, model + 6, SL_FORMAT_EDGE_LIST);
    else
        g->A = bench_graph(ctx, model);
    MUST(ctx, sl_matrix_is_pattern(&pattern, g->A));
    (pattern ? add_lengths : use_values)(g);
    choose_sources(g);
    MUST(ctx, sl_matrix_optimize(g->A, SL_FOR_TRAVERSAL));
    MUST(ctx, sl_matrix_optimize(g->lengths, SL_FOR_TRAVERSAL));
}

void workflow_graph_free(workflow_graph *g)
{
    sl_free(g->rows.start);
    sl_free(g->rows.index);
    sl_free(g->rows.values);
    sl_matrix_free(g->A);
    sl_matrix_free(g->lengths);
}
