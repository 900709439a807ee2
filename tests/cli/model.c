/* Tests of the parser of model names. */
#include "support.h"

#include <string.h>

#include "cli/model.h"

static sl_generator parsed(const char *text)
{
    sl_generator model;
    model_error error;
    if (model_parse(&model, text, &error) != MODEL_OK)
        fail_msg("%s: %s", text, error.message);
    return model;
}

static void test_all_models(void **state)
{
    sl_generator m = parsed("kronecker:scale=20,edgefactor=8.5,seed=3");
    assert_int_equal(m.model, SL_MODEL_KRONECKER);
    assert_int_equal(m.scale, 20);
    assert_true(m.edge_factor == 8.5);
    assert_int_equal(m.seed, 3);

    m = parsed("uniform:seed=7,edges=16M,vertices=2k");
    assert_int_equal(m.model, SL_MODEL_UNIFORM);
    assert_int_equal(m.vertices, 2000);
    assert_int_equal(m.edges, 16000000);
    assert_int_equal(m.seed, 7);

    m = parsed("grid:20x30");
    assert_int_equal(m.model, SL_MODEL_GRID);
    assert_int_equal(m.side[0], 20);
    assert_int_equal(m.side[1], 30);
    assert_int_equal(m.side[2], 0);
    m = parsed("grid:sides=2x3x4");
    assert_int_equal(m.side[2], 4);

    m = parsed("road:100x200,seed=9");
    assert_int_equal(m.model, SL_MODEL_ROAD);
    assert_int_equal(m.side[1], 200);
    assert_int_equal(m.seed, 9);

    m = parsed("rmat:scale=9,a=0.5,b=.1,c=0.3,weights=1..255");
    assert_int_equal(m.model, SL_MODEL_KRONECKER);
    assert_true(m.a == 0.5 && m.b == 0.1 && m.c == 0.3);
    m = parsed("rmat:9,a=0.4");
    assert_true(m.a == 0.4 && m.b == 0.19 && m.c == 0.19);
    m = parsed("rmat:9");
    assert_true(m.a == 0 && m.b == 0 && m.c == 0); /* sl_generate then uses those of Graph500 */

    assert_int_equal(parsed("path:7").model, SL_MODEL_PATH);
    assert_int_equal(parsed("star:vertices=3G").vertices, 3000000000u);
    assert_int_equal(parsed("star:7").model, SL_MODEL_STAR);
    assert_int_equal(parsed("complete:7").model, SL_MODEL_COMPLETE);
    assert_int_equal(parsed("path:18446744073709551615").vertices, UINT64_MAX);
}

static void test_defaults(void **state)
{
    sl_generator m = parsed("kronecker:5");
    assert_int_equal(m.scale, 5);
    assert_true(m.edge_factor == 0); /* sl_generate then uses 16 */
    assert_int_equal(m.seed, 0);
    assert_int_equal(parsed("kronecker:0").scale, 0);
}

