/* The trusses of a graph, until there is none. */
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
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    for (uint64_t k = 3, edges = 1; edges > 0; k++) {
        sl_matrix *truss;
        sl_scalar most;
        TRY(sl_ktruss(&truss, A, k));
        sl_matrix_free(A);
        A = truss; /* the next truss is a part of this one */
        TRY(sl_matrix_nvals(&edges, A));
        TRY(sl_matrix_reduce(&most, NULL, SL_MAX_MONOID_INT64, A));
        if (edges > 0)
            printf("%d-truss: %d edges, each of at most %d triangles\n", (int)k, (int)edges / 2,
                   (int)most.as.int64_);
    }
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
