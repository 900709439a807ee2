/*
 * The semirings for which kernels are compiled with the library. Kernels of other semirings look
 * their operators up at run time, and are compiled when that pays (jit.c). Each line costs build
 * time.
 * X(type, kind of product, monoid, multiplicative operator); -1 is looked up, which costs nothing
 * for positional operators.
 */
#ifndef SEMLA_CUDA_PRECOMPILED_H
#define SEMLA_CUDA_PRECOMPILED_H

/* Products of a matrix and a vector. */
#define PRECOMPILED_PRODUCTS(X)                                                                    \
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
#define PRECOMPILED_MATRIX_PRODUCTS(X)                                                             \
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

/* Closures by delta-stepping. */
#define PRECOMPILED_DELTA_STEPPING(X)                                                              \
    X(float, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                           \
    X(double, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                          \
    X(int32_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                         \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)

/* Other closures that are not searches. */
#define PRECOMPILED_RELAX(X)                                                                       \
    PRECOMPILED_DELTA_STEPPING(X)                                                                  \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_FIRST)                                        \
    X(bool, CUDA_VALUES, SL_BINARY_LOR, SL_BINARY_LAND)                                            \
    X(int64_t, CUDA_POSITION, SL_BINARY_ANY, -1)

#endif
