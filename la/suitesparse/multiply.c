/* The product of two matrices of GraphBLAS, whole or a piece. */
#include "suitesparse/grb_engine.h"

/* A piece's mask M replaces the call's mask. */
GrB_Info sl_grb_multiply_matrices(GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum,
                                  const sl_call *call, GrB_Matrix A, GrB_Matrix B, unsigned flags)
{
    GrB_Descriptor desc, own;
    sl_call piece = *call;
    sl_object mask;
    piece.flags = flags;
    piece.mask = NULL;
    if (M) {
        mask = *call->mask;
        mask.held[SL_SLOT_HOST] = M;
        piece.mask = &mask;
    }
    GrB_Info info = sl_grb_product_descriptor(&desc, &own, &piece, A, B);
    if (info == GrB_SUCCESS)
        info = GrB_mxm(C, M, accum, sl_grb_semiring(call->operators.semiring), A, B, desc);
    GrB_Descriptor_free(&own);
    return info;
}
