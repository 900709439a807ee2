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

enum { MOST_KEYS = 3 };

static const struct model_form {
    const char *name;
    sl_model model;
    key keys[MOST_KEYS];
    int least_sides, most_sides;
} forms[] = {
    {"kronecker", SL_MODEL_KRONECKER, {KEY_SCALE, KEY_EDGEFACTOR, KEY_SEED}, 0, 0},
    {"uniform", SL_MODEL_UNIFORM, {KEY_VERTICES, KEY_EDGES, KEY_SEED}, 0, 0},
    {"grid", SL_MODEL_GRID, {KEY_SIDES}, 2, 3},
    {"road", SL_MODEL_ROAD, {KEY_SIDES, KEY_SEED}, 2, 2},
    {"path", SL_MODEL_PATH, {KEY_VERTICES}, 0, 0},
    {"star", SL_MODEL_STAR, {KEY_VERTICES}, 0, 0},
    {"complete", SL_MODEL_COMPLETE, {KEY_VERTICES}, 0, 0},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* A part of the text that is being read. */
typedef struct {
    const char *text; /* all of it */
    const char *at;
    size_t length;
} span;

static model_answer wrong(model_error *error, span part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static model_answer wrong(model_error *error, span part, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    error->offset = (size_t)(part.at - part.text);
    error->length = part.length;
    return MODEL_WRONG;
}

/* Cuts `part` before the first `mark`; what follows it is in *rest. Without a mark
 * nothing is cut, nothing follows, and the answer is false. */
static bool cut(span *part, char mark, span *rest)
{
    const char *end = part->at + part->length;
    const char *found = memchr(part->at, mark, part->length);
    const char *next = found ? found + 1 : end;
    *rest = (span){part->text, next, (size_t)(end - next)};
    part->length = (size_t)((found ? found : end) - part->at);
    return found != NULL;
}

static bool equal(span part, const char *word)
{
    return strlen(word) == part.length && memcmp(part.at, word, part.length) == 0;
}

/* For %.*s. */
static int width(span part)
{
    return part.length > 60 ? 60 : (int)part.length;
}

/* ---- values ------------------------------------------------------------- */

static model_answer read_count(uint64_t *value, span part, model_error *error)
{
    if (part.length == 0)
        return wrong(error, part, "a number is missing");
    if (!isdigit((unsigned char)*part.at))
        return wrong(error, part, "'%.*s' is not a number", width(part), part.at);
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
        return wrong(error, part, "'%.*s' is not a number", width(part), part.at);
    if (errno || __builtin_mul_overflow((uint64_t)number, unit, value))
        return wrong(error, part, "'%.*s' is too large", width(part), part.at);
    return MODEL_OK;
}

static model_answer read_factor(double *value, span part, model_error *error)
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
    return wrong(error, part, "'%.*s' is not a number above 0", width(part), part.at);
}

static model_answer read_sides(sl_generator *model, span part, const struct model_form *form,
                               model_error *error)
{
    span whole = part, rest;
    for (int i = 0;; i++) {
        bool more = cut(&part, 'x', &rest);
        if (i == form->most_sides || (!more && i + 1 < form->least_sides))
            return wrong(error, whole, "'%s' has %s sides, as in %s:%s", form->name,
                         form->most_sides == 3 ? "2 or 3" : "2", form->name,
                         form->most_sides == 3 ? "20x30 or 20x30x40" : "20x30");
        model_answer answer = read_count(&model->side[i], part, error);
        if (answer == MODEL_OK && model->side[i] == 0)
            answer = wrong(error, part, "a side is at least 1");
        if (answer != MODEL_OK || !more)
            return answer;
        part = rest;
    }
}

static model_answer read_value(sl_generator *model, key k, span part, const struct model_form *form,
                               model_error *error)
{
    uint64_t scale;
    model_answer answer;
    switch (k) {
    case KEY_SCALE:
        answer = read_count(&scale, part, error);
        if (answer == MODEL_OK && scale > 40)
            return wrong(error, part, "a scale is 0 to 40");
        if (answer == MODEL_OK)
            model->scale = (unsigned)scale;
        return answer;
    case KEY_EDGEFACTOR:
        return read_factor(&model->edge_factor, part, error);
    case KEY_VERTICES:
        return read_count(&model->vertices, part, error);
    case KEY_EDGES:
        return read_count(&model->edges, part, error);
    case KEY_SIDES:
        return read_sides(model, part, form, error);
    default:
        return read_count(&model->seed, part, error);
    }
}

/* ---- items -------------------------------------------------------------- */

/* "scale, edgefactor, seed" */
static const char *list_keys(const struct model_form *form, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < MOST_KEYS && form->keys[i] != KEY_NONE; i++)
        used += (size_t)snprintf(list + used, size - used, "%s%s", i ? ", " : "",
                                 key_names[form->keys[i]]);
    return list;
}

