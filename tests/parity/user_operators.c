/* User-defined functions with their source texts, and the operators, monoids and semirings made of
 * them. */
#include "user_operators.h"

#include "support.h"

/* ---- functions that are exact for all values of the trials, and their source texts  */

static void half(void *z, const void *x)
{
    *(double *)z = *(const int8_t *)x * 0.5;
}

static void last_digit(void *z, const void *x)
{
    *(uint16_t *)z = (uint16_t)(*(const uint64_t *)x % 10);
}

static void weigh(void *z, const void *x, const void *y)
{
    *(int32_t *)z = *(const uint8_t *)x * 4 + (*(const float *)y > 1.5f);
}

static void turn(void *z, const void *x, const void *y)
{
    *(double *)z = *(const int64_t *)y % 2 == 0 ? *(const double *)x : -*(const double *)x;
}

static void agree(void *z, const void *x, const void *y)
{
    *(bool *)z = ((*(const int16_t *)x ^ *(const int16_t *)y) & 1) == 0;
}

static void mark(void *z, const void *x, const void *y)
{
    *(uint32_t *)z = *(const bool *)x ? (uint32_t) * (const int16_t *)y : 7;
}

static void differences(void *z, const void *x, const void *y)
{
    *(uint32_t *)z = *(const uint32_t *)x ^ *(const uint32_t *)y;
}

static void divisor(void *z, const void *px, const void *py)
{
    uint64_t x = *(const uint64_t *)px, y = *(const uint64_t *)py;
    while (y != 0) {
        uint64_t remainder = x % y;
        x = y;
        y = remainder;
    }
    *(uint64_t *)z = x;
}

/* Even numbers are preferred to odd ones; among equals, the lesser. */
static void least_even(void *z, const void *px, const void *py)
{
    int64_t x = *(const int64_t *)px, y = *(const int64_t *)py;
    bool takes_x = (x & 1) == (y & 1) ? x < y : (x & 1) == 0;
    *(int64_t *)z = takes_x ? x : y;
}

void user_operators_by_index(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int64_t *)z = 100 * i + 10 * j + (*(const double *)x > 1) + *(const int32_t *)thunk;
}

void user_operators_third(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(bool *)z = (i + 2 * j + *(const uint8_t *)thunk) % 3 == 0 || *(const bool *)x;
}

/* ---- operators made of these functions ------------------------------------------- */

static void define_operators(user_operators *u, sl_context *ctx)
{
    OK(ctx, sl_unary_op_new(&u->unary[0], ctx, "half", SL_FP64, SL_INT8, half, "*z = *x * 0.5;"));
    OK(ctx, sl_unary_op_new(&u->unary[1], ctx, "digit", SL_UINT16, SL_UINT64, last_digit,
                            "*z = *x % 10;"));
    const struct {
        const char *name;
        sl_type result, x, y;
        sl_binary_function f;
        const char *source;
    } binary[] = {
        {"weigh", SL_INT32, SL_UINT8, SL_FP32, weigh, "*z = *x * 4 + (*y > 1.5f);"},
        {"turn", SL_FP64, SL_FP64, SL_INT64, turn, "*z = *y % 2 == 0 ? *x : -*x;"},
        {"agree", SL_BOOL, SL_INT16, SL_INT16, agree, "*z = ((*x ^ *y) & 1) == 0;"},
        {"mark", SL_UINT32, SL_BOOL, SL_INT16, mark, "*z = *x ? (uint32_t)*y : 7;"},
        {"differences", SL_UINT32, SL_UINT32, SL_UINT32, differences, "*z = *x ^ *y;"},
        {"divisor", SL_UINT64, SL_UINT64, SL_UINT64, divisor,
         "uint64_t a = *x, b = *y;\n"
         "while (b != 0) {\n"
         "    uint64_t remainder = a % b;\n"
         "    a = b;\n"
         "    b = remainder;\n"
         "}\n"
         "*z = a;"},
        {"least_even", SL_INT64, SL_INT64, SL_INT64, least_even,
         "bool takes_x = (*x & 1) == (*y & 1) ? *x < *y : (*x & 1) == 0;\n"
         "*z = takes_x ? *x : *y;"},
    };
    for (size_t k = 0; k < sizeof binary / sizeof *binary; k++)
        OK(ctx, sl_binary_op_new(&u->binary[k], ctx, binary[k].name, binary[k].result, binary[k].x,
                                 binary[k].y, binary[k].f, binary[k].source));
    OK(ctx, sl_index_op_new(&u->index[0], ctx, "place", SL_INT64, SL_FP64, SL_INT32,
                            user_operators_by_index, "*z = 100 * i + 10 * j + (*x > 1) + *thunk;"));
    OK(ctx, sl_index_op_new(&u->index[1], ctx, "third", SL_BOOL, SL_BOOL, SL_UINT8,
                            user_operators_third, "*z = (i + 2 * j + *thunk) % 3 == 0 || *x;"));
}

void user_operators_define(user_operators *u, sl_context *ctx)
{
    define_operators(u, ctx);
    sl_scalar one = sl_scalar_uint64(1);
    sl_monoid *m = u->monoid;
    OK(ctx, sl_monoid_new(&m[0], ctx, "differences", u->binary[4], sl_scalar_uint32(0), NULL));
    OK(ctx, sl_monoid_new(&m[1], ctx, "divisor", u->binary[5], sl_scalar_uint64(0), &one));
    OK(ctx, sl_monoid_new(&m[2], ctx, "even", u->binary[6], sl_scalar_int64(INT64_MAX), NULL));
    const struct {
        const char *name;
        sl_monoid add;
        sl_binary_op multiply;
    } semirings[] = {
        {"differences_mark", m[0], u->binary[3]},
        {"divisor_times", m[1], SL_TIMES_UINT64},
        {"even_secondi", m[2], SL_SECONDI_INT64},
        {"even_firstj", m[2], SL_FIRSTJ_INT64},
        {"plus_weigh", SL_PLUS_MONOID_INT32, u->binary[0]},
        {"any_agree", SL_ANY_MONOID_BOOL, u->binary[2]},
        {"min_max_fp64", SL_MIN_MONOID_FP64, SL_MAX_FP64},
        {"min_firsti", SL_MIN_MONOID_INT64, SL_FIRSTI_INT64},
        {"max_secondj", SL_MAX_MONOID_INT64, SL_SECONDJ_INT64},
        {"lor_lt", SL_LOR_MONOID_BOOL, SL_LT_FP32},
        {"lxor_eq", SL_LXOR_MONOID_BOOL, SL_EQ_UINT8},
    };
    for (size_t k = 0; k < sizeof semirings / sizeof *semirings; k++)
        OK(ctx, sl_semiring_new(&u->semiring[k], ctx, semirings[k].name, semirings[k].add,
                                semirings[k].multiply));
}

#define EACH(member) for (size_t k = 0; k < sizeof u->member / sizeof *u->member; k++)

void user_operators_free(user_operators *u)
{
    EACH(unary)
    sl_unary_op_free(u->unary[k]);
    EACH(binary)
    sl_binary_op_free(u->binary[k]);
    EACH(index)
    sl_index_op_free(u->index[k]);
    EACH(monoid)
    sl_monoid_free(u->monoid[k]);
    EACH(semiring)
    sl_semiring_free(u->semiring[k]);
}
