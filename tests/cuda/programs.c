/* Programs compiled at run time. NVRTC needs no GPU; without NVRTC the tests that compile are
 * skipped. */
#include "compiled.h"

#include "cuda/operations/stored_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- operators ------------------------------------------------------------------- */

static void half(void *z, const void *x)
{
    *(double *)z = *(const int8_t *)x * 0.5;
}

static void gcd(void *z, const void *px, const void *py)
{
    uint64_t x = *(const uint64_t *)px, y = *(const uint64_t *)py;
    for (uint64_t rest; y != 0; x = y, y = rest)
        rest = x % y;
    *(uint64_t *)z = x;
}

static void new_id(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int64_t *)z = 100 * i + 10 * j + (*(const double *)x > 1) + *(const int32_t *)thunk;
}

/* ---- compilation ------------------------------------------------------------------- */

static void test_maps(void **state)
{
    need_nvrtc();
    sl_unary_op unary;
    sl_index_op index;
    sl_binary_op binary = weigh_of("weigh", weigh_source);
    OK(ctx, sl_unary_op_new(&unary, ctx, "half", SL_FP64, SL_INT8, half, "*z = *x * 0.5;"));
    OK(ctx, sl_index_op_new(&index, ctx, "new_id", SL_INT64, SL_FP64, SL_INT32, new_id,
                            "*z = 100 * i + 10 * j + (*x > 1) + *thunk;"));
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_EWISE, .binary = binary}, 75, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_JOIN, .binary = binary}, 90, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_APPLY, .unary = unary}, 90, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_INDEX, .index = index}, 90, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_INDEX_ENTRIES, .index = index}, 90, false);
    sl_binary_op_free(binary);
    sl_unary_op_free(unary);
    sl_index_op_free(index);
}

