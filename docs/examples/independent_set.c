/* Members of a social network that do not know each other: a maximal independent set. */
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
    sl_vector *set = NULL;
    uint64_t *member = NULL, count = 0;
    const uint64_t seed = 1;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_independent_set(&set, A, seed));

    /* The set is the pattern of the vector. */
    TRY(sl_vector_nvals(&count, set));
    member = sl_malloc((count + 1) * sizeof *member);
    if (!member)
        TRY(SL_NO_MEMORY);
    TRY(sl_vector_extract_tuples(member, NULL, &count, set));
    printf("%d of %d vertices, no two of them adjacent: ", (int)count, (int)sl_matrix_nrows(A));
    for (uint64_t k = 0; k < count; k++)
        printf("%d ", (int)member[k]);
    printf("\n");
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(member);
    sl_vector_free(set);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
