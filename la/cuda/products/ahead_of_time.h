/*
 * What is compiled with the library for its semiring: the table. Kernels of other semirings look
 * their operators up while they run, and are compiled for them when that pays (jit.c). Each
 * line costs build time.
 *
 * X(type, what products are, monoid, multiplicative operator); -1 is looked up, as of positions it
 * costs nothing.
 */
#ifndef SEMLA_CUDA_AHEAD_OF_TIME_H
#define SEMLA_CUDA_AHEAD_OF_TIME_H

/* Products of a matrix and a vector. */
#define PRODUCTS_AHEAD(X)                                                                          \
    X(float, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_TIMES)                                         \
    X(double, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_TIMES)                                        \
    X(float, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_SECOND)                                        \
    X(double, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_SECOND)                                       \
    X(float, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                           \
    X(double, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                          \
    X(int32_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                         \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                         \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_FIRST)                                        \
    X(bool, CUDA_VALUES, SL_BINARY_ANY, SL_BINARY_PAIR)                                            \
    X(bool, CUDA_VALUES, SL_BINARY_LOR, SL_BINARY_LAND)                                            \
    X(int64_t, CUDA_POSITION, SL_BINARY_ANY, -1)                                                   \
    X(int64_t, CUDA_POSITION, SL_BINARY_MIN, -1)

/* Products of matrices. */
#define MATRICES_AHEAD(X)                                                                          \
    X(float, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_TIMES)                                         \
    X(double, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_TIMES)                                        \
    X(int64_t, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_TIMES)                                       \
    X(int32_t, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_PAIR)                                        \
    X(int64_t, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_PAIR)                                        \
    X(uint64_t, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_PAIR)                                       \
    X(double, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_PAIR)                                         \
    X(float, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                           \
    X(double, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                          \
    X(bool, CUDA_VALUES, SL_BINARY_ANY, SL_BINARY_PAIR)                                            \
    X(bool, CUDA_VALUES, SL_BINARY_LOR, SL_BINARY_LAND)

/* Closures in the order of values, */
#define DELTA_STEPPING_AHEAD(X)                                                                    \
    X(float, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                           \
    X(double, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                          \
    X(int32_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                         \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)

/* and others that are no searches. */
#define RELAX_AHEAD(X)                                                                             \
    DELTA_STEPPING_AHEAD(X)                                                                        \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_FIRST)                                        \
    X(bool, CUDA_VALUES, SL_BINARY_LOR, SL_BINARY_LAND)                                            \
    X(int64_t, CUDA_POSITION, SL_BINARY_ANY, -1)

#endif
