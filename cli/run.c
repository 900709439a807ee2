/* semla run: runs any algorithm of the registry on a graph, checks, reports and writes the result.
 */
#include "cli/run.h"

#include <string.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/timeout.h"

/* ---- arguments ---------------------------------------------------------- */

static int find_vertices(run_state *run, int k)
{
    const name_list *names = &run->o->arguments[k].vertices;
    const sl_argument *argument = &run->call.algorithm->arguments[k];
    const run_name option = run_option_name(argument->name, argument->kind);
    uint64_t *list = sl_malloc((names->count + 1) * sizeof *list);
    if (!list)
        out_of_memory();
    run->lists[k] = list;
    for (size_t i = 0; i < names->count; i++)
        if (find_vertex(&list[i], &run->g.names, names->at[i], option.text) != EXIT_DONE)
            return EXIT_FAILED;
    sl_value *value = &run->call.arguments[k];
    *value = (sl_value){.given = true, .list = list, .count = names->count};
    if (argument->kind == SL_KIND_VERTEX)
        value->count = list[0];
    return EXIT_DONE;
}

static int read_weights(run_state *run, int k)
{
    const int exit_status = ids_read_vector(&run->vectors[k], run->ctx, &run->g.names,
                                            run->o->arguments[k].path, false);
    if (exit_status != EXIT_DONE)
        return exit_status;
    run->call.arguments[k] = (sl_value){.given = true, .vector = run->vectors[k]};
    return EXIT_DONE;
}

/* Gives the arguments of the command line to the call. */
static int set_arguments(run_state *run)
{
    int exit_status = EXIT_DONE;
    for (int k = 0; exit_status == EXIT_DONE && run->call.algorithm->arguments[k].name; k++) {
        const run_argument *given = &run->o->arguments[k];
        if (given->vertices.count > 0)
            exit_status = find_vertices(run, k);
        else if (given->path)
            exit_status = read_weights(run, k);
        else if (given->given)
            run->call.arguments[k] = given->value;
        else if (run->call.algorithm->arguments[k].flags & SL_ARGUMENT_GRAPH)
            run->call.arguments[k] = (sl_value){.given = run->o->graph.mirror != MIRROR_DEFAULT,
                                                .flag = run->o->graph.mirror == MIRROR_NO};
    }
    return exit_status;
}

static bool starts_at_hub(const run_options *o)
{
    for (int k = 0; o->algorithm->arguments[k].name; k++)
        if (o->algorithm->arguments[k].flags & SL_ARGUMENT_HUB && !o->arguments[k].given)
            return true;
    return false;
}

/* ---- the run ------------------------------------------------------------ */

static sl_status call_algorithm(run_state *run)
{
    sl_context_counts before, after;
    sl_context_get_counts(run->ctx, &before);
    const double start = seconds_now();
    sl_status status = sl_algorithm_run(&run->call);
    times_add(&run->times, seconds_now() - start);
    sl_context_get_counts(run->ctx, &after);
    run->operations = after.operations - before.operations;
    run->fallbacks = after.fallbacks - before.fallbacks;
    return status;
}

/* Frees the results of a run, so that the next one can start. */
static void drop_results(sl_algorithm_call *call)
{
    uint64_t *sources = call->owned_sources; /* arguments of the next run, too */
    call->owned_sources = NULL;
    sl_algorithm_end(call);
    call->owned_sources = sources;
}

static sl_status call_repeatedly(run_state *run)
{
    const run_options *o = run->o;
    sl_status status = SL_OK;
    for (uint64_t k = 1; status == SL_OK && k <= o->repeat; k++) {
        if (k > 1)
            drop_results(&run->call);
        if (o->repeat > 1)
            progress(&o->common, "%s of %s: run %llu of %llu",
                     run_algorithm_name(o->algorithm).text, run->g.name, (unsigned long long)k,
                     (unsigned long long)o->repeat);
        status = call_algorithm(run);
    }
    if (status == SL_OK)
        times_spread(&run->times);
    return status;
}

static sl_status check_result(run_state *run)
{
    sl_csr rows = {0};
    progress(&run->o->common, "checking the result");
    const double start = seconds_now();
    sl_status status = graph_rows(&rows, run->g.A);
    timeout_begin_check();
    if (status == SL_OK)
        status = sl_algorithm_check(&run->verdict, &run->call, &rows);
    timeout_end_check();
    run->check_seconds = seconds_now() - start;
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    return status;
}

