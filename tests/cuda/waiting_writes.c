/*
 * Masked writes that wait (la/cuda/data/device_vector.h): whatever reads or changes one of the vectors sees them done,
 * and a search written as a loop is one launch a level. Results of random loops: parity.product_loops.
 */
#include <dlfcn.h>

#include <semla/io.h>

#include "cuda/data/device_vector.h"
#include "support.h"

enum { SIDE = 24, N = SIDE * SIDE, NONE = -1 };

static sl_context *ctx;
static sl_matrix *A;
/* f has the entries; their indices are written to w, and 7 to constant. */
static sl_vector *f, *w, *constant, *other;
/* What w and constant have after the writes; NONE: no entry. */
static int64_t of_w[N], of_constant[N];

static cuda_vector *on_device(const sl_vector *v)
{
    return cuda_vector_of(sl_object_of_vector(v));
}

static sl_descriptor with(unsigned flags)
{
    return sl_descriptor_get(flags);
}

static void read_entries(int64_t *to, const sl_vector *v)
{
    uint64_t index[N], count = N;
    int64_t value[N];
    OK(ctx, sl_vector_extract_tuples(index, value, &count, v));
    for (int k = 0; k < N; k++)
        to[k] = NONE;
    for (uint64_t k = 0; k < count; k++)
        to[index[k]] = value[k];
}

static void multiply(sl_vector *to, sl_vector *from, unsigned flags)
{
    OK(ctx, sl_vxm(to, w, NULL, SL_ANY_SECONDI_INT64, from, A, with(SL_REPLACE | flags)));
}

/* A level as LAGraph's searches do it: values become indices, of which the least is the parent. */
static void multiply_values(void)
{
    OK(ctx, sl_vector_apply_index(f, NULL, NULL, SL_ROWINDEX_INT64, f, sl_scalar_int64(0), NULL));
    OK(ctx, sl_vxm(f, w, NULL, sl_semiring_get(SL_SEMIRING_MIN_FIRST, SL_INT64), f, A,
                   with(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT)));
}

static void write_later(void)
{
    OK(ctx, sl_vector_assign(w, f, NULL, f, SL_ALL, 0, with(SL_STRUCTURE)));
    OK(ctx, sl_vector_assign_scalar(constant, f, NULL, sl_scalar_int64(7), SL_ALL, 0,
                                    with(SL_STRUCTURE)));
}

/* Two levels of a search; the writes of the second wait. */
static void begin(void)
{
    int64_t of_f[N];
    sl_vector *const *const all[] = {&f, &w, &constant, &other};
    for (int k = 0; k < 4; k++)
        OK(ctx, sl_vector_new((sl_vector **)all[k], ctx, SL_INT64, N));
    OK(ctx, sl_vector_set(f, N / 2, sl_scalar_int64(N / 2)));
    write_later();
    multiply(f, f, SL_STRUCTURE | SL_COMPLEMENT);
    read_entries(of_f, f);
    read_entries(of_w, w);
    read_entries(of_constant, constant);
    write_later();
    assert_int_equal(on_device(f)->waiting.count, 2);
    assert_ptr_equal(on_device(w)->waits_for, on_device(f));
    for (int k = 0; k < N; k++)
        if (of_f[k] != NONE) {
            of_w[k] = of_f[k];
            of_constant[k] = 7;
        }
}

static void end(void)
{
    sl_vector_free(f);
    sl_vector_free(w);
    sl_vector_free(constant);
    sl_vector_free(other);
}

static void has(const sl_vector *v, const int64_t *values)
{
    int64_t found[N];
    read_entries(found, v);
    assert_memory_equal(found, values, sizeof found);
}

/* ---- what is done while the writes wait ---------------------------------------------------- */

