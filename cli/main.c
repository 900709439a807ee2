/* The semla command: finds the subcommand and sees that its output was written. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "grid.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"bfs", run_bfs, "search a graph breadth first from one vertex"},
    {"run", run_run, "run an algorithm: components, shortest paths, ranks, triangles, ..."},
    {"graph500", run_graph500, "run the Graph500 benchmark"},
    {"generate", run_generate, "write the graph of a model to a file"},
    {"convert", run_convert, "write a graph in another format"},
    {"info", run_info, "describe a graph: size, symmetry, degrees"},
    {"validate", run_validate, "check a search tree that was written to a file"},
    {"parity", run_parity, "hold every engine against a queue-based search"},
    {"engines", run_engines, "list the engines and say which are present"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *stream)
{
    fputs("Usage: semla COMMAND [OPTION...]\n"
          "Graph algorithms as sparse linear algebra over semirings.\n\n"
          "Commands:\n",
          stream);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "  semla help COMMAND   the command's options, with examples\n"
          "  semla --version      the version\n\n"
          "Examples:\n"
          "  semla bfs kronecker:scale=20\n"
          "  semla bfs roads.mtx --source 17 --validate --json\n"
          "  semla parity grid:200x200 --searches 8\n\n"
          "Exit status: 0 done, 1 failed or a result that is not valid, 2 wrong usage.\n",
          stream);
}

/* The number of a subcommand, or -1 with a message. */
static int find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return i;
    fprintf(stderr, "semla: there is no command '%s' (commands:", name);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stderr, "%s %s", i ? "," : "", commands[i].name);
    fputs(")\nTry 'semla --help' for more information.\n", stderr);
    return -1;
}

static int run_help(int argc, char **argv)
{
    if (argc > 2) {
        fprintf(stderr, "semla: help takes one command, but '%s' was given too\n", argv[2]);
        return EXIT_USAGE;
    }
    if (argc < 2) {
        print_help(stdout);
        return EXIT_DONE;
    }
    int number = find_command(argv[1]);
    if (number < 0)
        return EXIT_USAGE;
    char help[] = "--help";
    char *arguments[] = {argv[1], help, NULL};
    return commands[number].run(2, arguments);
}

/* Output is only done once it is known to be written: the last word on stdout.
 * At exit, so that help texts are held to it as well. */
static void check_stdout(void)
{
    bool lost = ferror(stdout) != 0;
    errno = 0;
    if (fclose(stdout) == 0 && !lost)
        return;
    fprintf(stderr, "semla: standard output could not be written%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    _exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
    /* A closed pipe is then a write error like any other, with its exit status. */
    signal(SIGPIPE, SIG_IGN);
    grid_begin(argc, argv);
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
    int number = find_command(argv[1]);
    return number < 0 ? EXIT_USAGE : commands[number].run(argc - 1, argv + 1);
}
