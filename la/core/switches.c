/* Parses SEMLA_TRAVERSAL, which switches single techniques of traversals off. */
#include <stdlib.h>
#include <string.h>

#include <semla/engine.h>

/* The thresholds of Beamer et al. (SC 2012); Kolganov gives no values for the thresholds of his
 * rule. */
static const double usual_alpha = 14, usual_beta = 24;

/* Parses a word of `length` characters that has the form name=NUMBER with NUMBER above 0. */
static bool reads_number(double *number, const char *name, const char *word, size_t length)
{
    const size_t before = strlen(name) + 1;
    char text[32], *end;
    if (length <= before || length >= sizeof text || memcmp(word, name, before - 1) != 0 ||
        word[before - 1] != '=')
        return false;
    memcpy(text, word + before, length - before);
    text[length - before] = '\0';
    const double value = strtod(text, &end);
    if (*end != '\0' || !(value > 0 && value <= 1e15))
        return false;
    *number = value;
    return true;
}

static bool reads_switch(unsigned *off, const char *word, size_t length)
{
    static const char *const words[] = {
#define X(NAME, name) #name,
        SL_SWITCHES(X)
#undef X
    };
    size_t k = 0;
    while (k < SL_SWITCH_COUNT &&
           (strlen(words[k]) != length || memcmp(words[k], word, length) != 0))
        k++;
    if (k < SL_SWITCH_COUNT)
        *off |= 1U << k;
    return k < SL_SWITCH_COUNT;
}

sl_status sl_switches_read(sl_switches *s, sl_context *ctx)
{
    const char *at = getenv("SEMLA_TRAVERSAL");
    *s = (sl_switches){.weight = 1, .delta = 1};
    for (size_t length; at && *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        if (length > 0 && !reads_switch(&s->off, at, length) &&
            !reads_number(&s->alpha, "alpha", at, length) &&
            !reads_number(&s->beta, "beta", at, length) &&
            !reads_number(&s->weight, "weight", at, length) &&
            !reads_number(&s->delta, "delta", at, length) &&
            !reads_number(&s->pieces, "pieces", at, length))
            return sl_fail(ctx, SL_INVALID,
                           "SEMLA_TRAVERSAL: unknown word '%.*s'; semla(1) lists the words",
                           (int)length, at);
    }
    if (sl_switched(s->off, SL_SWITCH_KOLGANOV) || s->alpha > 0 || s->beta > 0) {
        s->alpha = s->alpha > 0 ? s->alpha : usual_alpha;
        s->beta = s->beta > 0 ? s->beta : usual_beta;
    }
    return SL_OK;
}
