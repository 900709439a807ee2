/* User-defined types, operators, monoids and semirings. */
#include "graphblas/definition.h"
#include "graphblas/lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ------------------------------------------------------------------------------- */

void *grb_new_named(size_t size, grb_kind kind, const char *name)
{
    grb_header *made = grb_new(size, kind);
    if (made && name && !(made->name = grb_copy_text(name))) {
        grb_release(made);
        return NULL;
    }
    return made;
}

/* What semla calls an object without a name. */
static const char *name_or(const char *name, const char *other)
{
    return name && *name ? name : other;
}

GrB_Info GxB_Type_new(GrB_Type *type, size_t size, const char *name, const char *definition)
{
    GRB_INITIALISED();
    if (!type)
        return GrB_NULL_POINTER;
    *type = NULL;
    if (size == 0)
        return GrB_INVALID_VALUE;
    GrB_Type made = grb_new_named(sizeof *made, GRB_TYPE, name);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->size = size;
    made->user = true;
    made->api_code = GrB_UDT_CODE;
    made->c_name = "";
    char *text = grb_text_of_type(definition);
    grb_lock();
    sl_status status =
        sl_type_new(&made->code, grb_global.ctx, name_or(name, "user-defined"), size, text);
    /* SuiteSparse:GraphBLAS takes a text that does not define the name. */
    if (status == SL_INVALID && text)
        status =
            sl_type_new(&made->code, grb_global.ctx, name_or(name, "user-defined"), size, NULL);
    free(text);
    return grb_created((void **)type, made, status);
}

GrB_Info GrB_Type_new(GrB_Type *type, size_t size)
{
    return GxB_Type_new(type, size, NULL, NULL);
}

/* ---- operators ------------------------------------------------------------------------------ */

GrB_Info grb_begin_operator(void *handle, bool function, const GrB_Type *types, int count)
{
    GRB_INITIALISED();
    if (!handle)
        return GrB_NULL_POINTER;
    *(void **)handle = NULL;
    for (int k = 0; k < count; k++)
        GRB_TRY(grb_check(types[k], GRB_TYPE));
    return function ? GrB_SUCCESS : GrB_NULL_POINTER;
}

GrB_Info GxB_UnaryOp_new(GrB_UnaryOp *op, GxB_unary_function f, GrB_Type z, GrB_Type x,
                         const char *name, const char *definition)
{
    const GrB_Type types[] = {z, x};
    GRB_TRY(grb_begin_operator(op, f, types, 2));
    GrB_UnaryOp made = grb_new_named(sizeof *made, GRB_UNARY_OP, name);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->z = grb_hold(z);
    made->x = grb_hold(x);
    char *body = grb_body_of(definition, (const char *const[]){"z", "x", NULL});
    grb_lock();
    GrB_Info info = grb_created((void **)op, made,
                                sl_unary_op_new(&made->op, grb_global.ctx, name_or(name, "unary"),
                                                z->code, x->code, f, body));
    free(body);
    return info;
}

GrB_Info GrB_UnaryOp_new(GrB_UnaryOp *op, GxB_unary_function f, GrB_Type z, GrB_Type x)
{
    return GxB_UnaryOp_new(op, f, z, x, NULL, NULL);
}

GrB_Info GxB_BinaryOp_new(GrB_BinaryOp *op, GxB_binary_function f, GrB_Type z, GrB_Type x,
                          GrB_Type y, const char *name, const char *definition)
{
    const GrB_Type types[] = {z, x, y};
    GRB_TRY(grb_begin_operator(op, f, types, 3));
    GrB_BinaryOp made = grb_new_named(sizeof *made, GRB_BINARY_OP, name);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->z = grb_hold(z);
    made->x = grb_hold(x);
    made->y = grb_hold(y);
    char *body = grb_body_of(definition, (const char *const[]){"z", "x", "y", NULL});
    grb_lock();
    GrB_Info info = grb_created((void **)op, made,
                                sl_binary_op_new(&made->op, grb_global.ctx, name_or(name, "binary"),
                                                 z->code, x->code, y->code, f, body));
    free(body);
    return info;
}

GrB_Info GrB_BinaryOp_new(GrB_BinaryOp *op, GxB_binary_function f, GrB_Type z, GrB_Type x,
                          GrB_Type y)
{
    return GxB_BinaryOp_new(op, f, z, x, y, NULL, NULL);
}

/* The indices of the API are unsigned and below 2^60, so that semla's signed ones are the same bits. */
GrB_Info GxB_IndexUnaryOp_new(GrB_IndexUnaryOp *op, GxB_index_unary_function f, GrB_Type z,
                              GrB_Type x, GrB_Type thunk, const char *name, const char *definition)
{
    const GrB_Type types[] = {z, x, thunk};
    GRB_TRY(grb_begin_operator(op, f, types, 3));
    GrB_IndexUnaryOp made = grb_new_named(sizeof *made, GRB_INDEX_OP, name);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->z = grb_hold(z);
    made->x = grb_hold(x);
    made->thunk = grb_hold(thunk);
    char *body = grb_body_of(definition, (const char *const[]){"z", "x", "i", "j", "thunk", NULL});
    sl_index_function function = (sl_index_function)(void (*)(void))f;
    grb_lock();
    GrB_Info info = grb_created((void **)op, made,
                                sl_index_op_new(&made->op, grb_global.ctx, name_or(name, "index"),
                                                z->code, x->code, thunk->code, function, body));
    free(body);
    return info;
}

GrB_Info GrB_IndexUnaryOp_new(GrB_IndexUnaryOp *op, GxB_index_unary_function f, GrB_Type z,
                              GrB_Type x, GrB_Type thunk)
{
    return GxB_IndexUnaryOp_new(op, f, z, x, thunk, NULL, NULL);
}

