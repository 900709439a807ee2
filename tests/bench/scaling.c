/*
 * Prints the predictions of docs/scaling.md: the time of a search of a Kronecker graph, of edge
 * factor 16, on many GPUs. Nothing is run or measured.
 *
 *     bench_scaling [OPTION...]
 *
 *     --gpus N,...       numbers of GPUs; default 64,256,1024,4096,8192
 *     --scale S[-T]      scales; default 33-41
 *     --grid RxC         the shape of the grid; default: the fastest of the model
 *     --bytes            print degrees and the bytes that a rank receives by phase only
 *     --ones N           with --bytes: also the vertices with at most N ones in their numbers as hubs
 *     --isolated         ids and bits for isolated vertices, too
 *     --record           print what techniques bring on the greatest machine and scale only
 *     --measured         print measured searches on several GPUs beside the times that the grid engine
 *                        expects only
 *     --workflows        print PageRank and shortest paths on GPUs of one host only
 *     --choice           print the times that the grid engine expects of its two searches by GPUs
 *                        only (dist/search/search_choice.c); of the other options --gpus, --scale,
 *                        --grid and --host apply
 *     --host N           GPUs of a host; 8
 *     --memory GB        memory of a GPU; 141
 *     --network GB       per second and GPU, each way; 50 (400 Gb/s)
 *     --latency US       of a message to a GPU of another host; 5
 *     --link GB          per second between GPUs of a host; 370
 *     --link-latency US  of a message to a GPU of the same host; 1.3
 *     --issue US         time to post one more message; 0.5
 *     --turn US          time to start on a block of a pull; 3
 *     --examined X       edges examined, relative to a search on one GPU; 1.2
 *     --cached X         share of bit tests that hit a cache; 0.9
 *     --overlap X        share of the smaller of work and exchange that is hidden; 0
 *     --pushes N         levels that push; 4
 *     --pulls N          levels that pull; 3
 */
#include "dist/search/search_choice.h"
#include "scaling_model.h"
#include "scaling_tables.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 16 };

typedef struct {
    scaling_machine machine;
    int gpus[MOST_SIZES], sizes, first, last, rows, cols;
    int ones; /* -1: no hubs are printed */
    bool bytes, choice, record, measured, workflows;
} plan;

/* ---- options --------------------------------------------------------------------- */

static void usage(const char *what)
{
    fprintf(stderr, "bench_scaling: %s; the options are listed in tests/bench/scaling.c\n", what);
    exit(2);
}

static double number(const char *option, const char *text, double least, double most)
{
    char *end, message[128];
    double value = strtod(text, &end);
    if (end != text && *end == '\0' && value >= least && value <= most)
        return value;
    snprintf(message, sizeof message, "--%s takes a number from %g to %g", option, least, most);
    usage(message);
    return 0;
}

static void read_gpus(plan *p, char *text)
{
    p->sizes = 0;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        if (p->sizes == MOST_SIZES)
            usage("--gpus takes at most 16 numbers");
        p->gpus[p->sizes++] = (int)number("gpus", word, 1, 1 << 20);
    }
}

static void read_scales(plan *p, char *text)
{
    char *dash = strchr(text, '-');
    if (dash)
        *dash = '\0';
    p->first = (int)number("scale", text, 1, 60);
    p->last = dash ? (int)number("scale", dash + 1, p->first, 60) : p->first;
}

static void read_grid(plan *p, const char *text)
{
    char more;
    if (sscanf(text, "%dx%d%c", &p->rows, &p->cols, &more) != 2 || p->rows < 1 || p->cols < 1 ||
        p->rows > 1 << 20 || p->cols > (1 << 20) / p->rows)
        usage("--grid takes ROWSxCOLUMNS");
    p->gpus[0] = p->rows * p->cols;
    p->sizes = 1;
}

/* Options that set one number of the machine, multiplied by `unit`. */
typedef struct {
    const char *name;
    double *value, unit, least, most;
} setting;