static void nothing(void)
{
}
static void read_one(void)
{
    for (uint64_t k = 0; k < N; k++) {
        sl_scalar value;
        assert_int_equal(sl_vector_get(&value, w, k), of_w[k] == NONE ? SL_NO_VALUE : SL_OK);
    }
}
static void count(void)
{
    uint64_t counted, expected = 0;
    for (int k = 0; k < N; k++)
        expected += of_w[k] != NONE;
    OK(ctx, sl_vector_nvals(&counted, w));
    assert_int_equal(counted, expected);
    OK(ctx, sl_vector_nvals(&counted, constant));
    assert_int_equal(counted, expected);
}
static void copy(void)
{
    sl_vector *of[3];
    OK(ctx, sl_vector_dup(&of[0], w));
    OK(ctx, sl_vector_dup(&of[1], f));
    OK(ctx, sl_vector_dup(&of[2], constant));
    has(of[0], of_w);
    has(of[2], of_constant);
    for (int k = 0; k < 3; k++)
        sl_vector_free(of[k]);
}
static void lend(void)
{
    sl_vector_view view;
    OK(ctx, sl_vector_lend(&view, w, SL_MEMORY_CUDA));
}
static void free_mask(void)
{
    sl_vector_free(f);
    f = NULL;
}
static void clear_mask(void)
{
    OK(ctx, sl_vector_clear(f));
}
static void set_mask(void)
{
    OK(ctx, sl_vector_set(f, 3, sl_scalar_int64(100)));
}
static void remove_from_mask(void)
{
    OK(ctx, sl_vector_remove(f, N / 2 + 1));
}
static void fill_mask(void)
{
    OK(ctx, sl_vector_assign_scalar(f, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
}
static void change_mask(void)
{
    OK(ctx, sl_vector_apply(f, NULL, NULL, sl_unary_op_get(SL_UNARY_AINV, SL_INT64), f, NULL));
}
static void index_and_write(void)
{
    OK(ctx, sl_vector_apply_index(f, NULL, NULL, SL_ROWINDEX_INT64, f, sl_scalar_int64(0), NULL));
    OK(ctx, sl_vector_assign(other, f, NULL, f, SL_ALL, 0, with(SL_STRUCTURE)));
}
static void multiply_in_place(void)
{
    multiply(f, f, SL_STRUCTURE | SL_COMPLEMENT);
    assert_int_equal(on_device(f)->waiting.count, 0);
}
static void multiply_to_other(void)
{
    multiply(other, f, SL_STRUCTURE | SL_COMPLEMENT);
}
static void multiply_inside(void)
{
    multiply(f, f, SL_STRUCTURE);
}
static void multiply_by_values_of_the_mask(void)
{
    multiply(f, f, SL_COMPLEMENT);
}
static void multiply_without_mask(void)
{
    OK(ctx, sl_vxm(f, NULL, NULL, SL_ANY_SECONDI_INT64, f, A, NULL));
}
static void multiply_what_waits(void)
{
    OK(ctx, sl_vxm(other, NULL, NULL, SL_ANY_SECONDI_INT64, constant, A, NULL));
}
static void multiply_for_the_least(void)
{
    OK(ctx, sl_vxm(f, w, NULL, SL_MIN_SECONDI_INT64, f, A,
                   with(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT)));
}
static void write_to_many(void)
{
    sl_vector *more[3];
    for (int k = 0; k < 3; k++) {
        OK(ctx, sl_vector_new(&more[k], ctx, SL_INT64, N));
        OK(ctx, sl_vector_set(more[k], 1, sl_scalar_int64(1)));
        OK(ctx, sl_vector_assign(more[k], f, NULL, f, SL_ALL, 0, with(SL_STRUCTURE)));
    }
    for (int k = 0; k < 3; k++)
        sl_vector_free(more[k]);
}
static void write_along_a_chain(void)
{
    OK(ctx, sl_vector_assign(other, w, NULL, w, SL_ALL, 0, with(SL_STRUCTURE)));
    has(other, of_w);
}
static void write_again(void)
{
    OK(ctx, sl_vector_assign(w, f, NULL, f, SL_ALL, 0, with(SL_STRUCTURE)));
}
static void write_once_more_by_list(void)
{
    const uint64_t index = 5;
    OK(ctx, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_int64(50), &index, 1, NULL));
    of_w[5] = 50;
}
static void clear_target(void)
{
    OK(ctx, sl_vector_clear(w));
    for (int k = 0; k < N; k++)
        of_w[k] = NONE;
}
static void replace_target(void)
{
    OK(ctx, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_int64(9), SL_ALL, 0, NULL));
    for (int k = 0; k < N; k++)
        of_w[k] = 9;
}
static void free_target(void)
{
    sl_vector_free(w);
    OK(ctx, sl_vector_new(&w, ctx, SL_INT64, N));
    for (int k = 0; k < N; k++)
        of_w[k] = NONE;
}
static void add(void)
{
    OK(ctx, sl_vector_ewise_add(other, NULL, NULL, SL_PLUS_INT64, w, f, NULL));
}
static void search(void)
{
    OK(ctx, sl_advance(f, w, f, A, SL_ANY_SECONDI_INT64, SL_AUTO, NULL));
    read_entries(of_w, w);
    assert_true(of_w[N / 2] == N / 2);
}

