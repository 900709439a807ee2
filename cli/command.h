/* What every subcommand of `semla` shares: its shape, exit statuses, messages. */
#ifndef SEMLA_CLI_COMMAND_H
#define SEMLA_CLI_COMMAND_H

#include <semla/la.h>

/* Exit statuses. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Subcommands: argv[0] is the subcommand's name; they return an exit status. */
int run_bfs(int argc, char **argv);
int run_convert(int argc, char **argv);
int run_engines(int argc, char **argv);
int run_generate(int argc, char **argv);
int run_graph500(int argc, char **argv);
int run_info(int argc, char **argv);
int run_parity(int argc, char **argv);
int run_run(int argc, char **argv);
int run_validate(int argc, char **argv);

/* Prints "semla: message" to stderr and returns EXIT_FAILED. */
int failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with the message of a context's last failure. */
int failed_status(const sl_context *ctx, sl_status status);

/* Ends the program: the command's own small allocations failed. */
_Noreturn void out_of_memory(void);

#endif
