/*
 * User-defined types, operators, monoids and semirings.
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
 * Errors of all sl_..._new, which set the result to NULL: SL_INVALID (NULL, an empty name or source, a source without
 * z, an unknown type, and errors named at the function), SL_MISMATCH (a part of another context), SL_NO_MEMORY. On a
 * grid every function that returns a status is collective.
 */
#ifndef SEMLA_OPERATORS_H
#define SEMLA_OPERATORS_H

#include <semla/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Creates a type whose values are `size` bytes, which the library copies and passes to user-defined
 * operators by address. Values are cast to no other type, and no other values to it: SL_MISMATCH.
 * An operation is SL_UNSUPPORTED if it needs an operator of the table for them: scatter, sort,
 * equal, traversals over a semiring of the type. Files do not store them. Masks of the type
 * need SL_STRUCTURE. build and take need values, not NULL.
 *
 * size    of a value in bytes; pointers to values are aligned if the size is a multiple of the
 *         alignment, as that of a C type is
 * source  C text that defines the type by its name, copied, for engines that compile operators for
 *         a GPU, as those of operators; or NULL:
 *
 *             "typedef struct { float x, y; } point;"
 *
 * SuiteSparse runs all operations on the type. The `cuda` engine runs a call if its types have 1,
 * 2, 4 or 8 bytes and a source, and its user-defined operators have a source, too; without NVRTC it
 * runs only calls without such operators. Traversals of a pattern run as loops of products. Other
 * calls fall back to SuiteSparse, as they do from the other engines of one process. An operator's
 * text is compiled after the sources of its types. If two of these types have the same name, their
 * sources must be equal. The text must not follow pointers in values: they are addresses of the
 * host. A source of another size, or one that does not compile, makes the operation SL_INVALID. A
 * grid exchanges the values as bytes, on the host, and does not compare the ranks' scalars of the
 * type: thunks may be pointers.
 *
 * The type lives until it is freed and the last operator, matrix and vector of it is gone. SL_INVALID:
 * a size of 0; a source in which the name does not occur. SL_NO_MEMORY: also if the process has 65,536
 * types. On failure *type is SL_TYPE_COUNT.
 */
sl_status sl_type_new(sl_type *type, sl_context *ctx, const char *name, size_t size,
                      const char *source);

/* Creates a unary operator z = f(x). `result` is the type of z, `x` the type of x. */
sl_status sl_unary_op_new(sl_unary_op *op, sl_context *ctx, const char *name, sl_type result,
                          sl_type x, sl_unary_function f, const char *source);

/* Creates a binary operator z = f(x, y). It is not assumed to commute, nor to ignore x or y. As
 * `dup` of build its three types must be the object's type. */
sl_status sl_binary_op_new(sl_binary_op *op, sl_context *ctx, const char *name, sl_type result,
                           sl_type x, sl_type y, sl_binary_function f, const char *source);

/* Creates an index operator z = f(A(i,j), i, j, thunk), with j = 0 for a vector. For apply_index,
 * and for select, which casts the result to bool. */
sl_status sl_index_op_new(sl_index_op *op, sl_context *ctx, const char *name, sl_type result,
                          sl_type x, sl_type thunk, sl_index_function f, const char *source);

/*
 * Creates a monoid.
 *
 * op        a user-defined or built-in operator with one type for x, y and z, associative and
 *           commutative. This is not checked: if it does not hold, sums depend on the engine
 *           and the number of threads.
 * identity  op(identity, x) == x, not checked either; also the sum of no values. Copied
 * terminal  NULL, or a value with op(terminal, x) == terminal, at which engines stop a sum (0 for
 *           products). Copied
 *
 * If op has a built-in monoid with this identity, the new monoid has its properties and terminal value.
 *
 * SL_INVALID: the types of op differ; op is positional; identity or terminal has another type;
 * op(terminal, terminal) or op(terminal, identity) is not `terminal`.
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

/* Free a user-defined type, operator, monoid or semiring; NULL and built-in ones are ignored. */
void sl_type_free(sl_type type);
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
