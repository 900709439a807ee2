/*
 * Tables of GraphBLAS's handles, expanded from semirings/table.h: entry X of type T is GrB_X_T or
 * GxB_X_T. A new operator needs a line in the first section that states the prefix; without it the
 * compiler reports an unknown OPERATOR_X. Look-up is O(1).
 */
#include "suitesparse/grb_engine.h"

/* ---- prefixes ----------------------------------------------------------- */

#define OPERATOR_IDENTITY(T) GrB_IDENTITY_##T
#define OPERATOR_AINV(T)     GrB_AINV_##T
#define OPERATOR_MINV(T)     GrB_MINV_##T
#define OPERATOR_ABS(T)      GrB_ABS_##T
#define OPERATOR_LNOT(T)     GxB_LNOT_##T
#define OPERATOR_ONE(T)      GxB_ONE_##T
#define OPERATOR_SQRT(T)     GxB_SQRT_##T
#define OPERATOR_CBRT(T)     MADE_UNARY(CBRT, T)
#define OPERATOR_EXP(T)      GxB_EXP_##T
#define OPERATOR_EXP2(T)     GxB_EXP2_##T
#define OPERATOR_EXPM1(T)    GxB_EXPM1_##T
#define OPERATOR_LOG(T)      GxB_LOG_##T
#define OPERATOR_LOG2(T)     GxB_LOG2_##T
#define OPERATOR_LOG10(T)    GxB_LOG10_##T
#define OPERATOR_LOG1P(T)    GxB_LOG1P_##T
#define OPERATOR_SIN(T)      GxB_SIN_##T
#define OPERATOR_COS(T)      GxB_COS_##T
#define OPERATOR_TAN(T)      GxB_TAN_##T
#define OPERATOR_ASIN(T)     GxB_ASIN_##T
#define OPERATOR_ACOS(T)     GxB_ACOS_##T
#define OPERATOR_ATAN(T)     GxB_ATAN_##T
#define OPERATOR_SINH(T)     GxB_SINH_##T
#define OPERATOR_COSH(T)     GxB_COSH_##T
#define OPERATOR_TANH(T)     GxB_TANH_##T
#define OPERATOR_ASINH(T)    GxB_ASINH_##T
#define OPERATOR_ACOSH(T)    GxB_ACOSH_##T
#define OPERATOR_ATANH(T)    GxB_ATANH_##T
#define OPERATOR_ERF(T)      GxB_ERF_##T
#define OPERATOR_ERFC(T)     GxB_ERFC_##T
#define OPERATOR_LGAMMA(T)   GxB_LGAMMA_##T
#define OPERATOR_TGAMMA(T)   MADE_UNARY(TGAMMA, T)
#define OPERATOR_CEIL(T)     GxB_CEIL_##T
#define OPERATOR_FLOOR(T)    GxB_FLOOR_##T
#define OPERATOR_ROUND(T)    GxB_ROUND_##T
#define OPERATOR_TRUNC(T)    GxB_TRUNC_##T
#define OPERATOR_SIGNUM(T)   GxB_SIGNUM_##T
#define OPERATOR_ISINF(T)    GxB_ISINF_##T
#define OPERATOR_ISNAN(T)    GxB_ISNAN_##T
#define OPERATOR_ISFINITE(T) GxB_ISFINITE_##T
#define OPERATOR_BNOT(T)     GrB_BNOT_##T
#define OPERATOR_FREXPX(T)   GxB_FREXPX_##T
#define OPERATOR_FREXPE(T)   GxB_FREXPE_##T

