/* sl_statistics_of, compared with statistics that were computed by hand. */
#include <math.h>
#include <string.h>

#include <semla/bfs.h>

#include "support.h"

static void assert_near(double x, double expected)
{
    if (!(fabs(x - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g is not %.17g", x, expected);
}

static void quartiles_at_values(void **state)
{
    (void)state;
    double values[] = {5, 1, 4, 2, 3};
    sl_statistics s;
    sl_statistics_of(&s, values, 5, false);
    assert_near(s.min, 1);
    assert_near(s.first_quartile, 2);
    assert_near(s.median, 3);
    assert_near(s.third_quartile, 4);
    assert_near(s.max, 5);
    assert_near(s.mean, 3);
    assert_near(s.stddev, sqrt(10. / 4));
    for (int i = 0; i < 5; i++)
        assert_near(values[i], i + 1); /* sorted in place */
}

static void quartiles_between_values(void **state)
{
    (void)state;
    double values[] = {40, 10, 30, 20};
    sl_statistics s;
    sl_statistics_of(&s, values, 4, false);
    assert_near(s.first_quartile, 17.5); /* position 3/4 */
    assert_near(s.median, 25);           /* 3/2 */
    assert_near(s.third_quartile, 32.5); /* 9/4 */
    assert_near(s.mean, 25);
    assert_near(s.stddev, sqrt((225 + 25 + 25 + 225) / 3.));

    double two[] = {3, 1};
    sl_statistics_of(&s, two, 2, false);
    assert_near(s.first_quartile, 1.5);
    assert_near(s.third_quartile, 2.5);
    assert_near(s.stddev, sqrt(2));
}

/* Reciprocals 1, 1/2, 1/4: their mean is 7/12, the squares of the deviations 5/12, 1/12 and 4/12
 * sum to 42/144. */
static void harmonic(void **state)
{
    (void)state;
    double values[] = {4, 1, 2};
    sl_statistics s;
    sl_statistics_of(&s, values, 3, true);
    assert_near(s.min, 1);
    assert_near(s.first_quartile, 1.5);
    assert_near(s.median, 2);
    assert_near(s.third_quartile, 3);
    assert_near(s.max, 4);
    assert_near(s.mean, 12. / 7);
    assert_near(s.stddev, sqrt(42. / 144) / 2 * (12. / 7) * (12. / 7));
}

static void one_value(void **state)
{
    (void)state;
    for (int harmonically = 0; harmonically < 2; harmonically++) {
        double value = 8;
        sl_statistics s;
        sl_statistics_of(&s, &value, 1, harmonically);
        const double all[] = {s.min, s.first_quartile, s.median, s.third_quartile, s.max, s.mean};
        for (int i = 0; i < 6; i++)
            assert_near(all[i], 8);
        assert_true(s.stddev == 0);
    }
}

static void equal_values(void **state)
{
    (void)state;
    for (int harmonically = 0; harmonically < 2; harmonically++) {
        double values[64];
        for (int i = 0; i < 64; i++)
            values[i] = 0.25;
        sl_statistics s;
        sl_statistics_of(&s, values, 64, harmonically);
        assert_true(s.min == .25 && s.first_quartile == .25 && s.median == .25);
        assert_true(s.third_quartile == .25 && s.max == .25 && s.mean == .25 && s.stddev == 0);
    }
}

static void no_harmonic_mean_of_zero(void **state)
{
    (void)state;
    double values[] = {2, 0, 4};
    sl_statistics s;
    sl_statistics_of(&s, values, 3, true);
    assert_true(s.min == 0 && s.median == 2 && s.max == 4);
    assert_true(s.mean == 0 && s.stddev == 0);
}

static void no_values(void **state)
{
    (void)state;
    const sl_statistics zero = {0};
    sl_statistics s;
    double value = 1;
    memset(&s, 0xff, sizeof s);
    sl_statistics_of(&s, &value, 0, false);
    assert_memory_equal(&s, &zero, sizeof s);
    memset(&s, 0xff, sizeof s);
    sl_statistics_of(&s, NULL, 3, true);
    assert_memory_equal(&s, &zero, sizeof s);
    sl_statistics_of(NULL, &value, 1, false); /* no effect */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quartiles_at_values),
        cmocka_unit_test(quartiles_between_values),
        cmocka_unit_test(harmonic),
        cmocka_unit_test(one_value),
        cmocka_unit_test(equal_values),
        cmocka_unit_test(no_harmonic_mean_of_zero),
        cmocka_unit_test(no_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
