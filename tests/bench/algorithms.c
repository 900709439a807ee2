/*
 * The algorithms compared with plain implementations on arrays, in one run:
 *
 *     bench_algorithms [--repeat N] [MODEL...]     kronecker:SCALE | grid:SIDE | road:SIDE
 *
 * Prints, for each graph and algorithm, the best of N times of both, measured alternately, and
 * their ratio: above 1 the algorithm is slower. The plain implementations use one thread and are
 * those of the checks: a queue, union-find, a heap, sorted rows, plain loops.
 */
#include <semla/checks.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

enum { SOURCES = 8 };

typedef struct {
    sl_context *ctx;
    sl_matrix *A, *lengths;
    sl_csr rows; /* with the lengths */
    sl_graph_view view;
    uint64_t sources[SOURCES];
    int64_t *level, *parent; /* scratch of the plain implementations */
    double *rank;
} bench;

/* ---- both implementations of each algorithm ------------------------------ */

static void components(bench *b)
{
    sl_vector *component;
    MUST(b->ctx, sl_components(&component, b->A));
    sl_vector_free(component);
}

static void plain_components(bench *b)
{
    MUST(b->ctx, sl_plain_components(b->level, &b->view));
}

static void multi_source(bench *b)
{
    sl_matrix *parent, *level;
    MUST(b->ctx, sl_multi_source_bfs(&parent, &level, b->A, b->sources, SOURCES, NULL));
    sl_matrix_free(parent);
    sl_matrix_free(level);
}

static void plain_multi_source(bench *b)
{
    for (int s = 0; s < SOURCES; s++)
        MUST(b->ctx, sl_queue_search(b->level, b->parent, &b->view, b->sources[s]));
}

static void khop(bench *b)
{
    sl_vector *level;
    MUST(b->ctx, sl_khop(&level, b->A, b->sources, 1, 3));
    sl_vector_free(level);
}

static void plain_khop(bench *b)
{
    MUST(b->ctx, sl_queue_search(b->level, NULL, &b->view, b->sources[0]));
}

static void st_connected(bench *b)
{
    bool connected;
    MUST(b->ctx, sl_st_connected(&connected, NULL, NULL, b->A, b->sources[0], b->sources[1]));
}

static void diameter(bench *b)
{
    const sl_diameter_options o = {.max_searches = SOURCES};
    sl_diameter d;
    MUST(b->ctx, sl_pseudo_diameter(&d, b->A, &o));
}

static void plain_diameter(bench *b)
{
    for (int s = 0; s < SOURCES; s++)
        MUST(b->ctx, sl_queue_search(b->level, NULL, &b->view, b->sources[s]));
}

static void bipartite(bench *b)
{
    bool is;
    MUST(b->ctx, sl_bipartite(&is, NULL, NULL, b->A));
}

static void scc(bench *b)
{
    sl_vector *component;
    MUST(b->ctx, sl_scc(&component, NULL, b->A));
    sl_vector_free(component);
}

static void plain_scc(bench *b)
{
    MUST(b->ctx, sl_plain_scc(b->level, &b->view));
}

static void independent_set(bench *b)
{
    sl_vector *set;
    MUST(b->ctx, sl_independent_set(&set, b->A, 1));
    sl_vector_free(set);
}

static void label_propagation(bench *b)
{
    sl_vector *label;
    MUST(b->ctx, sl_label_propagation(&label, b->A, 5, NULL));
    sl_vector_free(label);
}

static void plain_label_propagation(bench *b)
{
    MUST(b->ctx, sl_plain_label_propagation(b->level, &b->view, 5));
}

static void shortest_paths(bench *b)
{
    sl_vector *distance;
    MUST(b->ctx, sl_sssp(&distance, NULL, b->lengths, b->sources[0]));
    sl_vector_free(distance);
}

static void spanning_forest(bench *b)
{
    sl_matrix *forest;
    MUST(b->ctx, sl_spanning_forest(&forest, NULL, b->lengths));
    sl_matrix_free(forest);
}

typedef struct {
    int64_t distance;
    uint64_t vertex;
} reach;

