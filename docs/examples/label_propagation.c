/* Communities of a social network, and the size of one of them. */
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
    sl_vector *label = NULL, *members = NULL;
    sl_communities found;
    sl_scalar own;
    uint64_t count;
    const uint64_t vertex = 33, max_iterations = 3;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_label_propagation(&label, A, max_iterations, &found));

    /* The vertices with the label of `vertex`. */
    TRY(sl_vector_get(&own, label, vertex));
    TRY(sl_vector_new(&members, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_select(members, NULL, NULL, SL_VALUEEQ_INT64, label, own, NULL));
    TRY(sl_vector_nvals(&count, members));
    printf("%d communities after %d iterations; %d vertices have the label of vertex %d\n",
           (int)found.communities, (int)found.iterations, (int)count, (int)vertex);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(label);
    sl_vector_free(members);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
