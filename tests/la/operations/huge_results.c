/*
 * Objects of up to 2^60 x 2^60 positions, whose results have more entries than memory could hold:
 * each call ends at once, with SL_OK if the result takes little memory, else with SL_NO_MEMORY and
 * a message.
 */
#include "objects.h"

#include <stdio.h>
#include <unistd.h>

enum { SECONDS = 600 }; /* for all calls of an object; a call that counts entries takes years */

/* Objects of one size: full with one value for all entries, empty, and with one entry. */
typedef struct {
    uint64_t n;
    sl_vector *full, *empty, *one, *w;
    sl_matrix *Full, *Empty, *One, *C;
} huge;

static const sl_scalar x = {.type = SL_FP64, .as.fp64_ = 3};

static huge make_huge(uint64_t n)
{
    huge h = {.n = n};
    sl_vector **vectors[] = {&h.full, &h.empty, &h.one, &h.w};
    sl_matrix **matrices[] = {&h.Full, &h.Empty, &h.One, &h.C};
    for (int k = 0; k < 4; k++) {
        *vectors[k] = new_vector(SL_FP64, n);
        *matrices[k] = new_matrix(SL_FP64, n, n);
    }
    OK(ctx, sl_vector_assign_scalar(h.full, NULL, NULL, x, SL_ALL, 0, NULL));
    OK(ctx, sl_matrix_assign_scalar(h.Full, NULL, NULL, x, SL_ALL, 0, SL_ALL, 0, NULL));
    OK(ctx, sl_vector_set(h.one, n - 1, x));
    OK(ctx, sl_matrix_set(h.One, n - 1, 0, x));
    return h;
}

static void free_huge(huge *h)
{
    sl_vector *vectors[] = {h->full, h->empty, h->one, h->w};
    sl_matrix *matrices[] = {h->Full, h->Empty, h->One, h->C};
    for (int k = 0; k < 4; k++) {
        sl_vector_free(vectors[k]);
        sl_matrix_free(matrices[k]);
    }
}

