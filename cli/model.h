/* The models' spelling: kronecker:scale=20,seed=1 and its like. */
#ifndef SEMLA_CLI_MODEL_H
#define SEMLA_CLI_MODEL_H

#include <semla/io.h>

/* What is wrong with a spelling, and which part of it. */
typedef struct {
    char message[200];
    size_t offset, length; /* in the text */
} model_error;

typedef enum {
    MODEL_OK,
    MODEL_WRONG,   /* a model, but not spelled right: *error tells */
    MODEL_UNKNOWN, /* NAME:..., but there is no model NAME: *error tells */
    MODEL_NONE     /* nothing that looks like a model */
} model_answer;

/*
 * Reads
 *
 *     MODEL : VALUE or KEY=VALUE , KEY=VALUE , ...
 *
 * where a first value without a key is that of the model's first key. Numbers
 * are decimal, with k, M or G after them for thousands, millions, milliards;
 * sides are ROWSxCOLS or ROWSxCOLSxLAYERS. All keys but edgefactor (16) and
 * seed (0) have to be given. Values' sense is for sl_generate to judge.
 */
model_answer model_parse(sl_generator *model, const char *text, model_error *error);

/* The grammar for people, for --help. */
#define MODEL_HELP                                                                                 \
    "Models, each NAME:KEY=VALUE,KEY=VALUE,... (the first key may be left out):\n"                 \
    "  kronecker:scale=20,edgefactor=16,seed=1  Graph500's, 2^scale vertices\n"                    \
    "  uniform:vertices=1M,edges=16M,seed=1     edges between random vertices\n"                   \
    "  grid:2048x2048  grid:100x100x100         a grid in 2 or 3 dimensions\n"                     \
    "  road:2000x2000,seed=1                    a grid with gaps and shortcuts\n"                  \
    "  path:1000  star:1000  complete:100       as they are called\n"                              \
    "Numbers may end in k, M or G (10^3, 10^6, 10^9)."

#endif
