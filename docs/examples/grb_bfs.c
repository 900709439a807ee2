/* A GraphBLAS program that uses semla for a breadth-first search of its matrix. */
#include <semla/bfs.h>
#include <semla/grb.h>
#include <stdio.h>

enum { SIDE = 30 }; /* vertices in a row of the grid */

static GrB_Matrix grid(void)
{
    GrB_Matrix A = NULL;
    GrB_Matrix_new(&A, GrB_BOOL, SIDE * SIDE, SIDE * SIDE);
    for (GrB_Index v = 0; v < SIDE * SIDE; v++) {
        if (v % SIDE + 1 < SIDE) {
            GrB_Matrix_setElement_BOOL(A, true, v, v + 1);
            GrB_Matrix_setElement_BOOL(A, true, v + 1, v);
        }
        if (v + SIDE < SIDE * SIDE) {
            GrB_Matrix_setElement_BOOL(A, true, v, v + SIDE);
            GrB_Matrix_setElement_BOOL(A, true, v + SIDE, v);
        }
    }
    return A;
}

/* Computes the level of every vertex. semla takes over *A during the search and gives it back, also
 * on failure. */
static sl_status search(GrB_Vector *level, GrB_Matrix *A, sl_context *ctx)
{
    sl_matrix *graph = NULL;
    sl_vector *levels = NULL;
    sl_status status = sl_matrix_from_grb(&graph, ctx, A);
    if (status == SL_OK)
        status = sl_bfs(NULL, &levels, graph, 0, NULL);
    if (status == SL_OK)
        status = sl_vector_to_grb(level, &levels);
    if (graph && sl_matrix_to_grb(A, &graph) != SL_OK)
        sl_matrix_free(graph);
    sl_vector_free(levels);
    return status;
}

int main(void)
{
    sl_context *ctx = NULL;
    GrB_Vector level = NULL;
    GrB_Index edges = 0;
    int64_t depth = -1;

    GrB_init(GrB_NONBLOCKING); /* as in any GraphBLAS program */
    GrB_Matrix A = grid();

    sl_status status = sl_context_create(&ctx, SL_ENGINE_AUTO);
    if (status == SL_OK)
        status = search(&level, &A, ctx);
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));

    if (level) /* a GraphBLAS vector again */
        GrB_Vector_reduce_INT64(&depth, NULL, GrB_MAX_MONOID_INT64, level, NULL);
    GrB_Matrix_nvals(&edges, A);
    printf("%d entries, depth %d\n", (int)edges, (int)depth);

    GrB_Vector_free(&level);
    GrB_Matrix_free(&A);
    sl_context_free(ctx);
    GrB_finalize();
    return status != SL_OK;
}
