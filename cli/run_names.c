/* How the command line spells the names of the registry of algorithms. */
#include <string.h>

#include "cli/run.h"

run_name run_name_of(const char *name)
{
    run_name dashed;
    snprintf(dashed.text, sizeof dashed.text, "%s", name);
    for (char *c = dashed.text; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return dashed;
}

run_name run_algorithm_name(const sl_algorithm *algorithm)
{
    return run_name_of(algorithm->name);
}

run_name run_option_name(const char *name, sl_kind kind)
{
    run_name option = run_name_of(name);
    if (kind == SL_KIND_VERTICES)
        option.text[strlen(option.text) - 1] = '\0';
    return option;
}

const char *run_option_value(sl_kind kind)
{
    switch (kind) {
    case SL_KIND_FLAG:
        return NULL;
    case SL_KIND_COUNT:
        return "N";
    case SL_KIND_NUMBER:
        return "F";
    case SL_KIND_VERTEX:
    case SL_KIND_VERTICES:
        return "VERTEX";
    default:
        return "FILE";
    }
}

char run_option_letter(const char *option)
{
    static const struct {
        char letter;
        const char *option;
    } letters[] = {{'S', "source"}, {'t', "target"}, {'d', "max-depth"}};
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        if (strcmp(letters[k].option, option) == 0)
            return letters[k].letter;
    return 0;
}

suggestion run_suggest_algorithm(const char *name, const char *prefix)
{
    const sl_algorithm *algorithm;
    size_t count = 0;
    while (sl_algorithm_at(count))
        count++;
    run_name *all = sl_malloc((count + 1) * sizeof *all);
    const char **words = sl_malloc((count + 1) * sizeof *words);
    if (!all || !words)
        out_of_memory();
    for (size_t k = 0; (algorithm = sl_algorithm_at(k)); k++) {
        all[k] = run_algorithm_name(algorithm);
        words[k] = all[k].text;
    }
    const suggestion found = suggest(name, prefix, words, count);
    sl_free(all);
    sl_free(words);
    return found;
}
