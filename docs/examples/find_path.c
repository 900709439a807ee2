/* A shortest path between two vertices, by bidirectional breadth-first search. */
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
    sl_vector *path = NULL;
    sl_scalar vertex;
    uint64_t distance;
    bool connected;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_st_connected(&connected, &distance, &path, A, 16, 26));

    if (!connected)
        printf("no path\n");
    for (uint64_t k = 0; connected && k <= distance; k++) {
        TRY(sl_vector_get(&vertex, path, k));
        printf("%d%s", (int)vertex.as.int64_, k < distance ? " - " : "\n");
    }
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(path);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
