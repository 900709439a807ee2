/* The completion script for zsh: a specification for _arguments of every option. */
#include <stdio.h>
#include <string.h>

#include "cli/complete.h"
#include "cli/model.h"
#include "cli/run.h"

/* Prints a text inside single quotes; `marks` get a backslash. */
static void print_quoted(const char *text, const char *marks)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        else if (strchr(marks, *text))
            putchar('\\');
        putchar(*text);
    }
}

/* 'NAME:SUMMARY', for _describe. */
static void print_described(const char *name, const char *summary)
{
    printf("    '%s:", name);
    print_quoted(summary, "\\:");
    fputs("'\n", stdout);
}

/* '--name=[help]:VALUE:(words)' */
static void print_spec(const offered_option *o, const char *dashes, const char *name, char mark)
{
    printf("      '%s%s%s", o->repeated ? "*" : "", dashes, name);
    if (o->value_name)
        putchar(mark);
    putchar('[');
    print_quoted(o->help, "\\[]:");
    putchar(']');
    if (o->value_name) {
        putchar(':');
        print_quoted(o->value_name, "\\:");
        if (o->values)
            printf(":(%s)", o->values);
        else
            fputs(o->file ? ":_files" : ": ", stdout);
    }
    fputs("'\n", stdout);
}

static void print_specs(const offered_options *options)
{
    for (size_t k = 0; k < options->count; k++) {
        const offered_option *o = &options->at[k];
        const char letter[] = {(char)o->letter, '\0'};
        print_spec(o, "--", o->name, '=');
        if (o->letter)
            print_spec(o, "-", letter, '+');
    }
}

static void print_command(const subcommand *c)
{
    static const char *const arguments[] = {[NO_ARGUMENT] = "",
                                            [GRAPHS] = " '1:graph:_semla_graph' '*:file:_files'",
                                            [MODELS_ALONE] = " '1:model:_semla_models'",
                                            [ALGORITHMS] = (" '1:algorithm:_semla_algorithms' "
                                                            "'2:graph:_semla_graph'"),
                                            [SHELLS] = " '1:shell:(bash zsh fish)'"};
    offered_options options = options_of_command(c);
    printf("  %s)\n    options=(\n", c->name);
    print_specs(&options);
    fputs("    )\n", stdout);
    if (argument_of_command(c) == ALGORITHMS)
        fputs("    _semla_algorithm_options $words[2]\n", stdout);
    printf("    _arguments -s $options%s\n    ;;\n", arguments[argument_of_command(c)]);
    offered_free(&options);
}

static void print_algorithms(void)
{
    const sl_algorithm *algorithm;
    fputs("_semla_algorithms() {\n  local -a algorithms=(\n", stdout);
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++)
        print_described(run_algorithm_name(algorithm).text, algorithm->summary);
    fputs("  )\n  _describe -t algorithms algorithm algorithms\n}\n\n"
          "# adds the options of an algorithm\n"
          "_semla_algorithm_options() {\n  case $1 in\n",
          stdout);
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++) {
        offered_options options = options_of_algorithm(algorithm);
        printf("  %s)\n    options+=(\n", run_algorithm_name(algorithm).text);
        print_specs(&options);
        fputs("    )\n    ;;\n", stdout);
        offered_free(&options);
    }
    fputs("  esac\n}\n\n", stdout);
}

void complete_print_zsh(void)
{
    fputs("#compdef semla\n"
          "# Completion of the semla command in zsh, printed by 'semla completion zsh'.\n\n"
          "_semla_models() {\n  local -a models=(",
          stdout);
    for (size_t k = 0; model_name(k); k++)
        printf("%s%s:", k ? " " : "", model_name(k));
    fputs(")\n  compadd -S '' -- $models\n}\n\n"
          "_semla_graph() {\n  _semla_models\n  _files\n}\n\n"
          "_semla_commands() {\n  local -a commands=(\n",
          stdout);
    for (size_t k = 0; command_at(k); k++)
        print_described(command_at(k)->name, command_at(k)->summary);
    fputs("    'help:print the options of a command, with examples'\n  )\n"
          "  _describe -t commands command commands\n}\n\n",
          stdout);
    print_algorithms();
    fputs("_semla() {\n"
          "  local -a options\n"
          "  if (( CURRENT == 2 )); then\n    _semla_commands\n    return\n  fi\n"
          "  shift words\n  (( CURRENT-- ))\n"
          "  case $words[1] in\n"
          "  help)\n    _semla_commands\n    ;;\n",
          stdout);
    for (size_t k = 0; command_at(k); k++)
        print_command(command_at(k));
    fputs("  esac\n}\n\n"
          "if [[ $funcstack[1] == _semla ]]; then\n  _semla \"$@\"\nelse\n  compdef _semla "
          "semla\nfi\n",
          stdout);
}
