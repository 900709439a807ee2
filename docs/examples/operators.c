/* User-defined operators, monoid and semirings: probabilities along paths. */
#include <semla/la.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

/* The probability that at least one of two independent events happens. */
static void either(void *z, const void *px, const void *py)
{
    double x = *(const double *)px, y = *(const double *)py;
    *(double *)z = x + y - x * y;
}
#define EITHER "*z = *x + *y - *x * *y;" /* the same in C, for engines that compile operators */

static void percent(void *z, const void *x)
{
    *(int8_t *)z = (int8_t)(100 * *(const double *)x + 0.5);
}

static sl_status print(const char *title, const sl_vector *v, sl_unary_op op, sl_context *ctx)
{
    uint64_t index[5], count = 5;
    int8_t value[5];
    sl_vector *rounded;
    sl_status status = sl_vector_new(&rounded, ctx, SL_INT8, 5);
    if (status == SL_OK)
        status = sl_vector_apply(rounded, NULL, NULL, op, v, NULL);
    if (status == SL_OK)
        status = sl_vector_extract_tuples(index, value, &count, rounded);
    printf("%s:", title);
    for (uint64_t k = 0; status == SL_OK && k < count; k++)
        printf(" (%d) %d %%", (int)index[k], value[k]);
    printf("\n");
    sl_vector_free(rounded);
    return status;
}

int main(void)
{
    /*  0 -.9-> 1,  0 -.5-> 2,  1 -.5-> 3,  2 -.9-> 3,  3 -.8-> 4  */
    const uint64_t tail[] = {0, 0, 1, 2, 3}, head[] = {1, 2, 3, 3, 4};
    const double probability[] = {.9, .5, .5, .9, .8};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *u = NULL, *w = NULL;
    sl_binary_op op = NULL;
    sl_unary_op rounding = NULL;
    sl_monoid monoid = NULL;
    sl_semiring any_path = NULL, best_path = NULL;
    sl_scalar certain = sl_scalar_fp64(1);
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_new(&A, ctx, SL_FP64, 5, 5));
    TRY(sl_matrix_build(A, tail, head, probability, 5, NULL));
    TRY(sl_vector_new(&u, ctx, SL_FP64, 5));
    TRY(sl_vector_new(&w, ctx, SL_FP64, 5));
    TRY(sl_vector_set(u, 0, certain));

    /* the operator z = f(x, y); its monoid with identity 0 and terminal value 1; a semiring */
    TRY(sl_binary_op_new(&op, ctx, "either", SL_FP64, SL_FP64, SL_FP64, either, EITHER));
    TRY(sl_monoid_new(&monoid, ctx, "either", op, sl_scalar_fp64(0), &certain));
    TRY(sl_semiring_new(&any_path, ctx, "either_times", monoid, SL_TIMES_FP64));
    TRY(sl_unary_op_new(&rounding, ctx, "percent", SL_INT8, SL_FP64, percent, NULL));

    TRY(sl_vxm(w, NULL, NULL, any_path, u, A, NULL));
    TRY(print("paths of one edge", w, rounding, ctx));
    TRY(sl_vxm(w, NULL, NULL, any_path, w, A, NULL));
    TRY(print("two edges, all paths", w, rounding, ctx));

    /* a semiring of built-in parts that is not a built-in semiring */
    TRY(sl_semiring_new(&best_path, ctx, "max_times", SL_MAX_MONOID_FP64, SL_TIMES_FP64));
    TRY(sl_vector_clear(w));
    TRY(sl_vector_set(w, 0, certain));
    TRY(sl_closure(w, u, A, best_path, NULL));
    TRY(print("most probable path", w, rounding, ctx));
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_semiring_free(any_path);
    sl_semiring_free(best_path);
    sl_monoid_free(monoid);
    sl_binary_op_free(op);
    sl_unary_op_free(rounding);
    sl_vector_free(u);
    sl_vector_free(w);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
