/* A matrix's rows with 32-bit column indices. */
#include "search.h"

sl_status sl_openmp_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A)
{
    sl_csr lent;
    sl_status status = sl_object_reach(&A->object, &sl_store_host);
    if (status == SL_OK)
        status = sl_store_host.view(&lent, &A->object, sl_held(&A->object, &sl_store_host));
    if (status != SL_OK)
        return status;
    uint64_t count = lent.start[lent.nrows];
    if (!A->index32) {
        uint32_t *made = sl_malloc(count * sizeof *made);
        if (!made)
            return sl_fail(A->object.ctx, SL_NO_MEMORY,
                           "out of memory: %zu bytes of 32-bit indices",
                           (size_t)count * sizeof *made);
#pragma omp parallel for if (count > SERIAL_EDGES)
        for (uint64_t e = 0; e < count; e++)
            made[e] = (uint32_t)lent.index[e];
        A->index32 = made;
    }
    *start = lent.start;
    *index = A->index32;
    return SL_OK;
}

sl_status sl_openmp_optimize(sl_call *call)
{
    sl_matrix *A = (sl_matrix *)call->a, *At;
    const uint64_t *start;
    const uint32_t *index;
    sl_status status = sl_matrix_pull_side(&At, A, true);
    if (status == SL_OK)
        status = sl_openmp_rows(&start, &index, A);
    if (status == SL_OK && At != A)
        status = sl_openmp_rows(&start, &index, At);
    return status;
}
