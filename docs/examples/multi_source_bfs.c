/* Distances between a few vertices: one search from several sources. */
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
    sl_matrix *level = NULL;
    sl_scalar distance;
    const uint64_t source[] = {0, 16, 26};
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_multi_source_bfs(NULL, &level, A, source, 3, NULL));

    for (uint64_t s = 0; s < 3; s++) {
        printf("from %2d:", (int)source[s]);
        for (uint64_t t = 0; t < 3; t++) {
            TRY(sl_matrix_get(&distance, level, s, source[t])); /* SL_NO_VALUE: not reached */
            printf(" %d", (int)distance.as.int64_);
        }
        printf("\n");
    }
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_matrix_free(level);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
