/* Connected components: a closure over min_first that starts at all vertices. */
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
    sl_vector *label = NULL;
    sl_scalar l;
    uint64_t components = 0;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    uint64_t n = sl_matrix_nrows(A);
    /* label(v) = v */
    TRY(sl_vector_new(&label, ctx, SL_INT64, n));
    TRY(sl_vector_assign_scalar(label, NULL, NULL, sl_scalar_int64(0), SL_ALL, 0, NULL));
    TRY(sl_vector_apply_index(label, NULL, NULL, SL_ROWINDEX_INT64, label, sl_scalar_int64(0),
                              NULL));

    /* label = min(label, label' min.first A) until nothing changes */
    TRY(sl_closure(label, label, A, SL_MIN_FIRST_INT64, NULL));

    for (uint64_t v = 0; v < n; v++) {
        TRY(sl_vector_get(&l, label, v));
        components +=
            (uint64_t)l.as.int64_ == v; /* the label of a component is its smallest vertex */
    }
    printf("%d vertices, connected components: %d\n", (int)n, (int)components);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(label);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
