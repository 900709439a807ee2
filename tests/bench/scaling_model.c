/* The cost model of docs/scaling.md, which has the source of each figure. Fitted figures are
 * constants here; properties of the machine are options of the program. */
#include "scaling_model.h"

#include <math.h>

/* Fitted to bench_gpu on one H200: the seconds of a search that do not depend on the number of
 * edges, and the edges of the generated list processed per second. */
static const double search_floor = 62e-6, search_rate = 2.0e12;

/* Fitted to bench_dist: bytes per phase, in units of the bitmap of a rank's own vertices. */
static const double expand_bitmaps = 2.0, share_bitmaps = 0.02, fold_bitmaps = 0.35;
static const double pass_bitmaps = 1.15, pass_offset = 0.45, foreign_odds = 0.19;

/* Lists of ids keep their length when isolated vertices are omitted from bitmaps: calculated from
 * the fractions of the codecs at scale 20. */
static const double compact_bitmaps = 1.3;

/* Measured on one H200: bytes per second of a copy; bit tests per second in the L2 cache and
 * beyond. */
static const double copy_rate = 4.27e12, tests_near = 140e9, tests_far = 43e9;
static const double near_bytes = 32.0 * 1024 * 1024;

/* Assumed, with delegated hubs: levels with large frontiers, in each of which bits are reduced and then
 * gathered; bytes of a question for a parent; bits of a byte of a number of variable length. */
static const double hub_levels = 2.5, question_bytes = 6, varying_bits = 7;

/*
 * Assumed: number of passes of a pull over the bits of a row's targets and of a column's sources.
 */
static const double target_passes = 4, source_passes = 2;

/* ---- graph ----------------------------------------------------------------------- */

/*
 * A vertex whose number has k ones is an end of an edge with probability .24^k .76^(s-k), for each
 * of the two ends of 16 2^s edges: its degree is Poisson distributed. Loops and duplicate edges are
 * counted.
 */
void scaling_degrees(int scale, double *any, double *one)
{
    scaling_classes c;
    scaling_classes_of(&c, scale);
    *any = *one = 0;
    for (int k = 0; k <= scale; k++) {
        *any += c.share[k] * -expm1(-c.mean[k]);
        *one += c.share[k] * c.mean[k] * exp(-c.mean[k]);
    }
}

/* ---- bytes ----------------------------------------------------------------------- */

/*
 * Parents are sent for own vertices with more than one edge that were reached by another column.
 * Ids are encoded as differences with 7 bits per byte; a parent has `bits` bits, those of the offset of
 * a source.
 */
static double parents_bytes(double asked, double own, double bits, int cols)
{
    if (cols == 1)
        return 0;
    double odds = foreign_odds * (cols - 1), found = asked * odds / (1 + odds);
    double density = found / own / (cols - 1), id = 1 + exp(-128 * density);
    return found * (id + bits / 8);
}

/* Bits of a parent's offset among the sources of a column. */
static double parent_bits(const scaling_machine *m, int scale, double sources, int cols)
{
    const double fixed = ceil(log2(sources));
    if (!m->packed)
        return fixed;
    return fmin(fixed, fmax(scaling_rank_bits(scale) - log2(cols), 1) * 8 / varying_bits);
}

static double sum_of(const scaling_bytes *b)
{
    return b->expand + b->share + b->fold + b->pass + b->parents + b->asked;
}

/* With hubs of rows and columns only hubs are expanded. With hubs of all ranks the edges of a vertex are
 * on its owner's rank, except those between hubs, so that nothing else travels but the hubs' bits, their
 * parents, and questions to vertices that are not hubs. */
static scaling_bytes delegate(const scaling_machine *m, const scaling_bytes *b,
                              const scaling_delegation *d, double vertices, double gpus, int rows)
{
    scaling_bytes with = *b;
    const double hubs = d->hubs * vertices;
    with.asked = 2 * d->asked * vertices / gpus * question_bytes; /* along a row, then a column */
    if (m->hubs == HUBS_OF_ROWS_AND_COLUMNS) {
        with.expand = expand_bitmaps * (rows - 1) * hubs / gpus / 8;
        return with;
    }
    return (scaling_bytes){.expand = 2 * hub_levels * hubs / 8,
                           .parents = hubs / gpus * question_bytes,
                           .asked = with.asked};
}

/* own: vertices of a rank that have bits; expanded: how many of them are sent in frontiers; asked: how many have
 * several edges. */
static scaling_bytes bytes_of(const scaling_machine *m, int scale, double own, double expanded,
                              double asked, int rows, int cols)
{
    const double per_vertex = (m->compact ? compact_bitmaps : 1) / 8, others = cols - 1;
    const double bitmap = own * per_vertex;
    const double gpus = (double)rows * cols, vertices = pow(2, scale);
    scaling_bytes b = {
        .expand = expand_bitmaps * (rows - 1) * expanded * per_vertex,
        .share = share_bitmaps * others * bitmap,
        .fold = fold_bitmaps * log2(cols) * bitmap,
        .pass = cols > 1 ? pass_bitmaps * (cols - pass_offset) * bitmap : 0,
        .parents = parents_bytes(asked, own, parent_bits(m, scale, own * rows, cols), cols),
    };
    if (m->hubs == HUBS_OF_ONE_RANK)
        return b;
    scaling_bytes best = b;
    for (int ones = 0; ones < scale; ones++) { /* the number of hubs with the fewest bytes */
        const scaling_delegation *d = scaling_delegation_of(scale, ones, m->pruned);
        const scaling_bytes with = delegate(m, &b, d, vertices, gpus, rows);
        if (ones == 0 || sum_of(&with) < sum_of(&best))
            best = with;
    }
    return best;
}

