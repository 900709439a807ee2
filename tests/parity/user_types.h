/*
 * User-defined types of 1, 2, 4 and 8 bytes with operators, each as a C function and as the same text,
 * for tests that compare a GPU with SuiteSparse. Sums are equal in any order.
 */
#ifndef SEMLA_TESTS_PARITY_USER_TYPES_H
#define SEMLA_TESTS_PARITY_USER_TYPES_H

#include "host_and_engine.h"

/* X(NAME, definition) */
#define USER_TYPES(X)                                                                              \
    X(                                                                                             \
        pair1, typedef struct { uint8_t a : 4, b : 4; } pair1;)                                    \
    X(                                                                                             \
        pair2, typedef struct { uint8_t a, b; } pair2;)                                            \
    X(                                                                                             \
        pair4, typedef struct { uint16_t a, b; } pair4;)                                           \
    X(                                                                                             \
        pair8, typedef struct { uint32_t a, b; } pair8;)
enum { TYPES = 4 };

/* The bodies of operators. larger, mix and cut are associative and commutative; step is neither. */
#define LARGER *z = x->a > y->a || (x->a == y->a && x->b >= y->b) ? *x : *y;
#define MIX                                                                                        \
    z->a = x->a ^ y->a;                                                                            \
    z->b = x->b + y->b;
#define CUT                                                                                        \
    z->a = x->a & y->a;                                                                            \
    z->b = x->b & y->b;
#define STEP                                                                                       \
    z->a = x->a + 2 * y->b;                                                                        \
    z->b = x->b ^ y->a;
#define SHIFT                                                                                      \
    z->a = x->a + *y;                                                                              \
    z->b = x->b;
#define BEFORE *z = x->a < y->a;
#define SWAP                                                                                       \
    z->a = x->b;                                                                                   \
    z->b = x->a;
#define DIFFERENCE *z = (int32_t)x->a - (int32_t)x->b;
#define SPLIT                                                                                      \
    z->a = *x / 8;                                                                                 \
    z->b = *x % 8;
#define MOVE                                                                                       \
    z->a = x->a + i;                                                                               \
    z->b = x->b + j + thunk->a;
#define CHOOSE *z = (x->a + i + 3 * j) % (thunk->b % 2 + 2);

/* A type with its operators in one context. */
typedef struct {
    sl_context *ctx;
    sl_type type;
    sl_binary_op larger, mix, cut, step, shift, before;
    sl_unary_op swap, difference, split;
    sl_index_op move, choose;
    sl_monoid most, mixed, meet; /* the last has a terminal value */
    sl_semiring steps, longest, any_before;
} kit;

#define TEXT(...)  TEXT_(__VA_ARGS__)
#define TEXT_(...) #__VA_ARGS__

#define BINARY(T, name, R, Y, BODY)                                                                \
    static void T##_##name(void *to, const void *first, const void *second)                        \
    {                                                                                              \
        R *z = to;                                                                                 \
        const T *x = first;                                                                        \
        const Y *y = second;                                                                       \
        BODY                                                                                       \
    }
#define UNARY(T, name, R, X, BODY)                                                                 \
    static void T##_##name(void *to, const void *from)                                             \
    {                                                                                              \
        R *z = to;                                                                                 \
        const X *x = from;                                                                         \
        BODY                                                                                       \
    }
#define INDEX(T, name, R, BODY)                                                                    \
    static void T##_##name(void *to, const void *from, int64_t i, int64_t j, const void *with)     \
    {                                                                                              \
        R *z = to;                                                                                 \
        const T *x = from, *thunk = with;                                                          \
        BODY                                                                                       \
    }
#define FUNCTIONS(T, ...)                                                                          \
    __VA_ARGS__                                                                                    \
    BINARY(T, larger, T, T, LARGER)                                                                \
    BINARY(T, mix, T, T, MIX)                                                                      \
    BINARY(T, cut, T, T, CUT)                                                                      \
    BINARY(T, step, T, T, STEP)                                                                    \
    BINARY(T, shift, T, int32_t, SHIFT)                                                            \
    BINARY(T, before, bool, T, BEFORE)                                                             \
    UNARY(T, swap, T, T, SWAP)                                                                     \
    UNARY(T, difference, int32_t, T, DIFFERENCE)                                                   \
    UNARY(T, split, T, int32_t, SPLIT)                                                             \
    INDEX(T, move, T, MOVE)                                                                        \
    INDEX(T, choose, int32_t, CHOOSE)
