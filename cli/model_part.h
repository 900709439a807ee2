/* Private to the parser of model names: parts of the text, and the values in them. */
#ifndef SEMLA_CLI_MODEL_PART_H
#define SEMLA_CLI_MODEL_PART_H

#include "cli/model.h"

typedef enum {
    KEY_NONE,
    KEY_SCALE,
    KEY_EDGEFACTOR,
    KEY_A,
    KEY_B,
    KEY_C,
    KEY_VERTICES,
    KEY_EDGES,
    KEY_SIDES,
    KEY_SEED,
    KEY_WEIGHTS,
    KEYS
} key;

/* A model: its name, its keys in the order of the help text, and how many sides a grid has. */
enum { MAX_KEYS = 7 };
typedef struct {
    const char *name;
    sl_model model;
    key keys[MAX_KEYS];
    int min_sides, max_sides;
    bool random; /* its edges depend on the seed; else only its weights do */
} model_syntax;

/* A part of the text. */
typedef struct {
    const char *text; /* the whole text */
    const char *at;
    size_t length;
} span;

/* Sets the error: the message is about `part`. Returns MODEL_WRONG. */
model_parse_result wrong(model_error *error, span part, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Splits `part` at the first `mark`: `part` becomes the text before it, *rest the text after it. If
 * there is no mark, *rest is empty and the result false. */
bool split(span *part, const char *mark, span *rest);

/* The length to print with %.*s: at most 60. */
int printed_length(span part);

/* Reads the value of a key into the member of the model. */
model_parse_result read_value(sl_generator *model, key k, span part, const model_syntax *syntax,
                              model_error *error);

#endif
