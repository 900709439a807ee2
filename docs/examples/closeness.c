/* Closeness of two vertices: exact, and estimated from the distances from a sample. */
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
    const sl_closeness_options estimated = {.estimate = true};
    const uint64_t vertices[] = {0, 33}, sample[] = {3, 7, 11, 19, 20, 26, 31, 33};
    sl_scalar value, guess;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_closeness(&exact, A, vertices, 2, NULL));
    TRY(sl_closeness(&estimate, A, sample, 8, &estimated));
    for (int k = 0; k < 2; k++) {
        TRY(sl_vector_get(&value, exact, vertices[k]));
        TRY(sl_vector_get(&guess, estimate, vertices[k]));
        printf("vertex %d: %.3f, estimated %.3f\n", (int)vertices[k], value.as.fp64_,
               guess.as.fp64_);
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