/* ---- time ------------------------------------------------------------------------ */

/* The fractions of the other ranks of a grid row and of a grid column that are on another host. The
 * ranks of a host are consecutive, and ranks are numbered along rows. */
static double far_in_row(const scaling_machine *m, int cols)
{
    return cols > m->host ? (double)(cols - m->host) / (cols - 1) : 0;
}

static double far_in_column(const scaling_machine *m, int rows, int cols)
{
    double near = cols < m->host ? (double)m->host / cols : 1;
    return rows > near ? (rows - near) / (rows - 1) : 0;
}

static double delay_of(const scaling_machine *m, double far)
{
    return far * m->network_delay + (1 - far) * m->link_delay;
}

/* The delay of messages to all other ranks at once: the longest latency plus the time to post the
 * others. */
static double burst(const scaling_machine *m, int ranks, double far)
{
    return ranks > 1 ? (far > 0 ? m->network_delay : m->link_delay) + (ranks - 1) * m->issue : 0;
}

static double delays(const scaling_machine *m, int rows, int cols)
{
    const double row = far_in_row(m, cols), column = far_in_column(m, rows, cols);
    const double gpus = (double)rows * cols, local = fmin(m->host, gpus);
    const int steps = m->pushes + m->pulls;
    /* One in m->host hops on the path of a block leads to another host. */
    const double hop = cols > m->host ? 1.0 / m->host : 0;
    if (m->hubs == HUBS_OF_ALL) /* reduce and gather, and questions along rows, then columns */
        return steps * (2 * (log2(gpus / local) * m->network_delay + log2(local) * m->link_delay) +
                        burst(m, rows, column) + burst(m, cols, row));
    double expand = steps * burst(m, rows, column);
    double fold = 2 * m->pushes * burst(m, cols, row); /* and the step counts of the same level */
    double pass = cols > 1 ? m->pulls * cols * (delay_of(m, hop) + m->turn) : 0;
    double parents = 3 * (cols - 1) * delay_of(m, row); /* request, reply, report */
    double counts = steps * (log2(gpus / local) * m->network_delay + log2(local) * m->link_delay);
    return expand + fold + pass + parents + counts;
}

static double work_of(const scaling_machine *m, const scaling_cost *c, double own)
{
    /* The bits of one GPU are included in the fitted time. */
    const double sources = own * (c->rows - 1), targets = own * (c->cols - 1);
    double miss = own * c->rows / 8 > near_bytes ? tests_near / tests_far : 1;
    double edges = c->edges / ((double)c->rows * c->cols) / search_rate * m->examined *
                   (m->cached + (1 - m->cached) * miss);
    double passes = m->pulls * (target_passes * targets + source_passes * sources) / 8 / copy_rate;
    return search_floor + edges + passes;
}

/*
 * All data from one host to the next along a row passes through the network interface of one GPU.
 */
static void exchange_of(const scaling_machine *m, scaling_cost *c)
{
    const double gpus = (double)c->rows * c->cols, row = far_in_row(m, c->cols);
    const double column =
        m->hubs == HUBS_OF_ALL ? fmax(1 - m->host / gpus, 0) : far_in_column(m, c->rows, c->cols);
    const scaling_bytes *b = &c->bytes;
    double crossing = c->cols > m->host ? b->pass : 0;
    double spread = b->share + b->fold + b->parents + b->asked;
    c->network = (column * b->expand + row * spread + crossing) / m->network;
    c->link = ((1 - column) * b->expand + (1 - row) * spread + b->pass - crossing) / m->link;
}

/*
 * The memory per GPU: edges in both directions, 4 bytes each, and the row starts, parents and lists
 * of dist/search/local_graph.h and dist/search/search_state.h.
 */
static double memory_of(const scaling_cost *c, double own)
{
    const double gpus = (double)c->rows * c->cols;
    return 2 * 4 * 2 * c->edges / gpus + 8.125 * own * c->rows + 16.5 * own * c->cols + 48 * own;
}

scaling_cost scaling_of(const scaling_machine *m, int scale, int rows, int cols)
{
    const double gpus = (double)rows * cols, n = pow(2, scale);
    double any, one;
    scaling_degrees(scale, &any, &one);
    const double kept = m->pruned ? any - one : m->compact ? any : 1;
    const double own = kept * n / gpus, most = 4294967296.0;
    scaling_cost c = {.rows = rows, .cols = cols, .edges = EDGE_FACTOR * n};
    const double several = (any - one) * n / gpus;
    c.bytes = bytes_of(m, scale, own, m->compact ? several : own, several, rows, cols);
    c.work = work_of(m, &c, own);
    exchange_of(m, &c);
    c.delay = delays(m, rows, cols);
    c.memory = memory_of(&c, own);
    c.too_many = own * rows > most || own * cols > most;
    double exchange = c.network + c.link + c.delay;
    c.seconds = c.work + exchange - m->overlap * fmin(c.work, exchange);
    return c;
}

scaling_cost scaling_best(const scaling_machine *m, int scale, int gpus)
{
    scaling_cost best = {.seconds = INFINITY};
    for (int rows = 1; rows <= gpus; rows++) {
        if (gpus % rows != 0)
            continue;
        scaling_cost c = scaling_of(m, scale, rows, gpus / rows);
        if (c.seconds < best.seconds)
            best = c;
    }
    return best;
}