/* One KEY=VALUE, or as the first item a VALUE; `given` marks the keys met. */
static model_answer read_item(sl_generator *model, span item, bool first, bool *given,
                              const struct model_form *form, model_error *error)
{
    char keys[64];
    span name = item, value;
    key k = form->keys[0];
    if (item.length == 0)
        return wrong(error, item, "a value is missing here ('%s' takes %s)", form->name,
                     list_keys(form, keys, sizeof keys));
    if (cut(&name, '=', &value)) {
        k = KEY_NONE;
        for (int i = 0; i < MOST_KEYS && form->keys[i] != KEY_NONE; i++)
            if (equal(name, key_names[form->keys[i]]))
                k = form->keys[i];
        if (k == KEY_NONE)
            return wrong(error, name, "'%s' takes no '%.*s' (it takes %s)", form->name, width(name),
                         name.at, list_keys(form, keys, sizeof keys));
    } else if (first) {
        value = item;
    } else {
        return wrong(error, item, "'%.*s' is not KEY=VALUE ('%s' takes %s)", width(item), item.at,
                     form->name, list_keys(form, keys, sizeof keys));
    }
    if (given[k])
        return wrong(error, item, "%s is given twice", key_names[k]);
    given[k] = true;
    return read_value(model, k, value, form, error);
}

static model_answer read_items(sl_generator *model, span items, const struct model_form *form,
                               model_error *error)
{
    bool given[KEY_SEED + 1] = {false};
    span item = items, rest;
    bool first = true, more;
    do {
        more = cut(&item, ',', &rest);
        model_answer answer = read_item(model, item, first, given, form, error);
        if (answer != MODEL_OK)
            return answer;
        item = rest;
        first = false;
    } while (more);
    for (int i = 0; i < MOST_KEYS && form->keys[i] != KEY_NONE; i++) {
        key k = form->keys[i];
        if (!given[k] && k != KEY_EDGEFACTOR && k != KEY_SEED)
            return wrong(error, items, "'%s' needs %s=...", form->name, key_names[k]);
    }
    return MODEL_OK;
}

model_answer model_parse(sl_generator *model, const char *text, model_error *error)
{
    span name = {text, text, strlen(text)}, items;
    bool colon = cut(&name, ':', &items);
    *model = (sl_generator){0};
    *error = (model_error){0};
    for (int i = 0; i < FORMS; i++)
        if (equal(name, forms[i].name)) {
            model->model = forms[i].model;
            if (colon)
                return read_items(model, items, &forms[i], error);
            char keys[64];
            return wrong(error, name, "'%s' needs a size after it, as %s:... (it takes %s)",
                         forms[i].name, forms[i].name, list_keys(&forms[i], keys, sizeof keys));
        }
    for (size_t i = 0; i < name.length; i++)
        if (!isalpha((unsigned char)name.at[i]))
            colon = false;
    if (!colon || name.length == 0)
        return MODEL_NONE;
    char names[128];
    size_t used = 0;
    for (int i = 0; i < FORMS; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 forms[i].name);
    wrong(error, name, "there is no file of that name, and no model '%.*s' (models: %s)",
          width(name), name.at, names);
    return MODEL_UNKNOWN;
}
