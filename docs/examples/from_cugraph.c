/* Distances and predecessors of the vertices within two hops of vertex 0, as arrays. */
#include <semla/bfs.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    const sl_bfs_options two_hops = {.bounded = true, .max_depth = 2};
    sl_context *ctx = NULL;
    sl_matrix *G = NULL;
    sl_vector *parent = NULL, *level = NULL;
    int64_t *distance = NULL, *predecessor = NULL;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO)); /* a GPU, if there is one */
    TRY(sl_matrix_read(&G, ctx, argc > 1 ? argv[1] : "edges.txt", SL_READ_SYMMETRIC));
    TRY(sl_bfs(&parent, &level, G, 0, &two_hops));
    TRY(sl_search_array(&distance, level));
    TRY(sl_search_array(&predecessor, parent));
    printf("vertex distance predecessor\n");
    for (uint64_t v = 0; v < sl_matrix_nrows(G); v++)
        if (distance[v] != SL_UNREACHED)
            printf("%6d %8d %11d\n", (int)v, (int)distance[v], (int)predecessor[v]);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(distance);
    sl_free(predecessor);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_matrix_free(G);
    sl_context_free(ctx);
    return status != SL_OK;
}
