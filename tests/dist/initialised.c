/* A program that does not call MPI: the library initialises and finalises it. */
#include <semla/bfs.h>
#include <semla/dist.h>
#include <stdio.h>

int main(void)
{
    for (int round = 0; round < 2; round++) {
        sl_context *ctx;
        sl_vector *v = NULL;
        uint64_t count = 0;
        if (sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, SL_ENGINE_SUITESPARSE) != SL_OK)
            return 1;
        bool failed = sl_vector_new(&v, ctx, SL_BOOL, 10) ||
                      sl_vector_set(v, 3, sl_scalar_bool(true)) || sl_vector_nvals(&count, v);
        if (failed || count != 1)
            fprintf(stderr, "%s\n", sl_context_message(ctx));
        sl_vector_free(v);
        sl_context_free(ctx);
        if (failed || count != 1)
            return 1;
    }
    int initialised;
    MPI_Initialized(&initialised);
    return !initialised;
}
