/* Breadth-first search of a street grid with the GraphBLAS C API: the level of each crossing. */
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 60 /* crossings in a row */

#define TRY(call)                                                                                  \
    do {                                                                                           \
        info = (call);                                                                             \
        if (info != GrB_SUCCESS)                                                                   \
            goto out;                                                                              \
    } while (0)

/* The streets from each crossing to the next one east and south, in both directions. */
static GrB_Info build_streets(GrB_Matrix *A)
{
    const GrB_Index n = SIDE * SIDE;
    GrB_Index *rows = malloc(4 * n * sizeof *rows), *cols = malloc(4 * n * sizeof *cols), count = 0;
    bool *values = malloc(4 * n * sizeof *values);
    GrB_Info info = GrB_OUT_OF_MEMORY;
    if (!rows || !cols || !values)
        goto out;
    for (GrB_Index v = 0; v < n; v++) {
        const GrB_Index next[] = {v % SIDE + 1 < SIDE ? v + 1 : v, v + SIDE < n ? v + SIDE : v};
        for (int k = 0; k < 2; k++)
            for (int back = 0; next[k] != v && back < 2; back++) {
                rows[count] = back ? next[k] : v;
                cols[count] = back ? v : next[k];
                values[count++] = true;
            }
    }
    TRY(GrB_Matrix_new(A, GrB_BOOL, n, n));
    TRY(GrB_Matrix_build_BOOL(*A, rows, cols, values, count, GrB_LOR));
out:
    free(rows);
    free(cols);
    free(values);
    return info;
}

int main(void)
{
    GrB_Matrix A = NULL;
    GrB_Vector level = NULL, frontier = NULL;
    GrB_Index reached = 0, found = 1;
    int32_t depth = 0;
    GrB_Info info;

    TRY(GrB_init(GrB_NONBLOCKING));
    TRY(build_streets(&A));
    TRY(GrB_Vector_new(&level, GrB_INT32, SIDE * SIDE));
    TRY(GrB_Vector_new(&frontier, GrB_BOOL, SIDE * SIDE));
    TRY(GrB_Vector_setElement_BOOL(frontier, true, 0));
    for (int32_t k = 0; found > 0; k++) {
        /* level<frontier> = k;  frontier<!level, replace> = frontier lor.land A */
        TRY(GrB_Vector_assign_INT32(level, frontier, NULL, k, GrB_ALL, SIDE * SIDE, GrB_DESC_S));
        TRY(GrB_vxm(frontier, level, NULL, GrB_LOR_LAND_SEMIRING_BOOL, frontier, A, GrB_DESC_RSC));
        TRY(GrB_Vector_nvals(&found, frontier));
    }
    TRY(GrB_Vector_nvals(&reached, level));
    TRY(GrB_Vector_reduce_INT32(&depth, NULL, GrB_MAX_MONOID_INT32, level, NULL));
    printf("%d crossings reached, depth %d\n", (int)reached, (int)depth);
out:
    if (info != GrB_SUCCESS)
        fprintf(stderr, "failed with code %d\n", (int)info);
    GrB_Vector_free(&level);
    GrB_Vector_free(&frontier);
    GrB_Matrix_free(&A);
    GrB_finalize();
    return info != GrB_SUCCESS;
}
