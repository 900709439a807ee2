/* SuiteSparse's handles of built-in types, operators and monoids, for tests that compare with
 * SuiteSparse directly. The library has tables of its own, which these do not use. */
#ifndef SEMLA_TEST_GRAPHBLAS_H
#define SEMLA_TEST_GRAPHBLAS_H

#include <GraphBLAS.h>
#include <semla/semirings.h>

#define GRB_OK(call) assert_int_equal(call, GrB_SUCCESS)

/* NULL if SuiteSparse has none. Positional index operators exist for every type. */
GrB_Type grb_type(sl_type type);
GrB_UnaryOp grb_unary(int code, int type);
GrB_BinaryOp grb_binary(int code, int type);
GrB_IndexUnaryOp grb_index(int code, int type);
GrB_Monoid grb_monoid(sl_monoid m);
GrB_Semiring grb_semiring(sl_semiring s);

#endif
