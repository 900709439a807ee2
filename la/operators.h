/*
 * User-defined operators, monoids and semirings over the built-in types.
 *
 * A user-defined operator may be used wherever the functions of <semla/operations.h>,
 * sl_matrix_build and the traversals take a built-in one. It belongs to its context: with objects
 * of another context it is SL_MISMATCH. The caller owns it and frees it before the context; an
 * operator may be freed before the monoid or semiring made of it.
 *
 * Common parameters
 *
 * name    for messages and traces; copied
 * f       the function. It may be called from several threads at once, any number of times and for
 *         any entry, and must not fail or use the context. Its inputs are cast to their types
 *         before, its result to the output's type afterwards.
 * source  C text of the body of the function, copied, for engines that compile operators for a
 *         GPU; or NULL. The body reads the pointers x, y and thunk, which are const, and the
 *         int64_t i and j, and writes *z:
 *
 *             "*z = *x < *y ? *y - *x : 0;"
 *
 * SuiteSparse supports all user-defined operators. The `cuda` engine compiles `source` as CUDA C++
 * by NVRTC when it first meets the operator; the functions of <math.h> are available, nothing can
 * be included. The text must do the same as f. A text that does not compile makes the operation
 * SL_INVALID, with the compiler's message; without NVRTC, or with SEMLA_CACHE_DIR=off, the
 * operation is SL_UNSUPPORTED. Operators without a source fall back to SuiteSparse.
 *
 * Errors of all sl_..._new, which set the result to NULL: SL_INVALID (NULL, an empty name or
 * source, a source without z, an unknown type, and those named at the function), SL_MISMATCH (a
 * part of another context), SL_NO_MEMORY. On a grid every function that returns a status is collective.
 */
#ifndef SEMLA_OPERATORS_H
#define SEMLA_OPERATORS_H

#include <semla/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Creates a unary operator z = f(x). `result` is the type of z, `x` that of x. */
sl_status sl_unary_op_new(sl_unary_op *op, sl_context *ctx, const char *name, sl_type result,
                          sl_type x, sl_unary_function f, const char *source);

/* Creates a binary operator z = f(x, y). It is not assumed to commute, nor to ignore x or y. As
 * `dup` of build its three types must be the object's type. */
sl_status sl_binary_op_new(sl_binary_op *op, sl_context *ctx, const char *name, sl_type result,
                           sl_type x, sl_type y, sl_binary_function f, const char *source);

/* Creates an index operator z = f(A(i,j), i, j, thunk), with j = 0 for a vector. For apply_index;
 * also for select if `result` is SL_BOOL. */
sl_status sl_index_op_new(sl_index_op *op, sl_context *ctx, const char *name, sl_type result,
                          sl_type x, sl_type thunk, sl_index_function f, const char *source);

/*
 * Creates a monoid.
 *
 * op        a user-defined or built-in operator with one type for x, y and z, associative and
 *           commutative. This cannot be checked: if it does not hold, sums depend on the engine
 *           and the number of threads.
 * identity  op(identity, x) == x
 * terminal  NULL, or a value with op(terminal, x) == terminal, at which engines stop a sum (0 for
 *           products)
 *
 * If op has a built-in monoid, the new monoid has its properties and terminal value, and `identity`
 * must be its identity.
 *
 * SL_INVALID: the types of op differ; op is positional, or built in and not commutative; identity
 * or terminal has another type or fails a test (op is called with the two, and with both values of
 * bool).
 */
sl_status sl_monoid_new(sl_monoid *monoid, sl_context *ctx, const char *name, sl_binary_op op,
                        sl_scalar identity, const sl_scalar *terminal);

/* Declares a monoid idempotent, op(x, x) == x, so that its semirings can be used in advance and
 * closure. This is not checked: a wrong declaration gives wrong results. SL_INVALID: NULL, or a
 * built-in monoid that is not idempotent. Not collective: every rank calls it. */
sl_status sl_monoid_promise_idempotent(sl_monoid monoid);

/*
 * Creates a semiring that adds with `add` and multiplies with `multiply`, each user-defined or
 * built in. For products `add` need not be idempotent; for advance and closure it must be.
 * A pair that is a built-in semiring runs as that one. A closure also needs `multiply` to
 * distribute over `add`, which is not checked.
 *
 * SL_INVALID: the monoid's type is not the type of the operator's result.
 */
sl_status sl_semiring_new(sl_semiring *semiring, sl_context *ctx, const char *name, sl_monoid add,
                          sl_binary_op multiply);

/* Free a user-defined operator, monoid or semiring; NULL and built-in ones are ignored. */
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
