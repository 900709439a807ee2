/* Extracts the neighbourhood of a vertex as a matrix of its own. */
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
    sl_matrix *subgraph = NULL;
    sl_vector *level = NULL;
    uint64_t *member = NULL, count, edges;
    const uint64_t centre = 16, hops = 2;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_khop(&level, A, &centre, 1, hops));
    TRY(sl_vector_nvals(&count, level));
    member = sl_malloc(count * sizeof *member);
    if (!member)
        TRY(SL_NO_MEMORY);
    TRY(sl_vector_extract_tuples(member, NULL, &count, level));

    /* subgraph = A(member, member) */
    TRY(sl_matrix_new(&subgraph, ctx, sl_matrix_type(A), count, count));
    TRY(sl_matrix_extract(subgraph, NULL, NULL, A, member, count, member, count, NULL));
    TRY(sl_matrix_nvals(&edges, subgraph));
    printf("within %d edges of %d: %d vertices and %d edges\n", (int)hops, (int)centre, (int)count,
           (int)edges / 2);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(member);
    sl_vector_free(level);
    sl_matrix_free(subgraph);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
