/* The shortest way from one town to each other, from a table of roads. */
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
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC, .weight_column = "km"};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_labels towns = {0};
    sl_vector *distance = NULL, *previous = NULL;
    uint64_t source;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read_labelled(&A, NULL, &towns, ctx, argc > 1 ? argv[1] : "roads.csv", &options));
    TRY(sl_labels_find(&source, &towns, "Graz"));
    TRY(sl_sssp(&distance, &previous, A, source));
    for (uint64_t v = 0; v < towns.count; v++) {
        sl_scalar km, before;
        status = sl_vector_get(&km, distance, v);
        if (status == SL_NO_VALUE) /* no road leads there */
            continue;
        TRY(status);
        TRY(sl_vector_get(&before, previous, v));
        printf("%-8s %4g km, by %s\n", towns.text + towns.start[v], km.as.fp64_,
               towns.text + towns.start[before.as.int64_]);
    }
    status = SL_OK;
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(distance);
    sl_vector_free(previous);
    sl_labels_free(&towns);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