static void test_weights(void **state)
{
    static const struct {
        const char *text;
        bool integers;
        double least, greatest;
    } cases[] = {
        {"path:7,weights=1..255", true, 1, 255},
        {"grid:2x2,weights=-5..5,seed=3", true, -5, 5},
        {"star:7,weights=0..1", true, 0, 1},
        {"complete:7,weights=3..3", true, 3, 3},
        {"road:3x3,weights=0.0..1.0", false, 0, 1},
        {"uniform:3,edges=4,weights=0.5..2", false, 0.5, 2},
        {"kronecker:3,weights=1...5e1", false, 1, 50}, /* 1 .. .5e1 */
        {"kronecker:3,weights=1e3..2e3", false, 1000, 2000},
        {"kronecker:3,weights=-9007199254740991..9007199254740991", true, 1 - 0x1p53, 0x1p53 - 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sl_generator m = parsed(cases[i].text);
        assert_true(m.weighted);
        if (m.integer_weights != cases[i].integers || m.least_weight != cases[i].least)
            fail_msg("%s: from %g", cases[i].text, m.least_weight);
        assert_true(i == 6 ? m.greatest_weight == 5 : m.greatest_weight == cases[i].greatest);
    }
    assert_false(parsed("kronecker:5").weighted);
}

/* Each case has the part that the error must point at, and a piece of the message. */
static void test_errors_point_at_the_part(void **state)
{
    static const struct {
        const char *text, *part, *message;
        size_t offset;
    } cases[] = {
        {"kronecker:scale=2x,seed=1", "2x", "not a number", 16},
        {"kronecker:scale=41", "41", "0 to 40", 16},
        {"kronecker:scale=", "", "missing", 16},
        {"kronecker:scale=-1", "-1", "not a number", 16},
        {"kronecker:4,edgefactor=0", "0", "above 0", 23},
        {"kronecker:4,edgefactor=nan", "nan", "above 0", 23},
        {"kronecker:4,edgefactor=", "", "above 0", 23},
        {"kronecker:4,edgefactor=1e999", "1e999", "above 0", 23},
        {"kronecker:seed=4", "seed=4", "needs scale", 10},
        {"kronecker:4,5", "5", "not KEY=VALUE", 12},
        {"kronecker:4,", "", "missing here", 12},
        {"kronecker:4,,seed=1", "", "missing here", 12},
        {"kronecker:", "", "missing here", 10},
        {"kronecker:scale=4,scale=5", "scale=5", "twice", 18},
        {"kronecker:4,vertices=5", "vertices", "takes no 'vertices'", 12},
        {"kronecker", "kronecker", "needs a size", 0},
        {"uniform:vertices=10", "vertices=10", "needs edges", 8},
        {"uniform:vertices=10kk,edges=1", "10kk", "not a number", 17},
        {"path:99999999999999999999", "99999999999999999999", "too large", 5},
        {"path:99999999999999999G", "99999999999999999G", "too large", 5},
        {"path:5q", "5q", "not a number", 5},
        {"grid:20", "20", "2 or 3 sides", 5},
        {"grid:2x3x4x5", "2x3x4x5", "2 or 3 sides", 5},
        {"grid:4x4x", "", "missing", 9},
        {"grid:x4", "", "missing", 5},
        {"grid:4x0", "0", "at least 1", 7},
        {"road:2x3x4", "2x3x4", "needs 2 sides", 5},
        {"road:2x3,seed=z", "z", "not a number", 14},
        {"grid:2x3,seed=4", "2x3,seed=4", "'grid' is not random: a seed needs weights=...", 5},
        {"grid:2x3,weight=1..2", "weight", "did you mean 'weights'?", 9},
        {"kronecker:5,edgefacto=3", "edgefacto", "did you mean 'edgefactor'?", 12},
        {"kronecker:5,a=0.5", "a", "'kronecker' takes no 'a'", 12},
        {"rmat:5,a=0.9", "5,a=0.9", "a=0.9, b=0.19, c=0.19; a must be above 0", 5},
        {"rmat:5,a=0", "5,a=0", "a must be above 0", 5},
        {"rmat:5,a=1.5", "1.5", "not a probability", 9},
        {"rmat:5,b=-0.5", "-0.5", "not a probability", 9},
        {"path:5,weights=3", "3", "not a range of weights", 15},
        {"path:5,weights=3..", "3..", "not a range of weights", 15},
        {"path:5,weights=..3", "..3", "not a range of weights", 15},
        {"path:5,weights=a..b", "a..b", "not a range of weights", 15},
        {"path:5,weights=0x1..0x4", "0x1..0x4", "not a range of weights", 15},
        {"path:5,weights=1..inf", "1..inf", "not a range of weights", 15},
        {"path:5,weights=5..2", "5..2", "must be above the first", 15},
        {"path:5,weights=1.0..1.0", "1.0..1.0", "must be above the first", 15},
        {"path:5,weights=0..0", "0..0", "must not all be 0", 15},
        {"path:5,weights=1..9007199254740993", "1..9007199254740993", "below 2^53", 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sl_generator model;
        model_error error;
        const char *text = cases[i].text;
        if (model_parse(&model, text, &error) != MODEL_WRONG)
            fail_msg("%s was accepted", text);
        if (!strstr(error.message, cases[i].message))
            fail_msg("%s: '%s' does not contain '%s'", text, error.message, cases[i].message);
        if (error.offset != cases[i].offset || error.length != strlen(cases[i].part) ||
            strncmp(text + error.offset, cases[i].part, error.length) != 0)
            fail_msg("%s: points at %zu + %zu, not at '%s'", text, error.offset, error.length,
                     cases[i].part);
    }
}

static void test_not_models(void **state)
{
    sl_generator model;
    model_error error;
    static const char *const files[] = {"graph.mtx", "./grid:3x3", "a/b:c", ":", "", "x1:5", "-"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        assert_int_equal(model_parse(&model, files[i], &error), MODEL_NONE);
    assert_int_equal(model_parse(&model, "kroneker:20", &error), MODEL_UNKNOWN);
    assert_non_null(strstr(error.message, "no model 'kroneker'"));
    assert_non_null(strstr(error.message, "kronecker, rmat, uniform, grid, road, path, star, "
                                          "complete; did you mean 'kronecker'?"));
    assert_int_equal(error.length, 8);
}

/* Messages truncate long quotations. */
static void test_long_text(void **state)
{
    char text[5000] = "grid:";
    memset(text + 5, 'y', sizeof text - 6);
    sl_generator model;
    model_error error;
    assert_int_equal(model_parse(&model, text, &error), MODEL_WRONG);
    assert_int_equal(error.length, 4994);
    memset(text, 'y', 4000);
    text[4000] = ':';
    assert_int_equal(model_parse(&model, text, &error), MODEL_UNKNOWN);
    assert_true(strlen(error.message) < sizeof error.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_models), cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_errors_point_at_the_part),
        cmocka_unit_test(test_not_models), cmocka_unit_test(test_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
