/* Tables of SuiteSparse's operators and monoids, in the order of the tables of semirings/. */
#include "graphblas.h"

GrB_Type grb_type(sl_type type)
{
    switch (type) {
#define X(NAME, ...)                                                                               \
    case SL_##NAME:                                                                                \
        return GrB_##NAME;
        SL_TYPES_ALL(X, )
#undef X
    default:
        return NULL;
    }
}

/* The names of SuiteSparse's operators: GrB_ for those of the C API, otherwise GxB_. */
#define GRB_IDENTITY(T)  GrB_IDENTITY_##T
#define GRB_AINV(T)      GrB_AINV_##T
#define GRB_MINV(T)      GrB_MINV_##T
#define GRB_ABS(T)       GrB_ABS_##T
#define GRB_LNOT(T)      GxB_LNOT_##T
#define GRB_ONE(T)       GxB_ONE_##T
#define GRB_SQRT(T)      GxB_SQRT_##T
#define GRB_CBRT(T)      made_unary(SL_CBRT_##T)
#define GRB_EXP(T)       GxB_EXP_##T
#define GRB_EXP2(T)      GxB_EXP2_##T
#define GRB_EXPM1(T)     GxB_EXPM1_##T
#define GRB_LOG(T)       GxB_LOG_##T
#define GRB_LOG2(T)      GxB_LOG2_##T
#define GRB_LOG10(T)     GxB_LOG10_##T
#define GRB_LOG1P(T)     GxB_LOG1P_##T
#define GRB_SIN(T)       GxB_SIN_##T
#define GRB_COS(T)       GxB_COS_##T
#define GRB_TAN(T)       GxB_TAN_##T
#define GRB_ASIN(T)      GxB_ASIN_##T
#define GRB_ACOS(T)      GxB_ACOS_##T
#define GRB_ATAN(T)      GxB_ATAN_##T
#define GRB_SINH(T)      GxB_SINH_##T
#define GRB_COSH(T)      GxB_COSH_##T
#define GRB_TANH(T)      GxB_TANH_##T
#define GRB_ASINH(T)     GxB_ASINH_##T
#define GRB_ACOSH(T)     GxB_ACOSH_##T
#define GRB_ATANH(T)     GxB_ATANH_##T
#define GRB_ERF(T)       GxB_ERF_##T
#define GRB_ERFC(T)      GxB_ERFC_##T
#define GRB_LGAMMA(T)    GxB_LGAMMA_##T
#define GRB_TGAMMA(T)    made_unary(SL_TGAMMA_##T)
#define GRB_CEIL(T)      GxB_CEIL_##T
#define GRB_FLOOR(T)     GxB_FLOOR_##T
#define GRB_ROUND(T)     GxB_ROUND_##T
#define GRB_TRUNC(T)     GxB_TRUNC_##T
#define GRB_SIGNUM(T)    GxB_SIGNUM_##T
#define GRB_ISINF(T)     GxB_ISINF_##T
#define GRB_ISNAN(T)     GxB_ISNAN_##T
#define GRB_ISFINITE(T)  GxB_ISFINITE_##T
#define GRB_BNOT(T)      GrB_BNOT_##T
#define GRB_FREXPX(T)    GxB_FREXPX_##T
#define GRB_FREXPE(T)    GxB_FREXPE_##T
#define GRB_ANY(T)       GxB_ANY_##T
#define GRB_FIRST(T)     GrB_FIRST_##T
#define GRB_SECOND(T)    GrB_SECOND_##T
#define GRB_PAIR(T)      GxB_PAIR_##T
#define GRB_PLUS(T)      GrB_PLUS_##T
#define GRB_MINUS(T)     GrB_MINUS_##T
#define GRB_TIMES(T)     GrB_TIMES_##T
#define GRB_DIV(T)       GrB_DIV_##T
#define GRB_MIN(T)       GrB_MIN_##T
#define GRB_MAX(T)       GrB_MAX_##T
#define GRB_LOR(T)       GxB_LOR_##T
#define GRB_LAND(T)      GxB_LAND_##T
#define GRB_LXOR(T)      GxB_LXOR_##T
#define GRB_LXNOR(T)     GrB_LXNOR
#define GRB_EQ(T)        GrB_EQ_##T
#define GRB_NE(T)        GrB_NE_##T
#define GRB_LT(T)        GrB_LT_##T
#define GRB_LE(T)        GrB_LE_##T
#define GRB_GT(T)        GrB_GT_##T
#define GRB_GE(T)        GrB_GE_##T
#define GRB_FIRSTI(T)    GxB_FIRSTI_##T
#define GRB_FIRSTJ(T)    GxB_FIRSTJ_##T
#define GRB_SECONDI(T)   GxB_SECONDI_##T
#define GRB_SECONDJ(T)   GxB_SECONDJ_##T
#define GRB_RMINUS(T)    GxB_RMINUS_##T
#define GRB_RDIV(T)      GxB_RDIV_##T
#define GRB_POW(T)       GxB_POW_##T
#define GRB_ISEQ(T)      GxB_ISEQ_##T
#define GRB_ISNE(T)      GxB_ISNE_##T
#define GRB_ISGT(T)      GxB_ISGT_##T
#define GRB_ISLT(T)      GxB_ISLT_##T
#define GRB_ISGE(T)      GxB_ISGE_##T
#define GRB_ISLE(T)      GxB_ISLE_##T
#define GRB_ATAN2(T)     GxB_ATAN2_##T
#define GRB_HYPOT(T)     GxB_HYPOT_##T
#define GRB_FMOD(T)      GxB_FMOD_##T
#define GRB_REMAINDER(T) GxB_REMAINDER_##T
#define GRB_COPYSIGN(T)  GxB_COPYSIGN_##T
#define GRB_LDEXP(T)     made_binary(SL_LDEXP_##T)
#define GRB_BOR(T)       GrB_BOR_##T
#define GRB_BAND(T)      GrB_BAND_##T
#define GRB_BXOR(T)      GrB_BXOR_##T
#define GRB_BXNOR(T)     GrB_BXNOR_##T
#define GRB_BGET(T)      GxB_BGET_##T
#define GRB_BSET(T)      GxB_BSET_##T
#define GRB_BCLR(T)      GxB_BCLR_##T
#define GRB_BSHIFT(T)    made_binary(SL_BSHIFT_##T)
#define GRB_FLOORDIV(T)  made_binary(SL_FLOORDIV_##T)
#define GRB_RFLOORDIV(T) made_binary(SL_RFLOORDIV_##T)
#define GRB_MOD(T)       made_binary(SL_MOD_##T)
#define GRB_RPOW(T)      made_binary(SL_RPOW_##T)
#define GRB_ABSFIRST(T)  made_binary(SL_ABSFIRST_##T)
#define GRB_ABSSECOND(T) made_binary(SL_ABSSECOND_##T)

