/*
 * Every public function with each of its arguments missing in turn, and with all of them missing: NULL for
 * pointers, zero for other values. The other arguments are valid objects, or zeros in memory. The function
 * may refuse the call or not, but must not crash. The calls are made from the public headers
 * (tests/support/public_functions.sh), so that no function is left out. Each runs in a process of its own,
 * because it may free or change what it gets.
 */
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PUBLIC_HEADERS
#include <public_functions.h>

enum { SECONDS = 60, N = 4 };

/* Arguments that are not objects point to here. */
static uint64_t zeros[1 << 12];

static sl_context *ctx;
static sl_matrix *A, *C;
static sl_vector *u, *w;
static const sl_algorithm *algorithm;
static int missing; /* the number of the argument; ALL: every one */
enum { ALL = -1 };

static bool is_missing(int k)
{
    return missing == k || missing == ALL;
}

#define POINTER(k, T)                                                                              \
    (is_missing(k) ? (T){0}                                                                        \
                   : _Generic((T){0},                                                              \
                         sl_context *: ctx,                                                        \
                         const sl_context *: ctx,                                                  \
                         sl_matrix *: C,                                                           \
                         const sl_matrix *: A,                                                     \
                         sl_vector *: w,                                                           \
                         const sl_vector *: u,                                                     \
                         const sl_algorithm *: algorithm,                                          \
                         const char *: "x",                                                        \
                         FILE *: stderr,                                                           \
                         sl_file *: NULL,                                                          \
                         void *: sl_calloc(1, sizeof zeros),                                       \
                         default: (T)(void *)zeros))
#define ARGUMENT(k, T)                                                                             \
    (is_missing(k) ? (T){0}                                                                        \
                   : _Generic((T){0}, sl_binary_op                                                 \
                              : SL_PLUS_FP64, sl_unary_op                                          \
                              : SL_AINV_FP64, sl_index_op                                          \
                              : SL_TRIL_BOOL, sl_monoid                                            \
                              : SL_PLUS_MONOID_FP64, sl_semiring                                   \
                              : SL_PLUS_TIMES_FP64, uint64_t                                       \
                              : (uint64_t)1, double : 1.0, default                                 \
                              : (T){0}))

/* The format of sl_fail is an argument like any other here. */
#pragma GCC diagnostic ignored "-Wformat-security"
#define X(name, parameters, call)                                                                  \
    static void call_##name(void)                                                                  \
    {                                                                                              \
        (void)call;                                                                                \
    }
PUBLIC_CALLS(X)
#undef X

static const struct {
    const char *name;
    int parameters;
    void (*call)(void);
} calls[] = {
#define X(name, parameters, call) {#name, parameters, call_##name},
    PUBLIC_CALLS(X)
#undef X
};
enum { CALLS = sizeof calls / sizeof *calls };

static void make_objects(void)
{
    OK(NULL, sl_context_create(&ctx, SL_ENGINE_SUITESPARSE));
    sl_matrix **const matrices[] = {&A, &C};
    sl_vector **const vectors[] = {&u, &w};
    for (int k = 0; k < 2; k++) {
        OK(ctx, sl_matrix_new(matrices[k], ctx, SL_FP64, N, N));
        OK(ctx, sl_vector_new(vectors[k], ctx, SL_FP64, N));
        OK(ctx, sl_matrix_set(*matrices[k], 1, 2, sl_scalar_fp64(3)));
        OK(ctx, sl_vector_set(*vectors[k], 1, sl_scalar_fp64(3)));
    }
    algorithm = sl_algorithm_find("khop");
}

/* Returns what waitpid reports. */
static int call_in_child(size_t function, int argument)
{
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int k = 1; k < NSIG; k++) /* cmocka handles some */
            (void)signal(k, SIG_DFL);
        alarm(SECONDS);
        make_objects();
        missing = argument;
        calls[function].call();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void test_missing_arguments(void **state)
{
    int crashes = 0;
    for (size_t k = 0; k < CALLS; k++)
        for (int argument = ALL; argument < calls[k].parameters; argument++) {
            const int status = call_in_child(k, argument);
            if (!WIFSIGNALED(status))
                continue;
            if (argument == ALL)
                print_message("%s without arguments: %s\n", calls[k].name,
                              strsignal(WTERMSIG(status)));
            else
                print_message("%s without argument %d: %s\n", calls[k].name, argument,
                              strsignal(WTERMSIG(status)));
            crashes++;
        }
    assert_int_equal(crashes, 0);
}

/* The list has every function. */
static void test_list(void **state)
{
    static const char *const functions[] = {
#define X(name) #name,
        PUBLIC_FUNCTIONS(X)
#undef X
    };
    assert_int_equal(sizeof functions / sizeof *functions, CALLS);
    for (size_t k = 0; k < CALLS; k++)
        assert_string_equal(functions[k], calls[k].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_missing_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
