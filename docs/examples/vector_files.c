/* Writes the levels of a search to files for other programs, and reads one back. */
#include <semla/bfs.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    const sl_scalar unreached = sl_scalar_int64(-1);
    sl_vector_options dense = {.format = SL_VECTOR_NPY, .fill = &unreached};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *level = NULL, *read = NULL;
    uint64_t reached;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", 0));
    TRY(sl_bfs(NULL, &level, A, 0, NULL));
    TRY(sl_vector_write(level, "levels.txt.zst", SL_VECTOR_AUTO)); /* lines "vertex level" */
    TRY(sl_vector_write_with(level, "levels.npy", &dense));        /* numpy.load("levels.npy") */

    TRY(sl_vector_read_with(&read, ctx, "levels.npy",
                            &dense)); /* without `fill`, -1 would be a level */
    TRY(sl_vector_nvals(&reached, read));
    printf("%d of %d vertices have a level\n", (int)reached, (int)sl_vector_size(read));
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_vector_free(level);
    sl_vector_free(read);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
