/* Shortest paths by the lengths of edges, a route, and its certificate. */
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
    sl_vector *distance = NULL, *before = NULL;
    sl_csr rows = {0};
    sl_check_result verdict;
    sl_scalar value;
    void *lengths = NULL;
    int64_t *tree = NULL;
    const uint64_t source = 0, target = 3;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", 0));
    TRY(sl_sssp(&distance, &before, A, source));
    TRY(sl_vector_get(&value, distance, target)); /* SL_NO_VALUE: no way */
    printf("%g from %d:", value.as.fp64_, (int)source);
    for (uint64_t v = target; v != source; v = (uint64_t)value.as.int64_) {
        printf(" %d", (int)v);
        TRY(sl_vector_get(&value, before, v));
    }
    printf("\n");

    /* No edge is a short cut, and the tree's lengths add up: no shorter way can be. */
    TRY(sl_matrix_copy_csr(&rows, A));
    TRY(sl_distance_array(&lengths, distance));
    TRY(sl_search_array(&tree, before));
    TRY(sl_check_sssp(&verdict, &rows, source, lengths, tree));
    printf("%s\n", verdict.valid ? "these are the shortest" : verdict.reason);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(tree);
    sl_free(lengths);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_vector_free(distance);
    sl_vector_free(before);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
