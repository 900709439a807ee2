/* The products that the engine computes itself: their selection. */
#include "openmp/products.h"

bool sl_openmp_has_product(const sl_call *call)
{
    return call->op == SL_OP_MXM ? sl_openmp_counts_pairs(call)
                                 : sl_openmp_sums_neighbours(call) || sl_openmp_takes_any(call);
}

sl_status sl_openmp_product(sl_call *call)
{
    if (call->op == SL_OP_MXM)
        return sl_openmp_pair_counts(call);
    return sl_openmp_takes_any(call) ? sl_openmp_any_product(call) : sl_openmp_neighbour_sums(call);
}
