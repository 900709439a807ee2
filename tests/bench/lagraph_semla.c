/* semla's own calls in bench_lagraph, on the graph on which LAGraph's functions run. */
#include "lagraph_graph.h"

#include <semla/algorithms.h>
#include <semla/bfs.h>
#include <semla/la.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sl_context *ctx;
static sl_matrix *A, *lengths; /* a pattern, and the same with lengths */

static void must(sl_status status)
{
    if (status >= 0)
        return;
    fprintf(stderr, "bench_lagraph: semla: %s: %s\n", sl_status_string(status),
            sl_context_message(ctx));
    exit(1);
}

static void *copy(const void *from, uint64_t count, size_t size)
{
    void *to = sl_malloc((count ? count : 1) * size);
    must(to ? SL_OK : SL_NO_MEMORY);
    memcpy(to, from, count * size);
    return to;
}

static sl_matrix *make_matrix(const plain_graph *g, bool with_lengths)
{
    sl_matrix *matrix;
    sl_arrays arrays = {.format = SL_FORMAT_CSR,
                        .type = with_lengths ? SL_INT32 : SL_BOOL,
                        .nrows = g->n,
                        .ncols = g->n,
                        .nvals = g->entries,
                        .start = copy(g->start, g->n + 1, sizeof *g->start),
                        .cols = copy(g->neighbour, g->entries, sizeof *g->neighbour),
                        .values =
                            with_lengths ? copy(g->length, g->entries, sizeof *g->length) : NULL};
    must(sl_matrix_take(&matrix, ctx, &arrays));
    must(sl_matrix_promise_symmetric(matrix));
    must(sl_matrix_optimize(matrix, SL_FOR_TRAVERSAL));
    return matrix;
}

void semla_start(const plain_graph *g)
{
    const char *place = getenv("SEMLA_GRB");
    sl_engine_choice choice = SL_ENGINE_AUTO;
    if (place && strcmp(place, "host") == 0)
        choice = SL_ENGINE_OPENMP;
    else if (place && strcmp(place, "cuda") == 0)
        choice = SL_ENGINE_CUDA;
    else if (place && strncmp(place, "grid", 4) == 0)
        return; /* semla's own functions on a grid are measured by bench_dist_algorithms */
    must(sl_context_create(&ctx, choice));
    A = make_matrix(g, false);
    lengths = make_matrix(g, true);
}

double semla_time(semla_call call, const uint64_t *sources, int count)
{
    sl_vector *a = NULL, *b = NULL;
    uint64_t number = 0;
    const sl_pagerank_options pagerank = {.tolerance = 1e-6};
    if (!ctx)
        return -1;
    const double started = milliseconds();
    switch (call) {
    case CALL_BFS:
        must(sl_bfs(&a, &b, A, sources[0], NULL));
        break;
    case CALL_PARENTS:
        must(sl_bfs(&a, NULL, A, sources[0], NULL));
        break;
    case CALL_LEVELS:
        must(sl_bfs(NULL, &a, A, sources[0], NULL));
        break;
    case CALL_PAGERANK:
        must(sl_pagerank(&a, A, &pagerank, NULL));
        break;
    case CALL_COMPONENTS:
        must(sl_components(&a, A));
        break;
    case CALL_TRIANGLES:
        must(sl_triangles(&number, NULL, A));
        break;
    case CALL_PATHS:
        must(sl_sssp(&a, NULL, lengths, sources[0]));
        break;
    case CALL_BETWEENNESS:
        must(sl_betweenness(&a, A, sources, (uint64_t)count, NULL));
        break;
    default:
        return -1;
    }
    if (a)
        must(sl_vector_nvals(&number, a)); /* waits for the result */
    const double elapsed = milliseconds() - started;
    sl_vector_free(a);
    sl_vector_free(b);
    return elapsed;
}

void semla_stop(void)
{
    sl_matrix_free(A);
    sl_matrix_free(lengths);
    sl_context_free(ctx);
}
