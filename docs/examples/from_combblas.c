/* A breadth-first search as a loop of products, with the same parents as in CombBLAS. */
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
    sl_descriptor not_visited = sl_descriptor_get(SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE);
    sl_descriptor on_fringe = sl_descriptor_get(SL_STRUCTURE);
    const uint64_t root = 0;
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *parents = NULL, *fringe = NULL;
    uint64_t nnz = 1;
    sl_scalar parent = sl_scalar_int64(0);
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_vector_new(&fringe, ctx, SL_INT64, sl_matrix_nrows(A)));
    TRY(sl_vector_set(fringe, root, sl_scalar_int64((int64_t)root)));
    TRY(sl_vector_dup(&parents, fringe));

    while (nnz > 0) {
        /* fringe<!parents, replace> = fringe' A: the greatest index of a predecessor */
        TRY(sl_vxm(fringe, parents, NULL, SL_MAX_SECONDI_INT64, fringe, A, not_visited));
        /* parents<fringe> = fringe */
        TRY(sl_vector_assign(parents, fringe, NULL, fringe, SL_ALL, 0, on_fringe));
        TRY(sl_vector_nvals(&nnz, fringe));
    }
    TRY(sl_vector_nvals(&nnz, parents));
    TRY(sl_vector_get(&parent, parents, 32));
    printf("%d vertices reached, parent of 32 is %d\n", (int)nnz, (int)parent.as.int64_);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(fringe);
    sl_vector_free(parents);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
