/*
 * The choice of SL_ENGINE_AUTO between the host and a device: the function itself, by kinds of work,
 * sizes and transfers; and the dispatcher's use of it, with the toy engine as the device.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <semla/edge_generator.h>

#include "toy_product.h"

/* ---- the function ------------------------------------------------------------------ */

static sl_choice choose(sl_work_kind kind, double entries)
{
    return sl_choose(&(sl_work){.kind = kind, .entries = entries});
}

/* The least power of two of entries from which the device is faster. */
static double crossover(sl_work_kind kind)
{
    double entries = 1;
    while (choose(kind, entries).host && entries < 1e18)
        entries *= 2;
    return entries;
}

/* Each kind of work runs on the host if it is small and on the device from some size on. */
static void test_sizes(void **state)
{
    for (int kind = 0; kind < SL_WORK_KINDS; kind++) {
        const sl_choice none = choose(kind, 0), most = choose(kind, 1e12);
        assert_true(none.estimated && none.host && none.host_us < none.device_us);
        assert_true(most.estimated && !most.host && most.device_us < most.host_us);
        const double first = crossover(kind);
        for (double entries = 1; entries < 1e12; entries *= 2)
            assert_int_equal(choose(kind, entries).host, entries < first);
    }
    /* Products pay earlier than searches, and searches earlier than elementwise operations. */
    assert_in_range(crossover(SL_WORK_PRODUCT), 1 << 11, 1 << 17);
    assert_in_range(crossover(SL_WORK_SEARCH), 1 << 13, 1 << 20);
    assert_in_range(crossover(SL_WORK_ELEMENTWISE), 1 << 14, 1 << 20);
}

/* Shortest paths on roads take many iterations, which only large networks repay on a device. */
static void test_rounds(void **state)
{
    sl_work work = {.kind = SL_WORK_SHORTEST_PATHS, .entries = 350e3};
    assert_false(sl_choose(&work).host);
    work.rounds = 340;
    assert_true(sl_choose(&work).host);
    work.entries = 60e6;
    work.rounds = 4100;
    assert_false(sl_choose(&work).host);
}

/* Transfers keep small work where its operands are, and do not hold back large work. */
static void test_transfers(void **state)
{
    const double us = sl_transfer_us(1000, 0);
    sl_work work = {.kind = SL_WORK_ELEMENTWISE, .entries = 100};
    assert_true(sl_choose(&work).host);
    work.to_host_us = us;
    assert_false(sl_choose(&work).host);
    work.to_host_us = 0;
    work.entries = 1e6;
    work.to_device_us = sl_transfer_us(UINT64_C(16000000), 0);
    assert_true(sl_choose(&work).host); /* once, the transfer costs more than it gains */
    work.kind = SL_WORK_PRODUCT;
    work.entries = 1e9;
    assert_false(sl_choose(&work).host);
}

/* The share of a read falls with the number of reads, except for the first reads; contents of 0 bytes
 * are on the host. */
static void test_reads(void **state)
{
    assert_true(sl_transfer_us(0, 0) < sl_transfer_us(1, 0));
    assert_true(sl_transfer_us(1000, 0) < sl_transfer_us(10000000, 0));
    for (uint32_t reads = 0; reads < 100; reads++)
        assert_true(sl_transfer_us(8000000, reads + 1) <= sl_transfer_us(8000000, reads));
    assert_true(sl_transfer_us(8000000, 1) == sl_transfer_us(8000000, 0));
    assert_true(sl_transfer_us(8000000, 100) < sl_transfer_us(8000000, 10));
    assert_true(sl_transfer_us(8000000, 9) * 10 <= sl_transfer_us(8000000, 0) * 1.001);
    assert_true(sl_transfer_us(8000000, UINT32_MAX) >= 0);
}

/* ---- the dispatcher ---------------------------------------------------------------- */

static void begin_by_size(fixture *f)
{
    memset(&toy, 0, sizeof toy);
    *f = (fixture){.ctx = toy_context(&toy_engine, NULL, true)};
    f->ctx->by_size = true;
    OK(f->ctx, make_operands(f));
}

static void move_to_device(sl_object *object)
{
    OK(object->ctx, sl_object_migrate(object, &toy_store));
    sl_object_drop(object, &sl_store_host);
}

/* A small product runs on the host; if its operands are on the device only, there. */
static void test_places(void **state)
{
    fixture f;
    begin_by_size(&f);
    OK(f.ctx, multiply(&f));
    assert_int_equal(toy.runs, 0);
    assert_int_equal(counts(&f).copies, 0);
    expect_vector(&f, f.w, 2, product_index, product);

    move_to_device(&f.u->object);
    move_to_device(&f.A->object);
    f.A->object.reads = 0; /* as if computed there */
    OK(f.ctx, multiply(&f));
    assert_int_equal(toy.runs, 1);
    expect_vector(&f, f.w, 2, product_index, product);
    end(&f);

    /* Without the choice the device is asked first. */
    begin_by_size(&f);
    f.ctx->by_size = false;
    OK(f.ctx, multiply(&f));
    assert_int_equal(toy.runs, 1);
    end(&f);
}

