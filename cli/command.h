/* Declarations that every subcommand of `semla` uses: entry points and exit statuses. */
#ifndef SEMLA_CLI_COMMAND_H
#define SEMLA_CLI_COMMAND_H

#include "messages.h"

/* Exit statuses. EXIT_FAILED also reports a result that validation found wrong. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Entry points. argv[0] is the subcommand's name; the result is an exit status. */
int run_bfs(int argc, char **argv);
int run_convert(int argc, char **argv);
int run_engines(int argc, char **argv);
int run_generate(int argc, char **argv);
int run_graph500(int argc, char **argv);
int run_info(int argc, char **argv);
int run_parity(int argc, char **argv);
int run_run(int argc, char **argv);
int run_validate(int argc, char **argv);

#endif
