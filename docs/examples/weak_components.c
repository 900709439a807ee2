/* The sizes of the weakly connected components, by a product with a matrix of labels. */
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
    sl_vector *component = NULL, *ones = NULL, *size = NULL;
    uint64_t *vertex = NULL, *label = NULL, count = 0;
    sl_matrix *member = NULL;
    sl_scalar largest;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", 0));
    uint64_t n = sl_matrix_nrows(A);
    TRY(sl_components(&component, A));

    /* member(label, v) is an entry if v has this label; size = member 1 */
    vertex = sl_malloc(n * sizeof *vertex);
    label = sl_malloc(n * sizeof *label);
    if (!vertex || !label)
        TRY(SL_NO_MEMORY);
    TRY(sl_vector_extract_tuples(vertex, label, &n, component));
    TRY(sl_matrix_new(&member, ctx, SL_BOOL, n, n));
    TRY(sl_matrix_build(member, label, vertex, NULL, n, NULL));
    TRY(sl_vector_new(&ones, ctx, SL_INT64, n));
    TRY(sl_vector_assign_scalar(ones, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
    TRY(sl_vector_new(&size, ctx, SL_INT64, n));
    TRY(sl_mxv(size, NULL, NULL, SL_PLUS_PAIR_INT64, member, ones, NULL));

    TRY(sl_vector_nvals(&count, size));
    TRY(sl_vector_reduce(&largest, NULL, SL_MAX_MONOID_INT64, size));
    printf("components: %d, the largest of %d vertices\n", (int)count, (int)largest.as.int64_);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(vertex);
    sl_free(label);
    sl_vector_free(component);
    sl_vector_free(ones);
    sl_vector_free(size);
    sl_matrix_free(member);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
