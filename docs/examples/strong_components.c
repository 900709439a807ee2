/* The strongly connected components of a directed graph, and the vertices of the first one. */
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
    sl_vector *component = NULL;
    sl_scalar label;
    uint64_t count;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", 0));
    TRY(sl_scc(&component, &count, A));

    printf("%d strongly connected components; that of vertex 0:", (int)count);
    for (uint64_t v = 0; v < sl_matrix_nrows(A); v++) {
        TRY(sl_vector_get(&label, component, v));
        if (label.as.int64_ == 0)
            printf(" %d", (int)v);
    }
    printf("\n");
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(component);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