#define OPERATOR_ANY(T)       GxB_ANY_##T
#define OPERATOR_FIRST(T)     GrB_FIRST_##T
#define OPERATOR_SECOND(T)    GrB_SECOND_##T
#define OPERATOR_PAIR(T)      GxB_PAIR_##T
#define OPERATOR_PLUS(T)      GrB_PLUS_##T
#define OPERATOR_MINUS(T)     GrB_MINUS_##T
#define OPERATOR_TIMES(T)     GrB_TIMES_##T
#define OPERATOR_DIV(T)       GrB_DIV_##T
#define OPERATOR_MIN(T)       GrB_MIN_##T
#define OPERATOR_MAX(T)       GrB_MAX_##T
#define OPERATOR_LOR(T)       GxB_LOR_##T
#define OPERATOR_LAND(T)      GxB_LAND_##T
#define OPERATOR_LXOR(T)      GxB_LXOR_##T
#define OPERATOR_LXNOR(T)     GrB_LXNOR
#define OPERATOR_EQ(T)        GrB_EQ_##T
#define OPERATOR_NE(T)        GrB_NE_##T
#define OPERATOR_LT(T)        GrB_LT_##T
#define OPERATOR_LE(T)        GrB_LE_##T
#define OPERATOR_GT(T)        GrB_GT_##T
#define OPERATOR_GE(T)        GrB_GE_##T
#define OPERATOR_FIRSTI(T)    GxB_FIRSTI_##T
#define OPERATOR_FIRSTJ(T)    GxB_FIRSTJ_##T
#define OPERATOR_SECONDI(T)   GxB_SECONDI_##T
#define OPERATOR_SECONDJ(T)   GxB_SECONDJ_##T
#define OPERATOR_RMINUS(T)    GxB_RMINUS_##T
#define OPERATOR_RDIV(T)      GxB_RDIV_##T
#define OPERATOR_POW(T)       POW_##T
#define OPERATOR_ISEQ(T)      GxB_ISEQ_##T
#define OPERATOR_ISNE(T)      GxB_ISNE_##T
#define OPERATOR_ISGT(T)      GxB_ISGT_##T
#define OPERATOR_ISLT(T)      GxB_ISLT_##T
#define OPERATOR_ISGE(T)      GxB_ISGE_##T
#define OPERATOR_ISLE(T)      GxB_ISLE_##T
#define OPERATOR_ATAN2(T)     GxB_ATAN2_##T
#define OPERATOR_HYPOT(T)     GxB_HYPOT_##T
#define OPERATOR_FMOD(T)      GxB_FMOD_##T
#define OPERATOR_REMAINDER(T) GxB_REMAINDER_##T
#define OPERATOR_COPYSIGN(T)  GxB_COPYSIGN_##T
#define OPERATOR_LDEXP(T)     MADE_BINARY(LDEXP, T)
#define OPERATOR_BOR(T)       GrB_BOR_##T
#define OPERATOR_BAND(T)      GrB_BAND_##T
#define OPERATOR_BXOR(T)      GrB_BXOR_##T
#define OPERATOR_BXNOR(T)     GrB_BXNOR_##T
#define OPERATOR_BGET(T)      GxB_BGET_##T
#define OPERATOR_BSET(T)      GxB_BSET_##T
#define OPERATOR_BCLR(T)      GxB_BCLR_##T
#define OPERATOR_BSHIFT(T)    MADE_BINARY(BSHIFT, T)
#define OPERATOR_FLOORDIV(T)  MADE_BINARY(FLOORDIV, T)
#define OPERATOR_RFLOORDIV(T) MADE_BINARY(RFLOORDIV, T)
#define OPERATOR_MOD(T)       MADE_BINARY(MOD, T)
#define OPERATOR_RPOW(T)      MADE_BINARY(RPOW, T)
#define OPERATOR_ABSFIRST(T)  MADE_BINARY(ABSFIRST, T)
#define OPERATOR_ABSSECOND(T) MADE_BINARY(ABSSECOND, T)

#define OPERATOR_ROWINDEX  GrB_ROWINDEX_INT64
#define OPERATOR_COLINDEX  GrB_COLINDEX_INT64
#define OPERATOR_DIAGINDEX GrB_DIAGINDEX_INT64 /* the names with _INT32 are used as they are */
#define OPERATOR_TRIL      GrB_TRIL
#define OPERATOR_TRIU      GrB_TRIU
#define OPERATOR_DIAG      GrB_DIAG
#define OPERATOR_OFFDIAG   GrB_OFFDIAG
#define OPERATOR_ROWLE     GrB_ROWLE
#define OPERATOR_ROWGT     GrB_ROWGT
#define OPERATOR_COLLE     GrB_COLLE
#define OPERATOR_COLGT     GrB_COLGT