/* The call fails with a message of its own, and its outputs can be used again. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        sl_fail(ctx, SL_INVALID, "an older message");                                              \
        const sl_status got = (call);                                                              \
        if (got != SL_NO_MEMORY)                                                                   \
            fail_msg("%s: %s", #call, sl_status_string(got));                                      \
        if (strlen(sl_context_message(ctx)) < 10 ||                                                \
            strstr(sl_context_message(ctx), "an older message"))                                   \
            fail_msg("%s: the message is \"%s\"", #call, sl_context_message(ctx));                 \
    } while (0)

/* Assignments that used to count positions for years. */
static void assign_scalar(const huge *h)
{
    const uint64_t half[] = {0, h->n / 2, 1}, third[] = {3};
    sl_descriptor complement = sl_descriptor_get(SL_COMPLEMENT);
    REFUSED(sl_vector_assign_scalar(h->w, NULL, SL_PLUS_FP64, x, SL_ALL, 0, NULL));
    SAYS("assign_scalar: the result has 1");
    SAYS("entries or more");
    REFUSED(sl_vector_assign_scalar(h->w, NULL, NULL, x, half, SL_RANGE, NULL));
    REFUSED(sl_vector_assign_scalar(h->w, h->empty, NULL, x, SL_ALL, 0, complement));
    REFUSED(sl_vector_assign_scalar(h->w, h->one, SL_PLUS_FP64, x, SL_ALL, 0, complement));
    REFUSED(sl_vector_assign_scalar(h->w, h->one, NULL, x, half, SL_RANGE, complement));
    REFUSED(sl_matrix_assign_scalar(h->C, NULL, NULL, x, SL_ALL, 0, third, 1, NULL));
    REFUSED(sl_matrix_assign_scalar(h->C, NULL, NULL, x, third, 1, SL_ALL, 0, NULL));
    REFUSED(sl_matrix_assign_scalar(h->C, NULL, SL_PLUS_FP64, x, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(sl_matrix_assign_scalar(h->C, h->Empty, NULL, x, SL_ALL, 0, SL_ALL, 0, complement));
    REFUSED(
        sl_matrix_assign_scalar(h->C, h->One, NULL, x, half, SL_RANGE, half, SL_RANGE, complement));
    assert_int_equal(vector_entries(h->w), 0);
    assert_int_equal(entries(h->C), 0);
}

static void assign(const huge *h)
{
    sl_descriptor complement = sl_descriptor_get(SL_COMPLEMENT);
    REFUSED(sl_vector_assign(h->w, h->empty, NULL, h->full, SL_ALL, 0, complement));
    REFUSED(sl_vector_assign(h->w, h->one, NULL, h->full, SL_ALL, 0, complement));
    REFUSED(sl_matrix_assign(h->C, h->Empty, NULL, h->Full, SL_ALL, 0, SL_ALL, 0, complement));
    assert_int_equal(vector_entries(h->w), 0);
    assert_int_equal(entries(h->C), 0);
    OK(ctx, sl_vector_assign(h->w, h->empty, NULL, h->one, SL_ALL, 0, complement));
    assert_int_equal(vector_entries(h->w), 1);
    OK(ctx, sl_vector_clear(h->w));
}

/* The same operations with few entries in the result. */
static void allowed(const huge *h)
{
    const uint64_t few[] = {h->n - 5, h->n, 1};
    sl_descriptor complement = sl_descriptor_get(SL_COMPLEMENT);
    OK(ctx, sl_vector_assign_scalar(h->w, h->one, SL_PLUS_FP64, x, SL_ALL, 0, NULL));
    assert_int_equal(vector_entries(h->w), 1);
    OK(ctx, sl_vector_assign_scalar(h->w, NULL, SL_PLUS_FP64, x, few, SL_RANGE, NULL));
    assert_int_equal(vector_entries(h->w), 5);
    OK(ctx, sl_vector_assign_scalar(h->w, NULL, NULL, x, SL_ALL, 0, complement));
    assert_int_equal(vector_entries(h->w), 5);
    OK(ctx, sl_matrix_assign_scalar(h->C, NULL, NULL, x, few, SL_RANGE, few, SL_RANGE, NULL));
    assert_int_equal(entries(h->C), 25);
    OK(ctx, sl_vector_clear(h->w));
    OK(ctx, sl_matrix_clear(h->C));
}

/* Whether the kernel grants any allocation, and ends the process when it runs out of memory. */
static bool grants_any_memory(void)
{
    FILE *file = fopen("/proc/sys/vm/overcommit_memory", "r");
    const int mode = file ? fgetc(file) : '0';
    if (file)
        fclose(file);
    return mode == '1';
}

/* Of a full object with one value the parts and the reversed copies are stored as one value, too. */
static void reversed(const huge *h)
{
    const uint64_t back[] = {h->n - 1, UINT64_MAX, UINT64_MAX}, even[] = {0, h->n, 2};
    sl_vector *half = new_vector(SL_FP64, h->n / 2), *w = new_vector(SL_FP64, h->n);
    OK(ctx, sl_vector_extract(half, NULL, NULL, h->full, even, SL_RANGE, NULL));
    assert_int_equal(vector_entries(half), h->n / 2);
    OK(ctx, sl_vector_assign(w, NULL, NULL, h->full, back, SL_RANGE, NULL));
    assert_int_equal(vector_entries(w), h->n);
    OK(ctx, sl_vector_assign_scalar(w, NULL, NULL, x, back, SL_RANGE, NULL));
    assert_int_equal(vector_entries(w), h->n);
    sl_vector_free(half);
    sl_vector_free(w);
}

/* Copies and other results that are as long as the object. */
static void copies(const huge *h)
{
    if (grants_any_memory()) {
        print_message("copies are skipped: vm.overcommit_memory is 1\n");
        return;
    }
    sl_arrays arrays;
    sl_csr rows;
    REFUSED(sl_matrix_copy_whole(&arrays, h->Full));
    assert_null(arrays.rows);
    REFUSED(sl_vector_copy_whole(&arrays, h->full));
    assert_null(arrays.rows);
    REFUSED(sl_matrix_copy_slice(&arrays, h->Full));
    REFUSED(sl_vector_copy_slice(&arrays, h->full));
    REFUSED(sl_vector_copy_out(&arrays, h->one, SL_FORMAT_BITMAP));
    REFUSED(sl_matrix_copy_out(&arrays, h->One, SL_FORMAT_CSR));
    REFUSED(sl_matrix_copy_csr(&rows, h->One));
    REFUSED(sl_vector_ewise_add(h->w, NULL, NULL, SL_PLUS_FP64, h->full, h->one, NULL));
    REFUSED(sl_vector_apply_index(h->w, NULL, NULL, SL_ROWINDEX_INT64, h->full, x, NULL));
    REFUSED(sl_vector_apply(h->w, h->empty, NULL, SL_AINV_FP64, h->full,
                            sl_descriptor_get(SL_COMPLEMENT)));
}

static void test_huge_objects(void **state)
{
    for (int bits = 40; bits <= 60; bits += 10) {
        alarm(SECONDS);
        huge h = make_huge((uint64_t)1 << bits);
        assign_scalar(&h);
        assign(&h);
        allowed(&h);
        reversed(&h);
        copies(&h);
        free_huge(&h);
        alarm(0);
    }
}

/* The limit of a context takes the place of the machine's memory. */
static void test_limit(void **state)
{
    const uint64_t size = (uint64_t)3 << 32, half[] = {0, size / 2, 1};
    alarm(SECONDS);
    OK(ctx, sl_context_set_memory_limit(ctx, 1 << 20));
    sl_vector *w = new_vector(SL_BOOL, size);
    REFUSED(sl_vector_assign_scalar(w, NULL, NULL, x, half, SL_RANGE, NULL));
    SAYS("1 x 1048576 bytes of memory cannot hold them");
    sl_vector_free(w);
    OK(ctx, sl_context_set_memory_limit(ctx, 0));
    alarm(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_huge_objects),
                                       cmocka_unit_test(test_limit)};
    int failed = 0;
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        if (sl_context_create(&ctx, engine.choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests_name(engine.name, tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
