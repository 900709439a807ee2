/*
 * vxm and mxv with few terms, under a mask that SuiteSparse keeps as a bitmap and for which
 * product_descriptor.c demands Gustavson's method, which takes O(size of the mask) time. The product is
 * computed without the mask, and its entries are written under the mask: O(terms) time if nothing of the
 * output is kept and the mask is a pattern; otherwise the entries are sorted, and SuiteSparse may read
 * all of the output.
 */
#include "suitesparse/grb_engine.h"

/* *rows: the matrix is stored as rows, whose entries can be counted without converting it. */
static GrB_Info has_rows(bool *rows, GrB_Matrix A)
{
    int form = GxB_SPARSE;
    GrB_Info info = GxB_Matrix_Option_get(A, GxB_SPARSITY_STATUS, &form);
    if (info == GrB_SUCCESS)
        info = sl_grb_is_by_row(rows, A);
    *rows = *rows && form == GxB_SPARSE;
    return info;
}

/* *last: the product is to be computed without its mask, and its entries written under the mask. */
static sl_status puts_mask_last(bool *last, const sl_call *call)
{
    enum { LEAST_SHARE = 32 }; /* of the indices of the output */
    const bool vxm = call->op == SL_OP_VXM;
    sl_call count = {.op = SL_OP_ROW_ENTRIES,
                     .ctx = call->ctx,
                     .a = vxm ? call->b : call->a,
                     .b = vxm ? call->a : call->b};
    bool risk, rows = false;
    *last = false;
    if (call->op == SL_OP_MXM || !call->mask || call->out->nrows < LEAST_SHARE ||
        count.b->nrows == 0 || sl_type_is_user_defined(call->operators.semiring->result))
        return SL_OK;
    GrB_Info info =
        sl_grb_is_at_risk(&risk, call, call->a->held[SL_SLOT_HOST], call->b->held[SL_SLOT_HOST]);
    if (info == GrB_SUCCESS && risk)
        info = has_rows(&rows, sl_grb_matrix(count.a));
    if (info != GrB_SUCCESS || !rows)
        return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    const sl_status status = sl_grb_row_entries(&count);
    *last = count.count < call->out->nrows / LEAST_SHARE;
    return status;
}

/* Exchanges the handles of the output and of t. The output's new handle is restricted to the forms to
 * which the old one was. */
static sl_status exchange(sl_object *out, sl_object *t)
{
    void **of_out = &out->held[SL_SLOT_HOST], **of_t = &t->held[SL_SLOT_HOST];
    void *const old = *of_out;
    int forms = GxB_AUTO_SPARSITY;
    GrB_Info info = GxB_Vector_Option_get(old, GxB_SPARSITY_CONTROL, &forms);
    if (info == GrB_SUCCESS)
        info = sl_grb_set_forms(*of_t, forms);
    if (info == GrB_SUCCESS) {
        *of_out = *of_t;
        *of_t = old;
    }
    return sl_grb_status(out->ctx, "exchange", info);
}

/* Removes the entries of t that the pattern of the mask does not have. SuiteSparse does not sort
 * them for that. */
static sl_status keep_common(sl_call *call, sl_object *t)
{
    sl_call keep = {.op = SL_OP_EWISE_MULT,
                    .ctx = call->ctx,
                    .out = t,
                    .a = t,
                    .b = call->mask,
                    .operators.binary = sl_binary_op_get(SL_BINARY_FIRST, t->type)};
    return sl_grb_ewise_mult(&keep);
}

/* out<mask> = out accum t. */
static sl_status write(sl_call *call, sl_object *t)
{
    sl_call copy = {.op = SL_OP_APPLY,
                    .ctx = call->ctx,
                    .out = call->out,
                    .mask = call->mask,
                    .accum = call->accum,
                    .flags = call->flags & (SL_REPLACE | SL_STRUCTURE),
                    .a = t,
                    .operators.unary = sl_unary_op_get(SL_UNARY_IDENTITY, t->type)};
    return sl_grb_apply(&copy);
}

/* Does so, for vxm and mxv. */
static sl_status product_then_mask(sl_call *call)
{
    const bool all = (call->flags & SL_REPLACE) && (call->flags & SL_STRUCTURE) && !call->accum;
    sl_object t = *call->out;
    t.type = all ? t.type : call->operators.semiring->result;
    sl_status status = sl_grb_create_object(&t.held[SL_SLOT_HOST], &t);
    if (status != SL_OK)
        return status;
    sl_call product = *call;
    product.out = &t;
    product.mask = NULL;
    product.accum = NULL;
    product.flags &= SL_TRANSPOSE_A | SL_TRANSPOSE_B;
    status = sl_grb_multiply_operands(&product);
    if (status == SL_OK)
        status = all ? keep_common(call, &t) : write(call, &t);
    if (status == SL_OK && all)
        status = exchange(call->out, &t);
    sl_grb_release_object(&t, sl_grb_vector(&t));
    return status;
}

sl_status sl_grb_product(sl_call *call)
{
    bool mask_last;
    const sl_status status = puts_mask_last(&mask_last, call);
    if (status != SL_OK)
        return status;
    return mask_last ? product_then_mask(call) : sl_grb_multiply_operands(call);
}