static void expect_follows(const sl_call *call, sl_object *object)
{
    sl_operands operands;
    sl_call_operands(&operands, call);
    sl_choice choice = sl_choice_of(call, &operands);
    assert_true(choice.host && !choice.estimated);
    OK(object->ctx, sl_object_migrate(object, &toy_store));
    choice = sl_choice_of(call, &operands);
    assert_true(!choice.host && !choice.estimated);
    sl_object_drop(object, &toy_store);
}

/* Operations that only read, and further entries, follow the contents. */
static void test_no_choice(void **state)
{
    fixture f;
    begin_by_size(&f);
    const sl_operation ops[] = {SL_OP_NVALS, SL_OP_GET, SL_OP_TUPLES, SL_OP_RESIZE, SL_OP_REMOVE};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        const bool reads = ops[k] != SL_OP_RESIZE && ops[k] != SL_OP_REMOVE;
        const sl_call call = {.op = ops[k],
                              .ctx = f.ctx,
                              .a = reads ? &f.u->object : NULL,
                              .out = reads ? NULL : &f.u->object};
        expect_follows(&call, &f.u->object);
    }
    const sl_call call = {.op = SL_OP_SET, .ctx = f.ctx, .out = &f.u->object};
    expect_follows(&call, &f.u->object); /* it has contents */
    end(&f);
}

static void test_counts_of_reads(void **state)
{
    fixture f;
    sl_matrix *copy;
    begin_by_size(&f);
    const uint32_t built = f.A->object.reads;
    assert_true(built > 1);
    assert_int_equal(f.u->object.reads, 0);
    OK(f.ctx, multiply(&f));
    OK(f.ctx, multiply(&f));
    assert_int_equal(f.A->object.reads, built + 2);
    assert_int_equal(f.u->object.reads, 2);
    assert_int_equal(f.w->object.reads, 0);
    expect_vector(&f, f.w, 2, product_index, product);
    assert_int_equal(f.w->object.reads, 0); /* reading entries does not count */
    OK(f.ctx, sl_matrix_dup(&copy, f.A));
    assert_int_equal(copy->object.reads, built + 2);
    OK(f.ctx, sl_matrix_apply(f.A, NULL, NULL, SL_ABS_FP64, f.A, NULL));
    assert_true(f.A->object.reads < built); /* computed, not an input of the program */
    sl_matrix_free(copy);
    end(&f);
}

/* w = u A over a semiring. */
static sl_call product_call(const fixture *f, sl_semiring semiring)
{
    return (sl_call){.op = SL_OP_VXM,
                     .ctx = f->ctx,
                     .out = &f->w->object,
                     .a = &f->u->object,
                     .b = &f->A->object,
                     .operators.semiring = semiring};
}

/* The result of an operation on operands in both memories goes where the output was read before. */
static void test_place_of_output(void **state)
{
    fixture f;
    begin_by_size(&f);
    const sl_call vxm = product_call(&f, SL_PLUS_TIMES_FP64);
    sl_operands operands;
    sl_call_operands(&operands, &vxm);
    OK(f.ctx, sl_vector_set(f.w, 0, sl_scalar_fp64(1)));
    move_to_device(&f.w->object);
    f.ctx->trace = true;
    const double without = sl_choice_of(&vxm, &operands).host_us;
    f.w->object.reads = 1;
    assert_true(sl_choice_of(&vxm, &operands).host_us > without + 10);
    f.ctx->trace = false;
    end(&f);
}

/* A new vector begins where the matrix of its size was used last. */
static void test_new_vectors(void **state)
{
    fixture f;
    begin_by_size(&f);
    sl_vector *v;
    OK(f.ctx, sl_vector_new(&v, f.ctx, SL_FP64, 3));
    const sl_call call = {
        .op = SL_OP_ASSIGN_SCALAR, .ctx = f.ctx, .out = &v->object, .rows.count = 3};
    sl_operands operands;
    sl_call_operands(&operands, &call);
    f.ctx->trace = true; /* the estimates, not the shortcut for short vectors */
    assert_true(sl_choice_of(&call, &operands).host);
    const sl_call vxm = product_call(&f, SL_PLUS_TIMES_FP64);
    sl_operands factors;
    sl_call_operands(&factors, &vxm);
    sl_choice_ran(&vxm, &factors, &(sl_choice){.estimated = true, .gain_us = 980});
    assert_int_equal(f.ctx->device_rows, 3);
    assert_false(sl_choice_of(&call, &operands).host);
    /* A small gain, or a product on the host, is no reason. */
    sl_choice_ran(&vxm, &factors, &(sl_choice){.estimated = true, .gain_us = 10});
    assert_int_equal(f.ctx->device_rows, 0);
    assert_true(sl_choice_of(&call, &operands).host);
    f.ctx->trace = false;
    sl_vector_free(v);
    end(&f);
}

