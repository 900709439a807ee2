/* A hand-written parser of model names. It keeps the position of each part, for error messages. */
#include "model.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    KEY_NONE,
    KEY_SCALE,
    KEY_EDGEFACTOR,
    KEY_VERTICES,
    KEY_EDGES,
    KEY_SIDES,
    KEY_SEED
} key;

static const char *const key_names[] = {
    [KEY_NONE] = "",
    [KEY_SCALE] = "scale",
    [KEY_EDGEFACTOR] = "edgefactor",
    [KEY_VERTICES] = "vertices",
    [KEY_EDGES] = "edges",
    [KEY_SIDES] = "sides",
    [KEY_SEED] = "seed",
};

enum { MAX_KEYS = 3 };

/* The models: name, keys in the order of the help text, and how many sides a grid has. */
static const struct model_syntax {
    const char *name;
    sl_model model;
    key keys[MAX_KEYS];
    int min_sides, max_sides;
} models[] = {
    {"kronecker", SL_MODEL_KRONECKER, {KEY_SCALE, KEY_EDGEFACTOR, KEY_SEED}, 0, 0},
    {"uniform", SL_MODEL_UNIFORM, {KEY_VERTICES, KEY_EDGES, KEY_SEED}, 0, 0},
    {"grid", SL_MODEL_GRID, {KEY_SIDES}, 2, 3},
    {"road", SL_MODEL_ROAD, {KEY_SIDES, KEY_SEED}, 2, 2},
    {"path", SL_MODEL_PATH, {KEY_VERTICES}, 0, 0},
    {"star", SL_MODEL_STAR, {KEY_VERTICES}, 0, 0},
    {"complete", SL_MODEL_COMPLETE, {KEY_VERTICES}, 0, 0},
};
enum { MODELS = sizeof models / sizeof models[0] };

/* A part of the text. */
typedef struct {
    const char *text; /* the whole text */
    const char *at;
    size_t length;
} span;

static model_parse_result wrong(model_error *error, span part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static model_parse_result wrong(model_error *error, span part, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    error->offset = (size_t)(part.at - part.text);
    error->length = part.length;
    return MODEL_WRONG;
}

/* Splits `part` at the first `mark`: `part` becomes the text before it, *rest the text after it. If
 * there is no mark, *rest is empty and the result false. */
static bool split(span *part, char mark, span *rest)
{
    const char *end = part->at + part->length;
    const char *at = memchr(part->at, mark, part->length);
    const char *next = at ? at + 1 : end;
    *rest = (span){part->text, next, (size_t)(end - next)};
    part->length = (size_t)((at ? at : end) - part->at);
    return at != NULL;
}

static bool equal(span part, const char *word)
{
    return strlen(word) == part.length && memcmp(part.at, word, part.length) == 0;
}

/* The length to print with %.*s: at most 60. */
static int printed_length(span part)
{
    return part.length > 60 ? 60 : (int)part.length;
}

/* ---- values ------------------------------------------------------------- */

static model_parse_result read_count(uint64_t *value, span part, model_error *error)
{
    if (part.length == 0)
        return wrong(error, part, "a number is missing");
    if (!isdigit((unsigned char)*part.at))
        return wrong(error, part, "'%.*s' is not a number", printed_length(part), part.at);
    char *end;
    errno = 0;
    unsigned long long number = strtoull(part.at, &end, 10);
    size_t digits = (size_t)(end - part.at);
    uint64_t unit = 1;
    if (digits + 1 == part.length)
        unit = *end == 'k' ? 1000 : *end == 'M' ? 1000000 : *end == 'G' ? 1000000000 : 0;
    else if (digits != part.length)
        unit = 0;
    if (unit == 0)
        return wrong(error, part, "'%.*s' is not a number", printed_length(part), part.at);
    if (errno || __builtin_mul_overflow((uint64_t)number, unit, value))
        return wrong(error, part, "'%.*s' is too large", printed_length(part), part.at);
    return MODEL_OK;
}

static model_parse_result read_factor(double *value, span part, model_error *error)
{
    char digits[32];
    if (part.length > 0 && part.length < sizeof digits) {
        memcpy(digits, part.at, part.length);
        digits[part.length] = '\0';
        char *end;
        *value = strtod(digits, &end);
        if (isdigit((unsigned char)digits[0]) && *end == '\0' && isfinite(*value) && *value > 0)
            return MODEL_OK;
    }
    return wrong(error, part, "'%.*s' is not a number above 0", printed_length(part), part.at);
}

static model_parse_result read_sides(sl_generator *model, span part,
                                     const struct model_syntax *syntax, model_error *error)
{
    span whole = part, rest;
    for (int i = 0;; i++) {
        bool more = split(&part, 'x', &rest);
        if (i == syntax->max_sides || (!more && i + 1 < syntax->min_sides))
            return wrong(error, whole, "'%s' needs %s sides, as in %s:%s", syntax->name,
                         syntax->max_sides == 3 ? "2 or 3" : "2", syntax->name,
                         syntax->max_sides == 3 ? "20x30 or 20x30x40" : "20x30");
        model_parse_result result = read_count(&model->side[i], part, error);
        if (result == MODEL_OK && model->side[i] == 0)
            result = wrong(error, part, "a side must be at least 1");
        if (result != MODEL_OK || !more)
            return result;
        part = rest;
    }
}

static model_parse_result read_value(sl_generator *model, key k, span part,
                                     const struct model_syntax *syntax, model_error *error)
{
    uint64_t scale;
    model_parse_result result;
    switch (k) {
    case KEY_SCALE:
        result = read_count(&scale, part, error);
        if (result == MODEL_OK && scale > 40)
            return wrong(error, part, "the scale must be 0 to 40");
        if (result == MODEL_OK)
            model->scale = (unsigned)scale;
        return result;
    case KEY_EDGEFACTOR:
        return read_factor(&model->edge_factor, part, error);
    case KEY_VERTICES:
        return read_count(&model->vertices, part, error);
    case KEY_EDGES:
        return read_count(&model->edges, part, error);
    case KEY_SIDES:
        return read_sides(model, part, syntax, error);
    default:
        return read_count(&model->seed, part, error);
    }
}

/* ---- items -------------------------------------------------------------- */

/* "scale, edgefactor, seed" */
static const char *list_keys(const struct model_syntax *syntax, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < MAX_KEYS && syntax->keys[i] != KEY_NONE; i++)
        used += (size_t)snprintf(list + used, size - used, "%s%s", i ? ", " : "",
                                 key_names[syntax->keys[i]]);
    return list;
}

