/* Parses the text that names a graph model, such as kronecker:scale=20,seed=1. */
#ifndef SEMLA_CLI_MODEL_H
#define SEMLA_CLI_MODEL_H

#include <semla/io.h>

/* An error in the text of a model: a message, and the part of the text that is wrong. */
typedef struct {
    char message[360];
    size_t offset, length; /* bytes, in the text */
} model_error;

typedef enum {
    MODEL_OK,
    MODEL_WRONG,   /* the name is that of a model, but the rest is wrong; *error is set */
    MODEL_UNKNOWN, /* the text has the form NAME:..., but there is no model NAME; *error is set */
    MODEL_NONE     /* the text does not look like a model */
} model_parse_result;

/*
 * Parses
 *
 *     MODEL : VALUE or KEY=VALUE , KEY=VALUE , ...
 *
 * A first value without a key belongs to the first key of the model. Numbers are decimal and may
 * end in k, M or G (10^3, 10^6, 10^9). Sides are ROWSxCOLS or ROWSxCOLSxLAYERS. Weights are
 * FIRST..LAST, integers if both are written as such. All keys but edgefactor (default 16), a, b, c
 * (0.57, 0.19, 0.19), seed (0) and weights (none) are required. sl_generate checks the ranges of the
 * sizes.
 */
model_parse_result model_parse(sl_generator *model, const char *text, model_error *error);

/* The name of model number `position`, counted from 0; NULL if there are fewer. */
const char *model_name(size_t position);

/* The syntax, for --help. */
#define MODEL_HELP                                                                                 \
    "Models, each NAME:KEY=VALUE,KEY=VALUE,... (the first KEY= may be omitted):\n"                 \
    "  kronecker:scale=20,edgefactor=16,seed=1  as in Graph500, 2^scale vertices\n"                \
    "  rmat:scale=20,a=0.45,b=0.22,c=0.22       the same with other probabilities\n"               \
    "  uniform:vertices=1M,edges=16M,seed=1     edges between random vertices\n"                   \
    "  grid:2048x2048  grid:100x100x100         a grid in 2 or 3 dimensions\n"                     \
    "  road:2000x2000,seed=1                    a grid with gaps and shortcuts\n"                  \
    "  path:1000  star:1000  complete:100       the graph of that name\n"                          \
    "Every model takes weights=1..255 (random integers) or weights=0.0..1.0 (reals) and a seed.\n" \
    "Numbers may end in k, M or G (10^3, 10^6, 10^9)."

#endif
