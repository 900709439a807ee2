/* What techniques bring on a large machine: docs/scaling.md, "The record". */
#include "scaling_tables.h"

#include <stdio.h>

enum { CHANGES = 5 };

/* One technique: changes the machine. */
static void prune(scaling_machine *m)
{
    m->pruned = true;
}
static void pack(scaling_machine *m)
{
    m->packed = true;
}
static void overlap(scaling_machine *m)
{
    m->overlap = 1;
}
static void delegate_to_lines(scaling_machine *m)
{
    m->hubs = HUBS_OF_ROWS_AND_COLUMNS;
}
static void delegate_to_all(scaling_machine *m)
{
    m->hubs = HUBS_OF_ALL;
}

static const struct {
    const char *name;
    void (*change)(scaling_machine *m);
} changes[CHANGES] = {{"trees pruned", prune},
                      {"parents compressed", pack},
                      {"exchange overlapped", overlap},
                      {"hubs to rows and columns", delegate_to_lines},
                      {"hubs to all ranks", delegate_to_all}};

static void print(const char *name, const scaling_machine *m, int scale, int gpus)
{
    const scaling_cost c = scaling_best(m, scale, gpus);
    const scaling_bytes *b = &c.bytes;
    char grid[24];
    snprintf(grid, sizeof grid, "%dx%d", c.rows, c.cols);
    printf("%-28s %9s %8.2f %8.2f %8.2f %9.0f %7.0f %7.0f %7.0f %7.0f\n", name, grid,
           1e3 * c.seconds, 1e3 * c.network, 1e3 * c.work, 1e-9 * c.edges / c.seconds,
           1e-6 * b->expand, 1e-6 * (b->share + b->fold + b->pass), 1e-6 * b->parents,
           1e-6 * b->asked);
}

void scaling_print_record(const scaling_machine *m, int scale, int gpus)
{
    scaling_machine all = *m;
    printf("%-28s %9s %8s %8s %8s %9s %7s %7s %7s %7s\n", "each after those above", "grid", "ms",
           "network", "work", "GTEPS", "expand", "fold", "parents", "asked");
    print("none", &all, scale, gpus);
    for (int k = 0; k < CHANGES; k++) {
        changes[k].change(&all);
        print(changes[k].name, &all, scale, gpus);
    }
    printf("\neach alone\n");
    for (int k = 0; k < CHANGES; k++) {
        scaling_machine one = *m;
        changes[k].change(&one);
        print(changes[k].name, &one, scale, gpus);
    }
}