USER_TYPES(FUNCTIONS)
#undef FUNCTIONS

/* source: whether the GPU gets the texts. */
#define BEGIN(T, ...)                                                                              \
    static inline void begin_##T(kit *k, sl_context *ctx, bool source)                             \
    {                                                                                              \
        const T zero = {0, 0}, ones = {-1, -1};                                                    \
        sl_type type;                                                                              \
        OK(ctx, sl_type_new(&type, ctx, #T, sizeof(T), source ? #__VA_ARGS__ : NULL));             \
        const sl_scalar none = sl_scalar_other(type, &zero), all = sl_scalar_other(type, &ones);   \
        *k = (kit){.ctx = ctx, .type = type};                                                      \
        NEW_BINARY(T, larger, type, type, LARGER);                                                 \
        NEW_BINARY(T, mix, type, type, MIX);                                                       \
        NEW_BINARY(T, cut, type, type, CUT);                                                       \
        NEW_BINARY(T, step, type, type, STEP);                                                     \
        NEW_BINARY(T, shift, type, SL_INT32, SHIFT);                                               \
        NEW_BINARY(T, before, SL_BOOL, type, BEFORE);                                              \
        OK(ctx, sl_unary_op_new(&k->swap, ctx, "swap", type, type, T##_swap, TEXT(SWAP)));         \
        OK(ctx, sl_unary_op_new(&k->difference, ctx, "difference", SL_INT32, type, T##_difference, \
                                TEXT(DIFFERENCE)));                                                \
        OK(ctx, sl_unary_op_new(&k->split, ctx, "split", type, SL_INT32, T##_split, TEXT(SPLIT))); \
        OK(ctx, sl_index_op_new(&k->move, ctx, "move", type, type, type, T##_move, TEXT(MOVE)));   \
        OK(ctx, sl_index_op_new(&k->choose, ctx, "choose", SL_INT32, type, type, T##_choose,       \
                                TEXT(CHOOSE)));                                                    \
        OK(ctx, sl_monoid_new(&k->most, ctx, "most", k->larger, none, NULL));                      \
        OK(ctx, sl_monoid_new(&k->mixed, ctx, "mixed", k->mix, none, NULL));                       \
        OK(ctx, sl_monoid_new(&k->meet, ctx, "meet", k->cut, all, &none));                         \
        OK(ctx, sl_semiring_new(&k->steps, ctx, "steps", k->mixed, k->step));                      \
        OK(ctx, sl_semiring_new(&k->longest, ctx, "longest", k->meet, k->step));                   \
        OK(ctx,                                                                                    \
           sl_semiring_new(&k->any_before, ctx, "any_before", SL_LOR_MONOID_BOOL, k->before));     \
    }
#define NEW_BINARY(T, name, z, y, BODY)                                                            \
    OK(ctx, sl_binary_op_new(&k->name, ctx, #name, z, type, y, T##_##name, TEXT(BODY)))
USER_TYPES(BEGIN)
#undef BEGIN

static inline void end_kit(kit *k)
{
    sl_semiring_free(k->steps);
    sl_semiring_free(k->longest);
    sl_semiring_free(k->any_before);
    sl_monoid_free(k->most);
    sl_monoid_free(k->mixed);
    sl_monoid_free(k->meet);
    sl_index_op_free(k->move);
    sl_index_op_free(k->choose);
    sl_unary_op_free(k->swap);
    sl_unary_op_free(k->difference);
    sl_unary_op_free(k->split);
    sl_binary_op_free(k->larger);
    sl_binary_op_free(k->mix);
    sl_binary_op_free(k->cut);
    sl_binary_op_free(k->step);
    sl_binary_op_free(k->shift);
    sl_binary_op_free(k->before);
    sl_type_free(k->type);
}

#endif
