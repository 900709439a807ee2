/*
 * SuiteSparse's handles of what the table names, for tests that ask SuiteSparse
 * itself. Found here by names of their own, not through the library.
 */
#ifndef SEMLA_TEST_GRAPHBLAS_H
#define SEMLA_TEST_GRAPHBLAS_H

#include <GraphBLAS.h>
#include <semla/semirings.h>

#define GRB_OK(call) assert_int_equal(call, GrB_SUCCESS)

/* NULL where there is none; positional index operators under any type. */
GrB_Type grb_type(sl_type type);
GrB_UnaryOp grb_unary(int code, int type);
GrB_BinaryOp grb_binary(int code, int type);
GrB_IndexUnaryOp grb_index(int code, int type);
GrB_Monoid grb_monoid(sl_monoid m);
GrB_Semiring grb_semiring(sl_semiring s);

#endif
