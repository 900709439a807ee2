/* Clustering coefficients of a graph and of two of its vertices. */
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
    sl_vector *coefficient = NULL;
    sl_clustering clustering;
    sl_scalar value;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_local_clustering(&coefficient, A, &clustering));
    printf("mean %.3f, global %.3f\n", clustering.mean, clustering.global);
    for (uint64_t v = 0; v < 34; v += 33) {
        TRY(sl_vector_get(&value, coefficient, v));
        printf("vertex %d: %.3f\n", (int)v, value.as.fp64_);
    }
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(coefficient);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