static void read_options(plan *p, int argc, char **argv)
{
    scaling_machine *m = &p->machine;
    double host = m->host, pushes = m->pushes, pulls = m->pulls, ones = p->ones;
    const setting settings[] = {
        {"memory", &m->memory, 1e9, 1, 1e6},
        {"network", &m->network, 1e9, 1e-3, 1e6},
        {"latency", &m->network_delay, 1e-6, 0, 1e6},
        {"link", &m->link, 1e9, 1e-3, 1e6},
        {"link-latency", &m->link_delay, 1e-6, 0, 1e6},
        {"issue", &m->issue, 1e-6, 0, 1e6},
        {"turn", &m->turn, 1e-6, 0, 1e6},
        {"examined", &m->examined, 1, 0, 1e3},
        {"cached", &m->cached, 1, 0, 1},
        {"overlap", &m->overlap, 1, 0, 1},
        {"host", &host, 1, 1, 1 << 20},
        {"pushes", &pushes, 1, 0, 1e6},
        {"pulls", &pulls, 1, 0, 1e6},
        {"ones", &ones, 1, 0, MOST_SCALE},
    };
    enum { SETTINGS = sizeof settings / sizeof *settings };
    enum { WORDS = 9 };
    struct option options[SETTINGS + WORDS + 1] = {
        {"gpus", required_argument, NULL, 'g'}, {"scale", required_argument, NULL, 's'},
        {"grid", required_argument, NULL, 'x'}, {"bytes", no_argument, NULL, 'b'},
        {"isolated", no_argument, NULL, 'c'},   {"choice", no_argument, NULL, 'd'},
        {"record", no_argument, NULL, 'r'},     {"measured", no_argument, NULL, 'm'},
        {"workflows", no_argument, NULL, 'w'}};
    for (int k = 0; k < SETTINGS; k++)
        options[WORDS + k] = (struct option){settings[k].name, required_argument, NULL, 1000 + k};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (o) {
        case 'g':
            read_gpus(p, optarg);
            break;
        case 's':
            read_scales(p, optarg);
            break;
        case 'x':
            read_grid(p, optarg);
            break;
        case 'b':
            p->bytes = true;
            break;
        case 'c':
            m->compact = false;
            break;
        case 'd':
            p->choice = true;
            break;
        case 'r':
            p->record = true;
            break;
        case 'm':
            p->measured = true;
            break;
        case 'w':
            p->workflows = true;
            break;
        case '?':
            exit(2);
        default: {
            const setting *s = &settings[o - 1000];
            *s->value = s->unit * number(s->name, optarg, s->least, s->most);
        }
        }
    if (optind < argc)
        usage("unexpected argument; only options are allowed");
    m->host = (int)host;
    m->pushes = (int)pushes;
    m->pulls = (int)pulls;
    p->ones = (int)ones;
}

/* ---- output ---------------------------------------------------------------------- */

static scaling_cost cost_of(const plan *p, const scaling_machine *m, int scale, int gpus)
{
    return p->rows ? scaling_of(m, scale, p->rows, p->cols) : scaling_best(m, scale, gpus);
}

static void print_bytes(const plan *p, int scale, int gpus)
{
    scaling_cost c = cost_of(p, &p->machine, scale, gpus);
    const scaling_bytes *b = &c.bytes;
    double any, one;
    scaling_degrees(scale, &any, &one);
    printf("scale %d: %.1f %% isolated, %.1f %% of the others with one edge\n", scale,
           100 * (1 - any), 100 * one / any);
    printf("%d x %d, bytes received per rank and search: ", c.rows, c.cols);
    printf("expand %.0f share %.0f fold %.0f pass %.0f parents %.0f\n", b->expand, b->share,
           b->fold, b->pass, b->parents);
    if (p->ones >= 0 && p->ones <= scale) {
        const scaling_delegation *d = scaling_delegation_of(scale, p->ones, false);
        printf("hubs of at most %d ones: %.3f %% of all vertices; ends of edges between vertices "
               "without "
               "hubs: %.4f per vertex; rank of a neighbour: %.2f bits\n",
               p->ones, 100 * d->hubs, d->asked, scaling_rank_bits(scale));
    }
}

static sl_search_setting setting_of(const plan *p, int scale, int rows, int cols)
{
    return (sl_search_setting){.rows = (uint32_t)rows,
                               .cols = (uint32_t)cols,
                               .vertices = (uint64_t)1 << scale,
                               .one_host = rows * cols <= p->machine.host,
                               .group_possible = rows * cols <= 16 && scale < 32,
                               .grid_possible = true};
}

/* Both searches by GPUs, the one in two dimensions on the shape on which it is expected to be the
 * fastest. */
