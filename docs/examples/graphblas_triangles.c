/* Counts the triangles of a small graph with SuiteSparse:GraphBLAS. */
#include <GraphBLAS.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        info = (call);                                                                             \
        if (info != GrB_SUCCESS)                                                                   \
            goto out;                                                                              \
    } while (0)

int main(void)
{
    /* the edges 0-1, 0-2, 1-2, 1-3, 2-3, 3-4, each in both directions */
    const GrB_Index row[] = {0, 0, 1, 1, 2, 3, 1, 2, 2, 3, 3, 4};
    const GrB_Index col[] = {1, 2, 2, 3, 3, 4, 0, 0, 1, 1, 2, 3};
    const bool one[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    GrB_Matrix A = NULL, L = NULL, C = NULL;
    int64_t count = 0;
    GrB_Info info;

    TRY(GrB_init(GrB_NONBLOCKING));
    TRY(GrB_Matrix_new(&A, GrB_BOOL, 5, 5));
    TRY(GrB_Matrix_build_BOOL(A, row, col, one, 12, GrB_LOR));
    TRY(GrB_Matrix_new(&L, GrB_BOOL, 5, 5));
    TRY(GrB_Matrix_new(&C, GrB_INT64, 5, 5));
    /* L: the part of A below the diagonal;  C<L> = L plus.pair L' */
    TRY(GrB_Matrix_select_INT64(L, NULL, NULL, GrB_TRIL, A, -1, NULL));
    TRY(GrB_mxm(C, L, NULL, GxB_PLUS_PAIR_INT64, L, L, GrB_DESC_ST1));
    TRY(GrB_Matrix_reduce_INT64(&count, NULL, GrB_PLUS_MONOID_INT64, C, NULL));
    printf("%d triangles\n", (int)count);
out:
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&L);
    GrB_Matrix_free(&C);
    GrB_finalize();
    return info != GrB_SUCCESS;
}