/* Which results are computed: not those for files that were not asked for. */
static void choose_results(run_state *run)
{
    for (int k = 0; run->call.algorithm->results[k].name; k++)
        if (run->call.algorithm->results[k].flags & SL_RESULT_FILE)
            run->call.wanted[k] = run->o->paths[k] || run->o->check;
}

static sl_status compute(run_state *run)
{
    choose_results(run);
    sl_status status = sl_algorithm_prepare(&run->call);
    if (status != SL_OK)
        return status;
    run_report_graph(run);
    run_report_arguments(run);
    status = call_repeatedly(run);
    if (status == SL_OK && run->o->check)
        status = check_result(run);
    if (status == SL_OK && (!run->o->check || run->verdict.valid)) {
        status = sl_algorithm_summarise(&run->call); /* which trusts the result */
        if (status == SL_OK)
            run_report_results(run);
    }
    return status;
}

static int check_files(const run_options *o)
{
    int exit_status = output_check(o->out, o->graph.name, o->graph.force);
    for (int k = 0; exit_status == EXIT_DONE && k < SL_MAX_RESULTS; k++)
        exit_status = output_check(o->paths[k], o->graph.name, o->graph.force);
    return exit_status;
}

static int load(run_state *run)
{
    const run_options *o = run->o;
    if (grid_context_open(&run->ctx, &o->common) != EXIT_DONE)
        return EXIT_FAILED;
    int exit_status = grid_exit(run->ctx, check_files(o));
    if (exit_status == EXIT_DONE)
        exit_status = graph_load(&run->g, run->ctx, &o->graph, &o->common);
    if (exit_status == EXIT_DONE && run->g.nrows != run->g.ncols)
        exit_status =
            failed("%s: the matrix is %llu x %llu; an algorithm needs a square matrix", run->g.name,
                   (unsigned long long)run->g.nrows, (unsigned long long)run->g.ncols);
    if (exit_status == EXIT_DONE && starts_at_hub(o))
        exit_status = graph_check_searchable(run->g.name, run->g.nrows, run->g.ncols);
    if (exit_status != EXIT_DONE)
        return exit_status;
    const sl_status status = graph_warn_sparse(&run->g, &o->graph, &o->common);
    return status == SL_OK ? EXIT_DONE : failed_status(run->ctx, status);
}

static int run_algorithm(run_state *run)
{
    const run_options *o = run->o;
    int exit_status = load(run);
    if (exit_status != EXIT_DONE)
        return exit_status;
    sl_algorithm_begin(&run->call, o->algorithm, run->g.A);
    exit_status = set_arguments(run);
    if (exit_status != EXIT_DONE)
        return exit_status;
    progress(&o->common, "%s of %s", run_algorithm_name(o->algorithm).text, run->g.name);
    sl_status status = sl_matrix_is_symmetric(&run->symmetric, run->g.A);
    if (status == SL_OK)
        status = compute(run);
    sl_placement placement;
    if (status == SL_OK && sl_matrix_placement(&placement, run->g.A) == SL_OK)
        show_placement(&o->common, &placement);
    progress_end();
    if (status != SL_OK)
        return failed_status(run->ctx, status);
    run_report_end(run);
    return EXIT_DONE;
}

static void run_free(run_state *run)
{
    times_free(&run->times);
    report_free(&run->r);
    sl_algorithm_end(&run->call);
    for (int k = 0; k < SL_MAX_ARGUMENTS; k++) {
        sl_free(run->lists[k]);
        sl_vector_free(run->vectors[k]);
    }
    graph_free(&run->g);
    sl_context_free(run->ctx);
}

static bool has_argument(const char *wanted, int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], wanted) == 0)
            return true;
    return false;
}

int run_run(int argc, char **argv)
{
    if (has_argument("--list", argc, argv)) {
        run_print_list(has_argument("--json", argc, argv));
        return EXIT_DONE;
    }
    run_options o = {.common = {.command = "semla run"}, .top = 10, .repeat = 1};
    run_state run = {.o = &o};
    int exit_status = run_options_parse(&o, argc, argv);
    if (exit_status == EXIT_DONE)
        exit_status = run_algorithm(&run);
    if (exit_status == EXIT_DONE)
        exit_status = run_write_files(&run);
    if (exit_status == EXIT_DONE) {
        if (o.common.json)
            report_print_json(&run.r);
        else if (!o.out || strcmp(o.out, "-") != 0)
            report_print(&run.r);
        if (o.check && !run.verdict.valid)
            exit_status = failed("the result is not valid: %s", run.verdict.reason);
    }
    run_free(&run);
    run_options_free(&o);
    return exit_status;
}
