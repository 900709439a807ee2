/* A breadth-first search of a generated graph on a grid of MPI ranks. */
#include <semla/bfs.h>
#include <semla/dist.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 60, VERTICES = SIDE * SIDE };

/* Builds the graph of a street grid. Each rank adds the edges of its range of vertices, to the
 * right and down. */
static sl_status build_streets(sl_matrix *A, int rank, int size)
{
    uint64_t begin = (uint64_t)VERTICES * rank / size, end = (uint64_t)VERTICES * (rank + 1) / size;
    uint64_t *from = malloc(4 * (end - begin) * sizeof *from), count = 0;
    uint64_t *to = malloc(4 * (end - begin) * sizeof *to);
    sl_context *ctx = sl_matrix_context(A);
    sl_status status =
        from && to ? SL_OK
                   : sl_fail(ctx, SL_NO_MEMORY, "out of memory while building the street grid");
    for (uint64_t v = begin; v < end && status == SL_OK; v++)
        for (uint64_t step = 1; step <= SIDE; step += SIDE - 1)
            if (step == 1 ? v % SIDE < SIDE - 1 : v + SIDE < VERTICES) {
                from[count] = to[count + 1] = v;
                to[count] = from[count + 1] = v + step;
                count += 2;
            }
    status = sl_agree(ctx, status); /* makes a failure of one rank a failure of all */
    if (status == SL_OK)
        status = sl_matrix_build(A, from, to, NULL, count, NULL);
    free(from);
    free(to);
    return status;
}

int main(int argc, char **argv)
{
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *level = NULL;
    sl_arrays all = {0};
    sl_grid_info grid = {0};
    uint64_t reached = 0;
    MPI_Init(&argc, &argv);
    sl_status status = sl_grid_context_create(&ctx, MPI_COMM_WORLD, 0, 0, SL_ENGINE_AUTO);
    if (status != SL_OK) {
        sl_mpi_info mpi;
        sl_mpi_describe(&mpi);
        fprintf(stderr, "no grid: %s\n",
                mpi.unavailable_reason ? mpi.unavailable_reason : sl_status_string(status));
        MPI_Abort(MPI_COMM_WORLD, 1); /* the others may wait for this rank */
    }
    bool failed = sl_grid_describe(&grid, ctx) ||
                  sl_matrix_new(&A, ctx, SL_BOOL, VERTICES, VERTICES) ||
                  build_streets(A, grid.rank, grid.size) || sl_bfs(NULL, &level, A, 0, NULL) ||
                  sl_vector_nvals(&reached, level) || sl_grid_gather_vector(&all, level, 0);
    if (grid.rank == 0 && !failed)
        printf("%d vertices reached on %d x %d ranks, the last at level %d\n", (int)reached,
               grid.rows, grid.cols, (int)((int64_t *)all.values)[VERTICES - 1]);
    if (grid.rank == 0 && failed)
        fprintf(stderr, "%s\n", sl_context_message(ctx));
    sl_arrays_free(&all);
    sl_vector_free(level);
    sl_matrix_free(A);
    sl_context_free(ctx);
    MPI_Finalize();
    return failed;
}