#define MONOID_ANY(T)   GxB_ANY_##T##_MONOID
#define MONOID_MIN(T)   GrB_MIN_MONOID_##T
#define MONOID_MAX(T)   GrB_MAX_MONOID_##T
#define MONOID_PLUS(T)  GrB_PLUS_MONOID_##T
#define MONOID_TIMES(T) GrB_TIMES_MONOID_##T
#define MONOID_LOR(T)   GrB_LOR_MONOID_##T
#define MONOID_LAND(T)  GrB_LAND_MONOID_##T
#define MONOID_LXOR(T)  GrB_LXOR_MONOID_##T
#define MONOID_LXNOR(T) GrB_LXNOR_MONOID_##T
#define MONOID_BOR(T)   BITS_##T(BOR)
#define MONOID_BAND(T)  BITS_##T(BAND)
#define MONOID_BXOR(T)  BITS_##T(BXOR)
#define MONOID_BXNOR(T) BITS_##T(BXNOR)

/* SuiteSparse 7.4 takes pow of bool for ge, but may exchange the operands before. */
#define POW_BOOL   GrB_GE_BOOL
#define POW_INT8   GxB_POW_INT8
#define POW_INT16  GxB_POW_INT16
#define POW_INT32  GxB_POW_INT32
#define POW_INT64  GxB_POW_INT64
#define POW_UINT8  GxB_POW_UINT8
#define POW_UINT16 GxB_POW_UINT16
#define POW_UINT32 GxB_POW_UINT32
#define POW_UINT64 GxB_POW_UINT64
#define POW_FP32   GxB_POW_FP32
#define POW_FP64   GxB_POW_FP64

/* GraphBLAS has monoids on bits for unsigned integers. */
#define BITS_UINT8(OP)  GxB_##OP##_UINT8_MONOID
#define BITS_UINT16(OP) GxB_##OP##_UINT16_MONOID
#define BITS_UINT32(OP) GxB_##OP##_UINT32_MONOID
#define BITS_UINT64(OP) GxB_##OP##_UINT64_MONOID
#define BITS_INT8(OP)   MADE_MONOID(OP, INT8)
#define BITS_INT16(OP)  MADE_MONOID(OP, INT16)
#define BITS_INT32(OP)  MADE_MONOID(OP, INT32)
#define BITS_INT64(OP)  MADE_MONOID(OP, INT64)

/* Handles of what GraphBLAS does not have or computes differently, made by sl_grb_make_operators:
 * SuiteSparse's ldexp is undefined for exponents beyond int, its cbrt and tgamma miss integers. */
#define MADE_UNARY(OP, T)  made_unary[SL_UNARY_##OP][SL_##T]
#define MADE_BINARY(OP, T) made_binary[SL_BINARY_##OP][SL_##T]
#define MADE_MONOID(OP, T) made_monoids[SL_MONOID_##OP][SL_##T]
static GrB_UnaryOp made_unary[SL_UNARY_COUNT][SL_TYPE_COUNT];
static GrB_BinaryOp made_binary[SL_BINARY_COUNT][SL_TYPE_COUNT];
static GrB_Monoid made_monoids[SL_MONOID_COUNT][SL_TYPE_COUNT];

/* ---- tables of addresses, since the handles are variables of the library -- */

static const GrB_Type *const types[SL_TYPE_COUNT] = {
#define X(NAME, ...) [SL_##NAME] = &GrB_##NAME,
    SL_TYPES_ALL(X, )
#undef X
};

#define X(NAME, name, T, class, lo, hi, OP) [SL_UNARY_##OP][SL_##NAME] = &OPERATOR_##OP(NAME),
#define OP(OPNAME, ...)                     SL_TYPES_ALL(X, OPNAME)
#define FUNCTION(OPNAME, name, TYPES, ...)  SL_TYPES_##TYPES(X, OPNAME)
static const GrB_UnaryOp *const unary[SL_UNARY_COUNT][SL_TYPE_COUNT] = {
    SL_UNARY_OPS(OP) SL_UNARY_FUNCTIONS(FUNCTION)};
#undef OP
#undef X

