/* The completion script for fish: a `complete` command for every option. */
#include <stdio.h>

#include "cli/complete.h"
#include "cli/model.h"
#include "cli/run.h"

/* Prints a text in single quotes. */
static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void print_options(const char *condition, const offered_options *options)
{
    for (size_t k = 0; k < options->count; k++) {
        const offered_option *o = &options->at[k];
        printf("complete -c semla -n '%s' -l %s", condition, o->name);
        if (o->letter)
            printf(" -s %c", o->letter);
        if (o->values)
            printf(" -x -a '%s'", o->values);
        else if (o->value_name)
            fputs(o->file ? " -r -F" : " -x", stdout);
        fputs(" -d ", stdout);
        print_quoted(o->help);
        putchar('\n');
    }
}

static void print_models(const char *name, bool files)
{
    printf("complete -c semla -n '__semla_command %s; and not __semla_wants_algorithm' -a '", name);
    for (size_t k = 0; model_name(k); k++)
        printf("%s%s:", k ? " " : "", model_name(k));
    puts("'");
    if (files)
        printf("complete -c semla -n '__semla_command %s; and not __semla_wants_algorithm' -F\n",
               name);
}

static void print_command(const subcommand *c)
{
    char condition[64];
    const argument_kind kind = argument_of_command(c);
    offered_options options = options_of_command(c);
    printf("\ncomplete -c semla -n __semla_first -a %s -d ", c->name);
    print_quoted(c->summary);
    printf("\ncomplete -c semla -n '__semla_command help' -a %s\n", c->name);
    snprintf(condition, sizeof condition, "__semla_command %s", c->name);
    print_options(condition, &options);
    offered_free(&options);
    if (kind == SHELLS)
        printf("complete -c semla -n '%s' -a 'bash zsh fish'\n", condition);
    else if (kind != NO_ARGUMENT)
        print_models(c->name, kind != MODELS_ALONE);
}

void complete_print_fish(void)
{
    const sl_algorithm *algorithm;
    fputs("# Completion of the semla command in fish, printed by 'semla completion fish'.\n\n"
          "function __semla_first\n"
          "    test (count (commandline -opc)) -eq 1\n"
          "end\n\n"
          "function __semla_command\n"
          "    set -l words (commandline -opc)\n"
          "    test (count $words) -ge 2; and test $words[2] = $argv[1]\n"
          "end\n\n"
          "function __semla_algorithm\n"
          "    set -l words (commandline -opc)\n"
          "    test (count $words) -ge 3; and test $words[2] = run; and test $words[3] = $argv[1]\n"
          "end\n\n"
          "function __semla_wants_algorithm\n"
          "    set -l words (commandline -opc)\n"
          "    test (count $words) -eq 2; and test $words[2] = run\n"
          "end\n\n"
          "complete -c semla -f\n"
          "complete -c semla -n __semla_first -a help -d 'print the options of a command'\n",
          stdout);
    for (size_t k = 0; command_at(k); k++)
        print_command(command_at(k));
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++) {
        char condition[64];
        const run_name name = run_algorithm_name(algorithm);
        offered_options options = options_of_algorithm(algorithm);
        printf("\ncomplete -c semla -n __semla_wants_algorithm -a %s -d ", name.text);
        print_quoted(algorithm->summary);
        putchar('\n');
        snprintf(condition, sizeof condition, "__semla_algorithm %s", name.text);
        print_options(condition, &options);
        offered_free(&options);
    }
}