/* Parses one KEY=VALUE, or a VALUE if it is the first item. `given` marks the keys that occurred.
 */
static model_parse_result read_item(sl_generator *model, span item, bool first, bool *given,
                                    const struct model_syntax *syntax, model_error *error)
{
    char keys[64];
    span name = item, value;
    key k = syntax->keys[0];
    if (item.length == 0)
        return wrong(error, item, "a value is missing here ('%s' takes %s)", syntax->name,
                     list_keys(syntax, keys, sizeof keys));
    if (split(&name, '=', &value)) {
        k = KEY_NONE;
        for (int i = 0; i < MAX_KEYS && syntax->keys[i] != KEY_NONE; i++)
            if (equal(name, key_names[syntax->keys[i]]))
                k = syntax->keys[i];
        if (k == KEY_NONE)
            return wrong(error, name, "'%s' takes no '%.*s' (it takes %s)", syntax->name,
                         printed_length(name), name.at, list_keys(syntax, keys, sizeof keys));
    } else if (first) {
        value = item;
    } else {
        return wrong(error, item, "'%.*s' is not KEY=VALUE ('%s' takes %s)", printed_length(item),
                     item.at, syntax->name, list_keys(syntax, keys, sizeof keys));
    }
    if (given[k])
        return wrong(error, item, "%s is given twice", key_names[k]);
    given[k] = true;
    return read_value(model, k, value, syntax, error);
}

static model_parse_result read_items(sl_generator *model, span items,
                                     const struct model_syntax *syntax, model_error *error)
{
    bool given[KEY_SEED + 1] = {false};
    span item = items, rest;
    bool first = true, more;
    do {
        more = split(&item, ',', &rest);
        model_parse_result result = read_item(model, item, first, given, syntax, error);
        if (result != MODEL_OK)
            return result;
        item = rest;
        first = false;
    } while (more);
    for (int i = 0; i < MAX_KEYS && syntax->keys[i] != KEY_NONE; i++) {
        key k = syntax->keys[i];
        if (!given[k] && k != KEY_EDGEFACTOR && k != KEY_SEED)
            return wrong(error, items, "'%s' needs %s=...", syntax->name, key_names[k]);
    }
    return MODEL_OK;
}

model_parse_result model_parse(sl_generator *model, const char *text, model_error *error)
{
    span name = {text, text, strlen(text)}, items;
    bool colon = split(&name, ':', &items);
    *model = (sl_generator){0};
    *error = (model_error){0};
    for (int i = 0; i < MODELS; i++)
        if (equal(name, models[i].name)) {
            model->model = models[i].model;
            if (colon)
                return read_items(model, items, &models[i], error);
            char keys[64];
            return wrong(error, name, "'%s' needs a size, as in %s:... (it takes %s)",
                         models[i].name, models[i].name, list_keys(&models[i], keys, sizeof keys));
        }
    for (size_t i = 0; i < name.length; i++)
        if (!isalpha((unsigned char)name.at[i]))
            colon = false;
    if (!colon || name.length == 0)
        return MODEL_NONE;
    char names[128];
    size_t used = 0;
    for (int i = 0; i < MODELS; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 models[i].name);
    wrong(error, name, "there is no such file, and no model '%.*s'; the models are %s",
          printed_length(name), name.at, names);
    return MODEL_UNKNOWN;
}
