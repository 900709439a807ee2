/*
 * Operators, monoids and semirings of the user's own, over the built-in types.
 *
 * What is made here is used wherever <semla/operations.h>, build and the traversal
 * take a built-in one: as operator, accumulator, dup, monoid or semiring. It is the
 * caller's, to be freed before its context, and of use with objects of that context
 * alone: SL_MISMATCH with others. What it is made of may be freed before it.
 *
 * SuiteSparse takes all of it. An engine that does not passes it on.
 *
 * `name` is for messages and traces. `source` is NULL or the body of the function in
 * C, for engines that compile operators for a device: cuda does. It sees z, x, y and
 * thunk as pointers to the operator's C types, all but z to const, and the int64_t i and j:
 *
 *     "*z = *x < *y ? *y - *x : 0;"
 *
 * It has to mean what the function means. cuda compiles it as CUDA C++ by NVRTC, when
 * it first meets the operator in a call; C's functions of <math.h> are there, nothing
 * can be included. A text that does not compile makes that call SL_INVALID, with the
 * compiler's words; where nothing can be compiled (no NVRTC; SEMLA_CACHE_DIR=off) the
 * call is SL_UNSUPPORTED. Without a text cuda passes the operator on to SuiteSparse.
 *
 * Functions may be called from several threads at once, any number of times, for
 * any entries; they must not fail, nor use the context. x and y are cast to their
 * types before, the result to the output's type after.
 *
 * Errors of all ..._new: SL_INVALID (NULL, no name, an empty source, a code that is
 * no type, and what each names), SL_MISMATCH (a part is of another context),
 * SL_NO_MEMORY. *op is NULL then.
 */
#ifndef SEMLA_OPERATORS_H
#define SEMLA_OPERATORS_H

#include <semla/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* z = f(x): `result` is the type of z, `x` that of x. For apply. */
sl_status sl_unary_op_new(sl_unary_op *op, sl_context *ctx, const char *name, sl_type result,
                          sl_type x, sl_unary_function f, const char *source);

/*
 * z = f(x, y). Nothing is assumed of it: not that it commutes, nor that it could do
 * without x or y. As dup of build its three types have to be the object's.
 */
sl_status sl_binary_op_new(sl_binary_op *op, sl_context *ctx, const char *name, sl_type result,
                           sl_type x, sl_type y, sl_binary_function f, const char *source);

/* z = f(A(i,j), i, j, thunk), of a vector j = 0. For apply_index; for select if
 * `result` is SL_BOOL. */
sl_status sl_index_op_new(sl_index_op *op, sl_context *ctx, const char *name, sl_type result,
                          sl_type x, sl_type thunk, sl_index_function f, const char *source);

/*
 * A monoid over a binary operator, the user's or a built-in one, that has one type
 * for x, y and z, is associative and commutative and has the given identity. The
 * first cannot be checked. Where they do not hold, sums depend on the engine, on
 * threads and on how objects are kept.
 *
 * `terminal` is NULL, or the value at which a sum stays whatever follows (0 of
 * products): engines then stop there.
 *
 * A built-in operator that has a monoid in the table gives that monoid's properties,
 * with its terminal, and takes no identity but the right one.
 *
 * SL_INVALID: the operator's types differ, it is positional, or it is built-in and
 * does not commute; identity or terminal are not of its type, or a trial shows that
 * they are none (f is called here with the two, and with all values of bool).
 */
sl_status sl_monoid_new(sl_monoid *monoid, sl_context *ctx, const char *name, sl_binary_op op,
                        sl_scalar identity, const sl_scalar *terminal);

/*
 * Promises that x (+) x == x in this monoid, which nobody can check, so that its
 * semirings have advance and closure. A promise that does not hold makes these
 * wrong. SL_INVALID: NULL, or a built-in monoid of which it is not true.
 */
sl_status sl_monoid_promise_idempotent(sl_monoid monoid);

/*
 * The semiring that adds with `add` and multiplies with `multiply`, each the user's
 * or built-in. A pair that stands in the table is the table's semiring to all
 * engines. Whether products distribute over sums is the user's concern: vxm and its
 * kin do not need it, closures do.
 * SL_INVALID: the monoid's type is not that of the operator's result.
 */
sl_status sl_semiring_new(sl_semiring *semiring, sl_context *ctx, const char *name, sl_monoid add,
                          sl_binary_op multiply);

/* Free what was made above; NULL and built-in ones are left alone. */
void sl_unary_op_free(sl_unary_op op);
void sl_binary_op_free(sl_binary_op op);
void sl_index_op_free(sl_index_op op);
void sl_monoid_free(sl_monoid monoid);
void sl_semiring_free(sl_semiring semiring);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