#define X(NAME, name, T, class, lo, hi, OP) [SL_BINARY_##OP][SL_##NAME] = &OPERATOR_##OP(NAME),
#define ALL(OPNAME, ...)                    SL_TYPES_ALL(X, OPNAME)
#define BOOL(OPNAME, ...)                   SL_TYPES_BOOL(X, OPNAME)
#define INDEX(OPNAME, ...)                  SL_TYPES_INDEX(X, OPNAME)
static const GrB_BinaryOp *const binary[SL_BINARY_COUNT][SL_TYPE_COUNT] = {
    SL_BINARY_OPS(ALL) SL_BINARY_OPS_BOOL(BOOL) SL_COMPARISONS(ALL) SL_POSITIONAL_OPS(INDEX)
        SL_BINARY_FUNCTIONS(FUNCTION)};
#undef FUNCTION
#undef ALL
#undef BOOL
#undef INDEX
#undef X

#define X(NAME, name, T, class, lo, hi, OP) [SL_INDEX_##OP][SL_##NAME] = &GrB_##OP##_##NAME,
#define VALUE(OPNAME, ...)                  SL_TYPES_ALL(X, OPNAME)
#define POSITION(OPNAME, ...)               [SL_INDEX_##OPNAME][SL_INT64] = &OPERATOR_##OPNAME,
#define INDEX(OPNAME, name, expression, RESULT)                                                    \
    [SL_INDEX_##OPNAME][SL_##RESULT] = &GrB_##OPNAME##_##RESULT,
static const GrB_IndexUnaryOp *const indexed[SL_INDEX_COUNT][SL_TYPE_COUNT] = {
    SL_INDEX_OPS_POSITION(POSITION) SL_INDEX_OPS_INDEX(INDEX, INT32) SL_INDEX_OPS_VALUE(VALUE)};
#undef INDEX
#undef VALUE
#undef POSITION
#undef X

#define X(NAME, name, T, class, lo, hi, OP) [SL_MONOID_##OP][SL_##NAME] = &MONOID_##OP(NAME),
#define OP(OPNAME, name, TYPES, ...)        SL_TYPES_##TYPES(X, OPNAME)
static const GrB_Monoid *const monoids[SL_MONOID_COUNT][SL_TYPE_COUNT] = {SL_MONOIDS(OP)};
#undef OP
#undef X

/* SuiteSparse calls lxnor eq. */
#define GxB_LXNOR_LOR_BOOL                  GxB_EQ_LOR_BOOL
#define X(NAME, name, T, class, lo, hi, OP) [SL_SEMIRING_##OP][SL_##NAME] = &GxB_##OP##_##NAME,
#define OP(OPNAME, name, ADD, MUL, TYPES)   SL_TYPES_##TYPES(X, OPNAME)
static const GrB_Semiring *const semirings[SL_SEMIRING_COUNT][SL_TYPE_COUNT] = {SL_SEMIRINGS(OP)};
#undef OP
#undef X

/* By flags: REPLACE 1, COMPLEMENT 2, STRUCTURE 4, TRANSPOSE_A 8, TRANSPOSE_B 16. */
static const GrB_Descriptor *const descriptors[SL_GRB_FLAG_SETS] = {
#define X(T)                                                                                       \
    &GrB_DESC_R##T, &GrB_DESC_C##T, &GrB_DESC_RC##T, &GrB_DESC_S##T, &GrB_DESC_RS##T,              \
        &GrB_DESC_SC##T, &GrB_DESC_RSC##T,
    NULL, X() & GrB_DESC_T0, X(T0) & GrB_DESC_T1, X(T1) & GrB_DESC_T0T1, X(T0T1)
#undef X
};

/* ---- operators that GraphBLAS does not have --------------------------------- */

GrB_Info sl_grb_make_operators(void)
{
    GrB_Info info = GrB_SUCCESS;
    for (int code = 0; code < SL_UNARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            if (info == GrB_SUCCESS && unary[code][type] == &made_unary[code][type])
                info = sl_grb_new_unary(&made_unary[code][type],
                                        sl_unary_op_get((sl_unary_code)code, (sl_type)type));
    for (int code = 0; code < SL_BINARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            if (info == GrB_SUCCESS && binary[code][type] == &made_binary[code][type])
                info = sl_grb_new_binary(&made_binary[code][type],
                                         sl_binary_op_get((sl_binary_code)code, (sl_type)type));
    for (int code = 0; code < SL_MONOID_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            if (info == GrB_SUCCESS && monoids[code][type] == &made_monoids[code][type])
                info = sl_grb_new_monoid(&made_monoids[code][type],
                                         sl_monoid_get((sl_monoid_code)code, (sl_type)type));
    if (info != GrB_SUCCESS)
        sl_grb_free_operators();
    return info;
}

void sl_grb_free_operators(void)
{
    for (int code = 0; code < SL_MONOID_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            GrB_Monoid_free(&made_monoids[code][type]);
    for (int code = 0; code < SL_BINARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            GrB_BinaryOp_free(&made_binary[code][type]);
    for (int code = 0; code < SL_UNARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            GrB_UnaryOp_free(&made_unary[code][type]);
}

/* ---- look-up ------------------------------------------------------------------ */

/* The handle that user.c created. */
static void *user_handle(const sl_user *user)
{
    return user->held[SL_SLOT_HOST];
}

GrB_Type sl_grb_type(sl_type type)
{
    return sl_type_is_user_defined(type) ? user_handle(sl_user_type_of(type)->user) : *types[type];
}

GrB_UnaryOp sl_grb_unary(sl_unary_op op)
{
    if (!op)
        return NULL;
    return op->user ? user_handle(op->user) : *unary[op->code][op->type];
}

GrB_BinaryOp sl_grb_binary(sl_binary_op op)
{
    if (!op)
        return NULL;
    return op->user ? user_handle(op->user) : *binary[op->code][op->type];
}

GrB_IndexUnaryOp sl_grb_index(sl_index_op op)
{
    return op ? *indexed[op->code][op->type] : NULL;
}

GrB_Monoid sl_grb_monoid(sl_monoid monoid)
{
    if (!monoid)
        return NULL;
    return monoid->code == SL_MONOID_COUNT ? user_handle(monoid->user)
                                           : *monoids[monoid->code][monoid->type];
}

GrB_Semiring sl_grb_semiring(sl_semiring semiring)
{
    if (!semiring)
        return NULL;
    /* The table is indexed by the type of the multiplicative operator. */
    return semiring->code == SL_SEMIRING_COUNT
               ? user_handle(semiring->user)
               : *semirings[semiring->code][semiring->multiply->type];
}

GrB_Descriptor sl_grb_predefined_descriptor(unsigned flags)
{
    return descriptors[flags] ? *descriptors[flags] : NULL;
}

/* ---- new operators --------------------------------------------------------------- */

GrB_Info sl_grb_new_unary(GrB_UnaryOp *made, sl_unary_op op)
{
    return GxB_UnaryOp_new(made, op->eval, sl_grb_type(op->result), sl_grb_type(op->type), NULL,
                           NULL);
}

GrB_Info sl_grb_new_binary(GrB_BinaryOp *made, sl_binary_op op)
{
    return GxB_BinaryOp_new(made, op->eval, sl_grb_type(op->result), sl_grb_type(op->type),
                            sl_grb_type(op->type_y), NULL, NULL);
}

GrB_Info sl_grb_new_monoid(GrB_Monoid *made, sl_monoid monoid)
{
    GrB_BinaryOp op = sl_grb_binary(monoid->op);
    GrB_Info info = GrB_INVALID_VALUE;
#define WITH_TERMINAL(NAME, member)                                                                \
    info = GxB_Monoid_terminal_new_##NAME(made, op, monoid->identity.as.member,                    \
                                          monoid->terminal.as.member)
#define WITHOUT(NAME, member) info = GrB_Monoid_new_##NAME(made, op, monoid->identity.as.member)
    if (monoid->has_terminal)
        SL_GRB_SWITCH(monoid->type, WITH_TERMINAL)
    else
        SL_GRB_SWITCH(monoid->type, WITHOUT)
#undef WITH_TERMINAL
#undef WITHOUT
    return info;
}
