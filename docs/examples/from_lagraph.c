/* Breadth-first search and PageRank of a graph in a file. */
#include <semla/algorithms.h>
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
    sl_vector *level = NULL, *parent = NULL, *rank = NULL;
    sl_scalar depth = sl_scalar_int64(0), highest = sl_scalar_fp64(0);
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_bfs(&parent, &level, A, 0, NULL));
    TRY(sl_vector_reduce(&depth, NULL, SL_MAX_MONOID_INT64, level));
    TRY(sl_pagerank(&rank, A, NULL, NULL));
    TRY(sl_vector_reduce(&highest, NULL, SL_MAX_MONOID_FP64, rank));
    printf("depth %d, highest rank %.4f\n", (int)depth.as.int64_, highest.as.fp64_);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(level);
    sl_vector_free(parent);
    sl_vector_free(rank);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
