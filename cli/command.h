/* The entry points of the subcommands. */
#ifndef SEMLA_CLI_COMMAND_H
#define SEMLA_CLI_COMMAND_H

#include <stddef.h>

#include "cli/command_messages.h"

/* Entry points. argv[0] is the subcommand's name; the result is an exit status (command_messages.h). */
int run_bfs(int argc, char **argv);
int run_completion(int argc, char **argv);
int run_convert(int argc, char **argv);
int run_doctor(int argc, char **argv);
int run_engines(int argc, char **argv);
int run_generate(int argc, char **argv);
int run_graph500(int argc, char **argv);
int run_info(int argc, char **argv);
int run_parity(int argc, char **argv);
int run_report(int argc, char **argv);
int run_run(int argc, char **argv);
int run_validate(int argc, char **argv);

/* A subcommand. */
typedef struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} subcommand;

/* Subcommand number `position`, counted from 0; NULL if there are fewer (main.c). */
const subcommand *command_at(size_t position);

#endif
