/* Counts the triangles of a small graph with a masked product. */
#include <semla/la.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

int main(void)
{
    /* the edges 0-1, 0-2, 1-2, 1-3, 2-3, 3-4, each in both directions */
    const uint64_t row[] = {0, 0, 1, 1, 2, 3, 1, 2, 2, 3, 3, 4};
    const uint64_t col[] = {1, 2, 2, 3, 3, 4, 0, 0, 1, 1, 2, 3};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL, *L = NULL, *C = NULL;
    sl_scalar count = sl_scalar_int64(0);
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_new(&A, ctx, SL_BOOL, 5, 5));
    TRY(sl_matrix_build(A, row, col, NULL, 12, NULL)); /* no values: a pattern */
    TRY(sl_matrix_new(&L, ctx, SL_BOOL, 5, 5));
    TRY(sl_matrix_new(&C, ctx, SL_INT64, 5, 5));
    /* L: the part of A below the diagonal;  C<L> = L plus.pair L' */
    TRY(sl_matrix_select(L, NULL, NULL, SL_TRIL_BOOL, A, sl_scalar_int64(-1), NULL));
    TRY(sl_mxm(C, L, NULL, SL_PLUS_PAIR_INT64, L, L,
               sl_descriptor_get(SL_STRUCTURE | SL_TRANSPOSE_B)));
    TRY(sl_matrix_reduce(&count, NULL, SL_PLUS_MONOID_INT64, C));
    printf("%d triangles\n", (int)count.as.int64_);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_matrix_free(A);
    sl_matrix_free(L);
    sl_matrix_free(C);
    sl_context_free(ctx);
    return status != SL_OK;
}