static void push(reach *heap, uint64_t at, reach r)
{
    for (; at > 0 && heap[(at - 1) / 2].distance > r.distance; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = r;
}

static reach pop(reach *heap, uint64_t *count)
{
    const reach top = heap[0], last = heap[--*count];
    uint64_t at = 0;
    for (uint64_t child; (child = 2 * at + 1) < *count; at = child) {
        child += child + 1 < *count && heap[child + 1].distance < heap[child].distance;
        if (heap[child].distance >= last.distance)
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

/* Dijkstra with a binary heap that contains a vertex once for each improvement of its distance. */
static void plain_shortest_paths(bench *b)
{
    const int64_t *length = b->rows.values;
    reach *heap = sl_malloc((b->rows.start[b->rows.nrows] + 1) * sizeof *heap);
    uint64_t count = 1;
    if (!heap)
        exit(1);
    for (uint64_t v = 0; v < b->rows.nrows; v++)
        b->level[v] = INT64_MAX;
    heap[0] = (reach){0, b->sources[0]};
    b->level[b->sources[0]] = 0;
    while (count > 0) {
        const reach r = pop(heap, &count);
        if (r.distance > b->level[r.vertex])
            continue;
        for (uint64_t e = b->rows.start[r.vertex]; e < b->rows.start[r.vertex + 1]; e++) {
            const reach next = {r.distance + length[e], b->rows.index[e]};
            if (next.distance < b->level[next.vertex]) {
                b->level[next.vertex] = next.distance;
                push(heap, count++, next);
            }
        }
    }
    sl_free(heap);
}

static void pagerank(bench *b)
{
    sl_vector *rank;
    MUST(b->ctx, sl_pagerank(&rank, b->A, NULL, NULL));
    sl_vector_free(rank);
}

static void plain_pagerank(bench *b)
{
    MUST(b->ctx, sl_plain_pagerank(b->rank, &b->view, NULL, NULL, NULL));
}

static void betweenness(bench *b)
{
    sl_vector *centrality;
    if (sl_betweenness(&centrality, b->A, b->sources, SOURCES, NULL) == SL_OUT_OF_RANGE)
        return; /* more paths than fp64 can count: the plain implementation has infinities */
    sl_vector_free(centrality);
}

static void plain_betweenness(bench *b)
{
    MUST(b->ctx, sl_plain_betweenness(b->rank, &b->view, b->sources, SOURCES));
}

static void triangles(bench *b)
{
    uint64_t count;
    MUST(b->ctx, sl_triangles(&count, NULL, b->A));
}

static void triangles_of_each(bench *b)
{
    uint64_t count;
    sl_vector *corners;
    MUST(b->ctx, sl_triangles(&count, &corners, b->A));
    sl_vector_free(corners);
}

static void plain_triangles(bench *b)
{
    uint64_t count;
    MUST(b->ctx, sl_plain_triangles(&count, b->level, &b->view));
}

static void closeness(bench *b)
{
    sl_vector *closeness;
    MUST(b->ctx, sl_closeness(&closeness, b->A, b->sources, SOURCES,
                              &(sl_closeness_options){.estimate = true}));
    sl_vector_free(closeness);
}

static void plain_closeness(bench *b)
{
    MUST(b->ctx, sl_plain_closeness(b->rank, &b->view, b->sources, SOURCES,
                                    &(sl_closeness_options){.estimate = true}));
}

static void local_clustering(bench *b)
{
    sl_vector *coefficient;
    MUST(b->ctx, sl_local_clustering(&coefficient, b->A, NULL));
    sl_vector_free(coefficient);
}

static void core_numbers(bench *b)
{
    sl_vector *core;
    MUST(b->ctx, sl_core_numbers(&core, NULL, b->A));
    sl_vector_free(core);
}

static void plain_core_numbers(bench *b)
{
    MUST(b->ctx, sl_plain_core_numbers(b->level, &b->view));
}

static const struct {
    const char *name;
    void (*algebra)(bench *b);
    const char *plain_name;
    void (*plain)(bench *b);
} algorithms[] = {
    {"components", components, "union-find", plain_components},
    {"scc", scc, "Tarjan", plain_scc},
    {"multi-source bfs, 8", multi_source, "8 queue searches", plain_multi_source},
    {"3-hop", khop, "queue search of all", plain_khop},
    {"st-connectivity", st_connected, "queue search of all", plain_khop},
    {"diameter, 8 searches", diameter, "8 queue searches", plain_diameter},
    {"bipartite", bipartite, "union-find", plain_components},
    {"shortest paths", shortest_paths, "Dijkstra, binary heap", plain_shortest_paths},
    {"spanning forest", spanning_forest, "union-find", plain_components},
    {"independent set", independent_set, "union-find", plain_components},
    {"label propagation, 5", label_propagation, "sorted labels", plain_label_propagation},
    {"pagerank", pagerank, "plain loops", plain_pagerank},
    {"betweenness, 8 sources", betweenness, "Brandes, queue", plain_betweenness},
    {"triangles", triangles, "sorted rows", plain_triangles},
    {"triangles of each", triangles_of_each, "sorted rows", plain_triangles},
    {"clustering", local_clustering, "triangles, sorted rows", plain_triangles},
    {"closeness, 8 sources", closeness, "8 queue searches", plain_closeness},
    {"core numbers", core_numbers, "buckets", plain_core_numbers},
};

/* ---- graphs ------------------------------------------------------------- */

/* Lengths 1 to 100, the same for both directions of an edge. */
static void make_lengths(bench *b)
{
    int64_t *length = sl_malloc((b->rows.start[b->rows.nrows] + 1) * sizeof *length);
    sl_csr copy;
    MUST(b->ctx, length ? SL_OK : SL_NO_MEMORY);
    for (uint64_t u = 0; u < b->rows.nrows; u++)
        for (uint64_t e = b->rows.start[u]; e < b->rows.start[u + 1]; e++)
            length[e] = (int64_t)((u + 1) * (b->rows.index[e] + 1) * 2654435761u % 100 + 1);
    MUST(b->ctx, sl_matrix_copy_csr(&copy, b->A));
    copy.type = SL_INT64;
    copy.values = length;
    MUST(b->ctx, sl_matrix_take_csr(&b->lengths, b->ctx, &copy));
    sl_free(b->rows.start);
    sl_free(b->rows.index);
    sl_free(b->rows.values);
    MUST(b->ctx, sl_matrix_copy_csr(&b->rows, b->lengths));
}

static void set_up(bench *b, const char *model)
{
    bench_must(NULL, sl_context_create(&b->ctx, SL_ENGINE_AUTO), "context");
    b->A = bench_graph(b->ctx, model);
    MUST(b->ctx, sl_matrix_optimize(b->A, SL_FOR_TRAVERSAL));
    MUST(b->ctx, sl_matrix_copy_csr(&b->rows, b->A));
    make_lengths(b);
    const uint64_t n = b->rows.nrows;
    b->view = sl_view_of(&b->rows);
    b->level = sl_malloc(n * sizeof *b->level);
    b->parent = sl_malloc(n * sizeof *b->parent);
    b->rank = sl_malloc(n * sizeof *b->rank);
    uint64_t state = 12345;
    for (int s = 0; s < SOURCES; s++)
        do
            b->sources[s] = (state = state * 6364136223846793005u + 1442695040888963407u) % n;
        while (b->rows.start[b->sources[s]] == b->rows.start[b->sources[s] + 1]);
}

static void tear_down(bench *b)
{
    sl_free(b->level);
    sl_free(b->parent);
    sl_free(b->rank);
    sl_free(b->rows.start);
    sl_free(b->rows.index);
    sl_free(b->rows.values);
    sl_matrix_free(b->A);
    sl_matrix_free(b->lengths);
    sl_context_free(b->ctx);
}

static double seconds_of(void (*side)(bench *b), bench *b)
{
    double started = bench_now();
    side(b);
    return bench_now() - started;
}

static void compare(const char *model, int repeat)
{
    bench b;
    set_up(&b, model);
    printf("%s: %" PRIu64 " vertices, %" PRIu64 " entries\n", model, b.rows.nrows,
           b.rows.start[b.rows.nrows]);
    for (size_t w = 0; w < sizeof algorithms / sizeof *algorithms; w++) {
        double algebra = INFINITY, plain = INFINITY;
        for (int r = 0; r < repeat; r++) {
            algebra = fmin(algebra, seconds_of(algorithms[w].algebra, &b));
            plain = fmin(plain, seconds_of(algorithms[w].plain, &b));
        }
        printf("  %-22s %10.2f ms   %-22s %10.2f ms   ratio %7.2f\n", algorithms[w].name,
               1e3 * algebra, algorithms[w].plain_name, 1e3 * plain, algebra / plain);
        fflush(stdout);
    }
    tear_down(&b);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"kronecker:16", "grid:400", "road:700"};
    int repeat = 3, first = 1;
    if (argc > 2 && strcmp(argv[1], "--repeat") == 0) {
        repeat = atoi(argv[2]);
        first = 3;
    }
    if (repeat < 1) {
        fprintf(stderr, "--repeat takes a number from 1\n");
        return 2;
    }
    if (first < argc)
        for (int k = first; k < argc; k++)
            compare(argv[k], repeat);
    else
        for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
            compare(usual[k], repeat);
    return 0;
}
