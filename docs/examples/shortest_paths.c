/* Shortest paths from vertex 0: a closure over min_plus. */
#include <semla/io.h>
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
    sl_vector *distance = NULL, *q = NULL;
    sl_scalar d;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", 0));
    uint64_t n = sl_matrix_nrows(A);
    TRY(sl_vector_new(&distance, ctx, SL_FP64, n));
    TRY(sl_vector_set(distance, 0, sl_scalar_fp64(0)));
    TRY(sl_vector_dup(&q, distance));

    /* distance = min(distance, q' min.plus A) until nothing changes */
    TRY(sl_closure(distance, q, A, SL_MIN_PLUS_FP64, NULL));

    for (uint64_t v = 0; v < n; v++)
        if (sl_vector_get(&d, distance, v) == SL_OK)
            printf("%d: %g\n", (int)v, d.as.fp64_);
        else
            printf("%d: not reached\n", (int)v);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(distance);
    sl_vector_free(q);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