/* Sums over a pattern take the host less time than products with values. */
static void test_kinds_of_products(void **state)
{
    fixture f;
    begin_by_size(&f);
    double host_us[2], device_us[2];
    const sl_semiring semirings[] = {SL_PLUS_TIMES_FP64, SL_PLUS_FIRST_FP64};
    f.ctx->trace = true;
    for (int k = 0; k < 2; k++) {
        const sl_call call = product_call(&f, semirings[k]);
        sl_operands operands;
        sl_call_operands(&operands, &call);
        host_us[k] = sl_choice_of(&call, &operands).host_us;
        device_us[k] = sl_choice_of(&call, &operands).device_us;
    }
    assert_true(host_us[1] < host_us[0]);
    assert_true(device_us[1] == device_us[0]);
    f.ctx->trace = false;
    end(&f);
}

/* Operations on vectors of which some are on the device only and others on the host only run on the
 * device if the vectors belong there, else on the host. */
static void test_vectors_beside_a_product(void **state)
{
    fixture f;
    begin_by_size(&f);
    const sl_call vxm = product_call(&f, SL_PLUS_TIMES_FP64);
    sl_operands factors;
    sl_call_operands(&factors, &vxm);
    OK(f.ctx, sl_vector_set(f.w, 0, sl_scalar_fp64(1)));
    move_to_device(&f.w->object);
    const sl_call sum = {.op = SL_OP_REDUCE_PAIR,
                         .ctx = f.ctx,
                         .operators.monoid = SL_PLUS_MONOID_FP64,
                         .a = &f.u->object,
                         .b = &f.w->object};
    sl_operands operands;
    sl_call_operands(&operands, &sum);
    sl_choice_ran(&vxm, &factors, &(sl_choice){.estimated = true, .gain_us = 10});
    assert_true(sl_choice_of(&sum, &operands).host);
    sl_choice_ran(&vxm, &factors, &(sl_choice){.estimated = true, .gain_us = 100});
    assert_false(sl_choice_of(&sum, &operands).host);
    end(&f);
}

/* The generation of edges is chosen by their number alone. */
static void test_generation(void **state)
{
    fixture f;
    begin_by_size(&f);
    sl_edge_generator few = {.vertices = 3, .count = 10}, many = {.vertices = 3, .count = 1 << 30};
    move_to_device(&f.u->object);
    for (int a = 0; a < 2; a++) {
        sl_call call = {
            .op = SL_OP_CHECK_TREE, .ctx = f.ctx, .a = a ? &f.u->object : NULL, .edges = &few};
        sl_operands operands;
        sl_call_operands(&operands, &call);
        assert_true(sl_choice_of(&call, &operands).host);
        call.edges = &many;
        assert_false(sl_choice_of(&call, &operands).host);
    }
    end(&f);
}

/* The line of the trace names both times. */
static void test_trace(void **state)
{
    fixture f;
    int ends[2], kept = dup(STDERR_FILENO);
    char text[2000];
    begin_by_size(&f);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    f.ctx->trace = true;
    sl_status status = multiply(&f);
    f.ctx->trace = false;
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
    OK(f.ctx, status);
    const ssize_t got = read(ends[0], text, sizeof text - 1);
    assert_true(got > 0);
    text[got] = '\0';
    close(ends[0]);
    assert_ptr_equal(strstr(text, "semla: vxm plus_times_fp64: suitesparse, "), text);
    const char *reason = strstr(text, "ok; chosen by size: expected ");
    assert_non_null(reason);
    char *end_of_number;
    const double host = strtod(reason + 29, &end_of_number);
    assert_non_null(strstr(end_of_number, " us on the host, "));
    const double device = strtod(end_of_number + 17, &end_of_number);
    assert_string_equal(end_of_number, " us on the device\n");
    assert_true(host > 0 && host < device);
    end(&f);
}

int main(void)
{
    allocator_install();
    unsetenv("SEMLA_ENGINE");
    unsetenv("SEMLA_TRACE");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_transfers),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_no_choice),
        cmocka_unit_test(test_counts_of_reads),
        cmocka_unit_test(test_place_of_output),
        cmocka_unit_test(test_new_vectors),
        cmocka_unit_test(test_kinds_of_products),
        cmocka_unit_test(test_vectors_beside_a_product),
        cmocka_unit_test(test_generation),
        cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
