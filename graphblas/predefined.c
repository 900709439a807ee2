/*
 * The objects of the table: types, operators, monoids, semirings and descriptors that exist without being made.
 * grb_resolve_predefined looks up what semla calls each of them, and its types and parts.
 */
#include "graphblas/predefined.h"

/* clang-format off */

/* Defines the object of a constant. */
#define OBJECT(handle, tag, kind, name)                                                                                \
    static struct semla_grb_##tag object_##name = {.header = {.magic = kind, .symbol = #name}};                        \
    handle name = &object_##name;

#define X(T, V, P, ...)                                                                                                \
    static struct semla_grb_type object_##T = {.header = {.magic = GRB_TYPE, .symbol = "GrB_" #T},                     \
                                               .code = SL_##T,                                                         \
                                               .size = sizeof(V),                                                      \
                                               .api_code = GrB_##T##_CODE,                                             \
                                               .c_name = #V};                                                          \
    GrB_Type GrB_##T = &object_##T;
SEMLA_GRB_TYPES(X, )
#undef X

#define UNARY(T, V, P, name)    OBJECT(GrB_UnaryOp, unary_op, GRB_UNARY_OP, name##_##T)
#define BINARY(T, V, P, name)   OBJECT(GrB_BinaryOp, binary_op, GRB_BINARY_OP, name##_##T)
#define INDEX(T, V, P, name)    OBJECT(GrB_IndexUnaryOp, index_op, GRB_INDEX_OP, name##_##T)
#define MONOID(T, V, P, name)   OBJECT(GrB_Monoid, monoid, GRB_MONOID, name##_##T)
#define RING(T, V, P, name)     OBJECT(GrB_Semiring, semiring, GRB_SEMIRING, name##_##T)
#define GXB_MONOID(T, V, P, name) OBJECT(GrB_Monoid, monoid, GRB_MONOID, name##_##T##_MONOID)

