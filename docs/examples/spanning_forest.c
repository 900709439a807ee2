/* The shortest roads that connect all places: a minimum spanning tree. */
#include <semla/algorithms.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

/* The value of an entry, whatever its type; the entries of a pattern have the value 1. */
static double value_of(const sl_csr *rows, uint64_t entry)
{
    if (!rows->values)
        return 1;
    const char *at = (const char *)rows->values + entry * sl_type_size(rows->type);
    return sl_scalar_cast(sl_scalar_load(rows->type, at), SL_FP64).as.fp64_;
}

int main(int argc, char **argv)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL, *forest = NULL;
    sl_forest_summary summary;
    sl_csr rows = {0};
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", 0));
    TRY(sl_spanning_forest(&forest, &summary, A));
    printf("%d edges of length %g in %d tree:\n", (int)summary.edges, summary.weight,
           (int)summary.trees);

    /* Both directions of each edge are entries: print the upper triangle. */
    TRY(sl_matrix_copy_csr(&rows, forest));
    for (uint64_t u = 0; u < rows.nrows; u++)
        for (uint64_t e = rows.start[u]; e < rows.start[u + 1]; e++)
            if (u < rows.index[e])
                printf("%2d - %d  %g\n", (int)u, (int)rows.index[e], value_of(&rows, e));
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_matrix_free(forest);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
