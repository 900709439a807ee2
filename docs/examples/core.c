/* Core numbers, and the subgraph of the greatest core. */
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
    sl_matrix *A = NULL, *subgraph = NULL;
    sl_vector *core = NULL;
    uint64_t *member = NULL, greatest, count, edges;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_core_numbers(&core, &greatest, A));

    /* member = the vertices of the greatest core; subgraph = A(member, member) */
    TRY(sl_vector_select(core, NULL, NULL, SL_VALUEEQ_INT64, core,
                         sl_scalar_int64((int64_t)greatest), NULL));
    TRY(sl_vector_nvals(&count, core));
    member = sl_malloc(count * sizeof *member);
    if (!member)
        TRY(SL_NO_MEMORY);
    TRY(sl_vector_extract_tuples(member, NULL, &count, core));
    TRY(sl_matrix_new(&subgraph, ctx, sl_matrix_type(A), count, count));
    TRY(sl_matrix_extract(subgraph, NULL, NULL, A, member, count, member, count, NULL));
    TRY(sl_matrix_nvals(&edges, subgraph));
    printf("the %d-core has %d vertices and %d edges\n", (int)greatest, (int)count, (int)edges / 2);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(member);
    sl_vector_free(core);
    sl_matrix_free(subgraph);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