#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(UNARY, GrB_##NAME)
SEMLA_GRB_UNARY_OPS(X)
#undef X
OBJECT(GrB_UnaryOp, unary_op, GRB_UNARY_OP, GrB_LNOT)
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(BINARY, GrB_##NAME)
SEMLA_GRB_BINARY_OPS(X)
#undef X
#define X(NAME) OBJECT(GrB_BinaryOp, binary_op, GRB_BINARY_OP, GrB_##NAME)
SEMLA_GRB_BINARY_OPS_BOOL(X)
#undef X
#define X(NAME, ROW, RESULT) OBJECT(GrB_IndexUnaryOp, index_op, GRB_INDEX_OP, GrB_##NAME)
SEMLA_GRB_INDEX_OPS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(INDEX, GrB_##NAME)
SEMLA_GRB_INDEX_OPS_VALUE(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(MONOID, GrB_##NAME##_MONOID)
SEMLA_GRB_MONOIDS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(RING, GrB_##NAME##_SEMIRING)
SEMLA_GRB_SEMIRINGS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(UNARY, GxB_##NAME)
SEMLA_GXB_UNARY_OPS(X)
#undef X
#define POSITION(T, V, P, name, INDEX, OFFSET)                                                                         \
    static struct semla_grb_unary_op object_##name##_##T = {.header = {.magic = GRB_UNARY_OP, .symbol = #name "_" #T}, \
                                                            .z = &object_##T,                                          \
                                                            .index = &object_GrB_##INDEX##_##T,                        \
                                                            .offset = OFFSET};                                         \
    GrB_UnaryOp name##_##T = &object_##name##_##T;
#define X(NAME, INDEX, OFFSET) SEMLA_GRB_POSITIONS(POSITION, GxB_##NAME, INDEX, OFFSET)
SEMLA_GXB_POSITIONAL_UNARY_OPS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(BINARY, GxB_##NAME)
SEMLA_GXB_BINARY_OPS(X)
SEMLA_GXB_POSITIONAL_OPS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(GXB_MONOID, GxB_##NAME)
SEMLA_GXB_MONOIDS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(RING, GxB_##NAME)
SEMLA_GXB_SEMIRINGS(X)
#undef X

#define X(NAME, replace, structure, complement, first, second)                                                         \
    static struct semla_grb_descriptor descriptor_##NAME = {                                                           \
        .header = {.magic = GRB_DESCRIPTOR, .symbol = "GrB_DESC_" #NAME},                                              \
        .flags = (replace) * SL_REPLACE | (structure) * SL_STRUCTURE | (complement) * SL_COMPLEMENT |                  \
                 (first) * SL_TRANSPOSE_A | (second) * SL_TRANSPOSE_B};                                                \
    GrB_Descriptor GrB_DESC_##NAME = &descriptor_##NAME;
SEMLA_GRB_DESCRIPTORS(X)
#undef X

/* ---- what semla calls them --------------------------------------------------------------------------- */

GrB_Type grb_type_of(sl_type code)
{
    switch (code) {
#define X(T, ...)                                                                                                      \
    case SL_##T:                                                                                                       \
        return GrB_##T;
    SEMLA_GRB_TYPES(X, )
#undef X
    default:
        return NULL;
    }
}

static void resolve_unary(GrB_UnaryOp op, sl_unary_op found)
{
    op->op = found;
    op->z = grb_type_of(found->result);
    op->x = grb_type_of(found->type);
}

/* The values that a positional operator gets are of any type. */
static void resolve_binary(GrB_BinaryOp op, sl_binary_op found)
{
    op->op = found;
    op->z = grb_type_of(found->result);
    op->x = found->positional ? NULL : grb_type_of(found->type);
    op->y = found->positional ? NULL : grb_type_of(found->type_y);
}

static void resolve_index(GrB_IndexUnaryOp op, sl_index_op found)
{
    op->op = found;
    op->z = grb_type_of(found->result);
    op->x = found->positional ? NULL : grb_type_of(found->type);
    op->thunk = grb_type_of(found->type_thunk);
}

/* The predefined operator that semla calls `op`. */
static GrB_BinaryOp binary_of(sl_binary_op op)
{
#define E(T, V, P, name)                                                                                               \
    if (name##_##T->op == op)                                                                                          \
        return name##_##T;
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GrB_##NAME)
    SEMLA_GRB_BINARY_OPS(X)
#undef X
#define X(NAME)                                                                                                        \
    if (GrB_##NAME->op == op)                                                                                          \
        return GrB_##NAME;
    SEMLA_GRB_BINARY_OPS_BOOL(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GxB_##NAME)
    SEMLA_GXB_BINARY_OPS(X)
    SEMLA_GXB_POSITIONAL_OPS(X)
#undef X
#undef E
    return NULL;
}

static GrB_Monoid monoid_of(sl_monoid monoid)
{
#define E(T, V, P, name)                                                                                               \
    if (name##_##T->monoid == monoid)                                                                                  \
        return name##_##T;
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GrB_##NAME##_MONOID)
    SEMLA_GRB_MONOIDS(X)
#undef X
#undef E
#define E(T, V, P, name)                                                                                               \
    if (name##_##T##_MONOID->monoid == monoid)                                                                         \
        return name##_##T##_MONOID;
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GxB_##NAME)
    SEMLA_GXB_MONOIDS(X)
#undef X
#undef E
    return NULL;
}

static void resolve_monoid(GrB_Monoid monoid, sl_monoid found)
{
    monoid->monoid = found;
    monoid->op = binary_of(found->op);
}

static void resolve_semiring(GrB_Semiring semiring, sl_semiring found)
{
    semiring->semiring = found;
    semiring->add = monoid_of(found->add);
    semiring->multiply = binary_of(found->multiply);
}

static void resolve_operators(void)
{
#define E(T, V, P, name, ROW) resolve_unary(name##_##T, sl_unary_op_get(SL_UNARY_##ROW, SL_##T));
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GrB_##NAME, ROW)
    SEMLA_GRB_UNARY_OPS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GxB_##NAME, ROW)
    SEMLA_GXB_UNARY_OPS(X)
#undef X
#undef E
    resolve_unary(GrB_LNOT, SL_LNOT_BOOL);
#define E(T, V, P, name, ROW) resolve_binary(name##_##T, sl_binary_op_get(SL_BINARY_##ROW, SL_##T));
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GrB_##NAME, ROW)
    SEMLA_GRB_BINARY_OPS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GxB_##NAME, ROW)
    SEMLA_GXB_BINARY_OPS(X)
    SEMLA_GXB_POSITIONAL_OPS(X)
#undef X
#undef E
#define X(NAME) resolve_binary(GrB_##NAME, SL_##NAME##_BOOL);
    SEMLA_GRB_BINARY_OPS_BOOL(X)
#undef X
#define X(NAME, ROW, RESULT) resolve_index(GrB_##NAME, sl_index_op_get(SL_INDEX_##ROW, SL_##RESULT));
    SEMLA_GRB_INDEX_OPS(X)
#undef X
#define E(T, V, P, name, ROW) resolve_index(name##_##T, sl_index_op_get(SL_INDEX_##ROW, SL_##T));
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GrB_##NAME, ROW)
    SEMLA_GRB_INDEX_OPS_VALUE(X)
#undef X
#undef E
}

void grb_resolve_predefined(void)
{
    if (GrB_LNOT->op)
        return;
    resolve_operators();
#define E(T, V, P, name, ROW) resolve_monoid(name##_##T, sl_monoid_get(SL_MONOID_##ROW, SL_##T));
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GrB_##NAME##_MONOID, ROW)
    SEMLA_GRB_MONOIDS(X)
#undef X
#undef E
#define E(T, V, P, name, ROW) resolve_monoid(name##_##T##_MONOID, sl_monoid_get(SL_MONOID_##ROW, SL_##T));
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GxB_##NAME, ROW)
    SEMLA_GXB_MONOIDS(X)
#undef X
#undef E
#define E(T, V, P, name, ROW) resolve_semiring(name##_##T, sl_semiring_get(SL_SEMIRING_##ROW, SL_##T));
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GrB_##NAME##_SEMIRING, ROW)
    SEMLA_GRB_SEMIRINGS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(E, GxB_##NAME, ROW)
    SEMLA_GXB_SEMIRINGS(X)
#undef X
#undef E
}

/* clang-format on */

sl_monoid grb_monoid_of(GrB_BinaryOp op)
{
    /* Operators of bool by other names. */
    static const struct {
        sl_binary_code op;
        sl_monoid_code monoid;
    } others[] = {{SL_BINARY_PLUS, SL_MONOID_LOR},   {SL_BINARY_MAX, SL_MONOID_LOR},
                  {SL_BINARY_TIMES, SL_MONOID_LAND}, {SL_BINARY_MIN, SL_MONOID_LAND},
                  {SL_BINARY_NE, SL_MONOID_LXOR},    {SL_BINARY_MINUS, SL_MONOID_LXOR},
                  {SL_BINARY_EQ, SL_MONOID_LXNOR}};
    for (int code = 0; code < SL_MONOID_COUNT; code++) {
        sl_monoid monoid = sl_monoid_get((sl_monoid_code)code, op->op->type);
        if (monoid && monoid->op == op->op)
            return monoid;
    }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (op->op == sl_binary_op_get(others[k].op, SL_BOOL))
            return sl_monoid_get(others[k].monoid, SL_BOOL);
    return NULL;
}
