/* The sum that tells whether a pattern is symmetric (mirrors.h). O(entries). */
#include <semla/mirrors.h>

#include "suitesparse/grb_engine.h"

/* Rows between two looks whether the call is cancelled. */
enum { PIECE = 1 << 20 };

static uint64_t whole_index(const sl_local_blocks *of, uint64_t index)
{
    return of ? sl_global_index(of, index) : index;
}

static uint64_t sum_of_row(const sl_grb_rows *A, const sl_mirrors *m, uint64_t k)
{
    const uint64_t u = whole_index(m->rows, A->list ? A->list[k] : k);
    uint64_t sum = 0;
    for (uint64_t e = A->start[k]; e < A->start[k + 1]; e++)
        sum += sl_mirror_term(m->key, u, whole_index(m->cols, A->cols[e]));
    return sum;
}

sl_status sl_grb_sum_mirrors(sl_call *call)
{
    sl_mirrors *m = call->mirrors;
    sl_grb_rows A;
    sl_status status = sl_grb_list_rows(&A, call->a, "is_symmetric");
    uint64_t sum = 0;
    for (uint64_t first = 0; status == SL_OK && first < A.count; first += PIECE) {
        const uint64_t end = A.count - first < PIECE ? A.count : first + PIECE;
#pragma omp parallel for num_threads(sl_context_threads(call->ctx)) schedule(dynamic, 64)          \
    reduction(+ : sum) if (A.start[end] - A.start[first] > SL_SERIAL_EDGES)
        for (uint64_t k = first; k < end; k++)
            sum += sum_of_row(&A, m, k);
        status = sl_interrupted(call->ctx, "is_symmetric");
    }
    m->sum = sum;
    return status;
}
