/* Counts the triangles of each edge with a masked product, and extracts subgraphs by ranges. */
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
    sl_matrix *A = NULL, *S = NULL, *R = NULL;
    sl_scalar sum;
    uint64_t edges;
    bool equal;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    uint64_t n = sl_matrix_nrows(A);

    /* S<A> = A plus.pair A: for each edge the number of common neighbours of its ends */
    TRY(sl_matrix_new(&S, ctx, SL_INT64, n, n));
    TRY(sl_mxm(S, A, NULL, SL_PLUS_PAIR_INT64, A, A, sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, S));
    printf("triangles: %d\n", (int)sum.as.int64_ / 6); /* 3 edges, each in 2 directions */

    /* the edges of at least three triangles */
    TRY(sl_matrix_select(S, NULL, NULL, SL_VALUEGE_INT64, S, sl_scalar_int64(3), NULL));
    TRY(sl_matrix_nvals(&edges, S));
    printf("edges of at least three triangles: %d\n", (int)edges / 2);

    /* the subgraph of the vertices 0, 2, 4, ... */
    const uint64_t even[] = {0, n, 2};
    TRY(sl_matrix_new(&R, ctx, SL_BOOL, (n + 1) / 2, (n + 1) / 2));
    TRY(sl_matrix_extract(R, NULL, NULL, A, even, SL_RANGE, even, SL_RANGE, NULL));
    TRY(sl_matrix_nvals(&edges, R));
    printf("edges between even vertices: %d\n", (int)edges / 2);

    /* reverse the numbering twice: n - 1, ..., 1, 0; the range excludes its end, -1 */
    const uint64_t back[] = {n - 1, (uint64_t)-1, (uint64_t)-1};
    TRY(sl_matrix_resize(R, n, n));
    TRY(sl_matrix_extract(R, NULL, NULL, A, back, SL_RANGE, back, SL_RANGE, NULL));
    TRY(sl_matrix_same_pattern(&equal, R, A));
    printf("reversed once: %s", equal ? "the same" : "another graph");
    TRY(sl_matrix_extract(R, NULL, NULL, R, back, SL_RANGE, back, SL_RANGE, NULL));
    TRY(sl_matrix_same_pattern(&equal, R, A));
    printf(", twice: %s\n", equal ? "the same" : "another graph");
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_matrix_free(A);
    sl_matrix_free(S);
    sl_matrix_free(R);
    sl_context_free(ctx);
    return status != SL_OK;
}
