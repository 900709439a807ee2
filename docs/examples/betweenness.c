/* Betweenness centrality: exact, and estimated from a sample of sources. */
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
    sl_vector *exact = NULL, *estimate = NULL;
    sl_betweenness_options normalised = {.normalised = true};
    sl_scalar value, estimated;
    const uint64_t sample[] = {3, 7, 11, 19, 20, 26, 31, 33};
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_betweenness(&exact, A, SL_ALL, 0, &normalised));
    TRY(sl_betweenness(&estimate, A, sample, 8, &normalised));

    for (uint64_t v = 0; v < 4; v++) {
        TRY(sl_vector_get(&value, exact, v));
        TRY(sl_vector_get(&estimated, estimate, v));
        printf("vertex %d: %.3f, estimated %.3f\n", (int)v, value.as.fp64_, estimated.as.fp64_);
    }
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(exact);
    sl_vector_free(estimate);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
