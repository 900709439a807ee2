/*
 * Random calls of the GraphBLAS C API. The program is built twice, against semla and against SuiteSparse:GraphBLAS, and
 * prints a line for each call: its arguments, its code, and the output's entries if it succeeded. random_calls.sh
 * compares the lines. Each call has objects of its own, made of the seed and the call's number, so that differences
 * stay apart:
 *
 *     random_calls SEED COUNT [FIRST]
 *
 * SEMLA_TEST_SIZE is the greatest size of an object, 6 by default. Numbers are such that sums and products are exact in
 * any order. Objects of a call are taken from a small pool, so that outputs, masks and inputs are often the same.
 */
#include "random_calls.h"

static const random_call *const families[] = {operation_calls, function_calls, extension_calls};
enum { FAMILIES = sizeof families / sizeof *families };

static const random_call *choose_call(void)
{
    int counts[FAMILIES] = {0}, all = 0, f = 0;
    for (; f < FAMILIES; f++)
        for (; families[f][counts[f]].name; counts[f]++)
            all++;
    int which = below(all);
    for (f = 0; which >= counts[f]; f++)
        which -= counts[f];
    return &families[f][which];
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "%s SEED COUNT [FIRST]\n", argv[0]);
        return 2;
    }
    const uint64_t seed = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS)
        return 1;
    if (getenv("SEMLA_TEST_SIZE"))
        size_limit = atoi(getenv("SEMLA_TEST_SIZE"));
    if (size_limit < 1 || size_limit > LIST)
        return 2;
    fill_tables();
    fill_user_tables();
    for (uint64_t number = first; number < first + count; number++) {
        arguments a = {0};
        random_state = seed * 1000003 + number * 7919;
        unsupported = false;
        const random_call *call = choose_call();
        wild = rarely(4) && call->any;
        printf("%" PRIu64 " %s", number, call->name);
        make_pool(&a);
        pick_arguments(&a);
        fflush(stdout); /* a call that fails is seen in the output */
        if (unsupported)
            printf(" unsupported");
        else
            call->run(&a);
        printf("\n");
        free_pool(&a);
    }
    return GrB_finalize() != GrB_SUCCESS;
}
