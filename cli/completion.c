/* semla completion: prints the script that completes command lines in a shell. */
#include <string.h>

#include "cli/complete.h"
#include "cli/options.h"
#include "cli/suggest.h"

#define SHELL_NAMES "bash|zsh|fish"

typedef struct {
    common_options common;
    void (*print)(void);
} completion_options;

static error_t choose_shell(completion_options *o, const char *text)
{
    static const char *const words[] = {"bash", "zsh", "fish"};
    static void (*const prints[])(void) = {complete_print_bash, complete_print_zsh,
                                           complete_print_fish};
    for (int k = 0; k < 3; k++)
        if (strcmp(text, words[k]) == 0) {
            o->print = prints[k];
            return 0;
        }
    return usage_error("there is no completion for '%s'; the shells are bash, zsh and fish%s", text,
                       suggest(text, "", words, 3).text);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    completion_options *o = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        return o->print ? usage_error("unexpected argument '%s'; give one shell", argument)
                        : choose_shell(o, argument);
    case ARGP_KEY_NO_ARGS:
        return usage_error("a shell is missing: bash, zsh or fish");
    case ARGP_KEY_INIT:
        state->err_stream = NULL; /* options_parse prints the hint about --help itself */
        return 0;
    case 'h':
        options_help(state, &o->common);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = (const struct argp_option[]){{"help", 'h', NULL, 0, "Show this help", 0}, {0}},
    .parser = parse,
    .help_filter = help_filter,
    .args_doc = SHELL_NAMES,
    .doc = "Prints the script that completes subcommands, options, their values, algorithms and "
           "models in a shell. The packages of semla install the scripts; without them load the "
           "script from the start file of the shell.\v"
           "Examples:\n"
           "  semla completion bash > ~/.local/share/bash-completion/completions/semla\n"
           "  semla completion zsh > ~/.zfunc/_semla\n"
           "  semla completion fish > ~/.config/fish/completions/semla.fish",
};

int run_completion(int argc, char **argv)
{
    completion_options o = {.common = {.command = "semla completion"}};
    const int exit_status = options_parse(&argp, argc, argv, &o.common, &o);
    if (exit_status == EXIT_DONE)
        o.print();
    return exit_status;
}
