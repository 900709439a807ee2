/* Builds a small graph, and computes products with a mask, a descriptor and an accumulator. */
#include <semla/la.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

static sl_status print(const char *name, const sl_vector *v)
{
    uint64_t index[4], count = 4;
    double value[4];
    sl_status status = sl_vector_extract_tuples(index, value, &count, v);
    printf("%s:", name);
    for (uint64_t k = 0; status == SL_OK && k < count; k++)
        printf(" (%d) %g", (int)index[k], value[k]);
    printf("\n");
    return status;
}

int main(void)
{
    /*  0 -2-> 1,  0 -3-> 2,  1 -4-> 3,  2 -5-> 3  */
    const uint64_t tail[] = {0, 0, 1, 2}, head[] = {1, 2, 3, 3};
    const double weight[] = {2, 3, 4, 5};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *u = NULL, *w = NULL;
    sl_scalar sum;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_new(&A, ctx, SL_FP64, 4, 4));
    TRY(sl_matrix_build(A, tail, head, weight, 4, NULL));
    TRY(sl_vector_new(&u, ctx, SL_FP64, 4));
    TRY(sl_vector_new(&w, ctx, SL_FP64, 4));
    TRY(sl_vector_set(u, 1, sl_scalar_fp64(10)));
    TRY(sl_vector_set(u, 2, sl_scalar_fp64(10)));

    TRY(sl_vxm(w, NULL, NULL, SL_PLUS_TIMES_FP64, u, A, NULL)); /* w = u' A */
    TRY(print("w = u' A", w));
    TRY(sl_vxm(w, NULL, NULL, SL_MIN_PLUS_FP64, u, A, NULL)); /* over the semiring min_plus */
    TRY(print("w = u' min.plus A", w));
    TRY(sl_vxm(w, NULL, SL_PLUS_FP64, SL_PLUS_TIMES_FP64, u, A, NULL)); /* w += u' A */
    TRY(print("w += u' A", w));
    TRY(sl_mxv(w, u, NULL, SL_PLUS_TIMES_FP64, A, u,
               sl_descriptor_get(SL_TRANSPOSE_A | SL_COMPLEMENT | SL_STRUCTURE | SL_REPLACE)));
    TRY(print("w<!u, replace> = A' u", w));
    TRY(sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, A));
    printf("sum of A: %g\n", sum.as.fp64_);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(u);
    sl_vector_free(w);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
