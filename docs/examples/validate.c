/* Generates a graph, searches it, and validates the tree on host arrays. */
#include <semla/bfs.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

int main(void)
{
    const uint64_t source = 0;
    const sl_generator model = {.model = SL_MODEL_ROAD, .side = {60, 60}, .seed = 1};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    sl_edges edges = {0};
    sl_csr rows = {0};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *tree = NULL;
    int64_t *parent = NULL;
    sl_check_result verdict = {0};
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_generate(&edges, ctx, &model));
    TRY(sl_matrix_from_edges(&A, ctx, &edges, &undirected));
    TRY(sl_bfs(&tree, NULL, A, source, NULL));

    TRY(sl_matrix_copy_csr(&rows, A));
    TRY(sl_search_array(&parent, tree));
    sl_graph_view view = sl_view_of(&rows);
    TRY(sl_validate_search(&verdict, &view, source, parent, NULL, -1));
    printf("%s: %d of %d vertices reached %s\n", verdict.valid ? "valid" : "not valid",
           (int)verdict.reached, (int)rows.nrows, verdict.reason);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(parent);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_edges_free(&edges);
    sl_vector_free(tree);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return !verdict.valid;
}
