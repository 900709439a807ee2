/*
 * The semla command: calls the subcommand that argv[1] names, and reports an error if standard
 * output could not be written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/run.h"
#include "cli/threads.h"

static const subcommand commands[] = {
    {"bfs", run_bfs, "breadth-first search from one vertex"},
    {"run", run_run, "run an algorithm: components, shortest paths, PageRank, triangles, ..."},
    {"graph500", run_graph500, "run the Graph500 benchmark"},
    {"report", run_report, "write a page with charts of a graph and the searches on it"},
    {"generate", run_generate, "generate a graph from a model and write it to a file"},
    {"convert", run_convert, "convert a graph to another file format"},
    {"info", run_info, "print the size, symmetry and degrees of a graph"},
    {"validate", run_validate, "validate a breadth-first tree stored in files"},
    {"parity", run_parity, "compare all engines with a queue-based search"},
    {"engines", run_engines, "list the engines and whether each is available"},
    {"doctor", run_doctor, "check what is installed and whether the engines work"},
    {"completion", run_completion, "print the completion script of a shell: bash, zsh or fish"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

const subcommand *command_at(size_t position)
{
    return position < COMMANDS ? &commands[position] : NULL;
}

static void print_help(FILE *stream)
{
    fputs("Usage: semla COMMAND [OPTION...]\n"
          "Graph algorithms as sparse linear algebra over semirings.\n\n"
          "Commands:\n",
          stream);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-11s %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "  semla help COMMAND   print the options of a command, with examples\n"
          "  semla --version      print the version\n\n"
          "Examples:\n"
          "  semla bfs kronecker:scale=20\n"
          "  semla bfs roads.mtx --source 17 --validate --json\n"
          "  semla parity grid:200x200 --searches 8\n\n"
          "Exit status: 0 success, 1 failure or an invalid result, 2 wrong command line,\n"
          "124 stopped by --timeout.\n",
          stream);
}

static suggestion suggest_command(const char *name)
{
    const char *words[COMMANDS + 1] = {[COMMANDS] = "help"};
    for (int i = 0; i < COMMANDS; i++)
        words[i] = commands[i].name;
    const suggestion command = suggest(name, "", words, COMMANDS + 1);
    if (*command.text)
        return command;
    return run_suggest_algorithm(name, "run ");
}

/* The index of a subcommand in the table; -1, with a message printed, if there is none of that
 * name. */
static int find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return i;
    if (name[0] == '-') {
        failed("'%s' is not a command; options follow the command, as in 'semla bfs %s'", name,
               name);
        fputs("Try 'semla --help' for more information.\n", stderr);
        return -1;
    }
    char names[400] = "";
    for (int i = 0, used = 0; i < COMMANDS; i++)
        used += snprintf(names + used, sizeof names - (size_t)used, "%s %s", i ? "," : "",
                         commands[i].name);
    if (sl_algorithm_find(name))
        failed("unknown command '%s'; the algorithm of that name runs with 'semla run %s GRAPH'",
               name, name);
    else
        failed("unknown command '%s'; the commands are%s%s", name, names,
               suggest_command(name).text);
    fputs("Try 'semla --help' for more information.\n", stderr);
    return -1;
}

static int run_help(int argc, char **argv)
{
    if (argc > 2) {
        fprintf(stderr, "semla help: unexpected argument '%s'; give one command\n", shown(argv[2]));
        return EXIT_USAGE;
    }
    if (argc < 2) {
        print_help(stdout);
        return EXIT_DONE;
    }
    int index = find_command(argv[1]);
    if (index < 0)
        return EXIT_USAGE;
    char help[] = "--help";
    char *arguments[] = {argv[1], help, NULL};
    return commands[index].run(2, arguments);
}

/* Closes stdout and reports a write error. Runs at exit, so that help texts are checked too. */
static void check_stdout(void)
{
    bool written = !ferror(stdout);
    errno = 0;
    written = fflush(stdout) == 0 && written;
    const int error = errno;
    if (!written)
        output_end_if_unread();
    errno = error;
    if (fclose(stdout) == 0 && written)
        return;
    fprintf(stderr, "%s: cannot write to standard output%s%s\n", messages_command(),
            errno ? ": " : "", errno ? strerror(errno) : "");
    _exit(EXIT_FAILED);
}

static char stdout_buffer[1 << 16];

int main(int argc, char **argv)
{
    threads_bound_waiting(argv);
    /* The buffer holds all text but graphs, so that a write fails in check_stdout, where errno is
     * known. */
    if (!isatty(STDOUT_FILENO))
        setvbuf(stdout, stdout_buffer, _IOFBF, sizeof stdout_buffer);
    /* A failure of grid_begin, or a wrong option before --json, must be reported as JSON, too. */
    for (int k = 2; k < argc; k++)
        if (strcmp(argv[k], "--json") == 0)
            messages_as_json();
    grid_begin(argc, argv);
    output_discard_on_signals();
    if (atexit(check_stdout) != 0)
        out_of_memory();
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0)
        return run_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("semla %s\n", sl_version());
        return EXIT_DONE;
    }
    /* A wrong option before --json must be reported as JSON, too. */
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--json") == 0)
            messages_as_json();
    int index = find_command(argv[1]);
    const int exit_status = index < 0 ? EXIT_USAGE : commands[index].run(argc - 1, argv + 1);
    messages_end(exit_status);
    return exit_status;
}
