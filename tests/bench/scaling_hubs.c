/*
 * Hubs of Kronecker graphs, for the model of docs/scaling.md: how many vertices have no hub among their
 * neighbours, and how many bits the rank of a neighbour has.
 *
 * Each bit of an edge is chosen independently: (0, 0) with probability .57, (0, 1) and (1, 0) with .19,
 * (1, 1) with .05. So a neighbour of a vertex with k ones has a one with probability .05 / .24 where the
 * vertex has one, and with .19 / .76 elsewhere.
 */
#include "scaling_model.h"

#include <math.h>

static double choose(int n, int k)
{
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

void scaling_classes_of(scaling_classes *c, int scale)
{
    const double ends = 2 * EDGE_FACTOR * pow(2, scale);
    for (int k = 0; k <= scale; k++) {
        c->share[k] = choose(scale, k) * pow(2, -scale);
        c->mean[k] = ends * pow(0.24, k) * pow(0.76, scale - k);
    }
}

/* The probability that a neighbour of a vertex with k ones has at most `most` ones. */
static double neighbour_within(int scale, int k, int most)
{
    const double both = 0.05 / 0.24, one = 0.19 / 0.76;
    double sum = 0;
    for (int i = 0; i <= k && i <= most; i++)
        for (int j = 0; j <= scale - k && i + j <= most; j++)
            sum += choose(k, i) * pow(both, i) * pow(1 - both, k - i) * choose(scale - k, j) *
                   pow(one, j) * pow(1 - one, scale - k - j);
    return sum;
}

static scaling_delegation delegation(int scale, int ones, bool pruned)
{
    scaling_delegation d = {.ones = ones};
    scaling_classes c;
    scaling_classes_of(&c, scale);
    for (int k = 0; k <= ones; k++)
        d.hubs += c.share[k];
    for (int k = ones + 1; k <= scale; k++) {
        const double other = 1 - neighbour_within(scale, k, ones);
        double edges =
            c.mean[k] * other * exp(-c.mean[k] * (1 - other)); /* with no hub beside them */
        if (pruned)
            edges -= c.mean[k] * other * exp(-c.mean[k]);
        d.asked += c.share[k] * edges;
    }
    return d;
}

const scaling_delegation *scaling_delegation_of(int scale, int ones, bool pruned)
{
    static scaling_delegation table[2][MOST_SCALE + 1];
    static int scale_of[2] = {-1, -1};
    if (scale_of[pruned] != scale)
        for (int k = 0; k <= scale; k++)
            table[pruned][k] = delegation(scale, k, pruned);
    scale_of[pruned] = scale;
    return &table[pruned][ones];
}

double scaling_rank_bits(int scale)
{
    double bits = 0, before = 0;
    for (int k = 0; k <= scale; k++) {
        before += choose(scale, k);
        bits += choose(scale, k) * pow(0.24, k) * pow(0.76, scale - k) * log2(before);
    }
    return bits;
}
