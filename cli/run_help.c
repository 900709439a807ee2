/* The help of one algorithm, 'semla run ALGORITHM --help': about a screen. */
#include <ctype.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/option_table.h"
#include "cli/run_table.h"

enum { WIDTH = 79, COLUMN = 27 }; /* of the texts of options */

/* Writes a text from column `at` on, with lines that end before WIDTH and begin at `indent`. */
static void put_wrapped(const char *text, size_t at, size_t indent)
{
    bool first = true;
    while (*text) {
        const size_t length = strcspn(text, " ");
        if (!first && at + 1 + length > WIDTH) {
            printf("\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)length, text);
        at += length;
        text += length + strspn(text + length, " ");
        first = false;
    }
    putchar('\n');
}

/* "  -S, --source=VERTEX      TEXT" */
static void put_option(const char *name, const char *value, const char *text)
{
    char option[80];
    const char letter = strcmp(name, "out") == 0 ? 'o' : run_option_letter(name);
    const char prefix[] = {'-', letter, ',', ' ', '\0'};
    const int length = snprintf(option, sizeof option, "  %s--%s%s%s", letter ? prefix : "    ",
                                name, value ? "=" : "", value ? value : "");
    const size_t used = (size_t)length;
    printf("%s%*s", option, used + 2 > COLUMN ? 2 : (int)(COLUMN - used), "");
    put_wrapped(text, used + 2 > COLUMN ? used + 2 : COLUMN, COLUMN);
}

static void put_arguments(const sl_algorithm *algorithm)
{
    char text[400];
    for (int k = 0; algorithm->arguments[k].name; k++) {
        const sl_argument *a = &algorithm->arguments[k];
        run_help_text(text, sizeof text, a);
        put_option(run_option_name(a->name, a->kind).text, run_option_value(a->kind), text);
    }
}

static bool has_ranking(const sl_algorithm *algorithm)
{
    for (int k = 0; algorithm->results[k].name; k++)
        if (algorithm->results[k].kind == SL_KIND_RANKING)
            return true;
    return false;
}

static void put_results(const sl_algorithm *algorithm)
{
    char text[400];
    const int main_result = run_main_result(algorithm);
    if (main_result >= 0) {
        snprintf(text, sizeof text, "write %s; - is standard output",
                 algorithm->results[main_result].help);
        put_option("out", "FILE", text);
    }
    for (int k = 0; algorithm->results[k].name; k++)
        if (algorithm->results[k].flags & SL_RESULT_FILE) {
            snprintf(text, sizeof text, "write %s", algorithm->results[k].help);
            put_option(run_name_of(algorithm->results[k].name).text, "FILE", text);
        }
    if (has_ranking(algorithm))
        put_option("top", "N", "show the N vertices of greatest value; default: 10");
    snprintf(text, sizeof text, "check the result by %s", algorithm->check);
    put_option("check", NULL, text);
    put_option("repeat", "N", "run N times, and show the spread of the times");
}

/* ---- the options that all algorithms share ---------------------------------------- */

/* A growing list of options, "--json, --grid=RxC". */
typedef struct {
    char text[2000];
    size_t used;
} option_list;

static void add_option(const struct argp_option *option, void *state)
{
    option_list *list = state;
    if (option->flags & OPTION_HIDDEN || list->used >= sizeof list->text)
        return;
    list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
                                   "%s--%s%s%s", list->used ? ", " : "", option->name,
                                   option->arg ? "=" : "", option->arg ? option->arg : "");
}

static void put_list(const char *title, const struct argp *argp)
{
    option_list list = {"", 0};
    option_table_visit(argp, add_option, &list);
    printf("\n %s\n  ", title);
    put_wrapped(list.text, 2, 2);
}

void run_print_help(const sl_algorithm *algorithm)
{
    char first[400];
    const run_name name = run_algorithm_name(algorithm);
    printf("Usage: semla run %s [OPTION...] GRAPH\n", name.text);
    snprintf(first, sizeof first, "%s.%s%s", algorithm->summary, algorithm->details ? " " : "",
             algorithm->details ? algorithm->details : "");
    first[0] = (char)toupper((unsigned char)first[0]);
    put_wrapped(first, 0, 0);
    if (algorithm->arguments[0].name) {
        printf("\n Options of %s:\n", name.text);
        put_arguments(algorithm);
    }
    puts("\n Output:");
    put_results(algorithm);
    put_list("Options of the graph and its file ('semla run --help' explains them):", &graph_argp);
    put_list("General options:", &common_argp);
    puts("\nGRAPH is a file (Matrix Market, edge list, CSV, DIMACS, METIS, ...) or a model\n"
         "such as kronecker:scale=18 or grid:100x100.");
}
