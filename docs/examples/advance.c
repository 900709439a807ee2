/* The same counts by single steps: what is new comes back in one call. */
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
    sl_vector *q = NULL, *seen = NULL;
    uint64_t found = 1;
    sl_iteration step;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_vector_new(&q, ctx, SL_BOOL, sl_matrix_nrows(A)));
    TRY(sl_vector_set(q, 0, sl_scalar_bool(true)));
    TRY(sl_vector_dup(&seen, q));

    for (int distance = 0; found > 0; distance++) {
        printf("distance %d: %d\n", distance, (int)found);
        TRY(sl_advance(q, seen, q, A, SL_ANY_PAIR_BOOL, SL_AUTO, &step));
        TRY(sl_vector_nvals(&found, q));
    }
    printf("the last step was a %s\n", sl_direction_name(step.direction));
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(q);
    sl_vector_free(seen);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
