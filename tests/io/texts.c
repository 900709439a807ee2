/* Generates texts in every format; see texts.h. */
#include "texts.h"

#include <stdio.h>
#include <string.h>

#include <support.h>

#define MARKET_BANNER "%%MatrixMarket matrix "
static const char *const heads[FORMS] = {
    [MARKET] = MARKET_BANNER "coordinate real general\n70000 70000 90000\n",
    [MARKET_INTEGER] = MARKET_BANNER "coordinate integer general\n70000 70000 90000\n",
    [MARKET_SYMMETRIC] = MARKET_BANNER "coordinate pattern symmetric\n70000 70000 90000\n",
    [ARRAY] = MARKET_BANNER "array real general\n450 200\n",
    [ARRAY_SYMMETRIC] = MARKET_BANNER "array integer symmetric\n400 400\n",
    [ARRAY_SKEW] = MARKET_BANNER "array real skew-symmetric\n400 400\n",
    [ARCS] = "c arcs\np sp 70000 90000\n",
};

static int lines_of(form f)
{
    return f == ARRAY_SYMMETRIC ? 400 * 401 / 2 : f == ARRAY_SKEW ? 400 * 399 / 2 : LINES;
}

static char *put_line(char *out, form f, int line, uint64_t *seed)
{
    int u = (int)(test_random(seed) % 70000) + 1, v = (int)(test_random(seed) % 70000) + 1;
    double x = (double)(int64_t)test_random(seed) * 0x1p-50;
    switch (f) {
    case PAIRS:
        return out + sprintf(out, "%d\t%d\n", u, v);
    case WEIGHTS:
        return out + sprintf(out, "%d %d %.17g\n", u, v, x);
    case DISORDER:
        if (line % 7 == 0)
            out += sprintf(out, line % 14 ? "# %d\n\n" : " \t%%%d\r\n", u);
        return out + sprintf(out, "%*d  %d \r%s", line % 12, u, v, line + 1 < LINES ? "\n" : "");
    case SPARSE:
        return out + sprintf(out, "%d %d000000007\n", u, v);
    case MARKET:
        return out + sprintf(out, "%d %d %g\n", u, v, x);
    case MARKET_INTEGER:
        return out + sprintf(out, "%d %d %d\n", u, v, u - v);
    case MARKET_SYMMETRIC:
        return out + sprintf(out, "%d %d\n", u > v ? u : v, u > v ? v : u);
    case ARCS:
        return out + sprintf(out, "%sa %d %d %d\n", line % 9 ? "" : "c\n", u, v, line);
    case TUPLES:
        memcpy(out, (uint32_t[]){(uint32_t)u, (uint32_t)v, 0}, 12);
        return out + 12;
    case ARRAY_SYMMETRIC:
        return out + sprintf(out, "%d %s", u - v, line % 5 == 0 || line == 80199 ? "\n" : "");
    default:
        return out + sprintf(out, "%.17g\n", x);
    }
}

char *text_of(form f, size_t *length)
{
    char *text = test_malloc(CAPACITY), *end = text;
    uint64_t seed = (uint64_t)f + 1;
    if (heads[f])
        end += sprintf(end, "%s", heads[f]);
    for (int line = 0; line < lines_of(f); line++)
        end = put_line(end, f, line, &seed);
    *length = (size_t)(end - text);
    assert_true(*length > 500000 && *length < CAPACITY);
    return text;
}
