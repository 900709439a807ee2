/* semla run --list: the algorithms of the registry with their options, for people or as JSON. */
#include <stdio.h>

#include "cli/json.h"
#include "cli/run.h"

static void print_text(void)
{
    const sl_algorithm *algorithm;
    puts("Algorithms, as in 'semla run NAME GRAPH':\n");
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++)
        printf("  %-17s %s\n", run_algorithm_name(algorithm).text, algorithm->summary);
}

static const char *kind_name(sl_kind kind)
{
    static const char *const kind_names[] = {
        [SL_KIND_FLAG] = "flag",         [SL_KIND_COUNT] = "count",
        [SL_KIND_NUMBER] = "number",     [SL_KIND_TEXT] = "text",
        [SL_KIND_VERTEX] = "vertex",     [SL_KIND_COUNTS] = "counts",
        [SL_KIND_VERTICES] = "vertices", [SL_KIND_VECTOR] = "vector",
        [SL_KIND_MATRIX] = "matrix",     [SL_KIND_VERTEX_VECTOR] = "vertex vector",
        [SL_KIND_RANKING] = "ranking",   [SL_KIND_VERTEX_MATRIX] = "vertex matrix",
        [SL_KIND_GRAPH] = "graph"};
    return kind_names[kind];
}

static void list_arguments(cJSON *object, const sl_algorithm *algorithm)
{
    cJSON *options = json_array(object, "options");
    for (int k = 0; algorithm->arguments[k].name; k++) {
        const sl_argument *argument = &algorithm->arguments[k];
        cJSON *option = json_object(options, NULL);
        json_text(option, "name", run_option_name(argument->name, argument->kind).text);
        json_text(option, "argument", argument->name);
        json_text(option, "kind", kind_name(argument->kind));
        json_bool(option, "required", argument->flags & SL_ARGUMENT_REQUIRED);
        if (argument->initial)
            json_text(option, "default", argument->initial);
        json_text(option, "help", argument->help);
    }
}

static void list_results(cJSON *object, const sl_algorithm *algorithm)
{
    cJSON *results = json_array(object, "results");
    for (int k = 0; algorithm->results[k].name; k++) {
        cJSON *result = json_object(results, NULL);
        json_text(result, "name", algorithm->results[k].name);
        json_text(result, "kind", kind_name(algorithm->results[k].kind));
        json_bool(result, "file", algorithm->results[k].flags & SL_RESULT_FILE);
        json_text(result, "help", algorithm->results[k].help);
    }
}

void run_print_list(bool as_json)
{
    const sl_algorithm *algorithm;
    if (!as_json) {
        print_text();
        return;
    }
    cJSON *root = json_object(NULL, NULL), *list = json_array(root, "algorithms");
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++) {
        cJSON *object = json_object(list, NULL);
        json_text(object, "name", run_algorithm_name(algorithm).text);
        json_text(object, "function", algorithm->name);
        json_text(object, "summary", algorithm->summary);
        json_text(object, "check", algorithm->check);
        list_arguments(object, algorithm);
        list_results(object, algorithm);
    }
    json_print(root);
}
