/* The operators and descriptors of SuiteSparse that are equivalent to those of a trial, created
 * here, not by the library. */
#include "direct.h"

static void by_index(void *z, const void *x, GrB_Index i, GrB_Index j, const void *thunk)
{
    user_operators_by_index(z, x, (int64_t)i, (int64_t)j, thunk);
}

static void third(void *z, const void *x, GrB_Index i, GrB_Index j, const void *thunk)
{
    user_operators_third(z, x, (int64_t)i, (int64_t)j, thunk);
}

static GrB_Info define_monoid(GrB_Monoid *made, sl_monoid m, GrB_BinaryOp op)
{
#define WITH_TERMINAL(NAME, member)                                                                \
    GxB_Monoid_terminal_new_##NAME(made, op, m->identity.as.member, m->terminal.as.member)
#define WITHOUT(NAME, member) GrB_Monoid_new_##NAME(made, op, m->identity.as.member)
    if (m->has_terminal)
        BY_TYPE(m->type, WITH_TERMINAL)
    BY_TYPE(m->type, WITHOUT)
#undef WITH_TERMINAL
#undef WITHOUT
}

static void define_descriptors(direct_handles *h)
{
    for (int flags = 0; flags < 32; flags++) {
        GrB_Descriptor *desc = &h->descriptors[flags];
        GRB_OK(GrB_Descriptor_new(desc));
        if (flags & SL_REPLACE)
            GRB_OK(GrB_Descriptor_set(*desc, GrB_OUTP, GrB_REPLACE));
        if (flags & SL_COMPLEMENT)
            GRB_OK(GrB_Descriptor_set(*desc, GrB_MASK, GrB_COMP));
        if (flags & SL_STRUCTURE)
            GRB_OK(GrB_Descriptor_set(*desc, GrB_MASK, GrB_STRUCTURE));
        if (flags & SL_TRANSPOSE_A)
            GRB_OK(GrB_Descriptor_set(*desc, GrB_INP0, GrB_TRAN));
        if (flags & SL_TRANSPOSE_B)
            GRB_OK(GrB_Descriptor_set(*desc, GrB_INP1, GrB_TRAN));
    }
}

/* ---- handle of a trial's operator: user-defined or of the table ------------------ */

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define FIND(own, op, handles, found)                                                              \
    for (size_t k = 0; k < COUNT(own); k++)                                                        \
        if ((own)[k] == (op))                                                                      \
            return (handles)[k];                                                                   \
    return found

static GrB_BinaryOp binary_of(const direct_handles *h, const user_operators *u, sl_binary_op op)
{
    if (!op)
        return NULL;
    FIND(u->binary, op, h->binary, grb_binary(op->code, op->type));
}

static GrB_UnaryOp unary_of(const direct_handles *h, const user_operators *u, sl_unary_op op)
{
    if (!op)
        return NULL;
    FIND(u->unary, op, h->unary, grb_unary(op->code, op->type));
}

static GrB_IndexUnaryOp index_of(const direct_handles *h, const user_operators *u, sl_index_op op)
{
    if (!op)
        return NULL;
    FIND(u->index, op, h->index, grb_index(op->code, op->type));
}

static GrB_Monoid monoid_of(const direct_handles *h, const user_operators *u, sl_monoid m)
{
    if (!m)
        return NULL;
    FIND(u->monoid, m, h->monoid, grb_monoid(m));
}

static GrB_Semiring semiring_of(const direct_handles *h, const user_operators *u, sl_semiring s)
{
    if (!s)
        return NULL;
    FIND(u->semiring, s, h->semiring, grb_semiring(s));
}

void direct_define(direct_handles *h, const user_operators *u)
{
    for (size_t k = 0; k < COUNT(u->unary); k++) {
        sl_unary_op op = u->unary[k];
        GRB_OK(GxB_UnaryOp_new(&h->unary[k], op->eval, grb_type(op->result), grb_type(op->type),
                               NULL, NULL));
    }
    for (size_t k = 0; k < COUNT(u->binary); k++) {
        sl_binary_op op = u->binary[k];
        GRB_OK(GxB_BinaryOp_new(&h->binary[k], op->eval, grb_type(op->result), grb_type(op->type),
                                grb_type(op->type_y), NULL, NULL));
    }
    GRB_OK(
        GxB_IndexUnaryOp_new(&h->index[0], by_index, GrB_INT64, GrB_FP64, GrB_INT32, NULL, NULL));
    GRB_OK(GxB_IndexUnaryOp_new(&h->index[1], third, GrB_BOOL, GrB_BOOL, GrB_UINT8, NULL, NULL));
    for (size_t k = 0; k < COUNT(u->monoid); k++)
        GRB_OK(define_monoid(&h->monoid[k], u->monoid[k], binary_of(h, u, u->monoid[k]->op)));
    for (size_t k = 0; k < COUNT(u->semiring); k++)
        GRB_OK(GrB_Semiring_new(&h->semiring[k], monoid_of(h, u, u->semiring[k]->add),
                                binary_of(h, u, u->semiring[k]->multiply)));
    define_descriptors(h);
}

void direct_undefine(direct_handles *h)
{
    for (size_t k = 0; k < COUNT(h->semiring); k++)
        GrB_Semiring_free(&h->semiring[k]);
    for (size_t k = 0; k < COUNT(h->monoid); k++)
        GrB_Monoid_free(&h->monoid[k]);
    for (size_t k = 0; k < COUNT(h->unary); k++)
        GrB_UnaryOp_free(&h->unary[k]);
    for (size_t k = 0; k < COUNT(h->binary); k++)
        GrB_BinaryOp_free(&h->binary[k]);
    for (size_t k = 0; k < COUNT(h->index); k++)
        GrB_IndexUnaryOp_free(&h->index[k]);
    for (size_t k = 0; k < COUNT(h->descriptors); k++)
        GrB_Descriptor_free(&h->descriptors[k]);
}

static void *object_of(const direct *d, const operand *o)
{
    return o ? d->operands[o - d->t->operands] : NULL;
}

void direct_prepare(direct *d)
{
    const trial *t = d->t;
    const direct_handles *h = d->handles;
    d->out = object_of(d, t->out);
    d->mask = object_of(d, t->mask);
    d->a = object_of(d, t->a);
    d->b = object_of(d, t->b);
    d->accum = binary_of(h, t->user_operators, t->accum);
    d->binary = binary_of(h, t->user_operators, t->binary);
    d->unary = unary_of(h, t->user_operators, t->unary);
    d->index = index_of(h, t->user_operators, t->index);
    d->monoid = monoid_of(h, t->user_operators, t->monoid);
    d->semiring = semiring_of(h, t->user_operators, t->semiring);
    d->desc = h->descriptors[t->flags];
}
