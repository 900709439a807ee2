/*
 * The direction-optimising search of bench_bfs on SuiteSparse. Directions are chosen by the
 * thresholds of LAGraph's search (alpha 8, beta 8 and 512; Mattson et al., "LAGraph", IPDPSW 2019),
 * with the same forms of the frontier: a list to push, a bitmap to pull.
 */
#include "suitesparse_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(GrB_Info info, const char *what)
{
    if (info != GrB_SUCCESS) {
        fprintf(stderr, "%s failed: %d\n", what, (int)info);
        abort();
    }
}
#define MUST(call) must(call, #call)

static GrB_Index *copy(const GrB_Index *from, size_t count)
{
    GrB_Index *to = malloc((count ? count : 1) * sizeof *to);
    if (!to)
        abort();
    memcpy(to, from, count * sizeof *to);
    return to;
}

void loop_graph_make(loop_graph *g, GrB_Index n, const GrB_Index *start, const GrB_Index *index)
{
    GrB_Index *Ap = copy(start, n + 1), *Aj = copy(index, start[n]);
    bool *one = malloc(1);
    if (!one)
        abort();
    *one = true;
    *g = (loop_graph){.n = n, .edges = start[n]};
    MUST(GrB_Matrix_new(&g->A, GrB_BOOL, n, n));
    MUST(GxB_Matrix_pack_CSR(g->A, &Ap, &Aj, (void **)&one, (n + 1) * sizeof *Ap,
                             g->edges * sizeof *Aj, 1, true, false, NULL));
    g->At = g->A; /* the graphs of the benchmarks are symmetric */
    MUST(GrB_Vector_new(&g->degree, GrB_INT64, n));
    for (GrB_Index v = 0; v < n; v++)
        if (start[v + 1] > start[v])
            MUST(GrB_Vector_setElement_INT64(g->degree, (int64_t)(start[v + 1] - start[v]), v));
    MUST(GrB_Vector_wait(g->degree, GrB_MATERIALIZE));
}

void loop_graph_free(loop_graph *g)
{
    GrB_Matrix_free(&g->A);
    GrB_Vector_free(&g->degree);
}

static int64_t edges_of(GrB_Vector q, const loop_graph *g)
{
    GrB_Vector w;
    int64_t sum = 0;
    MUST(GrB_Vector_new(&w, GrB_INT64, g->n));
    MUST(GrB_Vector_assign(w, q, NULL, g->degree, GrB_ALL, g->n, GrB_DESC_RS));
    MUST(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, w, NULL));
    GrB_Vector_free(&w);
    return sum;
}

void loop_search(GrB_Vector *parent, const loop_graph *g, GrB_Index source)
{
    GrB_Vector pi, q;
    MUST(GrB_Vector_new(&pi, GrB_INT64, g->n));
    MUST(GxB_Vector_Option_set(pi, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
    MUST(GrB_Vector_setElement_INT64(pi, (int64_t)source, source));
    MUST(GrB_Vector_new(&q, GrB_INT64, g->n));
    MUST(GrB_Vector_setElement_INT64(q, (int64_t)source, source));

    GrB_Index found = 1, before = 0, visited = 1;
    int64_t unexplored = (int64_t)g->edges;
    bool push = true, checked_out = false;
    while (found > 0 && visited < g->n) {
        if (push && !checked_out && found > before) {
            int64_t edges = edges_of(q, g);
            unexplored -= edges;
            push = !(edges > unexplored / 8);
            checked_out = !push;
        } else if (!push && found < before && found <= g->n / 512) {
            push = true;
        }
        before = found;
        MUST(GxB_Vector_Option_set(q, GxB_SPARSITY_CONTROL, push ? GxB_SPARSE : GxB_BITMAP));
        if (push)
            MUST(GrB_vxm(q, pi, NULL, GxB_ANY_SECONDI_INT64, q, g->A, GrB_DESC_RSC));
        else
            MUST(GrB_mxv(q, pi, NULL, GxB_ANY_SECONDI_INT64, g->At, q, GrB_DESC_RSC));
        MUST(GrB_Vector_nvals(&found, q));
        visited += found;
        MUST(GrB_Vector_assign(pi, q, NULL, q, GrB_ALL, g->n, GrB_DESC_S));
    }
    GrB_Vector_free(&q);
    *parent = pi;
}