/* Operators that SuiteSparse does not have, or computes differently, are made of the table's functions,
 * once. */
static GrB_UnaryOp made_unary(sl_unary_op op)
{
    static GrB_UnaryOp made[SL_UNARY_COUNT][SL_TYPE_COUNT];
    GrB_UnaryOp *handle = &made[op->code][op->type];
    if (!*handle)
        GrB_UnaryOp_new(handle, op->eval, grb_type(op->result), grb_type(op->type));
    return *handle;
}

static GrB_BinaryOp made_binary(sl_binary_op op)
{
    static GrB_BinaryOp made[SL_BINARY_COUNT][SL_TYPE_COUNT];
    GrB_BinaryOp *handle = &made[op->code][op->type];
    if (!*handle)
        GrB_BinaryOp_new(handle, op->eval, grb_type(op->result), grb_type(op->type),
                         grb_type(op->type_y));
    return *handle;
}

GrB_UnaryOp grb_unary(int code, int type)
{
#define X(NAME, name, T, CLASS, lo, hi, OPNAME)                                                    \
    if (code == SL_UNARY_##OPNAME && type == SL_##NAME)                                            \
        return GRB_##OPNAME(NAME);
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
    SL_UNARY_OPS(OP)
#undef OP
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
    SL_UNARY_FUNCTIONS(OP)
#undef OP
#undef X
    return NULL;
}

GrB_BinaryOp grb_binary(int code, int type)
{
#define X(NAME, name, T, CLASS, lo, hi, OPNAME)                                                    \
    if (code == SL_BINARY_##OPNAME && type == SL_##NAME)                                           \
        return GRB_##OPNAME(NAME);
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
    SL_BINARY_OPS(OP)
    SL_COMPARISONS(OP)
#undef OP
#define OP(OPNAME, ...) SL_TYPES_BOOL(X, OPNAME)
    SL_BINARY_OPS_BOOL(OP)
#undef OP
#define OP(OPNAME, ...) SL_TYPES_INDEX(X, OPNAME)
    SL_POSITIONAL_OPS(OP)
#undef OP
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
    SL_BINARY_FUNCTIONS(OP)
#undef OP
#undef X
    return NULL;
}

GrB_IndexUnaryOp grb_index(int code, int type)
{
    switch (code) {
    case SL_INDEX_ROWINDEX:
        return type == SL_INT32 ? GrB_ROWINDEX_INT32 : GrB_ROWINDEX_INT64;
    case SL_INDEX_COLINDEX:
        return type == SL_INT32 ? GrB_COLINDEX_INT32 : GrB_COLINDEX_INT64;
    case SL_INDEX_DIAGINDEX:
        return type == SL_INT32 ? GrB_DIAGINDEX_INT32 : GrB_DIAGINDEX_INT64;
    case SL_INDEX_TRIL:
        return GrB_TRIL;
    case SL_INDEX_TRIU:
        return GrB_TRIU;
    case SL_INDEX_DIAG:
        return GrB_DIAG;
    case SL_INDEX_OFFDIAG:
        return GrB_OFFDIAG;
    case SL_INDEX_ROWLE:
        return GrB_ROWLE;
    case SL_INDEX_ROWGT:
        return GrB_ROWGT;
    case SL_INDEX_COLLE:
        return GrB_COLLE;
    case SL_INDEX_COLGT:
        return GrB_COLGT;
    }
#define X(NAME, name, T, CLASS, lo, hi, OPNAME)                                                    \
    if (code == SL_INDEX_##OPNAME && type == SL_##NAME)                                            \
        return GrB_##OPNAME##_##NAME;
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
    SL_INDEX_OPS_VALUE(OP)
#undef OP
#undef X
    return NULL;
}

/* The names of SuiteSparse's monoids. */
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

/* SuiteSparse has monoids on bits for unsigned integers. */
#define BITS_UINT8(OP)  GxB_##OP##_UINT8_MONOID
#define BITS_UINT16(OP) GxB_##OP##_UINT16_MONOID
#define BITS_UINT32(OP) GxB_##OP##_UINT32_MONOID
#define BITS_UINT64(OP) GxB_##OP##_UINT64_MONOID
#define BITS_INT8(OP)   made_monoid(SL_##OP##_MONOID_INT8)
#define BITS_INT16(OP)  made_monoid(SL_##OP##_MONOID_INT16)
#define BITS_INT32(OP)  made_monoid(SL_##OP##_MONOID_INT32)
#define BITS_INT64(OP)  made_monoid(SL_##OP##_MONOID_INT64)

static GrB_Monoid made_monoid(sl_monoid m)
{
    static GrB_Monoid made[SL_MONOID_COUNT][SL_TYPE_COUNT];
    GrB_Monoid *handle = &made[m->code][m->type];
    GrB_BinaryOp op = grb_binary(m->op->code, m->type);
    if (*handle)
        return *handle;
    switch (m->type) {
#define X(NAME, name, ...)                                                                         \
    case SL_##NAME:                                                                                \
        GrB_Monoid_new_##NAME(handle, op, m->identity.as.name##_);                                 \
        break;
        SL_TYPES_INTEGER(X, )
#undef X
    default:
        break;
    }
    return *handle;
}

GrB_Monoid grb_monoid(sl_monoid m)
{
#define X(NAME, name, T, CLASS, lo, hi, OPNAME)                                                    \
    if (m == SL_##OPNAME##_MONOID_##NAME)                                                          \
        return MONOID_##OPNAME(NAME);
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
    SL_MONOIDS(OP)
#undef OP
#undef X
    return NULL;
}

/* SuiteSparse calls lxnor eq. */
#define GxB_LXNOR_LOR_BOOL GxB_EQ_LOR_BOOL
GrB_Semiring grb_semiring(sl_semiring s)
{
#define X(NAME, name, T, CLASS, lo, hi, RING)                                                      \
    if (s == SL_##RING##_##NAME)                                                                   \
        return GxB_##RING##_##NAME;
#define RING(RING, ring, ADD, MULTIPLY, TYPES) SL_TYPES_##TYPES(X, RING)
    SL_SEMIRINGS(RING)
#undef RING
#undef X
    return NULL;
}
