/* PageRank, and the same as seen from one vertex. */
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
    sl_vector *rank = NULL, *near_rank = NULL, *jump = NULL;
    sl_pagerank_options seen_from = {.tolerance = 1e-9};
    sl_pagerank_result result;
    sl_scalar everywhere, near_him;
    const uint64_t him = 16;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_pagerank(&rank, A, NULL, &result));
    printf("%d iterations, the last changed %.0e\n", (int)result.iterations, result.residual);

    /* A walker who always jumps back to one vertex ranks what is near it. */
    TRY(sl_vector_new(&jump, ctx, SL_FP64, sl_matrix_nrows(A)));
    TRY(sl_vector_set(jump, him, sl_scalar_fp64(1)));
    seen_from.personalisation = jump;
    TRY(sl_pagerank(&near_rank, A, &seen_from, NULL));
    for (uint64_t v = 0; v < 34; v += 33) {
        TRY(sl_vector_get(&everywhere, rank, v));
        TRY(sl_vector_get(&near_him, near_rank, v));
        printf("vertex %2d: %.4f, seen from %d: %.4f\n", (int)v, everywhere.as.fp64_, (int)him,
               near_him.as.fp64_);
    }
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(rank);
    sl_vector_free(near_rank);
    sl_vector_free(jump);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
