/* Counts the vertices at each distance from vertex 0 with sl_advance, one level per call. */
#include <semla/io.h>
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
    sl_vector *q = NULL, *visited = NULL;
    uint64_t frontier_size = 1;
    sl_iteration iteration;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_vector_new(&q, ctx, SL_BOOL, sl_matrix_nrows(A)));
    TRY(sl_vector_set(q, 0, sl_scalar_bool(true)));
    TRY(sl_vector_dup(&visited, q));

    for (int distance = 0; frontier_size > 0; distance++) {
        printf("distance %d: %d\n", distance, (int)frontier_size);
        TRY(sl_advance(q, visited, q, A, SL_ANY_PAIR_BOOL, SL_AUTO, &iteration));
        TRY(sl_vector_nvals(&frontier_size, q));
    }
    printf("direction of the last level: %s\n", sl_direction_name(iteration.direction));
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(q);
    sl_vector_free(visited);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
