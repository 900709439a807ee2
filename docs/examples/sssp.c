/* Shortest paths by edge lengths, one of the paths, and the check of all distances. */
#include <semla/checks.h>
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
    sl_vector *distance = NULL, *parent = NULL;
    sl_csr rows = {0};
    sl_check_result verdict;
    sl_scalar value;
    void *lengths = NULL;
    int64_t *tree = NULL;
    const uint64_t source = 0, target = 3;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", 0));
    TRY(sl_sssp(&distance, &parent, A, source));
    TRY(sl_vector_get(&value, distance, target)); /* SL_NO_VALUE: not reached */
    value = sl_scalar_cast(value, SL_FP64); /* distances are INT64 if the lengths are integers */
    printf("%g from %d:", value.as.fp64_, (int)source);
    for (uint64_t v = target; v != source; v = (uint64_t)value.as.int64_) {
        printf(" %d", (int)v);
        TRY(sl_vector_get(&value, parent, v));
    }
    printf("\n");

    /* Check: no edge shortens a distance, and the lengths along the tree add up to the distances.
     */
    TRY(sl_matrix_copy_csr(&rows, A));
    TRY(sl_distance_array(&lengths, distance));
    TRY(sl_search_array(&tree, parent));
    TRY(sl_check_sssp(&verdict, &rows, source, lengths, tree));
    printf("%s\n", verdict.valid ? "the distances are correct" : verdict.reason);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(tree);
    sl_free(lengths);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_vector_free(distance);
    sl_vector_free(parent);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
