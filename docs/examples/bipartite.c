/* The two sides of a bipartite graph, or an odd cycle of one that is not bipartite. */
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
    sl_vector *side = NULL, *cycle = NULL;
    sl_scalar vertex;
    bool bipartite;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_bipartite(&bipartite, &side, &cycle, A));

    if (bipartite) {
        printf("bipartite\n");
        goto out;
    }
    printf("an odd cycle:");
    for (uint64_t k = 0; k < sl_vector_size(cycle); k++) {
        TRY(sl_vector_get(&vertex, cycle, k));
        printf(" %d", (int)vertex.as.int64_);
    }
    printf("\n");
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(side);
    sl_vector_free(cycle);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
