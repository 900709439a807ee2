/* Limits the threads and the memory of a context, and repeats a search that needs more memory
 * without a limit. */
#include <semla/bfs.h>
#include <stdio.h>

/* Searches a grid graph and counts the vertices that are reached. */
static sl_status search(uint64_t *reached, sl_context *ctx, uint64_t side)
{
    const sl_generator model = {.model = SL_MODEL_GRID, .side = {side, side}};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC};
    sl_edges edges = {0};
    sl_matrix *A = NULL;
    sl_vector *parent = NULL;
    sl_status status = sl_generate(&edges, ctx, &model);
    if (status == SL_OK)
        status = sl_matrix_from_edges(&A, ctx, &edges, &undirected);
    if (status == SL_OK)
        status = sl_bfs(&parent, NULL, A, 0, NULL);
    if (status == SL_OK)
        status = sl_vector_nvals(reached, parent);
    sl_vector_free(parent);
    sl_matrix_free(A);
    sl_edges_free(&edges);
    return status;
}

int main(void)
{
    sl_context *ctx = NULL;
    uint64_t reached = 0;
    bool failed = sl_context_create(&ctx, SL_ENGINE_AUTO) || sl_context_set_threads(ctx, 1) ||
                  sl_context_set_memory_limit(ctx, 4 << 20);
    for (uint64_t side = 100; side <= 1000 && !failed; side *= 10) {
        sl_status status = search(&reached, ctx, side);
        if (status == SL_NO_MEMORY) {
            printf("%s\n", sl_context_message(ctx));
            failed = sl_context_set_memory_limit(ctx, 0) || search(&reached, ctx, side);
        } else {
            failed = status != SL_OK;
        }
        sl_context_memory memory;
        sl_context_get_memory(ctx, &memory);
        printf("%d vertices reached; %d bytes in use\n", (int)reached, (int)memory.used);
    }
    if (failed)
        fprintf(stderr, "%s\n", sl_context_message(ctx));
    sl_context_free(ctx);
    return failed;
}