/* Products of user-defined and built-in operators; row sums. */
static void test_products(void **state)
{
    need_nvrtc();
    sl_binary_op multiply = weigh_of("weigh", weigh_source), divisor;
    sl_monoid add;
    sl_scalar one = sl_scalar_uint64(1);
    OK(ctx, sl_binary_op_new(&divisor, ctx, "gcd", SL_UINT64, SL_UINT64, SL_UINT64, gcd,
                             "uint64_t a = *x, b = *y;\n"
                             "for (uint64_t rest; b != 0; a = b, b = rest)\n"
                             "    rest = a % b;\n"
                             "*z = a; // the last comment ends with the line"));
    OK(ctx, sl_monoid_new(&add, ctx, "gcd", divisor, sl_scalar_uint64(0), &one));
    const cuda_wanted wanted[] = {
        {.kind = CUDA_PROGRAM_PULL, .monoid = SL_PLUS_MONOID_INT32, .binary = multiply},
        {.kind = CUDA_PROGRAM_PUSH, .monoid = SL_ANY_MONOID_INT32, .binary = multiply},
        {.kind = CUDA_PROGRAM_PULL, .monoid = add, .binary = SL_TIMES_UINT64},
        {.kind = CUDA_PROGRAM_DOTS, .monoid = SL_MAX_MONOID_INT64, .binary = SL_FIRSTJ_INT64},
        {.kind = CUDA_PROGRAM_DOTS, .monoid = SL_LOR_MONOID_BOOL, .binary = SL_EQ_FP64},
        {.kind = CUDA_PROGRAM_PUSH, .monoid = SL_LXOR_MONOID_BOOL, .binary = SL_LT_INT16},
        {.kind = CUDA_PROGRAM_SUMS, .monoid = add, .binary = SL_TIMES_UINT64},
        {.kind = CUDA_PROGRAM_FULL, .monoid = SL_PLUS_MONOID_INT32, .binary = multiply},
        {.kind = CUDA_PROGRAM_REDUCE, .monoid = add},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        expect(&wanted[k], k % 2 ? 75 : 90, false);
    sl_monoid_free(add);
    sl_binary_op_free(divisor);
    sl_binary_op_free(multiply);
}

/* Every function of the table compiles, and so do products and reductions with one. */
static void test_functions(void **state)
{
    need_nvrtc();
    for (int code = SL_UNARY_SQRT; code < SL_UNARY_COUNT; code++)
        expect(&(cuda_wanted){.kind = CUDA_PROGRAM_APPLY,
                              .unary = sl_unary_op_get(code,
                                                       code == SL_UNARY_BNOT ? SL_INT32 : SL_FP32)},
               90, false);
    for (int code = SL_BINARY_RMINUS; code < SL_BINARY_COUNT; code++)
        expect(&(cuda_wanted){.kind = CUDA_PROGRAM_EWISE,
                              .binary = sl_binary_op_get(code, code < SL_BINARY_BOR ? SL_FP64
                                                                                    : SL_UINT8)},
               90, false);
    sl_monoid bor;
    OK(ctx, sl_monoid_new(&bor, ctx, "bor", SL_BOR_INT32, sl_scalar_int32(0), NULL));
    const cuda_wanted wanted[] = {
        {.kind = CUDA_PROGRAM_EWISE, .binary = SL_POW_INT64},
        {.kind = CUDA_PROGRAM_EWISE, .binary = SL_POW_BOOL},
        {.kind = CUDA_PROGRAM_JOIN, .binary = SL_BOR_INT32},
        {.kind = CUDA_PROGRAM_REDUCE, .monoid = bor},
        {.kind = CUDA_PROGRAM_PULL, .monoid = bor, .binary = SL_BXOR_INT32},
        {.kind = CUDA_PROGRAM_PUSH, .monoid = bor, .binary = SL_PLUS_INT32},
        {.kind = CUDA_PROGRAM_DOTS, .monoid = SL_MIN_MONOID_FP64, .binary = SL_RMINUS_FP64},
        {.kind = CUDA_PROGRAM_EWISE, .binary = SL_FLOORDIV_FP64},
        {.kind = CUDA_PROGRAM_EWISE, .binary = SL_RFLOORDIV_INT64},
        {.kind = CUDA_PROGRAM_JOIN, .binary = SL_MOD_FP32},
        {.kind = CUDA_PROGRAM_EWISE, .binary = SL_BSHIFT_INT16},
        {.kind = CUDA_PROGRAM_REDUCE, .monoid = SL_BAND_MONOID_INT8},
        {.kind = CUDA_PROGRAM_DOTS, .monoid = SL_BOR_MONOID_UINT16, .binary = SL_ABSFIRST_UINT16},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        expect(&wanted[k], 90, false);
    sl_monoid_free(bor);
}

typedef struct {
    uint16_t a, b;
} pair;
static const char pair_source[] = "typedef struct { uint16_t a, b; } pair; // its name";

static void swap_pair(void *z, const void *x)
{
    const pair *p = x;
    *(pair *)z = (pair){p->b, p->a};
}
static void add_pairs(void *z, const void *x, const void *y)
{
    const pair *p = x, *q = y;
    *(pair *)z = (pair){(uint16_t)(p->a + q->a), (uint16_t)(p->b + q->b)};
}
static void take_number(void *z, const void *x, const void *y)
{
    *(pair *)z = (pair){((const pair *)x)->a, *(const uint8_t *)y};
}
static void has_sum(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    const pair *p = x, *t = thunk;
    *(bool *)z = p->a + i + j == t->b;
}

/* The programs of a call, which sl_cuda_run_stored gives its types in memory. */
static sl_status compile_call(sl_call *call)
{
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_APPLY, .unary = call->operators.unary}, 90, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_EWISE, .binary = call->operators.binary}, 75, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_INDEX, .index = call->operators.index}, 90, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_INDEX_ENTRIES, .index = call->operators.index}, 75,
           false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_REDUCE, .monoid = call->operators.monoid}, 90,
           false);
    for (int kind = CUDA_PROGRAM_PULL; kind <= CUDA_PROGRAM_FULL; kind++)
        expect(&(cuda_wanted){.kind = (cuda_program_kind)kind,
                              .monoid = call->operators.semiring->add,
                              .binary = call->operators.semiring->multiply},
               90, false);
    return SL_OK;
}