/* ---- monoids and semirings --------------------------------------------------------------------- */

static GrB_Info new_monoid(GrB_Monoid *monoid, GrB_BinaryOp op, grb_value identity)
{
    sl_scalar value;
    GRB_INITIALISED();
    if (!monoid)
        return GrB_NULL_POINTER;
    *monoid = NULL;
    GRB_TRY(grb_check(op, GRB_BINARY_OP));
    if (op->x != op->z || op->y != op->z || op->indexed ||
        (identity.type && identity.type != op->z))
        return GrB_DOMAIN_MISMATCH;
    GRB_TRY(grb_resolve(&value, NULL, op->z, &identity));
    GrB_Monoid made = grb_new(sizeof *made, GRB_MONOID);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->op = grb_hold(op);
    value = sl_scalar_cast(value, op->z->code);
    grb_lock();
    return grb_created((void **)monoid, made,
                       sl_monoid_new(&made->monoid, grb_global.ctx, "monoid", op->op, value, NULL));
}

#define X(T, V, P, ...)                                                                            \
    GrB_Info GrB_Monoid_new_##T(GrB_Monoid *monoid, GrB_BinaryOp op, V x)                          \
    {                                                                                              \
        return new_monoid(monoid, op, grb_value_##T(x));                                           \
    }
SEMLA_GRB_VALUES(X, )
#undef X

GrB_Info GrB_Semiring_new(GrB_Semiring *semiring, GrB_Monoid add, GrB_BinaryOp multiply)
{
    GRB_INITIALISED();
    if (!semiring)
        return GrB_NULL_POINTER;
    *semiring = NULL;
    GRB_TRY(grb_check(add, GRB_MONOID));
    GRB_TRY(grb_check(multiply, GRB_BINARY_OP));
    if (multiply->z != add->op->z)
        return GrB_DOMAIN_MISMATCH;
    GrB_Semiring made = grb_new(sizeof *made, GRB_SEMIRING);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->add = grb_hold(add);
    made->multiply = grb_hold(multiply);
    grb_lock();
    return grb_created(
        (void **)semiring, made,
        sl_semiring_new(&made->semiring, grb_global.ctx, "semiring", add->monoid, multiply->op));
}

/* ---- descriptors ---------------------------------------------------------------------------------- */

GrB_Info GrB_Descriptor_new(GrB_Descriptor *desc)
{
    GRB_INITIALISED();
    if (!desc)
        return GrB_NULL_POINTER;
    *desc = grb_new(sizeof **desc, GRB_DESCRIPTOR);
    return *desc ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
}

#define LIST_SETTINGS(field)                                                                       \
    {field, GxB_USE_VALUES, 0, GRB_LIST(field, ALL)},                                              \
    {                                                                                              \
        field, GxB_USE_INDICES, GRB_LIST(field, INDICES), GRB_LIST(field, ALL)                     \
    }

/* What a field may be set to: `value` stands for the flags `on`; the other flags of `field` are cleared. */
static const struct {
    int field, value; /* GrB_Desc_Field and GrB_Desc_Value, and names of the extensions */
    unsigned on, all;
} settings[] = {
    {GrB_OUTP, GrB_DEFAULT, 0, SL_REPLACE},
    {GrB_OUTP, GrB_REPLACE, SL_REPLACE, SL_REPLACE},
    {GrB_MASK, GrB_DEFAULT, 0, SL_COMPLEMENT | SL_STRUCTURE},
    {GrB_MASK, GrB_COMP, SL_COMPLEMENT, SL_COMPLEMENT},
    {GrB_MASK, GrB_STRUCTURE, SL_STRUCTURE, SL_STRUCTURE},
    {GrB_MASK, GrB_COMP_STRUCTURE, SL_COMPLEMENT | SL_STRUCTURE, SL_COMPLEMENT | SL_STRUCTURE},
    {GrB_INP0, GrB_DEFAULT, 0, SL_TRANSPOSE_A},
    {GrB_INP0, GrB_TRAN, SL_TRANSPOSE_A, SL_TRANSPOSE_A},
    {GrB_INP1, GrB_DEFAULT, 0, SL_TRANSPOSE_B},
    {GrB_INP1, GrB_TRAN, SL_TRANSPOSE_B, SL_TRANSPOSE_B},
    LIST_SETTINGS(GxB_ROWINDEX_LIST),
    {GxB_ROWINDEX_LIST, GxB_IS_STRIDE, GRB_LIST(GxB_ROWINDEX_LIST, STRIDE),
     GRB_LIST(GxB_ROWINDEX_LIST, ALL)},
    LIST_SETTINGS(GxB_COLINDEX_LIST),
    {GxB_COLINDEX_LIST, GxB_IS_STRIDE, GRB_LIST(GxB_COLINDEX_LIST, STRIDE),
     GRB_LIST(GxB_COLINDEX_LIST, ALL)},
    LIST_SETTINGS(GxB_VALUE_LIST),
};
#undef LIST_SETTINGS

GrB_Info GrB_Descriptor_set(GrB_Descriptor desc, GrB_Desc_Field field, GrB_Desc_Value value)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(desc, GRB_DESCRIPTOR));
    if (desc->header.references == 0)
        return GrB_INVALID_VALUE; /* a constant */
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        if (settings[k].field == (int)field && settings[k].value == (int)value) {
            desc->flags = (desc->flags & ~settings[k].all) | settings[k].on;
            return GrB_SUCCESS;
        }
    return grb_fail(&desc->header, GrB_INVALID_VALUE, "Descriptor_set: field %d has no value %d",
                    (int)field, (int)value);
}
