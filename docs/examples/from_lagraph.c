/* A search of a graph in a file, prepared beforehand. */
#include <semla/bfs.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *level = NULL, *parent = NULL;
    sl_scalar depth = sl_scalar_int64(0);
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    TRY(sl_bfs(&parent, &level, A, 0, NULL));
    TRY(sl_vector_reduce(&depth, NULL, SL_MAX_MONOID_INT64, level));
    printf("depth %d\n", (int)depth.as.int64_);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(level);
    sl_vector_free(parent);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
