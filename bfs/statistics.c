/*
 * Order statistics as the Graph500 specification reports them. The standard deviation of the
 * harmonic mean h of n values x is the specification's h^2 / (n - 1) * sqrt(sum((1/x - 1/h)^2))
 * (Norris, "The standard errors of the geometric and harmonic means and their application to index
 * numbers", Annals of Mathematical Statistics 11(4), 1940).
 */
#include <math.h>
#include <stdlib.h>

#include <semla/bfs.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* quantile(x, p, dim, 7) of Octave, by which its statistics() computes quartiles: linear between
 * the values at positions 0, 1, ..., count - 1. */
static double quantile(const double *sorted, size_t count, double p)
{
    double position = p * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

/*
 * The arithmetic mean has the sample's standard deviation (divided by n - 1). The harmonic mean of
 * values that are not all positive is 0. The deviation of one value is 0. If count is 0, all
 * members of *s are 0.
 */
void sl_statistics_of(sl_statistics *s, double *values, size_t count, bool harmonic)
{
    if (!s)
        return;
    *s = (sl_statistics){0};
    if (!values || count == 0)
        return;
    qsort(values, count, sizeof *values, ascending);
    s->min = values[0];
    s->first_quartile = quantile(values, count, 0.25);
    s->median = quantile(values, count, 0.5);
    s->third_quartile = quantile(values, count, 0.75);
    s->max = values[count - 1];
    if (harmonic && !(s->min > 0))
        return;

    const double n = (double)count;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += harmonic ? 1 / values[i] : values[i];
    const double mean = sum / n; /* if harmonic, of the reciprocals */
    for (size_t i = 0; i < count; i++) {
        double off = (harmonic ? 1 / values[i] : values[i]) - mean;
        squares += off * off;
    }
    s->mean = harmonic ? 1 / mean : mean;
    if (count > 1)
        s->stddev = harmonic ? sqrt(squares) / (n - 1) / (mean * mean) : sqrt(squares / (n - 1));
}
