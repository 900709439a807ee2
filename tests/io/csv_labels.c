/* Labels of CSV files: their numbers, their order, the search for them. */
#include <stdio.h>
#include <string.h>

#include "files.h"

static sl_context *ctx;

static int setup(void **state)
{
    const int failed = files_setup(state);
    ctx = *state;
    return failed;
}

static const char *label_of(const sl_edges *edges, uint64_t v)
{
    return edges->labels.text + edges->labels.start[v];
}

/* All prefixes of a word, around the length at which labels are no longer kept in the slots of the
 * table, and labels that differ in one byte. */
static void lengths_of_labels(void **state)
{
    (void)state;
    static const char word[] = "abcdefghijklmnopqrstuvwxyz";
    enum { LENGTHS = 20, COPIES = 50 };
    char *text = test_malloc(LENGTHS * COPIES * 60), changed[LENGTHS + 1];
    size_t used = (size_t)sprintf(text, "from,to\n");
    for (int copy = 0; copy < COPIES; copy++)
        for (int n = 1; n <= LENGTHS; n++) {
            memcpy(changed, word, (size_t)n);
            changed[n] = '\0';
            changed[copy % n] = '!';
            used += (size_t)sprintf(text + used, "%.*s,%s\n", n, word, changed);
        }
    sl_edges edges;
    OK(ctx, sl_edges_read(&edges, ctx, file_of("a.csv", text, used), NULL));
    assert_int_equal(edges.labels.count, LENGTHS + LENGTHS * (LENGTHS + 1) / 2);
    for (uint64_t k = 0; k < edges.count; k++) {
        const char *from = label_of(&edges, edges.row[k]), *to = label_of(&edges, edges.col[k]);
        const size_t n = k % LENGTHS + 1, other = k / LENGTHS % n;
        assert_true(strlen(from) == n && strlen(to) == n && strncmp(from, word, n) == 0);
        assert_true(to[other] == '!' && strncmp(from, to, other) == 0);
    }
    sl_edges_free(&edges);
    test_free(text);
}

/* Integers by their value before other labels by their bytes; every label is found, no other. */
static void order_of_labels(void **state)
{
    (void)state;
    static const char *const sorted[] = {"-9223372036854775808",
                                         "-20",
                                         "-3",
                                         "-1",
                                         "0",
                                         "7",
                                         "10",
                                         "200",
                                         "1234567890123456789",
                                         "9223372036854775808",
                                         "12345678901234567890",
                                         "18446744073709551615",
                                         "",
                                         "+1",
                                         "-",
                                         "-0",
                                         "-01",
                                         "-1.5",
                                         "-9223372036854775809",
                                         "007",
                                         "01",
                                         "18446744073709551616",
                                         "1a",
                                         "A",
                                         "a",
                                         "aaaaaaaa",
                                         "aaaaaaaaa",
                                         "aaaaaaaab",
                                         "aaaaaaab",
                                         "b",
                                         "\xc3\xb6"};
    char text[2000] = "from,to\n";
    for (size_t k = sizeof sorted / sizeof *sorted; k-- > 0;)
        if (*sorted[k])
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s,%s\n", sorted[k],
                     sorted[(k * 7) % 5]);
    sl_edges edges;
    OK(ctx, sl_edges_read(&edges, ctx, file_with("a.csv", text), NULL));
    assert_int_equal(edges.labels.count, sizeof sorted / sizeof *sorted - 1);
    uint64_t v = 0, found;
    for (size_t k = 0; k < sizeof sorted / sizeof *sorted; k++) {
        if (!*sorted[k])
            continue;
        assert_string_equal(label_of(&edges, v), sorted[k]);
        assert_int_equal(sl_labels_find(&found, &edges.labels, sorted[k]), SL_OK);
        assert_int_equal(found, v++);
    }
    static const char *const absent[] = {"", "1", "00", "aaaaaaaaaa", "zz", "201", "-2"};
    for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
        assert_int_equal(sl_labels_find(&found, &edges.labels, absent[k]), SL_NO_VALUE);
    assert_int_equal(sl_labels_find(NULL, &edges.labels, "a"), SL_INVALID);
    assert_int_equal(sl_labels_find(&found, NULL, "a"), SL_INVALID);
    assert_int_equal(sl_labels_find(&found, &edges.labels, NULL), SL_INVALID);
    const sl_labels none = {0};
    assert_int_equal(sl_labels_find(&found, &none, "a"), SL_NO_VALUE);
    sl_labels_free(NULL);
    sl_edges_free(&edges);
    assert_null(edges.labels.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_of_labels),
        cmocka_unit_test(order_of_labels),
    };
    return cmocka_run_group_tests(tests, setup, files_teardown);
}
