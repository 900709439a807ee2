/* Bounds of the diameter of a graph from a few searches. */
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
    sl_diameter first, d;
    const sl_diameter_options one_search = {.max_searches = 1};
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_pseudo_diameter(&first, A, &one_search));
    TRY(sl_pseudo_diameter(&d, A, NULL));

    printf("after one search: %d to %d\n", (int)first.lower, (int)first.upper);
    printf("after %d: %d to %d\n", (int)d.searches, (int)d.lower, (int)d.upper);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
