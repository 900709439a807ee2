/* Prints the report of `semla parity`, for people and as JSON. */
#include <inttypes.h>

#include "cli/command_output.h"
#include "cli/json.h"
#include "cli/parity.h"

static const char *form_of(const parity_row *row)
{
    return row->plain ? "vxm + assign" : "sl_bfs";
}

/* "suitesparse", or on a grid "2x2 suitesparse", which is written into `buffer`. */
static const char *engine_of(const parity_row *row, char buffer[64])
{
    const grid_options *grid = &row->grid;
    if (!grid->given)
        return row->engine;
    snprintf(buffer, 64, "%dx%d %s", grid->rows, grid->cols, row->engine);
    return buffer;
}

static const char *semiring_of(const difference *d)
{
    return d->deterministic ? "min_secondi" : "any_secondi";
}

bool parity_agrees(const parity_report *r)
{
    for (size_t i = 0; i < r->nrows; i++)
        if (r->rows[i].differences)
            return false;
    return true;
}

/* The text of a level or the name of a parent; "none" for SL_UNREACHED. */
static const char *value_text(const parity_report *r, const difference *d, int64_t value,
                              name_space *space)
{
    if (d->kind == PARENT_DIFFERS && value >= 0 && (uint64_t)value < r->vertices)
        return shown(vertex_name(&r->names, (uint64_t)value, space));
    snprintf(space->text, sizeof space->text, value == SL_UNREACHED ? "none" : "%" PRId64, value);
    return space->text;
}

/* ---- for people --------------------------------------------------------- */

static void print_difference(const parity_report *r, const difference *d)
{
    printf("    source %s, %s: ", SHOWN_NAME(&r->names, d->source), semiring_of(d));
    if (d->kind == TREE_INVALID)
        printf("invalid tree: %s\n", shown(d->reason));
    else if (d->kind == SEARCH_FAILED)
        printf("the search failed: %s\n", shown(d->reason));
    else
        printf("vertex %s: %s expected %s, got %s\n", SHOWN_NAME(&r->names, d->vertex),
               d->kind == LEVEL_DIFFERS ? "level" : "parent",
               value_text(r, d, d->expected, &(name_space){""}),
               value_text(r, d, d->got, &(name_space){""}));
}

static void print_differences(const parity_report *r, const parity_row *row)
{
    if (row->differences == 0)
        return;
    char engine[64];
    printf("\n%s, %s, %s: %s differences%s\n", engine_of(row, engine), form_of(row),
           sl_direction_name(row->direction), text_of_count(row->differences).text,
           row->differences > PARITY_SHOWN ? "; the first are:" : ":");
    for (uint64_t i = 0; i < row->differences && i < PARITY_SHOWN; i++)
        print_difference(r, &row->first[i]);
}

static const char *verdict(bool equal)
{
    return equal ? "ok" : "DIFFER";
}

/* Trees are validated from the second search of a row on. */
static bool has_trees(const parity_row *row)
{
    return row->searches > 1 || !row->trees;
}

void parity_print(const parity_report *r)
{
    printf("Graph     %s: %s vertices, %s edges\n", shown(r->graph->name),
           text_of_count(r->vertices).text, text_of_count(r->entries).text);
    printf("Sources  ");
    for (size_t i = 0; i < r->sources.count && i < 10; i++)
        printf(" %s", SHOWN_NAME(&r->names, r->sources.at[i]));
    printf("%s\n", r->sources.count > 10 ? " ..." : "");
    puts("Reference a queue-based search: equal levels, equal smallest parents, valid trees "
         "(Graph500)\n");
    const int width = r->nrows > 0 && r->rows[0].grid.given ? 16 : 12;
    printf("%-*s  %-12s  %-9s  %-6s  %-7s  %-6s  %8s  %10s\n", width, "engine", "form", "direction",
           "levels", "parents", "trees", "searches", "time");
    for (size_t i = 0; i < r->nrows; i++) {
        const parity_row *row = &r->rows[i];
        char engine[64];
        printf("%-*s  %-12s  %-9s  %-6s  %-7s  %-6s  %8" PRIu64 "  %10s\n", width,
               engine_of(row, engine), form_of(row), sl_direction_name(row->direction),
               verdict(row->levels), verdict(row->parents),
               has_trees(row) ? verdict(row->trees) : "-", row->searches,
               text_of_seconds(row->seconds).text);
    }
    for (size_t i = 0; i < r->nrows; i++)
        print_differences(r, &r->rows[i]);
    puts(parity_agrees(r) ? "\nAll agree." : "\nThe searches do NOT agree.");
}

/* ---- JSON --------------------------------------------------------------- */

static void json_value(cJSON *object, const char *name, const parity_report *r, const difference *d,
                       int64_t value)
{
    if (value == SL_UNREACHED)
        json_null(object, name);
    else if (d->kind == PARENT_DIFFERS && value >= 0 && (uint64_t)value < r->vertices)
        json_vertex(object, name, &r->names, (uint64_t)value);
    else
        json_integer(object, name, value);
}

static void json_difference(cJSON *array, const parity_report *r, const difference *d)
{
    static const char *const kinds[] = {"level", "parent", "tree", "failure"};
    cJSON *object = json_object(array, NULL);
    json_vertex(object, "source", &r->names, d->source);
    json_text(object, "semiring", semiring_of(d));
    json_text(object, "kind", kinds[d->kind]);
    if (d->kind == TREE_INVALID || d->kind == SEARCH_FAILED) {
        json_text(object, "reason", shown(d->reason));
        return;
    }
    json_vertex(object, "vertex", &r->names, d->vertex);
    json_value(object, "expected", r, d, d->expected);
    json_value(object, "got", r, d, d->got);
}

static void json_row(cJSON *rows, const parity_report *r, const parity_row *row)
{
    cJSON *object = json_object(rows, NULL);
    json_text(object, "engine", row->engine);
    if (row->grid.given) {
        json_count(object, "grid_rows", (uint64_t)row->grid.rows);
        json_count(object, "grid_columns", (uint64_t)row->grid.cols);
    }
    json_text(object, "form", row->plain ? "plain" : "sl_bfs");
    json_text(object, "direction", sl_direction_name(row->direction));
    json_bool(object, "levels", row->levels);
    json_bool(object, "parents", row->parents);
    if (has_trees(row))
        json_bool(object, "trees", row->trees);
    else
        json_null(object, "trees");
    json_count(object, "searches", row->searches);
    json_number(object, "seconds", row->seconds);
    json_count(object, "difference_count", row->differences);
    cJSON *differences = json_array(object, "differences");
    for (uint64_t i = 0; i < row->differences && i < PARITY_SHOWN; i++)
        json_difference(differences, r, &row->first[i]);
}

void parity_print_json(const parity_report *r)
{
    cJSON *root = json_object(NULL, NULL);
    json_text(root, "graph", r->graph->name);
    json_count(root, "vertices", r->vertices);
    json_count(root, "edges", r->entries);
    json_bool(root, "agree", parity_agrees(r));
    cJSON *sources = json_array(root, "sources");
    for (size_t i = 0; i < r->sources.count; i++)
        json_vertex(sources, NULL, &r->names, r->sources.at[i]);
    cJSON *rows = json_array(root, "rows");
    for (size_t i = 0; i < r->nrows; i++)
        json_row(rows, r, &r->rows[i]);
    json_print(root);
}
