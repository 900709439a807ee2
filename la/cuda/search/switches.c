#include "switches.h"

#include <stdlib.h>
#include <string.h>

/* Of Kolganov's rule, his values. */
static const cuda_policy by_edges = {.weight = PULL_WEIGHT / 100.0},
                         kolganov = {.alpha = 15, .beta = 24};

static bool *switch_of(cuda_switches *on, const char *word, size_t length)
{
    const struct {
        const char *word;
        bool *to;
    } table[] = {{"nopersistent", &on->persistent},
                 {"nolayout", &on->layout},
                 {"noslots", &on->slots},
                 {"nohubs", &on->hubs},
                 {"nocluster", &on->cluster},
                 {"nosteps", &on->steps},
                 {"noahead", &on->ahead}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strlen(table[k].word) == length && memcmp(table[k].word, word, length) == 0)
            return table[k].to;
    return NULL;
}

sl_status sl_cuda_switches(cuda_switches *on, sl_context *ctx)
{
    *on = (cuda_switches){true, true, true, true, true, true, true, by_edges};
    const char *word = getenv("SEMLA_TRAVERSAL");
    while (word && *word) {
        size_t length = strcspn(word, ",");
        bool *off = switch_of(on, word, length);
        if (off)
            *off = false;
        else if (length == strlen("kolganov") && memcmp(word, "kolganov", length) == 0)
            on->policy = kolganov;
        else if (length > 0)
            return sl_fail(ctx, SL_INVALID, "SEMLA_TRAVERSAL: '%.*s' is no switch of a search",
                           (int)length, word);
        word += length + (word[length] == ',');
    }
    return SL_OK;
}
