/* A hand-written parser of model names. It keeps the position of each part, for error messages. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/model_part.h"
#include "cli/suggest.h"

static const char *const key_names[KEYS] = {
    [KEY_NONE] = "",
    [KEY_SCALE] = "scale",
    [KEY_EDGEFACTOR] = "edgefactor",
    [KEY_A] = "a",
    [KEY_B] = "b",
    [KEY_C] = "c",
    [KEY_VERTICES] = "vertices",
    [KEY_EDGES] = "edges",
    [KEY_SIDES] = "sides",
    [KEY_SEED] = "seed",
    [KEY_WEIGHTS] = "weights",
};

static const model_syntax models[] = {
    {"kronecker",
     SL_MODEL_KRONECKER,
     {KEY_SCALE, KEY_EDGEFACTOR, KEY_SEED, KEY_WEIGHTS},
     0,
     0,
     true},
    {"rmat",
     SL_MODEL_KRONECKER,
     {KEY_SCALE, KEY_EDGEFACTOR, KEY_A, KEY_B, KEY_C, KEY_SEED, KEY_WEIGHTS},
     0,
     0,
     true},
    {"uniform", SL_MODEL_UNIFORM, {KEY_VERTICES, KEY_EDGES, KEY_SEED, KEY_WEIGHTS}, 0, 0, true},
    {"grid", SL_MODEL_GRID, {KEY_SIDES, KEY_SEED, KEY_WEIGHTS}, 2, 3, false},
    {"road", SL_MODEL_ROAD, {KEY_SIDES, KEY_SEED, KEY_WEIGHTS}, 2, 2, true},
    {"path", SL_MODEL_PATH, {KEY_VERTICES, KEY_SEED, KEY_WEIGHTS}, 0, 0, false},
    {"star", SL_MODEL_STAR, {KEY_VERTICES, KEY_SEED, KEY_WEIGHTS}, 0, 0, false},
    {"complete", SL_MODEL_COMPLETE, {KEY_VERTICES, KEY_SEED, KEY_WEIGHTS}, 0, 0, false},
};
enum { MODELS = sizeof models / sizeof models[0] };

static bool equal(span part, const char *word)
{
    return strlen(word) == part.length && memcmp(part.at, word, part.length) == 0;
}

/* "scale, edgefactor, seed" */
static const char *list_keys(const model_syntax *syntax, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < MAX_KEYS && syntax->keys[i] != KEY_NONE; i++)
        used += (size_t)snprintf(list + used, size - used, "%s%s", i ? ", " : "",
                                 key_names[syntax->keys[i]]);
    return list;
}

/* "; did you mean 'WORD'?" for a part of the text, or "". */
static suggestion suggest_part(span part, const char *const *words, size_t count)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", printed_length(part), part.at);
    return suggest(text, "", words, count);
}

static suggestion suggest_key(const model_syntax *syntax, span name)
{
    const char *words[MAX_KEYS];
    size_t count = 0;
    for (; count < MAX_KEYS && syntax->keys[count] != KEY_NONE; count++)
        words[count] = key_names[syntax->keys[count]];
    return suggest_part(name, words, count);
}

/* Parses one KEY=VALUE, or a VALUE if it is the first item. `given` marks the keys that occurred.
 */
static model_parse_result read_item(sl_generator *model, span item, bool first, bool *given,
                                    const model_syntax *syntax, model_error *error)
{
    char keys[100];
    span name = item, value;
    key k = syntax->keys[0];
    if (item.length == 0)
        return wrong(error, item, "a value is missing here ('%s' takes %s)", syntax->name,
                     list_keys(syntax, keys, sizeof keys));
    if (split(&name, "=", &value)) {
        k = KEY_NONE;
        for (int i = 0; i < MAX_KEYS && syntax->keys[i] != KEY_NONE; i++)
            if (equal(name, key_names[syntax->keys[i]]))
                k = syntax->keys[i];
        if (k == KEY_NONE)
            return wrong(error, name, "'%s' takes no '%.*s' (it takes %s)%s", syntax->name,
                         printed_length(name), name.at, list_keys(syntax, keys, sizeof keys),
                         suggest_key(syntax, name).text);
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

/* Gives the quadrants that are not given the probability of Graph500. */
static model_parse_result complete_quadrants(sl_generator *model, const bool *given, span items,
                                             model_error *error)
{
    model->a = given[KEY_A] ? model->a : 0.57;
    model->b = given[KEY_B] ? model->b : 0.19;
    model->c = given[KEY_C] ? model->c : 0.19;
    if (model->a > 0 && model->a + model->b + model->c <= 1 + 0x1p-50)
        return MODEL_OK;
    return wrong(error, items,
                 "the probabilities are a=%g, b=%g, c=%g; a must be above 0, and the sum at most 1",
                 model->a, model->b, model->c);
}

static model_parse_result read_items(sl_generator *model, span items, const model_syntax *syntax,
                                     model_error *error)
{
    bool given[KEYS] = {false};
    span item = items, rest;
    bool first = true, more;
    do {
        more = split(&item, ",", &rest);
        model_parse_result result = read_item(model, item, first, given, syntax, error);
        if (result != MODEL_OK)
            return result;
        item = rest;
        first = false;
    } while (more);
    for (int i = 0; i < MAX_KEYS && syntax->keys[i] != KEY_NONE; i++) {
        key k = syntax->keys[i];
        if (!given[k] && !(k >= KEY_EDGEFACTOR && k <= KEY_C) && k != KEY_SEED && k != KEY_WEIGHTS)
            return wrong(error, items, "'%s' needs %s=...", syntax->name, key_names[k]);
    }
    if (given[KEY_SEED] && !syntax->random && !given[KEY_WEIGHTS])
        return wrong(error, items, "'%s' is not random: a seed needs weights=...", syntax->name);
    return given[KEY_A] || given[KEY_B] || given[KEY_C]
               ? complete_quadrants(model, given, items, error)
               : MODEL_OK;
}

model_parse_result model_parse(sl_generator *model, const char *text, model_error *error)
{
    span name = {text, text, strlen(text)}, items;
    bool colon = split(&name, ":", &items);
    *model = (sl_generator){0};
    *error = (model_error){0};
    for (int i = 0; i < MODELS; i++)
        if (equal(name, models[i].name)) {
            model->model = models[i].model;
            if (colon)
                return read_items(model, items, &models[i], error);
            char keys[100];
            return wrong(error, name, "'%s' needs a size, as in %s:... (it takes %s)",
                         models[i].name, models[i].name, list_keys(&models[i], keys, sizeof keys));
        }
    for (size_t i = 0; i < name.length; i++)
        if (!isalpha((unsigned char)name.at[i]))
            colon = false;
    if (!colon || name.length == 0)
        return MODEL_NONE;
    char names[128];
    const char *words[MODELS];
    size_t used = 0;
    for (int i = 0; i < MODELS; i++) {
        words[i] = models[i].name;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 models[i].name);
    }
    wrong(error, name, "there is no such file, and no model '%.*s'; the models are %s%s",
          printed_length(name), name.at, names, suggest_part(name, words, MODELS).text);
    return MODEL_UNKNOWN;
}

const char *model_name(size_t position)
{
    return position < MODELS ? models[position].name : NULL;
}
