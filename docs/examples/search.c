#include <semla/bfs.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *parent = NULL;
    uint64_t reached = 0;
    bool failed = sl_context_create(&ctx, SL_ENGINE_AUTO) ||
                  sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC) ||
                  sl_bfs(&parent, NULL, A, 0, NULL) || sl_vector_nvals(&reached, parent);
    printf("%d vertices reached. %s\n", (int)reached, sl_context_message(ctx));
    sl_vector_free(parent);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return failed;
}
