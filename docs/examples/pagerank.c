/* PageRank, and personalised PageRank of one vertex. */
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
    sl_vector *rank = NULL, *local_rank = NULL, *jump = NULL;
    sl_pagerank_options personalised = {.tolerance = 1e-9};
    sl_pagerank_result result;
    sl_scalar global, local;
    const uint64_t centre = 16;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_pagerank(&rank, A, NULL, &result));
    printf("%d iterations, residual %.0e\n", (int)result.iterations, result.residual);

    /* All random jumps lead to one vertex, which raises the ranks of vertices near it. */
    TRY(sl_vector_new(&jump, ctx, SL_FP64, sl_matrix_nrows(A)));
    TRY(sl_vector_set(jump, centre, sl_scalar_fp64(1)));
    personalised.personalisation = jump;
    TRY(sl_pagerank(&local_rank, A, &personalised, NULL));
    for (uint64_t v = 0; v < 34; v += 33) {
        TRY(sl_vector_get(&global, rank, v));
        TRY(sl_vector_get(&local, local_rank, v));
        printf("vertex %2d: %.4f, personalised for %d: %.4f\n", (int)v, global.as.fp64_,
               (int)centre, local.as.fp64_);
    }
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(rank);
    sl_vector_free(local_rank);
    sl_vector_free(jump);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
