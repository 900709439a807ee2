/* Tests of the suggestions for misspelt words. */
#include "support.h"

#include <string.h>

#include "cli/suggest.h"

static const char *const words[] = {
    "bfs",     "run",   "graph500", "generate",
    "convert", "info",  "validate", "parity",
    "engines", "--x-y", "",         "a-word-of-more-than-forty-characters-in-all"};
enum { WORDS = sizeof words / sizeof *words };

static void test_nearest(void **state)
{
    static const struct {
        const char *text, *nearest; /* NULL: none is near */
    } cases[] = {
        {"bsf", "bfs"},      /* a transposition */
        {"bf", "bfs"},       /* a beginning */
        {"bffs", "bfs"},     /* an insertion */
        {"BFS", "bfs"},      /* upper case */
        {"rn", "run"},       /* a deletion */
        {"ran", "run"},      /* a substitution */
        {"gra", "graph500"}, /* the only word that begins so */
        {"grahp500", "graph500"},
        {"graph", "graph500"},
        {"genrate", "generate"},
        {"valdiaet", "validate"}, /* a deletion, and an insertion elsewhere */
        {"covnert", "convert"},
        {"inof", "info"},
        {"engine", "engines"},
        {"bogus", NULL},
        {"x", NULL},
        {"", NULL},
        {"r", NULL}, /* one character remains of nothing */
        {"serve", NULL},
        {"zzzzzzzz", NULL},
        {"a-word-of-more-than-forty-characters-in-alk", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *nearest = nearest_word(cases[k].text, words, WORDS);
        if (!cases[k].nearest != !nearest || (nearest && strcmp(nearest, cases[k].nearest) != 0))
            fail_msg("'%s': '%s' is nearest, not '%s'", cases[k].text,
                     cases[k].nearest ? cases[k].nearest : "nothing",
                     nearest ? nearest : "nothing");
    }
    assert_null(nearest_word("bfs", NULL, 0));
}

/* The first of several words at the least distance; a word that is nearer wins. */
static void test_order(void **state)
{
    static const char *const near[] = {"level", "levee", "lever"};
    assert_string_equal(nearest_word("leve", near, 3), "level");
    assert_string_equal(nearest_word("lever2", near, 3), "lever");
    assert_string_equal(nearest_word("levre", near, 3), "levee"); /* both have distance 1 */
}

static void test_text(void **state)
{
    assert_string_equal(suggest("bsf", "", words, WORDS).text, "; did you mean 'bfs'?");
    assert_string_equal(suggest("bsf", "--", words, WORDS).text, "; did you mean '--bfs'?");
    assert_string_equal(suggest("bogus", "", words, WORDS).text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
