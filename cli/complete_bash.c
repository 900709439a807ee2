/* The completion script for bash: lists of words in functions that the rest of the script calls. */
#include <stdio.h>

#include "cli/complete.h"
#include "cli/model.h"
#include "cli/run.h"

static void print_commands(void)
{
    for (size_t k = 0; command_at(k); k++)
        printf("%s ", command_at(k)->name);
    fputs("help", stdout);
}

/* "--engine= --json": the names, with = if a value follows. */
static void print_options(const char *label, const offered_options *options)
{
    printf("    \"%s\") echo \"", label);
    for (size_t k = 0; k < options->count; k++)
        printf("%s--%s%s", k ? " " : "", options->at[k].name, options->at[k].value_name ? "=" : "");
    fputs("\" ;;\n", stdout);
}

/* A case of "COMMAND --OPTION", also for the letter, that prints the values. */
static void print_values(const char *label, const offered_options *options)
{
    for (size_t k = 0; k < options->count; k++) {
        const offered_option *o = &options->at[k];
        if (!o->value_name)
            continue;
        printf("    \"%s --%s\"", label, o->name);
        if (o->letter)
            printf(" | \"%s -%c\"", label, o->letter);
        printf(") echo \"%s\" ;;\n", o->values ? o->values : o->file ? "@file" : "@any");
    }
}

/* Calls `print` for each subcommand, and for each algorithm as "run NAME". */
static void for_all(void (*print)(const char *, const offered_options *))
{
    const sl_algorithm *algorithm;
    for (size_t k = 0; command_at(k); k++) {
        offered_options options = options_of_command(command_at(k));
        print(command_at(k)->name, &options);
        offered_free(&options);
    }
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++) {
        char label[64];
        offered_options options = options_of_algorithm(algorithm);
        snprintf(label, sizeof label, "run %s", run_algorithm_name(algorithm).text);
        print(label, &options);
        offered_free(&options);
    }
}

static void print_arguments(void)
{
    static const char *const words[] = {[NO_ARGUMENT] = "@any",
                                        [GRAPHS] = "@graph",
                                        [MODELS_ALONE] = "@model",
                                        [ALGORITHMS] = "@algorithm",
                                        [SHELLS] = "bash zsh fish"};
    for (size_t k = 0; command_at(k); k++)
        printf("    %s) echo \"%s\" ;;\n", command_at(k)->name,
               words[argument_of_command(command_at(k))]);
}

static const char script[] =
    "\n"
    "_semla()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
    "    local command=${COMP_WORDS[1]} algorithm=${COMP_WORDS[2]-} models=\n"
    "    COMPREPLY=()\n"
    "    # bash splits --option=value at the equals sign\n"
    "    if [[ $current == = ]]; then\n"
    "        current=\n"
    "    elif [[ $last == = ]]; then\n"
    "        last=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if [[ $COMP_CWORD == 1 || $command == help ]]; then\n"
    "        words=$(_semla_commands)\n"
    "    else\n"
    "        [[ $last == -* && $last != -- ]] && words=$(_semla_values \"$command $last\")\n"
    "        [[ -z $words && $command == run && $last == -* ]] &&\n"
    "            words=$(_semla_values \"run $algorithm $last\")\n"
    "        if [[ -z $words && $current == -* ]]; then\n"
    "            words=$(_semla_options \"$command\")\n"
    "            [[ $command == run ]] && words+=\" $(_semla_options \"run $algorithm\")\"\n"
    "        elif [[ -z $words ]]; then\n"
    "            words=$(_semla_arguments \"$command\")\n"
    "            [[ $words == @algorithm ]] && (( COMP_CWORD > 2 )) && words=@graph\n"
    "        fi\n"
    "    fi\n"
    "    case $words in\n"
    "    @file | @any | '') return 0 ;; # -o default completes files\n"
    "    @algorithm) words=$(_semla_algorithms) ;;\n"
    "    @graph | @model) models=$words words=$(_semla_models) ;;\n"
    "    esac\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
    "    if [[ ${COMPREPLY[0]-} == *[=:] ]]; then\n"
    "        compopt -o nospace 2>/dev/null # fails outside of completion, as in the test\n"
    "    fi\n"
    "    if [[ $models == @graph && ${#COMPREPLY[@]} -gt 0 ]]; then\n"
    "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n"
    "    fi\n"
    "}\n"
    "\n"
    "complete -o default -F _semla semla\n";

void complete_print_bash(void)
{
    const sl_algorithm *algorithm;
    fputs("# Completion of the semla command in bash, printed by 'semla completion bash'.\n\n"
          "_semla_commands() { echo \"",
          stdout);
    print_commands();
    fputs("\"; }\n_semla_algorithms() { echo \"", stdout);
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++)
        printf("%s%s", k ? " " : "", run_algorithm_name(algorithm).text);
    fputs("\"; }\n_semla_models() { echo \"", stdout);
    for (size_t k = 0; model_name(k); k++)
        printf("%s%s:", k ? " " : "", model_name(k));
    fputs("\"; }\n\n# the options of a subcommand, and of an algorithm\n"
          "_semla_options()\n{\n    case $1 in\n",
          stdout);
    for_all(print_options);
    fputs("    esac\n}\n\n# the values of an option; @file: a file, @any: no words\n"
          "_semla_values()\n{\n    case $1 in\n",
          stdout);
    for_all(print_values);
    fputs("    esac\n}\n\n_semla_arguments()\n{\n    case $1 in\n", stdout);
    print_arguments();
    fputs("    esac\n}\n", stdout);
    fputs(script, stdout);
}