static void print_choice(const plan *p, int scale, int gpus)
{
    static const char *const names[] = {
        [SL_BY_PROCESSORS] = "-", [SL_BY_GROUP] = "1d", [SL_BY_GRID] = "2d"};
    sl_search_setting best = setting_of(p, scale, p->rows ? p->rows : gpus, p->rows ? p->cols : 1);
    for (int rows = gpus; rows > 0 && !p->rows; rows--) {
        const sl_search_setting s = setting_of(p, scale, rows, gpus / rows);
        if (gpus % rows == 0 && sl_grid_search_ms(&s) < sl_grid_search_ms(&best))
            best = s;
    }
    char grid[24], one[24] = "-";
    snprintf(grid, sizeof grid, "%dx%d", (int)best.rows, (int)best.cols);
    if (best.group_possible)
        snprintf(one, sizeof one, "%.2f", sl_group_search_ms(&best));
    printf("%5d %6d %9s %9s %9.2f %7s\n", gpus, scale, grid, one, sl_grid_search_ms(&best),
           names[sl_choose_search(&best)]);
}

static void print_row(const plan *p, int scale, int gpus)
{
    scaling_cost c = cost_of(p, &p->machine, scale, gpus);
    char grid[24];
    snprintf(grid, sizeof grid, "%dx%d", c.rows, c.cols);
    printf("%5d %6d %9s %9.2f %8.2f %8.2f %8.2f %8.2f %9.0f %7.1f %8.0f%s%s\n", gpus, scale, grid,
           1e3 * c.seconds, 1e3 * c.work, 1e3 * c.network, 1e3 * c.link, 1e3 * c.delay,
           1e-9 * c.edges / c.seconds, 1e-9 * c.edges / c.seconds / gpus, 1e-9 * c.memory,
           c.memory > p->machine.memory ? " m" : "", c.too_many ? " i" : "");
}

/* Changes one assumption at a time; the fastest grid may change with it. */
static void print_sensitivity(const plan *p, int scale, int gpus)
{
    scaling_machine m = p->machine;
    enum { CHANGES = 8 };
    scaling_machine changed[CHANGES] = {m, m, m, m, m, m, m, m};
    static const char *const names[CHANGES] = {
        "latencies doubled",  "network halved",      "link halved",          "examined doubled",
        "no bit test cached", "two more pull steps", "exchanges all hidden", "isolated included"};
    changed[0].network_delay *= 2;
    changed[0].link_delay *= 2;
    changed[0].issue *= 2;
    changed[0].turn *= 2;
    changed[1].network /= 2;
    changed[2].link /= 2;
    changed[3].examined *= 2;
    changed[4].cached = 0;
    changed[5].pulls += 2;
    changed[6].overlap = 1;
    changed[7].compact = false;
    double before = cost_of(p, &m, scale, gpus).seconds;
    printf("\n%d GPUs, scale %d: %.2f ms; and with\n", gpus, scale, 1e3 * before);
    for (int k = 0; k < CHANGES - !m.compact; k++) {
        double after = cost_of(p, &changed[k], scale, gpus).seconds;
        printf("  %-22s %9.2f ms, times %.2f\n", names[k], 1e3 * after, after / before);
    }
}

int main(int argc, char **argv)
{
    plan p = {.machine = {.host = 8,
                          .memory = 141e9,
                          .network = 50e9,
                          .network_delay = 5e-6,
                          .link = 370e9,
                          .link_delay = 1.3e-6,
                          .issue = 0.5e-6,
                          .turn = 3e-6,
                          .examined = 1.2,
                          .cached = 0.9,
                          .pushes = 4,
                          .pulls = 3,
                          .compact = true},
              .gpus = {64, 256, 1024, 4096, 8192},
              .sizes = 5,
              .first = 33,
              .last = 41,
              .ones = -1};
    read_options(&p, argc, argv);
    if (p.record)
        scaling_print_record(&p.machine, p.last, p.gpus[p.sizes - 1]);
    if (p.measured)
        scaling_print_measured(p.machine.host);
    if (p.workflows)
        scaling_print_workflows(&p.machine);
    if (p.record || p.measured || p.workflows)
        return 0;
    if (p.choice)
        printf("%5s %6s %9s %9s %9s %7s\n", "GPUs", "scale", "grid", "1d ms", "2d ms", "choice");
    else if (!p.bytes)
        printf("%5s %6s %9s %9s %8s %8s %8s %8s %9s %7s %8s\n", "GPUs", "scale", "grid", "ms",
               "work", "network", "link", "delay", "GTEPS", "per GPU", "GB each");
    for (int k = 0; k < p.sizes; k++)
        for (int scale = p.first; scale <= p.last; scale++)
            (p.choice ? print_choice : p.bytes ? print_bytes : print_row)(&p, scale, p.gpus[k]);
    if (p.bytes || p.choice)
        return 0;
    print_sensitivity(&p, p.first, p.gpus[0]);
    print_sensitivity(&p, p.last, p.gpus[p.sizes - 1]);
    return 0;
}
