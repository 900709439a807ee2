/* A GraphBLAS program that lets semla search its graph. */
#include <semla/bfs.h>
#include <semla/grb.h>
#include <stdio.h>

enum { SIDE = 30 }; /* of a grid */

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

/* The level of every vertex. A is lent to semla, and comes back in any case. */
static sl_status search(GrB_Vector *level, GrB_Matrix *A, sl_context *ctx)
{
    sl_matrix *graph = NULL;
    sl_vector *found = NULL;
    sl_status status = sl_matrix_from_grb(&graph, ctx, A);
    if (status == SL_OK)
        status = sl_bfs(NULL, &found, graph, 0, NULL);
    if (status == SL_OK)
        status = sl_vector_to_grb(level, &found);
    if (graph && sl_matrix_to_grb(A, &graph) != SL_OK)
        sl_matrix_free(graph);
    sl_vector_free(found);
    return status;
}

int main(void)
{
    sl_context *ctx = NULL;
    GrB_Vector level = NULL;
    GrB_Index edges = 0;
    int64_t depth = -1;

    GrB_init(GrB_NONBLOCKING); /* as the program did before it knew semla */
    GrB_Matrix A = grid();

    sl_status status = sl_context_create(&ctx, SL_ENGINE_AUTO);
    if (status == SL_OK)
        status = search(&level, &A, ctx);
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));

    if (level) /* and on with GraphBLAS */
        GrB_Vector_reduce_INT64(&depth, NULL, GrB_MAX_MONOID_INT64, level, NULL);
    GrB_Matrix_nvals(&edges, A);
    printf("%d entries, depth %d\n", (int)edges, (int)depth);

    GrB_Vector_free(&level);
    GrB_Matrix_free(&A);
    sl_context_free(ctx);
    GrB_finalize();
    return status != SL_OK;
}
