/* Triangles, and the clustering coefficient: how many pairs of neighbours are adjacent. */
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
    sl_vector *corners = NULL, *pairs = NULL, *ones = NULL, *degree = NULL;
    sl_scalar sum, closed;
    uint64_t count;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    uint64_t n = sl_matrix_nrows(A);
    TRY(sl_triangles(&count, &corners, A));

    /* degree = A 1; pairs of neighbours = degree (degree - 1) / 2 */
    TRY(sl_vector_new(&ones, ctx, SL_INT64, n));
    TRY(sl_vector_assign_scalar(ones, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
    TRY(sl_vector_new(&degree, ctx, SL_INT64, n));
    TRY(sl_mxv(degree, NULL, NULL, SL_PLUS_PAIR_INT64, A, ones, NULL));
    TRY(sl_vector_new(&pairs, ctx, SL_INT64, n));
    TRY(sl_vector_apply_second(pairs, NULL, NULL, SL_MINUS_INT64, degree, sl_scalar_int64(1),
                               NULL));
    TRY(sl_vector_ewise_mult(pairs, NULL, NULL, SL_TIMES_INT64, pairs, degree, NULL));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, pairs));
    TRY(sl_vector_get(&closed, corners, 0));
    printf("%d triangles, %d of them at vertex 0\n", (int)count, (int)closed.as.int64_);
    printf("%.1f %% of the pairs of neighbours are adjacent\n",
           100.0 * 3 * (double)count / ((double)sum.as.int64_ / 2));
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(corners);
    sl_vector_free(pairs);
    sl_vector_free(ones);
    sl_vector_free(degree);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
