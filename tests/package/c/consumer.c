/* Checks that the package and the library have the same version, and runs a search. */
#include <stdio.h>
#include <string.h>

#include <semla/bfs.h>

int main(int argc, char **argv)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *level = NULL;
    sl_scalar depth = sl_scalar_int64(0);
    if (argc < 2 || strcmp(sl_version(), VERSION) != 0) {
        fprintf(stderr, "the library has version %s, but the package has version %s\n",
                sl_version(), VERSION);
        return 1;
    }
    sl_status status = sl_context_create(&ctx, SL_ENGINE_AUTO);
    if (status == SL_OK)
        status = sl_matrix_read(&A, ctx, argv[1], SL_READ_SYMMETRIC);
    if (status == SL_OK)
        status = sl_bfs(NULL, &level, A, 0, NULL);
    if (status == SL_OK)
        status = sl_vector_reduce(&depth, NULL, SL_MAX_MONOID_INT64, level);
    printf("depth %d %s\n", (int)depth.as.int64_, ctx ? sl_context_message(ctx) : "no context");
    sl_vector_free(level);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK || depth.as.int64_ != 3;
}