/* Operators on user-defined types; both operators of the semiring define the type. */
static void test_user_types(void **state)
{
    need_nvrtc();
    const pair none = {0, 0};
    sl_type type;
    sl_unary_op swap;
    sl_binary_op add, number;
    sl_index_op sum;
    sl_monoid monoid;
    sl_semiring semiring;
    OK(ctx, sl_type_new(&type, ctx, "pair", sizeof(pair), pair_source));
    OK(ctx,
       sl_unary_op_new(&swap, ctx, "swap", type, type, swap_pair, "z->a = x->b; z->b = x->a;"));
    OK(ctx, sl_binary_op_new(&add, ctx, "add", type, type, type, add_pairs,
                             "pair sum = *x;\nsum.a += y->a; sum.b += y->b;\n*z = sum;"));
    OK(ctx, sl_binary_op_new(&number, ctx, "number", type, type, SL_UINT8, take_number,
                             "z->a = x->a; z->b = *y;"));
    OK(ctx, sl_index_op_new(&sum, ctx, "sum", SL_BOOL, type, type, has_sum,
                            "*z = x->a + i + j == thunk->b;"));
    OK(ctx, sl_monoid_new(&monoid, ctx, "add", add, sl_scalar_other(type, &none), NULL));
    OK(ctx, sl_semiring_new(&semiring, ctx, "numbers", monoid, number));
    sl_call call = {.op = SL_OP_APPLY,
                    .ctx = ctx,
                    .operators.unary = swap,
                    .operators.binary = number,
                    .operators.index = sum,
                    .operators.monoid = monoid,
                    .operators.semiring = semiring};
    OK(ctx, sl_cuda_run_stored(&call, compile_call));
    assert_ptr_equal(call.operators.semiring, semiring);
    sl_semiring_free(semiring);
    sl_monoid_free(monoid);
    sl_index_op_free(sum);
    sl_binary_op_free(number);
    sl_binary_op_free(add);
    sl_unary_op_free(swap);
    sl_type_free(type);
}

/* For a device newer than NVRTC the program is compiled to intermediate code, which the driver
 * translates. */
static void test_new_device(void **state)
{
    need_nvrtc();
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    cuda_image image;
    OK(ctx, compile(&image, &wanted, 999));
    assert_non_null(strstr(image.code, ".target sm_"));
    sl_cuda_image_free(&image);
    assert_int_equal(compile(&image, &wanted, 10), SL_UNSUPPORTED);
    sl_binary_op_free(op);
}

/* User text that does not compile is SL_INVALID with the compiler's log. */
static void test_broken_text(void **state)
{
    need_nvrtc();
    const struct {
        const char *source, *word;
    } cases[] = {{"*z = *x +;", "expected an expression"},
                 {"*z = nothing;", "\"nothing\" is undefined"},
                 {"*z = 1; }", "error"},
                 {"*z = *x; *x = 1;", "error"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cuda_image image;
        sl_binary_op op = weigh_of("a \"quoted\\ name", cases[k].source);
        cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
        assert_int_equal(compile(&image, &wanted, 90), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "a \"quoted\\ name does not compile"));
        assert_non_null(strstr(sl_context_message(ctx), "a _quoted_ name("));
        if (!strstr(sl_context_message(ctx), cases[k].word))
            fail_msg("%s: %s", cases[k].source, sl_context_message(ctx));
        assert_null(image.names);
        sl_binary_op_free(op);
    }
    assert_int_equal(files_in(folder, NULL), 0);
}

/* Runs in a process that has not opened NVRTC yet. */

/* from the cache */
static void test_absence(void **state)
{
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    pid_t child = fork();
    if (child == 0) {
        cuda_image image;
        setenv("SEMLA_NVRTC", "/no/such/library.so", 1);
        bool right = compile(&image, &wanted, 90) == SL_UNSUPPORTED &&
                     strstr(sl_context_message(ctx), "NVRTC is not there: /no/such/library.so");
        _exit(right ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    sl_binary_op_free(op);
}

static sl_status compile_with_little_memory(void *wanted)
{
    cuda_image image;
    sl_status status = compile(&image, wanted, 90);
    sl_cuda_image_free(&image);
    return status;
}

static void test_memory(void **state)
{
    need_nvrtc();
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    assert_true(allocator_fail_each(compile_with_little_memory, &wanted) > 2);
    /* must be first, see there */
    assert_true(allocator_fail_each(compile_with_little_memory, &wanted) > 2);
    sl_binary_op_free(op);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        COMPILED_TEST(test_absence), /* first: see there */
        COMPILED_TEST(test_maps),       COMPILED_TEST(test_products),
        COMPILED_TEST(test_functions),  COMPILED_TEST(test_user_types),
        COMPILED_TEST(test_new_device), COMPILED_TEST(test_broken_text),
        COMPILED_TEST(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