static const struct {
    const char *name;
    void (*act)(void);
} acts[] = {
#define ACT(name)                                                                                  \
    {                                                                                              \
#name, name                                                                                \
    }
    ACT(nothing),
    ACT(read_one),
    ACT(count),
    ACT(copy),
    ACT(lend),
    ACT(free_mask),
    ACT(clear_mask),
    ACT(set_mask),
    ACT(remove_from_mask),
    ACT(fill_mask),
    ACT(change_mask),
    ACT(multiply_values),
    ACT(index_and_write),
    ACT(multiply_in_place),
    ACT(multiply_to_other),
    ACT(multiply_inside),
    ACT(multiply_by_values_of_the_mask),
    ACT(multiply_without_mask),
    ACT(multiply_what_waits),
    ACT(multiply_for_the_least),
    ACT(write_to_many),
    ACT(write_along_a_chain),
    ACT(write_again),
    ACT(write_once_more_by_list),
    ACT(clear_target),
    ACT(replace_target),
    ACT(free_target),
    ACT(add),
    ACT(search),
#undef ACT
};

/* ordered: the vectors are in the order of a reordered graph. */
static void check_acts(bool ordered)
{
    const sl_generator grid = {.model = SL_MODEL_GRID, .side = {SIDE, SIDE}};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    sl_edges edges;
    OK(ctx, sl_generate(&edges, ctx, &grid));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
    if (ordered)
        OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    for (size_t k = 0; k < sizeof acts / sizeof *acts; k++) {
        begin();
        acts[k].act();
        print_message("%s\n", acts[k].name);
        has(w, of_w);
        has(constant, of_constant);
        end();
    }
    sl_matrix_free(A);
}

static void writes_are_seen(void **state)
{
    (void)state;
    if (!ctx)
        skip();
    check_acts(false);
}

static void writes_are_seen_in_an_order(void **state)
{
    (void)state;
    if (!ctx)
        skip();
    check_acts(true);
}

/* ---- launches ----------------------------------------------------------------------------- */

/* Kernels, copies and fills that were given to the device: the emulator counts them. */
static unsigned long (*device_work)(void);

static void make_lattice(void)
{
    const sl_generator grid = {.model = SL_MODEL_GRID, .side = {SIDE, SIDE}};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    sl_edges edges;
    OK(ctx, sl_generate(&edges, ctx, &grid));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
}

static void check_launches(bool by_values)
{
    enum { FIRST = 4, LAST = 16 };
    uint64_t found = 1, reached = 0;
    unsigned long before = 0;
    make_lattice();
    begin();
    for (int level = 2; found > 0; level++) {
        if (level == FIRST)
            before = device_work();
        if (level == LAST)
            assert_int_equal(device_work() - before, LAST - FIRST);
        if (by_values)
            multiply_values();
        else
            multiply(f, f, SL_STRUCTURE | SL_COMPLEMENT);
        OK(ctx, sl_vector_nvals(&found, f));
        write_later();
    }
    OK(ctx, sl_vector_nvals(&reached, constant));
    assert_int_equal(reached, N);
    end();
    sl_matrix_free(A);
}

/* The entries of w are known from the entries of f that it gets, without work of the device: whether the write is
 * noted before f is counted or after, and whether other writes have been done or still wait. */
static void check_counts(bool write_first)
{
    uint64_t found = 1, counted, expected;
    make_lattice();
    begin();
    OK(ctx, sl_vector_nvals(&expected, w));
    for (int level = 2; found > 0; level++) {
        multiply(f, f, SL_STRUCTURE | SL_COMPLEMENT);
        if (write_first)
            write_later();
        OK(ctx, sl_vector_nvals(&found, f));
        if (!write_first)
            write_later();
        expected += found;
        const unsigned long before = device_work();
        OK(ctx, sl_vector_nvals(&counted, w));
        assert_int_equal(counted, expected);
        if (expected < N) /* a full vector gets another form */
            assert_int_equal(device_work(), before);
        if (level % 3 == 0) /* does the writes */
            OK(ctx, sl_vector_nvals(&counted, constant));
        assert_int_equal(counted, expected);
    }
    assert_int_equal(expected, N);
    end();
    sl_matrix_free(A);
}

static void a_level_is_one_launch(void **state)
{
    (void)state;
    if (!ctx)
        skip();
    *(void **)&device_work = dlsym(RTLD_DEFAULT, "emulated_device_work");
    if (!device_work) {
        print_message("only the emulator counts launches\n");
        skip();
    }
    check_launches(false);
    check_launches(true);
    check_counts(false);
    check_counts(true);
}

int main(void)
{
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK) {
        print_message("engine cuda skipped\n");
        ctx = NULL;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_are_seen),
        cmocka_unit_test(writes_are_seen_in_an_order),
        cmocka_unit_test(a_level_is_one_launch),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failed;
}
