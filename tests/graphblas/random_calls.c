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
 *
 * With SEMLA_TEST_CHAIN=N each number stands for N calls one after another on the objects of one pool, of types with
 * exact sums. random_chains.sh compares engines of semla by them.
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

/* The number that an environment variable is set to. */
static int setting(const char *name, int otherwise)
{
    const char *value = getenv(name);
    return value ? atoi(value) : otherwise;
}

/* Reads the shapes that earlier calls have given the objects; false: lists of calls would not be long enough. */
static bool read_shapes(arguments *a)
{
    bool fit = true;
    for (int p = 0; p < POOL; p++) {
        GrB_Matrix_nrows(&a->rows[p], a->matrices[p]);
        GrB_Matrix_ncols(&a->cols[p], a->matrices[p]);
        GrB_Vector_size(&a->sizes[p], a->vectors[p]);
        fit &= a->rows[p] <= LIST;
    }
    return fit;
}

static void run_call(arguments *a, const random_call *call)
{
    pick_arguments(a);
    fflush(stdout); /* a call that fails is seen in the output */
    if (unsupported)
        printf(" unsupported");
    else
        call->run(a);
    printf("\n");
}

/* The calls that share the objects of one pool. */
static void run_chain(uint64_t state, uint64_t number, int length)
{
    arguments a = {0};
    unsupported = false;
    for (int step = 0; step < length && (step == 0 || read_shapes(&a)); step++) {
        random_state = state + (uint64_t)step * 104729;
        const random_call *call = choose_call();
        wild = rarely(4) && call->any && length == 1;
        printf("%" PRIu64 " %s", number, call->name);
        if (step == 0)
            make_pool(&a);
        run_call(&a, call);
    }
    free_pool(&a);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "%s SEED COUNT [FIRST]\n", argv[0]);
        return 2;
    }
    const uint64_t seed = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    const int length = setting("SEMLA_TEST_CHAIN", 1);
    size_limit = setting("SEMLA_TEST_SIZE", 6);
    if (size_limit < 1 || size_limit > LIST || length < 1)
        return 2;
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS)
        return 1;
    exact_types = length > 1;
    fill_tables();
    fill_user_tables();
    for (uint64_t number = first; number < first + count; number++)
        run_chain(seed * 1000003 + number * 7919, number, length);
    return GrB_finalize() != GrB_SUCCESS;
}
